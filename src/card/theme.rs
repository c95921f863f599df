use super::kind::{IsColor, Kind};
use crate::api::json::{JsonRef, Mode, Shape, scan};
use crate::api::{Error, append_encoded};

/// The value of one parameter of a [`Theme`], before it is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A colour, length, name or address.
    Text(&'a str),
    /// Whether something is shown.
    Switch(bool),
}

#[derive(Debug)]
struct Parameter {
    name: &'static str,
    kind: Kind,
}

/// One row a parameter: its name, what it takes, what it paints. The last becomes documentation alone.
macro_rules! parameters {
    ($( $name:ident $Kind:ident $paints:literal )*) => {
        static PARAMETERS: &[Parameter] = &[$( Parameter { name: stringify!($name), kind: Kind::$Kind }, )*];

        /// How the hosted form looks and speaks (interface, part 4: Card onboarding iframe). Holds only what
        /// was found to be of its parameter's kind, so that no value can say more than it should.
        ///
        /// A `Color` is what the engine takes for one, up to 64 characters, without `var()` and its like. A
        /// `Font` is a name that the form knows, or a list of families. A `Radius` or `Spacing` is a CSS
        /// length. A `Picture` is a colour or an https image address. `TextCase` is `UPPER`, `lower`,
        /// `Capitalize` or `Default`; `Language` is `en` or `es-MX`.
        ///
        /// | Parameter | Takes | Paints |
        /// |---|---|---|
        $( #[doc = concat!("| `", stringify!($name), "` | ", stringify!($Kind), " | ", $paints, " |")] )*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Theme {
            /// Rows of the table with their values, in the order of the table.
            values: Vec<(usize, String)>,
        }
    };
}

parameters! {
    font Font "all text but buttons and headlines"
    buttonFont Font "button text"
    headlineFont Font "headlines"
    primary Color "what can be clicked, links"
    primaryLight Color "the fill of what is selected"
    text Color "headlines, labels, filled inputs"
    textSecondary Color "subheads, placeholders, labels"
    foreground Color "the fill of the main container"
    background Color "the large surface behind it"
    inputLine Color "the outline of inputs"
    divider Color "separators"
    icon Color "icons"
    success Color "messages of success"
    danger Color "messages of error"
    dangerLight Color "the fill of validation warnings"
    buttonText Color "button text"
    buttonColor Color "the fill of buttons"
    buttonRadius Radius "the corners of buttons"
    buttonTextCase TextCase "the case of button text"
    buttonLetterSpacing Spacing "primary, secondary and tertiary buttons"
    cardBackground Picture "the picture of the card"
    lng Language "the language of the form"
    showStep Switch "a header that names the step"
    showCardAnimation Switch "the picture of the card, left of the form; never on a phone"
}

impl Theme {
    /// Reads a theme from the JSON text of an object from parameter to value; switches are `true` or `false`,
    /// `1` or `0`.
    ///
    /// # Errors
    /// [`InvalidConfiguration`](crate::api::Code::InvalidConfiguration), naming the parameter, such as
    /// `theme.primary`, and what it takes.
    pub fn from_json(json: &str, is_color: IsColor<'_>) -> Result<Self, Error> {
        if scan(json, &Shape::Object, Mode::Sent).is_err() {
            return Err(Error::configuration(
                "theme",
                "an object of the card form's parameters, such as { primary: \"#0a7\" }",
            ));
        }
        let mut theme = Theme::default();
        for (name, value) in JsonRef::new(json).members().filter(|(_, value)| !value.is_null()) {
            let text = value.text();
            let value = match value.raw() {
                "true" | "1" => Value::Switch(true),
                "false" | "0" => Value::Switch(false),
                // What no parameter takes is none, so that the error is that of the parameter.
                _ => Value::Text(text.as_deref().unwrap_or("")),
            };
            theme.set(&name, value, is_color)?;
        }
        Ok(theme)
    }

    /// Sets one parameter.
    ///
    /// # Errors
    /// Those of [`from_json`](Self::from_json).
    pub fn set(&mut self, name: &str, value: Value<'_>, is_color: IsColor<'_>) -> Result<(), Error> {
        let found = PARAMETERS.iter().enumerate().find(|(_, parameter)| parameter.name == name);
        let Some((row, parameter)) = found else {
            return Err(failure(name, "left out: the card form has no such parameter"));
        };
        let value = match value {
            Value::Switch(on) if matches!(parameter.kind, Kind::Switch) => {
                if on {
                    "1"
                } else {
                    "0"
                }
            }
            Value::Text(text) if parameter.kind.takes(text, is_color) => text,
            _ => return Err(failure(name, parameter.kind.expected())),
        };
        match self.values.binary_search_by_key(&row, |(row, _)| *row) {
            Ok(at) => {
                if let Some((_, old)) = self.values.get_mut(at) {
                    value.clone_into(old);
                }
            }
            Err(at) => self.values.insert(at, (row, value.to_owned())),
        }
        Ok(())
    }

    /// The query of the form's address, percent-encoded, without its question mark; empty for the form's own
    /// looks.
    #[must_use]
    pub fn to_query(&self) -> String {
        let mut query = String::new();
        for (row, value) in &self.values {
            let Some(parameter) = PARAMETERS.get(*row) else { continue };
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(parameter.name);
            query.push('=');
            append_encoded(&mut query, value);
        }
        query
    }
}

fn failure(name: &str, expected: &str) -> Error {
    let name = if name.len() > 40 { "…" } else { name };
    Error::configuration(&["theme.", name].concat(), expected)
}

// Natively alone: proptest draws on the system's randomness.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::super::kind::tests::engine;
    use super::*;
    use proptest::prelude::*;

    fn theme(json: &str) -> Result<Theme, Error> {
        Theme::from_json(json, &engine)
    }

    #[test]
    fn all_24_parameters_go_into_the_query_in_the_order_of_the_table() {
        assert_eq!(PARAMETERS.len(), 24);
        let json = r##"{
            "showCardAnimation": false, "showStep": true, "lng": "es-MX",
            "cardBackground": "https://img.example.com/a%20b.png?w=3&h=2", "buttonLetterSpacing": "-0.5px",
            "buttonTextCase": "Capitalize", "buttonRadius": "50%", "buttonColor": "red", "buttonText": "#FFF",
            "dangerLight": "#ffeeee", "danger": "#f00", "success": "#0f0", "icon": "#123", "divider": "#1234",
            "inputLine": "#12345678", "background": "transparent", "foreground": "Canvas", "textSecondary": "#777",
            "text": "#111", "primaryLight": "oklch(0.9 0.05 180 / 50%)", "primary": "rgb(0 170 119)",
            "headlineFont": "Mother's Day_2", "buttonFont": "Ünïcode Sans", "font": "Open Sans"
        }"##;
        let query = theme(json).unwrap().to_query();
        let expected = "font=Open%20Sans&buttonFont=%C3%9Cn%C3%AFcode%20Sans&headlineFont=Mother%27s%20Day_2\
            &primary=rgb%280%20170%20119%29&primaryLight=oklch%280.9%200.05%20180%20%2F%2050%25%29&text=%23111\
            &textSecondary=%23777&foreground=Canvas&background=transparent&inputLine=%2312345678&divider=%231234&icon=%23123\
            &success=%230f0&danger=%23f00&dangerLight=%23ffeeee&buttonText=%23FFF&buttonColor=red&buttonRadius=50%25\
            &buttonTextCase=Capitalize&buttonLetterSpacing=-0.5px\
            &cardBackground=https%3A%2F%2Fimg.example.com%2Fa%2520b.png%3Fw%3D3%26h%3D2&lng=es-MX&showStep=1&showCardAnimation=0";
        assert_eq!(query, expected);
    }

    #[test]
    fn what_is_null_or_absent_leaves_the_forms_own_looks() {
        assert_eq!(theme("{}").unwrap().to_query(), "");
        assert_eq!(theme(r#"{"primary":null}"#).unwrap(), Theme::default());
    }

    #[test]
    fn what_is_set_again_is_replaced() {
        let mut theme = theme(r##"{"text":"#111","primary":"#000","primary":"#0a7"}"##).unwrap();
        assert_eq!(theme.to_query(), "primary=%230a7&text=%23111");
        theme.set("primary", Value::Text("#0b8"), &engine).unwrap();
        theme.set("showStep", Value::Switch(true), &engine).unwrap();
        let numbers = Theme::from_json(r#"{"showStep":1,"showCardAnimation":0}"#, &engine).unwrap();
        assert_eq!(numbers.to_query(), "showStep=1&showCardAnimation=0");
        assert_eq!(theme.to_query(), "primary=%230b8&text=%23111&showStep=1");
    }

    #[test]
    fn an_unknown_parameter_or_a_value_of_another_type_is_named() {
        for (json, option, says) in [
            (r##"{"primry":"#0a7"}"##, "theme.primry", "no such parameter"),
            (r##"{"__proto__":"#0a7"}"##, "theme.__proto__", "no such parameter"),
            (r#"{"primary":true}"#, "theme.primary", "a CSS colour such as #0a7"),
            (r#"{"primary":7}"#, "theme.primary", "a CSS colour"),
            (r#"{"primary":{"r":0}}"#, "theme.primary", "a CSS colour"),
            (r#"{"buttonRadius":8}"#, "theme.buttonRadius", "a string with a CSS length"),
            (r#"{"showStep":2}"#, "theme.showStep", "true or false, 1 or 0"),
            (r#"{"showstep":1}"#, "theme.showstep", "no such parameter"),
            (r#"{"primary":1}"#, "theme.primary", "a CSS colour"),
            (r#"{"showStep":"1"}"#, "theme.showStep", "true or false"),
            (r#"{"lng":"es"}"#, "theme.lng", "en or es-MX"),
            (r#"{"buttonTextCase":"upper"}"#, "theme.buttonTextCase", "UPPER, lower"),
            ("[]", "theme", "an object"),
            ("null", "theme", "an object"),
            ("{", "theme", "an object"),
            ("", "theme", "an object"),
        ] {
            let error = theme(json).expect_err(json);
            assert_eq!(
                (error.kind(), error.option()),
                (crate::api::Kind::Configuration, Some(option)),
                "{json}"
            );
            assert!(error.message().contains(says), "{json}: {error}");
        }
    }

    #[test]
    fn a_name_of_over_40_characters_is_not_repeated() {
        for (name, told) in [("a".repeat(40), "a".repeat(40)), ("a".repeat(41), "…".to_owned())] {
            let error = theme(&format!(r#"{{"{name}":1}}"#)).expect_err("no such parameter");
            assert_eq!(error.option(), Some(&*format!("theme.{told}")));
        }
    }

    proptest! {
        #[test]
        fn a_query_holds_each_parameter_once_whatever_is_put_in(
            pairs in proptest::collection::vec((0usize..24, ".{0,12}", any::<bool>()), 0..40),
        ) {
            let mut theme = Theme::default();
            let mut expected = std::collections::BTreeMap::new();
            for (row, text, switch) in &pairs {
                let name = PARAMETERS[*row].name;
                if theme.set(name, Value::Text(text), &|_| true).is_ok() {
                    expected.insert(*row, text.clone());
                }
                if theme.set(name, Value::Switch(*switch), &|_| true).is_ok() {
                    expected.insert(*row, u8::from(*switch).to_string());
                }
            }
            let query = theme.to_query();
            prop_assert!(query.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%=&".contains(&byte)), "{}", query);
            let parts: Vec<_> = query.split('&').filter(|part| !part.is_empty()).collect();
            prop_assert_eq!(parts.len(), expected.len());
            for (part, (row, value)) in parts.iter().zip(&expected) {
                let (name, encoded) = part.split_once('=').unwrap();
                prop_assert_eq!(name, PARAMETERS[*row].name);
                prop_assert_eq!(&decode(encoded), value);
            }
        }

        #[test]
        fn no_text_gets_in_that_could_leave_a_style_rule(row in 0usize..24, text in "[a-z0-9#%(){};:'\"\\\\/*<>@ .,-]{1,20}") {
            if Theme::default().set(PARAMETERS[row].name, Value::Text(&text), &|_| true).is_ok() {
                prop_assert!(!text.contains([';', '{', '}', '\\', '<', '>', '*']), "{}", text);
                prop_assert!(text.matches('"').count() % 2 == 0, "{}", text);
                prop_assert_eq!(text.matches('(').count(), text.matches(')').count());
            }
        }

        #[test]
        fn any_json_is_taken_or_refused_without_a_panic(json in ".*") {
            let _ = theme(&json);
        }
    }

    fn decode(encoded: &str) -> String {
        let mut bytes = Vec::new();
        let mut rest = encoded.bytes();
        while let Some(byte) = rest.next() {
            if byte == b'%' {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
            } else {
                bytes.push(byte);
            }
        }
        String::from_utf8(bytes).unwrap()
    }
}

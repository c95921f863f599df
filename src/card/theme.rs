use super::parameter_kind::{IsColor, ParameterKind};
use crate::api::json::{JsonRef, Mode, Shape, scan};
use crate::api::{Error, percent_encoded};

/// An unchecked value of a [`Theme`] parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Any value but a switch.
    Text(&'a str),
    /// Shows or hides a part of the form.
    Switch(bool),
}

#[derive(Debug)]
struct Parameter {
    name: &'static str,
    kind: ParameterKind,
}

/// Declares a parameter in each row: its name, its kind, and what it changes, which is only documentation.
macro_rules! parameters {
    ($( $name:ident $Kind:ident $paints:literal )*) => {
        static PARAMETERS: &[Parameter] = &[$( Parameter { name: stringify!($name), kind: ParameterKind::$Kind }, )*];

        /// The look and language of the hosted form (interface, part 4: Card onboarding iframe). All values
        /// are checked and escaped, so that none can inject styles.
        ///
        /// A `Color` is a CSS color of up to 256 characters, without `var()` and the like. A `Font` is a name
        /// that the form knows, or a list of families. A `Radius` or `Spacing` is a CSS length. A `Picture`
        /// is a color or an https image address. `TextCase` is `UPPER`, `lower`, `Capitalize` or `Default`;
        /// `Language` is `en` or `es-MX`.
        ///
        /// | Parameter | Kind | Changes |
        /// |---|---|---|
        $( #[doc = concat!("| `", stringify!($name), "` | ", stringify!($Kind), " | ", $paints, " |")] )*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Theme {
            /// The value of each row, empty if unset; no row before the first value is set.
            values: Vec<String>,
        }
    };
}

parameters! {
    font Font "all text but buttons and headlines"
    buttonFont Font "button text"
    headlineFont Font "headlines"
    primary Color "clickable elements, links"
    primaryLight Color "the fill of selected elements"
    text Color "headlines, labels, filled inputs"
    textSecondary Color "subheads, placeholders, labels"
    foreground Color "the fill of the main container"
    background Color "the large surface behind it"
    inputLine Color "the outline of inputs"
    divider Color "separators"
    icon Color "icons"
    success Color "success messages"
    danger Color "error messages"
    dangerLight Color "the fill of validation warnings"
    buttonText Color "button text"
    buttonColor Color "the fill of buttons"
    buttonRadius Radius "the corners of buttons"
    buttonTextCase TextCase "the case of button text"
    buttonLetterSpacing Spacing "primary, secondary and tertiary buttons"
    cardBackground Picture "the picture of the card"
    lng Language "the language of the form"
    showStep Switch "a header with the step's name"
    showCardAnimation Switch "the picture of the card, left of the form; never on a phone"
}

impl Theme {
    /// Reads a theme from the JSON text of an object from parameter to value. Switches are `true` or `false`,
    /// `1` or `0`.
    ///
    /// # Errors
    /// [`InvalidConfiguration`](crate::api::Code::InvalidConfiguration), naming the parameter, such as
    /// `theme.primary`, and what is expected.
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
                // No parameter accepts the empty text, so other types yield the parameter's error.
                _ => Value::Text(text.as_deref().unwrap_or("")),
            };
            theme.set(&name, value, is_color)?;
        }
        Ok(theme)
    }

    /// Sets one parameter.
    ///
    /// # Errors
    /// As for [`from_json`](Self::from_json).
    pub fn set(&mut self, name: &str, value: Value<'_>, is_color: IsColor<'_>) -> Result<(), Error> {
        let found = PARAMETERS.iter().enumerate().find(|(_, parameter)| parameter.name == name);
        let Some((row, parameter)) = found else {
            return Err(failure(name, "left out: the card form has no such parameter"));
        };
        let value = match value {
            Value::Switch(true) if matches!(parameter.kind, ParameterKind::Switch) => "1",
            Value::Switch(false) if matches!(parameter.kind, ParameterKind::Switch) => "0",
            Value::Text(text) if parameter.kind.accepts(text, is_color) => text,
            _ => return Err(failure(name, parameter.kind.expected())),
        };
        self.values.resize(PARAMETERS.len(), String::new());
        if let Some(old) = self.values.get_mut(row) {
            *old = parameter.kind.escape(value);
        }
        Ok(())
    }

    /// Returns the percent-encoded query of the form's address, empty for the default theme.
    pub fn to_query(&self) -> String {
        let mut query = String::new();
        for (parameter, value) in PARAMETERS.iter().zip(&self.values).filter(|(_, value)| !value.is_empty()) {
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(parameter.name);
            query.push('=');
            query.extend(percent_encoded(value));
        }
        query
    }
}

fn failure(name: &str, expected: &str) -> Error {
    let name = if name.len() > 40 { "…" } else { name };
    Error::configuration(&["theme.", name].concat(), expected)
}

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::super::parameter_kind::tests::engine;
    use super::*;
    use proptest::prelude::*;

    fn theme(json: &str) -> Result<Theme, Error> {
        Theme::from_json(json, &engine)
    }

    fn query(json: &str) -> String {
        theme(json).unwrap().to_query()
    }

    #[test]
    fn all_24_parameters_are_in_the_query_in_the_order_of_the_table() {
        assert_eq!(PARAMETERS.len(), 24);
        let json = r##"{
            "showCardAnimation": false, "showStep": true, "lng": "es-MX",
            "cardBackground": "https://img.example.com/a%20b.png?w=3&h=2", "buttonLetterSpacing": "-0.5px",
            "buttonTextCase": "Capitalize", "buttonRadius": "50%", "buttonColor": "red", "buttonText": "#FFF",
            "dangerLight": "#ffeeee", "danger": "#f00", "success": "#0f0", "icon": "#123", "divider": "#1234",
            "inputLine": "#12345678", "background": "transparent", "foreground": "Canvas",
            "textSecondary": "#777", "text": "#111", "primaryLight": "oklch(0.9 0.05 180 / 50%)",
            "primary": "rgb(0 170 119)", "headlineFont": "Mother's Day_2", "buttonFont": "Ünïcode Sans",
            "font": "Open Sans"
        }"##;
        let expected = "font=Open%20Sans&buttonFont=%C3%9Cn%C3%AFcode%20Sans&headlineFont=Mother%27s%20Day_2\
            &primary=rgb%280%20170%20119%29&primaryLight=oklch%280.9%200.05%20180%20%2F%2050%25%29&text=%23111\
            &textSecondary=%23777&foreground=Canvas&background=transparent&inputLine=%2312345678\
            &divider=%231234&icon=%23123&success=%230f0&danger=%23f00&dangerLight=%23ffeeee&buttonText=%23FFF\
            &buttonColor=red&buttonRadius=50%25&buttonTextCase=Capitalize&buttonLetterSpacing=-0.5px\
            &cardBackground=https%3A%2F%2Fimg.example.com%2Fa%2520b.png%3Fw%3D3%26h%3D2&lng=es-MX&showStep=1\
            &showCardAnimation=0";
        assert_eq!(query(json), expected);
    }

    #[test]
    fn the_last_value_of_a_parameter_counts_and_null_is_ignored() {
        assert_eq!(query(r#"{"primary":null}"#), "");
        assert_eq!(query(r#"{"showStep":1,"showCardAnimation":0}"#), "showStep=1&showCardAnimation=0");
        let mut theme = theme(r##"{"text":"#111","primary":"#000","primary":"#0a7"}"##).unwrap();
        assert_eq!(theme.to_query(), "primary=%230a7&text=%23111");
        theme.set("primary", Value::Text("#0b8"), &engine).unwrap();
        theme.set("showStep", Value::Switch(true), &engine).unwrap();
        assert_eq!(theme.to_query(), "primary=%230b8&text=%23111&showStep=1");
    }

    #[test]
    fn an_error_names_the_parameter_and_what_it_accepts() {
        let name = |length| "a".repeat(length);
        for (json, option, expected) in [
            (r##"{"primry":"#0a7"}"##, "theme.primry", "no such parameter"),
            (r##"{"__proto__":"#0a7"}"##, "theme.__proto__", "no such parameter"),
            (r#"{"showstep":1}"#, "theme.showstep", "no such parameter"),
            (&format!(r#"{{"{}":1}}"#, name(40)), &format!("theme.{}", name(40)), "no such parameter"),
            (&format!(r#"{{"{}":1}}"#, name(41)), "theme.…", "no such parameter"),
            (r#"{"primary":true}"#, "theme.primary", "a CSS color such as #0a7"),
            (r#"{"primary":1}"#, "theme.primary", "a CSS color"),
            (r#"{"primary":false}"#, "theme.primary", "a CSS color"),
            (r#"{"primary":{"r":0}}"#, "theme.primary", "a CSS color"),
            (r#"{"buttonRadius":8}"#, "theme.buttonRadius", "a string with a CSS length"),
            (r#"{"showStep":2}"#, "theme.showStep", "true or false, 1 or 0"),
            (r#"{"showStep":"1"}"#, "theme.showStep", "true or false"),
            (r#"{"lng":"es"}"#, "theme.lng", "en or es-MX"),
            (r#"{"buttonTextCase":"upper"}"#, "theme.buttonTextCase", "UPPER, lower"),
            ("[]", "theme", "an object"),
            ("null", "theme", "an object"),
            ("{", "theme", "an object"),
            ("", "theme", "an object"),
        ] {
            let error = theme(json).expect_err(json);
            assert_eq!(error.kind(), crate::api::Kind::Configuration);
            assert_eq!(error.option(), Some(option), "{json}");
            assert!(error.message().contains(expected), "{json}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_value_can_leave_its_style_rule(row in 0usize..24, text in "[a-z0-9#%(){};:'\"\\\\/*<>@ .,-]{1,20}") {
            let mut theme = Theme::default();
            if theme.set(PARAMETERS[row].name, Value::Text(&text), &|_| true).is_ok() {
                let text = &theme.values[row];
                prop_assert!(!text.contains([';', '{', '}', '\\', '<', '>', '*']), "{}", text);
                prop_assert!(text.matches('"').count() % 2 == 0, "{}", text);
                prop_assert_eq!(text.matches('(').count(), text.matches(')').count());
            }
        }

        #[test]
        fn reading_a_theme_never_panics(json in ".*") {
            let _ = theme(&json);
        }
    }
}

//! The theme of the hosted form (interface, part 4: Card onboarding iframe).

mod color;
mod font_family;
mod language;
mod length;
mod parameter;
mod picture;
mod text_case;
mod value;

pub use color::Color;
pub use font_family::FontFamily;
pub use language::Language;
pub use length::{Radius, Spacing};
pub use picture::Picture;
pub use text_case::TextCase;
pub use value::IsColor;

use crate::api::json::{JsonRef, Mode, Shape, scan};
use crate::api::{Error, percent_encoded};
use parameter::{Given, Parameter};

/// Declares a parameter in each row: its docs, its field, its name in JavaScript and in the form's address, its
/// type, and the method that sets it.
macro_rules! theme {
    ($( $(#[$meta:meta])* $field:ident $name:literal: $Type:ident = $with:ident ),* $(,)?) => {
        /// The look and language of the hosted form. What is not set is as the form has it.
        ///
        /// No value can inject styles: each has a type that only parsing makes.
        ///
        /// ```
        /// # use remitkit::card::{Color, Language, Theme};
        /// # let is_color = |_: &str| true;
        /// // In a browser, `is_color` is `remitkit::browser::is_color`.
        /// let theme = Theme::default()
        ///     .with_primary(Color::parse("#0a7", &is_color)?)
        ///     .with_button_radius("8px".parse()?)
        ///     .with_language(Language::MexicanSpanish)
        ///     .with_show_step(true);
        /// assert_eq!(theme.to_query(), "primary=%230a7&buttonRadius=8px&lng=es-MX&showStep=1");
        /// # Ok::<(), remitkit::api::Error>(())
        /// ```
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Theme {
            $(
                $(#[$meta])*
                #[doc = concat!("\n\nIn JavaScript: `", $name, "`.")]
                pub $field: Option<$Type>,
            )*
        }

        impl Theme {
            /// The parameters' names in JavaScript.
            #[doc(hidden)]
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Returns the names of the parameters that are always colors.
            #[doc(hidden)]
            pub fn color_names() -> impl Iterator<Item = &'static str> {
                let types = [$( stringify!($Type) ),*];
                Theme::NAMES.iter().zip(types).filter(|(_, name)| *name == "Color").map(|(name, _)| *name)
            }

            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $with(self, $field: $Type) -> Self {
                    Theme { $field: Some($field), ..self }
                }
            )*

            /// Returns the parameters in the order of their names.
            fn parameters(&self) -> [&dyn Parameter; Theme::NAMES.len()] {
                [$( &self.$field ),*]
            }

            fn parameters_mut(&mut self) -> [&mut dyn Parameter; Theme::NAMES.len()] {
                [$( &mut self.$field ),*]
            }
        }
    };
}

theme! {
    /// The font of all text but buttons and headlines.
    font "font": FontFamily = with_font,
    /// The font of buttons.
    button_font "buttonFont": FontFamily = with_button_font,
    /// The font of headlines.
    headline_font "headlineFont": FontFamily = with_headline_font,
    /// Links and whatever else can be clicked.
    primary "primary": Color = with_primary,
    /// The fill of selected items.
    primary_light "primaryLight": Color = with_primary_light,
    /// Headlines, labels and filled inputs.
    text "text": Color = with_text,
    /// Subheads, placeholders and labels.
    text_secondary "textSecondary": Color = with_text_secondary,
    /// The fill of the main container.
    foreground "foreground": Color = with_foreground,
    /// The large surface behind the main container.
    background "background": Color = with_background,
    /// The outline of inputs.
    input_line "inputLine": Color = with_input_line,
    /// Separators.
    divider "divider": Color = with_divider,
    /// Icons.
    icon "icon": Color = with_icon,
    /// Success messages.
    success "success": Color = with_success,
    /// Error messages.
    danger "danger": Color = with_danger,
    /// The fill of validation warnings.
    danger_light "dangerLight": Color = with_danger_light,
    /// The text of buttons.
    button_text "buttonText": Color = with_button_text,
    /// The fill of buttons.
    button_color "buttonColor": Color = with_button_color,
    /// The corners of buttons.
    button_radius "buttonRadius": Radius = with_button_radius,
    /// The letter case of button text.
    button_text_case "buttonTextCase": TextCase = with_button_text_case,
    /// The letter spacing of primary, secondary and tertiary buttons.
    button_letter_spacing "buttonLetterSpacing": Spacing = with_button_letter_spacing,
    /// The background of the picture of the card.
    card_background "cardBackground": Picture = with_card_background,
    /// The language of the form.
    language "lng": Language = with_language,
    /// Whether a header names the current step.
    show_step "showStep": bool = with_show_step,
    /// Whether a picture of the card is shown left of the form; never on a phone.
    show_card_animation "showCardAnimation": bool = with_show_card_animation,
}

impl Theme {
    /// Reads a theme from the JSON text of an object with JavaScript's names. A `bool` is `true` or `false`,
    /// `1` or `0`; any other value is a string.
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
        let mut parameters = theme.parameters_mut();
        for (name, value) in JsonRef::new(json).members().filter(|(_, value)| !value.is_null()) {
            let mut named = Theme::NAMES.iter().zip(&mut parameters);
            let Some((_, parameter)) = named.find(|(known, _)| **known == name) else {
                return Err(failure(&name, "left out: the card form has no such parameter"));
            };
            let text = value.text();
            let given = match value.raw() {
                "true" | "1" => Given::Switch(true),
                "false" | "0" => Given::Switch(false),
                // No parameter accepts the empty text, so other types yield the parameter's error.
                _ => Given::Text(text.as_deref().unwrap_or("")),
            };
            parameter.set(given, is_color).map_err(|expected| failure(&name, expected))?;
        }
        Ok(theme)
    }

    /// Returns the percent-encoded query of the form's address, empty for the default theme.
    pub fn to_query(&self) -> String {
        let mut query = String::new();
        for (name, parameter) in Theme::NAMES.iter().zip(&self.parameters()) {
            let Some(value) = parameter.text() else { continue };
            if !query.is_empty() {
                query.push('&');
            }
            query.push_str(name);
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
    use super::color::tests::engine;
    use super::*;
    use proptest::prelude::*;

    fn theme(json: &str) -> Result<Theme, Error> {
        Theme::from_json(json, &engine)
    }

    fn query(json: &str) -> String {
        theme(json).unwrap().to_query()
    }

    #[test]
    fn all_parameters_are_in_the_query_in_the_order_of_the_table() {
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
        let names = expected.split('&').filter_map(|pair| pair.split('=').next());
        assert!(names.eq(Theme::NAMES.iter().copied()));
    }

    #[test]
    fn the_methods_set_what_json_does() {
        let typed = Theme::default()
            .with_font("Inter, serif".parse().unwrap())
            .with_primary(Color::parse("#0a7", &engine).unwrap())
            .with_button_radius("50%".parse().unwrap())
            .with_button_text_case(TextCase::Lower)
            .with_button_letter_spacing("-1px".parse().unwrap())
            .with_card_background(Picture::parse("https://img.example.com/ä.png", &engine).unwrap())
            .with_language("es-MX".parse().unwrap())
            .with_show_step(false);
        let json = r##"{
            "font": "Inter, serif", "primary": "#0a7", "buttonRadius": "50%", "buttonTextCase": "lower",
            "buttonLetterSpacing": "-1px", "cardBackground": "https://img.example.com/ä.png", "lng": "es-MX",
            "showStep": false
        }"##;
        assert_eq!(Ok(&typed), theme(json).as_ref().map_err(Error::message));
        assert_eq!(typed.language, Some(Language::MexicanSpanish));
    }

    #[test]
    fn the_last_value_of_a_parameter_counts_and_null_is_ignored() {
        assert_eq!(query(r#"{"primary":null}"#), "");
        assert_eq!(query(r#"{"showStep":1,"showCardAnimation":0}"#), "showStep=1&showCardAnimation=0");
        let theme = theme(r##"{"text":"#111","primary":"#000","primary":"#0a7"}"##).unwrap();
        assert_eq!(theme.to_query(), "primary=%230a7&text=%23111");
        let theme = theme.with_primary(Color::parse("#0b8", &engine).unwrap()).with_show_step(true);
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
        fn no_value_can_leave_its_style_rule(text in "(rgb|url|[a-z0-9#%(){};:'\"\\\\/*<>@ .,-]){1,8}") {
            for (row, name) in Theme::NAMES.iter().enumerate() {
                let json = serde_json::json!({ *name: text }).to_string();
                let Ok(theme) = Theme::from_json(&json, &|_| true) else { continue };
                let text = theme.parameters()[row].text().unwrap();
                prop_assert!(!text.contains([';', '{', '}', '\\', '<', '>', '*']), "{name}: {text}");
                prop_assert!(text.matches('"').count() % 2 == 0, "{name}: {text}");
                prop_assert_eq!(text.matches('(').count(), text.matches(')').count());
            }
        }

        #[test]
        fn reading_a_theme_never_panics(json in ".*") {
            let _ = theme(&json);
        }
    }
}

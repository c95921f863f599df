use super::value::{self, IsColor, Value};
use crate::api::Error;

/// A CSS color that depends on no document: without `var()` and the like, and of up to 256 characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Color(Box<str>);

impl Color {
    /// Parses a color such as `#0a7` or `rgb(0 170 119)`.
    ///
    /// # Errors
    /// `configuration`, with what is expected.
    pub fn parse(text: &str, is_color: IsColor<'_>) -> Result<Self, Error> {
        Value::parsed(text, is_color)
    }

    pub(super) fn into_text(self) -> Box<str> {
        self.0
    }
}

value::shown!(Color);

impl Value for Color {
    const NAME: &'static str = "Color";
    const EXPECTED: &'static str = "a CSS color such as #0a7 or rgb(0 170 119)";

    fn of(text: &str, is_color: IsColor<'_>) -> Option<Self> {
        (is_self_contained(text) && is_color(text)).then(|| Color(text.into()))
    }

    fn text(&self) -> &str {
        &self.0
    }
}

const MAX_LENGTH: usize = 256;

/// The functions allowed in colors. Not `var()`, `env()` and `attr()`: with one of these the engine accepts
/// any text as a color.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "light-dark",
    "contrast-color", "calc", "min", "max", "clamp",
];

/// Colors that depend on the surrounding document, which is another one here.
const CONTEXT_DEPENDENT: &[&str] = &["currentcolor", "inherit", "initial", "unset", "revert", "revert-layer"];

/// Returns whether a color depends on no context and cannot end the declaration that contains it.
fn is_self_contained(text: &str) -> bool {
    let mut depth = 0u32;
    let mut word_start = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => {
                let name = text.get(word_start..at).unwrap_or("?");
                if !is_one_of(FUNCTIONS, name) {
                    return false;
                }
                depth += 1;
            }
            b')' => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return false,
            },
            b'#' | b'.' | b',' | b'%' | b'/' | b'+' | b' ' => {}
            b'-' => continue,
            _ if byte.is_ascii_alphanumeric() => continue,
            _ => return false,
        }
        word_start = at + 1;
    }
    // Engines close an unbalanced parenthesis at the end themselves.
    depth == 0 && (1..=MAX_LENGTH).contains(&text.len()) && !is_one_of(CONTEXT_DEPENDENT, text.trim_ascii())
}

pub(super) fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[cfg(test)]
#[rustfmt::skip]
pub(super) mod tests {
    use super::super::value::tests::assert_accepts;
    use super::*;

    /// Accepts colors like an engine, and some texts that are no self-contained colors.
    pub(in crate::card::theme) fn engine(text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let hex = |digits: &str| {
            matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        text.strip_prefix('#').is_some_and(hex)
            || ["red", "transparent", "canvas", "currentcolor", "inherit"].contains(&&*text)
            || ["var(", "env(", "attr("].iter().any(|function| text.contains(function))
            || ["rgb(", "oklch(", "color-mix(", "url("].iter().any(|function| text.starts_with(function))
    }

    #[test]
    fn a_color_is_self_contained() {
        let given = |length| format!("rgb({}0 0 0)", " ".repeat(length));
        assert_accepts::<Color>(true, &[
            "#0a7", "RGB(0, 170, 119)", "rgb(0 170 119 / 50%)", "rgb(calc(1 + 2) 0 0)",
            "color-mix(in srgb, red 50%, #fff)",
            "rgb(max(1, 2) 0 0)", "color-mix(in srgb, light-dark(red, blue) 50%, contrast-color(#fff))",
            &given(246),
        ]);
        assert_accepts::<Color>(false, &[
            "", "#ggg", "blue-ish", "currentColor", " inherit ", "var(--x)", "rgb(var(--x))", "VAR(--x)",
            "env(x, red)", "attr(x)", "url(x)", "url(https://evil.example/x)", "rgb(0 0 0", "rgb(0 0 0))",
            "rgb)(", "red;color:blue", "rgb(0 0 0);}", "rgb(\"x\")", "rgb('x')", "rgb(0 0 0)/*x*/",
            "rgb(\\30 0 0)", "rgb(0\n0 0)", "expression(alert(1))", "rgb(expression(1))", "rgb(0 0 0){}",
            "rgb(0 0 0)<x>", "rgb(０ 0 0)", "rgb(0 0 0)!important", &given(247),
            "https://img.example.com/a.png",
        ]);
        assert_eq!(Color::parse("#0a7", &engine).unwrap().to_string(), "#0a7");
    }
}

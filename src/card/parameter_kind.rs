/// Decides whether a text is a CSS colour; in a browser `CSS.supports("color", text)`.
pub type IsColor<'a> = &'a dyn Fn(&str) -> bool;

/// The kind of values of a theme parameter.
#[derive(Clone, Copy, Debug)]
pub(super) enum ParameterKind {
    Font,
    Color,
    Radius,
    Spacing,
    TextCase,
    Picture,
    Language,
    Switch,
}

impl ParameterKind {
    pub(super) fn accepts(self, text: &str, is_color: IsColor<'_>) -> bool {
        match self {
            Self::Font => is_font_list(text),
            Self::Color => is_self_contained(text) && is_color(text),
            Self::Radius => is_length(text, Some("%")),
            Self::Spacing => is_length(text.strip_prefix('-').unwrap_or(text), None),
            Self::TextCase => ["UPPER", "lower", "Capitalize", "Default"].contains(&text),
            Self::Picture => is_image_address(text) || Self::Color.accepts(text, is_color),
            Self::Language => ["en", "es-MX"].contains(&text),
            Self::Switch => false,
        }
    }

    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Font => "names of fonts: letters, digits, spaces and - _ ' only, with commas between them",
            Self::Color => "a CSS colour such as #0a7 or rgb(0 170 119)",
            Self::Radius => "a string with a CSS length, such as 8px, 0.5rem, 50% or 0",
            Self::Spacing => "a string with a CSS length, such as 0.05em, -0.5px or 0",
            Self::TextCase => "UPPER, lower, Capitalize or Default",
            Self::Picture => "a CSS colour, or an https image address without spaces, quotes and brackets",
            Self::Language => "en or es-MX",
            Self::Switch => "true or false, 1 or 0",
        }
    }
}

const MAX_COLOR_LENGTH: usize = 64;
const MAX_FONT_LENGTH: usize = 256;
const MAX_ADDRESS_LENGTH: usize = 2048;

/// The functions allowed in colours. Not `var()`, `env()` and `attr()`: with one of these the engine accepts
/// any text as a colour.
const COLOR_FUNCTIONS: &[&str] =
    &["", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "calc"];

/// Colours that depend on the surrounding document, which is another one here.
const CONTEXT_DEPENDENT: &[&str] = &["currentcolor", "inherit", "initial", "unset", "revert", "revert-layer"];

/// Returns whether a colour depends on no context and cannot end the declaration that contains it.
fn is_self_contained(text: &str) -> bool {
    let mut depth = 0u32;
    let mut word_start = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => {
                let name = text.get(word_start..at).unwrap_or("?");
                if !is_one_of(COLOR_FUNCTIONS, name) {
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
    depth == 0
        && (1..=MAX_COLOR_LENGTH).contains(&text.len())
        && !is_one_of(CONTEXT_DEPENDENT, text.trim_ascii())
}

fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

fn is_length(text: &str, percentage_unit: Option<&str>) -> bool {
    const UNITS: &[&str] = &["px", "rem", "em", "pt", "ch", "ex", "vw", "vh", "cm", "mm", "in", "pc"];
    let number_end =
        text.bytes().position(|byte| !byte.is_ascii_digit() && byte != b'.').unwrap_or(text.len());
    let Some((number, unit)) = text.split_at_checked(number_end) else { return false };
    let mut parts = number.as_bytes().split(|byte| *byte == b'.');
    let (whole, fraction) = (parts.next().unwrap_or(b""), parts.next());
    !number.is_empty()
        && whole.len() <= 5
        && fraction.is_none_or(|fraction| (1..=5).contains(&fraction.len()))
        && parts.next().is_none()
        && match unit {
            "" => number.bytes().all(|byte| matches!(byte, b'0' | b'.')),
            unit => UNITS.contains(&unit) || percentage_unit == Some(unit),
        }
}

/// Accepts the blocks of letters of all scripts: exact tables would be larger than the rest of this layer.
fn is_letter_or_digit(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '\u{c0}'..='\u{1fff}' | '\u{2c00}'..='\u{2dff}' | '\u{3005}'..='\u{d7ff}')
        || matches!(c, '\u{f900}'..='\u{fdff}' | '\u{ff10}'..='\u{ffdc}' | '\u{10000}'..='\u{1efff}' | '\u{20000}'..)
}

/// Accepts names with or without quotes, separated by commas.
fn is_font_list(text: &str) -> bool {
    // Four characters as in `JsonRef::new`, so that the module shares the code of `trim_matches`.
    const AROUND: [char; 4] = [' ', ' ', '\'', '"'];
    text.len() <= MAX_FONT_LENGTH
        && text.bytes().filter(|byte| *byte == b'"').count() % 2 == 0
        && text.split(',').all(|name| is_font_name(name.trim_matches(AROUND)))
}

fn is_font_name(text: &str) -> bool {
    text.starts_with(is_letter_or_digit)
        && text.chars().all(|c| is_letter_or_digit(c) || matches!(c, ' ' | '-' | '_' | '\''))
}

/// Accepts an https address that cannot end the quotes or parentheses around it.
fn is_image_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let host_end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?')).unwrap_or(rest.len());
    let host = rest.get(..host_end).unwrap_or("");
    text.len() <= MAX_ADDRESS_LENGTH
        && crate::api::Address::parse("", &["https://", host].concat()).is_ok()
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&*+,;=:@%/?".contains(&byte))
}

#[cfg(test)]
#[rustfmt::skip]
pub(super) mod tests {
    use super::ParameterKind::{Color, Font, Picture, Radius, Spacing};
    use super::*;

    /// Accepts colours like an engine, and some texts that are no self-contained colours.
    pub(in crate::card) fn engine(text: &str) -> bool {
        let text = text.trim().to_ascii_lowercase();
        let hex = |digits: &str| {
            matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        text.strip_prefix('#').is_some_and(hex)
            || ["red", "transparent", "canvas", "currentcolor", "inherit"].contains(&&*text)
            || ["var(", "env(", "attr("].iter().any(|function| text.contains(function))
            || ["rgb(", "oklch(", "color-mix(", "url("].iter().any(|function| text.starts_with(function))
    }

    #[track_caller]
    fn assert_accepts(kinds: &[ParameterKind], expected: bool, texts: &[&str]) {
        for text in texts {
            for kind in kinds {
                assert_eq!(kind.accepts(text, &engine), expected, "{kind:?} {text}");
            }
        }
    }

    #[test]
    fn a_colour_is_self_contained() {
        assert_accepts(&[Color, Picture], true, &[
            "#0a7", "RGB(0, 170, 119)", "rgb(0 170 119 / 50%)", "rgb(calc(1 + 2) 0 0)",
            "color-mix(in srgb, red 50%, #fff)",
        ]);
        assert_accepts(&[Color, Picture], false, &[
            "", "#ggg", "blue-ish", "currentColor", " inherit ", "var(--x)", "rgb(var(--x))", "VAR(--x)",
            "env(x, red)", "attr(x)", "url(x)", "url(https://evil.example/x)", "rgb(0 0 0", "rgb(0 0 0))",
            "rgb)(", "red;color:blue", "rgb(0 0 0);}", "rgb(\"x\")", "rgb('x')", "rgb(0 0 0)/*x*/",
            "rgb(\\30 0 0)", "rgb(0\n0 0)", "expression(alert(1))", "rgb(expression(1))", "rgb(0 0 0){}",
            "rgb(0 0 0)<x>", "rgb(０ 0 0)", "rgb(0 0 0)!important", &format!("rgb({}0 0 0)", " ".repeat(64)),
        ]);
    }

    #[test]
    fn a_length_is_a_number_with_a_unit() {
        assert_accepts(&[Radius, Spacing], true, &[
            "0", "0.0", "8px", "0.5rem", ".5em", "12345.12345px", "1pt",
        ]);
        assert_accepts(&[Radius], true, &["50%"]);
        assert_accepts(&[Radius], false, &["-1px"]);
        assert_accepts(&[Spacing], true, &["-1px"]);
        assert_accepts(&[Spacing], false, &["50%"]);
        assert_accepts(&[Radius, Spacing], false, &[
            "", "8", "px", "8 px", "8px ", "1.", ".", "1..2px", "1.2.3px", "--1px", "+1px", "1e3px", "123456px",
            "0.123456px", "8PX", "8px;", "calc(1px)", "8px 8px", "var(--x)", "８px", "NaN", "infinity",
        ]);
    }

    #[test]
    fn a_font_is_a_list_of_names() {
        assert_accepts(&[Font], true, &[
            "Inter", "Source Sans 3", "D'Arcy-Sans_Pro", "游ゴシック", "Arial Ünicode", "맑은 고딕", "8bit",
            "ｍｓ 明朝", "𠮷野", "ⴰⵎⴰⵣⵉⵖ", "نستعليق", "Inter, serif", "'Inter'", "\"Inter\"",
            "'Open Sans', \"Source Sans 3\",Arial, sans-serif",
        ]);
        assert_accepts(&[Font], false, &[
            "", "Inter,", ", serif", "Inter,, serif", "\"Inter", "\"Inter'", "\"\"", "'Inter, serif'; x",
            "\"a\"b\"", "Inter;", "Inter}", "url(x)", "a\\b", "a\nb", "a\u{202e}b", "a\u{2028}b", "a\u{fffd}b",
            "😀", "<x>", &"x".repeat(257),
        ]);
    }

    #[test]
    fn a_picture_has_an_https_address() {
        assert_accepts(&[Picture], true, &[
            "https://img.example.com/a.png", "https://img.example.com:8443?x=1", "https://img.example.com",
        ]);
        assert_accepts(&[Picture], false, &[
            "http://img.example.com/a.png", "//img.example.com/a.png", "data:image/png;base64,AA",
            "javascript:alert(1)", "https://", "https:///a.png", "https://user@img.example.com/a.png",
            "https://img.example.com/a b", "https://img.example.com/a\")", "https://img.example.com/')",
            "https://img.example.com/a#b", "https://img.example.com\\a", "https://bücher.example/a",
            "https://img.example.com/{}", "https://127.1/a", "url(https://img.example.com/a)",
            &format!("https://img.example.com/{}", "x".repeat(2048)),
        ]);
        assert_accepts(&[Color], false, &["https://img.example.com/a.png"]);
    }
}

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Decides whether a text is a CSS color; in a browser `CSS.supports("color", text)`.
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

    /// Returns an accepted value as it is sent.
    pub(super) fn escape(self, text: &str) -> String {
        match self {
            Self::Picture if text.starts_with(HTTPS) => utf8_percent_encode(text, UNQUOTABLE).collect(),
            _ => text.to_owned(),
        }
    }

    pub(super) fn expected(self) -> &'static str {
        match self {
            Self::Font => {
                "names of fonts, with commas between them, without any of ; { } < > * and backslashes"
            }
            Self::Color => "a CSS color such as #0a7 or rgb(0 170 119)",
            Self::Radius => "a string with a CSS length, such as 8px, 0.5rem, 50% or 0",
            Self::Spacing => "a string with a CSS length, such as 0.05em, -0.5px or 0",
            Self::TextCase => "UPPER, lower, Capitalize or Default",
            Self::Picture => "a CSS color, or the https address of an image",
            Self::Language => "en or es-MX",
            Self::Switch => "true or false, 1 or 0",
        }
    }
}

const HTTPS: &str = "https://";
/// What could end the quotes or parentheses around an address.
const UNQUOTABLE: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'\'')
    .add(b'(')
    .add(b')')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}');
const MAX_COLOR_LENGTH: usize = 256;
const MAX_FONT_LENGTH: usize = 1024;
const MAX_ADDRESS_LENGTH: usize = 2048;

/// The functions allowed in colors. Not `var()`, `env()` and `attr()`: with one of these the engine accepts
/// any text as a color.
#[rustfmt::skip]
const COLOR_FUNCTIONS: &[&str] = &[
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
    #[rustfmt::skip]
    const UNITS: &[&str] = &[
        "px", "rem", "em", "pt", "ch", "ex", "vw", "vh", "cm", "mm", "in", "pc", "q", "lh", "rlh", "ic", "cap",
        "vmin", "vmax", "vi", "vb", "svw", "svh", "lvw", "lvh", "dvw", "dvh",
    ];
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
            unit => is_one_of(UNITS, unit) || percentage_unit == Some(unit),
        }
}

/// Accepts names with or without quotes, separated by commas.
fn is_font_list(text: &str) -> bool {
    text.len() <= MAX_FONT_LENGTH
        && text.bytes().filter(|byte| *byte == b'"').count() % 2 == 0
        && is_balanced(text)
        && text.split(',').all(|name| is_font_name(name.trim_matches([' ', '\'', '"'])))
}

/// Accepts any visible text that can neither end the quotes or the rule around it nor begin a comment.
fn is_font_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte >= b' ' && byte != 127 && !b"\";{}\\<>*".contains(&byte))
        && text
            .chars()
            .all(|c| !matches!(c, '\u{80}'..='\u{9f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{206f}'))
}

fn is_balanced(text: &str) -> bool {
    let mut depth = 0u32;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Accepts an https address, also one that has to be escaped.
fn is_image_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(HTTPS) else { return false };
    let mut address = HTTPS.to_owned();
    for byte in rest.bytes().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#')) {
        // The form's browser converts other letters to punycode.
        address.push(if byte.is_ascii() { char::from(byte) } else { 'x' });
    }
    text.len() <= MAX_ADDRESS_LENGTH
        && crate::api::Address::parse("", &address).is_ok()
        && rest.bytes().all(|byte| byte >= b' ' && byte != 127 && byte != b'\\')
}

#[cfg(test)]
#[rustfmt::skip]
pub(super) mod tests {
    use super::ParameterKind::{Color, Font, Picture, Radius, Spacing};
    use super::*;

    /// Accepts colors like an engine, and some texts that are no self-contained colors.
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
    fn a_color_is_self_contained() {
        assert_accepts(&[Color, Picture], true, &[
            "#0a7", "RGB(0, 170, 119)", "rgb(0 170 119 / 50%)", "rgb(calc(1 + 2) 0 0)",
            "color-mix(in srgb, red 50%, #fff)",
            "rgb(max(1, 2) 0 0)", "color-mix(in srgb, light-dark(red, blue) 50%, contrast-color(#fff))",
            &format!("rgb({}0 0 0)", " ".repeat(200)),
        ]);
        assert_accepts(&[Color, Picture], false, &[
            "", "#ggg", "blue-ish", "currentColor", " inherit ", "var(--x)", "rgb(var(--x))", "VAR(--x)",
            "env(x, red)", "attr(x)", "url(x)", "url(https://evil.example/x)", "rgb(0 0 0", "rgb(0 0 0))",
            "rgb)(", "red;color:blue", "rgb(0 0 0);}", "rgb(\"x\")", "rgb('x')", "rgb(0 0 0)/*x*/",
            "rgb(\\30 0 0)", "rgb(0\n0 0)", "expression(alert(1))", "rgb(expression(1))", "rgb(0 0 0){}",
            "rgb(0 0 0)<x>", "rgb(０ 0 0)", "rgb(0 0 0)!important", &format!("rgb({}0 0 0)", " ".repeat(256)),
        ]);
    }

    #[test]
    fn a_length_is_a_number_with_a_unit() {
        assert_accepts(&[Radius, Spacing], true, &[
            "0", "0.0", "8px", "0.5rem", ".5em", "12345.12345px", "1pt", "8PX", "0.5Rem",
            "1dvh", "2vmin",
        ]);
        assert_accepts(&[Radius], true, &["50%"]);
        assert_accepts(&[Radius], false, &["-1px"]);
        assert_accepts(&[Spacing], true, &["-1px"]);
        assert_accepts(&[Spacing], false, &["50%"]);
        assert_accepts(&[Radius, Spacing], false, &[
            "", "8", "px", "8 px", "8px ", "1.", ".", "1..2px", "1.2.3px", "--1px", "+1px", "1e3px", "123456px",
            "0.123456px", "8pxx", "8px;", "calc(1px)", "8px 8px", "var(--x)", "８px", "NaN", "infinity",
        ]);
    }

    #[test]
    fn a_font_is_a_list_of_names() {
        assert_accepts(&[Font], true, &[
            "Inter", "Source Sans 3", "D'Arcy-Sans_Pro", "游ゴシック", "Arial Ünicode", "맑은 고딕", "8bit",
            "ｍｓ 明朝", "𠮷野", "ⴰⵎⴰⵣⵉⵖ", "نستعليق", "Inter, serif", "'Inter'", "\"Inter\"",
            "'Open Sans', \"Source Sans 3\",Arial, sans-serif", "AT&T Aleck", "St. Ryde", "Font (Display)",
            "-apple-system, BlinkMacSystemFont, 'Segoe UI'", ".SF NS", "@MS Gothic", "Yahoo! Sans", "A+B/C: #1",
            "Emoji 😀", "Noto Sans (Beta), \"AT&T\"",
        ]);
        assert_accepts(&[Font], false, &[
            "", "Inter,", ", serif", "Inter,, serif", "\"Inter", "\"Inter'", "\"\"", "'Inter, serif'; x",
            "\"a\"b\"", "Inter;", "Inter}", "a\\b", "a\nb", "a\u{202e}b", "a\u{2028}b", 
            "a\u{200b}b", "<x>", "a/*b", "Inter)", "(Inter", ")(", &"x".repeat(1025),
        ]);
    }

    #[test]
    fn a_picture_has_an_https_address() {
        assert_accepts(&[Picture], true, &[
            "https://img.example.com/a.png", "https://img.example.com:8443?x=1", "https://img.example.com",
            "https://cdn.example/cards.svg#gold", "https://img.example.com#x", "https://bücher.example/ä b(1)'s.png",
            "https://img.example.com/{}\"<x>",
        ]);
        assert_accepts(&[Picture], false, &[
            "http://img.example.com/a.png", "//img.example.com/a.png", "data:image/png;base64,AA",
            "javascript:alert(1)", "https://", "https:///a.png", "https://user@img.example.com/a.png",
            "https://img.example.com\\a", "https://img.example.com/a\\b", "https://img.example.com/a\nb",
            "https://img example.com/", "https://img.example.com\"/", "https://127.1/a",
            "url(https://img.example.com/a)", "https://#a",
            &format!("https://img.example.com/{}", "x".repeat(2048)),
        ]);
        assert_accepts(&[Color], false, &["https://img.example.com/a.png"]);
    }

    #[test]
    fn what_could_end_the_text_around_an_address_is_escaped() {
        for (given, sent) in [
            ("https://cdn.example/cards.svg#gold", "https://cdn.example/cards.svg#gold"),
            ("https://cdn.example/a%20b?c=d&e=[1]", "https://cdn.example/a%20b?c=d&e=[1]"),
            ("https://bücher.example/ä b", "https://b%C3%BCcher.example/%C3%A4%20b"),
            ("https://cdn.example/(1)'\"<>{}`", "https://cdn.example/%281%29%27%22%3C%3E%7B%7D%60"),
            ("rgb(0 170 119)", "rgb(0 170 119)"),
        ] {
            assert_eq!(Picture.escape(given), sent);
        }
        assert_eq!(Font.escape("Font (Display)"), "Font (Display)");
    }
}

/// Decides whether a text is a CSS colour. In a browser the engine does: `CSS.supports("color", text)`.
pub type IsColor<'a> = &'a dyn Fn(&str) -> bool;

/// What a parameter of a theme takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Font,
    Color,
    Radius,
    Spacing,
    TextCase,
    Picture,
    Language,
    Switch,
}

impl Kind {
    pub(super) fn takes(self, text: &str, is_color: IsColor<'_>) -> bool {
        match self {
            Kind::Font => is_font_list(text),
            Kind::Color => is_self_contained(text) && is_color(text),
            Kind::Radius => is_length(text, Percent::Allowed),
            Kind::Spacing => is_length(text.strip_prefix('-').unwrap_or(text), Percent::Refused),
            Kind::TextCase => ["UPPER", "lower", "Capitalize", "Default"].contains(&text),
            Kind::Picture => is_image_address(text) || Kind::Color.takes(text, is_color),
            Kind::Language => ["en", "es-MX"].contains(&text),
            Kind::Switch => false,
        }
    }

    pub(super) fn expected(self) -> &'static str {
        match self {
            Kind::Font => "names of fonts: letters, digits, spaces and - _ ' only, with commas between them",
            Kind::Color => "a CSS colour such as #0a7 or rgb(0 170 119)",
            Kind::Radius => "a string with a CSS length, such as 8px, 0.5rem, 50% or 0",
            Kind::Spacing => "a string with a CSS length, such as 0.05em, -0.5px or 0",
            Kind::TextCase => "UPPER, lower, Capitalize or Default",
            Kind::Picture => "a CSS colour, or an https image address without spaces, quotes and brackets",
            Kind::Language => "en or es-MX",
            Kind::Switch => "true or false, 1 or 0",
        }
    }
}

const LONGEST_COLOR: usize = 64;
const LONGEST_LIST: usize = 256;
const LONGEST: usize = 2048;

/// Functions of which colours are made. Not `var()`, `env()` and `attr()`: the engine takes a text with one
/// of these for a colour whatever else stands there.
const COLOR_FUNCTIONS: &[&str] =
    &["", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix", "calc"];

/// What the engine takes for a colour although it depends on what stands around it, in another document here.
const DEPENDENT: &[&str] = &["currentcolor", "inherit", "initial", "unset", "revert", "revert-layer"];

/// Whether a text that the engine takes for a colour is one by itself, with nothing that reaches out of it.
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
    // An engine closes by itself what was left open at the end.
    depth == 0 && (1..=LONGEST_COLOR).contains(&text.len()) && !is_one_of(DEPENDENT, text.trim_ascii())
}

fn is_one_of(words: &[&str], text: &str) -> bool {
    words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

#[derive(PartialEq)]
enum Percent {
    Allowed,
    Refused,
}

fn is_length(text: &str, percent: Percent) -> bool {
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
            "%" => percent == Percent::Allowed,
            unit => UNITS.contains(&unit),
        }
}

/// Letters of any script, by the blocks they stand in: the tables that know each one would weigh more than
/// the rest.
fn is_letter_or_digit(c: char) -> bool {
    c.is_ascii_alphanumeric()
        || matches!(c, '\u{c0}'..='\u{1fff}' | '\u{2c00}'..='\u{2dff}' | '\u{3005}'..='\u{d7ff}')
        || matches!(c, '\u{f900}'..='\u{fdff}' | '\u{ff10}'..='\u{ffdc}' | '\u{10000}'..='\u{1efff}' | '\u{20000}'..)
}

/// Names, in quotes or not, with commas between them.
fn is_font_list(text: &str) -> bool {
    // As many kinds of blanks and quotes as JSON has of blanks, so that the module trims both with the same
    // code.
    const AROUND: [char; 4] = [' ', ' ', '\'', '"'];
    text.len() <= LONGEST_LIST
        && text.bytes().filter(|byte| *byte == b'"').count() % 2 == 0
        && text.split(',').all(|name| is_font_name(name.trim_matches(AROUND)))
}

fn is_font_name(text: &str) -> bool {
    text.starts_with(is_letter_or_digit)
        && text.chars().all(|c| is_letter_or_digit(c) || matches!(c, ' ' | '-' | '_' | '\''))
}

/// An https address that stays one in whatever it is put between.
fn is_image_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let host_end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?')).unwrap_or(rest.len());
    let host = rest.get(..host_end).unwrap_or("");
    text.len() <= LONGEST
        && crate::api::Address::parse("", &["https://", host].concat()).is_ok()
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&*+,;=:@%/?".contains(&byte))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What any engine takes, and a few things that it takes although they are no colour by themselves.
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

    fn takes(kind: Kind, text: &str) -> bool {
        kind.takes(text, &engine)
    }

    #[test]
    fn a_colour_says_nothing_but_a_colour() {
        for good in [
            "#0a7",
            "RGB(0, 170, 119)",
            "rgb(0 170 119 / 50%)",
            "rgb(calc(1 + 2) 0 0)",
            "color-mix(in srgb, red 50%, #fff)",
        ] {
            assert!(takes(Kind::Color, good) && takes(Kind::Picture, good), "{good}");
        }
        let long = format!("rgb({}0 0 0)", " ".repeat(64));
        for bad in [
            "",
            "#ggg",
            "blue-ish",
            "currentColor",
            " inherit ",
            "var(--x)",
            "rgb(var(--x))",
            "VAR(--x)",
            "env(x, red)",
            "attr(x)",
            "url(x)",
            "url(https://evil.example/x)",
            "rgb(0 0 0",
            "rgb(0 0 0))",
            "rgb)(",
            "red;color:blue",
            "rgb(0 0 0);}",
            "rgb(\"x\")",
            "rgb('x')",
            "rgb(0 0 0)/*x*/",
            "rgb(\\30 0 0)",
            "rgb(0\n0 0)",
            "expression(alert(1))",
            "rgb(expression(1))",
            "rgb(0 0 0){}",
            "rgb(0 0 0)<x>",
            "rgb(０ 0 0)",
            "rgb(0 0 0)!important",
            long.as_str(),
        ] {
            assert!(!takes(Kind::Color, bad) && !takes(Kind::Picture, bad), "{bad}");
        }
    }

    #[test]
    fn a_length_is_a_number_with_a_unit() {
        for good in ["0", "0.0", "8px", "0.5rem", ".5em", "12345.12345px", "1pt"] {
            assert!(takes(Kind::Radius, good) && takes(Kind::Spacing, good), "{good}");
        }
        assert!(takes(Kind::Radius, "50%") && !takes(Kind::Radius, "-1px"));
        assert!(!takes(Kind::Spacing, "50%") && takes(Kind::Spacing, "-1px"));
        for bad in [
            "",
            "8",
            "px",
            "8 px",
            "8px ",
            "1.",
            ".",
            "1..2px",
            "1.2.3px",
            "--1px",
            "+1px",
            "1e3px",
            "123456px",
            "0.123456px",
            "8PX",
            "8px;",
            "calc(1px)",
            "8px 8px",
            "var(--x)",
            "８px",
            "NaN",
            "infinity",
        ] {
            assert!(!takes(Kind::Radius, bad) && !takes(Kind::Spacing, bad), "{bad}");
        }
    }

    #[test]
    fn a_font_is_a_name() {
        for good in [
            "Inter",
            "Source Sans 3",
            "D'Arcy-Sans_Pro",
            "游ゴシック",
            "Arial Ünicode",
            "맑은 고딕",
            "8bit",
            "ｍｓ 明朝",
            "𠮷野",
            "ⴰⵎⴰⵣⵉⵖ",
            "نستعليق",
            "Inter, serif",
            "'Open Sans', \"Source Sans 3\",Arial, sans-serif",
            "'Inter'",
            "\"Inter\"",
        ] {
            assert!(takes(Kind::Font, good), "{good}");
        }
        let long = "x".repeat(257);
        for bad in [
            "",
            "Inter,",
            ", serif",
            "Inter,, serif",
            "\"Inter",
            "\"Inter'",
            "\"\"",
            "'Inter, serif'; x",
            "\"a\"b\"",
            "Inter;",
            "Inter}",
            "url(x)",
            "a\\b",
            "a\nb",
            "a\u{202e}b",
            "a\u{2028}b",
            "a\u{fffd}b",
            "😀",
            "<x>",
            long.as_str(),
        ] {
            assert!(!takes(Kind::Font, bad), "{bad}");
        }
    }

    #[test]
    fn a_picture_is_fetched_over_https_from_a_host() {
        for good in
            ["https://img.example.com/a.png", "https://img.example.com:8443?x=1", "https://img.example.com"]
        {
            assert!(takes(Kind::Picture, good), "{good}");
        }
        let long = format!("https://img.example.com/{}", "x".repeat(2048));
        for bad in [
            "http://img.example.com/a.png",
            "//img.example.com/a.png",
            "data:image/png;base64,AA",
            "javascript:alert(1)",
            "https://",
            "https:///a.png",
            "https://user@img.example.com/a.png",
            "https://img.example.com/a b",
            "https://img.example.com/a\")",
            "https://img.example.com/')",
            "https://img.example.com/a#b",
            "https://img.example.com\\a",
            "https://bücher.example/a",
            "https://img.example.com/{}",
            "https://127.1/a",
            "url(https://img.example.com/a)",
            long.as_str(),
        ] {
            assert!(!takes(Kind::Picture, bad), "{bad}");
        }
        assert!(!takes(Kind::Color, "https://img.example.com/a.png"));
    }
}

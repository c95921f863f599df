use super::value::{self, IsColor, Value};

/// A font: a name that the form knows, or a list of families with commas between them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FontFamily(Box<str>);

value::shown!(FontFamily);
value::from_text!(FontFamily);

impl Value for FontFamily {
    const NAME: &'static str = "FontFamily";
    const EXPECTED: &'static str =
        "names of fonts, with commas between them, without any of ; { } < > * and backslashes";

    fn of(text: &str, _: IsColor<'_>) -> Option<Self> {
        is_font_list(text).then(|| FontFamily(text.into()))
    }

    fn text(&self) -> &str {
        &self.0
    }
}

const MAX_LENGTH: usize = 1024;

/// Accepts names with or without quotes, separated by commas.
fn is_font_list(text: &str) -> bool {
    text.len() <= MAX_LENGTH
        && text.bytes().filter(|byte| *byte == b'"').count() % 2 == 0
        && has_plain_parentheses(text)
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

/// Returns whether the text has no parentheses but whole pairs, and no `url(`, which is a function of CSS and no
/// name, unlike `Font (Display)`.
fn has_plain_parentheses(text: &str) -> bool {
    let mut depth = 0u32;
    let mut word_start = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => {
                let word = text.get(word_start..at).unwrap_or("");
                if word.eq_ignore_ascii_case("url") {
                    return false;
                }
                depth += 1;
            }
            b')' => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return false,
            },
            b'-' | b'_' | 128.. => continue,
            _ if byte.is_ascii_alphanumeric() => continue,
            _ => {}
        }
        word_start = at + 1;
    }
    depth == 0
}

#[cfg(test)]
#[rustfmt::skip]
mod tests {
    use super::super::value::tests::assert_accepts;
    use super::*;

    #[test]
    fn a_font_is_a_list_of_names() {
        assert_accepts::<FontFamily>(true, &[
            "Inter", "Source Sans 3", "D'Arcy-Sans_Pro", "游ゴシック", "Arial Ünicode", "맑은 고딕", "8bit",
            "ｍｓ 明朝", "𠮷野", "ⴰⵎⴰⵣⵉⵖ", "نستعليق", "Inter, serif", "'Inter'", "\"Inter\"",
            "'Open Sans', \"Source Sans 3\",Arial, sans-serif", "AT&T Aleck", "St. Ryde", "Font (Display)",
            "-apple-system, BlinkMacSystemFont, 'Segoe UI'", ".SF NS", "@MS Gothic", "Yahoo! Sans", "A+B/C: #1",
            "Emoji 😀", "Noto Sans (Beta), \"AT&T\"", "Curl(Beta)", "Font (url)", "No-url(1)", "No_url(1)", "Éurl(1)",
        ]);
        assert_accepts::<FontFamily>(false, &[
            "", "Inter,", ", serif", "Inter,, serif", "\"Inter", "\"Inter'", "\"\"", "'Inter, serif'; x",
            "\"a\"b\"", "Inter;", "Inter}", "a\\b", "a\nb", "a\u{202e}b", "a\u{2028}b",
            "a\u{200b}b", "<x>", "a/*b", "Inter)", "(Inter", ")(", &"x".repeat(1025),
            "'Inter', url(https://fonts.example/inter.woff2)", "url(x)", "Inter, URL(x)", "'url()'", "A (url(x))",
            "x:url(x)",
        ]);
    }
}

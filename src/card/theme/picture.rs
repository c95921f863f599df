use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::color::Color;
use super::value::{self, IsColor, Value};
use crate::api::{Address, Error};

/// A picture: the https address of an image, or a [`Color`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture(Box<str>);

impl Picture {
    /// Parses an address such as `https://shop.example/card.png`, or a color.
    ///
    /// # Errors
    /// `configuration`, with what is expected.
    pub fn parse(text: &str, is_color: IsColor<'_>) -> Result<Self, Error> {
        Value::parsed(text, is_color)
    }
}

impl From<Color> for Picture {
    fn from(color: Color) -> Self {
        Picture(color.into_text())
    }
}

value::shown!(Picture);

impl Value for Picture {
    const NAME: &'static str = "Picture";
    const EXPECTED: &'static str = "a CSS color, or the https address of an image";

    fn of(text: &str, is_color: IsColor<'_>) -> Option<Self> {
        if is_image_address(text) {
            return Some(Picture(utf8_percent_encode(text, UNQUOTABLE).collect::<String>().into()));
        }
        Color::of(text, is_color).map(Picture::from)
    }

    fn text(&self) -> &str {
        &self.0
    }
}

const HTTPS: &str = "https://";
const MAX_LENGTH: usize = 2048;

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

/// Accepts an https address, also one that has to be escaped.
fn is_image_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(HTTPS) else { return false };
    let mut address = HTTPS.to_owned();
    for byte in rest.bytes().take_while(|byte| !matches!(byte, b'/' | b'?' | b'#')) {
        // The form's browser converts other letters to punycode.
        address.push(if byte.is_ascii() { char::from(byte) } else { 'x' });
    }
    text.len() <= MAX_LENGTH
        && Address::parse("", &address).is_ok()
        && rest.bytes().all(|byte| byte >= b' ' && byte != 127 && byte != b'\\')
}

#[cfg(test)]
#[rustfmt::skip]
mod tests {
    use super::super::color::tests::engine;
    use super::super::value::tests::assert_accepts;
    use super::*;

    #[test]
    fn a_picture_is_a_color_or_has_an_https_address() {
        assert_accepts::<Picture>(true, &[
            "#0a7", "rgb(0 170 119 / 50%)",
            "https://img.example.com/a.png", "https://img.example.com:8443?x=1", "https://img.example.com",
            "https://cdn.example/cards.svg#gold", "https://img.example.com#x", "https://bücher.example/ä b(1)'s.png",
            "https://img.example.com/{}\"<x>",
        ]);
        assert_accepts::<Picture>(false, &[
            "", "currentColor", "var(--x)", "url(https://evil.example/x)", "red;color:blue",
            "http://img.example.com/a.png", "//img.example.com/a.png", "data:image/png;base64,AA",
            "javascript:alert(1)", "https://", "https:///a.png", "https://user@img.example.com/a.png",
            "https://img.example.com\\a", "https://img.example.com/a\\b", "https://img.example.com/a\nb",
            "https://img example.com/", "https://img.example.com\"/", "https://127.1/a",
            "url(https://img.example.com/a)", "https://#a",
            &format!("https://img.example.com/{}", "x".repeat(2048)),
        ]);
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
            assert_eq!(Picture::parse(given, &engine).unwrap().as_str(), sent);
        }
        let color = Color::parse("#0a7", &engine).unwrap();
        assert_eq!(Picture::from(color).as_str(), "#0a7");
    }
}

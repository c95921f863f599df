use std::borrow::Cow;

use super::scan::number::{is_integer, is_safe};
use crate::api::opaque::opaque_debug;

/// A value inside a well-formed JSON text. Each read searches the text again: Rust needs few values of a
/// reply, so this costs less than a tree.
#[derive(Clone, Copy)]
pub struct JsonRef<'a>(&'a str);

opaque_debug!([] JsonRef<'_>);

impl<'a> JsonRef<'a> {
    /// Creates a reader of a whole text.
    pub fn new(json: &'a str) -> Self {
        JsonRef(json.trim_matches([' ', '\n', '\r', '\t']))
    }

    /// Returns the JSON text of the value.
    pub fn raw(self) -> &'a str {
        self.0
    }

    /// Returns whether the value is `null`.
    pub fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Returns the member with this name; of duplicates the last, like `JSON.parse`.
    #[inline(never)]
    pub fn member(self, name: &str) -> Option<JsonRef<'a>> {
        self.members().filter(|(found, _)| found == name).last().map(|(_, value)| value)
    }

    /// Returns the string member with this name.
    #[inline(never)]
    pub fn text_of(self, name: &str) -> Option<Cow<'a, str>> {
        self.member(name)?.text()
    }

    /// Iterates over the members of an object; empty for anything else.
    pub fn members(self) -> impl Iterator<Item = (Cow<'a, str>, JsonRef<'a>)> {
        let mut parts = Parts::of(self.0, b'{');
        std::iter::from_fn(move || {
            let name = unescape(parts.value()?)?;
            let value = parts.value()?;
            Some((name, JsonRef(value)))
        })
    }

    /// Iterates over the items of an array; empty for anything else.
    pub fn items(self) -> impl Iterator<Item = JsonRef<'a>> {
        let mut parts = Parts::of(self.0, b'[');
        std::iter::from_fn(move || parts.value().map(JsonRef))
    }

    /// Iterates over the items of a member's array; empty if it has none.
    pub fn items_of(self, name: &str) -> impl Iterator<Item = JsonRef<'a>> {
        self.member(name).unwrap_or(JsonRef("[]")).items()
    }

    /// Returns the value if it is a string.
    pub fn text(self) -> Option<Cow<'a, str>> {
        unescape(self.0)
    }

    /// Returns the value if it is a string or a number, digit by digit.
    pub fn label(self) -> Option<Cow<'a, str>> {
        match self.0.as_bytes().first()? {
            b'"' => self.text(),
            b'-' | b'0'..=b'9' => Some(Cow::Borrowed(self.0)),
            _ => None,
        }
    }

    #[inline(never)]
    pub(crate) fn owned_string_or_number(self) -> Option<String> {
        self.label().map(Cow::into_owned)
    }

    /// Returns the value if it is an integer.
    pub fn integer(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// Returns whether the value is an integer that a float would round.
    pub fn is_beyond_float(self) -> bool {
        is_integer(self.0) && !is_safe(self.0)
    }

    /// Returns the value if it is a boolean.
    pub fn boolean(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }
}

/// Iterates over the names and values directly inside an object or array.
struct Parts<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str, open: u8) -> Self {
        let nested = text.as_bytes().first() == Some(&open);
        Parts { text: if nested { text } else { "" }, at: 1 }
    }

    fn value(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at)?, b' ' | b'\n' | b'\r' | b'\t' | b',' | b':') {
            self.at += 1;
        }
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match bytes.get(self.at)? {
                b'"' => loop {
                    self.at += 1;
                    match bytes.get(self.at)? {
                        b'\\' => self.at += 1,
                        b'"' => break,
                        _ => {}
                    }
                },
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 0 => depth -= 1,
                b'}' | b']' | b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
        }
        self.text.get(start..self.at).filter(|text| !text.is_empty())
    }
}

/// Decodes a quoted string. A lone surrogate becomes U+FFFD.
pub(super) fn unescape(quoted: &str) -> Option<Cow<'_, str>> {
    let inside = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if !inside.contains('\\') {
        return Some(Cow::Borrowed(inside));
    }
    let mut out = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    let mut units: Vec<u16> = Vec::new();
    while let Some(c) = chars.next() {
        let escape = if c == '\\' { chars.next()? } else { '\0' };
        if escape == 'u' {
            let mut unit = 0u32;
            for _ in 0..4 {
                unit = unit * 16 + chars.next()?.to_digit(16)?;
            }
            units.push(u16::try_from(unit).ok()?);
            continue;
        }
        flush(&mut units, &mut out);
        out.push(match escape {
            '\0' => c,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            other => other,
        });
    }
    flush(&mut units, &mut out);
    Some(Cow::Owned(out))
}

fn flush(units: &mut Vec<u16>, out: &mut String) {
    for decoded in char::decode_utf16(units.drain(..)) {
        out.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_items_and_scalars_are_read_in_place() {
        let view = JsonRef::new(r#" { "a" : [1, {"b":"x\"]"}, null ], "n":-7, "t":true, "a2":{} } "#);
        let items: Vec<_> = view.member("a").unwrap().items().map(JsonRef::raw).collect();
        assert_eq!(items, ["1", r#"{"b":"x\"]"}"#, "null"]);
        assert_eq!(view.member("a").unwrap().items().nth(1).unwrap().text_of("b").unwrap(), "x\"]");
        assert_eq!(view.member("n").unwrap().integer(), Some(-7));
        assert_eq!(view.member("t").unwrap().boolean(), Some(true));
        assert_eq!(view.member("a2").unwrap().members().count(), 0);
        assert!(view.member("missing").is_none());
    }

    #[test]
    fn the_last_of_duplicate_members_counts_as_in_json_parse() {
        assert_eq!(JsonRef::new(r#"{"a":1,"\u0061":2}"#).member("a").unwrap().integer(), Some(2));
    }

    #[test]
    fn escapes_and_surrogate_pairs_are_decoded() {
        let read = |json| JsonRef::new(json).text().unwrap().into_owned();
        assert_eq!(read(r#""\u00e9\n\/\ud83d\ude00x""#), "é\n/😀x");
        assert_eq!(read(r#""\ud83dx""#), "\u{fffd}x");
    }
}

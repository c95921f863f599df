//! The collected values of fields, as their rules see them.

use std::borrow::Cow;

use super::json::JsonRef;

/// Matches a text against a pattern; `None` if that cannot be determined here: the service decides then. In a
/// browser it is `RegExp`, for patterns and texts that other engines read alike.
pub type Matches<'a> = &'a dyn Fn(&str, &str) -> Option<bool>;

/// Values by field id, of which the last with an id counts.
pub(super) struct Values<'a>(Vec<(Cow<'a, str>, JsonRef<'a>)>);

impl<'a> Values<'a> {
    pub(super) fn new(values: impl Iterator<Item = (Cow<'a, str>, JsonRef<'a>)>) -> Self {
        Values(values.collect())
    }

    /// Empties the field.
    pub(super) fn without(mut self, id: &'a str) -> Self {
        self.0.push((Cow::Borrowed(id), JsonRef::new("null")));
        self
    }

    pub(super) fn get(&self, id: &str) -> Option<JsonRef<'a>> {
        self.0.iter().rev().find(|(found, _)| found == id).map(|(_, value)| *value)
    }

    pub(super) fn text_of(&self, id: &str) -> Option<FieldText<'a>> {
        self.get(id).map(|value| FieldText::of(value, false))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Null,
    /// A string that is empty or blank.
    Blank,
    Text,
    Number,
    /// A type that the field cannot have.
    Other,
}

/// A value with the text that rules are about.
pub(super) struct FieldText<'a> {
    pub(super) kind: ValueKind,
    pub(super) text: Option<Cow<'a, str>>,
}

impl<'a> FieldText<'a> {
    /// Reads a value. Of a phone number, `number` counts.
    pub(super) fn of(value: JsonRef<'a>, is_phone: bool) -> Self {
        let is_blank = |text: &str| text.trim().is_empty();
        let text = match is_phone && !value.text().is_some_and(|text| is_blank(&text)) {
            true => value.text_of("number").filter(|number| !is_blank(number)),
            false => value.label(),
        };
        let kind = match &text {
            None if value.is_null() => ValueKind::Null,
            None => ValueKind::Other,
            Some(text) if is_blank(text) => ValueKind::Blank,
            Some(_) if is_phone || value.text().is_some() => ValueKind::Text,
            Some(_) => ValueKind::Number,
        };
        FieldText { kind, text }
    }

    /// Returns the text, empty for a value without one.
    pub(super) fn as_str(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// Returns the length in UTF-16 code units.
    pub(super) fn length(&self) -> i64 {
        self.as_str().encode_utf16().count() as i64
    }
}

/// Returns the digits of `YYYY-MM-DD`, 0 for any other text.
pub(super) fn date_digits(text: &str) -> u32 {
    let mut digits = 0;
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'-' if i == 4 || i == 7 => {}
            b'0'..=b'9' if i != 4 && i != 7 && i < 10 => digits = digits * 10 + u32::from(byte - b'0'),
            _ => return 0,
        }
    }
    if text.len() == 10 { digits } else { 0 }
}

/// Returns whether the digits `YYYYMMDD` are a date of the calendar.
pub(super) fn is_day(digits: u32) -> bool {
    let (year, month, day) = (digits / 10_000, digits / 100 % 100, digits % 100);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

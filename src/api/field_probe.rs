//! Probes: the facts about a collected value that the rules need.

use std::borrow::Cow;

use super::json::JsonRef;

/// Matches a text against a pattern; `None` if that cannot be determined here: the service decides then. In a
/// browser it is `RegExp`, for patterns and texts that other engines read alike.
pub type Matches<'a> = &'a dyn Fn(&str, &str) -> Option<bool>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Absent,
    Null,
    /// A string that is empty or blank.
    Blank,
    Text,
    Number,
    /// A type that the field cannot have.
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeResult {
    pub(super) kind: ValueKind,
    /// Whether the value matches the pattern, or the pattern does not apply: it is absent or does not
    /// compile, or the text is too long anyway.
    pub(super) matches: bool,
    /// In UTF-16 code units, at most 65,535.
    pub(super) length: u32,
    /// The value as its [`Reading`] encodes it; 0 if it cannot be read.
    pub(super) reading: u32,
}

/// How a text is encoded as a number for comparison.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    None,
    /// The digits `YYYYMMDD` of a date `YYYY-MM-DD`.
    Date,
    /// The position among these texts, from 1.
    Position(Vec<String>),
    /// An integer of up to nine digits, plus 2^31.
    Integer,
}

/// What to find out about a field's value.
#[derive(Debug)]
pub(super) struct FieldProbe {
    pub(super) id: String,
    /// Whether the value is a phone number, whose `number` counts.
    pub(super) is_phone: bool,
    pub(super) pattern: Option<String>,
    /// Longer texts are not matched.
    pub(super) max_length: Option<i64>,
    pub(super) reading: Reading,
}

/// Makes every integer that can be read positive.
const INTEGER_OFFSET: u32 = 1 << 31;

impl FieldProbe {
    /// Creates a probe of a field for rules of other fields.
    pub(super) fn watched(id: &str, reading: Reading) -> Self {
        FieldProbe { id: id.to_owned(), is_phone: false, pattern: None, max_length: None, reading }
    }

    /// Probes a value among ids and values, of which the last with an id counts.
    pub(super) fn probe(&self, values: &[(Cow<'_, str>, JsonRef<'_>)], matches: Matches<'_>) -> ProbeResult {
        let mut result = ProbeResult { kind: ValueKind::Absent, matches: true, length: 0, reading: 0 };
        let Some((_, value)) = values.iter().rev().find(|(id, _)| *id == self.id) else { return result };
        result.kind = match value.text() {
            Some(text) if text.trim().is_empty() => ValueKind::Blank,
            Some(_) => ValueKind::Text,
            None if value.is_null() => ValueKind::Null,
            None => ValueKind::Number,
        };
        let is_phone = self.is_phone && result.kind != ValueKind::Blank;
        let text = match is_phone {
            true => value.text_of("number").filter(|number| !number.trim().is_empty()),
            false => value.label(),
        };
        match text {
            Some(text) => {
                if is_phone {
                    result.kind = ValueKind::Text;
                }
                result.length = text.encode_utf16().take(65_535).count() as u32;
                result.matches = self.max_length.is_some_and(|max| i64::from(result.length) > max)
                    || self.pattern.as_deref().is_none_or(|pattern| matches(pattern, &text).unwrap_or(true));
                result.reading = self.reading.encode(&text);
            }
            None if result.kind != ValueKind::Null => result.kind = ValueKind::Other,
            None => {}
        }
        result
    }
}

impl Reading {
    fn encode(&self, text: &str) -> u32 {
        match self {
            Reading::None => 0,
            Reading::Date => date_digits(text),
            Reading::Position(texts) => {
                texts.iter().position(|known| known == text).map_or(0, |index| index as u32 + 1)
            }
            Reading::Integer => encode_integer(text),
        }
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

/// Encodes an integer as [`Reading::Integer`] describes.
pub(super) fn encode_integer(text: &str) -> u32 {
    let digits = text.trim_start_matches('-').len();
    let number = text.parse::<i32>().ok().filter(|_| digits <= 9);
    number.map_or(0, |number| INTEGER_OFFSET.wrapping_add_signed(number))
}

//! The facts of collected values that the rules need, and no more. JavaScript probes its own values, so that
//! only numbers cross the boundary.

use std::borrow::Cow;

use super::json::{JsonRef, Writer, signed_digits_of};
use super::lean::collect;
use super::{Code, Error};

/// Decides whether a text matches a pattern; `None` if the pattern does not compile. The browser's `RegExp`
/// does it there, as the service's patterns are written for it.
pub type Matches<'a> = &'a dyn Fn(&str, &str) -> Option<bool>;

/// The kind of value a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProbedValue {
    Absent,
    Null,
    /// An empty text, or blanks alone.
    Blank,
    Text,
    Number,
    /// Of a type that this field cannot have.
    Other,
}

/// What a probe finds in one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeResult {
    pub(super) given: ProbedValue,
    /// Whether it matches the field's pattern, or is not held to it: there is none, it cannot be told, or the
    /// text is too long anyway.
    pub(super) matches: bool,
    /// In UTF-16 code units, and no more than 65,535.
    pub(super) length: u32,
    /// The value as [`ProbedReading`] asks for it; 0 where there is none.
    pub(super) reading: u32,
}

/// How a text is read as a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProbedReading {
    Nothing,
    /// The digits of a date, `YYYYMMDD`, where it is written as `YYYY-MM-DD`.
    Date,
    /// Its place among these, from 1.
    Place(Vec<String>),
    /// A whole number, made positive by 2^31, where it is one of up to nine digits.
    Number,
}

/// What to find out about a field's value.
#[derive(Clone, Debug)]
pub(super) struct FieldProbe {
    pub(super) id: String,
    /// Whether the value is a phone number, of which the `number` counts.
    pub(super) is_phone: bool,
    pub(super) pattern: Option<String>,
    /// A longer text is not matched against the pattern.
    pub(super) longest: Option<i64>,
    pub(super) reads: ProbedReading,
}

/// Added to a number that was read, so that none is below 1.
pub(super) const NUMBER_FROM: u32 = 1 << 31;

impl FieldProbe {
    /// Of a field that others look at.
    pub(super) fn watched(id: &str, reads: ProbedReading) -> Self {
        FieldProbe { id: id.to_owned(), is_phone: false, pattern: None, longest: None, reads }
    }

    fn probe(&self, value: Option<JsonRef<'_>>, matches: Matches<'_>) -> ProbeResult {
        let mut result = ProbeResult { given: ProbedValue::Absent, matches: true, length: 0, reading: 0 };
        let Some(value) = value else { return result };
        let text = value.text();
        let is_blank = text.as_ref().is_some_and(|text| text.trim().is_empty());
        result.given = match &text {
            Some(_) if is_blank => ProbedValue::Blank,
            Some(_) => ProbedValue::Text,
            None if value.is_null() => ProbedValue::Null,
            None => ProbedValue::Number,
        };
        let text = match self.is_phone && !is_blank {
            true => value.text_of("number").filter(|number| !number.trim().is_empty()),
            false => value.label(),
        };
        match text {
            Some(text) => {
                if self.is_phone && !is_blank {
                    result.given = ProbedValue::Text;
                }
                result.length = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX).min(65_535);
                result.matches = self.longest.is_some_and(|most| i64::from(result.length) > most)
                    || self.pattern.as_deref().is_none_or(|pattern| matches(pattern, &text).unwrap_or(true));
                result.reading = self.reads.of(&text);
            }
            None if result.given != ProbedValue::Null => result.given = ProbedValue::Other,
            None => {}
        }
        result
    }

    /// `[id, isPhone, reads, pattern?, longest?]`, where `reads` is 0 for nothing, 1 for a date, 2 for a
    /// number, or the texts whose place is asked for.
    pub(super) fn write(&self, out: &mut Writer) {
        out.list(|out| {
            out.item();
            out.text(&self.id);
            out.item();
            out.raw(if self.is_phone { "1" } else { "0" });
            out.item();
            match &self.reads {
                ProbedReading::Nothing => out.raw("0"),
                ProbedReading::Date => out.raw("1"),
                ProbedReading::Number => out.raw("2"),
                ProbedReading::Place(texts) => out.list(|out| {
                    for text in texts {
                        out.item();
                        out.text(text);
                    }
                }),
            }
            if let Some(pattern) = &self.pattern {
                out.item();
                out.text(pattern);
                if let Some(most) = self.longest {
                    out.item();
                    out.raw(&signed_digits_of(most));
                }
            }
        });
    }
}

impl ProbedReading {
    fn of(&self, text: &str) -> u32 {
        match self {
            ProbedReading::Nothing => 0,
            ProbedReading::Date => date_digits(text),
            ProbedReading::Place(texts) => {
                let place = texts.iter().position(|known| known == text);
                place.and_then(|place| u32::try_from(place + 1).ok()).unwrap_or(0)
            }
            ProbedReading::Number => number_read(text),
        }
    }
}

/// The digits of `YYYY-MM-DD`; 0 where the text is written otherwise.
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

/// Whether the text is a day of the calendar as `YYYY-MM-DD`.
#[must_use]
pub fn is_date(text: &str) -> bool {
    is_day(date_digits(text))
}

/// Whether the digits are those of a day of the calendar.
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

/// A whole number as [`ProbedReading::Number`] has it.
pub(super) fn number_read(text: &str) -> u32 {
    let digits = text.trim_start_matches('-').len();
    let number = text.parse::<i32>().ok().filter(|_| digits <= 9);
    number.map_or(0, |number| NUMBER_FROM.wrapping_add_signed(number))
}

/// Probes the values, a list of ids and values of which the last with an id counts.
pub(super) fn probe_all(
    probes: &[FieldProbe],
    values: &[(Cow<'_, str>, JsonRef<'_>)],
    matches: Matches<'_>,
) -> Vec<ProbeResult> {
    collect(probes.iter().map(|probe| {
        let found = values.iter().rev().find(|(id, _)| *id == probe.id);
        probe.probe(found.map(|(_, value)| *value), matches)
    }))
}

/// Decodes results that JavaScript probed: two numbers each. The first has the kind of value in its lowest
/// three bits, then whether it matches, then the length; the second is the reading.
///
/// # Errors
/// `internal` if there is not one for each probe.
pub(super) fn read_probe_results(probes: &[FieldProbe], results: &[u32]) -> Result<Vec<ProbeResult>, Error> {
    let read = collect(results.chunks_exact(2).filter_map(|pair| {
        let &[facts, reading] = pair else { return None };
        let given = match facts & 7 {
            0 => ProbedValue::Absent,
            1 => ProbedValue::Null,
            2 => ProbedValue::Blank,
            3 => ProbedValue::Text,
            4 => ProbedValue::Number,
            _ => ProbedValue::Other,
        };
        Some(ProbeResult { given, matches: facts & 8 != 0, length: facts >> 4, reading })
    }));
    if read.len() == probes.len() { Ok(read) } else { Err(Error::new(Code::Internal)) }
}

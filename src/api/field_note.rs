//! What a check has to know of collected values, and no more: noted by whoever has them, and judged by the rules.

use std::borrow::Cow;

use super::json::{View, Writer, signed_digits_of};
use super::lean::list_of;
use super::{Code, Error, Matches};

/// What is there for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Absent,
    Null,
    /// A text of blanks, or none.
    Blank,
    Text,
    Number,
    /// What cannot be the value of such a field.
    Other,
}

/// What is noted of one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) given: Given,
    /// Whether it matches the field's pattern, or is not held to it: there is none, it cannot be told, or the text is too long anyway.
    pub(super) matches: bool,
    /// In UTF-16 code units, and no more than 65,535.
    pub(super) length: u32,
    /// What was read of it (see [`Reads`]); 0 where there is nothing to read.
    pub(super) reading: u32,
}

/// What a rule reads of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    Nothing,
    /// The digits of a date, `YYYYMMDD`, where it is written as `YYYY-MM-DD`.
    Date,
    /// Its place among these, from 1.
    Place(Vec<String>),
    /// A whole number, made positive by 2^31, where it is one of up to nine digits.
    Number,
}

/// What to note of a field's value.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) id: String,
    /// Whether the value is a phone number, of which the `number` counts.
    pub(super) is_phone: bool,
    pub(super) pattern: Option<String>,
    /// What is longer need not be held to the pattern.
    pub(super) longest: Option<i64>,
    pub(super) reads: Reads,
}

/// What is added to a number that was read, so that none is below 1.
pub(super) const NUMBER_FROM: u32 = 1 << 31;

impl Wanted {
    /// Of a field that others look at.
    pub(super) fn watched(id: &str, reads: Reads) -> Self {
        Wanted { id: id.to_owned(), is_phone: false, pattern: None, longest: None, reads }
    }

    fn note(&self, value: Option<View<'_>>, matches: Matches<'_>) -> Note {
        let mut note = Note { given: Given::Absent, matches: true, length: 0, reading: 0 };
        let Some(value) = value else { return note };
        let text = value.text();
        let is_blank = text.as_ref().is_some_and(|text| text.trim().is_empty());
        note.given = match &text {
            Some(_) if is_blank => Given::Blank,
            Some(_) => Given::Text,
            None if value.is_null() => Given::Null,
            None => Given::Number,
        };
        let text = match self.is_phone && !is_blank {
            true => value.text_of("number").filter(|number| !number.trim().is_empty()),
            false => value.label(),
        };
        match text {
            Some(text) => {
                if self.is_phone && !is_blank {
                    note.given = Given::Text;
                }
                note.length = u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX).min(65_535);
                note.matches = self.longest.is_some_and(|most| i64::from(note.length) > most)
                    || self.pattern.as_deref().is_none_or(|pattern| matches(pattern, &text).unwrap_or(true));
                note.reading = self.reads.of(&text);
            }
            None if note.given != Given::Null => note.given = Given::Other,
            None => {}
        }
        note
    }

    /// `[id, isPhone, reads, pattern?, longest?]`, where `reads` is 0 for nothing, 1 for a date, 2 for a number, or the texts whose place is asked for.
    pub(super) fn write(&self, out: &mut Writer) {
        out.list(|out| {
            out.item();
            out.text(&self.id);
            out.item();
            out.raw(if self.is_phone { "1" } else { "0" });
            out.item();
            match &self.reads {
                Reads::Nothing => out.raw("0"),
                Reads::Date => out.raw("1"),
                Reads::Number => out.raw("2"),
                Reads::Place(texts) => out.list(|out| {
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

impl Reads {
    fn of(&self, text: &str) -> u32 {
        match self {
            Reads::Nothing => 0,
            Reads::Date => date_digits(text),
            Reads::Place(texts) => {
                let place = texts.iter().position(|known| known == text);
                place.and_then(|place| u32::try_from(place + 1).ok()).unwrap_or(0)
            }
            Reads::Number => number_read(text),
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

/// A whole number as [`Reads::Number`] has it.
pub(super) fn number_read(text: &str) -> u32 {
    let digits = text.trim_start_matches('-').len();
    let number = text.parse::<i32>().ok().filter(|_| digits <= 9);
    number.map_or(0, |number| NUMBER_FROM.wrapping_add_signed(number))
}

/// Notes the values, a list of ids and values of which the last with an id counts.
pub(super) fn note_all(
    wanted: &[Wanted],
    values: &[(Cow<'_, str>, View<'_>)],
    matches: Matches<'_>,
) -> Vec<Note> {
    list_of(wanted.iter().map(|wanted| {
        let found = values.iter().rev().find(|(id, _)| *id == wanted.id);
        wanted.note(found.map(|(_, value)| *value), matches)
    }))
}

/// Reads notes that were taken elsewhere: two numbers each, of which the first has what is given in its lowest three bits, then whether it matches,
/// then the length, and the second what was read.
///
/// # Errors
/// `internal` if they are not as many as wanted.
pub(super) fn read_notes(wanted: &[Wanted], notes: &[u32]) -> Result<Vec<Note>, Error> {
    let read = list_of(notes.chunks_exact(2).filter_map(|pair| {
        let &[facts, reading] = pair else { return None };
        let given = match facts & 7 {
            0 => Given::Absent,
            1 => Given::Null,
            2 => Given::Blank,
            3 => Given::Text,
            4 => Given::Number,
            _ => Given::Other,
        };
        Some(Note { given, matches: facts & 8 != 0, length: facts >> 4, reading })
    }));
    if read.len() == wanted.len() { Ok(read) } else { Err(Error::new(Code::Internal)) }
}

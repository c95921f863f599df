//! Rows of a list that are there more than once.

use std::ops::Range;

/// A list whose rows repeat: each different row once, and which of them stands at each place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The different rows, as a JSON array.
    pub distinct: String,
    /// Their places in that array, row by row.
    pub order: Vec<u16>,
}

/// Replaces a range of bytes.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) with: &'static str,
}

/// The rows of a list so far, as long as they are worth remembering.
#[derive(Default)]
pub(super) struct Seen<'a> {
    rows: Vec<SeenRow<'a>>,
    order: Vec<u16>,
    is_over: bool,
}

struct SeenRow<'a> {
    text: &'a [u8],
    /// Where the row began, and which of the edits are its own.
    start: usize,
    edits: Range<usize>,
    /// Of the text, as rows are mostly as long as each other and begin alike.
    hash: u64,
    /// The row that followed it the last time.
    following: usize,
}

/// More different rows than this are taken for a list that does not repeat.
const MOST_ROWS: usize = 512;
/// Of the hash FNV-1a, here over eight bytes at a time.
const PRIME: u64 = 0x100_0000_01b3;

impl<'a> Seen<'a> {
    /// The length of the row that is to be expected, if it is here at `at`. It gets the edits that it got
    /// before.
    pub(super) fn expected(&mut self, rest: &[u8], at: usize, edits: &mut Vec<Edit>) -> Option<usize> {
        let last = usize::from(*self.order.last()?);
        let place = self.rows.get(last)?.following;
        let row = self.rows.get(place)?;
        if self.is_over || !rest.starts_with(row.text) {
            return None;
        }
        self.order.push(place as u16);
        for i in row.edits.clone() {
            let Some(Edit { from, to, with }) = edits.get(i) else { continue };
            edits.push(Edit { from: from - row.start + at, to: to - row.start + at, with });
        }
        Some(row.text.len())
    }

    /// Remembers a row that was checked, which began at `start`, and its edits.
    pub(super) fn note(&mut self, text: &'a [u8], start: usize, edits: Range<usize>) {
        if self.is_over {
            return;
        }
        let (eights, _) = text.as_chunks();
        let hash =
            eights.iter().fold(0, |hash, eight| (hash ^ u64::from_le_bytes(*eight)).wrapping_mul(PRIME));
        let same = |row: &SeenRow<'_>| row.hash == hash && row.text == text;
        let place = self.rows.iter().position(same).unwrap_or(self.rows.len());
        if place == self.rows.len() {
            self.is_over = place == MOST_ROWS;
            self.rows.push(SeenRow { text, start, edits, hash, following: 0 });
        }
        if let Some(last) = self.order.last().and_then(|last| self.rows.get_mut(usize::from(*last))) {
            last.following = place;
        }
        self.order.push(place as u16);
    }

    pub(super) fn rows(self) -> Option<Box<Rows>> {
        if self.is_over || self.rows.is_empty() || self.order.len() < 2 * self.rows.len() {
            return None;
        }
        let mut distinct = Vec::new();
        for row in &self.rows {
            distinct.push(if distinct.is_empty() { b'[' } else { b',' });
            distinct.extend_from_slice(row.text);
        }
        distinct.push(b']');
        Some(Box::new(Rows { distinct: String::from_utf8(distinct).ok()?, order: self.order }))
    }
}

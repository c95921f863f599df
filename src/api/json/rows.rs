//! Repeated rows of a list.

use std::ops::Range;

/// A list without its repeated rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The distinct rows, as a JSON array.
    pub distinct: String,
    /// For each row of the list, its index in `distinct`.
    pub order: Vec<u16>,
}

/// Replaces a range of bytes.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) with: &'static str,
}

/// The distinct rows of a list so far.
#[derive(Default)]
pub(super) struct Seen<'a> {
    rows: Vec<SeenRow<'a>>,
    order: Vec<u16>,
    /// Whether the list has too many distinct rows.
    gave_up: bool,
}

struct SeenRow<'a> {
    text: &'a [u8],
    /// Where the row began.
    start: usize,
    /// The row's range among the edits.
    edits: Range<usize>,
    /// Compared before the text, because most rows have the same length and start.
    hash: u64,
    /// The index of the row that last followed this one.
    next: usize,
}

/// A list with more distinct rows is taken for one that does not repeat.
const MAX_ROWS: usize = 512;
/// The prime of FNV-1a, here applied to eight bytes at a time.
const PRIME: u64 = 0x100_0000_01b3;

impl<'a> Seen<'a> {
    /// Returns the length of the row at `at` if it repeats the predicted row, and copies that row's edits.
    pub(super) fn predicted(&mut self, rest: &[u8], at: usize, edits: &mut Vec<Edit>) -> Option<usize> {
        let last = usize::from(*self.order.last()?);
        let index = self.rows.get(last)?.next;
        let row = self.rows.get(index)?;
        if self.gave_up || !rest.starts_with(row.text) {
            return None;
        }
        self.order.push(index as u16);
        for i in row.edits.clone() {
            let Some(Edit { from, to, with }) = edits.get(i) else { continue };
            edits.push(Edit { from: from - row.start + at, to: to - row.start + at, with });
        }
        Some(row.text.len())
    }

    /// Adds a checked row that began at `start`.
    pub(super) fn add(&mut self, text: &'a [u8], start: usize, edits: Range<usize>) {
        if self.gave_up {
            return;
        }
        let (eights, _) = text.as_chunks();
        let hash =
            eights.iter().fold(0, |hash, eight| (hash ^ u64::from_le_bytes(*eight)).wrapping_mul(PRIME));
        let same = |row: &SeenRow<'_>| row.hash == hash && row.text == text;
        let index = self.rows.iter().position(same).unwrap_or(self.rows.len());
        if index == self.rows.len() {
            self.gave_up = index == MAX_ROWS;
            self.rows.push(SeenRow { text, start, edits, hash, next: 0 });
        }
        if let Some(last) = self.order.last().and_then(|last| self.rows.get_mut(usize::from(*last))) {
            last.next = index;
        }
        self.order.push(index as u16);
    }

    pub(super) fn rows(self) -> Option<Box<Rows>> {
        if self.gave_up || self.rows.is_empty() || self.order.len() < 2 * self.rows.len() {
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

//! Repeated rows of a list, which are checked once.

use std::ops::Range;

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
    /// The index of the last row.
    last: usize,
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
        let index = self.rows.get(self.last)?.next;
        let row = self.rows.get(index)?;
        if !rest.starts_with(row.text) {
            return None;
        }
        self.last = index;
        for i in row.edits.clone() {
            let Some(Edit { from, to, with }) = edits.get(i) else { continue };
            edits.push(Edit { from: from - row.start + at, to: to - row.start + at, with });
        }
        Some(row.text.len())
    }

    /// Adds a checked row that began at `start`.
    pub(super) fn add(&mut self, text: &'a [u8], start: usize, edits: Range<usize>) {
        let (eights, _) = text.as_chunks();
        let hash =
            eights.iter().fold(0, |hash, eight| (hash ^ u64::from_le_bytes(*eight)).wrapping_mul(PRIME));
        let same = |row: &SeenRow<'_>| row.hash == hash && row.text == text;
        let index = self.rows.iter().position(same).unwrap_or(self.rows.len());
        if index == MAX_ROWS {
            return;
        }
        if index == self.rows.len() {
            self.rows.push(SeenRow { text, start, edits, hash, next: 0 });
        }
        if let Some(last) = self.rows.get_mut(self.last) {
            last.next = index;
        }
        self.last = index;
    }
}

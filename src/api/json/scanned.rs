use std::borrow::Cow;

use super::rows::{Edit, Rows};

/// The result of a successful scan.
#[derive(Debug)]
pub struct Scanned {
    pub(super) edits: Vec<Edit>,
    /// Whether an integer beyond 2^53 became a string of its digits, `n` and NUL, which the JavaScript side
    /// turns into a bigint.
    pub has_bigints: bool,
    /// Whether the text has `null` members or members of related records, which must not be sent.
    pub has_extras: bool,
    /// The rows of an unedited list, if most of them repeat.
    pub rows: Option<Box<Rows>>,
}

impl Scanned {
    /// Returns the normalized text: a single currency becomes a list, a wrapped list loses its wrapper, a
    /// numeric identifier becomes a string.
    pub fn apply(self, json: &str) -> Cow<'_, str> {
        if self.edits.is_empty() {
            return Cow::Borrowed(json);
        }
        let mut out = String::with_capacity(json.len() + self.edits.len());
        let mut at = 0;
        for edit in self.edits {
            out.push_str(json.get(at..edit.from).unwrap_or(""));
            out.push_str(edit.with);
            at = edit.to;
        }
        out.push_str(json.get(at..).unwrap_or(""));
        Cow::Owned(out)
    }
}

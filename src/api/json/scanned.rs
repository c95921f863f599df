use std::borrow::Cow;

use super::rows::Edit;

/// The result of a successful scan.
#[derive(Debug)]
pub struct Scanned {
    pub(super) edits: Vec<Edit>,
    /// Whether there is an integer beyond 2^53, which JavaScript needs as a bigint.
    pub has_bigints: bool,
    /// Whether the text has `null` members or members of related records, which must not be sent.
    pub has_extras: bool,
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

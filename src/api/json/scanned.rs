use std::borrow::Cow;

use super::rows::{Edit, Rows};

/// A text that has the shape asked for.
#[derive(Debug)]
pub struct Scanned {
    pub(super) edits: Vec<Edit>,
    /// Whether a whole number beyond 2^53 became a string of its digits, `n` and NUL, which the JS side makes
    /// a bigint.
    pub has_bigints: bool,
    /// Whether a member of another record, or one that is `null`, is to be left out.
    pub has_extras: bool,
    /// The rows of a list of which most are there more than once, where nothing had to change.
    pub rows: Option<Box<Rows>>,
}

impl Scanned {
    /// The text in its one form: a single currency became a list, a wrapped list lost its wrapper,
    /// a numeric identifier is a string. The same text where nothing had to change.
    #[must_use]
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

use std::ops::Deref;

use crate::api::json::{Codec, JsonRef, Rows};
use crate::api::{Code, Error};

/// A reply whose shape is right, as its [`ReplyParts`]. They stay in one place while it is handed from flow
/// to flow, which is less code.
pub struct Reply(Box<ReplyParts>);

/// What a [`Reply`] holds.
#[derive(Default)]
pub struct ReplyParts {
    /// The JSON text, in the one form of its shape; empty where there is none.
    pub json: String,
    /// The bytes, where the operation answers with bytes.
    pub bytes: Vec<u8>,
    /// The type of the bytes.
    pub content_type: Option<String>,
    /// Whether a whole number beyond 2^53 stands in the text as a string (see [`crate::api::json::Scanned`]).
    pub has_bigints: bool,
    /// Whether it is the reply's own body, letter by letter.
    pub is_as_sent: bool,
    /// The rows of a list that repeat, so that whoever shows them need not read each.
    pub rows: Option<Box<Rows>>,
}

impl Deref for Reply {
    type Target = ReplyParts;

    fn deref(&self) -> &ReplyParts {
        &self.0
    }
}

impl From<ReplyParts> for Reply {
    fn from(parts: ReplyParts) -> Self {
        Reply(Box::new(parts))
    }
}

impl Reply {
    /// The JSON text alone.
    #[must_use]
    pub fn into_json(self) -> String {
        self.0.json
    }

    /// Puts an id into the object that was received, where it has none of that name.
    #[inline(never)]
    pub(super) fn add_missing(&mut self, name: &str, id: &str) {
        let view = self.view();
        if view.text_of(name).is_none()
            && let Some(members) = view.raw().strip_suffix('}')
        {
            let comma = if view.members().next().is_some() { "," } else { "" };
            self.0.json = [members, comma, "\"", name, "\":\"", id, "\"}"].concat();
            self.0.is_as_sent = false;
        }
    }

    pub(super) fn of(json: String) -> Self {
        ReplyParts { json, ..ReplyParts::default() }.into()
    }

    /// Where to read single values.
    #[must_use]
    pub fn view(&self) -> JsonRef<'_> {
        JsonRef::new(&self.json)
    }

    /// The typed record.
    ///
    /// # Errors
    /// `unavailable` ([`Code::UnreadableReply`]) if the text is not of this type.
    pub fn read<T: Codec>(&self) -> Result<T, Error> {
        T::read(self.view()).ok_or_else(|| Error::new(Code::UnreadableReply))
    }
}

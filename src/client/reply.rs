use crate::api::json::{Codec, JsonRef};
use crate::api::opaque::opaque_debug;
use crate::api::{Code, Error};

/// A reply whose shape was checked.
#[derive(Default)]
pub struct Reply {
    /// The JSON text, normalized to its shape; empty if there is none.
    pub json: String,
    /// The bytes, if the operation returns bytes.
    pub bytes: Option<Vec<u8>>,
    /// The content type of the bytes.
    pub content_type: Option<String>,
    /// Whether the text has whole numbers beyond 2^53, which JavaScript needs as bigints.
    pub has_bigints: bool,
}

opaque_debug!([] Reply);

impl Reply {
    /// Returns the JSON text.
    #[must_use]
    pub fn into_json(self) -> String {
        self.json
    }

    /// Adds an id to the object, unless it has one of that name.
    #[inline(never)]
    pub(super) fn add_missing(&mut self, name: &str, id: &str) {
        let view = self.view();
        if view.text_of(name).is_none()
            && let Some(members) = view.raw().strip_suffix('}')
        {
            let comma = if view.members().next().is_some() { "," } else { "" };
            self.json = [members, comma, "\"", name, "\":\"", id, "\"}"].concat();
        }
    }

    pub(super) fn of(json: String) -> Self {
        Reply { json, ..Reply::default() }
    }

    /// Returns a view to read single values.
    #[must_use]
    pub fn view(&self) -> JsonRef<'_> {
        JsonRef::new(&self.json)
    }

    /// Returns the typed record.
    ///
    /// # Errors
    /// `unavailable` ([`Code::UnreadableReply`]) if the text is not of this type.
    pub fn read<T: Codec>(&self) -> Result<T, Error> {
        T::read(self.view()).ok_or_else(|| Error::new(Code::UnreadableReply))
    }

    /// Returns a typed member of the record.
    pub(super) fn read_member<T: Codec>(&self, name: &str) -> Result<T, Error> {
        self.view().member(name).and_then(T::read).ok_or_else(|| Error::new(Code::UnreadableReply))
    }
}

use crate::api::json::{Codec, JsonRef, write_json};
use crate::api::opaque::opaque_debug;
use crate::api::{Code, Error, Receipt};

/// A reply whose shape was checked. Its content is boxed, as each future on its way holds it.
#[derive(Default)]
pub struct Reply(Box<Content>);

#[derive(Default)]
struct Content {
    json: String,
    has_bigints: bool,
    receipt: Option<Receipt>,
}

opaque_debug!([] Reply);

impl Reply {
    pub(super) fn of(json: String) -> Self {
        Self::with_bigints(json, false)
    }

    pub(super) fn with_bigints(json: String, has_bigints: bool) -> Self {
        Reply(Box::new(Content { json, has_bigints, receipt: None }))
    }

    pub(super) fn of_receipt(receipt: Receipt) -> Self {
        Reply(Box::new(Content { receipt: Some(receipt), ..Content::default() }))
    }

    /// Returns the JSON text, normalized to its shape; empty if there is none.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.0.json
    }

    /// Whether the text has whole numbers beyond 2^53, which JavaScript needs as bigints.
    #[must_use]
    pub fn has_bigints(&self) -> bool {
        self.0.has_bigints
    }

    /// Returns the receipt, if that is what the operation returns.
    #[must_use]
    pub fn receipt(&self) -> Option<&Receipt> {
        self.0.receipt.as_ref()
    }

    /// Returns the JSON text.
    #[must_use]
    pub fn into_json(self) -> String {
        self.0.json
    }

    /// Adds an id to the object, unless it has one of that name.
    #[inline(never)]
    pub(super) fn add_missing(&mut self, name: &str, id: &str) {
        let view = self.view();
        if view.text_of(name).is_none()
            && let Some(members) = view.raw().strip_suffix('}')
        {
            let comma = if view.members().next().is_some() { "," } else { "" };
            self.0.json = [members, comma, "\"", name, "\":\"", id, "\"}"].concat();
        }
    }

    /// Keeps those items of the list that `keeps` wants.
    pub(super) fn retain(&mut self, keeps: impl Fn(JsonRef<'_>) -> bool) {
        let kept = self.view().items().filter(|item| keeps(*item));
        self.0.json = write_json(|out| out.list_of(kept, |out, item| out.raw(item.raw())));
    }

    /// Returns a view to read single values.
    #[must_use]
    pub fn view(&self) -> JsonRef<'_> {
        JsonRef::new(&self.0.json)
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

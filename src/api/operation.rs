//! An endpoint as data.

use super::json::{JsonRef, Shape};

/// An endpoint of the service.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// Name of the method in the public API.
    pub name: &'static str,
    /// HTTP method.
    pub method: Method,
    /// Path with `{id}` placeholders.
    pub path: &'static str,
    /// What the caller passes besides the ids.
    pub input: Input,
    /// What the service returns.
    pub reply: ReplyKind,
    /// When the request may be resent.
    pub sending: Sending,
    /// Whether the reply depends on `Accept-Language`.
    pub localized: bool,
    /// The fields endpoint that the interface requires to be called first, with the values that the body has
    /// for its query.
    pub preceded_by: Option<&'static Operation>,
}

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

/// What the caller of an [`Operation`] passes besides the ids.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// Nothing.
    None,
    /// Query parameters.
    Query(&'static Shape),
    /// A JSON body.
    Body(&'static Shape),
    /// A filter of the items of the reply, which is not sent: what it has, and whether it keeps an item.
    Filter(&'static Shape, fn(filter: JsonRef<'_>, item: JsonRef<'_>) -> bool),
}

/// What an [`Operation`] returns.
#[derive(Clone, Copy, Debug)]
pub enum ReplyKind {
    /// JSON of this shape.
    Json(&'static Shape),
    /// Bytes, such as a PDF.
    Bytes,
    /// Nothing to read.
    Nothing,
}

/// When a request may be resent (see [`crate::client::retry`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// Reads: up to three attempts.
    Read,
    /// Creates a card session: two attempts, because only the newest session counts.
    CardSession,
    /// Replaces, changes or deletes a record idempotently: two attempts with the same bytes.
    Replace,
    /// Polls once per call: one attempt.
    Once,
    /// Creates a record: one attempt; an ambiguous reply is `outcome_unknown`.
    CreateOnce,
    /// Ends a hold: one attempt, then the transfer's status shows the outcome.
    EndHold,
    /// Moves money: only [`crate::client::TransferAttempt`] sends it.
    Transfer,
}

impl Method {
    /// Returns the name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

impl Sending {
    /// Returns whether the request may be resent after a 401: an earlier copy may have been processed.
    pub fn may_repeat(self) -> bool {
        !matches!(self, Sending::CreateOnce | Sending::EndHold | Sending::Transfer)
    }
}

impl Operation {
    /// Declares an endpoint without input and reply body.
    pub(super) const fn new(
        name: &'static str,
        method: Method,
        path: &'static str,
        sending: Sending,
    ) -> Self {
        let (input, reply) = (Input::None, ReplyKind::Nothing);
        Operation { name, method, path, input, reply, sending, localized: false, preceded_by: None }
    }

    pub(super) const fn get(name: &'static str, path: &'static str, reply: &'static Shape) -> Self {
        Self::new(name, Method::Get, path, Sending::Read).with_reply(reply)
    }

    pub(super) const fn post(name: &'static str, path: &'static str, sending: Sending) -> Self {
        Self::new(name, Method::Post, path, sending)
    }

    pub(super) const fn put(name: &'static str, path: &'static str) -> Self {
        Self::new(name, Method::Put, path, Sending::Replace)
    }

    pub(super) const fn patch(name: &'static str, path: &'static str) -> Self {
        Self::new(name, Method::Patch, path, Sending::Replace)
    }

    pub(super) const fn delete(name: &'static str, path: &'static str) -> Self {
        Self::new(name, Method::Delete, path, Sending::Replace)
    }

    pub(super) const fn with_query(self, shape: &'static Shape) -> Self {
        Operation { input: Input::Query(shape), ..self }
    }

    pub(super) const fn with_body(self, shape: &'static Shape) -> Self {
        Operation { input: Input::Body(shape), ..self }
    }

    pub(super) const fn with_filter(
        self,
        shape: &'static Shape,
        keeps: fn(JsonRef<'_>, JsonRef<'_>) -> bool,
    ) -> Self {
        Operation { input: Input::Filter(shape, keeps), ..self }
    }

    pub(super) const fn with_reply(self, shape: &'static Shape) -> Self {
        Operation { reply: ReplyKind::Json(shape), ..self }
    }

    pub(super) const fn after(self, fields: &'static Operation) -> Self {
        Operation { preceded_by: Some(fields), ..self }
    }

    /// Returns whether a call is a single request that may be resent and that no other call precedes.
    pub fn is_plain(&self) -> bool {
        self.preceded_by.is_none() && matches!(self.sending, Sending::Read | Sending::CardSession)
    }
}

/// Declares the operations of a resource. They are public for packing and for tests.
macro_rules! operations {
    ($( $NAME:ident = $operation:expr ),* $(,)?) => {
        $( #[doc(hidden)] pub static $NAME: Operation = $operation; )*
    };
}
pub(super) use operations;

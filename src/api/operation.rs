//! An endpoint as data.

use super::json::Shape;

/// An endpoint of the interface.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// The name of the method in the public API.
    pub name: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `{id}` where an id goes.
    pub path: &'static str,
    /// What the caller passes beside the ids.
    pub input: Input,
    /// What comes back.
    pub reply: ReplyKind,
    /// When it may be sent again.
    pub sending: Sending,
    /// Whether the reply is in the customer's language, so that `Accept-Language` goes with it.
    pub localized: bool,
    /// The fields endpoint that the interface says must be asked before.
    pub preceded_by: Option<Preceding>,
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

/// What the caller of an [`Operation`] passes beside the ids.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// Nothing.
    None,
    /// Members that become query parameters.
    Query(&'static Shape),
    /// A body.
    Body(&'static Shape),
}

/// What an [`Operation`] is answered with.
#[derive(Clone, Copy, Debug)]
pub enum ReplyKind {
    /// JSON of this shape.
    Json(&'static Shape),
    /// Bytes, such as a PDF.
    Bytes,
    /// Nothing to read.
    Nothing,
}

/// When a request may be sent again (see [`crate::client::retry`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// It reads: up to three attempts.
    Read,
    /// It makes a card session: two attempts, as only the newest session counts.
    CardSession,
    /// It replaces or changes a record to the same end: two attempts with the same bytes.
    Replace,
    /// A question that is polled for a result: one attempt.
    Once,
    /// It creates a record: one attempt, and an answer that leaves open whether it did is `outcome_unknown`.
    CreateOnce,
    /// Ends a hold: one attempt, after which the transfer shows the result.
    EndHold,
    /// It moves money: settled by [`crate::client::TransferAttempt`] alone.
    Transfer,
}

/// The fields endpoint that precedes an operation, and where its query comes from.
#[derive(Clone, Copy, Debug)]
pub struct Preceding {
    /// The fields endpoint.
    pub operation: &'static Operation,
    /// Names of its query parameters, each with the member of the body that gives the value.
    pub query: &'static [(&'static str, &'static str)],
}

impl Method {
    /// The name on the wire.
    #[must_use]
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
    /// Whether it may be sent once more when its token was refused: a copy before may have been taken for
    /// good.
    #[must_use]
    pub fn may_repeat(self) -> bool {
        !matches!(self, Sending::CreateOnce | Sending::EndHold | Sending::Transfer)
    }
}

impl Operation {
    /// Whether a call of it is one request, which may be sent again, and asks nothing before.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.preceded_by.is_none() && matches!(self.sending, Sending::Read | Sending::CardSession)
    }

    /// The shape of the reply; anything where none is stated.
    #[must_use]
    pub fn reply_shape(&self) -> &'static Shape {
        match self.reply {
            ReplyKind::Json(shape) => shape,
            _ => &Shape::Any,
        }
    }
}

//! A nonce makes a transfer unrepeatable (interface, part 4: body of POST /transfers).

use super::Uuid;
use super::json::Codec;
use super::operation::{Input, Method, Operation, ReplyKind, Sending};
use super::record::record;

record! {
    /// A value that one transfer can use, once per customer.
    Nonce {
        /// The value.
        required nonce "nonce": Uuid,
    }
}

/// `GET /v1/nonce`.
pub static NONCE: Operation = Operation {
    name: "nonce",
    method: Method::Get,
    path: "/v1/nonce",
    input: Input::None,
    reply: ReplyKind::Json(Nonce::SHAPE),
    sending: Sending::Read,
    localized: false,
    preceded_by: None,
};

//! A nonce makes a transfer unrepeatable (interface, part 4: body of POST /transfers).

use super::Uuid;
use super::json::Codec;
use super::operation::Operation;
use super::record::record;

record! {
    /// A value that one transfer per customer can use.
    Nonce {
        required nonce "nonce": Uuid,
    }
}

/// `GET /v1/nonce`.
#[doc(hidden)]
pub static NONCE: Operation = Operation::get("nonce", "/v1/nonce", Nonce::SHAPE);

//! The nonce of a transfer (interface, part 4: body of POST /transfers).

use super::Nonce;
use super::json::{Codec, Field, Shape};
use super::operation::Operation;

const REPLY: &Shape = &Shape::Record(&[Field { name: "nonce", shape: Nonce::SHAPE, required: true }]);

/// `GET /v1/nonce`.
#[doc(hidden)]
pub static NONCE: Operation = Operation::get("nonce", "/v1/nonce", REPLY);

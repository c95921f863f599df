//! Dynamic fields: what has to be collected, as data (interface, parts 2 and 4).
//!
//! Each of the four fields endpoints has a file that says what it asks for; `check` holds the values
//! against that, wherever a resource takes fields.

mod account;
mod check;
pub(crate) mod definition;
pub(crate) mod endpoints;
mod kind;
mod recipient;
mod sender;
mod transfer;
pub(crate) mod values;

pub(crate) use account::account_sets;
pub(crate) use check::{Subject, check};
pub(crate) use definition::FieldSet;
pub(crate) use kind::Kind;
pub(crate) use recipient::recipient_sets;
pub(crate) use sender::sender_sets;
pub(crate) use transfer::transfer_sets;
pub(crate) use values::{Values, masked};

//! Dynamic fields (interface, parts 2 and 4). One file defines the fields of each fields endpoint; `check`
//! validates values against these definitions wherever a resource has fields.

mod account;
mod check;
pub(crate) mod definition;
pub(crate) mod endpoints;
mod recipient;
mod sender;
mod transfer;
pub(crate) mod values;

pub(crate) use account::account_sets;
pub(crate) use check::{Subject, check};
pub(crate) use definition::{FieldSet, Kind};
pub(crate) use recipient::recipient_sets;
pub(crate) use sender::sender_sets;
pub(crate) use transfer::transfer_sets;
pub(crate) use values::{Values, masked};

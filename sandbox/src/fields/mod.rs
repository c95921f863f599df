//! Dynamic fields (interface, parts 2 and 4). The world's data defines them, `form` resolves them for one
//! request, and `check` validates values against them wherever a resource has fields.

mod check;
pub(crate) mod definition;
pub(crate) mod endpoints;
mod form;
pub(crate) mod values;

pub(crate) use check::check;
pub(crate) use definition::{Kind, Subject};
pub(crate) use form::Form;
pub(crate) use values::{Values, masked};

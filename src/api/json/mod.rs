//! JSON as text: checked against shapes that are data, then read in place.
//!
//! Replies are never rebuilt field by field. [`scan`] checks a text in one pass against a [`Shape`] and notes
//! the few [`edits`](Scanned) that bring the service's variants into one form; the browser's own `JSON.parse`
//! then makes the object, and Rust reads single values through [`JsonRef`]. So an endpoint costs a table in
//! the module and not code, which a general JSON crate would generate for each type.

mod json_ref;
mod rows;
mod scan;
mod scanned;
mod schema_error;
mod serialize;
mod shape;
mod writer;

pub use json_ref::JsonRef;
pub use rows::Rows;
pub use scan::{Mode, Neighbours, scan};
pub use scanned::Scanned;
pub use schema_error::SchemaError;
pub(crate) use serialize::{serialize_by_codec, serialize_json_ref};
pub use shape::{Codec, Field, Rule, Shape};
pub use writer::Writer;
pub(crate) use writer::{digits_of, signed_digits_of};

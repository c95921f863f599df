//! JSON as text, checked against shapes and read in place.
//!
//! Replies are never rebuilt field by field. `scan` checks a text in one pass against a [`Shape`] and
//! records the few edits that normalize the service's variants; then `JSON.parse` creates the
//! object, and Rust reads single values through [`JsonRef`]. An endpoint costs the module a table, whereas a
//! general JSON crate would generate code for each type.

mod declaration;
mod json_ref;
mod rows;
mod scan;
mod scanned;
mod schema_error;
mod shape;
mod transcode;
mod writer;

pub(crate) use declaration::declaration;
pub use declaration::{Declaration, Docs, Member};
pub use json_ref::JsonRef;
pub use scan::{Mode, scan};
pub use scanned::Scanned;
pub use schema_error::SchemaError;
pub use shape::{Codec, Field, Rule, Shape};
pub(crate) use transcode::{deserialize_checked, deserialize_text, serde_by_codec, serialize_text};
pub use writer::Writer;
pub(crate) use writer::{write_json, write_object};

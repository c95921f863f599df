//! JSON as text: checked against shapes that are data, then read in place.
//!
//! Replies are never rebuilt field by field. [`scan`] checks a text in one pass against a
//! [`Shape`] and notes the few [`edits`](Scanned) that bring the service's variants into one form; the
//! browser's own `JSON.parse` then makes the object, and Rust reads single values through [`View`].
//! So an endpoint costs a table in the module and not code, which a general JSON crate would generate for each type.

mod fault;
mod rows;
mod scan;
mod scanned;
mod serialize;
mod shape;
mod view;
mod writer;

pub use fault::Fault;
pub use rows::Rows;
pub(crate) use scan::BIGINT_END;
pub use scan::{Mode, scan};
pub use scanned::Scanned;
pub(crate) use serialize::{serialize_as_wire, serialize_view};
pub use shape::{Field, Rule, Shape, Wire};
pub use view::View;
pub use writer::Writer;
pub(crate) use writer::{digits_of, signed_digits_of};

//! What JavaScript sees of the wasm: a few classes that take and give plain data as JSON text. No
//! decisions here. The package's façade (`pkg-template`) gives them the shape of the public API.

mod card_form;
mod convert;
mod core;
mod field_form;
mod host;
mod options;

pub use self::core::Core;
pub use card_form::CardFormCore;
pub use field_form::FieldFormCore;

//! The exports of the wasm module: a few classes that exchange plain data as JSON text. No decisions here:
//! the package's façade (`pkg-template`) is the public API.

mod answer;
mod card_form;
mod core;
mod field_form;
mod heap;
mod options;
mod page;

pub use self::core::Core;
pub use card_form::{CardFormCore, CardFormListener};
pub use field_form::FieldFormCore;
pub use page::PageRunner;

//! What JavaScript sees of the wasm: a few classes that take and give plain data as JSON text. No
//! decisions here. The package's façade (`pkg-template`) gives them the shape of the public API.

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
pub use page::PageHands;

//! The exports of the wasm module: the classes of the public API, by their names. No decisions here. What
//! JavaScript passes is plain data by now, and what it gets is plain data or one of these classes: the
//! package's scripts (`pkg-template`) see to both.

#![allow(missing_debug_implementations, reason = "JavaScript prints its own")]

use wasm_bindgen::prelude::wasm_bindgen;

mod card_form;
mod card_part;
mod field_form;
#[cfg(remitkit_parts)]
mod heap;
mod host;
mod journal;
mod options;
mod part;
mod push_to_card;
mod remit_kit;
mod transfer_attempt;
mod transfer_part;
mod value;

/// Types that the signatures of the exports name, for a module that is built without the package around it.
#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = concat!(include_str!("types.d.ts"), include_str!("records.d.ts"));

pub use card_form::CardForm;
pub use field_form::FieldForm;
pub use host::Host;
pub use push_to_card::PushToCard;
pub use remit_kit::RemitKit;
pub use transfer_attempt::TransferAttempt;

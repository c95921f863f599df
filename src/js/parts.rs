//! The part of the module for fields and transfers.

use wasm_bindgen::JsValue;

use crate::api::part::part;
use crate::api::{Error, FieldForm, FieldProblem};
use crate::browser::{JsStore, LocalJournal, matches_pattern, now_ms, open_session_journal};
use crate::client::{Journal, MemoryJournal, date_of};

/// What the part for fields and transfers has.
pub(super) struct TransferPart {
    pub(super) open_journal: fn(JsValue) -> Box<dyn Journal>,
    pub(super) requires_card: fn(&FieldForm) -> bool,
    pub(super) check: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
    pub(super) to_fields: fn(&FieldForm, &str) -> Result<String, Error>,
    pub(super) warnings: fn(&FieldForm, &str) -> Result<Vec<FieldProblem>, Error>,
}

part! {
    "transfer", "7a5c",
    pub(super) fn transfer_part() -> TransferPart {
        TransferPart {
            open_journal,
            requires_card: FieldForm::requires_card,
            check: |form, values| form.check(values, &date_of(now_ms()), &matches_pattern),
            to_fields: |form, values| form.to_fields(values, &matches_pattern),
            warnings: |form, values| form.warnings(values, &matches_pattern),
        }
    }
}

/// Opens the journal that the page has chosen: `session`, `local`, `memory`, or its own store.
fn open_journal(chosen: JsValue) -> Box<dyn Journal> {
    match chosen {
        store if store.is_object() => Box::new(LocalJournal::over(JsStore::from(store))),
        name if name == "memory" => Box::new(MemoryJournal::default()),
        name if name == "local" => Box::new(LocalJournal::open()),
        _ => open_session_journal(),
    }
}

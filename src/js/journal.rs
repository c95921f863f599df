use wasm_bindgen::JsValue;

use crate::browser::{JsStore, LocalJournal, open_session_journal};
use crate::client::{Journal, MemoryJournal};

/// Opens the journal that the page has chosen: `session`, `local`, `memory`, or its own store.
pub(super) fn open(chosen: JsValue) -> Box<dyn Journal> {
    match chosen {
        store if store.is_object() => Box::new(LocalJournal::over(JsStore::from(store))),
        name if name == "memory" => Box::new(MemoryJournal::default()),
        name if name == "local" => Box::new(LocalJournal::open()),
        _ => open_session_journal(),
    }
}

use super::host::Host;
use crate::browser::{JsStore, StoreJournal, open_local_journal, open_session_journal};
use crate::client::{Journal, MemoryJournal};

/// Opens the journal that the page has chosen.
pub(super) fn open_journal(host: &Host) -> Box<dyn Journal> {
    match host.journal() {
        store if store.is_object() => Box::new(StoreJournal::of(JsStore::from(store))),
        name if name == "memory" => Box::new(MemoryJournal::default()),
        name if name == "local" => open_local_journal(),
        _ => open_session_journal(),
    }
}

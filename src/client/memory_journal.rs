use std::cell::RefCell;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, ready};

use super::Journal;
use crate::api::Error;
use crate::api::opaque::opaque_debug;

/// A journal in memory, which ends with the page. It has few entries, so a list will do.
#[derive(Default)]
pub struct MemoryJournal(RefCell<Vec<(String, String)>>);

opaque_debug!([] MemoryJournal);

impl Journal for MemoryJournal {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        let entries = self.0.borrow();
        let found = entries.iter().find(|(name, _)| name == key).map(|(_, text)| text.clone());
        ready(Ok(found)).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let mut entries = self.0.borrow_mut();
        entries.retain(|(name, _)| name != key);
        entries.push((key.to_owned(), text.to_owned()));
        ready(Ok(())).boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.0.borrow_mut().retain(|(name, _)| name != key);
        ready(Ok(())).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        ready(Ok(self.0.borrow().iter().map(|(name, _)| name.clone()).collect())).boxed_local()
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[test]
    fn a_text_replaces_that_of_its_key_alone() {
        let journal = MemoryJournal::default();
        let now = |work: LocalBoxFuture<'_, Result<(), Error>>| work.now_or_never().unwrap().unwrap();
        for (key, text) in [("one", "1"), ("other", "2"), ("one", "3")] {
            now(journal.save(key, text));
        }
        let keys = || journal.keys().now_or_never().unwrap().unwrap();
        let load = |key| journal.load(key).now_or_never().unwrap().unwrap();
        assert_eq!(keys(), ["other", "one"]);
        assert_eq!((load("one").as_deref(), load("other").as_deref()), (Some("3"), Some("2")));
        now(journal.remove("other"));
        assert_eq!(keys(), ["one"]);
    }
}

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

use std::cell::RefCell;
use std::collections::BTreeMap;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, ready};

use super::Journal;
use crate::api::Error;

/// A journal in memory, which ends with the page.
#[derive(Default)]
pub struct MemoryJournal(RefCell<BTreeMap<String, String>>);

impl Journal for MemoryJournal {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        ready(Ok(self.0.borrow().get(key).cloned())).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.0.borrow_mut().insert(key.to_owned(), text.to_owned());
        ready(Ok(())).boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.0.borrow_mut().remove(key);
        ready(Ok(())).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        ready(Ok(self.0.borrow().keys().cloned().collect())).boxed_local()
    }
}

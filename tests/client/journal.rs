// A journal that can fail, shared by the tabs of a test with its locks.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, pending};
use remitkit::api::Error;
use remitkit::client::Journal;
use tokio::sync::{Mutex, OwnedMutexGuard};

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) entries: RefCell<BTreeMap<String, String>>,
    pub(crate) is_broken: Cell<bool>,
    /// How many of the next saves fail.
    pub(crate) failing_saves: Cell<u32>,
    /// Whether it never answers.
    pub(crate) hangs: Cell<bool>,
    /// How long a save takes.
    pub(crate) save_delay: Cell<Duration>,
    pub(crate) locks: RefCell<BTreeMap<String, Arc<Mutex<()>>>>,
}

impl Store {
    pub(crate) async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = self.locks.borrow_mut().entry(name.to_owned()).or_default().clone();
        lock.lock_owned().await
    }

    async fn answer<T>(&self, value: T) -> Result<T, Error> {
        if self.hangs.get() {
            return pending().await;
        }
        if self.is_broken.get() {
            Err(Error::configuration("journal", "a store that works"))
        } else {
            Ok(value)
        }
    }
}

impl Journal for Store {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        self.answer(self.entries.borrow().get(key).cloned()).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        async move {
            if !self.save_delay.get().is_zero() {
                tokio::time::sleep(self.save_delay.get()).await;
            }
            if let Some(left) = self.failing_saves.get().checked_sub(1) {
                self.failing_saves.set(left);
                return Err(Error::configuration("journal", "a store with room"));
            }
            if !self.is_broken.get() {
                self.entries.borrow_mut().insert(key.to_owned(), text.to_owned());
            }
            self.answer(()).await
        }
        .boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.entries.borrow_mut().remove(key);
        self.answer(()).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        self.answer(self.entries.borrow().keys().cloned().collect()).boxed_local()
    }
}

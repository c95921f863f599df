use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, pending, ready};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::api::opaque::opaque_debug;
use crate::api::{Code, Error};
use crate::client::Journal;

type Locks = RefCell<BTreeMap<String, Arc<Mutex<()>>>>;

/// A journal in memory that can fail, and the locks of the pages that share it.
#[derive(Default)]
pub struct ScriptedJournal {
    /// The texts by their keys.
    pub entries: RefCell<BTreeMap<String, String>>,
    /// Whether every use fails.
    pub is_broken: Cell<bool>,
    /// How many of the next saves fail.
    pub failing_saves: Cell<u32>,
    /// Decides on each use, of any kind, whether it fails.
    pub on_use: RefCell<Option<Box<dyn Fn() -> bool>>>,
    /// Whether it never answers.
    pub hangs: Cell<bool>,
    /// How long a save takes.
    pub save_delay: Cell<Duration>,
    locks: RefCell<Rc<Locks>>,
}

opaque_debug!([] ScriptedJournal);

impl ScriptedJournal {
    /// Uses the locks of another journal from now on, as the tabs of one browser do.
    pub fn share_locks(&self, other: &ScriptedJournal) {
        self.locks.replace(Rc::clone(&other.locks.borrow()));
    }

    /// Acquires the lock of this name.
    pub async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = self.locks.borrow().borrow_mut().entry(name.to_owned()).or_default().clone();
        lock.lock_owned().await
    }

    /// Frees all locks, whoever holds them.
    pub fn free_locks(&self) {
        self.locks.borrow().take();
    }

    async fn answer<T>(&self, value: T) -> Result<T, Error> {
        if self.hangs.get() {
            return pending().await;
        }
        if self.is_broken.get() { Err(failed()) } else { Ok(value) }
    }

    fn fails_now(&self) -> bool {
        self.on_use.borrow().as_ref().is_some_and(|fails| fails())
    }
}

/// Returns the error of a browser's journal that failed.
fn failed() -> Error {
    Error::new(Code::JournalUnavailable).with_option("journal")
}

impl Journal for ScriptedJournal {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        if self.fails_now() {
            return ready(Err(failed())).boxed_local();
        }
        self.answer(self.entries.borrow().get(key).cloned()).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        async move {
            if !self.save_delay.get().is_zero() {
                tokio::time::sleep(self.save_delay.get()).await;
            }
            if let Some(left) = self.failing_saves.get().checked_sub(1) {
                self.failing_saves.set(left);
                return Err(failed());
            }
            if self.fails_now() {
                return Err(failed());
            }
            if !self.is_broken.get() {
                self.entries.borrow_mut().insert(key.to_owned(), text.to_owned());
            }
            self.answer(()).await
        }
        .boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        if self.fails_now() {
            return ready(Err(failed())).boxed_local();
        }
        self.entries.borrow_mut().remove(key);
        self.answer(()).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        if self.fails_now() {
            return ready(Err(failed())).boxed_local();
        }
        self.answer(self.entries.borrow().keys().cloned().collect()).boxed_local()
    }
}

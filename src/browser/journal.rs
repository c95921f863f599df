use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, ready};
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use super::global::global;
use crate::api::opaque::opaque_debug;
use crate::api::{Code, Error};
use crate::client::Journal;

/// A journal in `sessionStorage`, which outlives a reload of the tab.
pub struct SessionJournal(web_sys::Storage);

opaque_debug!([] SessionJournal);

impl SessionJournal {
    /// Opens the tab's storage; `None` if there is none, or the customer's settings forbid it.
    #[must_use]
    pub fn open() -> Option<Self> {
        global("sessionStorage").map(|storage| SessionJournal(storage.unchecked_into()))
    }
}

impl Journal for SessionJournal {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        done(self.0.get_item(key).map_err(|_| failed()))
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        done(self.0.set_item(key, text).map_err(|_| failed()))
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        done(self.0.remove_item(key).map_err(|_| failed()))
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        let length = self.0.length().map_err(|_| failed());
        done(length.map(|length| (0..length).filter_map(|i| self.0.key(i).ok().flatten()).collect()))
    }
}

#[wasm_bindgen(module = "/src/browser/local-journal.js")]
extern "C" {
    /// A store of JavaScript: `get(key)`, `set(key, text)`, `delete(key)` and `keys()` return promises, which
    /// reject with a code or with anything else.
    pub(crate) type JsStore;
    #[wasm_bindgen(js_name = localJournal)]
    fn local_journal(name: &str) -> JsStore;
    #[wasm_bindgen(method)]
    fn get(this: &JsStore, key: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn set(this: &JsStore, key: &str, text: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn delete(this: &JsStore, key: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn keys(this: &JsStore) -> Promise;
}

/// The name of the database in IndexedDB.
const DATABASE: &str = "remitkit";
/// Enough for the longest body, escaped twice, with its envelope.
const MAX_ENTRY_LENGTH: u32 = 4_000_000;

/// A journal in IndexedDB, which all tabs of the origin share and which survives a crash of the browser. The
/// npm package's journal `"local"` is the same database. Where the customer's settings forbid one, it is the
/// page's memory.
pub struct LocalJournal(JsStore);

opaque_debug!([] LocalJournal);

impl LocalJournal {
    /// Opens the journal.
    #[must_use]
    pub fn open() -> Self {
        LocalJournal(local_journal(DATABASE))
    }

    /// Uses the page's own store in place of the database.
    #[cfg(feature = "js")]
    pub(crate) fn over(store: JsStore) -> Self {
        LocalJournal(store)
    }
}

impl Journal for LocalJournal {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        async move {
            let found = self.0.get(key).await.map_err(error_of)?;
            if found.is_null() || found.is_undefined() {
                return Ok(None);
            }
            let text = found.dyn_ref::<js_sys::JsString>().ok_or_else(no_store)?;
            // No more than this package can have written is copied: an entry without its text is damaged.
            Ok(Some(if text.length() <= MAX_ENTRY_LENGTH { text.into() } else { String::new() }))
        }
        .boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        settled(self.0.set(key, text))
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        settled(self.0.delete(key))
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        async {
            let keys: Array = self.0.keys().await.map_err(error_of)?.unchecked_into();
            Ok(keys.iter().filter_map(|key| key.as_string()).collect())
        }
        .boxed_local()
    }
}

fn settled<'a>(work: Promise) -> LocalBoxFuture<'a, Result<(), Error>> {
    async { work.await.map(drop).map_err(error_of) }.boxed_local()
}

fn done<'a, T: 'a>(value: T) -> LocalBoxFuture<'a, T> {
    ready(value).boxed_local()
}

/// The error of a journal that failed: an attempt that is not in the journal is not sent.
fn failed() -> Error {
    Error::new(Code::JournalUnavailable)
        .with_option("journal")
        .with_developer_message("The journal failed; nothing more was sent.")
}

/// The error of a page's store that is none.
fn no_store() -> Error {
    Error::configuration("journal", "a store of texts; this one failed, so nothing more was sent")
}

fn error_of(thrown: JsValue) -> Error {
    match thrown.as_string() {
        Some(code) if code == Code::InvalidConfiguration.as_str() => no_store(),
        _ => failed(),
    }
}

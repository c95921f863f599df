use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, ready};

use crate::api::{Code, Error};
use crate::client::Journal;

/// A journal in `sessionStorage`, which outlives a reload of the tab.
pub struct SessionJournal(web_sys::Storage);

impl SessionJournal {
    /// Opens the tab's storage; `None` if there is none, or the customer's settings forbid it.
    #[must_use]
    pub fn open() -> Option<Self> {
        web_sys::window()?.session_storage().ok()?.map(SessionJournal)
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

fn done<'a, T: 'a>(value: T) -> LocalBoxFuture<'a, T> {
    ready(value).boxed_local()
}

/// The error of a journal that failed: an attempt that is not in the journal is not sent.
pub(crate) fn failed() -> Error {
    Error::new(Code::JournalUnavailable)
        .of_option("journal")
        .saying("The journal failed; nothing more was sent.")
}

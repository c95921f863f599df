use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};

use super::Platform;
use super::call_context::Cancellation;
use super::journal::Entry;
use super::known_attempts::KnownAttempts;
use super::quotes::SeenQuotes;
use super::retry::Budget;
use super::submission_run::Run;
use super::tokens::Tokens;
use crate::api::{Address, FieldForm, Nonce, SenderId, date_of};

/// The configuration of a [`Client`](super::Client).
pub(crate) struct Options {
    /// The service's address, to which paths such as `/v1/quote` are appended.
    pub(crate) base_url: Address,
    /// The `Accept-Language` of localized operations.
    pub(crate) locale: String,
    /// How long nothing of a reply may arrive before an attempt ends.
    pub(crate) timeout_ms: u32,
    /// The sender of the tokens, if the page knows it; otherwise the client asks the service.
    pub(crate) sender_id: Option<SenderId>,
}

/// The state that all calls of a client share: its token, its retry budget, the quotes it received.
pub(super) struct ClientCore {
    pub(super) platform: Rc<dyn Platform>,
    pub(super) options: Options,
    pub(super) tokens: Tokens,
    pub(super) budget: RefCell<Budget>,
    pub(super) quotes: RefCell<SeenQuotes>,
    pub(super) attempts: RefCell<KnownAttempts>,
    /// The latest nonces that were fetched, of attempts that are still being prepared too.
    pub(super) nonces: RefCell<Vec<Nonce>>,
    /// The last forms of a recipient and of an account.
    pub(super) forms: [RefCell<Option<FieldForm>>; 2],
    /// The paths of deletions whose outcome is unknown.
    pub(super) open_deletions: RefCell<Vec<String>>,
    /// The submissions in progress.
    pub(super) runs: RefCell<Vec<Rc<Run>>>,
    /// Ends what goes on without a caller.
    pub(super) closing: Cancellation,
}

impl ClientCore {
    pub(super) fn new(platform: Rc<dyn Platform>, options: Options) -> Self {
        ClientCore {
            platform,
            options,
            tokens: Tokens::default(),
            budget: RefCell::default(),
            quotes: RefCell::default(),
            attempts: RefCell::default(),
            nonces: RefCell::default(),
            forms: Default::default(),
            open_deletions: RefCell::default(),
            runs: RefCell::default(),
            closing: Cancellation::new(),
        }
    }

    /// Waits for the work for a limited time; `None` if it takes longer.
    pub(super) async fn in_time<T>(&self, ms: u32, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(work), self.platform.sleep(ms)).await {
            Either::Left((done, _)) => Some(done),
            Either::Right(_) => None,
        }
    }

    /// Returns the service's address, which identifies it.
    pub(super) fn service(&self) -> String {
        self.options.base_url.join("")
    }

    pub(super) fn note_attempt(&self, entry: &Entry) {
        self.attempts.borrow_mut().note(entry, self.platform.now_ms(), self.platform.elapsed_ms());
    }

    /// Returns today's date, `YYYY-MM-DD` in UTC.
    pub(super) fn today(&self) -> String {
        date_of(self.platform.now_ms())
    }
}

use std::cell::OnceCell;

use async_trait::async_trait;
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt, TryFutureExt};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::lock::PageLock;
use super::time::{now, now_ms, parse_time_ms};
use super::{SessionJournal, cause, fetch, timer};
use crate::api::opaque::opaque_debug;
use crate::api::{Error, Request, TokenReply};
use crate::client::{Journal, Lock, MemoryJournal, Platform, SendResult, TimeLimits, Trace};

#[wasm_bindgen(module = "/src/browser/pattern.js")]
extern "C" {
    #[wasm_bindgen(js_name = matches)]
    pub(crate) fn matches_pattern(pattern: &str, text: &str) -> Option<bool>;
}

type TokenSource = Box<dyn Fn() -> LocalBoxFuture<'static, Result<String, Error>>>;
type Opener = Box<dyn Fn() -> Box<dyn Journal>>;
type Watcher = Box<dyn Fn(Trace<'_>)>;

/// The platform of a client in a browser; in a worker and in Node too, where these APIs exist.
pub struct Browser {
    token: TokenSource,
    open_journal: Opener,
    journal: OnceCell<Box<dyn Journal>>,
    watcher: Option<Watcher>,
}

opaque_debug!([] Browser);

impl Browser {
    /// Creates a platform with a token source, which returns a [`SenderToken`](crate::api::SenderToken) or the
    /// token endpoint's reply as JSON text. Attempts are stored in `sessionStorage`, or in memory where the
    /// customer's settings forbid that.
    #[must_use]
    pub fn new<F, T>(token: impl Fn() -> F + 'static) -> Self
    where
        F: Future<Output = Result<T, Error>> + 'static,
        T: Into<TokenReply>,
    {
        let json = move || token().map_ok(|reply| reply.into().into());
        Self::with_opener(json, open_session_journal)
    }

    /// Creates a platform whose journal is opened when it is first used.
    pub(crate) fn with_opener<F: Future<Output = Result<String, Error>> + 'static>(
        token: impl Fn() -> F + 'static,
        open_journal: impl Fn() -> Box<dyn Journal> + 'static,
    ) -> Self {
        let (open_journal, journal): (Opener, _) = (Box::new(open_journal), OnceCell::new());
        Browser { token: Box::new(move || token().boxed_local()), open_journal, journal, watcher: None }
    }

    /// Sets another journal of transfer attempts.
    #[must_use]
    pub fn with_journal(self, journal: impl Journal + 'static) -> Self {
        let journal: Box<dyn Journal> = Box::new(journal);
        Browser { journal: OnceCell::from(journal), ..self }
    }

    /// Sets a function that takes the trace of what was sent.
    #[must_use]
    pub fn with_watcher(self, watcher: impl Fn(Trace<'_>) + 'static) -> Self {
        Browser { watcher: Some(Box::new(watcher)), ..self }
    }
}

/// Opens the tab's journal, or one in memory where the customer's settings forbid that.
pub(crate) fn open_session_journal() -> Box<dyn Journal> {
    match SessionJournal::open() {
        Some(journal) => Box::new(journal),
        None => Box::new(MemoryJournal::default()),
    }
}

/// The abort signal of a call, if it has one.
#[derive(Clone, Debug, Default)]
pub struct Signal(Option<AbortSignal>);

impl From<Option<AbortSignal>> for Signal {
    fn from(signal: Option<AbortSignal>) -> Self {
        Signal(signal)
    }
}

impl From<AbortSignal> for Signal {
    fn from(signal: AbortSignal) -> Self {
        Signal(Some(signal))
    }
}

impl From<&AbortSignal> for Signal {
    fn from(signal: &AbortSignal) -> Self {
        Signal(Some(signal.clone()))
    }
}

#[async_trait(?Send)]
impl Platform for Browser {
    type Signal = Signal;

    async fn fetch(&self, url: &str, request: &Request, bearer: &str, limits: TimeLimits) -> SendResult {
        fetch::send(url, request, bearer, limits).await
    }

    async fn token(&self) -> Result<String, Error> {
        (self.token)().await
    }

    async fn sleep(&self, ms: u32) {
        timer::sleep(ms).await;
    }

    async fn aborted(&self, signal: &Signal) {
        match &signal.0 {
            Some(signal) => timer::aborted(signal).await,
            None => std::future::pending().await,
        }
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        signal.0.as_ref().is_some_and(AbortSignal::aborted)
    }

    fn journal(&self) -> &dyn Journal {
        &**self.journal.get_or_init(&self.open_journal)
    }

    async fn lock(&self, name: &str) -> Lock {
        Lock::new(PageLock::acquire(name).await)
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        cause::spawn(work);
    }

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn elapsed_ms(&self) -> u64 {
        now() as u64
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        matches_pattern(pattern, text)
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        parse_time_ms(iso)
    }

    fn may_be_cached(&self) -> bool {
        fetch::may_be_cached()
    }

    fn trace(&self, entry: Trace<'_>) {
        if let Some(watcher) = &self.watcher {
            watcher(entry);
        }
    }
}

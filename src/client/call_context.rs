//! The state of one call, and the waits that it may end early.

use std::pin::pin;

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable, Either, Pending, Shared, pending, select};

use super::journal::AttemptId;
use super::platform::Lock;
use super::tokens::{Owner, SOURCE_TIMEOUT_MS};
use super::{ClientCore, SendFailure, SendResult, TimeLimits};
use crate::api::{Code, Error, Request};

/// The request to end a call early: its caller has aborted, or nobody waits for a submission any more.
#[derive(Clone)]
pub(super) struct Cancellation {
    handle: AbortHandle,
    requested: Shared<Abortable<Pending<()>>>,
}

impl Cancellation {
    pub(super) fn new() -> Self {
        let (handle, registration) = AbortHandle::new_pair();
        Cancellation { handle, requested: Abortable::new(pending(), registration).shared() }
    }

    pub(super) fn request(&self) {
        self.handle.abort();
    }

    pub(super) fn is_requested(&self) -> bool {
        self.handle.is_aborted()
    }
}

/// The context of a call: its client, what ends it early, and the sender whose tokens it uses.
#[derive(Clone)]
pub(super) struct CallContext {
    pub(super) core: ClientCore,
    /// `None` for what goes on after an abort.
    cancellation: Option<Cancellation>,
    /// When the call has to end, by the monotonic clock.
    ends_at_ms: u64,
    /// The sender whose tokens to use; `None` allows any.
    pub(super) sender: Option<Owner>,
}

impl CallContext {
    pub(super) fn new(core: ClientCore, cancellation: Option<Cancellation>) -> Self {
        CallContext { core, cancellation, ends_at_ms: u64::MAX, sender: None }
    }

    /// Returns a context that uses this sender's tokens alone.
    pub(super) fn for_sender(&self, sender: Option<Owner>) -> Self {
        CallContext { sender, ..self.clone() }
    }

    /// Returns a context that no caller ends, only the client's own end.
    pub(super) fn uncancellable(&self) -> Self {
        CallContext { cancellation: Some(self.core.0.closing.clone()), ..self.clone() }
    }

    /// Returns a context with a deadline. A last wait for the token source or the journal may exceed it
    /// by 30 seconds.
    pub(super) fn with_deadline(&self) -> Self {
        let ends_at_ms = self.core.elapsed_ms() + u64::from(self.core.timeout_ms().max(30_000));
        CallContext { ends_at_ms, ..self.clone() }
    }

    /// Whether the caller has aborted, or nobody waits for the submission any more.
    pub(super) fn caller_cancelled(&self) -> bool {
        self.cancellation.as_ref().is_some_and(Cancellation::is_requested)
    }

    /// Whether the call is to end now: by its caller, or by its deadline.
    pub(super) fn is_aborted(&self) -> bool {
        self.caller_cancelled() || self.before_deadline(u32::MAX) == 0
    }

    /// Cuts a duration to what is left until the deadline.
    fn before_deadline(&self, ms: u32) -> u32 {
        let left_ms = self.ends_at_ms.saturating_sub(self.core.elapsed_ms());
        u32::try_from(left_ms).map_or(ms, |left_ms| left_ms.min(ms))
    }

    /// Waits until the caller aborts, perhaps forever.
    async fn cancelled(&self) {
        match &self.cancellation {
            Some(cancellation) => drop(cancellation.requested.clone().await),
            None => pending().await,
        }
    }

    /// Waits for the work, or returns `None` as soon as the caller aborts: the work is dropped then.
    pub(super) async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(self.cancelled()), pin!(work)).await {
            Either::Left(_) => None,
            Either::Right((done, _)) => Some(done),
        }
    }

    pub(super) async fn wait(&self, ms: u32) {
        self.unless_cancelled(self.core.0.platform.sleep(self.before_deadline(ms))).await;
    }

    /// Sends a request once.
    pub(super) async fn fetch(
        &self,
        url: &str,
        request: &Request,
        bearer: &str,
        limits: TimeLimits,
    ) -> SendResult {
        let [idle_ms, total_ms] = [limits.idle_ms, limits.total_ms].map(|ms| self.before_deadline(ms));
        let limits = TimeLimits { idle_ms, total_ms };
        let answer = self.core.0.platform.fetch(url, request, bearer, limits);
        self.unless_cancelled(answer).await.unwrap_or(Err(SendFailure::Aborted))
    }

    /// Acquires a lock; `None` if that takes too long, or the caller aborts.
    pub(super) async fn lock(&self, name: &str, ms: u32) -> Option<Lock> {
        let lock = self.core.0.platform.lock(name);
        self.unless_cancelled(self.core.in_time(self.before_deadline(ms), lock)).await.flatten()
    }

    /// Waits for the journal, whatever the caller does: a write may be half done.
    pub(super) async fn journaled<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let done = self.core.in_time(SOURCE_TIMEOUT_MS, work).await;
        done.unwrap_or_else(|| {
            Err(Error::new(Code::JournalUnavailable)
                .with_option("journal")
                .with_developer_message("The journal did not answer in time."))
        })
    }

    /// Forgets a made transfer in the background.
    pub(super) fn forget_later(&self, id: &AttemptId) {
        let (context, id) = (CallContext::new(self.core.clone(), None), id.clone());
        self.core.0.platform.spawn(async move { drop(context.forget(&id).await) }.boxed_local());
    }
}

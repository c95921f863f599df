//! The state of one call, and the waits that it may end early.

use std::pin::pin;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{AbortHandle, Abortable, Either, LocalBoxFuture, Shared, pending, select};

use super::ClientCore;

/// The sender of a token; `None` if the service does not name it.
pub(super) type Owner = Option<Rc<str>>;

/// The request to end a call early: its caller has aborted, or nobody waits for a submission any more.
#[derive(Clone)]
pub(super) struct Cancellation {
    handle: AbortHandle,
    is_aborted: Rc<dyn Fn() -> bool>,
    requested: Shared<LocalBoxFuture<'static, ()>>,
}

impl Cancellation {
    pub(super) fn new() -> Self {
        Self::by_signal(|| false, pending())
    }

    /// Creates a cancellation that an abort signal requests.
    pub(super) fn by_signal(
        is_aborted: impl Fn() -> bool + 'static,
        aborted: impl Future<Output = ()> + 'static,
    ) -> Self {
        let (handle, registration) = AbortHandle::new_pair();
        let requested = Abortable::new(aborted, registration).map(drop).boxed_local().shared();
        Cancellation { handle, is_aborted: Rc::new(is_aborted), requested }
    }

    pub(super) fn request(&self) {
        self.handle.abort();
    }

    pub(super) fn is_requested(&self) -> bool {
        self.handle.is_aborted() || (self.is_aborted)()
    }
}

/// The context of a call: its client, what ends it early, and the sender whose tokens it uses.
#[derive(Clone)]
pub(crate) struct CallContext {
    pub(super) core: Rc<ClientCore>,
    /// `None` for what goes on after an abort.
    cancellation: Option<Cancellation>,
    /// When the call has to end, by the monotonic clock.
    ends_at_ms: u64,
    /// After what time it sends nothing more, by the page's clock.
    pub(super) sends_until_ms: Option<i64>,
    /// The sender whose tokens to use; `None` allows any.
    pub(super) sender: Option<Owner>,
}

impl CallContext {
    pub(super) fn new(core: Rc<ClientCore>, cancellation: Option<Cancellation>) -> Self {
        CallContext { core, cancellation, ends_at_ms: u64::MAX, sends_until_ms: None, sender: None }
    }

    /// Returns a context that uses this sender's tokens alone.
    pub(super) fn for_sender(&self, sender: Option<Owner>) -> Self {
        CallContext { sender, ..self.clone() }
    }

    /// Returns a context that no caller ends, only the client's own end.
    pub(super) fn uncancellable(&self) -> Self {
        CallContext { cancellation: Some(self.core.closing.clone()), ..self.clone() }
    }

    /// Returns a context with a deadline. A last wait for the token source or the journal may exceed it
    /// by 30 seconds.
    pub(super) fn with_deadline(&self) -> Self {
        let ends_at_ms =
            self.core.platform.elapsed_ms() + u64::from(self.core.options.timeout_ms.max(30_000));
        self.ending_at(ends_at_ms)
    }

    /// Returns a context with this deadline, by the monotonic clock.
    pub(super) fn ending_at(&self, ends_at_ms: u64) -> Self {
        CallContext { ends_at_ms, ..self.clone() }
    }

    /// Returns a context that sends nothing after this time.
    pub(super) fn sending_until(&self, sends_until_ms: Option<i64>) -> Self {
        CallContext { sends_until_ms, ..self.clone() }
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
    pub(super) fn before_deadline(&self, ms: u32) -> u32 {
        let left_ms = self.ends_at_ms.saturating_sub(self.core.platform.elapsed_ms());
        u32::try_from(left_ms).map_or(ms, |left_ms| left_ms.min(ms))
    }

    /// Waits until the caller aborts, perhaps forever.
    async fn cancelled(&self) {
        match &self.cancellation {
            Some(cancellation) => cancellation.requested.clone().await,
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
        self.unless_cancelled(self.core.platform.sleep(self.before_deadline(ms))).await;
    }
}

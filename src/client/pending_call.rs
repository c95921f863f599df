use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;

use super::Platform;
use crate::api::Error;
use crate::api::opaque::opaque_debug;

/// A call of the service. Nothing is sent before it is awaited; dropping it cancels the call.
///
/// ```
/// # use remitkit::{api::*, client::{Client, Platform}};
/// # async fn run<P: Platform>(
/// #     client: &Client<P>, request: &QuoteRequest, signal: P::Signal,
/// # ) -> Result<(), Error> {
/// let corridors = client.corridors(&CorridorFilter::default()).await?;
/// let quote = client.quote(request).with_signal(signal).await?;
/// # Ok(()) }
/// ```
#[must_use = "nothing is sent until the call is awaited"]
pub struct PendingCall<P: Platform, T> {
    signal: CallSignal<P>,
    work: LocalBoxFuture<'static, Result<T, Error>>,
}

/// The signal of a call, which its work reads once it runs.
pub(super) type CallSignal<P> = Rc<RefCell<<P as Platform>::Signal>>;

opaque_debug!([P: Platform, T] PendingCall<P, T>);

impl<P: Platform, T> PendingCall<P, T> {
    pub(super) fn new<F: Future<Output = Result<T, Error>> + 'static>(
        work: impl FnOnce(CallSignal<P>) -> F,
    ) -> Self {
        let signal = CallSignal::<P>::default();
        PendingCall { work: work(Rc::clone(&signal)).boxed_local(), signal }
    }

    /// Sets the abort signal, in a browser an `AbortSignal`, a reference to one, or an `Option`. An aborted
    /// call fails with the kind `aborted`; a transfer that may have been sent fails with `outcome_unknown`.
    pub fn with_signal(self, signal: impl Into<P::Signal>) -> Self {
        self.signal.replace(signal.into());
        self
    }
}

impl<P: Platform, T> Future for PendingCall<P, T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.work.poll_unpin(context)
    }
}

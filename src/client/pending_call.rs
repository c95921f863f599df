use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;

use super::Platform;
use crate::api::Error;
use crate::api::opaque::opaque_debug;

type Running<T> = LocalBoxFuture<'static, Result<T, Error>>;
type Work<P, T> = Box<dyn FnOnce(<P as Platform>::Signal) -> Running<T>>;

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
    signal: P::Signal,
    work: Option<Work<P, T>>,
    running: Option<Running<T>>,
}

opaque_debug!([P: Platform, T] PendingCall<P, T>);

// What runs is boxed.
impl<P: Platform, T> Unpin for PendingCall<P, T> {}

impl<P: Platform, T: 'static> PendingCall<P, T> {
    pub(super) fn new<F: Future<Output = Result<T, Error>> + 'static>(
        work: impl FnOnce(P::Signal) -> F + 'static,
    ) -> Self {
        let work: Work<P, T> = Box::new(move |signal| work(signal).boxed_local());
        PendingCall { signal: P::Signal::default(), work: Some(work), running: None }
    }

    /// Sets the abort signal, in a browser an `AbortSignal`, a reference to one, or an `Option`. An aborted
    /// call fails with the kind `aborted`; a transfer that may have been sent fails with `outcome_unknown`.
    pub fn with_signal(self, signal: impl Into<P::Signal>) -> Self {
        PendingCall { signal: signal.into(), ..self }
    }
}

impl<P: Platform, T> Future for PendingCall<P, T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(work) = self.work.take() {
            self.running = Some(work(self.signal.clone()));
        }
        self.running.as_mut().map_or(Poll::Pending, |running| running.poll_unpin(context))
    }
}

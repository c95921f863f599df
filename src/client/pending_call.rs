use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;

use super::Environment;
use crate::api::Error;

type Running<T> = LocalBoxFuture<'static, Result<T, Error>>;
type Work<E, T> = Box<dyn FnOnce(<E as Environment>::Signal) -> Running<T>>;

/// A call of the service. Nothing is sent before it is awaited; dropping it cancels the call.
///
/// ```
/// # use remitkit::{api::*, client::{Client, Environment}};
/// # async fn run<E: Environment>(
/// #     client: &Client<E>, request: &QuoteRequest, signal: &E::Signal,
/// # ) -> Result<(), Error> {
/// let corridors = client.corridors().await?;
/// let quote = client.quote(request).with_signal(signal).await?;
/// # Ok(()) }
/// ```
#[must_use = "nothing is sent until the call is awaited"]
pub struct PendingCall<E: Environment, T> {
    signal: E::Signal,
    work: Option<Work<E, T>>,
    running: Option<Running<T>>,
}

// What runs is boxed.
impl<E: Environment, T> Unpin for PendingCall<E, T> {}

impl<E: Environment, T: 'static> PendingCall<E, T> {
    pub(super) fn new<F: Future<Output = Result<T, Error>> + 'static>(
        work: impl FnOnce(E::Signal) -> F + 'static,
    ) -> Self {
        let work: Work<E, T> = Box::new(move |signal| work(signal).boxed_local());
        PendingCall { signal: E::Signal::default(), work: Some(work), running: None }
    }

    /// Sets the abort signal, such as an `AbortSignal` in a browser. An aborted call fails with the kind
    /// `aborted`; a transfer that may have been sent fails with `outcome_unknown`.
    pub fn with_signal(self, signal: &E::Signal) -> Self {
        PendingCall { signal: signal.clone(), ..self }
    }
}

impl<E: Environment, T> Future for PendingCall<E, T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(work) = self.work.take() {
            self.running = Some(work(self.signal.clone()));
        }
        self.running.as_mut().map_or(Poll::Pending, |running| running.poll_unpin(context))
    }
}

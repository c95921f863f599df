use futures_util::future::LocalBoxFuture;

use super::Journal;
use crate::api::{Error, Request};

/// What the client needs of its surroundings: a transport, a clock, a token source, a journal. A browser is
/// one; tests are another.
#[allow(async_fn_in_trait, reason = "everything runs on one thread")]
pub trait Environment: 'static {
    /// What ends a call early.
    type Signal: Clone + 'static;

    /// What [`lock`](Environment::lock) gives: dropped, it lets the next page in.
    type Lock: 'static;

    /// Sends a request once and waits at most `timeout_ms` for the whole reply. Follows no redirect: it would
    /// hand the token, or a second copy of a POST, to someone else.
    async fn send(
        &self,
        url: &str,
        request: &Request,
        bearer: &str,
        timeout_ms: u32,
    ) -> Result<Answer, SendFailure>;

    /// Asks the token source. Gives what it answered as JSON text.
    async fn token(&self) -> Result<String, Error>;

    /// Waits.
    async fn sleep(&self, ms: u32);

    /// Waits until the signal ends the call, perhaps forever.
    async fn aborted(&self, signal: &Self::Signal);

    /// Whether the signal has ended the call.
    fn is_aborted(&self, signal: &Self::Signal) -> bool;

    /// A signal that never ends a call.
    fn never(&self) -> Self::Signal;

    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Milliseconds since any time, by a clock that nobody sets.
    fn elapsed_ms(&self) -> u64;

    /// From 0 to 1.
    fn random(&self) -> f64;

    /// Whether the text matches the service's pattern; `None` if that cannot be told.
    fn matches(&self, pattern: &str, text: &str) -> Option<bool>;

    /// Where transfer attempts are kept.
    fn journal(&self) -> &dyn Journal;

    /// Waits until no other page, nor any other client of this one, holds this name. To drop the future is to
    /// stop waiting. Where the host has no locks across pages, the clients of this one must wait for each
    /// other all the same, or one could send what another drops; between pages the service's own uniqueness
    /// holds.
    async fn lock(&self, name: &str) -> Self::Lock;

    /// Works on without being waited for.
    fn spawn(&self, work: LocalBoxFuture<'static, ()>);

    /// Milliseconds since 1970 of a time in ISO 8601.
    fn parse_time_ms(&self, iso: &str) -> Option<u64>;

    /// Takes notice of what was sent. Holds no token, no body and no query.
    fn trace(&self, _entry: Trace<'_>) {}
}

/// A reply, whatever its status.
#[derive(Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The service's trace id.
    pub request_id: Option<String>,
    /// How many seconds to wait before the next attempt.
    pub retry_after_s: Option<u32>,
    /// The body, unless bytes were asked for and sent.
    pub text: String,
    /// The body, where bytes were asked for and the status is a success.
    pub bytes: Vec<u8>,
    /// The type of the body.
    pub content_type: Option<String>,
}

/// Why there is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendFailure {
    /// The network, or the browser, refused it or lost it.
    Network,
    /// No whole reply in time.
    Timeout,
    /// The caller's signal ended it.
    Aborted,
    /// The page's own content security policy kept it back: it was certainly not sent.
    Blocked,
}

/// An attempt that was made, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'a> {
    /// The name of the operation.
    pub operation: &'a str,
    /// The HTTP method.
    pub method: &'a str,
    /// Which attempt it was, from 1.
    pub attempt: u32,
    /// The HTTP status; 0 if there was no reply.
    pub status: u16,
    /// How long it took.
    pub duration_ms: u64,
    /// The service's trace id.
    pub request_id: Option<&'a str>,
}

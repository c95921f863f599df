use std::any::Any;

use async_trait::async_trait;
use futures_util::future::LocalBoxFuture;
use serde::Serialize;

use super::Journal;
use crate::api::opaque::opaque_debug;
use crate::api::{Error, Request};

/// What a client needs of its surroundings: a transport, timers, a token source, a journal, clocks. A browser
/// is one; tests in virtual time are another. Implement it under `#[async_trait(?Send)]`, which makes it usable
/// as `dyn Platform`: the calls run over that, so that they are compiled once.
#[async_trait(?Send)]
pub trait Platform: 'static {
    /// An abort signal; the default is never aborted.
    type Signal: Clone + Default + 'static
    where
        Self: Sized;

    /// Sends a request once and waits for the whole reply within the limits; dropping the future aborts the
    /// request. Follows no redirect, which would pass the token, or a second copy of a POST, to another
    /// server.
    async fn fetch(&self, url: &str, request: &Request, bearer: &str, limits: TimeLimits) -> SendResult;

    /// Returns the reply of the token source as JSON text.
    async fn token(&self) -> Result<String, Error>;

    /// Waits.
    async fn sleep(&self, ms: u32);

    /// Waits until the signal is aborted, perhaps forever.
    async fn aborted(&self, signal: &Self::Signal)
    where
        Self: Sized;

    /// Whether the signal is aborted.
    fn is_aborted(&self, signal: &Self::Signal) -> bool
    where
        Self: Sized;

    /// Returns the journal of transfer attempts.
    fn journal(&self) -> &dyn Journal;

    /// Acquires the lock of this name; dropping the future cancels that. At most one page holds it, and one
    /// client within a page. Where there are no locks across pages, the clients of one page must still
    /// exclude each other, or one could send what another discards; between pages the service's own
    /// uniqueness holds.
    async fn lock(&self, name: &str) -> Lock;

    /// Runs the work in the background. It must not be polled before this returns.
    fn spawn(&self, work: LocalBoxFuture<'static, ()>);

    /// Returns the milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Returns the milliseconds since any moment, by a monotonic clock.
    fn elapsed_ms(&self) -> u64;

    /// Returns a random number from 0 to 1.
    fn random(&self) -> f64;

    /// Whether the text matches the service's pattern; `None` if that cannot be determined.
    fn matches(&self, _pattern: &str, _text: &str) -> Option<bool> {
        None
    }

    /// Parses a time in ISO 8601 to milliseconds since 1970. One without a zone is UTC.
    fn parse_time_ms(&self, _iso: &str) -> Option<u64> {
        None
    }

    /// Whether a service worker or another cache may answer a read in the service's place.
    fn may_be_cached(&self) -> bool {
        false
    }

    /// Takes an entry of the trace. It contains no token, no body and no query.
    fn trace(&self, _entry: Trace<'_>) {}
}

/// A lock of any platform, released when dropped.
#[must_use = "it is released when dropped"]
pub struct Lock(#[expect(dead_code, reason = "held until it is dropped")] Box<dyn Any>);

opaque_debug!([] Lock);

impl Lock {
    /// Holds what releases the lock when dropped.
    pub fn new(lock: impl Any) -> Self {
        Lock(Box::new(lock))
    }
}

/// How long to wait for a reply. On a slow line one that goes on arriving is worth more than another request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// How long nothing of it may arrive, in milliseconds.
    pub idle_ms: u32,
    /// How long all of it may take, in milliseconds.
    pub total_ms: u32,
}

/// A reply of any status.
#[derive(Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The service's trace id.
    pub request_id: Option<String>,
    /// The `Retry-After` in seconds.
    pub retry_after_s: Option<u32>,
    /// The body, unless bytes were requested and sent.
    pub text: String,
    /// The body, if bytes were requested and the status is a success.
    pub bytes: Vec<u8>,
    /// The content type.
    pub content_type: Option<String>,
    /// The address that it came from, where that is not the one it was requested from: an earlier request's,
    /// if a cache answered.
    pub url: Option<String>,
}

opaque_debug!([] Answer);

/// The result of sending a request once.
pub type SendResult = Result<Answer, SendFailure>;

/// Why there is no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SendFailure {
    /// The network or the browser failed.
    Network,
    /// Nothing more of the reply arrived in time, or it took too long in all.
    Timeout,
    /// The caller aborted: the client reports this, no platform does.
    Aborted,
    /// The page's content security policy blocked the request: it was certainly not sent.
    Blocked,
    /// The page has replaced `fetch` by something that throws, or gives no readable `Response`. The request
    /// may have been sent.
    Faulty,
    /// There is no `fetch`: the request was certainly not sent.
    Missing,
    /// The reply is longer than the platform reads.
    TooLong,
}

/// An entry of the trace: one attempt of a request.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace<'a> {
    /// The name of the operation.
    pub operation: &'a str,
    /// The HTTP method.
    pub method: &'a str,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// The HTTP status; 0 if there was no reply.
    pub status: u16,
    /// The duration.
    pub duration_ms: u64,
    /// The service's trace id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<&'a str>,
}

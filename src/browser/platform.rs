use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::engine::{EngineResult, begin, may_be_cached};
use super::{Lock, SessionJournal};
use crate::api::{Error, Request};
use crate::client::{Answer, Journal, MemoryJournal, Platform, SendFailure, SendResult, Trace};

#[wasm_bindgen(module = "/src/browser/pattern.js")]
extern "C" {
    pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool>;
}

#[wasm_bindgen(module = "/src/browser/engine.js")]
extern "C" {
    #[wasm_bindgen(js_name = timeOf)]
    fn time_of(date: &str) -> f64;

    /// Whether the text is a CSS colour for the engine (see [`IsColor`](crate::card::IsColor)).
    #[must_use]
    #[wasm_bindgen(js_name = isColor)]
    pub fn is_color(text: &str) -> bool;
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Date)]
    fn now() -> f64;

    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn elapsed() -> f64;
}

type TokenSource = Box<dyn Fn() -> LocalBoxFuture<'static, Result<String, Error>>>;
type Watcher = Box<dyn Fn(Trace<'_>)>;

/// The platform of a client in a browser; in a worker and in Node too, where these APIs exist.
pub struct Browser {
    token: TokenSource,
    journal: Box<dyn Journal>,
    watcher: Option<Watcher>,
}

impl Browser {
    /// Creates a platform with a token source, which returns the token endpoint's reply as JSON text.
    /// Attempts are stored in `sessionStorage`, or in memory where the customer's settings forbid that.
    #[must_use]
    pub fn new<F: Future<Output = Result<String, Error>> + 'static>(token: impl Fn() -> F + 'static) -> Self {
        let journal: Box<dyn Journal> = match SessionJournal::open() {
            Some(journal) => Box::new(journal),
            None => Box::new(MemoryJournal::default()),
        };
        Browser { token: Box::new(move || token().boxed_local()), journal, watcher: None }
    }

    /// Sets another journal of transfer attempts.
    #[must_use]
    pub fn with_journal(self, journal: impl Journal + 'static) -> Self {
        Browser { journal: Box::new(journal), ..self }
    }

    /// Sets a function that takes the trace of what was sent.
    #[must_use]
    pub fn with_watcher(self, watcher: impl Fn(Trace<'_>) + 'static) -> Self {
        Browser { watcher: Some(Box::new(watcher)), ..self }
    }
}

/// An abort signal, if any.
pub type Signal = Option<AbortSignal>;

impl Platform for Browser {
    type Signal = Signal;
    type Lock = Lock;

    async fn fetch(&self, url: &str, request: &Request, bearer: &str, timeout_ms: u32) -> SendResult {
        let result = begin(|engine, id| {
            let accept = if request.wants_bytes { "*/*" } else { "application/json" };
            let (language, body) = (request.language.as_deref(), request.body.as_deref());
            let method = request.method.as_str();
            engine.send(id, url, method, bearer, accept, language, body, timeout_ms);
        });
        let EngineResult { status, body, request_id, content_type, retry_after_s, url } = result.await;
        let answer = answer_of(status, request_id, retry_after_s, url)?;
        let body = body.unwrap_or_default();
        Ok(match request.wants_bytes && (200..300).contains(&answer.status) {
            true => Answer { content_type, bytes: body, ..answer },
            false => Answer { text: text_of(body), ..answer },
        })
    }

    async fn token(&self) -> Result<String, Error> {
        (self.token)().await
    }

    async fn sleep(&self, ms: u32) {
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        begin(|engine, id| engine.wait(id, ms, None)).await;
    }

    async fn aborted(&self, signal: &Signal) {
        begin(|engine, id| engine.wait(id, -1, signal.as_ref())).await;
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    async fn lock(&self, name: &str) -> Lock {
        Lock::acquire(name).await
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        js_sys::futures::spawn_local(work);
    }

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn elapsed_ms(&self) -> u64 {
        elapsed_ms()
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        matches(pattern, text)
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        parse_time_ms(iso)
    }

    fn may_be_cached(&self) -> bool {
        may_be_cached()
    }

    fn trace(&self, entry: Trace<'_>) {
        if let Some(watcher) = &self.watcher {
            watcher(entry);
        }
    }
}

pub(crate) fn elapsed_ms() -> u64 {
    elapsed() as u64
}

pub(crate) fn now_ms() -> u64 {
    now() as u64
}

pub(crate) fn parse_time_ms(iso: &str) -> Option<u64> {
    let ms = time_of(iso);
    (ms >= 0.0).then_some(ms as u64)
}

/// Converts what `engine.js` reports of a request beside its body; a status below 0 is a failure.
pub(crate) fn answer_of(
    status: i32,
    request_id: Option<String>,
    retry_after_s: f64,
    url: Option<String>,
) -> SendResult {
    let status = u16::try_from(status).map_err(|_| match status {
        -2 => SendFailure::Timeout,
        -4 => SendFailure::Blocked,
        -5 => SendFailure::Faulty,
        -6 => SendFailure::Missing,
        _ => SendFailure::Network,
    })?;
    let retry_after_s = (retry_after_s >= 0.0).then_some(retry_after_s as u32);
    Ok(Answer {
        status,
        request_id,
        retry_after_s,
        text: String::new(),
        bytes: Vec::new(),
        content_type: None,
        url,
    })
}

/// Decodes a body. Invalid UTF-8 becomes a text that is no JSON, and not an empty one, which would be a reply
/// without a body.
pub(crate) fn text_of(body: Vec<u8>) -> String {
    let text = String::from_utf8(body).unwrap_or_else(|_| "\0".to_owned());
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

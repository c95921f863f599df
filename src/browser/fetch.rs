//! Requests by gloo-net.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};
use gloo_events::EventListener;
use gloo_net::http::{Request, RequestBuilder, Response};
use js_sys::{JsString, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{
    AbortController, AbortSignal, Event, EventTarget, ReferrerPolicy, RequestCache, RequestCredentials,
    RequestRedirect, SecurityPolicyViolationEvent, SecurityPolicyViolationEventDisposition,
};

use super::global::global;
use super::time::{note_time, now_ms, time_of};
use super::timer::sleep;
use crate::api::{self, Method};
use crate::client::{Answer, SendFailure, SendResult};

#[wasm_bindgen(module = "/src/browser/fetch.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = fetchResponse)]
    fn fetch_response(request: &web_sys::Request, body: Option<&str>) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_name = lendRequest)]
    fn lend_request() -> Result<js_sys::Function, JsValue>;
    #[wasm_bindgen(catch, js_name = canAbort)]
    fn can_abort(signal: &AbortSignal) -> Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_name = mayBeCached)]
    fn js_may_be_cached() -> Result<bool, JsValue>;
    #[wasm_bindgen(js_name = withoutSecrets)]
    fn without_secrets(thrown: &JsValue, bearer: &str, body: Option<&str>) -> JsValue;

    type FetchFailure;
    #[wasm_bindgen(method, getter, js_name = isFaulty)]
    fn is_faulty(this: &FetchFailure) -> bool;
    #[wasm_bindgen(method, getter)]
    fn cause(this: &FetchFailure) -> JsValue;
}

/// A list of ten thousand corridors has some five million bytes. The module's memory never shrinks.
const MAX_REPLY_BYTES: u32 = 1 << 26;
/// Stands for a longer body, and for one that is no UTF-8: no JSON, and not an empty body.
const UNREADABLE: &str = "\0";
/// The event for a policy violation comes in a separate task, maybe after the request has failed.
const VIOLATION_WITHIN_MS: u32 = 50;

/// Whether a service worker may answer requests, maybe from its cache.
pub(super) fn may_be_cached() -> bool {
    js_may_be_cached().unwrap_or(false)
}

/// Sends a request once, and waits at most `timeout_ms` for the whole reply. Dropping the future aborts it.
pub(super) async fn send(url: &str, request: &api::Request, bearer: &str, timeout_ms: u32) -> SendResult {
    match select(pin!(exchange(url, request, bearer)), pin!(sleep(timeout_ms))).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(SendFailure::Timeout),
    }
}

async fn exchange(url: &str, request: &api::Request, bearer: &str) -> SendResult {
    let (mut running, sent) = Running::request(url, request, bearer).ok_or(SendFailure::Missing)?;
    let requested = sent.url();
    let policy = PolicyWatch::new(requested.clone());
    let answer = match fetch(sent, request.body.as_deref()).await {
        Ok(response) => read(response, &requested, request.wants_bytes).await.map_err(Failed::network),
        Err(failed) => Err(failed),
    };
    running.is_over = true;
    let failed = match answer {
        Ok(answer) => {
            LAST_CAUSE.set(None);
            return Ok(answer);
        }
        Err(failed) => failed,
    };
    LAST_CAUSE.set(Some(without_secrets(&failed.cause, bearer, request.body.as_deref())));
    match policy {
        Some(policy) if failed.failure == SendFailure::Network && policy.blocks().await => {
            Err(SendFailure::Blocked)
        }
        _ => Err(failed.failure),
    }
}

thread_local! {
    /// What the last request that failed has thrown, for the `cause` of the error that follows.
    static LAST_CAUSE: Cell<Option<JsValue>> = const { Cell::new(None) };
}

/// Returns what the last request that failed has thrown, once.
#[cfg(feature = "js")]
pub(crate) fn take_cause() -> Option<JsValue> {
    LAST_CAUSE.take().filter(|cause| !cause.is_undefined())
}

/// Why there is no reply, and what was thrown.
struct Failed {
    failure: SendFailure,
    cause: JsValue,
}

impl Failed {
    fn network(cause: JsValue) -> Self {
        Failed { failure: SendFailure::Network, cause }
    }
}

/// Sends the request; in place of `Request::send`, which panics where `fetch` rejects with what is no `Error`
/// or returns a `Response` of another realm.
async fn fetch(request: Request, body: Option<&str>) -> Result<Response, Failed> {
    let request: web_sys::Request = request.into();
    let reply = fetch_response(&request, body).map_err(Failed::network)?.await;
    let response: web_sys::Response = reply.map(JsCast::unchecked_into).map_err(|thrown| {
        let thrown: FetchFailure = thrown.unchecked_into();
        let failure = if thrown.is_faulty() { SendFailure::Faulty } else { SendFailure::Network };
        Failed { failure, cause: thrown.cause() }
    })?;
    Ok(response.into())
}

/// A request in progress. Dropping it aborts the request.
struct Running {
    controller: AbortController,
    is_over: bool,
}

impl Running {
    /// Returns `None` where the page has no requests.
    fn request(url: &str, request: &api::Request, bearer: &str) -> Option<(Self, Request)> {
        let running = Running { controller: AbortController::new().ok()?, is_over: false };
        let take_back = lend_request().ok()?;
        let method = match request.method {
            Method::Get => gloo_net::http::Method::GET,
            Method::Post => gloo_net::http::Method::POST,
            Method::Put => gloo_net::http::Method::PUT,
            Method::Patch => gloo_net::http::Method::PATCH,
            Method::Delete => gloo_net::http::Method::DELETE,
        };
        let mut builder = RequestBuilder::new(url)
            .method(method)
            .header("Authorization", &["Bearer ", bearer].concat())
            .header("Accept", if request.wants_bytes { "*/*" } else { "application/json" })
            // Prices and required fields change.
            .cache(RequestCache::NoStore)
            // The token is the only credential.
            .credentials(RequestCredentials::Omit)
            // A redirect would carry the token, or a second copy of a POST, elsewhere.
            .redirect(RequestRedirect::Error)
            .referrer_policy(ReferrerPolicy::NoReferrer);
        let signal = running.controller.signal();
        if can_abort(&signal).unwrap_or(false) {
            builder = builder.abort_signal(Some(&signal));
        }
        if let Some(language) = &request.language {
            builder = builder.header("Accept-Language", language);
        }
        if request.body.is_some() {
            builder = builder.header("Content-Type", "application/json");
        }
        let built = builder.build().ok();
        take_back.call0(&JsValue::UNDEFINED).ok()?;
        Some((running, built?))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            self.controller.abort();
        }
    }
}

/// Reads the body. gloo-net's own readers panic where a body fails with what is no `Error`.
async fn read(response: Response, url: &str, wants_bytes: bool) -> Result<Answer, JsValue> {
    let (status, is_ok, headers) = (response.status(), response.ok(), response.headers());
    let from = response.url();
    if let Some(date) = headers.get("date") {
        note_time(&date);
    }
    let raw: web_sys::Response = response.into();
    let (mut text, mut bytes) = (UNREADABLE.to_owned(), Vec::new());
    if is_ok {
        let body = Uint8Array::new(&raw.array_buffer()?.await?);
        if wants_bytes || body.length() <= MAX_REPLY_BYTES {
            bytes = body.to_vec();
        }
        if !wants_bytes {
            text = text_of(std::mem::take(&mut bytes));
        }
    } else {
        // Decoded leniently: the code of a refusal matters more than a letter of its message.
        let body: JsString = raw.text()?.await?.unchecked_into();
        if body.length() <= MAX_REPLY_BYTES {
            text = body.into();
        }
    }
    Ok(Answer {
        status,
        request_id: headers.get("request-id"),
        retry_after_s: headers.get("retry-after").and_then(|header| seconds_until(&header)),
        text,
        bytes,
        content_type: headers.get("content-type"),
        url: Some(from).filter(|from| !from.is_empty() && from != url),
    })
}

fn text_of(body: Vec<u8>) -> String {
    let text = String::from_utf8(body).unwrap_or_else(|_| UNREADABLE.to_owned());
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// Returns the seconds of a `Retry-After`, which is a number or a date; engines parse most odd forms as a
/// date long past.
fn seconds_until(retry_after: &str) -> Option<u32> {
    let digits = retry_after.trim();
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(digits.parse().unwrap_or(u32::MAX));
    }
    let seconds = (time_of(retry_after) - now_ms() as f64) / 1000.0;
    (seconds >= 0.0).then(|| seconds.ceil() as u32)
}

/// Notes whether the page's content security policy blocks a request. A failed `fetch` alone does not show
/// that; the whole URL is compared, as it must be certain that this very request was not sent.
struct PolicyWatch {
    is_blocked: Rc<Cell<bool>>,
    _listener: EventListener,
}

impl PolicyWatch {
    fn new(url: String) -> Option<Self> {
        let document: EventTarget = global("document")?.unchecked_into();
        let is_blocked = Rc::new(Cell::new(false));
        let found = Rc::clone(&is_blocked);
        let listener = EventListener::new(&document, "securitypolicyviolation", move |event: &Event| {
            let violation: &SecurityPolicyViolationEvent = event.unchecked_ref();
            let is_of_request = event.is_trusted()
                && violation.disposition() == SecurityPolicyViolationEventDisposition::Enforce
                && violation.effective_directive() == "connect-src"
                && violation.blocked_uri() == url;
            found.set(found.get() || is_of_request);
        });
        Some(PolicyWatch { is_blocked, _listener: listener })
    }

    /// Whether the failed request was blocked.
    async fn blocks(&self) -> bool {
        if !self.is_blocked.get() {
            sleep(VIOLATION_WITHIN_MS).await;
        }
        self.is_blocked.get()
    }
}

//! Requests by gloo-net.

use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};
use gloo_net::http::{Request, RequestBuilder};
use js_sys::{Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{
    AbortController, AbortSignal, Event, EventTarget, SecurityPolicyViolationEvent,
    SecurityPolicyViolationEventDisposition,
};

use super::cause;
use super::global::global;
use super::time::{now, now_ms, time_of};
use super::timer::sleep;
use crate::api::{self, Method};
use crate::client::{Answer, SendFailure, SendResult, TimeLimits};

#[wasm_bindgen(module = "/src/browser/fetch.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = lendRequest)]
    fn lend_request() -> Result<js_sys::Function, JsValue>;
    #[wasm_bindgen(catch, js_name = canAbort)]
    fn can_abort(signal: &AbortSignal) -> Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_name = mayBeCached)]
    fn js_may_be_cached() -> Result<bool, JsValue>;

    type Exchange;
    #[wasm_bindgen(constructor)]
    fn new(request: &web_sys::Request, body: Option<&str>) -> Exchange;
    #[wasm_bindgen(method, getter, js_name = arrivedAt)]
    fn arrived_at(this: &Exchange) -> f64;
    #[wasm_bindgen(method, getter)]
    fn reply(this: &Exchange) -> Promise;

    type FetchReply;
    #[wasm_bindgen(method, getter)]
    fn status(this: &FetchReply) -> u16;
    #[wasm_bindgen(method, getter)]
    fn url(this: &FetchReply) -> String;
    #[wasm_bindgen(method)]
    fn header(this: &FetchReply, name: &str) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn body(this: &FetchReply) -> Uint8Array;
    #[wasm_bindgen(method)]
    fn text(this: &FetchReply) -> String;

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

/// Sends a request once, and waits for the whole reply within the limits. Dropping the future aborts it.
pub(super) async fn send(url: &str, request: &api::Request, bearer: &str, limits: TimeLimits) -> SendResult {
    cause::set(None);
    let (mut running, sent) = Running::request(url, request, bearer).ok_or(SendFailure::Missing)?;
    let requested = sent.url();
    let policy = PolicyWatch::new(requested.clone());
    // In place of `Request::send`, which panics where `fetch` rejects with what is no `Error` or returns what
    // is no `Response` of the engine.
    let exchange = Exchange::new(&sent.into(), request.body.as_deref());
    let reply = match select(exchange.reply().into_future(), pin!(timed_out(&exchange, limits))).await {
        Either::Left((reply, _)) => reply,
        Either::Right(_) => return Err(SendFailure::Timeout),
    };
    running.is_over = true;
    let failure: FetchFailure = match reply {
        Ok(reply) => return Ok(read(reply.unchecked_ref(), &requested, request.wants_bytes)),
        Err(thrown) => thrown.unchecked_into(),
    };
    let is_blocked = match policy {
        Some(policy) if !failure.is_faulty() => policy.blocks().await,
        _ => false,
    };
    // Nothing is awaited from here until the caller has the failure.
    cause::set(Some(failure.cause()));
    Err(match failure.is_faulty() {
        true => SendFailure::Faulty,
        false if is_blocked => SendFailure::Blocked,
        false => SendFailure::Network,
    })
}

/// Waits until nothing of the reply has arrived for too long, or all of it takes too long. Ends by its timers
/// alone, whatever a page does to the clock.
async fn timed_out(exchange: &Exchange, limits: TimeLimits) {
    let (mut pause_ms, mut left_ms) = (limits.idle_ms, limits.total_ms);
    let mut seen_at = exchange.arrived_at();
    loop {
        pause_ms = pause_ms.min(left_ms);
        sleep(pause_ms).await;
        left_ms -= pause_ms;
        let arrived_at = exchange.arrived_at();
        if left_ms == 0 || arrived_at == seen_at {
            return;
        }
        seen_at = arrived_at;
        let idled_ms = (now() - arrived_at) as u32;
        pause_ms = limits.idle_ms.saturating_sub(idled_ms).max(1);
    }
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
            .header("Accept", if request.wants_bytes { "*/*" } else { "application/json" });
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

fn read(reply: &FetchReply, url: &str, wants_bytes: bool) -> Answer {
    let (status, from, body) = (reply.status(), reply.url(), reply.body());
    let is_ok = (200..300).contains(&status);
    let (mut text, mut bytes) = (UNREADABLE.to_owned(), Vec::new());
    if is_ok && wants_bytes {
        bytes = body.to_vec();
    } else if body.length() <= MAX_REPLY_BYTES {
        text = if is_ok { text_of(body.to_vec()) } else { reply.text() };
    }
    Answer {
        status,
        request_id: reply.header("request-id"),
        retry_after_s: reply.header("retry-after").and_then(|header| seconds_until(&header)),
        text,
        bytes,
        content_type: reply.header("content-type"),
        url: Some(from).filter(|from| !from.is_empty() && from != url),
    }
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
    document: EventTarget,
    is_blocked: Rc<Cell<bool>>,
    listener: Closure<dyn Fn(Event)>,
}

const VIOLATION: &str = "securitypolicyviolation";

impl PolicyWatch {
    /// Returns `None` without a document that has events, as in a worker or a test's page. gloo-events panics
    /// there.
    fn new(url: String) -> Option<Self> {
        let document: EventTarget = global("document")?.unchecked_into();
        let is_blocked = Rc::new(Cell::new(false));
        let found = Rc::clone(&is_blocked);
        let listener = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            let violation: &SecurityPolicyViolationEvent = event.unchecked_ref();
            let is_of_request = event.is_trusted()
                && violation.disposition() == SecurityPolicyViolationEventDisposition::Enforce
                && violation.effective_directive() == "connect-src"
                && violation.blocked_uri() == url;
            found.set(found.get() || is_of_request);
        });
        document.add_event_listener_with_callback(VIOLATION, listener.as_ref().unchecked_ref()).ok()?;
        Some(PolicyWatch { document, is_blocked, listener })
    }

    /// Whether the failed request was blocked.
    async fn blocks(&self) -> bool {
        if !self.is_blocked.get() {
            sleep(VIOLATION_WITHIN_MS).await;
        }
        self.is_blocked.get()
    }
}

impl Drop for PolicyWatch {
    fn drop(&mut self) {
        let listener = self.listener.as_ref().unchecked_ref();
        let _ = self.document.remove_event_listener_with_callback(VIOLATION, listener);
    }
}

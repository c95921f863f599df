//! Requests, and their replies by gloo-net.

use std::cell::{Cell, OnceCell};
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::{Either, select};
use gloo_events::EventListener;
use gloo_net::http::Response;
use js_sys::{Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{
    AbortController, AbortSignal, EventTarget, ReferrerPolicy, RequestCache, RequestCredentials, RequestInit,
    RequestRedirect, SecurityPolicyViolationEvent, SecurityPolicyViolationEventDisposition,
};

use super::cause;
use super::global::global;
use super::time::{now, now_ms, time_of};
use super::timer::sleep;
use crate::api::{Request, repeats_secrets};
use crate::client::{Answer, SendFailure, SendResult, TimeLimits};

#[wasm_bindgen(module = "/src/browser/fetch.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = canAbort)]
    fn can_abort(signal: &AbortSignal) -> Result<bool, JsValue>;
    #[wasm_bindgen(catch, js_name = mayBeCached)]
    fn js_may_be_cached() -> Result<bool, JsValue>;

    /// Calls the page's `fetch`. Resolves to a `PlainResponse`, or rejects with a `FetchFailure`.
    #[wasm_bindgen(js_name = fetchOutside)]
    fn fetch_outside(url: &str, init: &RequestInit) -> Promise;

    #[wasm_bindgen(extends = web_sys::Response)]
    #[derive(Clone)]
    type PlainResponse;
    #[wasm_bindgen(method, getter, js_name = arrivedAt)]
    fn arrived_at(this: &PlainResponse) -> f64;
    /// Resolves to the bytes of the body, or rejects with a `FetchFailure`.
    #[wasm_bindgen(method)]
    fn bytes(this: &PlainResponse, is_watched: bool) -> Promise;

    type FetchFailure;
    #[wasm_bindgen(method, getter, js_name = isFaulty)]
    fn is_faulty(this: &FetchFailure) -> bool;
    #[wasm_bindgen(method, getter)]
    fn cause(this: &FetchFailure) -> JsValue;
    /// All texts of the cause; `None` if there may be others.
    #[wasm_bindgen(method, getter)]
    fn text(this: &FetchFailure) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn name(this: &FetchFailure) -> Option<String>;
    #[wasm_bindgen(method, getter)]
    fn message(this: &FetchFailure) -> Option<String>;
}

/// A list of ten thousand corridors has some five million bytes. The module's memory never shrinks.
const MAX_TEXT_BYTES: u64 = 1 << 26;
/// A body that takes longer at 4 kB a second than an attempt may idle, or is longer than this, is watched while
/// it arrives. Of one that Chromium has in memory this takes half a millisecond.
const MAX_UNWATCHED_BYTES: u64 = 1 << 16;
const SLOW_BYTES_PER_MS: u64 = 4;
/// Stands for a body that is no UTF-8: no JSON, and not an empty body.
const UNREADABLE: &str = "\0";
/// The event for a policy violation comes in a separate task, maybe after the request has failed.
const VIOLATION_WITHIN_MS: u32 = 50;

/// Whether a service worker may answer requests, maybe from its cache.
pub(super) fn may_be_cached() -> bool {
    js_may_be_cached().unwrap_or(false)
}

/// Sends a request once, and waits for the whole reply within the limits. Dropping the future aborts it.
pub(super) async fn send(url: &str, request: &Request, bearer: &str, limits: TimeLimits) -> SendResult {
    cause::clear();
    global("fetch").ok_or(SendFailure::Missing)?;
    let exchange = Exchange::new().ok_or(SendFailure::Missing)?;
    let policy = PolicyWatch::new(url.to_owned());
    let answer = exchange.answer(url, request, bearer, limits);
    let thrown = match select(pin!(answer), pin!(exchange.timed_out(limits))).await {
        Either::Left((Ok(answer), _)) => return answer,
        Either::Left((Err(thrown), _)) => thrown,
        Either::Right(_) => return Err(SendFailure::Timeout),
    };
    exchange.is_over.set(true);
    let failure: FetchFailure = thrown.unchecked_into();
    let is_blocked = match policy {
        Some(policy) if !failure.is_faulty() => policy.blocks().await,
        _ => false,
    };
    // Nothing is awaited from here until the caller has the failure.
    cause::set(|| shown(&failure, request, bearer));
    Err(match failure.is_faulty() {
        true => SendFailure::Faulty,
        false if is_blocked => SendFailure::Blocked,
        false => SendFailure::Network,
    })
}

/// Returns what may be shown of what `fetch` threw: itself, if it is plain data without a secret; otherwise an
/// error of the same name and message, unless these have one.
fn shown(failure: &FetchFailure, request: &Request, bearer: &str) -> JsValue {
    let is_safe = |text: &String| !repeats_secrets(text, request, bearer);
    if failure.text().is_some_and(|text| is_safe(&text)) {
        return failure.cause();
    }
    let error = js_sys::Error::new(&failure.message().filter(is_safe).unwrap_or_default());
    let name = failure.name().filter(is_safe).unwrap_or_else(|| "Error".to_owned());
    // A page may have frozen `Error.prototype`, whose `name` an assignment then refuses.
    let property = Object::new();
    let _ = Reflect::set(&property, &"value".into(), &name.into());
    let _ = Reflect::define_property(&error, &"name".into(), &property);
    error.into()
}

/// A request and its reply. Dropping it aborts the request, unless that is over.
struct Exchange {
    controller: AbortController,
    response: OnceCell<PlainResponse>,
    is_over: Cell<bool>,
}

impl Exchange {
    /// Returns `None` where the page cannot abort requests.
    fn new() -> Option<Self> {
        let controller = AbortController::new().ok()?;
        Some(Exchange { controller, response: OnceCell::new(), is_over: Cell::new(false) })
    }

    /// Sends the request and reads its reply. Fails with a `FetchFailure`.
    async fn answer(
        &self,
        url: &str,
        request: &Request,
        bearer: &str,
        limits: TimeLimits,
    ) -> Result<SendResult, JsValue> {
        let received = fetch_outside(url, &self.init(request, bearer)).await?;
        let plain: &PlainResponse = self.response.get_or_init(|| received.unchecked_into());
        let response = Response::from(web_sys::Response::from(plain.clone()));
        let (status, headers) = (response.status(), response.headers());
        // Of `Response.error()`, which a wrapper of `fetch` may return, it is 0.
        if status < 200 {
            return Ok(Err(SendFailure::Network));
        }
        let is_text = !(request.wants_bytes && response.ok());
        let fits = |length: u64| !is_text || length <= MAX_TEXT_BYTES;
        let length = headers.get("content-length").and_then(|length| length.parse().ok());
        let body = match length {
            Some(length) if !fits(length) => None,
            _ => {
                let slow_bytes = u64::from(limits.idle_ms) * SLOW_BYTES_PER_MS;
                let is_watched = length.is_none_or(|length| length > MAX_UNWATCHED_BYTES.min(slow_bytes));
                // Not gloo-net's readers, which panic where a body rejects with what is no `Error`.
                let body: Uint8Array = plain.bytes(is_watched).await?.unchecked_into();
                self.is_over.set(true);
                Some(body).filter(|body| fits(body.length().into()))
            }
        };
        let (text, bytes) = match body {
            Some(body) if is_text => (text_of(body.to_vec(), response.ok()), Vec::new()),
            Some(body) => (String::new(), body.to_vec()),
            None if response.ok() => return Ok(Err(SendFailure::TooLong)),
            // The status of a refusal says enough.
            None => Default::default(),
        };
        Ok(Ok(Answer {
            status,
            request_id: headers.get("request-id"),
            retry_after_s: headers.get("retry-after").and_then(|header| seconds_until(&header)),
            text,
            bytes,
            content_type: headers.get("content-type"),
            url: Some(response.url()).filter(|from| !from.is_empty() && from != url),
        }))
    }

    /// Returns the options of `fetch`, with plain headers: monitors that wrap `fetch` read and extend these.
    fn init(&self, request: &Request, bearer: &str) -> RequestInit {
        let headers = Object::new();
        let set = |name: &str, value: &str| {
            // Fails for no plain object.
            let _ = Reflect::set(&headers, &name.into(), &value.into());
        };
        set("authorization", &["Bearer ", bearer].concat());
        set("accept", if request.wants_bytes { "*/*" } else { "application/json" });
        if let Some(language) = &request.language {
            set("accept-language", language);
        }
        let init = RequestInit::new();
        if let Some(body) = &request.body {
            set("content-type", "application/json");
            init.set_body(&body.into());
        }
        init.set_method(request.method.as_str());
        init.set_headers(&headers);
        let signal = self.controller.signal();
        if can_abort(&signal).unwrap_or(false) {
            init.set_signal(Some(&signal));
        }
        // Prices and required fields change.
        init.set_cache(RequestCache::NoStore);
        // The token is the only credential.
        init.set_credentials(RequestCredentials::Omit);
        // A redirect would carry the token, or a second copy of a POST, elsewhere.
        init.set_redirect(RequestRedirect::Error);
        init.set_referrer_policy(ReferrerPolicy::NoReferrer);
        init
    }

    /// Waits until nothing of the reply has arrived for too long, or all of it takes too long. Ends by its
    /// timers alone, whatever a page does to the clock.
    async fn timed_out(&self, limits: TimeLimits) {
        let (mut pause_ms, mut left_ms) = (limits.idle_ms, limits.total_ms);
        let mut seen_at = self.arrived_at();
        loop {
            pause_ms = pause_ms.min(left_ms);
            sleep(pause_ms).await;
            left_ms -= pause_ms;
            let arrived_at = self.arrived_at();
            if left_ms == 0 || arrived_at == seen_at {
                return;
            }
            seen_at = arrived_at;
            let idled_ms = arrived_at.map_or(0, |arrived_at| (now() - arrived_at) as u32);
            pause_ms = limits.idle_ms.saturating_sub(idled_ms).max(1);
        }
    }

    /// Returns when the last of the reply arrived, by `performance.now()`.
    fn arrived_at(&self) -> Option<f64> {
        self.response.get().map(PlainResponse::arrived_at)
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if !self.is_over.get() {
            self.controller.abort();
        }
    }
}

/// Decodes a refusal leniently: its code matters more than a letter of its message.
fn text_of(body: Vec<u8>, is_ok: bool) -> String {
    let text = String::from_utf8(body).unwrap_or_else(|error| match is_ok {
        true => UNREADABLE.to_owned(),
        false => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    });
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
    /// Returns `None` without a document that has events, as in a worker or a test's page.
    fn new(url: String) -> Option<Self> {
        let document: EventTarget = global("document")?.dyn_into().ok()?;
        let is_blocked = Rc::new(Cell::new(false));
        let found = Rc::clone(&is_blocked);
        let listener = EventListener::new(&document, "securitypolicyviolation", move |event| {
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

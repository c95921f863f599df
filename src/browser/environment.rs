use std::pin::pin;

use futures_util::future::{Either, LocalBoxFuture, select};
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

use super::Lock;
use super::policy_watch::PolicyWatch;
use super::timer::Flag;
use crate::api::{Error, Request};
use crate::client::{Answer, Environment, Journal, SendFailure, Trace};

#[wasm_bindgen(module = "/src/browser/engine.js")]
extern "C" {
    #[wasm_bindgen(js_name = newRequest, catch)]
    fn new_request(
        url: &str,
        method: &str,
        bearer: &str,
        accept: &str,
        language: Option<&str>,
        body: Option<&str>,
        signal: &AbortSignal,
    ) -> Result<web_sys::Request, JsValue>;

    fn matches(pattern: &str, text: &str) -> Option<bool>;
}

/// Asks for a token and gives the answer as JSON text.
pub type TokenSource = Box<dyn Fn() -> LocalBoxFuture<'static, Result<String, Error>>>;

/// Takes notice of what was sent.
pub type Watcher = Box<dyn Fn(Trace<'_>)>;

/// The surroundings of a client in a browser; in a worker and in Node too, as far as these have them.
pub struct Browser {
    /// Where tokens come from.
    pub token: TokenSource,
    /// Where transfer attempts are kept.
    pub journal: Box<dyn Journal>,
    /// Who watches.
    pub watcher: Option<Watcher>,
}

/// What ends a call early; nothing does where there is no signal.
pub type Signal = Option<AbortSignal>;

impl Environment for Browser {
    type Signal = Signal;

    async fn send(
        &self,
        url: &str,
        request: &Request,
        bearer: &str,
        timeout_ms: u32,
        signal: &Signal,
    ) -> Result<Answer, SendFailure> {
        // A signal of our own: the caller's may reject with anything at all, and gloo-net takes errors alone.
        let controller = AbortController::new().map_err(|_| SendFailure::Network)?;
        let policy = PolicyWatch::of(url);
        let fetch = pin!(fetch(url, request, bearer, controller.signal()));
        match select(fetch, pin!(self.wait(timeout_ms, signal))).await {
            Either::Left((Err(SendFailure::Network), _)) if policy.has_blocked().await => {
                Err(SendFailure::Blocked)
            }
            Either::Left((answer, _)) => answer,
            Either::Right(_) => {
                controller.abort();
                Err(if self.is_aborted(signal) { SendFailure::Aborted } else { SendFailure::Timeout })
            }
        }
    }

    async fn token(&self) -> Result<String, Error> {
        (self.token)().await
    }

    async fn sleep(&self, ms: u32) {
        super::timer::sleep(ms).await;
    }

    async fn aborted(&self, signal: &Signal) {
        let flag = Flag::default();
        let _listener = flag.raised_by(signal);
        flag.raised().await;
    }

    async fn wait(&self, ms: u32, signal: &Signal) {
        let flag = Flag::default();
        let _listener = flag.raised_by(signal);
        let _timer = flag.raised_after(ms);
        flag.raised().await;
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        signal.as_ref().is_some_and(AbortSignal::aborted)
    }

    fn never(&self) -> Signal {
        None
    }

    fn now_ms(&self) -> u64 {
        js_sys::Date::now() as u64
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        matches(pattern, text)
    }

    fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    type Lock = Lock;

    async fn lock(&self, name: &str) -> Lock {
        Lock::acquire(name).await
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        js_sys::futures::spawn_local(work);
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        let ms = js_sys::Date::parse(&to_the_millisecond(iso));
        (ms >= 0.0).then_some(ms as u64)
    }

    fn trace(&self, entry: Trace<'_>) {
        if let Some(watcher) = &self.watcher {
            watcher(entry);
        }
    }
}

/// The service writes up to seven digits of a second; what follows the third is not read by every engine.
fn to_the_millisecond(iso: &str) -> String {
    let Some((whole, rest)) = iso.split_once('.') else { return iso.to_owned() };
    let zone = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = rest.len() - zone.len();
    [whole, ".", rest.get(..digits.min(3)).unwrap_or_default(), zone].concat()
}

async fn fetch(
    url: &str,
    request: &Request,
    bearer: &str,
    signal: AbortSignal,
) -> Result<Answer, SendFailure> {
    let network = |_| SendFailure::Network;
    let accept = if request.wants_bytes { "*/*" } else { "application/json" };
    let (language, body) = (request.language.as_deref(), request.body.as_deref());
    let prepared = new_request(url, request.method.as_str(), bearer, accept, language, body, &signal);
    let prepared = prepared.map_err(|_| SendFailure::Network)?;
    let response = gloo_net::http::Request::from(prepared).send().await.map_err(network)?;
    let headers = response.headers();
    let status = response.status();
    let wants_bytes = request.wants_bytes && response.ok();
    Ok(Answer {
        status,
        request_id: headers.get("request-id"),
        retry_after_s: headers.get("retry-after").and_then(|value| seconds_until(&value)),
        content_type: headers.get("content-type"),
        bytes: if wants_bytes { response.binary().await.map_err(network)? } else { Vec::new() },
        text: if wants_bytes { String::new() } else { response.text().await.map_err(network)? },
    })
}

/// `Retry-After` is a number of seconds or a date.
fn seconds_until(retry_after: &str) -> Option<u32> {
    let retry_after = retry_after.trim();
    retry_after.parse().ok().or_else(|| {
        let wait_s = (js_sys::Date::parse(retry_after) - js_sys::Date::now()) / 1000.0;
        (!wait_s.is_nan()).then(|| wait_s.max(0.0).ceil() as u32)
    })
}

use futures_util::future::{Either, LocalBoxFuture, select};
use gloo_events::EventListener;
use gloo_net::http::{Headers, Method as HttpMethod, RequestBuilder};
use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use web_sys::{
    AbortController, AbortSignal, ReferrerPolicy, RequestCache, RequestCredentials, RequestRedirect,
};

use super::Lock;
use super::policy_watch::PolicyWatch;
use super::timer::{Flag, sleep};
use crate::api::{Error, Method, Request};
use crate::client::{Answer, Environment, Journal, SendFailure, Trace};

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
        let fetch = Box::pin(fetch(url, request, bearer, controller.signal()));
        let end = Box::pin(select(Box::pin(sleep(timeout_ms)), Box::pin(self.aborted(signal))));
        match select(fetch, end).await {
            Either::Left((Err(SendFailure::Network), _)) if policy.has_blocked().await => {
                Err(SendFailure::Blocked)
            }
            Either::Left((answer, _)) => answer,
            Either::Right((end, _)) => {
                controller.abort();
                Err(match end {
                    Either::Left(_) => SendFailure::Timeout,
                    Either::Right(_) => SendFailure::Aborted,
                })
            }
        }
    }

    async fn token(&self) -> Result<String, Error> {
        (self.token)().await
    }

    async fn sleep(&self, ms: u32) {
        sleep(ms).await;
    }

    async fn aborted(&self, signal: &Signal) {
        let Some(signal) = signal else { return std::future::pending().await };
        if signal.aborted() {
            return;
        }
        let flag = Flag::default();
        let raised = flag.clone();
        let _listener = EventListener::once(signal, "abort", move |_| raised.raise());
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
        // Constructed by reflection, as a pattern that does not compile throws.
        let constructor = js_sys::Reflect::get(&js_sys::global(), &"RegExp".into()).ok()?;
        let arguments = js_sys::Array::of1(&pattern.into());
        let compiled =
            js_sys::Reflect::construct(constructor.unchecked_ref::<js_sys::Function>(), &arguments).ok()?;
        Some(compiled.unchecked_ref::<js_sys::RegExp>().test(text))
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
    let method = match request.method {
        Method::Get => HttpMethod::GET,
        Method::Post => HttpMethod::POST,
        Method::Put => HttpMethod::PUT,
        Method::Patch => HttpMethod::PATCH,
        Method::Delete => HttpMethod::DELETE,
    };
    let headers = Headers::new();
    headers.set("Authorization", &["Bearer ", bearer].concat());
    headers.set("Accept", if request.wants_bytes { "*/*" } else { "application/json" });
    if let Some(language) = &request.language {
        headers.set("Accept-Language", language);
    }
    if request.body.is_some() {
        headers.set("Content-Type", "application/json");
    }
    // Not cached, for prices and required fields change; no cookies, for the token says it all; no redirect, for it would carry the
    // token, or a second copy of a POST, elsewhere.
    let request_builder = RequestBuilder::new(url)
        .method(method)
        .headers(headers)
        .cache(RequestCache::NoStore)
        .credentials(RequestCredentials::Omit)
        .redirect(RequestRedirect::Error)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .abort_signal(Some(&signal));
    let prepared = match &request.body {
        Some(body) => request_builder.body(JsValue::from_str(body)),
        None => request_builder.build(),
    };
    let response = prepared.map_err(network)?.send().await.map_err(network)?;
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

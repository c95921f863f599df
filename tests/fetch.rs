//! The browser as the client's platform: fetch, storage, locks, signals and time in a real engine.
//!
//! The service is the files of `tests/fetch`, which the test runner serves for any method. Refusals and
//! missing replies come from the page's `fetch`, which is replaced as a monitoring script would replace it.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use gloo_net::http::Request;
use js_sys::{Function, Promise};
use remitkit::api::{self, CardSessionRequest, Code, CorridorFilter, Error, Kind, Method, TransferId};
use remitkit::browser::{
    Browser, CardForm, CardFormEvent, CardFormOptions, LocalJournal, MemoryJournal, SessionJournal, is_color,
};
use remitkit::card::{Color, Theme};
use remitkit::client::{Client, Journal, Platform, SendFailure, TimeLimits};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::AbortController;

wasm_bindgen_test_configure!(run_in_browser);

const SENDER_ID: &str = "40e6215d-b5c6-4896-987c-f30f3678f608";
const SESSIONS: [&str; 2] = ["6ecd8c99-4036-403d-bf84-cf8400f67836", "3f333df6-90a4-4fda-8dd3-9485d27cee36"];

fn served(path: &str) -> String {
    [&web_sys::window().unwrap().location().origin().unwrap(), "/tests/fetch/", path].concat()
}

async fn token() -> Result<String, Error> {
    Ok(Request::get(&served("token.json")).send().await.unwrap().text().await.unwrap())
}

/// Until it is dropped, the page's `fetch` returns `answer(request)` for addresses that end with `path`.
struct Answered(Function);

impl Answered {
    fn new(path: &str, answer: &str) -> Self {
        let script = format!(
            "const engine = globalThis.fetch;
             const answer = {answer};
             globalThis.fetch = (target, init) =>
               (target.url ?? target).endsWith('{path}') ? answer(target) : engine(target, init);
             return () => {{ globalThis.fetch = engine; }};"
        );
        let undo = Function::new_no_args(&script).call0(&JsValue::NULL).unwrap();
        Answered(undo.unchecked_into())
    }
}

impl Drop for Answered {
    fn drop(&mut self) {
        self.0.call0(&JsValue::NULL).unwrap();
    }
}

fn client_at(url: &str, timeout: Duration, watched: Rc<Cell<u32>>) -> Client<Browser> {
    let browser = Browser::new(token)
        .with_journal(MemoryJournal::default())
        .with_watcher(move |trace| watched.set(watched.get() + trace.attempt));
    let card_url = served("card").replace("127.0.0.1", "localhost");
    Client::builder(browser).base_url(url).card_url(&card_url).timeout(timeout).build().unwrap()
}

fn client() -> Client<Browser> {
    client_at(&served("service"), Duration::from_secs(10), Rc::default())
}

#[wasm_bindgen_test]
async fn calls_reach_the_service_and_are_traced() {
    let watched = Rc::new(Cell::new(0));
    let client = client_at(&served("service"), Duration::from_secs(10), watched.clone());
    let corridors = client.corridors(&CorridorFilter::default()).await.unwrap();
    assert_eq!(corridors.len(), 2);
    let sender = client.sender_id().await.unwrap();
    assert_eq!(sender.as_str(), SENDER_ID);
    let session = client.create_card_session(&CardSessionRequest::default()).await.unwrap();
    assert_eq!((session.id.as_str(), session.card_id), (SESSIONS[0], None));
    assert_eq!(watched.get(), 3);
}

#[wasm_bindgen_test]
async fn a_refusal_carries_code_status_and_trace_id() {
    let unknown = TransferId::new("99999999-4f89-41d3-9a0c-0305e82c3301").unwrap();
    let _refused = Answered::new(
        unknown.as_str(),
        "async () => new Response('{\"code\":\"TransferNotFound\"}', { status: 404, headers: { 'request-id': 'r-1' } })",
    );
    let error = client().get_transfer(&unknown).await.unwrap_err();
    assert_eq!(
        (error.code(), error.kind(), error.http_status()),
        (Code::TransferNotFound, Kind::NotFound, Some(404))
    );
    assert_eq!(error.request_id(), Some("r-1"));
}

#[wasm_bindgen_test]
async fn an_unreachable_service_is_a_retryable_network_failure() {
    // Port 9 (discard) is one that browsers refuse to fetch from.
    let error =
        client_at("http://127.0.0.1:9", Duration::from_secs(10), Rc::default()).nonce().await.unwrap_err();
    assert_eq!((error.code(), error.retryable()), (Code::NetworkFailure, true));
}

#[wasm_bindgen_test]
async fn an_abort_ends_a_call_in_flight_and_prevents_the_next() {
    let controller = AbortController::new().unwrap();
    let signal = controller.signal();
    let client = client();
    let mut call = Box::pin(client.nonce().with_signal(&signal));
    assert!((&mut call).now_or_never().is_none());
    controller.abort_with_reason(&"any value at all".into());
    assert_eq!(call.await.err().unwrap().kind(), Kind::Aborted);
    assert_eq!(client.nonce().with_signal(&signal).await.err().unwrap().kind(), Kind::Aborted);
}

#[wasm_bindgen_test]
async fn a_late_reply_is_a_timeout() {
    let _silent = Answered::new("/v1/nonce", "() => new Promise(() => {})");
    let client = client_at(&served("service"), Duration::from_millis(100), Rc::default());
    let error = client.nonce().await.err().unwrap();
    assert_eq!((error.code(), error.kind()), (Code::Timeout, Kind::Timeout));
}

#[wasm_bindgen_test]
async fn a_reply_is_waited_for_while_it_arrives_and_not_for_ever() {
    // A byte each 20 ms, as many as the address says.
    let _slow = Answered::new(
        "-bytes",
        "async (url) => {
           let left = Number.parseInt(url.split('/').pop());
           const [length] = /\\d+(?=-of-bytes)/.exec(url) ?? [];
           const headers = length === undefined ? {} : { 'content-length': length };
           return new Response(new ReadableStream({
             pull(stream) {
               return new Promise((resolve) => setTimeout(() => {
                 if (left === 0) return stream.close(), resolve();
                 stream.enqueue(Uint8Array.of(48));
                 left -= 1;
                 if (left !== 5) resolve();
               }, 20));
             },
           }), { headers });
         }",
    );
    let client = client();
    let fetched = async |path: &str, idle_ms, total_ms| {
        let request = api::Request {
            method: Method::Get,
            path: path.to_owned(),
            body: None,
            language: None,
            wants_bytes: false,
        };
        let limits = TimeLimits { idle_ms, total_ms };
        let started_ms = client.platform().elapsed_ms();
        let answer = client.platform().fetch(&served(path), &request, "t", limits).await;
        (answer.map(|answer| answer.text.len()), client.platform().elapsed_ms() - started_ms)
    };
    assert_eq!(fetched("4-bytes", 2_000, 20_000).await.0, Ok(4));
    // The sixth byte from the end is the last that comes, after longer than nothing of it may arrive.
    let (stalled, elapsed_ms) = fetched("150-bytes", 2_000, 20_000).await;
    assert_eq!((stalled, elapsed_ms > 4_000, elapsed_ms < 20_000), (Err(SendFailure::Timeout), true, true));
    // It is watched too where it says to be longer than a slow line brings meanwhile, and else not.
    let [watched_ms, unwatched_ms] = [
        fetched("150-8001-of-bytes", 2_000, 20_000).await.1,
        fetched("150-8000-of-bytes", 2_000, 20_000).await.1,
    ];
    assert!(watched_ms > 4_000 && unwatched_ms < watched_ms, "{watched_ms} ms, {unwatched_ms} ms");
    // All of it would take 20 s.
    let (endless, elapsed_ms) = fetched("1000-bytes", 2_000, 1_500).await;
    assert_eq!((endless, elapsed_ms < 15_000), (Err(SendFailure::Timeout), true));
}

#[wasm_bindgen_test]
async fn a_reply_that_is_too_long_is_not_asked_for_again_nor_read_if_it_says_so() {
    let is_read = || {
        let read =
            Function::new_no_args("const { isRead } = globalThis; delete globalThis.isRead; return isRead;");
        read.call0(&JsValue::NULL).unwrap().is_truthy()
    };
    let reply = |length: &str| {
        format!(
            "async () => {{
               let left = 65;
               const pull = (stream) => {{
                 globalThis.isRead = true;
                 if (left-- > 0) stream.enqueue(new Uint8Array(1 << 20)); else stream.close();
               }};
               const body = new ReadableStream({{ pull }}, {{ highWaterMark: 0 }});
               return new Response(body, {{ headers: {{ {length} }} }});
             }}"
        )
    };
    for (length, is_asked_to_read) in [("'content-length': 65 << 20", false), ("", true)] {
        let _long = Answered::new("/v1/nonce", &reply(length));
        let sent = Rc::new(Cell::new(0));
        let client = client_at(&served("service"), Duration::from_secs(10), sent.clone());
        let error = client.nonce().await.unwrap_err();
        assert_eq!((error.code(), sent.get(), is_read()), (Code::UnreadableReply, 1, is_asked_to_read));
    }
}

#[wasm_bindgen_test]
async fn the_session_journal_keeps_its_entries() {
    let journal = SessionJournal::open().expect("a page has sessionStorage");
    journal.save("remitkit.attempt.test", "{}").await.unwrap();
    let again = SessionJournal::open().unwrap();
    assert_eq!(again.load("remitkit.attempt.test").await.unwrap().as_deref(), Some("{}"));
    assert!(again.keys().await.unwrap().contains(&"remitkit.attempt.test".to_owned()));
    again.remove("remitkit.attempt.test").await.unwrap();
    assert_eq!(journal.load("remitkit.attempt.test").await.unwrap(), None);
}

#[wasm_bindgen_test]
async fn the_local_journal_is_the_database_of_the_npm_package() {
    let key = "remitkit.attempt.test";
    let [journal, again] = [LocalJournal::open(), LocalJournal::open()];
    journal.save(key, "{}").await.unwrap();
    assert_eq!(again.load(key).await.unwrap().as_deref(), Some("{}"));
    assert!(again.keys().await.unwrap().contains(&key.to_owned()));
    let read = format!(
        "return new Promise((resolve, reject) => {{
           const opening = indexedDB.open('remitkit');
           opening.onupgradeneeded = () => opening.transaction.abort(); // there is none
           opening.onerror = reject;
           opening.onsuccess = () => {{
             const found = opening.result.transaction('attempts').objectStore('attempts').get('{key}');
             found.onerror = reject;
             found.onsuccess = () => {{ opening.result.close(); resolve(found.result); }};
           }};
         }});"
    );
    let found: Promise = Function::new_no_args(&read).call0(&JsValue::NULL).unwrap().unchecked_into();
    assert_eq!(found.await.unwrap(), JsValue::from_str("{}"));
    again.remove(key).await.unwrap();
    assert_eq!(journal.load(key).await.unwrap(), None);
}

/// Two platforms, as in two tabs: they share the engine's locks alone.
fn tabs() -> (Browser, Browser) {
    let tab = || Browser::new(token).with_journal(MemoryJournal::default());
    (tab(), tab())
}

#[wasm_bindgen_test]
async fn a_lock_has_one_holder_and_passes_to_the_next() {
    let (one, two) = tabs();
    let held = one.lock("remitkit.test").await;
    let mut waiting = Box::pin(two.lock("remitkit.test"));
    assert!((&mut waiting).now_or_never().is_none());
    one.sleep(50).await;
    assert!((&mut waiting).now_or_never().is_none());
    // Another name is free.
    drop(two.lock("remitkit.other").await);
    drop(held);
    drop(waiting.await);
    drop(one.lock("remitkit.test").await);
}

#[wasm_bindgen_test]
async fn dropping_a_wait_for_a_lock_releases_it() {
    let (one, two) = tabs();
    let held = one.lock("remitkit.left").await;
    for _ in 0..20 {
        let mut waiting = Box::pin(two.lock("remitkit.left"));
        assert!((&mut waiting).now_or_never().is_none());
        two.sleep(1).await;
    }
    drop(held);
    drop(two.lock("remitkit.left").await);
    // Also where the engine is granting the lock: it hears of both before it acts on either.
    for _ in 0..20 {
        let held = one.lock("remitkit.late").await;
        let mut waiting = Box::pin(two.lock("remitkit.late"));
        assert!((&mut waiting).now_or_never().is_none());
        one.sleep(2).await;
        drop(held);
        drop(waiting);
        one.sleep(2).await;
        drop(one.lock("remitkit.late").await);
    }
}

#[wasm_bindgen_test]
fn patterns_and_times_are_read_by_the_engine() {
    let client = client();
    let platform = client.platform();
    assert_eq!(platform.matches("^[0-9]+$", "12"), Some(true));
    assert_eq!(platform.matches("^[0-9]+$", "1a"), Some(false));
    assert_eq!(platform.matches("(", "12"), None);
    // By the device's clock, which the server's may be ahead of by the second that its `Date` leaves open.
    // A time without a zone is UTC.
    for time in ["2026-11-21T11:00:00.9999999+01:00", "2026-11-21T10:00:00.9999999", "2026-11-21 10:00:00"] {
        let parsed_ms = platform.parse_time_ms(time).unwrap();
        assert!(parsed_ms.abs_diff(1_795_255_200_999) < 4000, "{time}: {parsed_ms}");
    }
    assert_eq!(platform.parse_time_ms("soon. 3 days"), None);
}

#[wasm_bindgen_test]
async fn a_card_form_s_stream_of_events_ends_with_the_form() {
    let _sessions = Answered::new(
        "/v1/card-onboarding-sessions",
        &format!(
            "((ids) => async () => Response.json({{ id: ids.shift(), status: 'INCOMPLETE', expirationDate: '2099-01-01T00:00:00Z' }}))({SESSIONS:?})"
        ),
    );
    let page = web_sys::window().unwrap().document().unwrap();
    let container = page.create_element("div").unwrap();
    page.body().unwrap().append_child(&container).unwrap();
    let mounted = CardForm::mount_streaming(client(), &container, CardFormOptions::default()).await;
    let (form, mut events) = mounted.unwrap();
    assert!(matches!(events.next().await, Some(CardFormEvent::Ready)));
    form.update(Theme::default()).unwrap();
    assert!(matches!(events.next().await, Some(CardFormEvent::Ready)));

    let shown = (form.session_id(), form.url());
    container.remove();
    let dark = Theme::default().with_primary(Color::parse("#012", &is_color).unwrap());
    assert_eq!(form.update(dark).unwrap_err().code(), Code::InvalidConfiguration);
    assert_eq!(form.renew().await.unwrap_err().code(), Code::InvalidConfiguration);
    assert_eq!((form.session_id(), form.url()), shown, "a refused change has no effect");
    page.body().unwrap().append_child(&container).unwrap();
    form.renew().await.unwrap();
    assert_ne!(form.session_id(), shown.0);
    assert!(!form.url().unwrap().contains("primary"), "not even later");

    form.share().destroy();
    assert!(events.next().await.is_none());
    assert_eq!(container.child_element_count(), 0);
    container.remove();
}

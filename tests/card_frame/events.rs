//! What the streams of a form's events have, whenever they begin.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::future::{Either, select};
use futures_util::{FutureExt, Stream, StreamExt};
use gloo_net::http::Request;
use remitkit::browser::{Browser, CardForm, CardFormEvent, CardFormOptions, MemoryJournal};
use remitkit::card::Theme;
use remitkit::client::Client;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fixture::{Container, FAIL, START, SUCCESS, card_origin, js, page_origin, say, sleep, until};

/// The sessions whose forms are in `tests/fetch/card`.
const SESSIONS: [&str; 2] = ["6ecd8c99-4036-403d-bf84-cf8400f67836", "3f333df6-90a4-4fda-8dd3-9485d27cee36"];
const CARD: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const COMPLETED: &str = "COMPLETED in 6ecd8c99-4036-403d-bf84-cf8400f67836";

/// Until it is dropped, the page's `fetch` answers for the sessions. None has a card before `enter_card`.
struct Sessions(JsValue);

impl Sessions {
    fn new() -> Self {
        let script = format!(
            "const engine = globalThis.fetch;
             const ids = {SESSIONS:?};
             const session = {{ status: 'INCOMPLETE', expirationDate: '2099-01-01T00:00:00Z' }};
             globalThis.fetch = async (target, init) => {{
               const [, id] = /card-onboarding-sessions(.*)$/.exec(target.url ?? target) ?? [];
               if (id === undefined) return engine(target, init);
               return Response.json({{ ...session, id: id.slice(1) || ids.shift() }});
             }};
             return {{
               restore: () => {{ globalThis.fetch = engine; }},
               enterCard: () => Object.assign(session, {{ status: 'COMPLETED', cardId: '{CARD}' }}),
             }};"
        );
        Sessions(js("_", &script, JsValue::UNDEFINED))
    }

    fn enter_card(&self) {
        js("sessions", "sessions.enterCard()", &self.0);
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        js("sessions", "sessions.restore()", &self.0);
    }
}

fn client() -> Client<Browser> {
    let served = |path: &str| [&page_origin(), "/tests/fetch/", path].concat();
    let token = served("token.json");
    let token = move || {
        let request = Request::get(&token).send();
        async move { Ok(request.await.unwrap().text().await.unwrap()) }
    };
    let browser = Browser::new(token).with_journal(MemoryJournal::default());
    let card_url = [&card_origin(), "/tests/fetch/card"].concat();
    Client::builder(browser).base_url(&served("service")).card_url(&card_url).build().unwrap()
}

/// Makes the form say messages, once it is there: a page that is replaced while it loads may come all the same.
async fn make_say(form: &CardForm, messages: &[&str]) {
    read_until(&mut form.events(), "READY").await;
    let go = format!("iframe.contentWindow.location.replace('{}')", say(messages));
    js("iframe", &go, form.element().unwrap());
}

fn text(event: &CardFormEvent) -> String {
    match event {
        CardFormEvent::Ready => "READY".to_owned(),
        CardFormEvent::Card(event) => event.as_str().to_owned(),
        CardFormEvent::Completed { card_id, session_id } => {
            assert_eq!(card_id, CARD);
            ["COMPLETED in ", session_id.as_str()].concat()
        }
        CardFormEvent::Failed(error) => ["FAILED ", error.code().as_str()].concat(),
        other => format!("{other:?}"),
    }
}

/// Returns the next event or the end, which must come soon.
async fn next(events: &mut (impl Stream<Item = CardFormEvent> + Unpin)) -> Option<CardFormEvent> {
    match select(events.next(), Box::pin(sleep(30_000))).await {
        Either::Left((event, _)) => event,
        Either::Right(_) => panic!("neither an event nor the end comes"),
    }
}

/// Reads until this event.
async fn read_until(events: &mut (impl Stream<Item = CardFormEvent> + Unpin), last: &str) -> Vec<String> {
    let mut read = Vec::new();
    while read.last().is_none_or(|event| event != last) {
        let event = next(events).await.unwrap_or_else(|| panic!("it ends after {read:?}"));
        read.push(text(&event));
    }
    read
}

fn is_waiting(events: &mut (impl Stream<Item = CardFormEvent> + Unpin)) -> bool {
    events.next().now_or_never().is_none()
}

#[wasm_bindgen_test]
async fn each_reader_gets_every_event_whenever_it_begins() {
    let (_sessions, container) = (Sessions::new(), Container::new());
    let mounted = CardForm::mount_streaming(client(), &container.0, CardFormOptions::default()).await;
    let (form, mut first) = mounted.unwrap();
    let mut before_ready = form.events();
    let mut dropped = form.events();
    assert_eq!(read_until(&mut dropped, "READY").await, ["READY"]);
    drop(dropped);
    let mut after_ready = form.share().events();
    make_say(&form, &[START, FAIL]).await;
    let mut last = form.events();
    assert_eq!(read_until(&mut last, FAIL).await, ["READY", START, FAIL]);
    let mut after_all = form.events();
    for events in [&mut before_ready, &mut after_ready, &mut after_all] {
        assert_eq!(read_until(events, FAIL).await, ["READY", START, FAIL]);
        assert!(is_waiting(events));
    }
    assert_eq!(read_until(&mut first, FAIL).await, ["READY", START, FAIL]);
    assert!(is_waiting(&mut first));
}

#[wasm_bindgen_test]
async fn a_reader_after_the_completion_gets_it_and_what_comes_later() {
    let (sessions, container) = (Sessions::new(), Container::new());
    let mounted = CardForm::mount_streaming(client(), &container.0, CardFormOptions::default()).await;
    let (form, mut first) = mounted.unwrap();
    let completed = ["READY", START, SUCCESS, COMPLETED];
    make_say(&form, &[START, SUCCESS]).await;
    assert_eq!(read_until(&mut first, SUCCESS).await, completed[..3]);
    sessions.enter_card();
    assert_eq!(read_until(&mut first, COMPLETED).await, completed[3..]);
    let mut late = form.events();
    assert_eq!(read_until(&mut late, COMPLETED).await, completed);
    form.update(Theme::default()).unwrap();
    assert_eq!(read_until(&mut first, "READY").await, ["READY"]);
    assert_eq!(read_until(&mut late, "READY").await, ["READY"]);
}

#[wasm_bindgen_test]
async fn readers_get_what_is_unread_of_a_destroyed_form_and_end() {
    let (_sessions, container) = (Sessions::new(), Container::new());
    let mounted = CardForm::mount_streaming(client(), &container.0, CardFormOptions::default()).await;
    let (form, mut first) = mounted.unwrap();
    assert_eq!(read_until(&mut first, "READY").await, ["READY"]);
    let refuse = "iframe.parentNode.insertBefore = () => { throw new Error('no'); }";
    js("iframe", refuse, form.element().unwrap());
    form.update(Theme::default()).unwrap_err();
    form.destroy();
    let failed = "FAILED InvalidConfiguration";
    assert_eq!(read_until(&mut first, failed).await, [failed]);
    assert!(next(&mut first).await.is_none());
    let mut late = form.events();
    assert_eq!(read_until(&mut late, failed).await, ["READY", failed]);
    assert!(next(&mut late).await.is_none());
}

#[wasm_bindgen_test]
async fn the_last_handle_ends_the_streams() {
    let (_sessions, container) = (Sessions::new(), Container::new());
    let mounted = CardForm::mount_streaming(client(), &container.0, CardFormOptions::default()).await;
    let (form, mut first) = mounted.unwrap();
    let (handle, mut second) = (form.share(), form.events());
    assert_eq!(read_until(&mut second, "READY").await, ["READY"]);
    drop(form);
    assert!(is_waiting(&mut second));
    drop(handle);
    assert!(next(&mut second).await.is_none());
    assert_eq!(read_until(&mut first, "READY").await, ["READY"]);
    assert!(next(&mut first).await.is_none());
}

#[wasm_bindgen_test]
async fn a_reader_begins_with_the_session_that_is_shown() {
    let (_sessions, container) = (Sessions::new(), Container::new());
    let mounted = CardForm::mount_streaming(client(), &container.0, CardFormOptions::default()).await;
    let (form, mut first) = mounted.unwrap();
    make_say(&form, &[START, FAIL]).await;
    let mut waits = form.events();
    assert_eq!(read_until(&mut waits, FAIL).await, ["READY", START, FAIL]);
    form.renew().await.unwrap();
    let mut renewed = form.events();
    assert!(is_waiting(&mut renewed), "not with the session before");
    assert_eq!(read_until(&mut renewed, "READY").await, ["READY"]);
    assert_eq!(read_until(&mut form.events(), "READY").await, ["READY"]);
    assert_eq!(read_until(&mut waits, "READY").await, ["READY"]);
    // What it had not read yet is of the session before, too.
    assert_eq!(read_until(&mut first, FAIL).await, ["READY", START, FAIL]);
    assert_eq!(read_until(&mut first, "READY").await, ["READY"]);
    form.destroy();
    for events in [&mut renewed, &mut waits] {
        assert!(next(events).await.is_none());
    }
    assert!(next(&mut first).await.is_none());
}

#[wasm_bindgen_test]
async fn a_form_with_a_listener_has_readers_as_well() {
    let (_sessions, container) = (Sessions::new(), Container::new());
    let heard = Rc::new(RefCell::new(Vec::new()));
    let delivered = Rc::clone(&heard);
    let deliver = move |event: CardFormEvent| delivered.borrow_mut().push(text(&event));
    let form = CardForm::mount(client(), &container.0, CardFormOptions::default(), deliver).await.unwrap();
    make_say(&form, &[START]).await;
    until("it has started", || heard.borrow().iter().any(|event| event == START)).await;
    assert_eq!(*heard.borrow(), ["READY", START]);
    assert_eq!(read_until(&mut form.events(), START).await, ["READY", START]);
}

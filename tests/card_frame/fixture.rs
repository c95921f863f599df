use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Function, Promise};
use remitkit::api::Error;
use remitkit::browser::{CardFrame, FrameEvent, FrameOptions};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element};

pub(crate) const START: &str = "CARD_VALIDATION_START";
pub(crate) const SUCCESS: &str = "CARD_VALIDATION_STOP_SUCCESS";
pub(crate) const FAIL: &str = "CARD_VALIDATION_STOP_FAIL";
pub(crate) const ALL: [&str; 4] = [START, SUCCESS, FAIL, "CARD_VALIDATION_STOP_EXPIRED"];

/// The page's own origin, at `127.0.0.1`.
pub(crate) fn page_origin() -> String {
    web_sys::window().unwrap().location().origin().unwrap()
}

/// The same server by another name, which makes it another origin.
pub(crate) fn card_origin() -> String {
    let other = page_origin().replace("127.0.0.1", "localhost");
    assert_ne!(other, page_origin(), "the runner must serve the tests at 127.0.0.1");
    other
}

/// Returns the address of a form that says these messages while it loads.
pub(crate) fn say(messages: &[&str]) -> String {
    [&card_origin(), "/tests/card_frame/say.html?messages=", &messages.join(",")].concat()
}

pub(crate) fn options(url: &str) -> FrameOptions {
    FrameOptions {
        url: url.to_owned(),
        origin: card_origin(),
        title: "Card".to_owned(),
        height: 432,
        load_timeout_ms: 20_000,
    }
}

pub(crate) fn document() -> Document {
    web_sys::window().unwrap().document().unwrap()
}

/// A container on the page, removed when it is dropped.
pub(crate) struct Container(pub(crate) Element);

impl Container {
    pub(crate) fn new() -> Self {
        let element = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&element).unwrap();
        Container(element)
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        self.0.remove();
    }
}

/// What was delivered, as text. How often the session was due is counted apart, as an engine moves the focus
/// at times of its own.
#[derive(Clone, Default)]
pub(crate) struct Events(Rc<RefCell<Vec<String>>>, Rc<Cell<u32>>);

impl Events {
    pub(crate) fn push(&self, event: FrameEvent) {
        let text = match event {
            FrameEvent::Ready => "READY".to_owned(),
            FrameEvent::LoadFailed(failure) => {
                let directive = failure.directive().map_or(String::new(), |name| [" by ", name].concat());
                let loaded = if failure.has_loaded() { " of a loaded frame" } else { "" };
                ["LOAD_FAILED ", failure.reason(), &directive, loaded].concat()
            }
            FrameEvent::Card(event) => event.as_str().to_owned(),
            FrameEvent::Removed => "REMOVED".to_owned(),
            FrameEvent::SessionDue => return self.1.set(self.1.get() + 1),
            other => format!("{other:?}"),
        };
        self.0.borrow_mut().push(text);
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.0.borrow().clone()
    }

    pub(crate) fn due_count(&self) -> u32 {
        self.1.get()
    }

    pub(crate) fn has(&self, event: &str) -> bool {
        self.0.borrow().iter().any(|found| found == event)
    }

    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Waits for an event.
    pub(crate) async fn until(&self, event: &str) {
        until(event, || self.has(event)).await;
    }
}

/// Mounts a frame in any element.
pub(crate) fn mount(place: &Element, options: FrameOptions) -> Result<(CardFrame, Events), Error> {
    let events = Events::default();
    let delivered = events.clone();
    Ok((CardFrame::mount(place, options, move |event| delivered.push(event))?, events))
}

/// A mounted frame in its own container.
pub(crate) struct Mounted {
    pub(crate) frame: CardFrame,
    pub(crate) events: Events,
    pub(crate) container: Container,
}

impl Mounted {
    pub(crate) fn new(options: FrameOptions) -> Result<Self, Error> {
        let container = Container::new();
        let (frame, events) = mount(&container.0, options)?;
        Ok(Mounted { frame, events, container })
    }

    /// Mounts a form that is ready, and says what it is told to.
    pub(crate) async fn ready() -> Self {
        let mounted = Self::new(options(&say(&[]))).unwrap();
        mounted.events.until("READY").await;
        mounted.events.clear();
        mounted
    }

    /// Makes the form say `data`, which is evaluated.
    pub(crate) fn make_say(&self, data: &str) {
        self.script(&format!("iframe.contentWindow.postMessage({data}, '*')"));
    }

    /// Makes the form say START, and waits for it.
    pub(crate) async fn start(&self) {
        self.make_say(&format!("'{START}'"));
        self.events.until(START).await;
    }

    /// Runs a script with the frame as `iframe`.
    pub(crate) fn script(&self, body: &str) -> JsValue {
        js("iframe", body, self.frame.element())
    }
}

/// Runs a script with one argument.
pub(crate) fn js(argument: &str, body: &str, value: impl AsRef<JsValue>) -> JsValue {
    Function::new_with_args(argument, body).call1(&JsValue::NULL, value.as_ref()).unwrap()
}

pub(crate) fn evaluate(expression: &str) -> JsValue {
    js("_", &format!("return {expression}"), JsValue::UNDEFINED)
}

pub(crate) async fn sleep(ms: i32) {
    let promise: Promise =
        js("ms", "return new Promise((go) => setTimeout(go, ms))", JsValue::from(ms)).unchecked_into();
    promise.await.unwrap();
}

pub(crate) async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..3000 {
        if holds() {
            return;
        }
        sleep(10).await;
    }
    panic!("timed out: {what}");
}

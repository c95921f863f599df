use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use js_sys::JsString;
use js_sys::futures::spawn_local;
use wasm_bindgen::prelude::*;
use web_sys::{
    Document, Element, Event, HtmlIFrameElement, MessageEvent, SecurityPolicyViolationEvent,
    SecurityPolicyViolationEventDisposition, Window,
};

use crate::api::json::digits_of;
use crate::api::opaque::opaque_debug;
use crate::api::option_name::CARD_URL;
use crate::api::{Code, Error};
use crate::card::{CardEvent, FrameEvent, FrameInput, FrameWatch, Message, Refusals, has_origin};

#[wasm_bindgen(module = "/src/browser/frame.js")]
extern "C" {
    #[derive(Clone)]
    type FrameGuard;
    #[wasm_bindgen(constructor)]
    fn new(
        element: &HtmlIFrameElement,
        window: &Window,
        report: &Closure<Report>,
        message: &JsValue,
        violation: &JsValue,
        load: &JsValue,
        error: &JsValue,
    ) -> FrameGuard;
    #[wasm_bindgen(method)]
    fn alarm(this: &FrameGuard, ms: i32);
    #[wasm_bindgen(method)]
    fn probe(this: &FrameGuard, url: &str, generation: u32);
    #[wasm_bindgen(method, js_name = readSessionIn)]
    fn read_session_in(this: &FrameGuard, ms: f64);
    #[wasm_bindgen(method)]
    fn isolate(this: &FrameGuard) -> bool;
    #[wasm_bindgen(method)]
    fn close(this: &FrameGuard);
}

/// Takes a report of `frame.js`: its kind, as numbered there, and the number of the URL.
type Report = dyn Fn(u32, u32);

/// The least privileges of the form: its scripts, its own origin to reach its server, and forms, without
/// which there is no `submit` event either.
const ATTRIBUTES: [(&str, &str); 4] = [
    LOADING,
    ("sandbox", "allow-scripts allow-same-origin allow-forms"),
    ("allow", ""),
    ("referrerpolicy", "strict-origin"),
];

/// Undoes what a lazy-load plugin of the page makes of each new frame: a customer who has not scrolled to the
/// form yet must find it there.
const LOADING: (&str, &str) = ("loading", "eager");

/// Set as properties, which a policy against inline styles allows.
const STYLE: [(&str, &str); 3] = [("display", "block"), ("width", "100%"), ("border", "0")];

/// The options of a [`CardFrame`].
#[derive(Clone, Debug)]
pub struct FrameOptions {
    /// The URL of the form.
    pub url: String,
    /// The origin of the URL, as [`Address::origin`](crate::api::Address::origin) returns it.
    pub origin: String,
    /// The accessible name of the frame.
    pub title: String,
    /// The reserved height, in CSS pixels.
    pub height: u32,
    /// The timeout of the load.
    pub load_timeout_ms: u32,
}

/// The hosted card form in a container of the page (interface, parts 4 and 6).
///
/// Dropping it removes the frame with every listener and timer.
pub struct CardFrame(Rc<Frame>);

type Deliver = Rc<dyn Fn(FrameEvent)>;

struct Frame {
    container: Element,
    window: Window,
    element: HtmlIFrameElement,
    guard: FrameGuard,
    watch: RefCell<FrameWatch>,
    url: RefCell<String>,
    /// The number of the URL: a probe of one says nothing about the next.
    generation: Cell<u32>,
    // Dropped with the frame, and with it the stream that it feeds.
    deliver: RefCell<Option<Deliver>>,
    listeners: Cell<Option<[EventListener; 4]>>,
    _report: Closure<Report>,
}

opaque_debug!([] CardFrame);

#[derive(Clone, Copy)]
enum EventKind {
    Message,
    Violation,
    Load,
    Error,
}

impl CardFrame {
    /// Appends the frame to the container, which may be in a shadow root, and begins to load it.
    ///
    /// Events are delivered in order, each in a microtask: `deliver` is never called while a method runs, so
    /// it may call all of them, and may drop the frame.
    ///
    /// # Errors
    /// `configuration`: the container is not in a page, the URL does not have the given origin or has the
    /// page's own, or the title is empty.
    pub fn mount(
        container: &Element,
        options: FrameOptions,
        deliver: impl FnMut(FrameEvent) + 'static,
    ) -> Result<CardFrame, Error> {
        check_url(&options.url, &options.origin)?;
        if options.title.trim_ascii().is_empty() {
            return Err(Error::configuration("title", "a name for the frame, which screen readers announce"));
        }
        Self::mount_checked(container, &options, in_microtasks(deliver))
    }

    /// [Mounts](CardFrame::mount) a frame with checked options. Calls `deliver` synchronously in the
    /// browser's event: it must not run code of the page.
    pub(super) fn mount_checked(
        container: &Element,
        options: &FrameOptions,
        deliver: impl Fn(FrameEvent) + 'static,
    ) -> Result<CardFrame, Error> {
        // A frame of the same origin could remove its own sandbox, and scripts of the page could read the
        // card.
        let window = window_of(container)?;
        if window.origin() == options.origin {
            return Err(Error::configuration(CARD_URL, "of another origin than the page's own"));
        }
        let element = new_iframe(container, &options.title, options.height)
            .map_err(|_| Error::new(Code::CardFormLoadFailed))?;
        let frame = Rc::new_cyclic(|frame: &Weak<Frame>| {
            let listen = |kind, target: &web_sys::EventTarget, name| {
                let frame = frame.clone();
                EventListener::new(target, name, move |event| {
                    if let Some(frame) = frame.upgrade() {
                        frame.on_event(kind, event);
                    }
                })
            };
            let listeners = [
                listen(EventKind::Message, &window, "message"),
                listen(EventKind::Violation, &window, "securitypolicyviolation"),
                listen(EventKind::Load, &element, "load"),
                listen(EventKind::Error, &element, "error"),
            ];
            let reported = frame.clone();
            let report = Closure::<Report>::new(move |kind, generation| {
                if let Some(frame) = reported.upgrade() {
                    frame.on_report(kind, generation);
                }
            });
            let [message, violation, load, error] = listeners.each_ref().map(|one| one.callback().as_ref());
            Frame {
                guard: FrameGuard::new(&element, &window, &report, message, violation, load, error),
                container: container.clone(),
                window,
                element,
                watch: RefCell::new(FrameWatch::new(options.origin.clone(), options.load_timeout_ms)),
                url: RefCell::default(),
                generation: Cell::default(),
                deliver: RefCell::new(Some(Rc::new(deliver))),
                listeners: Cell::new(Some(listeners)),
                _report: report,
            }
        });
        // From here on a failure removes the frame.
        let mounted = CardFrame(frame);
        mounted.0.load(&options.url)?;
        Ok(mounted)
    }

    /// Shows another URL of the same origin in the same place, for another session or theme.
    ///
    /// The element stays the same but gets a new window, so that no message of the old page counts for the
    /// new one, and the page's history does not grow.
    ///
    /// # Errors
    /// `configuration`: the URL has another origin, or the container is no longer in a page or cannot take
    /// the frame.
    pub fn set_url(&self, url: &str) -> Result<(), Error> {
        check_url(url, self.0.watch.borrow().origin())?;
        self.check_place()?;
        self.load(url)
    }

    /// [Shows](CardFrame::set_url) a checked URL.
    pub(super) fn load(&self, url: &str) -> Result<(), Error> {
        self.0.load(url)
    }

    /// Checks that the container is in a page.
    pub(super) fn check_place(&self) -> Result<(), Error> {
        window_of(&self.0.container).map(drop)
    }

    /// Returns the frame's element.
    #[must_use]
    pub fn element(&self) -> HtmlIFrameElement {
        self.0.element.clone()
    }

    /// Returns the `FrameGuard` of `frame.js`, which closes the frame if the module has crashed.
    #[cfg(feature = "js")]
    pub(super) fn guard(&self) -> JsValue {
        self.0.guard.clone().into()
    }

    /// Returns how many messages were rejected since the frame was mounted, including those that other frames
    /// and scripts exchange on the page.
    #[must_use]
    pub fn counts(&self) -> Refusals {
        self.0.watch.borrow().refusals()
    }

    /// Sets in how many milliseconds [`FrameEvent::SessionDue`] comes while the customer is on the page; `None`
    /// for never, also not when the customer returns to it.
    pub fn read_session_in(&self, ms: Option<i64>) {
        self.0.guard.read_session_in(ms.map_or(f64::NAN, |ms| ms as f64));
    }

    /// Tells what the form's session shows, as if the form had sent this message, unless the same or another
    /// end is known. The event is delivered as usual.
    pub fn conclude(&self, event: CardEvent) {
        self.0.notice(FrameInput::Concluded(event));
    }

    /// Removes the frame with every listener and timer; nothing is delivered after that. Idempotent.
    pub fn close(&self) {
        let frame = &self.0;
        let listeners = frame.listeners.take();
        if listeners.is_some() {
            frame.deliver.take();
            frame.guard.close();
        }
    }
}

impl Drop for CardFrame {
    fn drop(&mut self) {
        self.close();
    }
}

impl Frame {
    fn load(&self, url: &str) -> Result<(), Error> {
        let alarm_ms = self.watch.borrow_mut().restart();
        self.generation.set(self.generation.get() + 1);
        self.url.replace(url.to_owned());
        self.guard.alarm(alarm_ms);
        self.show(url).map_err(|_| {
            self.guard.alarm(-1);
            Error::configuration("container", "an element that can hold others")
        })
    }

    /// Loads a URL in the same place, in a new window and without an entry in the page's history. Nothing is
    /// borrowed: removing the element may run a script of the page that closes the frame.
    fn show(&self, url: &str) -> Result<(), JsValue> {
        let element = &self.element;
        let (parent, next) = (element.parent_node(), element.next_sibling());
        // A shadow root has this member as well as a document.
        let root: Document = element.get_root_node().unchecked_into();
        let had_focus = is_same(root.active_element(), Some(element));
        // Not `remove`: a page library may have replaced it by one that throws where there is no parent.
        if let Some(parent) = &parent {
            parent.remove_child(element)?;
        }
        if self.is_closed() {
            return Ok(());
        }
        element.set_attribute("src", url)?;
        let parent = parent.as_ref().unwrap_or(&self.container);
        if parent.insert_before(element, next.as_ref()).is_err() {
            self.container.insert_before(element, None)?;
        }
        self.set_eager()?;
        if had_focus && !self.is_closed() {
            element.focus()?;
        }
        Ok(())
    }

    /// Has a frame load that a plugin has made lazy.
    fn set_eager(&self) -> Result<(), JsValue> {
        let (name, value) = LOADING;
        self.element.set_attribute(name, value)
    }

    fn is_closed(&self) -> bool {
        self.deliver.borrow().is_none()
    }

    fn is_online(&self) -> bool {
        self.window.navigator().on_line()
    }

    fn on_event(&self, kind: EventKind, event: &Event) {
        let trusted = event.is_trusted();
        let (origin, data);
        let (directive, blocked);
        let input = match kind {
            EventKind::Message => {
                let event: &MessageEvent = event.unchecked_ref();
                // Each property is read only if the check before it passed: a script may dispatch an event
                // that is no message.
                let trusted = trusted || is_disabled("isTrusted") && can_be_read(event);
                // By identity: a window of another origin throws on almost any access.
                let from_this_frame = trusted
                    && (is_disabled("source")
                        || is_same(event.source(), self.element.content_window().as_ref()));
                (origin, data) = if from_this_frame { self.read(event) } else { Default::default() };
                FrameInput::Message(Message {
                    trusted,
                    from_this_frame,
                    origin: &origin,
                    data: data.as_deref(),
                })
            }
            _ if !trusted => return,
            // A document that the page can read is not the form, but an empty one that the browser put in its
            // place.
            EventKind::Load => FrameInput::Load { is_readable: self.element.content_document().is_some() },
            EventKind::Error => FrameInput::Error { is_online: self.is_online() },
            EventKind::Violation => {
                let event: &SecurityPolicyViolationEvent = event.unchecked_ref();
                if event.disposition() != SecurityPolicyViolationEventDisposition::Enforce {
                    return;
                }
                (directive, blocked) = (event.effective_directive(), event.blocked_uri());
                FrameInput::Violation { directive: &directive, blocked: &blocked }
            }
        };
        self.notice(input);
    }

    /// Reads the origin of a message, and its data if that is a text no longer than the form's.
    fn read(&self, event: &MessageEvent) -> (String, Option<String>) {
        let origin =
            if is_disabled("origin") { self.watch.borrow().origin().to_owned() } else { event.origin() };
        let data = event.data();
        let is_short = data.is_string() && data.unchecked_ref::<JsString>().length() <= CardEvent::LONGEST;
        (origin, is_short.then(|| data.as_string()).flatten())
    }

    fn on_report(&self, kind: u32, generation: u32) {
        let is_online = self.is_online();
        let is_answered = kind == 2;
        self.notice(match kind {
            0 => FrameInput::Alarm { is_hidden: self.is_hidden(), is_online },
            1 | 2 if generation == self.generation.get() => {
                FrameInput::ProbeFinished { is_answered, is_online }
            }
            3 if self.guard.isolate() => {
                // A failure has been delivered where this fails.
                let url = self.url.borrow().clone();
                drop(self.load(&url));
                return;
            }
            3 | 4 => FrameInput::Isolated { is_probe: kind == 4 },
            5 => FrameInput::Removed,
            6 => return self.deliver(FrameEvent::SessionDue),
            _ => return,
        });
    }

    /// Whether no customer waits for the form: the page is hidden, or the frame is lazy after all and has not
    /// begun to load.
    fn is_hidden(&self) -> bool {
        let (name, value) = LOADING;
        let is_lazy = self.element.get_attribute(name).is_none_or(|set| set != value);
        let is_lazy = is_lazy && self.set_eager().is_ok();
        is_lazy || self.container.owner_document().is_some_and(|page| page.hidden())
    }

    fn notice(&self, input: FrameInput<'_>) {
        let output = self.watch.borrow_mut().notice(input);
        if let Some(ms) = output.alarm_ms {
            self.guard.alarm(ms);
        }
        if output.probe_server {
            self.guard.probe(&self.url.borrow(), self.generation.get());
        }
        output.events.into_iter().flatten().for_each(|event| self.deliver(event));
    }

    fn deliver(&self, event: FrameEvent) {
        // Release the borrow before the call: it may re-enter.
        let deliver = self.deliver.borrow().clone();
        if let Some(deliver) = deliver {
            deliver(event);
        }
    }
}

/// Delivers each event in a microtask, as long as the returned function exists.
pub(super) fn in_microtasks<T: 'static>(deliver: impl FnMut(T) + 'static) -> impl Fn(T) + 'static {
    let deliver = Rc::new(RefCell::new(deliver));
    move |event| {
        let deliver = Rc::downgrade(&deliver);
        spawn_local(async move {
            if let Some(deliver) = deliver.upgrade() {
                (deliver.borrow_mut())(event);
            }
        });
    }
}

fn is_same(one: Option<impl AsRef<JsValue>>, other: Option<&impl AsRef<JsValue>>) -> bool {
    one.is_some_and(|one| other.is_some_and(|other| one.as_ref() == other.as_ref()))
}

/// Creates the element without its URL, which it gets once the listeners are registered.
fn new_iframe(container: &Element, title: &str, height: u32) -> Result<HtmlIFrameElement, JsValue> {
    let page = container.owner_document().ok_or(JsValue::NULL)?;
    let element: HtmlIFrameElement = page.create_element("iframe")?.unchecked_into();
    for (name, value) in [("title", title)].into_iter().chain(ATTRIBUTES) {
        element.set_attribute(name, value)?;
    }
    let height = [&digits_of(u64::from(height)), "px"].concat();
    for (name, value) in [("height", &*height)].into_iter().chain(STYLE) {
        element.style().set_property(name, value)?;
    }
    Ok(element)
}

/// Returns the window of the page that an element is in.
fn window_of(container: &Element) -> Result<Window, Error> {
    let page = container.owner_document().filter(|_| container.is_connected());
    let window = page.and_then(|page| page.default_view());
    window.ok_or_else(|| Error::configuration("container", "an element that is in the page"))
}

fn check_url(url: &str, origin: &str) -> Result<(), Error> {
    if has_origin(url, origin) {
        return Ok(());
    }
    Err(Error::configuration(CARD_URL, "a URL with the card form's origin"))
}

/// Whether the test build disables this check, so that the forge proof can show that it notices.
#[cfg(remitkit_optional_safeguards)]
fn is_disabled(check: &str) -> bool {
    js_sys::Reflect::get(&js_sys::global(), &"remitkitWeakness".into()).is_ok_and(|named| named == *check)
}

/// Whether an event of a script can be read without an exception; other builds read nothing of such an event.
fn can_be_read(event: &MessageEvent) -> bool {
    let read = |name: &str| js_sys::Reflect::get(event, &name.into());
    read("source").is_ok() && read("data").is_ok() && read("origin").is_ok_and(|origin| origin.is_string())
}

#[cfg(not(remitkit_optional_safeguards))]
const fn is_disabled(_: &str) -> bool {
    false
}

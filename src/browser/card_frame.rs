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
use crate::api::{Code, Error};
use crate::card::{CardEvent, FrameEvent, FrameInput, FrameWatch, Message, Refusals, is_of};

#[wasm_bindgen(module = "/src/browser/frame.js")]
extern "C" {
    #[derive(Clone)]
    type FrameGuard;
    #[wasm_bindgen(constructor)]
    fn new(
        element: &HtmlIFrameElement,
        window: &Window,
        tell: &Closure<Tell>,
        message: &JsValue,
        violation: &JsValue,
        load: &JsValue,
        error: &JsValue,
    ) -> FrameGuard;
    #[wasm_bindgen(method)]
    fn alarm(this: &FrameGuard, ms: i32);
    #[wasm_bindgen(method)]
    fn ask(this: &FrameGuard, url: &str, turn: u32);
    #[wasm_bindgen(method)]
    fn close(this: &FrameGuard);
}

/// What `frame.js` tells, as it is numbered there, and which address that is about.
type Tell = dyn Fn(u32, u32);

/// What the form needs, and no more: its scripts, its own origin to talk to its server, its form. Without the
/// last, the standard has no `submit` event either, which a form may be made of.
const ATTRIBUTES: [(&str, &str); 3] = [
    ("sandbox", "allow-scripts allow-same-origin allow-forms"),
    ("allow", ""),
    ("referrerpolicy", "strict-origin"),
];

/// By properties, which a policy against inline styles allows.
const STYLE: [(&str, &str); 3] = [("display", "block"), ("width", "100%"), ("border", "0")];

/// How a [`CardFrame`] is made.
#[derive(Clone, Debug)]
pub struct FrameOptions {
    /// The address of the form.
    pub url: String,
    /// The origin of that address, as [`Address::origin`](crate::api::Address::origin) gives it.
    pub origin: String,
    /// The accessible name of the frame.
    pub title: String,
    /// The height reserved for it, in CSS pixels.
    pub height: u32,
    /// How long it may take to load.
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
    /// Counts the addresses: what is asked for one is no word on the next.
    turn: Cell<u32>,
    // Gone once the frame is closed, and with it whatever it feeds.
    deliver: RefCell<Option<Deliver>>,
    listeners: Cell<Option<[EventListener; 4]>>,
    _tell: Closure<Tell>,
}

#[derive(Clone, Copy)]
enum Noticed {
    Message,
    Violation,
    Load,
    Error,
}

impl CardFrame {
    /// Puts the frame at the end of the container, which may stand in a shadow root, and begins to load it.
    ///
    /// Events are delivered in order, each in a microtask of its own turn: `deliver` is never called while
    /// this or any other method runs, so it may call all of them, and may drop the frame.
    ///
    /// # Errors
    /// `configuration`: the container is not in a page, the address is not of the given origin or is of the
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
        Self::mount_at_once(container, &options, in_turn(deliver))
    }

    /// [`mount`](CardFrame::mount) of what is right, for one who lets nobody else run in `deliver`, which is
    /// called with the browser's own event.
    pub(super) fn mount_at_once(
        container: &Element,
        options: &FrameOptions,
        deliver: impl Fn(FrameEvent) + 'static,
    ) -> Result<CardFrame, Error> {
        // Such a frame could take its own sandbox off, and any script of the page could read the card in it.
        let window = window_around(container)?;
        if window.origin() == options.origin {
            return Err(Error::configuration("cardUrl", "of another origin than the page's own"));
        }
        let element = new_iframe(container, &options.title, options.height)
            .map_err(|_| Error::new(Code::CardFormLoadFailed))?;
        let frame = Rc::new_cyclic(|frame: &Weak<Frame>| {
            let listen = |noticed, target: &web_sys::EventTarget, kind| {
                let frame = frame.clone();
                EventListener::new(target, kind, move |event| {
                    if let Some(frame) = frame.upgrade() {
                        frame.notice_event(noticed, event);
                    }
                })
            };
            let listeners = [
                listen(Noticed::Message, &window, "message"),
                listen(Noticed::Violation, &window, "securitypolicyviolation"),
                listen(Noticed::Load, &element, "load"),
                listen(Noticed::Error, &element, "error"),
            ];
            let told = frame.clone();
            let tell = Closure::<Tell>::new(move |what, turn| {
                if let Some(frame) = told.upgrade() {
                    frame.notice_told(what, turn);
                }
            });
            let [message, violation, load, error] = listeners.each_ref().map(|one| one.callback().as_ref());
            Frame {
                guard: FrameGuard::new(&element, &window, &tell, message, violation, load, error),
                container: container.clone(),
                window,
                element,
                watch: RefCell::new(FrameWatch::new(options.origin.clone(), options.load_timeout_ms)),
                url: RefCell::default(),
                turn: Cell::default(),
                deliver: RefCell::new(Some(Rc::new(deliver))),
                listeners: Cell::new(Some(listeners)),
                _tell: tell,
            }
        });
        // From here on the frame is removed again if anything fails.
        let mounted = CardFrame(frame);
        mounted.0.load(&options.url)?;
        Ok(mounted)
    }

    /// Shows another address of the same origin in the same place, for another session or theme.
    ///
    /// The element stays the same but gets a new window, so that nothing the old page still says is taken for
    /// the new one's, and the page's history does not grow.
    ///
    /// # Errors
    /// `configuration`: the address is of another origin, or the container is no longer in a page or takes no
    /// frame.
    pub fn set_url(&self, url: &str) -> Result<(), Error> {
        check_url(url, self.0.watch.borrow().origin())?;
        self.check_place()?;
        self.load(url)
    }

    /// [`set_url`](CardFrame::set_url) of what is right.
    pub(super) fn load(&self, url: &str) -> Result<(), Error> {
        self.0.load(url)
    }

    /// # Errors
    /// `configuration`: the container is no longer in a page.
    pub(super) fn check_place(&self) -> Result<(), Error> {
        window_around(&self.0.container).map(drop)
    }

    /// The frame's element.
    #[must_use]
    pub fn element(&self) -> HtmlIFrameElement {
        self.0.element.clone()
    }

    /// What can close it without the module, should that have crashed.
    #[cfg(feature = "js")]
    pub(super) fn guard(&self) -> JsValue {
        self.0.guard.clone().into()
    }

    /// How many messages were not believed since the frame was mounted. Messages that other frames and
    /// scripts exchange on the page are among them.
    #[must_use]
    pub fn counts(&self) -> Refusals {
        self.0.watch.borrow().refusals()
    }

    /// Removes the frame with every listener and timer; nothing is delivered any more. Again is fine.
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
        self.turn.set(self.turn.get() + 1);
        self.url.replace(url.to_owned());
        self.guard.alarm(alarm_ms);
        self.show(url).map_err(|_| {
            self.guard.alarm(-1);
            Error::configuration("container", "an element that can hold others")
        })
    }

    /// Loads an address in the same place. The element gets a new window by that, and the page's history does
    /// not grow. Nothing is borrowed: taking the frame out may run a script of the page that closes it.
    fn show(&self, url: &str) -> Result<(), JsValue> {
        let element = &self.element;
        let (parent, next) = (element.parent_node(), element.next_sibling());
        // A shadow root has this member as well as a document.
        let root: Document = element.get_root_node().unchecked_into();
        let had_focus = is_same(root.active_element(), Some(element));
        element.remove();
        if self.is_closed() {
            return Ok(());
        }
        element.set_attribute("src", url)?;
        let parent = parent.as_ref().unwrap_or(&self.container);
        if parent.insert_before(element, next.as_ref()).is_err() {
            self.container.insert_before(element, None)?;
        }
        if had_focus && !self.is_closed() {
            element.focus()?;
        }
        Ok(())
    }

    fn is_closed(&self) -> bool {
        self.deliver.borrow().is_none()
    }

    fn is_online(&self) -> bool {
        self.window.navigator().on_line()
    }

    fn notice_event(&self, noticed: Noticed, event: &Event) {
        let trusted = event.is_trusted();
        let (origin, data);
        let is_online = self.is_online();
        let (directive, blocked);
        let notice = match noticed {
            Noticed::Message => {
                let event: &MessageEvent = event.unchecked_ref();
                // Each thing is read only once the one before it holds: what a script dispatched may be no
                // message at all.
                let trusted = trusted || is_left_out("isTrusted") && can_be_read(event);
                // By identity alone: a window of another origin throws at almost everything else.
                let from_this_frame = trusted
                    && (is_left_out("source")
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
            // A document that the page can look into is not the form: the browser put an empty one in its
            // place.
            Noticed::Load => {
                FrameInput::Load { is_readable: self.element.content_document().is_some(), is_online }
            }
            Noticed::Error => FrameInput::Error { is_online },
            Noticed::Violation => {
                let event: &SecurityPolicyViolationEvent = event.unchecked_ref();
                if event.disposition() != SecurityPolicyViolationEventDisposition::Enforce {
                    return;
                }
                (directive, blocked) = (event.effective_directive(), event.blocked_uri());
                FrameInput::Violation { directive: &directive, blocked: &blocked }
            }
        };
        self.notice(notice);
    }

    /// The origin of a message, and its data where that is a text as short as a form's.
    fn read(&self, event: &MessageEvent) -> (String, Option<String>) {
        let origin =
            if is_left_out("origin") { self.watch.borrow().origin().to_owned() } else { event.origin() };
        let data = event.data();
        let is_short = data.is_string() && data.unchecked_ref::<JsString>().length() <= CardEvent::LONGEST;
        (origin, is_short.then(|| data.as_string()).flatten())
    }

    fn notice_told(&self, what: u32, turn: u32) {
        let is_online = self.is_online();
        match what {
            0 => {
                let is_hidden = self.container.owner_document().is_some_and(|page| page.hidden());
                self.notice(FrameInput::Alarm { is_hidden, is_online });
            }
            _ if turn == self.turn.get() => {
                self.notice(FrameInput::Asked { is_answered: what == 2, is_online });
            }
            _ => {}
        }
    }

    /// Holds no borrow while it delivers, as whoever is called may call anything here.
    fn notice(&self, notice: FrameInput<'_>) {
        let output = self.watch.borrow_mut().notice(notice);
        if let Some(ms) = output.alarm_ms {
            self.guard.alarm(ms);
        }
        if output.asks {
            self.guard.ask(&self.url.borrow(), self.turn.get());
        }
        for event in output.events.into_iter().flatten() {
            let deliver = self.deliver.borrow().clone();
            if let Some(deliver) = deliver {
                deliver(event);
            }
        }
    }
}

/// Delivers each event in a microtask of its own, for as long as what it gives is kept.
pub(super) fn in_turn<T: 'static>(deliver: impl FnMut(T) + 'static) -> impl Fn(T) + 'static {
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

/// Without its address, which it gets when somebody listens.
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

/// The window of the page that an element is in.
fn window_around(container: &Element) -> Result<Window, Error> {
    let page = container.owner_document().filter(|_| container.is_connected());
    let window = page.and_then(|page| page.default_view());
    window.ok_or_else(|| Error::configuration("container", "an element that is in the page"))
}

fn check_url(url: &str, origin: &str) -> Result<(), Error> {
    if is_of(url, origin) {
        return Ok(());
    }
    Err(Error::configuration("cardUrl", "the address under which the card form's messages are believed"))
}

/// Whether this check is missing, in the test build in which the forge proof shows that it would notice.
#[cfg(feature = "weakened")]
fn is_left_out(check: &str) -> bool {
    js_sys::Reflect::get(&js_sys::global(), &"remitkitWeakness".into()).is_ok_and(|named| named == *check)
}

/// Whether nothing throws that is read of an event: of one that a script has made no other build reads
/// anything.
#[cfg(feature = "weakened")]
fn can_be_read(event: &MessageEvent) -> bool {
    let read = |name: &str| js_sys::Reflect::get(event, &name.into());
    read("source").is_ok() && read("data").is_ok() && read("origin").is_ok_and(|origin| origin.is_string())
}

#[cfg(not(feature = "weakened"))]
const fn can_be_read(_: &MessageEvent) -> bool {
    false
}

#[cfg(not(feature = "weakened"))]
const fn is_left_out(_: &str) -> bool {
    false
}

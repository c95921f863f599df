use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use gloo_events::EventListener;
use js_sys::futures::spawn_local;
use js_sys::{JsString, Object};
use wasm_bindgen::prelude::*;
use web_sys::{
    Document, Element, Event, EventTarget, HtmlIFrameElement, MessageEvent, SecurityPolicyViolationEvent,
    SecurityPolicyViolationEventDisposition, Window,
};

use super::timer::Timer;
use crate::api::{Code, Error};
use crate::card::{CardEvent, LoadFailure, LoadSignal, Loading, Message, Protocol, Refusals};

/// An engine tells of a violation of the policy at most so long after the frame's `load` or `error`.
const DIRECTIVE_WITHIN_MS: u32 = 300;
/// The directives of a policy that can keep a frame out. Engines differ in whether they name the one that decided or the one that it stands for.
const FRAME_DIRECTIVES: [&str; 3] = ["frame-src", "child-src", "default-src"];

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

/// What happens in a [`CardFrame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameEvent {
    /// Something has loaded (see [`Loading`]). Once for each address.
    Ready,
    /// It did not load. Once at most, and before it is ready; after a timeout it may still become ready.
    LoadFailed(LoadFailure),
    /// The form said so.
    Card(CardEvent),
}

/// The hosted card form in a container of the page (interface, parts 4 and 6).
///
/// Dropping it removes the frame with every listener and timer.
pub struct CardFrame(Rc<Frame>);

type Deliver = Box<dyn FnMut(FrameEvent)>;

struct Frame {
    container: Element,
    window: Window,
    iframe: HtmlIFrameElement,
    origin: String,
    load_timeout_ms: u32,
    protocol: RefCell<Protocol>,
    loading: Cell<Loading>,
    watchdog: RefCell<Option<Timer>>,
    listeners: RefCell<Vec<EventListener>>,
    undelivered: RefCell<VecDeque<FrameEvent>>,
    deliver: RefCell<Option<Deliver>>,
    is_closed: Cell<bool>,
}

impl CardFrame {
    /// Puts the frame at the end of the container, which may stand in a shadow root, and begins to load it.
    ///
    /// Events are delivered in order, each in a microtask of its own turn: `deliver` is never called while this or any
    /// other method runs, so it may call all of them, and may drop the frame.
    ///
    /// # Errors
    /// `configuration`: the container is not in a page, the address is not of the given origin or is of the page's own,
    /// or the title is empty.
    pub fn mount(
        container: &Element,
        options: FrameOptions,
        deliver: impl FnMut(FrameEvent) + 'static,
    ) -> Result<CardFrame, Error> {
        let window = window_of(container)?;
        // Such a frame could take its own sandbox off, and any script of the page could read the card in it.
        if window.origin() == options.origin {
            return Err(Error::configuration("cardUrl", "of another origin than the page's own"));
        }
        check_url(&options.url, &options.origin)?;
        if options.title.trim_ascii().is_empty() {
            return Err(Error::configuration("title", "a name for the frame, which screen readers announce"));
        }
        let document = container.owner_document();
        let iframe = document.and_then(|document| new_iframe(&document, &options.title, options.height).ok());
        let iframe = iframe.ok_or_else(|| Error::new(Code::CardFormLoadFailed))?;
        let frame = Rc::new(Frame {
            container: container.clone(),
            window,
            iframe,
            protocol: RefCell::new(Protocol::new(&options.origin)),
            origin: options.origin,
            load_timeout_ms: options.load_timeout_ms,
            loading: Cell::default(),
            watchdog: RefCell::default(),
            listeners: RefCell::default(),
            undelivered: RefCell::default(),
            deliver: RefCell::new(Some(Box::new(deliver))),
            is_closed: Cell::new(false),
        });
        frame.listen(&frame.window, "message", Frame::on_message);
        frame.listen(&frame.window, "securitypolicyviolation", Frame::on_violation);
        frame.listen(&frame.iframe, "load", Frame::on_load);
        frame.listen(&frame.iframe, "error", Frame::on_error);
        // From here on the frame is removed again if anything fails.
        let mounted = CardFrame(frame);
        mounted.0.load(&options.url, None)?;
        Ok(mounted)
    }

    /// Shows another address of the same origin in the same place, for another session or theme.
    ///
    /// The element stays the same but gets a new window, so that nothing the old page still says is taken for the new one's,
    /// and the page's history does not grow. What was not delivered yet is dropped.
    ///
    /// # Errors
    /// `configuration`: the address is of another origin, or the container is no longer in a page.
    pub fn set_url(&self, url: &str) -> Result<(), Error> {
        let frame = &self.0;
        check_url(url, &frame.origin)?;
        window_of(&frame.container)?;
        frame.undelivered.take();
        frame.protocol.borrow_mut().restart();
        frame.loading.set(Loading::default());
        let place = frame.iframe.parent_node().map(|parent| (parent, frame.iframe.next_sibling()));
        let had_focus = frame.has_focus();
        frame.iframe.remove();
        frame.load(url, place)?;
        if had_focus && !frame.is_closed.get() {
            // Where the focus cannot go back it is as lost as without this.
            let _ = frame.iframe.focus();
        }
        Ok(())
    }

    /// The frame's element.
    #[must_use]
    pub fn element(&self) -> HtmlIFrameElement {
        self.0.iframe.clone()
    }

    /// How many messages were not believed since the frame was mounted. Messages that other frames and scripts exchange on
    /// the page are among them.
    #[must_use]
    pub fn counts(&self) -> Refusals {
        self.0.protocol.borrow().refusals()
    }

    /// Removes the frame with every listener and timer; nothing is delivered any more. Again is fine.
    pub fn close(&self) {
        let frame = &self.0;
        if frame.is_closed.replace(true) {
            return;
        }
        frame.listeners.take();
        frame.watchdog.take();
        frame.undelivered.take();
        frame.deliver.take();
        frame.iframe.remove();
        // Put back by somebody it would show a form that nobody listens to.
        let _ = frame.iframe.remove_attribute("src");
    }
}

impl Drop for CardFrame {
    fn drop(&mut self) {
        self.close();
    }
}

impl Frame {
    fn listen(self: &Rc<Self>, target: &EventTarget, name: &'static str, heard: fn(&Rc<Self>, &Event)) {
        let frame = Rc::downgrade(self);
        let listener = EventListener::new(target, name, move |event| {
            if let Some(frame) = frame.upgrade() {
                heard(&frame, event);
            }
        });
        self.listeners.borrow_mut().push(listener);
    }

    fn load(
        self: &Rc<Self>,
        url: &str,
        place: Option<(web_sys::Node, Option<web_sys::Node>)>,
    ) -> Result<(), Error> {
        // Taking the frame out may have run a script of the page that closed it.
        if self.is_closed.get() {
            return Ok(());
        }
        self.iframe.set_src(url);
        self.watch();
        let put = place.and_then(|(parent, next)| parent.insert_before(&self.iframe, next.as_ref()).ok());
        if put.is_some() || self.container.append_child(&self.iframe).is_ok() {
            Ok(())
        } else {
            Err(Error::configuration("container", "an element that can hold others"))
        }
    }

    fn has_focus(&self) -> bool {
        // A shadow root has this member as well as a document.
        let root: Document = self.iframe.get_root_node().unchecked_into();
        root.active_element().is_some_and(|element| element.is_same_node(Some(&self.iframe)))
    }

    fn watch(self: &Rc<Self>) {
        let frame = Rc::downgrade(self);
        let timer = Timer::new(self.load_timeout_ms, move || {
            if let Some(frame) = frame.upgrade() {
                frame.timed_out();
            }
        });
        self.watchdog.replace(Some(timer));
    }

    fn timed_out(self: &Rc<Self>) {
        // A hidden page loads slowly or not at all, and nobody waits for it.
        if self.window.document().is_some_and(|document| document.hidden()) {
            self.watch();
        } else {
            self.change(|loading| loading.failed(self.or_offline(LoadFailure::Timeout)));
        }
    }

    fn on_load(self: &Rc<Self>, event: &Event) {
        if !event.is_trusted() {
            return;
        }
        self.protocol.borrow_mut().loaded();
        // A document that the page can look into is not the form: the browser put an empty one in its place.
        if self.iframe.content_document().is_some() {
            self.failed_soon(LoadFailure::Blocked(None));
        } else if self.is_offline() {
            self.change(|loading| loading.failed(LoadFailure::Offline));
        } else {
            self.change(Loading::loaded);
        }
    }

    /// WebKit loads the empty document, and Firefox may report the error, before the violation is told that names the directive.
    fn failed_soon(self: &Rc<Self>, failure: LoadFailure) {
        let frame = Rc::downgrade(self);
        let timer = Timer::new(DIRECTIVE_WITHIN_MS, move || {
            if let Some(frame) = frame.upgrade() {
                frame.change(|loading| loading.failed(failure));
            }
        });
        if self.loading.get() == Loading::Waiting {
            self.watchdog.replace(Some(timer));
        }
    }

    fn on_error(self: &Rc<Self>, event: &Event) {
        if event.is_trusted() {
            self.failed_soon(self.or_offline(LoadFailure::Unreachable));
        }
    }

    fn on_violation(self: &Rc<Self>, event: &Event) {
        if !event.is_trusted() {
            return;
        }
        let violation: &SecurityPolicyViolationEvent = event.unchecked_ref();
        let blocked = violation.blocked_uri();
        let effective = violation.effective_directive();
        let directive = FRAME_DIRECTIVES.into_iter().find(|directive| *directive == effective);
        if violation.disposition() == SecurityPolicyViolationEventDisposition::Enforce
            && directive.is_some()
            && (blocked == self.origin || is_of(&blocked, &self.origin))
        {
            self.change(|loading| loading.failed(LoadFailure::Blocked(directive)));
        }
    }

    fn on_message(self: &Rc<Self>, event: &Event) {
        // What a script dispatched may be no message at all: each thing is read only once the one before it holds.
        let trusted = event.is_trusted() || is_left_out("isTrusted");
        let event: &MessageEvent = event.unchecked_ref();
        let from_this_frame = trusted && (self.is_sender(event) || is_left_out("source"));
        let origin = match from_this_frame {
            true if is_left_out("origin") => self.origin.clone(),
            true => event.origin(),
            false => String::new(),
        };
        let data = if origin == self.origin { short_text(&event.data()) } else { None };
        let message = Message { trusted, from_this_frame, origin: &origin, data: data.as_deref() };
        let received = self.protocol.borrow_mut().receive(message);
        if let Ok(card_event) = received {
            self.change(Loading::heard);
            self.post(FrameEvent::Card(card_event));
        }
    }

    fn is_sender(&self, event: &MessageEvent) -> bool {
        match (event.source(), self.iframe.content_window()) {
            // By identity alone: a window of another origin throws at almost everything else.
            (Some(sender), Some(window)) => Object::is(sender.as_ref(), window.as_ref()),
            _ => false,
        }
    }

    fn or_offline(&self, failure: LoadFailure) -> LoadFailure {
        if self.is_offline() { LoadFailure::Offline } else { failure }
    }

    /// A form served by this machine itself needs no connection.
    fn is_offline(&self) -> bool {
        self.origin.starts_with("https:") && !self.window.navigator().on_line()
    }

    fn change(self: &Rc<Self>, change: impl FnOnce(&mut Loading) -> Option<LoadSignal>) {
        let mut loading = self.loading.get();
        let signal = change(&mut loading);
        self.loading.set(loading);
        if let Some(signal) = signal {
            self.watchdog.take();
            self.post(match signal {
                LoadSignal::Ready => FrameEvent::Ready,
                LoadSignal::Failed(failure) => FrameEvent::LoadFailed(failure),
            });
        }
    }

    fn post(self: &Rc<Self>, event: FrameEvent) {
        self.undelivered.borrow_mut().push_back(event);
        let frame = Rc::downgrade(self);
        spawn_local(async move {
            if let Some(frame) = frame.upgrade() {
                frame.deliver_all();
            }
        });
    }

    /// Holds no borrow while it delivers, as whoever is called may call anything here.
    fn deliver_all(&self) {
        while let Some(mut deliver) = self.deliver.take() {
            let event = self.undelivered.borrow_mut().pop_front();
            if let Some(event) = event {
                deliver(event);
            }
            if !self.is_closed.get() {
                self.deliver.replace(Some(deliver));
            }
            if event.is_none() {
                return;
            }
        }
    }
}

fn window_of(container: &Element) -> Result<Window, Error> {
    let window = container.owner_document().and_then(|document| document.default_view());
    window
        .filter(|_| container.is_connected())
        .ok_or_else(|| Error::configuration("container", "an element that is in the page"))
}

fn check_url(url: &str, origin: &str) -> Result<(), Error> {
    if is_of(url, origin) {
        return Ok(());
    }
    Err(Error::configuration("cardUrl", "the address under which the card form's messages are believed"))
}

fn is_of(url: &str, origin: &str) -> bool {
    url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'))
}

#[wasm_bindgen(module = "/src/browser/engine.js")]
extern "C" {
    /// Without its address, which it gets when somebody listens.
    #[wasm_bindgen(js_name = newIframe, catch)]
    fn new_iframe(document: &Document, title: &str, height: u32) -> Result<HtmlIFrameElement, JsValue>;
}

/// Whether this check is missing, in the test build in which the forge proof shows that it would notice.
#[cfg(feature = "weakened")]
fn is_left_out(check: &str) -> bool {
    js_sys::Reflect::get(&js_sys::global(), &"remitkitWeakness".into()).is_ok_and(|named| named == *check)
}

#[cfg(not(feature = "weakened"))]
const fn is_left_out(_: &str) -> bool {
    false
}

/// The data if it is a string no longer than the form's own. Nothing is converted, and nothing long is copied.
fn short_text(data: &JsValue) -> Option<String> {
    let text: &JsString = data.dyn_ref()?;
    (text.length() <= CardEvent::LONGEST).then(|| String::from(text))
}

mod frame_report;
mod page_event;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlIFrameElement, Window};

use self::frame_report::FrameReport;
use self::page_event::EventKind;
use super::iframe::{Iframe, window_of};
use super::listener::{Listener, in_microtasks};
use crate::api::opaque::opaque_debug;
use crate::api::option_name::CARD_URL;
use crate::api::{Code, Error};
use crate::card::{Alarm, CardEvent, FrameEvent, FrameInput, FrameWatch, Refusals, has_origin};

#[wasm_bindgen(module = "/src/browser/frame.js")]
extern "C" {
    #[derive(Clone)]
    type FrameGuard;
    #[wasm_bindgen(constructor)]
    fn new(
        element: &HtmlIFrameElement,
        window: &Window,
        report: &Closure<dyn Fn(FrameReport)>,
        message: &JsValue,
        violation: &JsValue,
        load: &JsValue,
        error: &JsValue,
    ) -> FrameGuard;
    #[wasm_bindgen(method, js_name = beginPage)]
    fn begin_page(this: &FrameGuard, alarm_ms: i32);
    #[wasm_bindgen(method)]
    fn alarm(this: &FrameGuard, ms: i32);
    #[wasm_bindgen(method, js_name = clearAlarm)]
    fn clear_alarm(this: &FrameGuard);
    #[wasm_bindgen(method)]
    fn probe(this: &FrameGuard, url: &str);
    #[wasm_bindgen(method, js_name = readSessionIn)]
    fn read_session_in(this: &FrameGuard, ms: f64);
    #[wasm_bindgen(method, js_name = neverReadSession)]
    fn never_read_session(this: &FrameGuard);
    #[wasm_bindgen(method)]
    fn isolate(this: &FrameGuard) -> bool;
    #[wasm_bindgen(method)]
    fn close(this: &FrameGuard);
}

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

struct Frame {
    window: Window,
    iframe: Iframe,
    guard: FrameGuard,
    watch: RefCell<FrameWatch>,
    url: RefCell<String>,
    // Dropped with the frame, and with it the stream that it feeds.
    listener: Listener<FrameEvent>,
    listeners: Cell<Option<[EventListener; 4]>>,
    _report: Closure<dyn Fn(FrameReport)>,
}

opaque_debug!([] CardFrame);

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
            return Err(Error::invalid_option(
                Code::InvalidConfiguration,
                &CARD_URL,
                "of another origin than the page's own",
            ));
        }
        let iframe = Iframe::new(container, &options.title, options.height)
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
                listen(EventKind::Load, &iframe.element, "load"),
                listen(EventKind::Error, &iframe.element, "error"),
            ];
            let reported = frame.clone();
            let report = Closure::<dyn Fn(FrameReport)>::new(move |report| {
                if let Some(frame) = reported.upgrade() {
                    frame.on_report(report);
                }
            });
            let [message, violation, load, error] = listeners.each_ref().map(|one| one.callback().as_ref());
            Frame {
                guard: FrameGuard::new(&iframe.element, &window, &report, message, violation, load, error),
                window,
                iframe,
                watch: RefCell::new(FrameWatch::new(options.origin.clone(), options.load_timeout_ms)),
                url: RefCell::default(),
                listener: Listener::new(deliver),
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
        self.0.iframe.check_place()
    }

    /// Returns the frame's element.
    #[must_use]
    pub fn element(&self) -> HtmlIFrameElement {
        self.0.iframe.element.clone()
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
        match ms {
            Some(ms) => self.0.guard.read_session_in(ms as f64),
            None => self.0.guard.never_read_session(),
        }
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
            drop(frame.listener.remove());
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
        self.url.replace(url.to_owned());
        self.guard.begin_page(alarm_ms);
        self.iframe.show(url, || self.listener.is_removed()).map_err(|_| {
            self.guard.clear_alarm();
            Error::configuration("container", "an element that can hold others")
        })
    }

    fn is_online(&self) -> bool {
        self.window.navigator().on_line()
    }

    fn on_report(&self, report: FrameReport) {
        let is_online = self.is_online();
        self.notice(match report {
            FrameReport::Alarm => FrameInput::Alarm { is_hidden: self.iframe.is_hidden(), is_online },
            FrameReport::ServerAnswered => FrameInput::ProbeFinished { is_answered: true, is_online },
            FrameReport::ServerUnanswered => FrameInput::ProbeFinished { is_answered: false, is_online },
            FrameReport::FrameIsolated if self.guard.isolate() => {
                // A failure has been delivered where this fails.
                let url = self.url.borrow().clone();
                drop(self.load(&url));
                return;
            }
            FrameReport::FrameIsolated => FrameInput::Isolated { is_probe: false },
            FrameReport::ProbeIsolated => FrameInput::Isolated { is_probe: true },
            FrameReport::Removed => FrameInput::Removed,
            FrameReport::SessionDue => return self.listener.call(FrameEvent::SessionDue),
            // Any other text.
            _ => return,
        });
    }

    fn notice(&self, input: FrameInput<'_>) {
        let output = self.watch.borrow_mut().notice(input);
        match output.alarm {
            Some(Alarm::In { ms }) => self.guard.alarm(ms),
            Some(Alarm::Cleared) => self.guard.clear_alarm(),
            None => {}
        }
        if output.probe_server {
            self.guard.probe(&self.url.borrow());
        }
        output.events.into_iter().flatten().for_each(|event| self.listener.call(event));
    }
}

fn check_url(url: &str, origin: &str) -> Result<(), Error> {
    if has_origin(url, origin) {
        return Ok(());
    }
    Err(Error::invalid_option(Code::InvalidConfiguration, &CARD_URL, "a URL with the card form's origin"))
}

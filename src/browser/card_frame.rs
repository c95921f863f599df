use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlIFrameElement};

use crate::api::{Code, Error};
use crate::card::{Consequence, FrameEvent, FrameWatch, Message, Notice, Refusals};

#[wasm_bindgen(module = "/src/browser/frame.js")]
extern "C" {
    #[wasm_bindgen(js_name = pageOrigin)]
    fn page_origin(element: &Element) -> Option<String>;

    #[wasm_bindgen(js_name = Frame)]
    type JsFrame;
    #[wasm_bindgen(constructor, js_class = Frame, catch)]
    fn new(container: &Element, title: &str, height: u32, reads_all: bool) -> Result<JsFrame, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn element(this: &JsFrame) -> HtmlIFrameElement;
    #[wasm_bindgen(method)]
    fn listen(this: &JsFrame, hear: &Closure<Hear>);
    #[wasm_bindgen(method, catch)]
    fn show(this: &JsFrame, url: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn alarm(this: &JsFrame, ms: i32);
    #[wasm_bindgen(method)]
    fn ask(this: &JsFrame);
    #[wasm_bindgen(method)]
    fn turn(this: &JsFrame);
    #[wasm_bindgen(method)]
    fn close(this: &JsFrame);
}

/// What the frame tells of, two facts, and two texts, as `frame.js` numbers them.
type Hear = dyn Fn(u32, bool, bool, Option<String>, Option<String>);

/// That what waits is to be delivered now.
const TURN: u32 = 5;

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

type Deliver = Box<dyn FnMut(FrameEvent)>;

struct Frame {
    container: Element,
    js: JsFrame,
    watch: RefCell<FrameWatch>,
    undelivered: RefCell<VecDeque<FrameEvent>>,
    deliver: RefCell<Option<Deliver>>,
    is_closed: Cell<bool>,
    hear: Closure<Hear>,
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
        // Such a frame could take its own sandbox off, and any script of the page could read the card in it.
        if origin_around(container)? == options.origin {
            return Err(Error::configuration("cardUrl", "of another origin than the page's own"));
        }
        let watch = FrameWatch::new(options.origin, options.load_timeout_ms);
        check_url(&options.url, &watch)?;
        if options.title.trim_ascii().is_empty() {
            return Err(Error::configuration("title", "a name for the frame, which screen readers announce"));
        }
        let js = JsFrame::new(container, &options.title, options.height, cfg!(feature = "weakened"))
            .map_err(|_| Error::new(Code::CardFormLoadFailed))?;
        let frame = Rc::new_cyclic(|frame: &Weak<Frame>| {
            let heard_by = frame.clone();
            let hear = Closure::<Hear>::new(move |what, first, second, text, more| {
                if let Some(frame) = heard_by.upgrade() {
                    frame.heard(what, first, second, text, more);
                }
            });
            Frame {
                container: container.clone(),
                js,
                watch: RefCell::new(watch),
                undelivered: RefCell::default(),
                deliver: RefCell::new(Some(Box::new(deliver))),
                is_closed: Cell::new(false),
                hear,
            }
        });
        frame.js.listen(&frame.hear);
        // From here on the frame is removed again if anything fails.
        let mounted = CardFrame(frame);
        mounted.0.load(&options.url)?;
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
        check_url(url, &frame.watch.borrow())?;
        self.check_place()?;
        frame.undelivered.take();
        frame.load(url)
    }

    /// # Errors
    /// `configuration`: the container is no longer in a page.
    pub(super) fn check_place(&self) -> Result<(), Error> {
        origin_around(&self.0.container).map(drop)
    }

    /// The frame's element.
    #[must_use]
    pub fn element(&self) -> HtmlIFrameElement {
        self.0.js.element()
    }

    /// How many messages were not believed since the frame was mounted. Messages that other frames and scripts exchange on
    /// the page are among them.
    #[must_use]
    pub fn counts(&self) -> Refusals {
        self.0.watch.borrow().refusals()
    }

    /// Removes the frame with every listener and timer; nothing is delivered any more. Again is fine.
    pub fn close(&self) {
        let frame = &self.0;
        if !frame.is_closed.replace(true) {
            frame.undelivered.take();
            frame.deliver.take();
            frame.js.close();
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
        self.js.alarm(alarm_ms);
        self.js.show(url).map_err(|_| Error::configuration("container", "an element that can hold others"))
    }

    fn heard(&self, what: u32, first: bool, second: bool, text: Option<String>, more: Option<String>) {
        if what == TURN {
            return self.deliver_all();
        }
        let (text, more) = (text.as_deref(), more.as_deref());
        let consequence = notice(&mut self.watch.borrow_mut(), what, first, second, text, more);
        if let Some(ms) = consequence.alarm_ms {
            self.js.alarm(ms);
        }
        if consequence.asks {
            self.js.ask();
        }
        for event in consequence.events.into_iter().flatten() {
            self.undelivered.borrow_mut().push_back(event);
            self.js.turn();
        }
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

/// Has the watch judge what `frame.js` tells of.
pub(crate) fn notice(
    watch: &mut FrameWatch,
    what: u32,
    first: bool,
    second: bool,
    text: Option<&str>,
    more: Option<&str>,
) -> Consequence {
    let text_or_none = text.unwrap_or_default();
    match what {
        0 => {
            let believed = if is_left_out("origin") { watch.origin().to_owned() } else { String::new() };
            let origin = if believed.is_empty() { text_or_none } else { &believed };
            let trusted = first || is_left_out("isTrusted");
            let from_this_frame = second || is_left_out("source");
            watch.notice(Notice::Message(Message { trusted, from_this_frame, origin, data: more }))
        }
        1 => watch.notice(Notice::Load { is_readable: first, is_online: second }),
        2 => watch.notice(Notice::Error { is_online: second }),
        3 => watch.notice(Notice::Violation { directive: text_or_none, blocked: more.unwrap_or_default() }),
        6 => watch.notice(Notice::Asked { is_answered: first, is_online: second }),
        _ => watch.notice(Notice::Alarm { is_hidden: first, is_online: second }),
    }
}

fn origin_around(container: &Element) -> Result<String, Error> {
    page_origin(container).ok_or_else(|| Error::configuration("container", "an element that is in the page"))
}

fn check_url(url: &str, watch: &FrameWatch) -> Result<(), Error> {
    if watch.is_own(url) {
        return Ok(());
    }
    Err(Error::configuration("cardUrl", "the address under which the card form's messages are believed"))
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

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::{Element, HtmlIFrameElement};

use super::card_frame::{CardFrame, FrameOptions};
use super::environment::{now_ms, parse_time_ms};
use crate::api::json::JsonRef;
use crate::api::{Address, Code, Error, Uuid};
use crate::card::{CardEvent, FrameEvent, LoadFailure, Theme, form_url};

/// The owner of a card form.
pub(crate) trait FormHost: 'static {
    /// Takes an event. Listeners must not be called before this returns.
    fn deliver(&self, event: CardFormEvent);
    /// Reads the card that was entered in a session.
    fn read_card(&self, session_id: Uuid, then: impl FnOnce(Result<String, Error>) + 'static);
    /// Reads a session once: how it has ended, if it has. A failure to read it is no end.
    fn read_end(&self, session_id: Uuid, then: impl FnOnce(Option<CardEvent>) + 'static);
}

/// Before the session ends, its last read.
const LAST_READ_MS: i64 = 15_000;
/// The pause between two reads where it is unknown when the session ends, and after its end.
const READ_PAUSE_MS: i64 = 60_000;
/// The longest pause: the page's clock may be days behind.
const MAX_READ_PAUSE_MS: i64 = 600_000;

/// The card form in a container, for JavaScript and for Rust: its session, its frame, and the card that was
/// entered.
pub(crate) struct MountedForm<H> {
    host: H,
    container: Element,
    card_url: Address,
    options: CardFormOptions,
    shown: RefCell<Option<Shown>>,
    /// The number of sessions that were begun, and of the one that is shown: only the newest counts.
    begun: Cell<u32>,
    newest: Cell<u32>,
    /// From the first session until the form is destroyed.
    frame: RefCell<Option<Rc<CardFrame>>>,
    /// Whether the shown session has ended, with a card or without.
    is_over: Cell<bool>,
}

/// The state that a form shows.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) session_id: Uuid,
    pub(crate) expiration_date: String,
    pub(crate) url: String,
    /// The theme, as it is in the URL.
    query: String,
}

impl<H: FormHost> MountedForm<H> {
    pub(crate) fn new(host: H, container: Element, card_url: Address, options: CardFormOptions) -> Rc<Self> {
        let (shown, begun, newest, frame, is_over) = Default::default();
        Rc::new(MountedForm { host, container, card_url, options, shown, begun, newest, frame, is_over })
    }

    pub(crate) fn host(&self) -> &H {
        &self.host
    }

    /// Returns what is shown; `None` before the first session.
    pub(crate) fn shown(&self) -> Option<Shown> {
        self.shown.borrow().clone()
    }

    pub(crate) fn element(&self) -> Option<HtmlIFrameElement> {
        self.frame().map(|frame| frame.element())
    }

    /// Returns the `FrameGuard` of `frame.js`, which closes the frame if the module has crashed.
    #[cfg(feature = "js")]
    pub(crate) fn guard(&self) -> Option<wasm_bindgen::JsValue> {
        self.frame().map(|frame| frame.guard())
    }

    /// Returns the number of a new session. Checks first that it can be shown, as it ends the shown one.
    pub(crate) fn begin_session(&self) -> Result<u32, Error> {
        self.check_place()?;
        self.begun.set(self.begun.get() + 1);
        Ok(self.begun.get())
    }

    /// Shows a session, unless a later one is shown.
    pub(crate) fn show(
        self: &Rc<Self>,
        number: u32,
        session_id: Uuid,
        expiration_date: String,
    ) -> Result<(), Error> {
        if number < self.newest.get() {
            return Ok(());
        }
        let query = match &*self.shown.borrow() {
            Some(shown) => shown.query.clone(),
            None => self.options.theme.to_query(),
        };
        self.load(number, Shown { session_id, expiration_date, url: String::new(), query })
    }

    /// Shows the form in another theme.
    pub(crate) fn update(self: &Rc<Self>, theme: &Theme) -> Result<(), Error> {
        match self.shown() {
            Some(shown) => self.load(self.newest.get(), Shown { query: theme.to_query(), ..shown }),
            None => Ok(()),
        }
    }

    /// Removes the frame and its listeners.
    pub(crate) fn destroy(&self) {
        let frame = self.frame.take();
        if let Some(frame) = frame {
            frame.close();
        }
    }

    /// Loads the form; changes nothing if the form cannot be shown.
    fn load(self: &Rc<Self>, number: u32, mut shown: Shown) -> Result<(), Error> {
        let card_url = &self.card_url;
        let CardFormOptions { title, height, load_timeout_ms, .. } = &self.options;
        let url = form_url(card_url, shown.session_id.as_str(), &shown.query)?;
        self.check_place()?;
        shown.url.clone_from(&url);
        self.shown.replace(Some(shown));
        if self.newest.get() != number {
            self.is_over.set(false);
        }
        let is_first = self.newest.replace(number) == 0;
        match self.frame() {
            Some(frame) => {
                let loaded = frame.load(&url);
                if let Err(error) = &loaded {
                    self.host.deliver(CardFormEvent::Failed(error.clone()));
                }
                self.plan_read();
                loaded
            }
            None if is_first => {
                let listener = Rc::downgrade(self);
                let options = FrameOptions {
                    url,
                    origin: card_url.origin().to_owned(),
                    title: title.clone(),
                    height: *height,
                    load_timeout_ms: *load_timeout_ms,
                };
                let frame = CardFrame::mount_checked(&self.container, &options, move |event| {
                    if let Some(form) = listener.upgrade() {
                        form.take_event(event);
                    }
                })?;
                self.frame.replace(Some(Rc::new(frame)));
                self.plan_read();
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn check_place(&self) -> Result<(), Error> {
        self.frame().map_or(Ok(()), |frame| frame.check_place())
    }

    /// Returns the frame without a borrow: page code that runs while it moves may destroy the form.
    fn frame(&self) -> Option<Rc<CardFrame>> {
        self.frame.borrow().clone()
    }

    fn take_event(self: &Rc<Self>, event: FrameEvent) {
        let deliver = |event| self.host.deliver(event);
        match event {
            FrameEvent::Ready => deliver(CardFormEvent::Ready),
            FrameEvent::LoadFailed(failure) => {
                deliver(CardFormEvent::LoadFailed(failure));
                deliver(CardFormEvent::Failed(failure.error(self.card_url.origin())));
            }
            FrameEvent::Card(card_event) => {
                deliver(CardFormEvent::Card(card_event));
                match card_event {
                    CardEvent::Success => self.read_card(),
                    CardEvent::Expired => {
                        self.end();
                        deliver(CardFormEvent::Failed(Error::new(Code::InvalidCardOnboardingSession)));
                    }
                    _ => {}
                }
            }
            FrameEvent::Removed if self.is_over.get() => {}
            FrameEvent::Removed => deliver(CardFormEvent::Failed(Error::new(Code::CardFormRemoved))),
            FrameEvent::SessionDue => self.read_end(),
        }
    }

    fn end(&self) {
        self.is_over.set(true);
        self.plan_read();
    }

    /// Plans to read the session before and after it ends: a script of the page may keep the form's messages
    /// from arriving.
    fn plan_read(&self) {
        let (Some(frame), Some(shown)) = (self.frame(), self.shown()) else { return };
        let ends_at_ms = parse_time_ms(&shown.expiration_date).and_then(|at| i64::try_from(at).ok());
        let left_ms = ends_at_ms.map_or(0, |at| at.saturating_sub_unsigned(now_ms()));
        frame.read_session_in(match left_ms {
            _ if self.is_over.get() => None,
            ..=0 => Some(READ_PAUSE_MS),
            1..=LAST_READ_MS => Some(left_ms + 2000),
            _ => Some((left_ms - LAST_READ_MS).min(MAX_READ_PAUSE_MS)),
        });
    }

    fn read_end(self: &Rc<Self>) {
        let Some(Shown { session_id, .. }) = self.shown() else { return };
        let form = Rc::clone(self);
        self.host.read_end(session_id.clone(), move |end| {
            let Some(frame) = form.frame().filter(|_| form.is_shown(&session_id)) else { return };
            if form.is_over.get() {
                return;
            }
            if let Some(end) = end {
                frame.conclude(end);
            }
            form.plan_read();
        });
    }

    fn is_shown(&self, session_id: &Uuid) -> bool {
        self.shown().is_some_and(|shown| shown.session_id == *session_id)
    }

    fn read_card(self: &Rc<Self>) {
        let Some(Shown { session_id, .. }) = self.shown() else { return };
        let form = Rc::clone(self);
        self.host.read_card(session_id.clone(), move |card_id| {
            // The form may have been destroyed or renewed meanwhile.
            if form.frame().is_none() || !form.is_shown(&session_id) {
                return;
            }
            form.host.deliver(match card_id {
                Ok(card_id) => {
                    form.end();
                    CardFormEvent::Completed { card_id, session_id: session_id.as_str().to_owned() }
                }
                Err(error) => CardFormEvent::Failed(error),
            });
        });
    }
}

/// The options of a card form.
#[derive(Clone, Debug)]
pub struct CardFormOptions {
    /// An existing session; by default a new one is created.
    pub session_id: Option<Uuid>,
    /// The theme.
    pub theme: Theme,
    /// The accessible name of the frame.
    pub title: String,
    /// The height reserved for the frame, in CSS pixels.
    pub height: u32,
    /// The timeout of the frame's load.
    pub load_timeout_ms: u32,
}

impl Default for CardFormOptions {
    /// A new session, the form's own theme, the title `Card details`, 620 pixels, which the form needs at a
    /// width of 320, and 20 seconds.
    fn default() -> Self {
        // The package's components read the same file: they reserve the height before the module is there.
        let defaults = JsonRef::new(include_str!("../card/form_defaults.json"));
        let number = |name| {
            let number = defaults.member(name).and_then(JsonRef::integer);
            number.and_then(|number| u32::try_from(number).ok()).unwrap_or_default()
        };
        CardFormOptions {
            session_id: None,
            theme: Theme::default(),
            title: defaults.text_of("title").unwrap_or_default().into_owned(),
            height: number("height"),
            load_timeout_ms: number("loadTimeoutMs"),
        }
    }
}

/// An event of a card form.
#[derive(Clone, Debug)]
pub enum CardFormEvent {
    /// The frame has loaded.
    Ready,
    /// The frame failed to load.
    LoadFailed(LoadFailure),
    /// A message of the form.
    Card(CardEvent),
    /// The card was verified, and its session was read.
    Completed {
        /// The card, for the field `CARD_ID`.
        card_id: String,
        /// The session in which it was entered.
        session_id: String,
    },
    /// There will be no card.
    Failed(Error),
}

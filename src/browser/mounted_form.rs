use std::cell::{Cell, RefCell};
use std::rc::Rc;

use web_sys::{Element, HtmlIFrameElement};

use super::card_frame::{CardFrame, FrameOptions};
use crate::api::{Address, Code, Error, Uuid};
use crate::card::{CardEvent, FrameEvent, LoadFailure, Theme, form_url};

/// Whoever has a card form.
pub(crate) trait FormHost: 'static {
    /// Takes an event. Whoever listens must not be called before this has returned.
    fn deliver(&self, event: CardFormEvent);
    /// Reads the card that was entered in a session.
    fn read_card(&self, session_id: Uuid, then: impl FnOnce(Result<String, Error>) + 'static);
}

/// The card form in a container: its session, its frame, and the card that comes of it; for the page in
/// JavaScript and for Rust callers.
pub(crate) struct MountedForm<H> {
    host: H,
    container: Element,
    card_url: Address,
    options: CardFormOptions,
    shown: RefCell<Option<Shown>>,
    /// How many sessions were asked for, and the last of them that came: only the newest counts.
    asked: Cell<u32>,
    newest: Cell<u32>,
    // There from the first session until the form is closed.
    frame: RefCell<Option<Rc<CardFrame>>>,
}

/// What a form shows.
#[derive(Clone)]
pub(crate) struct Shown {
    pub(crate) session_id: Uuid,
    pub(crate) expiration_date: String,
    pub(crate) url: String,
    /// The theme, as it stands in the address.
    query: String,
}

impl<H: FormHost> MountedForm<H> {
    pub(crate) fn new(host: H, container: Element, card_url: Address, options: CardFormOptions) -> Rc<Self> {
        let (shown, asked, newest, frame) = Default::default();
        Rc::new(MountedForm { host, container, card_url, options, shown, asked, newest, frame })
    }

    pub(crate) fn host(&self) -> &H {
        &self.host
    }

    /// Nothing before the first session.
    pub(crate) fn shown(&self) -> Option<Shown> {
        self.shown.borrow().clone()
    }

    pub(crate) fn element(&self) -> Option<HtmlIFrameElement> {
        self.frame().map(|frame| frame.element())
    }

    /// What can close its frame without the module, should that have crashed.
    #[cfg(feature = "js")]
    pub(crate) fn guard(&self) -> Option<wasm_bindgen::JsValue> {
        self.frame().map(|frame| frame.guard())
    }

    /// The place among all sessions of the one that is now asked for. One that could not be shown would end
    /// the one that is.
    pub(crate) fn ask(&self) -> Result<u32, Error> {
        self.check_place()?;
        self.asked.set(self.asked.get() + 1);
        Ok(self.asked.get())
    }

    /// Shows the session that was asked for, unless a later one is shown.
    pub(crate) fn show(
        self: &Rc<Self>,
        place: u32,
        session_id: Uuid,
        expiration_date: String,
    ) -> Result<(), Error> {
        if place < self.newest.get() {
            return Ok(());
        }
        let query = match &*self.shown.borrow() {
            Some(shown) => shown.query.clone(),
            None => self.options.theme.to_query(),
        };
        self.load(place, Shown { session_id, expiration_date, url: String::new(), query })
    }

    /// Loads the form in another theme.
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

    // Changes nothing where the form cannot be shown at all.
    fn load(self: &Rc<Self>, place: u32, mut shown: Shown) -> Result<(), Error> {
        let card_url = &self.card_url;
        let CardFormOptions { title, height, load_timeout_ms, .. } = &self.options;
        let url = form_url(card_url, shown.session_id.as_str(), &shown.query)?;
        self.check_place()?;
        shown.url.clone_from(&url);
        self.shown.replace(Some(shown));
        let is_first = self.newest.replace(place) == 0;
        match self.frame() {
            Some(frame) => frame.load(&url).inspect_err(|error| {
                self.host.deliver(CardFormEvent::Failed(error.clone()));
            }),
            None if is_first => {
                let listener = Rc::downgrade(self);
                let options = FrameOptions {
                    url,
                    origin: card_url.origin().to_owned(),
                    title: title.clone(),
                    height: *height,
                    load_timeout_ms: *load_timeout_ms,
                };
                let frame = CardFrame::mount_at_once(&self.container, &options, move |event| {
                    if let Some(form) = listener.upgrade() {
                        form.heard(event);
                    }
                })?;
                self.frame.replace(Some(Rc::new(frame)));
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn check_place(&self) -> Result<(), Error> {
        self.frame().map_or(Ok(()), |frame| frame.check_place())
    }

    /// Not borrowed while the frame moves: what the page runs meanwhile may destroy the form.
    fn frame(&self) -> Option<Rc<CardFrame>> {
        self.frame.borrow().clone()
    }

    fn heard(self: &Rc<Self>, event: FrameEvent) {
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
                        deliver(CardFormEvent::Failed(Error::new(Code::InvalidCardOnboardingSession)));
                    }
                    _ => {}
                }
            }
        }
    }

    fn read_card(self: &Rc<Self>) {
        let Some(Shown { session_id, .. }) = self.shown() else { return };
        let form = Rc::clone(self);
        self.host.read_card(session_id.clone(), move |card_id| {
            // A form that was closed or renewed in the meantime has nothing to tell of that session.
            let is_shown = form.shown().is_some_and(|shown| shown.session_id == session_id);
            if form.frame().is_none() || !is_shown {
                return;
            }
            form.host.deliver(match card_id {
                Ok(card_id) => {
                    CardFormEvent::Completed { card_id, session_id: session_id.as_str().to_owned() }
                }
                Err(error) => CardFormEvent::Failed(error),
            });
        });
    }
}

/// How a card form is shown.
#[derive(Clone, Debug)]
pub struct CardFormOptions {
    /// A session that exists; a new one is created where none is given.
    pub session_id: Option<Uuid>,
    /// How it looks.
    pub theme: Theme,
    /// The accessible name of the frame.
    pub title: String,
    /// The height that is reserved for the frame, in CSS pixels.
    pub height: u32,
    /// How long the frame may take to load.
    pub load_timeout_ms: u32,
}

impl Default for CardFormOptions {
    /// A new session, the form's own looks, the title `Card`, 432 pixels, 20 seconds.
    fn default() -> Self {
        CardFormOptions {
            session_id: None,
            theme: Theme::default(),
            title: "Card".to_owned(),
            height: 432,
            load_timeout_ms: 20_000,
        }
    }
}

/// What happens in a card form.
#[derive(Clone, Debug)]
pub enum CardFormEvent {
    /// The frame has loaded.
    Ready,
    /// It has not, and why.
    LoadFailed(LoadFailure),
    /// A message of the form.
    Card(CardEvent),
    /// The card was verified, and the session read back for it.
    Completed {
        /// The card, for the field `CARD_ID`.
        card_id: String,
        /// The session in which it was entered.
        session_id: String,
    },
    /// It will not come to a card.
    Failed(Error),
}

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};
use std::time::Duration;

use futures_channel::mpsc;
use futures_util::Stream;
use js_sys::futures::spawn_local;
use web_sys::{Element, HtmlIFrameElement};

use super::card_frame::{CardFrame, FrameOptions, in_microtasks};
use super::time::{now_ms, parse_time_ms};
use super::{Browser, Signal};
use crate::api::json::JsonRef;
use crate::api::{Code, Error, SessionId};
use crate::card::{CardEvent, FrameEvent, LoadFailure, Theme, form_url};
use crate::client::Client;

/// Before the session ends, its last read.
const LAST_READ_MS: i64 = 15_000;
/// The pause between two reads where it is unknown when the session ends, and after its end.
const READ_PAUSE_MS: i64 = 60_000;
/// The longest pause: the page's clock may be days behind.
const MAX_READ_PAUSE_MS: i64 = 600_000;

/// The hosted card form in a container of the page: its session, its frame, and the card that was entered.
/// Dropping the last handle removes the form.
pub struct CardForm(Rc<Form>);

type Deliver = Rc<dyn Fn(CardFormEvent)>;

struct Form {
    client: Client<Browser>,
    container: Element,
    options: CardFormOptions,
    /// Dropped when the form is destroyed, and with it the stream that it feeds.
    deliver: RefCell<Option<Deliver>>,
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
struct Shown {
    session_id: SessionId,
    expiration_date: String,
    url: String,
    /// The theme, as it is in the URL.
    query: String,
}

impl Drop for Form {
    fn drop(&mut self) {
        self.destroy();
    }
}

impl fmt::Debug for CardForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CardForm").field("session_id", &self.session_id()).finish_non_exhaustive()
    }
}

impl CardForm {
    /// Mounts the form. Each of its events goes to `deliver` in a microtask, so `deliver` may call all
    /// methods of the form, and drop it.
    ///
    /// # Errors
    /// Those of creating or reading the session; `configuration` if the card form has the page's own origin;
    /// `card` if the given session has expired.
    pub async fn mount(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
        deliver: impl Fn(CardFormEvent) + 'static,
    ) -> Result<Self, Error> {
        Self::mount_with(client, container, options, deliver, &Signal::default()).await
    }

    pub(crate) async fn mount_with(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
        deliver: impl Fn(CardFormEvent) + 'static,
        signal: &Signal,
    ) -> Result<Self, Error> {
        let session_id = options.session_id.clone();
        let deliver: Deliver = Rc::new(in_microtasks(deliver));
        let (shown, begun, newest, frame, is_over) = Default::default();
        let (container, deliver) = (container.clone(), RefCell::new(Some(deliver)));
        let form = Form { client, container, options, deliver, shown, begun, newest, frame, is_over };
        let form = CardForm(Rc::new(form));
        form.open(session_id.as_ref(), signal).await?;
        Ok(form)
    }

    /// [Mounts](CardForm::mount) the form with its events as a stream, which ends when the form is destroyed.
    ///
    /// # Errors
    /// Those of `mount`.
    pub async fn mount_streaming(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
    ) -> Result<(Self, impl Stream<Item = CardFormEvent> + Unpin + use<>), Error> {
        let (sender, events) = mpsc::unbounded();
        let deliver = move |event| {
            // Fails only if the stream was dropped.
            let _ = sender.unbounded_send(event);
        };
        let form = Self::mount(client, container, options, deliver).await?;
        Ok((form, events))
    }

    /// Returns the id of the session that the form shows.
    #[must_use]
    pub fn session_id(&self) -> Option<SessionId> {
        self.0.shown().map(|shown| shown.session_id)
    }

    /// Returns when the session ends, in ISO 8601.
    #[must_use]
    pub fn expiration_date(&self) -> Option<String> {
        self.0.shown().map(|shown| shown.expiration_date)
    }

    /// Returns the URL of the frame.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        self.0.shown().map(|shown| shown.url)
    }

    /// Returns the frame's element.
    #[must_use]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.0.frame().map(|frame| frame.element())
    }

    /// Returns the `FrameGuard` of `frame.js`, which closes the frame if the module has crashed.
    #[cfg(feature = "js")]
    pub(crate) fn guard(&self) -> Option<wasm_bindgen::JsValue> {
        self.0.frame().map(|frame| frame.guard())
    }

    /// Shows the form in another theme. The form loads again, and what was typed into it is lost.
    ///
    /// # Errors
    /// `configuration` while the container is not in a page, which changes nothing; and if the page does not
    /// take the frame back: then the form has failed until it is shown again.
    pub fn update(&self, theme: Theme) -> Result<(), Error> {
        match self.0.shown() {
            Some(shown) => self.0.load(self.0.newest.get(), Shown { query: theme.to_query(), ..shown }),
            None => Ok(()),
        }
    }

    /// Creates a new session in the same place.
    ///
    /// # Errors
    /// Those of creating a session, and those of [`update`](CardForm::update). While the container is not in
    /// a page the form keeps its session.
    pub async fn renew(&self) -> Result<(), Error> {
        self.open(None, &Signal::default()).await
    }

    /// Returns another handle to the form, which stays while one is left.
    #[must_use]
    pub fn share(&self) -> Self {
        CardForm(Rc::clone(&self.0))
    }

    /// Removes the frame and its listeners, for all handles.
    pub fn destroy(&self) {
        self.0.destroy();
    }

    /// Shows this session, or a new one, unless a later one is shown meanwhile.
    pub(crate) async fn open(&self, session_id: Option<&SessionId>, signal: &Signal) -> Result<(), Error> {
        let form = &self.0;
        // First, as a new session ends the shown one.
        form.check_place()?;
        let number = form.begun.get() + 1;
        form.begun.set(number);
        let session = form.client.open_card(session_id).with_signal(signal.clone()).await?;
        if number < form.newest.get() {
            return Ok(());
        }
        let query = match &*form.shown.borrow() {
            Some(shown) => shown.query.clone(),
            None => form.options.theme.to_query(),
        };
        let (session_id, expiration_date, url) = (session.id, session.expiration_date, String::new());
        form.load(number, Shown { session_id, expiration_date, url, query })
    }
}

impl Form {
    fn shown(&self) -> Option<Shown> {
        self.shown.borrow().clone()
    }

    /// Returns the frame without a borrow: page code that runs while it moves may destroy the form.
    fn frame(&self) -> Option<Rc<CardFrame>> {
        self.frame.borrow().clone()
    }

    fn destroy(&self) {
        let (frame, deliver) = (self.frame.take(), self.deliver.take());
        if let Some(frame) = frame {
            frame.close();
        }
        drop(deliver);
    }

    fn check_place(&self) -> Result<(), Error> {
        self.frame().map_or(Ok(()), |frame| frame.check_place())
    }

    /// Loads the form; changes nothing if the form cannot be shown.
    fn load(self: &Rc<Self>, number: u32, mut shown: Shown) -> Result<(), Error> {
        let card_url = self.client.card_url();
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
                    self.deliver(CardFormEvent::Failed(error.clone()));
                }
                self.plan_read();
                loaded
            }
            None if is_first => {
                let options = FrameOptions {
                    url,
                    origin: card_url.origin().to_owned(),
                    title: title.clone(),
                    height: *height,
                    load_timeout_ms: *load_timeout_ms,
                };
                let form = Rc::downgrade(self);
                let frame = CardFrame::mount_checked(&self.container, &options, move |event| {
                    on_event(&form, event);
                })?;
                self.frame.replace(Some(Rc::new(frame)));
                self.plan_read();
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn end(&self) {
        self.is_over.set(true);
        self.plan_read();
    }

    fn complete(&self, card_id: String, session_id: &SessionId) {
        self.end();
        self.deliver(CardFormEvent::Completed { card_id, session_id: session_id.clone() });
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

    fn is_shown(&self, session_id: &SessionId) -> bool {
        self.shown().is_some_and(|shown| shown.session_id == *session_id)
    }

    fn deliver(&self, event: CardFormEvent) {
        let deliver = self.deliver.borrow().clone();
        if let Some(deliver) = deliver {
            deliver(event);
        }
    }
}

fn on_event(form: &Weak<Form>, event: FrameEvent) {
    let Some(form) = form.upgrade() else { return };
    match event {
        FrameEvent::Ready => form.deliver(CardFormEvent::Ready),
        FrameEvent::LoadFailed(failure) => {
            form.deliver(CardFormEvent::LoadFailed(failure));
            form.deliver(CardFormEvent::Failed(failure.error(form.client.card_url().origin())));
        }
        FrameEvent::Card(card_event) => {
            form.deliver(CardFormEvent::Card(card_event));
            match card_event {
                CardEvent::Success => spawn_local(read_card(Rc::downgrade(&form))),
                CardEvent::Expired => {
                    form.end();
                    form.deliver(CardFormEvent::Failed(Error::new(Code::InvalidCardOnboardingSession)));
                }
                _ => {}
            }
        }
        FrameEvent::Removed if form.is_over.get() => {}
        FrameEvent::Removed => form.deliver(CardFormEvent::Failed(Error::new(Code::CardFormRemoved))),
        FrameEvent::SessionDue => spawn_local(read_end(Rc::downgrade(&form))),
    }
}

/// Reads the session once: how it has ended, if it has. A failure to read it is no end.
async fn read_end(form: Weak<Form>) {
    let shown = form.upgrade().and_then(|form| Some((form.client.clone(), form.shown()?.session_id)));
    let Some((client, session_id)) = shown else { return };
    let session = client.get_card_session(&session_id).await;
    let Some(form) = form.upgrade() else { return };
    let Some(frame) = form.frame().filter(|_| form.is_shown(&session_id) && !form.is_over.get()) else {
        return;
    };
    if let Ok(session) = session {
        if let Some(end) = CardEvent::ending(session.status.as_str(), session.card_id.is_some()) {
            frame.conclude(end);
        }
        // The form's success may be known already, from when its session could not be read.
        if let Some(card_id) = session.card_id {
            form.complete(card_id.0, &session_id);
        }
    }
    form.plan_read();
}

/// Reads the card that was entered; delivers nothing if the form was destroyed, renewed or
/// completed meanwhile.
async fn read_card(form: Weak<Form>) {
    let form_to_read = form.upgrade().filter(|form| !form.is_over.get());
    let shown = form_to_read.and_then(|form| Some((form.client.clone(), form.shown()?.session_id)));
    let Some((client, session_id)) = shown else { return };
    let card_id = client.read_card(&session_id).await;
    let Some(form) = form.upgrade() else { return };
    if form.frame().is_none() || !form.is_shown(&session_id) || form.is_over.get() {
        return;
    }
    match card_id {
        Ok(card_id) => form.complete(card_id, &session_id),
        Err(error) => form.deliver(CardFormEvent::Failed(error)),
    }
}

/// The options of a card form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CardFormOptions {
    /// An existing session; by default a new one is created.
    pub session_id: Option<SessionId>,
    /// The theme.
    pub theme: Theme,
    /// The accessible name of the frame.
    pub title: String,
    /// The height reserved for the frame, in CSS pixels.
    pub height: u32,
    /// The timeout of the frame's load.
    pub(crate) load_timeout_ms: u32,
}

impl CardFormOptions {
    /// Sets an existing session.
    #[must_use]
    pub fn with_session_id(self, session_id: SessionId) -> Self {
        CardFormOptions { session_id: Some(session_id), ..self }
    }

    /// Sets the theme.
    #[must_use]
    pub fn with_theme(self, theme: Theme) -> Self {
        CardFormOptions { theme, ..self }
    }

    /// Sets the accessible name of the frame.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        CardFormOptions { title: title.into(), ..self }
    }

    /// Sets the height reserved for the frame, in CSS pixels.
    #[must_use]
    pub fn with_height(self, height: u32) -> Self {
        CardFormOptions { height, ..self }
    }

    /// Sets the timeout of the frame's load, at most 49 days.
    #[must_use]
    pub fn with_load_timeout(self, timeout: Duration) -> Self {
        let load_timeout_ms = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
        CardFormOptions { load_timeout_ms, ..self }
    }
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
#[non_exhaustive]
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
        session_id: SessionId,
    },
    /// There will be no card.
    Failed(Error),
}

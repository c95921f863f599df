mod session_reads;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::{Rc, Weak};

use futures_channel::mpsc;
use futures_util::Stream;
use js_sys::futures::spawn_local;
use web_sys::{Element, HtmlIFrameElement};

use self::session_reads::{read_card, read_end};
use super::card_frame::{CardFrame, FrameOptions};
use super::listener::{Listener, in_microtasks};
use super::{Browser, CardFormEvent, CardFormOptions, Signal};
use crate::api::{Code, Error, SessionId};
use crate::card::{CardEvent, FrameEvent, Theme, form_url};
use crate::client::Client;

/// The hosted card form in a container of the page: its session, its frame, and the card that was entered.
/// Dropping the last handle removes the form.
pub struct CardForm(Rc<Form>);

struct Form {
    client: Client<Browser>,
    container: Element,
    options: CardFormOptions,
    /// Dropped when the form is destroyed, and with it the stream that it feeds.
    listener: Listener<CardFormEvent>,
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
        Self::mount_with(client, container, options, in_microtasks(deliver), &Signal::default()).await
    }

    /// [Mounts](CardForm::mount) the form. Calls `deliver` at once: it must not call the form, nor code of the
    /// page.
    pub(crate) async fn mount_with(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
        deliver: impl Fn(CardFormEvent) + 'static,
        signal: &Signal,
    ) -> Result<Self, Error> {
        let session_id = options.session_id.clone();
        let (container, listener) = (container.clone(), Listener::new(deliver));
        let (shown, begun, newest, frame, is_over) = Default::default();
        let form = Form { client, container, options, listener, shown, begun, newest, frame, is_over };
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
        let (frame, listener) = (self.frame.take(), self.listener.remove());
        if let Some(frame) = frame {
            frame.close();
        }
        drop(listener);
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
                    self.listener.call(CardFormEvent::Failed(error.clone()));
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
}

fn on_event(form: &Weak<Form>, event: FrameEvent) {
    let Some(form) = form.upgrade() else { return };
    match event {
        FrameEvent::Ready => form.listener.call(CardFormEvent::Ready),
        FrameEvent::LoadFailed(failure) => {
            form.listener.call(CardFormEvent::LoadFailed(failure));
            form.listener.call(CardFormEvent::Failed(failure.error(form.client.card_url().origin())));
        }
        FrameEvent::Card(card_event) => {
            form.listener.call(CardFormEvent::Card(card_event));
            match card_event {
                CardEvent::Success => spawn_local(read_card(Rc::downgrade(&form))),
                CardEvent::Expired => {
                    form.end();
                    form.listener.call(CardFormEvent::Failed(Error::new(Code::InvalidCardOnboardingSession)));
                }
                _ => {}
            }
        }
        FrameEvent::Removed if form.is_over.get() => {}
        FrameEvent::Removed => form.listener.call(CardFormEvent::Failed(Error::new(Code::CardFormRemoved))),
        FrameEvent::SessionDue => spawn_local(read_end(Rc::downgrade(&form))),
    }
}

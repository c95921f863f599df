mod session_reads;

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use js_sys::futures::spawn_local;
use web_sys::{Element, HtmlIFrameElement};

use self::session_reads::{read_card, read_end};
use super::card_frame::{CardFrame, FrameOptions};
use super::listener::Listener;
use super::{Browser, CardFormEvent, CardFormOptions, Signal};
use crate::api::{Code, Error, SessionId};
use crate::card::{CardEvent, FrameEvent, Theme, form_url};
use crate::client::Client;

/// A card form on the page, for Rust callers and for the npm package. Dropping the last handle removes it.
#[derive(Clone)]
pub(crate) struct MountedForm(Rc<Form>);

struct Form {
    client: Client<Browser>,
    container: Element,
    options: CardFormOptions,
    /// Takes events, each with the number of the session that is shown.
    listener: Listener<(u32, CardFormEvent)>,
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
    pub(crate) session_id: SessionId,
    pub(crate) expiration_date: String,
    pub(crate) url: String,
    /// The theme, as it is in the URL.
    query: String,
}

impl Drop for Form {
    fn drop(&mut self) {
        self.destroy();
    }
}

impl MountedForm {
    /// Mounts the form. Calls `deliver` at once with the number of the shown session and each event: it must
    /// not call the form, nor code of the page.
    pub(crate) async fn mount(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
        deliver: impl Fn(u32, CardFormEvent) + 'static,
        signal: &Signal,
    ) -> Result<Self, Error> {
        let session_id = options.session_id.clone();
        let listener = Listener::new(move |(session, event)| deliver(session, event));
        let container = container.clone();
        let (shown, begun, newest, frame, is_over) = Default::default();
        let form = Form { client, container, options, listener, shown, begun, newest, frame, is_over };
        let form = MountedForm(Rc::new(form));
        form.open(session_id.as_ref(), signal).await?;
        Ok(form)
    }

    pub(crate) fn shown(&self) -> Option<Shown> {
        self.0.shown()
    }

    /// Returns the number of the session that the form shows.
    pub(crate) fn session_number(&self) -> u32 {
        self.0.newest.get()
    }

    /// Returns the frame's element.
    pub(crate) fn element(&self) -> Option<HtmlIFrameElement> {
        self.0.frame().map(|frame| frame.element())
    }

    /// Returns the `FrameGuard` of `frame.js`, which closes the frame if the module has crashed.
    #[cfg(feature = "js")]
    pub(crate) fn guard(&self) -> Option<wasm_bindgen::JsValue> {
        self.0.frame().map(|frame| frame.guard())
    }

    /// Shows the form in another theme.
    pub(crate) fn update(&self, theme: Theme) -> Result<(), Error> {
        match self.0.shown() {
            Some(shown) => self.0.load(self.0.newest.get(), Shown { query: theme.to_query(), ..shown }),
            None => Ok(()),
        }
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

    /// Removes the frame and its listeners, for all handles.
    pub(crate) fn destroy(&self) {
        self.0.destroy();
    }
}

impl Form {
    fn deliver(&self, event: CardFormEvent) {
        self.listener.call((self.newest.get(), event));
    }

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

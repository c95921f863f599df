use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use js_sys::futures::spawn_local;
use web_sys::{Element, HtmlIFrameElement};

use super::Browser;
use super::card_frame::{CardFrame, FrameOptions};
use crate::api::{CardSession, Code, Error, Uuid};
use crate::card::{CardEvent, EventStream, FrameEvent, LoadFailure, Theme, event_stream};
use crate::client::Client;

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

type Deliver = Rc<dyn Fn(CardFormEvent)>;

/// The hosted card form in a container of the page. Dropping it removes it.
pub struct CardForm(Rc<Form>);

struct Form {
    client: Client<Browser>,
    options: CardFormOptions,
    theme: RefCell<Theme>,
    session: RefCell<CardSession>,
    /// How many sessions were asked for, and the last of them that came: only the newest counts.
    asked: Cell<u32>,
    newest: Cell<u32>,
    url: RefCell<String>,
    frame: RefCell<Option<Rc<CardFrame>>>,
    // Gone once the form is closed, and with it whatever it feeds.
    deliver: RefCell<Option<Deliver>>,
}

impl CardForm {
    /// Shows the form. Every event of it goes to `deliver`.
    ///
    /// # Errors
    /// Those of creating or reading the session; `configuration` if the card form's address is of the page's own origin;
    /// `card` if the given session is over.
    pub async fn mount(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
        deliver: impl Fn(CardFormEvent) + 'static,
    ) -> Result<Self, Error> {
        let session = client.open_card(options.session_id.as_ref()).await?;
        let url = client.card_form_url(&session.id, &options.theme)?;
        let form = Rc::new(Form {
            client,
            theme: RefCell::new(options.theme.clone()),
            session: RefCell::new(session),
            asked: Cell::new(0),
            newest: Cell::new(0),
            url: RefCell::new(url.clone()),
            frame: RefCell::new(None),
            deliver: RefCell::new(Some(Rc::new(deliver))),
            options,
        });
        let frame_options = FrameOptions {
            url,
            origin: form.client.card_url().origin().to_owned(),
            title: form.options.title.clone(),
            height: form.options.height,
            load_timeout_ms: form.options.load_timeout_ms,
        };
        let listener = Rc::downgrade(&form);
        let frame = CardFrame::mount(container, frame_options, move |event| heard(&listener, event))?;
        *form.frame.borrow_mut() = Some(Rc::new(frame));
        Ok(CardForm(form))
    }

    /// [`mount`](CardForm::mount) with the events as a stream, which ends when the form is destroyed.
    ///
    /// # Errors
    /// As there.
    pub async fn mount_streaming(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
    ) -> Result<(Self, EventStream<CardFormEvent>), Error> {
        let (sink, events) = event_stream();
        let form = Self::mount(client, container, options, move |event| sink.push(event)).await?;
        Ok((form, events))
    }

    /// The id of the session that the form shows.
    #[must_use]
    pub fn session_id(&self) -> String {
        self.0.session.borrow().id.as_str().to_owned()
    }

    /// When the session ends, ISO 8601.
    #[must_use]
    pub fn expiration_date(&self) -> String {
        self.0.session.borrow().expiration_date.clone()
    }

    /// The address that the frame shows.
    #[must_use]
    pub fn url(&self) -> String {
        self.0.url.borrow().clone()
    }

    /// The frame itself.
    #[must_use]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.0.frame.borrow().as_ref().map(|frame| frame.element())
    }

    /// Shows the form in another theme. The form is loaded anew, so what was typed into it is gone.
    ///
    /// # Errors
    /// `configuration` while the container is not in a page; nothing has changed then.
    pub fn update(&self, theme: Theme) -> Result<(), Error> {
        let session = self.0.session.borrow().clone();
        self.show(session, theme)
    }

    /// Begins a new session in the same place.
    ///
    /// # Errors
    /// Those of creating a session, and `configuration` while the container is not in a page. The form shows the session that it had then.
    pub async fn renew(&self) -> Result<(), Error> {
        let form = &self.0;
        // A session that could not be shown would end the one that is.
        if let Some(frame) = &*form.frame.borrow() {
            frame.check_place()?;
        }
        let place = form.asked.get() + 1;
        form.asked.set(place);
        let session = form.client.open_card(None).await?;
        if place < form.newest.get() {
            return Ok(());
        }
        let theme = form.theme.borrow().clone();
        self.show(session, theme)?;
        form.newest.set(place);
        Ok(())
    }

    /// Another handle to the same form. The form stays while one is left.
    #[must_use]
    pub fn share(&self) -> Self {
        CardForm(Rc::clone(&self.0))
    }

    /// Removes the frame and its listeners, whoever holds a handle.
    pub fn destroy(&self) {
        let frame = self.0.frame.borrow_mut().take();
        if let Some(frame) = frame {
            frame.close();
        }
        self.0.deliver.take();
    }

    // Whole or not at all.
    fn show(&self, session: CardSession, theme: Theme) -> Result<(), Error> {
        let form = &self.0;
        let url = form.client.card_form_url(&session.id, &theme)?;
        // Not borrowed while the frame moves: what the page runs meanwhile may destroy the form.
        let frame = form.frame.borrow().clone();
        if let Some(frame) = frame {
            frame.set_url(&url)?;
        }
        form.session.replace(session);
        form.theme.replace(theme);
        form.url.replace(url);
        Ok(())
    }
}

fn heard(form: &Weak<Form>, event: FrameEvent) {
    let Some(form) = form.upgrade() else { return };
    let Some(deliver) = form.deliver.borrow().clone() else { return };
    match event {
        FrameEvent::Ready => deliver(CardFormEvent::Ready),
        FrameEvent::LoadFailed(failure) => {
            deliver(CardFormEvent::LoadFailed(failure));
            deliver(CardFormEvent::Failed(failure.error(form.client.card_url().origin())));
        }
        FrameEvent::Card(card_event) => {
            deliver(CardFormEvent::Card(card_event));
            match card_event {
                CardEvent::Success => {
                    let session_id = form.session.borrow().id.clone();
                    spawn_local(async move {
                        let end = read_card(&form, &session_id).await;
                        // A form that was closed or renewed in the meantime has nothing to tell of that session.
                        if form.frame.borrow().is_some() && form.session.borrow().id == session_id {
                            deliver(end);
                        }
                    });
                }
                CardEvent::Expired => {
                    deliver(CardFormEvent::Failed(Error::new(Code::InvalidCardOnboardingSession)))
                }
                _ => {}
            }
        }
    }
}

async fn read_card(form: &Form, session_id: &Uuid) -> CardFormEvent {
    match form.client.read_card(session_id).await {
        Ok(card_id) => CardFormEvent::Completed { card_id, session_id: session_id.as_str().to_owned() },
        Err(error) => CardFormEvent::Failed(error),
    }
}

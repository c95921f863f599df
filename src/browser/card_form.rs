use std::cell::RefCell;
use std::rc::Rc;

use js_sys::futures::spawn_local;
use web_sys::{Element, HtmlIFrameElement};

use super::Browser;
use super::card_frame::in_microtasks;
use super::mounted_form::{CardFormEvent, CardFormOptions, FormHost, MountedForm};
use crate::api::{CardSession, Error, Uuid};
use crate::card::{CardEvent, EventStream, Theme, event_stream};
use crate::client::Client;

/// The hosted card form in a container of the page. Dropping it removes the form.
pub struct CardForm(Rc<Handle>);

struct Handle(Rc<MountedForm<ClientHost>>);

impl Drop for Handle {
    fn drop(&mut self) {
        self.destroy();
    }
}

impl Handle {
    fn destroy(&self) {
        self.0.destroy();
        self.0.host().deliver.take();
    }
}

type Deliver = Rc<dyn Fn(CardFormEvent)>;

struct ClientHost {
    client: Client<Browser>,
    // Dropped with the form, and with it the stream that it feeds.
    deliver: RefCell<Option<Deliver>>,
}

impl FormHost for ClientHost {
    fn deliver(&self, event: CardFormEvent) {
        let deliver = self.deliver.borrow().clone();
        if let Some(deliver) = deliver {
            deliver(event);
        }
    }

    fn read_card(&self, session_id: Uuid, then: impl FnOnce(Result<String, Error>) + 'static) {
        let client = self.client.clone();
        spawn_local(async move { then(client.read_card(&session_id).await) });
    }

    fn read_end(&self, session_id: Uuid, then: impl FnOnce(Option<CardEvent>) + 'static) {
        let client = self.client.clone();
        spawn_local(async move {
            let session = client.get_card_session(&session_id).await;
            let end =
                |session: CardSession| CardEvent::ending(session.status.as_str(), session.card_id.is_some());
            then(session.ok().and_then(end));
        });
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
        let session_id = options.session_id.clone();
        let deliver: Deliver = Rc::new(in_microtasks(deliver));
        let card_url = client.card_url().clone();
        let host = ClientHost { client, deliver: RefCell::new(Some(deliver)) };
        let form = CardForm(Rc::new(Handle(MountedForm::new(host, container.clone(), card_url, options))));
        form.open(session_id.as_ref()).await?;
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
    ) -> Result<(Self, EventStream<CardFormEvent>), Error> {
        let (sink, events) = event_stream();
        let form = Self::mount(client, container, options, move |event| sink.push(event)).await?;
        Ok((form, events))
    }

    /// Returns the id of the session.
    #[must_use]
    pub fn session_id(&self) -> String {
        self.form().shown().map_or_else(String::new, |shown| shown.session_id.as_str().to_owned())
    }

    /// Returns when the session ends, in ISO 8601.
    #[must_use]
    pub fn expiration_date(&self) -> String {
        self.form().shown().map_or_else(String::new, |shown| shown.expiration_date)
    }

    /// Returns the URL of the frame.
    #[must_use]
    pub fn url(&self) -> String {
        self.form().shown().map_or_else(String::new, |shown| shown.url)
    }

    /// Returns the frame's element.
    #[must_use]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.form().element()
    }

    /// Shows the form in another theme. The form loads again, and what was typed into it is lost.
    ///
    /// # Errors
    /// `configuration` while the container is not in a page, which changes nothing; and if the page does not
    /// take the frame back: then the form has failed until it is shown again.
    pub fn update(&self, theme: Theme) -> Result<(), Error> {
        self.form().update(&theme)
    }

    /// Creates a new session in the same place.
    ///
    /// # Errors
    /// Those of creating a session, and those of [`update`](CardForm::update). While the container is not in
    /// a page the form keeps its session.
    pub async fn renew(&self) -> Result<(), Error> {
        self.open(None).await
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

    async fn open(&self, session_id: Option<&Uuid>) -> Result<(), Error> {
        let form = self.form();
        let place = form.begin_session()?;
        let session = form.host().client.open_card(session_id).await?;
        form.show(place, session.id, session.expiration_date)
    }

    fn form(&self) -> &Rc<MountedForm<ClientHost>> {
        &self.0.0
    }
}

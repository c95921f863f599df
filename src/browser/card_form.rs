mod event_log;

use std::fmt;

use futures_util::Stream;
use web_sys::{Element, HtmlIFrameElement};

use self::event_log::EventLog;
use super::listener::in_microtasks;
use super::mounted_form::MountedForm;
use super::{Browser, CardFormEvent, CardFormOptions, Signal};
use crate::api::{Error, SessionId};
use crate::card::Theme;
use crate::client::Client;

/// The hosted card form in a container of the page: its session, its frame, and the card that was entered.
/// Dropping the last handle removes the form.
pub struct CardForm {
    form: MountedForm,
    // Not in the mounted form: the npm package's script keeps a log of its own.
    log: EventLog,
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
        Self::mount_with_log(client, container, options, in_microtasks(deliver)).await
    }

    /// [Mounts](CardForm::mount) the form with its [events](CardForm::events).
    ///
    /// # Errors
    /// Those of `mount`.
    pub async fn mount_streaming(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
    ) -> Result<(Self, impl Stream<Item = CardFormEvent> + Unpin + use<>), Error> {
        let form = Self::mount_with_log(client, container, options, drop).await?;
        let events = form.events();
        Ok((form, events))
    }

    /// Calls `deliver` at once: it must not call the form, nor code of the page.
    async fn mount_with_log(
        client: Client<Browser>,
        container: &Element,
        options: CardFormOptions,
        deliver: impl Fn(CardFormEvent) + 'static,
    ) -> Result<Self, Error> {
        let log = EventLog::default();
        let appended = log.clone();
        let deliver = move |session, event| {
            appended.append(session, &event);
            deliver(event);
        };
        let form = MountedForm::mount(client, container, options, deliver, &Signal::default()).await?;
        Ok(CardForm { form, log })
    }

    /// Returns a stream of the form's events. Each stream begins with all events of the session that the form
    /// shows, and goes on with those of later sessions until the form is destroyed.
    pub fn events(&self) -> impl Stream<Item = CardFormEvent> + Unpin + use<> {
        self.log.read(self.form.session_number())
    }

    /// Returns the id of the session that the form shows.
    #[must_use]
    pub fn session_id(&self) -> Option<SessionId> {
        self.form.shown().map(|shown| shown.session_id)
    }

    /// Returns when the session ends, in ISO 8601.
    #[must_use]
    pub fn expiration_date(&self) -> Option<String> {
        self.form.shown().map(|shown| shown.expiration_date)
    }

    /// Returns the URL of the frame.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        self.form.shown().map(|shown| shown.url)
    }

    /// Returns the frame's element.
    #[must_use]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.form.element()
    }

    /// Shows the form in another theme. The form loads again, and what was typed into it is lost.
    ///
    /// # Errors
    /// `configuration` while the container is not in a page, which changes nothing; and if the page does not
    /// take the frame back: then the form has failed until it is shown again.
    pub fn update(&self, theme: Theme) -> Result<(), Error> {
        self.form.update(theme)
    }

    /// Creates a new session in the same place.
    ///
    /// # Errors
    /// Those of creating a session, and those of [`update`](CardForm::update). While the container is not in
    /// a page the form keeps its session.
    pub async fn renew(&self) -> Result<(), Error> {
        self.form.open(None, &Signal::default()).await
    }

    /// Returns another handle to the form, which stays while one is left.
    #[must_use]
    pub fn share(&self) -> Self {
        CardForm { form: self.form.clone(), log: self.log.clone() }
    }

    /// Removes the frame and its listeners, for all handles.
    pub fn destroy(&self) {
        self.form.destroy();
        self.log.close();
    }
}

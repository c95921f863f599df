use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::card_form::{CardFormCore, CardFormListener, PageForm};
use super::field_form::FieldFormCore;
use super::page::{Page, PageHands, event};
use super::{answer, options};
use crate::api::json::{View, Wire};
use crate::api::{Address, Code, Error, OPERATIONS, Operation, Uuid, list_of};
use crate::browser::{MountedForm, text_of};
use crate::card::card_form_url;
use crate::client::{Driver, Hands, Kit, Outcome, Task};

/// One configuration of the service, and its calls that are under way. What it answers is text, as `answer.rs` says.
#[wasm_bindgen]
pub struct Core(Result<Ready, Error>);

struct Ready {
    driver: Rc<Driver<Page>>,
    base_url: Address,
    card_url: Address,
}

#[wasm_bindgen]
impl Core {
    /// From `{ baseUrl, cardUrl, locale?, timeoutMs? }` as JSON text. `is_watched` says whether what was sent is to be told.
    #[wasm_bindgen(constructor)]
    pub fn new(options_json: &str, page_origin: Option<String>, hands: PageHands, is_watched: bool) -> Core {
        Core(options::Settings::read(options_json, page_origin.as_deref()).map(|settings| {
            let page = Page(Rc::new(hands), is_watched);
            let base_url = settings.client.base_url.clone();
            let kit = Kit::new(Box::new(page.clone()), settings.client);
            Ready { driver: Rc::new(Driver::new(kit, page)), base_url, card_url: settings.card_url }
        }))
    }

    /// What is wrong with the options; nothing where they are right.
    pub fn fault(&self) -> String {
        self.0.as_ref().err().map_or_else(answer::nothing, answer::error)
    }

    /// Begins a call by its public name, under a number from 1 upward; `ids` is a JSON array. How it ends is told by `PageHands::end`.
    pub fn begin(&self, id: u32, is_aborted: bool, name: &str, ids: &str, input: Option<String>) {
        let Ok(Ready { driver, .. }) = &self.0 else { return };
        match task(name, ids, input) {
            Ok(task) => driver.begin(id, task, is_aborted),
            Err(error) => driver.hands().end(id, Err(error)),
        }
    }

    /// Begins to look for the choices of a dropdown of a form.
    #[wasm_bindgen(js_name = beginOptions)]
    pub fn begin_options(
        &self,
        id: u32,
        is_aborted: bool,
        form: &FieldFormCore,
        field_id: String,
        values: String,
    ) {
        if let Ok(Ready { driver, .. }) = &self.0 {
            driver.begin(id, Task::Options(form.form.clone(), field_id, values), is_aborted);
        }
    }

    /// Begins to show a card form. Its options are `{ sessionId?, theme?, title?, height?, loadTimeoutMs? }`.
    #[wasm_bindgen(js_name = beginCardForm)]
    pub fn begin_card_form(
        &self,
        id: u32,
        is_aborted: bool,
        container: Element,
        options_json: &str,
        listener: CardFormListener,
    ) {
        let Ok(Ready { driver, card_url, .. }) = &self.0 else { return };
        let options = match options::card_form(options_json) {
            Ok(options) => options,
            Err(error) => return driver.hands().end(id, Err(error)),
        };
        let session_id = options.session_id.clone();
        let host = PageForm { driver: Rc::clone(driver), listener };
        open_card(
            id,
            is_aborted,
            MountedForm::new(host, container, card_url.clone(), options),
            session_id,
            true,
        );
    }

    /// Begins a new session in a card form.
    #[wasm_bindgen(js_name = beginRenewal)]
    pub fn begin_renewal(&self, id: u32, is_aborted: bool, form: &CardFormCore) {
        open_card(id, is_aborted, Rc::clone(&form.0), None, false);
    }

    /// The caller's signal ends a call.
    pub fn abort(&self, id: u32) {
        if let Ok(Ready { driver, .. }) = &self.0 {
            driver.abort(id);
        }
    }

    /// Tells what became of what the page was asked for, as `engine.js` numbers it.
    #[allow(clippy::too_many_arguments, reason = "each is a part of one reply")]
    pub fn tell(
        &self,
        id: u32,
        status: i32,
        body: Option<Vec<u8>>,
        request_id: Option<String>,
        retry_after_s: f64,
    ) {
        if let Ok(Ready { driver, .. }) = &self.0 {
            driver.tell(id, |awaited| event(awaited, status, body.map(text_of), request_id, retry_after_s));
        }
    }

    /// Whether nothing is under way.
    #[wasm_bindgen(getter, js_name = isIdle)]
    pub fn is_idle(&self) -> bool {
        self.0.as_ref().is_ok_and(|ready| ready.driver.is_idle())
    }

    /// The address of the card form alone, as JSON text.
    #[wasm_bindgen(js_name = cardFormUrl)]
    pub fn card_form_url(&self, session_id: &str, theme: &str) -> String {
        self.with(|ready| {
            let theme = options::read_theme(theme);
            let url = theme.and_then(|theme| card_form_url(&ready.card_url, session_id, &theme));
            answer::of(url.map(|url| answer::text(&url)))
        })
    }

    /// The directives that this configuration needs.
    #[wasm_bindgen(js_name = contentSecurityPolicy)]
    pub fn content_security_policy(&self) -> String {
        self.with(|ready| {
            answer::json(&crate::api::content_security_policy(&ready.base_url, &ready.card_url))
        })
    }
}

impl Core {
    fn with(&self, work: impl FnOnce(&Ready) -> String) -> String {
        self.0.as_ref().map_or_else(answer::error, work)
    }
}

fn open_card(
    id: u32,
    is_aborted: bool,
    form: Rc<MountedForm<PageForm>>,
    session_id: Option<Uuid>,
    is_new: bool,
) {
    let driver = Rc::clone(&form.host().driver);
    let place = match form.ask() {
        Ok(place) => place,
        Err(error) => return driver.hands().end(id, Err(error)),
    };
    let page = Rc::clone(&driver);
    driver.begin_then(Some(id), Task::OpenCard(session_id), is_aborted, move |outcome| {
        let shown = outcome.and_then(|outcome| match outcome {
            Outcome::Received(session) => {
                let session = session.view();
                let id = session.member("id").and_then(Uuid::read);
                let id = id.ok_or_else(|| Error::new(Code::UnreadableReply))?;
                let expiration_date = session.text_of("expirationDate").unwrap_or_default();
                form.show(place, id, expiration_date.into_owned())
            }
            _ => Err(Error::new(Code::Internal)),
        });
        page.hands().end_form(id, shown.map(|()| is_new.then(|| CardFormCore(form).into())));
    });
}

fn find(name: &str) -> Result<&'static Operation, Error> {
    OPERATIONS
        .iter()
        .copied()
        .find(|operation| operation.name == name)
        .ok_or_else(|| Error::new(Code::Internal))
}

fn task(name: &str, ids: &str, input: Option<String>) -> Result<Task, Error> {
    let mut ids = View::new(ids).items().filter_map(View::text).map(std::borrow::Cow::into_owned);
    let mut id = || ids.next().unwrap_or_default();
    Ok(match name {
        "prepareTransfer" => Task::Prepare(input.unwrap_or_default()),
        "pendingTransfers" => Task::Pending,
        "discardTransfer" => Task::Discard(id(), id()),
        "submitTransfer" => Task::Submit(id(), id()),
        "forgetTransfer" => Task::Forget(id(), id()),
        "acknowledgeTransfer" => Task::Acknowledge(id(), id()),
        "request" => Task::Request(input.unwrap_or_default()),
        // What asks for fields gives a form.
        name if name.ends_with("Fields") => Task::Fields(find(name)?, input.unwrap_or_default()),
        name => Task::Call(find(name)?, list_of(ids), input),
    })
}

use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::card_form::{CardFormCore, CardFormListener, card_forms};
use super::field_form::FieldFormCore;
use super::page::{Page, PageRunner, effect_result};
use super::{answer, options};
use crate::api::json::JsonRef;
use crate::api::part::part;
use crate::api::{
    Address, CORRIDORS, CREATE_CARD_SESSION, Code, Error, GET_CARD_SESSION, OPERATIONS, Operation, QUOTE,
    collect,
};
use crate::browser::text_of;
use crate::card::card_form_url;
use crate::client::{AttemptId, ClientCore, Driver, EffectRunner, Task};

/// A configuration of the service, and its calls in progress. Its answers are those of `answer.rs`.
#[wasm_bindgen]
pub struct Core(Result<Ready, Error>);

struct Ready {
    driver: Rc<Driver<Page>>,
    base_url: Address,
    card_url: Address,
}

#[wasm_bindgen]
impl Core {
    /// Creates a core from `{ baseUrl, cardUrl, locale?, timeoutMs?, senderId? }` as JSON text. `is_watched`
    /// says whether the runner takes the trace.
    #[wasm_bindgen(constructor)]
    pub fn new(
        options_json: &str,
        page_origin: Option<String>,
        runner: PageRunner,
        is_watched: bool,
    ) -> Core {
        Core(options::Settings::read(options_json, page_origin.as_deref()).map(|settings| {
            let page = Page(Rc::new(runner), is_watched);
            let base_url = settings.client.base_url.clone();
            let core = ClientCore::new(Box::new(page.clone()), settings.client);
            Ready { driver: Rc::new(Driver::new(core, page)), base_url, card_url: settings.card_url }
        }))
    }

    /// Returns the first configuration error, if any.
    pub fn fault(&self) -> String {
        self.0.as_ref().err().map_or_else(answer::nothing, answer::error)
    }

    /// Begins a call by its public name, under a number from 1 upward; `ids` is a JSON array.
    /// `PageRunner::end` takes its outcome.
    pub fn begin(&self, id: u32, is_aborted: bool, name: &str, ids: &str, input: Option<String>) {
        let Ok(Ready { driver, .. }) = &self.0 else { return };
        match task(name, ids, input) {
            Ok(task) => driver.begin(id, task, is_aborted),
            Err(error) => driver.runner().end(id, Err(error)),
        }
    }

    /// Begins to fetch the options of a dropdown.
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
            driver.begin(id, form.0.options(field_id, values), is_aborted);
        }
    }

    /// Begins to mount a card form. Its options are `{ sessionId?, theme?, title?, height?, loadTimeoutMs?
    /// }`.
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
        (card_forms().begin)(driver, card_url, id, is_aborted, container, options_json, listener);
    }

    /// Begins a new session of a card form.
    #[wasm_bindgen(js_name = beginRenewal)]
    pub fn begin_renewal(&self, id: u32, is_aborted: bool, form: &CardFormCore) {
        Rc::clone(&form.0).begin_renewal(id, is_aborted);
    }

    /// Aborts a call by its caller's signal.
    pub fn abort(&self, id: u32) {
        if let Ok(Ready { driver, .. }) = &self.0 {
            driver.abort(id);
        }
    }

    /// Takes the result of an effect, with a status as `engine.js` numbers it.
    #[allow(clippy::too_many_arguments, reason = "each is a part of one reply")]
    pub fn complete(
        &self,
        id: u32,
        status: i32,
        body: Option<Vec<u8>>,
        request_id: Option<String>,
        retry_after_s: f64,
        from: Option<String>,
    ) {
        if let Ok(Ready { driver, .. }) = &self.0 {
            driver.complete(id, |awaited| {
                effect_result(awaited, status, body.map(text_of), request_id, retry_after_s, from)
            });
        }
    }

    /// Whether no call is in progress.
    #[wasm_bindgen(getter, js_name = isIdle)]
    pub fn is_idle(&self) -> bool {
        self.0.as_ref().is_ok_and(|ready| ready.driver.is_idle())
    }

    /// Returns the URL of the card form, as JSON text.
    #[wasm_bindgen(js_name = cardFormUrl)]
    pub fn card_form_url(&self, session_id: &str, theme: &str) -> String {
        self.with(|ready| {
            let theme = options::read_theme(theme);
            let url = theme.and_then(|theme| card_form_url(&ready.card_url, session_id, &theme));
            answer::of(url.map(|url| answer::text(&url)))
        })
    }

    /// Returns the directives of the content security policy that this configuration needs.
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

/// The calls of the first load, which need no part of the module; `remit-kit.js` has the same list.
static FIRST: [&Operation; 4] = [&CORRIDORS, &QUOTE, &CREATE_CARD_SESSION, &GET_CARD_SESSION];

struct Tasks {
    of: fn(&str, JsonRef<'_>, Option<String>) -> Result<Task, Error>,
}

part! {
    "transfer", "7a5c",
    fn later_tasks() -> Tasks { Tasks { of: later_task } }
}

fn task(name: &str, ids: &str, input: Option<String>) -> Result<Task, Error> {
    let ids = JsonRef::new(ids);
    match FIRST.iter().copied().find(|operation| operation.name == name) {
        Some(operation) => Ok(Task::Call(operation, texts(ids), input)),
        None => (later_tasks().of)(name, ids, input),
    }
}

fn texts(list: JsonRef<'_>) -> Vec<String> {
    collect(list.items().filter_map(JsonRef::text).map(std::borrow::Cow::into_owned))
}

fn find(name: &str) -> Result<&'static Operation, Error> {
    OPERATIONS
        .iter()
        .copied()
        .find(|operation| operation.name == name)
        .ok_or_else(|| Error::new(Code::Internal))
}

fn later_task(name: &str, ids: JsonRef<'_>, input: Option<String>) -> Result<Task, Error> {
    Code::load_later_messages();
    let mut ids = texts(ids).into_iter();
    let mut id = || ids.next().unwrap_or_default();
    let attempt = |quote_history_id, nonce| AttemptId { quote_history_id, nonce };
    Ok(match name {
        "prepareTransfer" => Task::Prepare(input.unwrap_or_default()),
        "pendingTransfers" => Task::Pending,
        "discardTransfer" => Task::Discard(attempt(id(), id())),
        "submitTransfer" => Task::Submit(attempt(id(), id())),
        "transferState" => Task::State(attempt(id(), id())),
        "forgetTransfer" => Task::Forget(attempt(id(), id())),
        "acknowledgeTransfer" => Task::Acknowledge(attempt(id(), id())),
        "request" => Task::Request(input.unwrap_or_default()),
        name if name.ends_with("Fields") => Task::Fields(find(name)?, input.unwrap_or_default()),
        name => Task::Call(find(name)?, collect(ids), input),
    })
}

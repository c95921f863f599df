use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use futures_util::future::LocalBoxFuture;
use js_sys::futures::future_to_promise;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, Element};

use super::card_form::{CardFormCore, deliver_to, read_theme};
use super::field_form::FieldFormCore;
use super::host::{self, Host};
use super::{convert, options};
use crate::api::json::View;
use crate::api::{Address, Code, Error, OPERATIONS, Operation, list_of};
use crate::browser::{Browser, CardForm, Signal};
use crate::card::card_form_url;
use crate::client::{Client, TransferAttempt};

/// One configuration of the service. Everything that takes time works on a share of it, so that no call holds another up and
/// none outlives what it needs.
#[wasm_bindgen]
pub struct Core {
    client: Client<Browser>,
    card_url: Address,
    base_url: Address,
    forms: Rc<RefCell<Vec<Weak<CardForm>>>>,
    destroyed: Rc<Cell<bool>>,
}

#[wasm_bindgen]
impl Core {
    /// From `{ baseUrl, cardUrl, locale?, timeoutMs? }` as JSON text and the page's functions.
    #[wasm_bindgen(constructor)]
    pub fn new(options_json: &str, host: &Host) -> Result<Core, JsValue> {
        let settings = options::Settings::read(options_json).map_err(|error| convert::error(&error))?;
        let browser = Browser {
            token: host::token_source(host),
            journal: host::journal(host),
            watcher: host::watcher(host),
        };
        Ok(Core {
            base_url: settings.client.base_url.clone(),
            client: Client::new(browser, settings.client),
            card_url: settings.card_url,
            forms: Rc::default(),
            destroyed: Rc::default(),
        })
    }

    /// Calls an operation by its public name; `ids` is a JSON array. A transfer has four of its own: `prepareTransfer` and
    /// `pendingTransfers` give what may be known of attempts as JSON text, `submitTransfer` (quote and nonce) the transfer's record with
    /// `recovered`, `discardTransfer` (quote) nothing.
    pub fn call(
        &self,
        operation: String,
        ids: String,
        input: Option<String>,
        signal: Option<AbortSignal>,
    ) -> Promise {
        let client = self.client.clone();
        promise(Box::pin(async move { answer(&client, &operation, &ids, input, &signal).await }))
    }

    /// Fetches fields, each time anew.
    #[wasm_bindgen(js_name = fieldForm)]
    pub fn field_form(&self, operation: &str, query: String, signal: Option<AbortSignal>) -> Promise {
        let (client, found) = (self.client.clone(), find(operation));
        promise(Box::pin(async move {
            let (form, received) = client.field_form(found?, &query, &signal).await?;
            Ok(convert::reply(&received).map(|reply| FieldFormCore::new(client, form, &reply).into()))
        }))
    }

    /// The address of the card form alone.
    #[wasm_bindgen(js_name = cardFormUrl)]
    pub fn card_form_url(&self, session_id: &str, theme: Option<String>) -> Result<String, JsValue> {
        let url =
            read_theme(theme.as_deref()).and_then(|theme| card_form_url(&self.card_url, session_id, &theme));
        url.map_err(|error| convert::error(&error))
    }

    /// Shows the card form in a container. `options` is `{ sessionId?, theme?, title?, height?, loadTimeoutMs? }` as JSON text; each
    /// event goes to `deliver` as `(type, detail)`.
    #[wasm_bindgen(js_name = cardForm)]
    pub fn card_form(
        &self,
        container: Element,
        options: String,
        deliver: Function,
        signal: Option<AbortSignal>,
    ) -> Promise {
        let (client, card_url) = (self.client.clone(), self.card_url.clone());
        let (forms, destroyed) = (Rc::clone(&self.forms), Rc::clone(&self.destroyed));
        promise(Box::pin(async move {
            let theme = read_theme(View::new(&options).member("theme").map(View::raw));
            let options = options::card_form(&options, card_url, theme)?;
            let deliver = move |event| deliver_to(&deliver, event);
            let form = Rc::new(CardForm::mount(client, &container, options, deliver, &signal).await?);
            if destroyed.get() {
                form.destroy();
                return Err(Error::new(Code::Destroyed));
            }
            let mut forms = forms.borrow_mut();
            forms.retain(|form| form.strong_count() > 0);
            forms.push(Rc::downgrade(&form));
            Ok(Ok(CardFormCore::new(form).into()))
        }))
    }

    /// The directives that this configuration needs, as JSON text.
    #[wasm_bindgen(js_name = contentSecurityPolicy)]
    pub fn content_security_policy(&self) -> String {
        crate::api::content_security_policy(&self.base_url, &self.card_url)
    }

    /// Removes the card forms. Calls in flight go on to their end; the façade waits for them.
    pub fn destroy(&self) -> Promise {
        self.destroyed.set(true);
        let forms = std::mem::take(&mut *self.forms.borrow_mut());
        for form in forms.iter().filter_map(Weak::upgrade) {
            form.destroy();
        }
        Promise::resolve(&JsValue::UNDEFINED)
    }
}

fn find(name: &str) -> Result<&'static Operation, Error> {
    OPERATIONS
        .iter()
        .copied()
        .find(|operation| operation.name == name)
        .ok_or_else(|| Error::new(Code::Internal))
}

/// What an exported call comes to: the outer error is the crate's, the inner one is JavaScript's already.
type Answer = Result<Result<JsValue, JsValue>, Error>;

async fn answer(
    client: &Client<Browser>,
    operation: &str,
    ids: &str,
    input: Option<String>,
    signal: &Signal,
) -> Answer {
    let mut ids = View::new(ids).items().filter_map(View::text);
    let text = |json: String| Ok(Ok(json.into()));
    let received = match operation {
        "prepareTransfer" => {
            let attempt = client.prepare_transfer(&input.unwrap_or_default(), signal).await?;
            return text(attempt.summary());
        }
        "pendingTransfers" => {
            let attempts = client.pending_transfers().await?;
            let summaries = list_of(attempts.iter().map(TransferAttempt::summary));
            return text(["[", &summaries.join(","), "]"].concat());
        }
        "discardTransfer" => {
            client.discard_transfer(&ids.next().unwrap_or_default(), signal).await?;
            return Ok(Ok(JsValue::UNDEFINED));
        }
        "submitTransfer" => {
            let (quote_history_id, nonce) = (ids.next().unwrap_or_default(), ids.next().unwrap_or_default());
            let outcome = client.submit_transfer(&quote_history_id, &nonce, signal).await?;
            return Ok(convert::reply(&outcome.transfer).inspect(|transfer| {
                let _ = js_sys::Reflect::set(transfer, &"recovered".into(), &outcome.recovered.into());
            }));
        }
        "request" => client.request(&input.unwrap_or_default(), signal).await?,
        name => {
            let ids = list_of(ids);
            let ids = list_of(ids.iter().map(|id| &**id));
            client.call(find(name)?, &ids, input.as_deref(), signal).await?
        }
    };
    Ok(convert::reply(&received))
}

/// A promise that rejects with a `RemitError` alone. In a box, so that the module has the way to a promise once and not for each call.
pub(super) fn promise(work: LocalBoxFuture<'static, Answer>) -> Promise {
    future_to_promise(async move {
        match work.await {
            Ok(result) => result,
            Err(error) => Err(convert::error(&error)),
        }
    })
}

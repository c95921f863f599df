use js_sys::{Function, JsString, Promise};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::calls::{Calls, Signal};
use super::card_form::card_part;
use super::field_form::FieldForm;
use super::host::Host;
use super::options;
use super::page::browser;
use super::transfer_attempt::TransferAttempt;
use super::value::of_outcome;
use crate::api::json::Codec;
use crate::api::*;
use crate::client::{Client, Task, calls, field_calls};

/// A configuration of the service. Each call returns a promise, and rejects with a `RemitError`. An input is
/// JSON text.
#[wasm_bindgen]
pub struct RemitKit(Calls);

/// Exports the calls of one request.
macro_rules! exports {
    ($(
        $(#[$meta:meta])*
        $name:ident $js_name:ident($($id:ident: $Id:ty),* $(; $input:ident: $Input:ty)?) -> $Output:ty
            = $OPERATION:ident $(as $read:path)?;
    )*) => {
        #[wasm_bindgen]
        impl RemitKit {
            $(
                $(#[$meta])*
                #[wasm_bindgen(js_name = $js_name)]
                pub fn $name(&self, $($id: JsString,)* $($input: JsString,)? signal: Signal) -> Promise {
                    self.call(&$OPERATION, vec![$($id),*], exports!(@input $($input)?), signal)
                }
            )*
        }
    };
    (@input) => { None };
    (@input $input:ident) => { Some($input) };
}

/// Exports the fields calls, which resolve to a [`FieldForm`].
macro_rules! field_exports {
    ($( $(#[$meta:meta])* $name:ident $js_name:ident($Query:ty) = $OPERATION:ident; )*) => {
        #[wasm_bindgen]
        impl RemitKit {
            $(
                $(#[$meta])*
                #[wasm_bindgen(js_name = $js_name)]
                pub fn $name(&self, query: JsString, signal: Signal) -> Promise {
                    self.0.begin(Task::Fields(&$OPERATION, query.into()), signal, FieldForm::of)
                }
            )*
        }
    };
}

calls!(exports);
field_calls!(field_exports);

#[wasm_bindgen]
impl RemitKit {
    /// Creates a kit from `{ baseUrl, cardUrl, locale?, timeoutMs?, senderId? }`.
    ///
    /// # Errors
    /// `configuration`, naming the option that is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(given: &JsValue, host: Host) -> Result<RemitKit, JsValue> {
        let options::Settings { client, card_url } =
            options::Settings::read(given, host.origin().as_deref())?;
        Ok(RemitKit(Calls { client: Client::new(browser(&host), client, card_url), host }))
    }

    /// Binds a transfer to its quote and a nonce. Resolves to a [`TransferAttempt`].
    #[wasm_bindgen(js_name = prepareTransfer)]
    pub fn prepare_transfer(&self, request: String, signal: Signal) -> Promise {
        self.0.begin(Task::Prepare(request), signal, TransferAttempt::of)
    }

    /// Lists the attempts in the journal. Resolves to an array of [`TransferAttempt`].
    #[wasm_bindgen(js_name = pendingTransfers)]
    pub fn pending_transfers(&self) -> Promise {
        self.0.begin(Task::Pending, None, TransferAttempt::of)
    }

    /// Sends a request that is given by its parts.
    pub fn request(&self, request: String, signal: Signal) -> Promise {
        self.0.begin(Task::Request(request), signal, |_, outcome| of_outcome(outcome))
    }

    /// Finds or creates the account of a card after its creation had no answer.
    #[wasm_bindgen(js_name = recoverCardAccount)]
    pub fn recover_card_account(&self, recipient_id: String, account: String, signal: Signal) -> Promise {
        let task = Task::RecoverCardAccount(recipient_id, account);
        self.0.begin(task, signal, |_, outcome| of_outcome(outcome))
    }

    /// Mounts a card form. Resolves to a [`CardForm`](super::CardForm), whose events go to `listener(type,
    /// detail)`. The options are `{ sessionId?, theme?, title?, height?, loadTimeoutMs? }`.
    #[wasm_bindgen(js_name = cardForm)]
    pub fn card_form(
        &self,
        container: Element,
        given: JsValue,
        listener: Function,
        signal: Signal,
    ) -> Promise {
        let client = self.0.client.clone();
        self.0.in_part(Some("card"), signal.clone(), async move {
            (card_part().mount)(client, container, given, listener, signal).await
        })
    }

    /// Returns the URL of the card form.
    ///
    /// # Errors
    /// `configuration` or `invalid_request`, naming what is wrong.
    #[wasm_bindgen(js_name = cardFormUrl)]
    pub fn card_form_url(&self, session_id: &str, theme: &str) -> Result<String, JsValue> {
        let theme = options::read_theme(theme)?;
        Ok(crate::card::card_form_url(self.0.client.card_url(), session_id, &theme)?)
    }

    /// Returns the directives of the content security policy that this configuration needs.
    ///
    /// # Errors
    /// None.
    #[wasm_bindgen(js_name = contentSecurityPolicy)]
    pub fn content_security_policy(&self) -> Result<JsValue, JsValue> {
        js_sys::JSON::parse(&self.0.client.content_security_policy().to_json())
    }
}

/// `free` is the end of `destroy`, which has waited for the calls.
impl Drop for RemitKit {
    fn drop(&mut self) {
        self.0.client.close();
    }
}

impl RemitKit {
    fn call(
        &self,
        operation: &'static Operation,
        ids: Vec<JsString>,
        input: Option<JsString>,
        signal: Signal,
    ) -> Promise {
        let ids = ids.into_iter().map(String::from).collect();
        let task = Task::Call(operation, ids, input.map(String::from));
        self.0.begin(task, signal, |_, outcome| of_outcome(outcome))
    }
}

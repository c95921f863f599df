use js_sys::{Function, JsString, Promise};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::card_form::card_part;
use super::field_form::FieldForm;
use super::host::Host;
use super::options;
use super::transfer_attempt::TransferAttempt;
use super::value::{Signal, of_outcome, promise_of};
use crate::api::json::Codec;
use crate::api::*;
use crate::browser::{Browser, future_to_promise};
use crate::client::{Client, Task, calls, field_calls};

/// A configuration of the service. Each call returns a promise, and rejects with a `RemitError`. An input is
/// JSON text.
#[wasm_bindgen]
pub struct RemitKit(Client<Browser>);

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
                    promise_of(&self.0, Task::Fields(&$OPERATION, query.into()), signal, FieldForm::of)
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
    pub fn new(given: &JsValue, host: &Host) -> Result<RemitKit, JsValue> {
        let options::Settings { client, card_url } =
            options::Settings::read(given, host.origin().as_deref())?;
        Ok(RemitKit(Client::new(host.platform(), client, card_url)))
    }

    /// Binds a transfer to its quote and a nonce. Resolves to a [`TransferAttempt`].
    #[wasm_bindgen(js_name = prepareTransfer)]
    pub fn prepare_transfer(&self, request: String, signal: Signal) -> Promise {
        promise_of(&self.0, Task::Prepare(request), signal, TransferAttempt::of)
    }

    /// Lists the attempts in the journal. Resolves to an array of [`TransferAttempt`].
    #[wasm_bindgen(js_name = pendingTransfers)]
    pub fn pending_transfers(&self) -> Promise {
        promise_of(&self.0, Task::Pending, None, TransferAttempt::of)
    }

    /// Sends a request that is given by its parts.
    pub fn request(&self, request: String, signal: Signal) -> Promise {
        promise_of(&self.0, Task::Request(request), signal, of_outcome)
    }

    /// Finds or creates the account of a card after its creation had no answer.
    #[wasm_bindgen(js_name = recoverCardAccount)]
    pub fn recover_card_account(&self, recipient_id: String, account: String, signal: Signal) -> Promise {
        let task = Task::RecoverCardAccount(recipient_id, account);
        promise_of(&self.0, task, signal, of_outcome)
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
        future_to_promise((card_part().mount)(self.0.clone(), container, given, listener, signal))
    }

    /// Returns the URL of the card form.
    ///
    /// # Errors
    /// `configuration` or `invalid_request`, naming what is wrong.
    #[wasm_bindgen(js_name = cardFormUrl)]
    pub fn card_form_url(&self, session_id: &str, theme: &str) -> Result<String, JsValue> {
        let theme = options::read_theme(theme)?;
        Ok(crate::card::card_form_url(self.0.card_url(), session_id, &theme)?)
    }

    /// Returns the directives of the content security policy that this configuration needs.
    ///
    /// # Errors
    /// None.
    #[wasm_bindgen(js_name = contentSecurityPolicy)]
    pub fn content_security_policy(&self) -> Result<JsValue, JsValue> {
        js_sys::JSON::parse(&self.0.content_security_policy().to_json())
    }
}

/// `free` is the end of `destroy`, which has waited for the calls.
impl Drop for RemitKit {
    fn drop(&mut self) {
        self.0.close();
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
        promise_of(&self.0, task, signal, of_outcome)
    }
}

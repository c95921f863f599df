use js_sys::{Function, JsString, Promise};
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::card_form::CardForm;
use super::card_part::card_part;
use super::field_form::FieldForm;
use super::host::Host;
use super::options;
use super::push_to_card::PushToCard;
use super::transfer_attempt::TransferAttempt;
use super::transfer_part::transfer_part;
use super::value::{Signal, of_reply, promise_of};
use crate::api::json::Codec;
use crate::api::*;
use crate::browser::Browser;
use crate::client::{Client, calls};

/// A configuration of the service. Each call returns a promise, and rejects with a `RemitError`. An input is
/// JSON text.
#[wasm_bindgen]
pub struct RemitKit(Client<Browser>);

/// Exports each call under its name.
macro_rules! exports {
    (
        forms { $( $(#[$form_meta:meta])* $form:ident $form_js_name:ident($Query:ty) = $FIELDS:ident; )* }
        records { $(
            $(#[$meta:meta])*
            $name:ident $js_name:ident($($id:ident: $Id:ty),* $(; $input:ident: $Input:ty)?)
                -> $Output:ty, $promise:tt = $OPERATION:ident $(as $read:path)?;
        )* }
    ) => {
        #[wasm_bindgen]
        impl RemitKit {
            $(
                $(#[$form_meta])*
                #[wasm_bindgen(js_name = $form_js_name, unchecked_return_type = "Promise<FieldForm>")]
                pub fn $form(&self, query: JsString, signal: Signal) -> Promise {
                    (transfer_part().fetch_form)(&self.0, &$FIELDS, query.into(), signal, FieldForm::make)
                }
            )*
            $(
                $(#[$meta])*
                #[wasm_bindgen(js_name = $js_name, unchecked_return_type = $promise)]
                pub fn $name(&self, $($id: JsString,)* $($input: JsString,)? signal: Signal) -> Promise {
                    self.call(&$OPERATION, vec![$($id),*], exports!(@input $($input)?), signal)
                }
            )*
        }
    };
    (@input) => { None };
    (@input $input:ident) => { Some($input) };
}

calls!(exports);

#[wasm_bindgen]
impl RemitKit {
    /// Creates a kit from `{ baseUrl, cardUrl, locale?, timeoutMs?, senderId? }`.
    ///
    /// # Errors
    /// `configuration`, naming the option that is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "RemitKitOptions")] given: &JsValue,
        host: &Host,
    ) -> Result<RemitKit, JsValue> {
        let options::Settings { client, card_url } =
            options::Settings::read(given, host.origin().as_deref())?;
        Ok(RemitKit(Client::new(host.platform(), client, card_url)))
    }

    /// Binds a transfer to its quote and a nonce. Resolves to a [`TransferAttempt`].
    #[wasm_bindgen(js_name = prepareTransfer, unchecked_return_type = "Promise<TransferAttempt>")]
    pub fn prepare_transfer(&self, request: String, signal: Signal) -> Promise {
        (transfer_part().prepare)(&self.0, request, signal, TransferAttempt::make)
    }

    /// Lists the attempts in the journal. Resolves to an array of [`TransferAttempt`].
    #[wasm_bindgen(js_name = pendingTransfers, unchecked_return_type = "Promise<TransferAttempt[]>")]
    pub fn pending_transfers(&self) -> Promise {
        (transfer_part().pending)(&self.0, TransferAttempt::make)
    }

    /// Sends a request that is given by its parts.
    #[wasm_bindgen(unchecked_return_type = "Promise<unknown>")]
    pub fn request(&self, request: String, signal: Signal) -> Promise {
        (transfer_part().request)(&self.0, request, signal)
    }

    /// Begins a transfer to a card, with options as JSON text. The signal is for the calls of all steps.
    ///
    /// # Errors
    /// `invalid_request`, naming the option that is wrong.
    #[wasm_bindgen(js_name = pushToCard)]
    pub fn push_to_card(&self, options: &str, signal: Signal) -> Result<PushToCard, JsValue> {
        Ok(PushToCard::new((transfer_part().push_to_card)(&self.0, options, signal)?))
    }

    /// Mounts a card form. Resolves to a [`CardForm`], whose events go to `listener(type,
    /// detail)`. The options are `{ sessionId?, theme?, title?, height?, loadTimeoutMs? }`.
    #[wasm_bindgen(js_name = cardForm, unchecked_return_type = "Promise<CardForm>")]
    pub fn card_form(
        &self,
        container: Element,
        #[wasm_bindgen(unchecked_param_type = "CardFormOptions")] given: JsValue,
        #[wasm_bindgen(unchecked_param_type = "CardFormListener")] listener: Function,
        signal: Signal,
    ) -> Promise {
        (card_part().mount)(self.0.clone(), container, given, listener, signal, CardForm::make)
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
    #[wasm_bindgen(
        js_name = contentSecurityPolicy, unchecked_return_type = "Record<string, string[]>"
    )]
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
        let ids: Vec<_> = ids.into_iter().map(String::from).collect();
        let input = input.map(String::from);
        // The first quote is such a call.
        if operation.is_plain() {
            return promise_of(&self.0, signal, async move |context| {
                let ids: Vec<_> = ids.iter().map(String::as_str).collect();
                of_reply(&context.plain_call(operation, &ids, input.as_deref()).await?)
            });
        }
        (transfer_part().call)(&self.0, operation, ids, input, signal)
    }
}

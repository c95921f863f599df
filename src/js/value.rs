//! Values for JavaScript.

use js_sys::{Array, BigInt, JSON, Object, Promise, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::{AbortSignal, Blob, BlobPropertyBag};

use crate::api::json::JsonRef;
use crate::api::{Error, Kind};
use crate::browser::{Browser, future_to_promise, take_cause};
use crate::client::{CallContext, Client, Reply};

#[wasm_bindgen(module = "/src/js/remit-error.js")]
extern "C" {
    type RemitError;
    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, details: &JsValue) -> RemitError;
}

impl From<Error> for JsValue {
    /// Makes a `RemitError`.
    fn from(error: Error) -> Self {
        let error = error.for_javascript();
        let details = to_js(&error).unwrap_or_default();
        if let Some(change) = error.quote_change() {
            let quotes = exact(JsonRef::new(&change.to_json())).unwrap_or_default();
            Object::assign(details.unchecked_ref::<Object>(), quotes.unchecked_ref::<Object>());
        }
        if let Some(transfer) = error.transfer_json() {
            let transfer = exact(JsonRef::new(transfer)).unwrap_or_default();
            let _ = set(&details, "transfer", &transfer);
        }
        let is_of_request = matches!(error.kind(), Kind::Unavailable | Kind::OutcomeUnknown)
            || error.option() == Some("fetch");
        if is_of_request
            && error.http_status().is_none()
            && let Some(cause) = take_cause()
        {
            let _ = set(&details, "cause", &cause);
        }
        RemitError::new(error.code().as_str(), error.message(), &details).into()
    }
}

/// Makes plain data.
pub(super) fn to_js(value: &impl Serialize) -> Result<JsValue, JsValue> {
    Ok(serde_wasm_bindgen::to_value(value)?)
}

/// The signal of a call as JavaScript passes it.
pub(super) type Signal = Option<AbortSignal>;

/// Begins a call, and returns the promise of its value.
pub(super) fn promise_of<F: Future<Output = Result<JsValue, JsValue>> + 'static>(
    client: &Client<Browser>,
    signal: Signal,
    work: impl FnOnce(CallContext) -> F,
) -> Promise {
    future_to_promise(work(client.context_of(signal)))
}

/// Makes the value of a reply: plain data, a `Blob`, or `undefined`.
pub(super) fn of_reply(reply: &Reply) -> Result<JsValue, JsValue> {
    if let Some(receipt) = reply.receipt() {
        let options = BlobPropertyBag::new();
        options.set_type(receipt.content_type.as_deref().unwrap_or_default());
        let parts = Array::of1(&Uint8Array::from(receipt.bytes.as_slice()).into());
        return Ok(Blob::new_with_u8_array_sequence_and_options(&parts, &options)?.into());
    }
    match reply.json() {
        "" => Ok(JsValue::UNDEFINED),
        json if reply.has_bigints() => exact(JsonRef::new(json)),
        json => JSON::parse(json),
    }
}

/// Parses JSON text, with a bigint for a whole number beyond 2^53, which `JSON.parse` would round.
pub(super) fn exact(view: JsonRef<'_>) -> Result<JsValue, JsValue> {
    match view.raw().as_bytes().first() {
        Some(b'{') => {
            let members = Array::new();
            for (name, value) in view.members() {
                members.push(&Array::of2(&name.as_ref().into(), &exact(value)?));
            }
            // Unlike an assignment, this gives `__proto__` no meaning.
            Ok(Object::from_entries(&members)?.into())
        }
        Some(b'[') => {
            let items = Array::new();
            for item in view.items() {
                items.push(&exact(item)?);
            }
            Ok(items.into())
        }
        _ if view.is_beyond_float() => Ok(BigInt::new(&view.raw().into())?.into()),
        _ => JSON::parse(view.raw()),
    }
}

/// Sets a member of an object that was made here.
pub(super) fn set(object: &JsValue, name: &str, value: &JsValue) -> Result<(), JsValue> {
    Reflect::set(object, &name.into(), value).map(drop)
}

//! From the crate's values to JavaScript's.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

use crate::api::{Code, Error, FieldProblem};
use crate::client::Received;

#[wasm_bindgen(module = "/src/js/remit_error.js")]
extern "C" {
    #[wasm_bindgen(extends = js_sys::Error, reexport)]
    type RemitError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, details: &JsValue) -> RemitError;
}

#[wasm_bindgen(module = "/src/js/bigint.js")]
extern "C" {
    #[wasm_bindgen(js_name = parseWithBigints, catch)]
    fn parse_with_bigints(text: &str) -> Result<JsValue, JsValue>;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Details<'a> {
    kind: &'static str,
    retryable: bool,
    has_default_message: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    resolution: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    option: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Problem<'a> {
    field_id: &'a str,
    code: &'a str,
    message: &'a str,
}

impl<'a> From<&'a FieldProblem> for Problem<'a> {
    fn from(problem: &'a FieldProblem) -> Self {
        Problem { field_id: &problem.field_id, code: problem.code.as_str(), message: &problem.message }
    }
}

/// Small results, as plain objects.
fn plain(value: &impl Serialize) -> JsValue {
    value.serialize(&Serializer::json_compatible()).unwrap_or(JsValue::UNDEFINED)
}

pub(super) fn error(error: &Error) -> JsValue {
    let details = Details {
        kind: error.kind().as_str(),
        retryable: error.retryable(),
        has_default_message: error.has_default_message(),
        resolution: error.resolution().map(crate::api::Resolution::as_str),
        http_status: error.http_status(),
        request_id: error.request_id(),
        option: error.option(),
        retry_after_ms: error.retry_after_ms(),
        problems: error.problems().iter().map(Problem::from).collect(),
    };
    let details = plain(&details);
    if let Some(change) = error.quote_change()
        && let Ok(change) = parse_with_bigints(&change.to_json())
    {
        <js_sys::Object>::assign(details.unchecked_ref(), change.unchecked_ref());
    }
    RemitError::new(error.code().as_str(), error.message(), &details).into()
}

pub(super) fn problems(problems: &[FieldProblem]) -> JsValue {
    plain(&problems.iter().map(Problem::from).collect::<Vec<_>>())
}

/// A reply as the engine's own parser makes it.
pub(super) fn reply(received: &Received) -> Result<JsValue, JsValue> {
    if let Some(content_type) = received.content_type.as_deref() {
        return blob(&received.bytes, content_type);
    }
    match received.json.as_str() {
        "" => Ok(JsValue::UNDEFINED),
        json if received.has_bigints => parse_with_bigints(json),
        json => js_sys::JSON::parse(json),
    }
    .map_err(|_| error(&Error::new(Code::UnreadableReply)))
}

fn blob(bytes: &[u8], content_type: &str) -> Result<JsValue, JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes).into());
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(content_type);
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options);
    blob.map(JsValue::from).map_err(|_| error(&Error::new(Code::Internal)))
}

//! From the crate's values to JavaScript's: as JSON text, which the engine's own parser makes into objects.

use wasm_bindgen::prelude::*;

use crate::api::json::Writer;
use crate::api::{Code, Error, FieldProblem};
use crate::client::Received;

#[wasm_bindgen(module = "/src/js/remit_error.js")]
extern "C" {
    #[wasm_bindgen(extends = js_sys::Error, reexport)]
    type RemitError;

    #[wasm_bindgen(js_name = readError)]
    fn read_error(json: &str, quotes: Option<&str>) -> RemitError;
}

#[wasm_bindgen(module = "/src/js/bigint.js")]
extern "C" {
    #[wasm_bindgen(js_name = parseWithBigints, catch)]
    fn parse_with_bigints(text: &str) -> Result<JsValue, JsValue>;
}

pub(super) fn error(error: &Error) -> JsValue {
    let mut out = Writer::default();
    let flag = |yes| if yes { "true" } else { "false" };
    out.object(|out| {
        out.text_member("code", error.code().as_str());
        out.text_member("message", error.message());
        out.text_member("kind", error.kind().as_str());
        for (name, value) in [
            ("resolution", error.resolution().map(crate::api::Resolution::as_str)),
            ("requestId", error.request_id()),
            ("option", error.option()),
        ] {
            if let Some(value) = value {
                out.text_member(name, value);
            }
        }
        for (name, value) in
            [("httpStatus", error.http_status().map(u64::from)), ("retryAfterMs", error.retry_after_ms())]
        {
            if let Some(value) = value {
                out.member(name);
                out.raw(&value.to_string());
            }
        }
        for (name, value) in
            [("retryable", error.retryable()), ("hasDefaultMessage", error.has_default_message())]
        {
            out.member(name);
            out.raw(flag(value));
        }
        if !error.problems().is_empty() {
            out.member("problems");
            write_problems(out, error.problems());
        }
    });
    let quotes = error.quote_change().map(crate::api::QuoteChange::to_json);
    read_error(&out.finish(), quotes.as_deref()).into()
}

/// The problems as JSON text.
pub(super) fn problems(problems: &[FieldProblem]) -> String {
    let mut out = Writer::default();
    write_problems(&mut out, problems);
    out.finish()
}

fn write_problems(out: &mut Writer, problems: &[FieldProblem]) {
    out.list(|out| {
        for problem in problems {
            out.item();
            out.object(|out| {
                out.text_member("fieldId", &problem.field_id);
                out.text_member("code", problem.code.as_str());
                out.text_member("message", &problem.message);
            });
        }
    });
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

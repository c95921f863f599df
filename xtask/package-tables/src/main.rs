//! Prints the SDK's tables as JSON. Packing runs it, so that the package's scripts, types and docs are made
//! from what the module contains:
//!
//! - `calls`: `{name: {ids, input?, default?, part?}}`
//! - `codes`: `{name: {kind, resolution, retryable, message, spanish, isDocumented, places}}`
//! - `cardForm`: `{title, height, loadTimeoutMs}`
//! - `cardFormEvents`: `{all, messages}`
//! - `coreErrors`: `{name: error, formNotLoaded: {reason: error}}`, for the fakes that stand in for the module
//! - `maxLeftMs`: number
//! - `themeColors`: the names of the parameters that are colors
//! - `themeParameters`: `{name: isBoolean}`
//! - `types`: text

mod records;

use remitkit::api::json::{Codec as _, Field, Shape};
use remitkit::api::{CREATE_CARD_SESSION, CardSession, CardSessionRequest, Code, Error, Input, Operation};
use remitkit::card::{LoadFailure, Theme, event_names, form_defaults};
use remitkit::client::{CALLS, FIELD_CALLS, MAX_LEFT_MS};
use serde_json::{Map, Value, json};

fn main() {
    if std::env::args().any(|argument| argument == "--records") {
        return print!("{}", records::types());
    }
    let forms = FIELD_CALLS.iter().map(|(_, operation)| call(operation, "query", true));
    let calls: Map<_, _> = forms
        .chain(CALLS.iter().map(|(_, operation)| call(operation, "request", !operation.is_plain())))
        .collect();
    let codes: Map<String, Value> = Code::DOCUMENTED
        .iter()
        .map(|documented| code(documented, true))
        .chain(Code::OWN.iter().map(|own| code(own, false)))
        .collect();
    let card_form = json!({
        "title": form_defaults::TITLE,
        "height": form_defaults::HEIGHT,
        "loadTimeoutMs": form_defaults::LOAD_TIMEOUT_MS,
    });
    let events = json!({
        "all": event_names::all().collect::<Vec<_>>(),
        "messages": event_names::of_messages().collect::<Vec<_>>(),
    });
    let parameters: Map<_, _> =
        Theme::NAMES.iter().map(|name| ((*name).to_owned(), is_boolean(name).into())).collect();
    let tables = json!({
        "calls": calls,
        "codes": codes,
        "cardForm": card_form,
        "cardFormEvents": events,
        "coreErrors": core_errors(),
        "maxLeftMs": MAX_LEFT_MS,
        "themeColors": Theme::color_names().collect::<Vec<_>>(),
        "themeParameters": parameters,
        "types": records::types(),
    });
    println!("{tables:#}");
}

fn core_errors() -> Value {
    let not_loaded = LoadFailure::OF_EACH_REASON.map(|failure| (failure.reason(), json!(failure.error(""))));
    json!({
        "formExpired": Error::new(Code::InvalidCardOnboardingSession),
        "formNotLoaded": Map::from_iter(not_loaded.map(|(reason, error)| (reason.to_owned(), error))),
        "formNotLoadedOtherwise": Error::new(Code::CardFormLoadFailed),
        "formUnconfirmed": CardSession::unconfirmed(),
        "quoteUsed": Error::new(Code::TransferDuplicatedByQuote),
    })
}

/// Returns the name of a call, what it takes before its options (ids, and an input, which may have a default),
/// and the part of the module that it runs in, if that is not the first file.
fn call(operation: &Operation, input: &str, is_in_part: bool) -> (String, Value) {
    let ids = operation.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let mut call = Map::from_iter([("ids".to_owned(), ids.collect())]);
    match operation.input {
        Input::None => None,
        Input::Query(_) | Input::Body(_) => call.insert("input".to_owned(), input.into()),
        Input::Filter(..) => call.insert("input".to_owned(), "filter".into()),
    };
    if let Some(default) = default_input(operation) {
        call.insert("default".to_owned(), default);
    }
    if is_in_part {
        call.insert("part".to_owned(), "transfer".into());
    }
    (operation.name.to_owned(), call.into())
}

/// Returns the input of a call that is made without one, if that is allowed.
fn default_input(operation: &Operation) -> Option<Value> {
    match operation.input {
        Input::Query(shape) | Input::Filter(shape, _) if !requires_any(shape) => Some(json!({})),
        Input::Body(_) if operation.name == CREATE_CARD_SESSION.name => {
            serde_json::from_str(&CardSessionRequest::default().to_json()).ok()
        }
        _ => None,
    }
}

fn requires_any(shape: &Shape) -> bool {
    matches!(shape, Shape::Record(fields) if fields.iter().any(|Field { required, .. }| *required))
}

fn is_boolean(parameter: &str) -> bool {
    Theme::from_json(&json!({ parameter: true }).to_string(), &|_| true).is_ok()
}

fn code(code: &Code, is_documented: bool) -> (String, Value) {
    let facts = json!({
        "kind": code.kind().as_str(),
        "resolution": code.resolution().map(|resolution| resolution.as_str()),
        "retryable": Error::new(code.clone()).retryable(),
        "message": code.message(),
        "spanish": code.message_in_spanish(),
        "isDocumented": is_documented,
        "places": code.places(),
    });
    (code.as_str().to_owned(), facts)
}

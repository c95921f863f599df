//! Prints the SDK's tables as JSON: `{"calls": {name: {ids, input?, isOptional?}}, "codes": {name: {kind,
//! resolution, message, spanish, isDocumented}}}`. Packing runs it, so that the package's scripts, types and
//! docs are made from what the module contains.

use remitkit::api::json::{Field, Shape};
use remitkit::api::{
    Code, Input, OPERATIONS, Operation, RECIPIENT_ACCOUNT_FIELDS, RECIPIENT_FIELDS, SENDER_FIELDS,
    TRANSFER_FIELDS,
};
use serde_json::{Map, Value, json};

/// Their input is called `query`; that of other calls is a `request`.
const FORMS: [&Operation; 4] =
    [&SENDER_FIELDS, &RECIPIENT_FIELDS, &RECIPIENT_ACCOUNT_FIELDS, &TRANSFER_FIELDS];

fn main() {
    let calls: Map<String, Value> = OPERATIONS.iter().map(|one| (one.name.to_owned(), call(one))).collect();
    let codes: Map<String, Value> = Code::DOCUMENTED
        .iter()
        .map(|documented| code(documented, true))
        .chain(Code::OWN.iter().map(|own| code(own, false)))
        .collect();
    println!("{:#}", json!({ "calls": calls, "codes": codes }));
}

/// Returns what a call takes before its options: ids, and an input, which may be left out.
fn call(operation: &Operation) -> Value {
    let ids = operation.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let mut call = Map::from_iter([("ids".to_owned(), ids.collect())]);
    let (Input::Query(shape) | Input::Body(shape)) = operation.input else { return call.into() };
    let is_form = FORMS.iter().any(|form| form.name == operation.name);
    call.insert("input".to_owned(), if is_form { "query" } else { "request" }.into());
    if matches!(operation.input, Input::Query(_)) && !requires_any(shape) {
        call.insert("isOptional".to_owned(), true.into());
    }
    call.into()
}

fn requires_any(shape: &Shape) -> bool {
    matches!(shape, Shape::Record(fields) if fields.iter().any(|Field { required, .. }| *required))
}

fn code(code: &Code, is_documented: bool) -> (String, Value) {
    let facts = json!({
        "kind": code.kind().as_str(),
        "resolution": code.resolution().map(|resolution| resolution.as_str()),
        "message": code.message(),
        "spanish": code.message_in_spanish(),
        "isDocumented": is_documented,
    });
    (code.as_str().to_owned(), facts)
}

//! The exported classes as JavaScript uses them: their methods are looked up by name on the objects that the
//! glue makes, and the results are read as JavaScript's values.
//!
//! The service is the script `js/service.js`, in place of the page's `fetch`. The card form is the file of
//! `fetch/card`, whose frame then goes on to `card_frame/say.html`, which says what it is told to.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, BigInt, Function, JSON, Promise, Reflect};
use remitkit::js::{Host, RemitKit};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{AbortController, AbortSignal, Element, HtmlIFrameElement};

wasm_bindgen_test_configure!(run_in_browser);

const BASE_URL: &str = "https://service.test";
const QUOTE_ID: &str = "11111111-4f89-41d3-9a0c-0305e82c3301";
const TRANSFER_ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const SESSION_ID: &str = "6ecd8c99-4036-403d-bf84-cf8400f67836";
const ROUTE: &str =
    r#""dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"BANK_ACCOUNT""#;

#[wasm_bindgen(module = "/tests/js/service.js")]
extern "C" {
    fn serve(base_url: &str) -> Array;
    fn host() -> JsValue;
}

#[wasm_bindgen]
extern "C" {
    type Kit;
    #[wasm_bindgen(method)]
    fn quote(this: &Kit, request: &str) -> Promise;
    #[wasm_bindgen(method, js_name = getTransfer)]
    fn get_transfer(this: &Kit, id: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn corridors(this: &Kit, filter: &str, signal: &AbortSignal) -> Promise;
    #[wasm_bindgen(method, js_name = recipientAccountFields)]
    fn recipient_account_fields(this: &Kit, query: &str) -> Promise;
    #[wasm_bindgen(method, js_name = prepareTransfer)]
    fn prepare_transfer(this: &Kit, request: &str) -> Promise;
    #[wasm_bindgen(method, js_name = pendingTransfers)]
    fn pending_transfers(this: &Kit) -> Promise;
    #[wasm_bindgen(method, js_name = cardForm)]
    fn card_form(this: &Kit, container: &Element, options: &JsValue, listener: &Function) -> Promise;
    #[wasm_bindgen(method, catch, js_name = cardFormUrl)]
    fn card_form_url(this: &Kit, session_id: &str, theme: &str) -> Result<String, JsValue>;

    type Form;
    #[wasm_bindgen(method, catch)]
    fn check(this: &Form, values: &str, warnings: bool) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = toFields)]
    fn to_fields(this: &Form, values: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method)]
    fn options(this: &Form, field_id: &str, values: &str) -> Promise;

    type Attempt;
    #[wasm_bindgen(method)]
    fn record(this: &Attempt) -> JsValue;
    #[wasm_bindgen(method)]
    fn submit(this: &Attempt) -> Promise;
    #[wasm_bindgen(method)]
    fn acknowledge(this: &Attempt) -> Promise;

    type Card;
    #[wasm_bindgen(method, getter)]
    fn element(this: &Card) -> HtmlIFrameElement;
    #[wasm_bindgen(method)]
    fn state(this: &Card) -> JsValue;
    #[wasm_bindgen(method)]
    fn destroy(this: &Card);
}

fn evaluate(script: &str) -> JsValue {
    Function::new_no_args(&format!("return {script}")).call0(&JsValue::NULL).unwrap()
}

/// The same server by another name, which makes it another origin.
fn card_origin() -> String {
    web_sys::window().unwrap().location().origin().unwrap().replace("127.0.0.1", "localhost")
}

/// Creates a kit by the exported constructor.
fn kit_with(options: &JsValue) -> Result<Kit, JsValue> {
    let valid =
        RemitKit::new(&options_at(BASE_URL), &host().unchecked_into::<Host>()).unwrap_or_else(|_| panic!());
    let class: Function = at(&valid.into(), "constructor").unchecked_into();
    Reflect::construct(&class, &Array::of2(options, &host())).map(JsValue::unchecked_into)
}

fn options_at(base_url: &str) -> JsValue {
    let card_url = [&card_origin(), "/tests/fetch/card"].concat();
    evaluate(&format!("({{ baseUrl: '{base_url}', cardUrl: '{card_url}' }})"))
}

fn kit() -> Kit {
    kit_with(&options_at(BASE_URL)).unwrap()
}

/// Returns the member at a path such as `sendAmount.value`.
fn at(value: &JsValue, path: &str) -> JsValue {
    path.split('.').fold(value.clone(), |value, name| Reflect::get(&value, &name.into()).unwrap())
}

fn json(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

/// Returns `[code, kind, option]` of a `RemitError`, as JSON.
fn facts(error: &JsValue) -> String {
    assert!(error.is_instance_of::<js_sys::Error>() && at(error, "name") == "RemitError", "{error:?}");
    json(&["code", "kind", "option"].iter().map(|name| at(error, name)).collect::<Array>())
}

fn count(sent: &Array, route: &str) -> usize {
    sent.iter().filter(|sent| *sent == route).count()
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..3000 {
        if holds() {
            return;
        }
        evaluate("new Promise((go) => setTimeout(go, 10))").unchecked_into::<Promise>().await.unwrap();
    }
    panic!("timed out: {what}");
}

#[wasm_bindgen_test]
async fn a_quote_is_plain_data_with_exact_amounts() {
    let sent = serve(BASE_URL);
    let request =
        format!(r#"{{{ROUTE},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":12550}}"#);
    let quote = kit().quote(&request).await.unwrap();
    assert_eq!(at(&quote, "quoteHistoryId"), QUOTE_ID);
    assert_eq!(at(&quote, "sendAmount.value"), 12_550.0);
    let received: BigInt = at(&quote, "receiveAmount.value").dyn_into().unwrap();
    assert_eq!(received.to_string(10).unwrap(), "9007199254740993");
    assert_eq!(json(&sent), r#"["GET /v1/quote"]"#);
}

#[wasm_bindgen_test]
async fn errors_are_remit_errors_with_the_names_of_javascript() {
    serve(BASE_URL);
    let configuration = r#"["InvalidConfiguration","configuration","baseUrl"]"#;
    for base_url in ["nowhere", "https://service.test/v1"] {
        let error = kit_with(&options_at(base_url)).err().unwrap();
        assert_eq!(facts(&error), configuration);
        assert!(at(&error, "message").as_string().unwrap().starts_with("baseUrl must be "), "{error:?}");
    }
    let kit = kit();
    let error = kit.card_form_url("no id", "{}").unwrap_err();
    assert_eq!(facts(&error), r#"["InvalidRequest","invalid_request","sessionId"]"#);
    assert_eq!(at(&error, "message"), "sessionId must be a UUID, the id of a card session.");
    let error = kit.quote("{}").await.unwrap_err();
    assert_eq!(facts(&error), r#"["InvalidRequest","invalid_request","dstCountryIso3Code"]"#);
    let error = kit.get_transfer(QUOTE_ID).await.unwrap_err();
    assert_eq!(facts(&error), r#"["TransferNotFound","not_found",null]"#);
    assert_eq!(at(&error, "httpStatus"), 404.0);
}

#[wasm_bindgen_test]
async fn a_signal_ends_a_call_that_was_sent() {
    let sent = serve(BASE_URL);
    let controller = AbortController::new().unwrap();
    let call = kit().corridors("{}", &controller.signal());
    until("the request", || count(&sent, "GET /v1/corridors") == 1).await;
    controller.abort();
    assert_eq!(facts(&call.await.unwrap_err()), r#"["Aborted","aborted",null]"#);
}

#[wasm_bindgen_test]
async fn a_form_checks_values_and_makes_fields() {
    serve(BASE_URL);
    let query = format!(r#"{{{ROUTE},"recipientType":"PERSON"}}"#);
    let form: Form = kit().recipient_account_fields(&query).await.unwrap().unchecked_into();
    assert_eq!(at(&form, "fieldSets.0.fields.0.fieldId"), "CITY");
    assert_eq!(at(&form, "requiresCard"), false);
    let problems = form.check("{}", false).unwrap();
    assert_eq!(at(&problems, "length"), 1.0);
    assert_eq!(
        (at(&problems, "0.fieldId"), at(&problems, "0.code")),
        ("CITY".into(), "MissingRequiredField".into())
    );
    let values = r#"{"CITY":"Lagos"}"#;
    assert_eq!(json(&form.check(values, false).unwrap()), "[]");
    assert_eq!(json(&form.to_fields(values).unwrap()), r#"[{"id":"CITY","value":"Lagos"}]"#);
    let options = form.options("STATE", values).await.unwrap();
    assert_eq!(json(&options), r#"[{"id":"JAL","name":"Jalisco"}]"#);
    let error = form.options("COUNTY", values).await.unwrap_err();
    assert_eq!(facts(&error), r#"["InvalidRequest","invalid_request","fieldId"]"#);
    assert_eq!(at(&error, "message"), "fieldId must be the id of a field of this form.");
}

#[wasm_bindgen_test]
async fn a_transfer_that_is_submitted_twice_is_posted_once() {
    let sent = serve(BASE_URL);
    let kit = kit();
    let request = format!(
        r#"{{{ROUTE},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":12550,"quoteHistoryId":"{QUOTE_ID}",
        "recipientId":"22222222-4f89-41d3-9a0c-0305e82c3301","recipientAccountId":"33333333-4f89-41d3-9a0c-0305e82c3301"}}"#
    );
    let attempt: Attempt = kit.prepare_transfer(&request).await.unwrap().unchecked_into();
    assert_eq!(at(&attempt.record(), "state"), "PREPARED");
    assert_eq!(count(&sent, "POST /v1/transfers"), 0);
    let other = request.replace("12550", "99");
    let error = kit.prepare_transfer(&other).await.unwrap_err();
    assert_eq!(facts(&error), r#"["TransferDuplicatedByQuote","conflict","quoteHistoryId"]"#);

    let [one, two] = [attempt.submit(), attempt.submit()];
    for transfer in [one.await.unwrap(), two.await.unwrap(), attempt.submit().await.unwrap()] {
        assert_eq!(at(&transfer, "transferId"), TRANSFER_ID);
        assert!(at(&transfer, "quote.receiveAmount.value").is_bigint());
    }
    assert_eq!(count(&sent, "POST /v1/transfers"), 1);
    let record = attempt.record();
    assert_eq!((at(&record, "state"), at(&record, "transferId")), ("CREATED".into(), TRANSFER_ID.into()));
    assert_eq!(at(&record, "details.amount"), 12_550.0);

    let pending = kit.pending_transfers().await.unwrap();
    let found: Attempt = at(&pending, "0").unchecked_into();
    assert_eq!(at(&found.record(), "quoteHistoryId"), QUOTE_ID);
    found.acknowledge().await.unwrap();
    assert_eq!(json(&kit.pending_transfers().await.unwrap()), "[]");
}

#[wasm_bindgen_test]
async fn a_card_form_is_mounted_and_delivers_its_card() {
    let sent = serve(BASE_URL);
    let document = web_sys::window().unwrap().document().unwrap();
    let container = document.create_element("div").unwrap();
    document.body().unwrap().append_child(&container).unwrap();
    let events = Rc::new(RefCell::new(Vec::new()));
    let delivered = events.clone();
    let listener = Closure::<dyn Fn(String, JsValue)>::new(move |kind, detail: JsValue| {
        let detail = if detail.is_undefined() { String::new() } else { json(&detail) };
        delivered.borrow_mut().push([kind, detail].concat());
    });
    let has = |event: &str| events.borrow().iter().any(|delivered| delivered == event);

    let options = evaluate(r##"({ title: "Your card", theme: '{ "primary": "#012" }' })"##);
    let form = kit().card_form(&container, &options, listener.as_ref().unchecked_ref()).await.unwrap();
    let form: Card = form.unchecked_into();
    let frame = form.element();
    assert!(frame.is_connected() && frame.title() == "Your card");
    let state = form.state();
    assert_eq!(at(&state, "sessionId"), SESSION_ID);
    let url = [&card_origin(), "/tests/fetch/card/v2/add-card/", SESSION_ID, "?"].concat();
    assert!(at(&state, "url").as_string().unwrap().starts_with(&url), "{state:?}");
    until("READY", || has("READY")).await;

    let messages = "CARD_VALIDATION_START,CARD_VALIDATION_STOP_SUCCESS";
    let url = [&card_origin(), "/tests/card_frame/say.html?messages=", messages].concat();
    let go = Function::new_with_args("frame, url", "frame.contentWindow.location.replace(url)");
    go.call2(&JsValue::NULL, &frame, &url.into()).unwrap();
    let completed = format!(r#"COMPLETED{{"cardId":"card-7","sessionId":"{SESSION_ID}"}}"#);
    until("COMPLETED", || has(&completed)).await;
    let expected = ["READY", "CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS", &completed];
    assert_eq!(*events.borrow(), expected);
    assert_eq!(count(&sent, "POST /v1/card-onboarding-sessions"), 1);

    form.destroy();
    assert!(!frame.is_connected());
    container.remove();
}

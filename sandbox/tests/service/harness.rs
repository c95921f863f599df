//! A sandbox in this process, its callers, and valid requests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use remitkit_sandbox::{Config, ErrorCode, Sandbox};
use serde_json::{Value, json};
use tower::ServiceExt;

pub const HOST: &str = "127.0.0.1:4100";
/// A UUID that identifies nothing.
pub const UNKNOWN_ID: &str = "00000000-0000-4000-8000-000000000000";

/// A destination: country, currency and method.
pub type To = (&'static str, &'static str, &'static str);
pub const CARD: To = ("MEX", "MXN", "PUSH_TO_CARD");
pub const BANK: To = ("MEX", "MXN", "BANK_ACCOUNT");
pub const CASH: To = ("MEX", "MXN", "CASH_PICKUP");

/// A reply with its whole body.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
    pub json: Value,
}

impl Reply {
    /// Returns the code of the first problem.
    pub fn code(&self) -> &str {
        self.codes().first().copied().unwrap_or("")
    }

    pub fn codes(&self) -> Vec<&str> {
        let problems = match (&self.json, self.json.get("errors")) {
            (Value::Array(list), _) | (_, Some(Value::Array(list))) => list.iter().collect(),
            (object, _) => vec![object],
        };
        problems.into_iter().filter_map(|problem| problem["code"].as_str()).collect()
    }

    /// Returns the field and code of each problem.
    pub fn problems(&self) -> Vec<(&str, &str)> {
        let problems = self.json.as_array().unwrap().iter();
        problems.map(|one| (one["fieldId"].as_str().unwrap_or(""), one["code"].as_str().unwrap())).collect()
    }

    #[track_caller]
    pub fn ok(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.json);
        self.json
    }

    /// Asserts the first code and the status that goes with it.
    #[track_caller]
    pub fn fails(&self, code: &str) {
        let known = ErrorCode::ALL.iter().find(|known| known.name() == code).unwrap();
        self.fails_with(known.status().as_u16(), code);
    }

    #[track_caller]
    pub fn fails_with(&self, status: u16, code: &str) {
        assert_eq!((self.status.as_u16(), self.code()), (status, code), "{}", self.json);
    }
}

/// A sandbox with its routers. Dropping it fails the test if an exchange violated the OpenAPI document.
#[derive(Debug)]
pub struct TestSandbox {
    pub sandbox: Sandbox,
    api: Router,
    card: Router,
    allows_violations: AtomicBool,
}

impl Drop for TestSandbox {
    fn drop(&mut self) {
        let violations = self.sandbox.violations();
        let is_allowed = *self.allows_violations.get_mut() || std::thread::panicking();
        assert!(violations.is_empty() || is_allowed, "{violations:#?}");
    }
}

pub fn config() -> Config {
    Config { seed: Some(1), verify_delay: Duration::ZERO, ..Config::for_tests() }
}

async fn send(router: &Router, request: Request<Body>) -> Reply {
    let (parts, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Reply { status: parts.status, headers: parts.headers, bytes, json }
}

pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let builder = Request::builder().method(method).uri(path);
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    builder.body(body.into()).unwrap()
}

fn json_request(method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Request<Body> {
    let authorization = token.map(|token| format!("Bearer {token}"));
    let mut headers = vec![("host", HOST)];
    headers.extend(authorization.as_ref().map(|value| ("authorization", value.as_str())));
    headers.extend(body.map(|_| ("content-type", "application/json")));
    request(method, path, &headers, body.map(Value::to_string).unwrap_or_default())
}

impl TestSandbox {
    pub fn new() -> Arc<Self> {
        Self::with(config())
    }

    pub fn with(config: Config) -> Arc<Self> {
        let sandbox = Sandbox::open(config).unwrap();
        let (api, card) = (sandbox.api_router(), sandbox.card_router());
        Arc::new(Self { sandbox, api, card, allows_violations: AtomicBool::default() })
    }

    /// For tests that violate the OpenAPI document on purpose.
    pub fn allow_violations(&self) {
        self.allows_violations.store(true, Ordering::Relaxed);
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        send(&self.api, request).await
    }

    pub async fn send_card(&self, request: Request<Body>) -> Reply {
        send(&self.card, request).await
    }

    pub async fn card_get(&self, path: &str) -> Reply {
        self.send_card(json_request("GET", path, None, None)).await
    }

    /// Verifies a card in the form of a session.
    pub async fn verify(&self, session: &str, card: &Value) -> Reply {
        let path = format!("/v2/add-card/{session}/verify");
        self.send_card(json_request("POST", &path, None, Some(card))).await
    }

    pub async fn enter_card(&self, session: &str, number: &str) -> Value {
        self.verify(session, &card_entry(number)).await.ok()
    }

    async fn call_control(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        self.send(json_request(method, &format!("/sandbox/{path}"), None, body)).await
    }

    pub async fn control(&self, path: &str, body: Value) -> Value {
        self.call_control("POST", path, Some(&body)).await.ok()
    }

    /// Asserts that a control endpoint rejects a body.
    pub async fn control_fails(&self, path: &str, body: Value) {
        self.call_control("POST", path, Some(&body)).await.fails("BadRequestError");
    }

    pub async fn control_get(&self, path: &str) -> Value {
        self.call_control("GET", path, None).await.ok()
    }

    pub async fn advance(&self, seconds: i64) {
        self.control("clock", json!({ "advanceSeconds": seconds })).await;
    }

    /// Returns the id of a fixture: person, business, limited or foreign.
    pub async fn known_sender(&self, name: &str) -> String {
        text(&self.control_get("triggers").await["senders"], name)
    }

    /// A caller with a token of a client, "sandbox" or "other", and of a sender if one is given.
    async fn caller(self: &Arc<Self>, client: &str, sender: Option<&str>) -> Caller {
        let mut body = credentials(client, &format!("http://{HOST}"));
        if let Some(sender) = sender {
            body["sender_id"] = json!(sender);
        }
        let token = self.anonymous().create("/v1/oauth/token", &body, "access_token").await;
        Caller { sandbox: Arc::clone(self), token: Some(token) }
    }

    /// A caller with a token for a sender of `sandbox-client`.
    pub async fn sender(self: &Arc<Self>, sender: &str) -> Caller {
        self.caller("sandbox", Some(sender)).await
    }

    /// A caller with a token for the announced sender.
    pub async fn person(self: &Arc<Self>) -> Caller {
        self.sender(&self.sandbox.sender_id()).await
    }

    pub async fn business(self: &Arc<Self>) -> Caller {
        self.sender(&self.known_sender("business").await).await
    }

    /// A caller with a client-level token of `sandbox-client`.
    pub async fn client(self: &Arc<Self>) -> Caller {
        self.caller("sandbox", None).await
    }

    /// A caller with a token for a sender of `other-client`.
    pub async fn foreign(self: &Arc<Self>) -> Caller {
        self.caller("other", Some(&self.known_sender("foreign").await)).await
    }

    pub fn anonymous(self: &Arc<Self>) -> Caller {
        Caller { sandbox: Arc::clone(self), token: None }
    }
}

/// A new sandbox, and a caller with a token for the announced sender.
pub async fn person() -> (Arc<TestSandbox>, Caller) {
    let sandbox = TestSandbox::new();
    let caller = sandbox.person().await;
    (sandbox, caller)
}

/// The same with a recipient for a destination.
pub async fn person_with(to: To) -> (Arc<TestSandbox>, Caller, Destination) {
    let (sandbox, caller) = person().await;
    let destination = caller.destination(to).await;
    (sandbox, caller, destination)
}

#[derive(Clone, Debug)]
pub struct Caller {
    pub sandbox: Arc<TestSandbox>,
    pub token: Option<String>,
}

impl Caller {
    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        self.sandbox.send(json_request(method, path, self.token.as_deref(), body)).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.call("PUT", path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Reply {
        self.call("PATCH", path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.call("DELETE", path, None).await
    }

    /// Posts a body and returns a member of the reply.
    async fn create(&self, path: &str, body: &Value, id: &str) -> String {
        text(&self.post(path, body).await.ok(), id)
    }

    pub async fn quote_by(&self, to: To, by: &str, amount: &str, more: &str) -> Reply {
        self.get(&format!("{}{more}", quote_path(to, by, amount))).await
    }

    pub async fn quote(&self, to: To, amount: i64) -> Value {
        self.quote_by(to, "SEND_AMOUNT", &amount.to_string(), "").await.ok()
    }

    pub async fn nonce(&self) -> Value {
        self.get("/v1/nonce").await.ok()["nonce"].clone()
    }

    pub async fn recipient(&self, to: To) -> String {
        self.create("/v1/recipients", &recipient_body(to), "recipientId").await
    }

    pub async fn card_session(&self) -> String {
        self.create("/v1/card-onboarding-sessions", &json!({ "entityMode": "RECIPIENT" }), "id").await
    }

    /// Verifies a card and returns its identifier.
    pub async fn card(&self, number: &str) -> String {
        let session = self.card_session().await;
        assert_eq!(self.sandbox.enter_card(&session, number).await["result"], "SUCCESS");
        text(&self.get(&format!("/v1/card-onboarding-sessions/{session}")).await.ok(), "cardId")
    }

    pub async fn account_with(&self, recipient: &str, to: To, values: Value) -> String {
        let body = account_body(to, fields(values));
        self.create(&format!("/v1/recipients/{recipient}/accounts"), &body, "recipientAccountId").await
    }

    pub async fn card_account(&self, recipient: &str, to: To, number: &str) -> String {
        self.account_with(recipient, to, json!({ "CARD_ID": self.card(number).await })).await
    }

    pub async fn account(&self, recipient: &str, to: To) -> String {
        if to.2 == "PUSH_TO_CARD" {
            return self.card_account(recipient, to, "4111111111111111").await;
        }
        let values = json!({ "BANK_ID": "MEX-B-1", "BANK_ACCOUNT_NUMBER": "012345678901234567" });
        self.account_with(recipient, to, values).await
    }

    /// Creates a recipient, and an account where the method needs one.
    pub async fn destination(&self, to: To) -> Destination {
        let recipient = self.recipient(to).await;
        let account = match to.2 {
            "CASH_PICKUP" => None,
            _ => Some(self.account(&recipient, to).await),
        };
        Destination { to, recipient, account }
    }

    /// Returns a body for POST /v1/transfers, with a new quote and a new nonce.
    pub async fn transfer_body(&self, destination: &Destination, amount: i64) -> Value {
        let quote = self.quote(destination.to, amount).await;
        let mut body = destination.transfer(amount, &text(&quote, "quoteHistoryId"));
        body["nonce"] = self.nonce().await;
        body
    }

    pub async fn transfer(&self, destination: &Destination, amount: i64) -> Reply {
        let body = self.transfer_body(destination, amount).await;
        self.post("/v1/transfers", &body).await
    }

    /// Posts a transfer with some members changed.
    pub async fn transfer_with(&self, destination: &Destination, members: &Value) -> Reply {
        let body = self.transfer_body(destination, 10_000).await;
        self.post("/v1/transfers", &merged(body, members.clone())).await
    }

    /// Makes a transfer that the customer holds, and returns its path.
    pub async fn held_transfer(&self, destination: &Destination, amount: i64) -> String {
        let mut body = self.transfer_body(destination, amount).await;
        body["customerHold"] = json!(true);
        format!("/v1/transfers/{}", self.create("/v1/transfers", &body, "transferId").await)
    }

    pub async fn release(&self, transfer: &str) -> Reply {
        self.call("POST", &format!("{transfer}/customer-hold/release"), None).await
    }

    pub async fn cancel(&self, transfer: &str, reason: &str) -> Reply {
        self.post(&format!("{transfer}/customer-hold/cancel"), &json!({ "reason": reason })).await
    }
}

/// Where a transfer goes.
#[derive(Clone, Debug)]
pub struct Destination {
    pub to: To,
    pub recipient: String,
    pub account: Option<String>,
}

impl Destination {
    /// Returns a body for POST /v1/transfers without a nonce.
    pub fn transfer(&self, amount: i64, quote: &str) -> Value {
        let price = json!({ "srcCurrencyIso3Code": "USD", "quoteBy": "SEND_AMOUNT", "amount": amount });
        let mut body = merged(corridor(self.to), price);
        body["quoteHistoryId"] = json!(quote);
        body["recipientId"] = json!(self.recipient);
        if let Some(account) = &self.account {
            body["recipientAccountId"] = json!(account);
        }
        if self.to.2 == "CASH_PICKUP" {
            body["fields"] = fields(json!({
                "PAYER_STATE_PROVINCE": "MEX-1", "PAYER_CITY": "MEX-1-2", "PAYER": "MEX-1-2-1",
                "PAYER_LOCATION": "MEX-1-2-1-2",
            }));
        }
        body
    }
}

pub fn quote_path((country, currency, method): To, by: &str, amount: &str) -> String {
    format!(
        "/v1/quote?dstCountryIso3Code={country}&dstCurrencyIso3Code={currency}\
         &srcCurrencyIso3Code=USD&transferMethod={method}&quoteBy={by}&amount={amount}"
    )
}

/// Returns a token request; `client` is "sandbox" or "other".
pub fn credentials(client: &str, audience: &str) -> Value {
    json!({
        "client_id": format!("{client}-client"), "client_secret": format!("{client}-secret"),
        "audience": audience, "grant_type": "client_credentials",
    })
}

pub fn corridor((country, currency, method): To) -> Value {
    json!({ "dstCountryIso3Code": country, "dstCurrencyIso3Code": currency, "transferMethod": method })
}

/// Adds the members of the second object to the first.
pub fn merged(mut object: Value, more: Value) -> Value {
    let Value::Object(more) = more else { unreachable!() };
    object.as_object_mut().unwrap().extend(more);
    object
}

/// Returns the `fields` array of these values by identifier.
pub fn fields(values: Value) -> Value {
    let values = values.as_object().unwrap().iter();
    values.map(|(id, value)| json!({ "id": id, "value": value })).collect()
}

/// Returns a body with some fields set; null removes one.
pub fn with_fields(mut body: Value, values: Value) -> Value {
    let fields = body["fields"].as_array_mut().unwrap();
    for (id, value) in values.as_object().unwrap() {
        fields.retain(|field| field["id"] != **id);
        if !value.is_null() {
            fields.push(json!({ "id": id, "value": value }));
        }
    }
    body
}

pub fn phone(number: &str, country: &str, code: &str) -> Value {
    json!({ "number": number, "countryIso3Code": country, "countryPhoneCode": code })
}

pub fn recipient_body(to: To) -> Value {
    let values = fields(json!({
        "firstName": "Ana", "lastName": "López", "ADDRESS_LINE_1": "Calle Mayor 1",
        "PHONE_NUMBER": phone("3312345678", "MEX", "52"),
    }));
    merged(corridor(to), json!({ "userType": "PERSON", "fields": values }))
}

pub fn account_body(to: To, fields: Value) -> Value {
    merged(corridor(to), json!({ "fields": fields }))
}

pub fn sender_body() -> Value {
    let values = fields(json!({
        "firstName": "Rosa", "lastName": "Lund", "DATE_OF_BIRTH": "1990-02-28",
        "ADDRESS_LINE_1": "1 Main Street", "ADDRESS_CITY": "Tampa", "ADDRESS_STATE": "FL",
        "ADDRESS_ZIP": "33602", "PHONE_NUMBER": phone("8135550123", "USA", "1"),
        "ID_TYPE": "SSN", "ID_NUMBER": "123456789",
    }));
    json!({ "senderType": "PERSON", "fields": values })
}

pub fn card_entry(number: &str) -> Value {
    json!({
        "number": number, "expiryMonth": "12", "expiryYear": "2045", "name": "Ana López", "securityCode": "123",
    })
}

#[track_caller]
pub fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}")).to_owned()
}

//! What the tests have in common: a sandbox, calls to it, and requests that are good.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use remitkit_sandbox::{Config, Sandbox};
use serde_json::{Value, json};
use tower::ServiceExt;

/// A reply, read to its end.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
    pub json: Value,
}

impl Reply {
    /// The code of the first problem.
    pub fn code(&self) -> &str {
        self.codes().first().copied().unwrap_or("")
    }

    pub fn codes(&self) -> Vec<&str> {
        let list = match &self.json {
            Value::Array(list) => list.iter().collect(),
            object if object.get("errors").is_some() => object["errors"].as_array().unwrap().iter().collect(),
            object => vec![object],
        };
        list.into_iter().filter_map(|problem| problem["code"].as_str()).collect()
    }

    /// Field and code of each problem.
    pub fn problems(&self) -> Vec<(&str, &str)> {
        let list = self.json.as_array().unwrap();
        list.iter()
            .map(|problem| (problem["fieldId"].as_str().unwrap_or(""), problem["code"].as_str().unwrap()))
            .collect()
    }

    #[track_caller]
    pub fn ok(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.json);
        self.json
    }

    #[track_caller]
    pub fn fails(&self, status: u16, code: &str) {
        assert_eq!((self.status.as_u16(), self.code()), (status, code), "{}", self.json);
    }
}

/// Who asks.
#[derive(Clone, Debug)]
pub struct Caller {
    pub bench: Arc<Bench>,
    pub token: Option<String>,
}

/// A sandbox with its routers.
#[derive(Debug)]
pub struct Bench {
    pub sandbox: Sandbox,
    api: Router,
    card: Router,
    strays: AtomicBool,
}

pub fn config() -> Config {
    Config { seed: Some(1), verify_delay: Duration::ZERO, ..Config::for_tests() }
}

async fn send(router: &Router, request: Request<Body>) -> Reply {
    let response = router.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes().to_vec();
    let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    Reply { status: parts.status, headers: parts.headers, bytes, json }
}

fn request(method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> Request<Body> {
    let mut builder = Request::builder().method(method).uri(path).header("host", "127.0.0.1:4100");
    if let Some(token) = token {
        builder = builder.header("authorization", format!("Bearer {token}"));
    }
    match body {
        None => builder.body(Body::empty()).unwrap(),
        Some(body) => {
            builder.header("content-type", "application/json").body(Body::from(body.to_string())).unwrap()
        }
    }
}

impl Drop for Bench {
    /// A test that strays from the interface's document fails.
    fn drop(&mut self) {
        if *self.strays.get_mut() {
            return;
        }
        let violations = self.sandbox.violations();
        assert!(violations.is_empty() || std::thread::panicking(), "{violations:#?}");
    }
}

impl Bench {
    /// This test strays on purpose.
    pub fn strays(&self) {
        self.strays.store(true, Ordering::Relaxed);
    }

    pub fn new() -> Arc<Self> {
        Self::with(config())
    }

    pub fn with(config: Config) -> Arc<Self> {
        let sandbox = Sandbox::open(config).unwrap();
        let (api, card) = (sandbox.api_router(), sandbox.card_router());
        Arc::new(Self { sandbox, api, card, strays: AtomicBool::default() })
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        send(&self.api, request).await
    }

    pub async fn send_card(&self, request: Request<Body>) -> Reply {
        send(&self.card, request).await
    }

    pub async fn card_get(&self, path: &str) -> Reply {
        self.send_card(request("GET", path, None, None)).await
    }

    pub async fn card_post(&self, path: &str, body: &Value) -> Reply {
        self.send_card(request("POST", path, None, Some(body))).await
    }

    /// Steers the sandbox.
    pub async fn steer(&self, path: &str, body: Value) -> Value {
        self.send(request("POST", &format!("/sandbox/{path}"), None, Some(&body))).await.ok()
    }

    pub async fn look(&self, path: &str) -> Value {
        self.send(request("GET", &format!("/sandbox/{path}"), None, None)).await.ok()
    }

    pub async fn advance(&self, seconds: i64) {
        self.steer("clock", json!({ "advanceSeconds": seconds })).await;
    }

    pub async fn known(&self, whose: &str) -> String {
        self.look("triggers").await["senders"][whose].as_str().unwrap().to_owned()
    }

    async fn token(&self, client: &str, sender: Option<&str>) -> String {
        let mut body = credentials(client, "http://127.0.0.1:4100");
        if let Some(sender) = sender {
            body["sender_id"] = json!(sender);
        }
        let reply = self.send(request("POST", "/v1/oauth/token", None, Some(&body))).await.ok();
        reply["access_token"].as_str().unwrap().to_owned()
    }

    /// Someone with a token for a sender of `sandbox-client`.
    pub async fn sender(self: &Arc<Self>, sender: &str) -> Caller {
        Caller { bench: Arc::clone(self), token: Some(self.token("sandbox", Some(sender)).await) }
    }

    /// Someone with a token for the sender that the sandbox announces.
    pub async fn person(self: &Arc<Self>) -> Caller {
        self.sender(&self.sandbox.sender_id()).await
    }

    /// `sandbox-client` itself.
    pub async fn client(self: &Arc<Self>) -> Caller {
        Caller { bench: Arc::clone(self), token: Some(self.token("sandbox", None).await) }
    }

    /// A sender of `other-client`.
    pub async fn foreign(self: &Arc<Self>) -> Caller {
        let sender = self.known("foreign").await;
        Caller { bench: Arc::clone(self), token: Some(self.token("other", Some(&sender)).await) }
    }

    /// Someone without a token.
    pub fn nobody(self: &Arc<Self>) -> Caller {
        Caller { bench: Arc::clone(self), token: None }
    }

    /// Enters a card into a session's form.
    pub async fn enter_card(&self, session: &str, number: &str) -> Value {
        let card = json!({
            "number": number,
            "expiryMonth": "12",
            "expiryYear": "2045",
            "name": "Ana López",
            "securityCode": "123",
        });
        self.card_post(&format!("/v2/add-card/{session}/verify"), &card).await.ok()
    }
}

/// A new sandbox, and someone with a token for the sender that it announces.
pub async fn person() -> (Arc<Bench>, Caller) {
    let bench = Bench::new();
    let caller = bench.person().await;
    (bench, caller)
}

/// The same with a recipient for a destination.
pub async fn stage(to: To) -> (Arc<Bench>, Caller, Destination) {
    let (bench, caller) = person().await;
    let destination = caller.destination(to).await;
    (bench, caller, destination)
}

/// A destination: country, currency and method.
pub type To = (&'static str, &'static str, &'static str);
pub const CARD: To = ("MEX", "MXN", "PUSH_TO_CARD");
pub const BANK: To = ("MEX", "MXN", "BANK_ACCOUNT");
pub const CASH: To = ("MEX", "MXN", "CASH_PICKUP");

impl Caller {
    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Reply {
        self.bench.send(request(method, path, self.token.as_deref(), body)).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, Some(body)).await
    }

    pub async fn quote_reply(&self, to: To, by: &str, amount: &str, more: &str) -> Reply {
        self.get(&format!("{}{more}", quote_path(to, by, amount))).await
    }

    pub async fn quote(&self, to: To, amount: i64) -> Value {
        self.quote_reply(to, "SEND_AMOUNT", &amount.to_string(), "").await.ok()
    }

    pub async fn nonce(&self) -> Value {
        self.get("/v1/nonce").await.ok()["nonce"].clone()
    }

    pub async fn recipient(&self, to: To) -> String {
        let body = recipient_body(to);
        text(&self.post("/v1/recipients", &body).await.ok(), "recipientId")
    }

    /// A verified card of this sender.
    pub async fn card(&self, number: &str) -> String {
        let body = json!({ "entityMode": "RECIPIENT" });
        let session = self.post("/v1/card-onboarding-sessions", &body).await.ok();
        let id = text(&session, "id");
        assert_eq!(self.bench.enter_card(&id, number).await["result"], "SUCCESS");
        let session = self.get(&format!("/v1/card-onboarding-sessions/{id}")).await.ok();
        text(&session, "cardId")
    }

    pub async fn account(&self, recipient: &str, to: To) -> String {
        let fields = match to.2 {
            "PUSH_TO_CARD" => return self.account_of_card(recipient, to, "4111111111111111").await,
            _ => json!([
                { "id": "BANK_ID", "value": "MEX-B-1" },
                { "id": "BANK_ACCOUNT_NUMBER", "value": "012345678901234567" },
            ]),
        };
        let path = format!("/v1/recipients/{recipient}/accounts");
        text(&self.post(&path, &account_body(to, fields)).await.ok(), "recipientAccountId")
    }

    /// An account for a card that this sender enters.
    pub async fn account_of_card(&self, recipient: &str, to: To, number: &str) -> String {
        let fields = json!([{ "id": "CARD_ID", "value": self.card(number).await }]);
        let path = format!("/v1/recipients/{recipient}/accounts");
        text(&self.post(&path, &account_body(to, fields)).await.ok(), "recipientAccountId")
    }

    /// Makes a transfer that the customer holds, and returns its identifier.
    pub async fn held_transfer(&self, destination: &Destination, amount: i64) -> String {
        let mut body = self.transfer_body(destination, amount).await;
        body["customerHold"] = json!(true);
        text(&self.post("/v1/transfers", &body).await.ok(), "transferId")
    }

    /// Recipient and account for a destination.
    pub async fn destination(&self, to: To) -> Destination {
        let recipient = self.recipient(to).await;
        let account = match to.2 {
            "CASH_PICKUP" => None,
            _ => Some(self.account(&recipient, to).await),
        };
        Destination { to, recipient, account }
    }

    /// A body for POST /v1/transfers, with a new quote and a new nonce.
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
}

/// Where a transfer goes.
#[derive(Clone, Debug)]
pub struct Destination {
    pub to: To,
    pub recipient: String,
    pub account: Option<String>,
}

impl Destination {
    pub fn transfer(&self, amount: i64, quote: &str) -> Value {
        let (country, currency, method) = self.to;
        let mut body = json!({
            "dstCountryIso3Code": country,
            "dstCurrencyIso3Code": currency,
            "srcCurrencyIso3Code": "USD",
            "transferMethod": method,
            "quoteBy": "SEND_AMOUNT",
            "amount": amount,
            "quoteHistoryId": quote,
            "recipientId": self.recipient,
        });
        if let Some(account) = &self.account {
            body["recipientAccountId"] = json!(account);
        }
        if method == "CASH_PICKUP" {
            body["fields"] = json!([
                { "id": "PAYER_STATE_PROVINCE", "value": "MEX-1" },
                { "id": "PAYER_CITY", "value": "MEX-1-2" },
                { "id": "PAYER", "value": "MEX-1-2-1" },
                { "id": "PAYER_LOCATION", "value": "MEX-1-2-1-2" },
            ]);
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

/// What a client asks for a token with; `whose` is "sandbox" or "other".
pub fn credentials(whose: &str, audience: &str) -> Value {
    json!({
        "client_id": format!("{whose}-client"),
        "client_secret": format!("{whose}-secret"),
        "audience": audience,
        "grant_type": "client_credentials",
    })
}

pub fn recipient_body(to: To) -> Value {
    let (country, currency, method) = to;
    json!({
        "userType": "PERSON",
        "dstCountryIso3Code": country,
        "dstCurrencyIso3Code": currency,
        "transferMethod": method,
        "fields": [
            { "id": "firstName", "value": "Ana" },
            { "id": "lastName", "value": "López" },
            { "id": "ADDRESS_LINE_1", "value": "Calle Mayor 1" },
            { "id": "PHONE_NUMBER", "value":
                { "number": "3312345678", "countryIso3Code": "MEX", "countryPhoneCode": "52" } },
        ],
    })
}

pub fn account_body(to: To, fields: Value) -> Value {
    let (country, currency, method) = to;
    json!({
        "dstCountryIso3Code": country,
        "dstCurrencyIso3Code": currency,
        "transferMethod": method,
        "fields": fields,
    })
}

pub fn sender_body() -> Value {
    json!({
        "senderType": "PERSON",
        "fields": [
            { "id": "firstName", "value": "Rosa" },
            { "id": "lastName", "value": "Lund" },
            { "id": "DATE_OF_BIRTH", "value": "1990-02-28" },
            { "id": "ADDRESS_LINE_1", "value": "1 Main Street" },
            { "id": "ADDRESS_CITY", "value": "Tampa" },
            { "id": "ADDRESS_STATE", "value": "FL" },
            { "id": "ADDRESS_ZIP", "value": "33602" },
            { "id": "PHONE_NUMBER", "value":
                { "number": "8135550123", "countryIso3Code": "USA", "countryPhoneCode": "1" } },
            { "id": "ID_TYPE", "value": "SSN" },
            { "id": "ID_NUMBER", "value": "123456789" },
        ],
    })
}

/// Gives a field of a body another value; null takes it away.
pub fn set_field(body: &mut Value, id: &str, value: Value) {
    let fields = body["fields"].as_array_mut().unwrap();
    fields.retain(|field| field["id"] != id);
    if !value.is_null() {
        fields.push(json!({ "id": id, "value": value }));
    }
}

#[track_caller]
pub fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}")).to_owned()
}

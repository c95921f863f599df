//! The two services of a thread, reset to the same state before each history.

use futures_util::future::LocalBoxFuture;
use http::Request;
use http_body_util::BodyExt;
use remitkit::client::Answer;
use remitkit_sandbox::{Config, Sandbox};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::history::History;

/// How many senders of a service are customers.
const SENDERS: usize = 2;
pub(crate) const ORIGINS: [&str; 2] = ["https://north.example", "https://south.example"];
pub(crate) const CORRIDOR: &str =
    r#""dstCountryIso3Code":"ESP","dstCurrencyIso3Code":"EUR","transferMethod":"BANK_ACCOUNT""#;

pub(crate) struct Services(pub(crate) Vec<Service>);

pub(crate) struct Service {
    sandbox: Sandbox,
    send: Box<dyn Fn(Request<String>) -> LocalBoxFuture<'static, Answer>>,
    pub(crate) customers: Vec<Customer>,
}

pub(crate) struct Customer {
    pub(crate) sender_id: String,
    pub(crate) recipients: Vec<Recipient>,
}

#[derive(Clone)]
pub(crate) struct Recipient {
    pub(crate) id: String,
    pub(crate) account_id: String,
}

impl Services {
    pub(crate) async fn open() -> Services {
        Services(vec![Service::open(0).await, Service::open(1).await])
    }

    pub(crate) fn rewind(&self, history: &History) {
        for (at, service) in self.0.iter().enumerate() {
            service.sandbox.rewind(history.seed.wrapping_mul(2).wrapping_add(at as u64)).unwrap();
        }
    }

    pub(crate) fn of(&self, customer: u8) -> &Service {
        &self.0[service_of(customer)]
    }

    pub(crate) fn customer(&self, customer: u8) -> &Customer {
        &self.of(customer).customers[usize::from(customer) % SENDERS]
    }

    /// Returns the reply of a customer's token source.
    pub(crate) async fn token(&self, customer: u8) -> String {
        self.of(customer).token(&self.customer(customer).sender_id).await
    }
}

pub(crate) fn service_of(customer: u8) -> usize {
    usize::from(customer) / SENDERS
}

impl Service {
    async fn open(seed: u64) -> Service {
        let config = Config { seed: Some(seed), simulated: true, log_capacity: 1, ..Config::default() };
        let sandbox = Sandbox::open(config).unwrap();
        let router = sandbox.api_router();
        let send = move |request: Request<String>| {
            let router = router.clone();
            let reply = async move {
                let response = router.oneshot(request).await.unwrap();
                let request_id = response.headers().get("request-id");
                let request_id = request_id.and_then(|id| id.to_str().ok()).map(str::to_owned);
                let status = response.status().as_u16();
                let body = response.into_body().collect().await.map(|body| body.to_bytes().to_vec());
                let text = String::from_utf8(body.unwrap_or_default()).unwrap_or_default();
                answer(status, request_id, text)
            };
            Box::pin(reply) as LocalBoxFuture<'static, Answer>
        };
        let mut service = Service { sandbox, send: Box::new(send), customers: Vec::new() };
        let limited = "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e003";
        let limits = json!({ "senderId": limited, "limits": { "count24Hours": 2 } });
        service.post("/sandbox/limits", "", limits.to_string()).await;
        for sender_id in [service.sandbox.sender_id(), limited.to_owned()] {
            let bearer = service.token(&sender_id).await;
            let bearer = parsed(&bearer)["access_token"].as_str().unwrap().to_owned();
            let mut recipients = Vec::new();
            for (number, name) in [(0, "Seeded One"), (1, "Seeded Two")] {
                let created = service.post("/v1/recipients", &bearer, recipient_body(name)).await;
                let id = created["recipientId"].as_str().unwrap().to_owned();
                let path = format!("/v1/recipients/{id}/accounts");
                let created = service.post(&path, &bearer, account_body(number)).await;
                let account_id = created["recipientAccountId"].as_str().unwrap().to_owned();
                recipients.push(Recipient { id, account_id });
            }
            service.customers.push(Customer { sender_id, recipients });
        }
        service.sandbox.keep().unwrap();
        service
    }

    async fn token(&self, sender_id: &str) -> String {
        let request = json!({
            "client_id": self.sandbox.client_id(),
            "client_secret": self.sandbox.client_secret(),
            "audience": "http://127.0.0.1:4100",
            "grant_type": "client_credentials",
            "sender_id": sender_id,
        });
        self.exchange("POST", "/v1/oauth/token", "", Some(request.to_string())).await.text
    }

    async fn post(&self, path: &str, bearer: &str, body: String) -> Value {
        let reply = self.exchange("POST", path, bearer, Some(body)).await;
        assert!(reply.status < 300, "{path}: {}", reply.text);
        parsed(&reply.text)
    }

    pub(crate) async fn exchange(
        &self,
        method: &str,
        path: &str,
        bearer: &str,
        body: Option<String>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:4100");
        if !bearer.is_empty() {
            request = request.header("authorization", format!("Bearer {bearer}"));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        (self.send)(request.body(body.unwrap_or_default()).unwrap()).await
    }

    /// Makes the service wait this long in the middle of the next transfer.
    pub(crate) async fn wait_during_next(&self, ms: u32) {
        let fault = json!({
            "kind": "latency",
            "when": "during",
            "delayMilliseconds": ms,
            "method": "POST",
            "path": "/v1/transfers",
        });
        self.post("/sandbox/faults", "", fault.to_string()).await;
    }

    /// Returns all transfers of the database.
    pub(crate) async fn transfers(&self) -> Vec<Value> {
        let reply = self.exchange("GET", "/sandbox/transfers", "", None).await;
        serde_json::from_str(&reply.text).unwrap_or_else(|_| panic!("{}", reply.text))
    }
}

pub(crate) fn answer(status: u16, request_id: Option<String>, text: String) -> Answer {
    Answer { status, request_id, retry_after_s: None, text, bytes: Vec::new(), content_type: None, url: None }
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

pub(crate) fn recipient_body(last_name: &str) -> String {
    let fields = json!([
        { "id": "firstName", "value": "Ana" },
        { "id": "lastName", "value": last_name },
        { "id": "ADDRESS_LINE_1", "value": "Calle Mayor 1" },
        { "id": "ADDRESS_CITY", "value": "Madrid" },
    ]);
    format!(r#"{{"userType":"PERSON",{CORRIDOR},"fields":{fields}}}"#)
}

pub(crate) fn account_body(number: u32) -> String {
    let fields = json!([{ "id": "BANK_ACCOUNT_NUMBER", "value": iban(number) }]);
    format!(r#"{{{CORRIDOR},"fields":{fields}}}"#)
}

pub(crate) fn iban(number: u32) -> String {
    format!("ES91210004184502{number:08}")
}

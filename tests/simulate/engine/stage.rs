//! The two services of a thread, and the state to which they are reset between histories.

use axum_body::whole;
use http::Request;
use remitkit_sandbox::{Config, Sandbox};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::history::History;

/// How many senders of a service are customers.
pub(crate) const SENDERS: usize = 2;
pub(crate) const ORIGINS: [&str; 2] = ["https://north.example", "https://south.example"];
pub(crate) const CORRIDOR: &str =
    r#""dstCountryIso3Code":"ESP","dstCurrencyIso3Code":"EUR","transferMethod":"BANK_ACCOUNT""#;

mod axum_body {
    pub(super) async fn whole<B: http_body_util::BodyExt>(body: B) -> Vec<u8> {
        body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default()
    }
}

pub(crate) struct Stage {
    pub(crate) services: Vec<Service>,
}

pub(crate) struct Service {
    sandbox: Sandbox,
    send: Box<dyn Fn(Request<String>) -> futures_util::future::LocalBoxFuture<'static, Reply>>,
    pub(crate) customers: Vec<Customer>,
}

/// What the service answered.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) request_id: Option<String>,
    pub(crate) text: String,
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

impl Stage {
    pub(crate) async fn open() -> Stage {
        let mut services = Vec::new();
        for seed in 0..2 {
            services.push(Service::open(seed).await);
        }
        Stage { services }
    }

    pub(crate) fn rewind(&self, history: &History) {
        for (at, service) in self.services.iter().enumerate() {
            service.sandbox.rewind(history.seed.wrapping_mul(2).wrapping_add(at as u64)).unwrap();
        }
    }

    pub(crate) fn customer(&self, customer: u8) -> &Customer {
        &self.services[service_of(customer)].customers[usize::from(customer) % SENDERS]
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
                let text = String::from_utf8(whole(response.into_body()).await).unwrap_or_default();
                Reply { status, request_id, text }
            };
            Box::pin(reply) as futures_util::future::LocalBoxFuture<'static, Reply>
        };
        let mut service = Service { sandbox, send: Box::new(send), customers: Vec::new() };
        let limited = "1b7e6c0a-52d4-4f57-9a3e-8c1f60d5e003";
        let limits = json!({ "senderId": limited, "limits": { "count24Hours": 2 } });
        let reply = service.exchange("POST", "/sandbox/limits", "", Some(limits.to_string())).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        for sender_id in [service.sandbox.sender_id(), limited.to_owned()] {
            let bearer = service.token(&sender_id).await;
            let mut recipients = Vec::new();
            for number in 0..2 {
                let body = recipient_body(&format!("Seeded {}", ["One", "Two"][number]));
                let id = service.create("/v1/recipients", &bearer, body, "recipientId").await;
                let path = format!("/v1/recipients/{id}/accounts");
                let account_id =
                    service.create(&path, &bearer, account_body(number as u32), "recipientAccountId").await;
                recipients.push(Recipient { id, account_id });
            }
            service.customers.push(Customer { sender_id, recipients });
        }
        service.sandbox.keep().unwrap();
        service
    }

    async fn create(&self, path: &str, bearer: &str, body: String, id: &str) -> String {
        let reply = self.exchange("POST", path, bearer, Some(body)).await;
        let created: Value = serde_json::from_str(&reply.text).unwrap_or_default();
        created[id].as_str().unwrap_or_else(|| panic!("{path}: {}", reply.text)).to_owned()
    }

    pub(crate) async fn token(&self, sender_id: &str) -> String {
        let reply = self.exchange("POST", "/v1/oauth/token", "", Some(self.token_request(sender_id))).await;
        let token: Value = serde_json::from_str(&reply.text).unwrap_or_default();
        token["access_token"].as_str().unwrap_or_else(|| panic!("{}", reply.text)).to_owned()
    }

    pub(crate) async fn token_json(&self, sender_id: &str) -> String {
        self.exchange("POST", "/v1/oauth/token", "", Some(self.token_request(sender_id))).await.text
    }

    fn token_request(&self, sender_id: &str) -> String {
        json!({
            "client_id": self.sandbox.client_id(),
            "client_secret": self.sandbox.client_secret(),
            "audience": "http://127.0.0.1:4100",
            "grant_type": "client_credentials",
            "sender_id": sender_id,
        })
        .to_string()
    }

    pub(crate) async fn exchange(
        &self,
        method: &str,
        path: &str,
        bearer: &str,
        body: Option<String>,
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:4100");
        if !bearer.is_empty() {
            request = request.header("authorization", format!("Bearer {bearer}"));
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        (self.send)(request.body(body.unwrap_or_default()).unwrap()).await
    }

    /// Has the service wait so long in the midst of the transfer that comes next.
    pub(crate) async fn wait_during_next(&self, ms: u32) {
        let fault = json!({
            "kind": "latency", "when": "during", "delayMilliseconds": ms, "method": "POST", "path": "/v1/transfers",
        });
        let reply = self.exchange("POST", "/sandbox/faults", "", Some(fault.to_string())).await;
        assert!(reply.status < 300, "{}", reply.text);
    }

    /// Every transfer that the database has.
    pub(crate) async fn transfers(&self) -> Vec<Value> {
        let reply = self.exchange("GET", "/sandbox/transfers", "", None).await;
        serde_json::from_str(&reply.text).unwrap_or_else(|_| panic!("{}", reply.text))
    }
}

pub(crate) fn recipient_body(name: &str) -> String {
    let fields = [
        ("firstName", "Ana"),
        ("lastName", name),
        ("ADDRESS_LINE_1", "Calle Mayor 1"),
        ("ADDRESS_CITY", "Madrid"),
    ];
    let fields: Vec<Value> = fields.iter().map(|(id, value)| json!({ "id": id, "value": value })).collect();
    format!(r#"{{"userType":"PERSON",{CORRIDOR},"fields":{}}}"#, json!(fields))
}

pub(crate) fn account_body(number: u32) -> String {
    let fields = json!([{ "id": "BANK_ACCOUNT_NUMBER", "value": iban(number) }]);
    format!(r#"{{{CORRIDOR},"fields":{fields}}}"#)
}

pub(crate) fn iban(number: u32) -> String {
    format!("ES91210004184502{number:08}")
}

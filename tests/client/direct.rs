// A client's environment that reaches the sandbox's router in this process, without a network.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::LocalBoxFuture;
use http_body_util::BodyExt;
use remitkit::api::{Error, Method, Request, Uuid};
use remitkit::client::{Answer, Environment, Host, Journal, MemoryJournal, SendFailure, SendResult};
use remitkit_sandbox::{Config, Sandbox};
use tower::ServiceExt;

pub(crate) const BASE_URL: &str = "http://127.0.0.1:4100";
pub(crate) const CARD_URL: &str = "http://127.0.0.1:4101";

pub(crate) struct Direct {
    pub(crate) sandbox: Rc<Sandbox>,
    journal: MemoryJournal,
    /// How many of the next answers to a POST are lost after the service has committed.
    pub(crate) lost_answers: Cell<u32>,
}

impl Direct {
    pub(crate) fn open() -> Self {
        let sandbox = Rc::new(Sandbox::open(Config::for_tests()).unwrap());
        Direct { sandbox, journal: MemoryJournal::default(), lost_answers: Cell::default() }
    }
}

impl Drop for Direct {
    /// Fails a test whose exchanges violate the interface's document.
    fn drop(&mut self) {
        let violations = self.sandbox.violations();
        assert!(violations.is_empty() || std::thread::panicking(), "{violations:#?}");
    }
}

/// Enters a card in the card form of a session, as a customer does.
pub(crate) async fn enter_card(sandbox: &Sandbox, session_id: &Uuid) {
    let card = r#"{"number":"4111111111111111","expiryMonth":12,"expiryYear":2030,
        "name":"Ana Diaz","securityCode":"123"}"#;
    let request = http::Request::post(format!("/v2/add-card/{session_id}/verify"))
        .header("content-type", "application/json")
        .body(card.to_owned());
    let response = sandbox.card_router().oneshot(request.unwrap()).await.unwrap();
    let verified = response.into_body().collect().await.ok().unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&verified).contains("SUCCESS"), "{verified:?}");
}

impl Environment for Direct {
    type Signal = ();
    type Lock = ();

    async fn send(&self, url: &str, request: &Request, bearer: &str, _: u32) -> SendResult {
        let mut sent = http::Request::builder()
            .method(request.method.as_str())
            .uri(url.strip_prefix(BASE_URL).unwrap())
            .header("authorization", format!("Bearer {bearer}"));
        if let Some(language) = &request.language {
            sent = sent.header("accept-language", language);
        }
        if request.body.is_some() {
            sent = sent.header("content-type", "application/json");
        }
        let sent = sent.body(request.body.clone().unwrap_or_default()).unwrap();
        let response = self.sandbox.api_router().oneshot(sent).await.unwrap();
        let status = response.status().as_u16();
        let request_id = response.headers().get("request-id");
        let request_id = request_id.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let body = response.into_body().collect().await.ok().unwrap().to_bytes().to_vec();
        if self.lost_answers.get() > 0 && request.method == Method::Post {
            self.lost_answers.set(self.lost_answers.get() - 1);
            return Err(SendFailure::Network);
        }
        let is_pdf = request.wants_bytes && status == 200;
        let (text, bytes) =
            if is_pdf { (String::new(), body) } else { (String::from_utf8(body).unwrap(), Vec::new()) };
        let content_type = is_pdf.then(|| "application/pdf".into());
        Ok(Answer { status, request_id, retry_after_s: None, text, bytes, content_type })
    }

    async fn token(&self) -> Result<String, Error> {
        let (id, secret, sender) =
            (self.sandbox.client_id(), self.sandbox.client_secret(), self.sandbox.sender_id());
        let body = format!(
            r#"{{"client_id":"{id}","client_secret":"{secret}","audience":"{BASE_URL}",
                "grant_type":"client_credentials","sender_id":"{sender}"}}"#
        );
        let request = http::Request::post("/v1/oauth/token").header("content-type", "application/json");
        let response = self.sandbox.api_router().oneshot(request.body(body).unwrap()).await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        Ok(String::from_utf8(response.into_body().collect().await.ok().unwrap().to_bytes().to_vec()).unwrap())
    }

    async fn sleep(&self, ms: u32) {
        // The sandbox is in this process: a long wait adds nothing.
        tokio::time::sleep(Duration::from_millis(u64::from(ms.min(600)))).await;
    }

    async fn aborted(&self, (): &()) {
        std::future::pending().await
    }

    fn is_aborted(&self, (): &()) -> bool {
        false
    }

    async fn lock(&self, _: &str) {}

    fn spawn(&self, _: LocalBoxFuture<'static, ()>) {}

    fn journal(&self) -> &dyn Journal {
        &self.journal
    }
}

impl Host for Direct {
    fn now_ms(&self) -> u64 {
        u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
    }

    fn elapsed_ms(&self) -> u64 {
        self.now_ms()
    }

    fn random(&self) -> f64 {
        0.0
    }
}

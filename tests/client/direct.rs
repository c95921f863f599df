// The sandbox as the service of a script: its router in this process, in virtual time, without a network.

use std::rc::Rc;

use futures_util::FutureExt;
use http::Request;
use http_body_util::BodyExt;
use remitkit::api::SessionId;
use remitkit::client::{Answer, SendResult};
use remitkit::testing::{ScriptedPlatform, SentRequest, reply};
use remitkit_sandbox::{Config, Sandbox};
use tower::ServiceExt;

pub(crate) struct Direct(Sandbox);

impl Drop for Direct {
    /// Fails a test whose exchanges violate the interface's document.
    fn drop(&mut self) {
        let violations = self.0.violations();
        assert!(violations.is_empty() || std::thread::panicking(), "{violations:#?}");
    }
}

/// Opens a sandbox, and a script that passes on its answers and its tokens.
pub(crate) fn open() -> (ScriptedPlatform, Rc<Direct>) {
    let config = Config { simulated: true, ..Config::for_tests() };
    let direct = Rc::new(Direct(Sandbox::open(config).unwrap()));
    let [service, issuer, owner] = [(); 3].map(|()| direct.clone());
    let mut script = ScriptedPlatform::new(move |_, sent| service.answer(sent));
    script.token = Box::new(move |_| Ok(issuer.token()));
    script.owner = Box::new(move |bearer| {
        let (path, bearer) = ("/v1/sender-id".to_owned(), bearer.to_owned());
        owner.answer(&SentRequest { method: "GET", path, bearer, ..SentRequest::default() })
    });
    (script, direct)
}

impl Direct {
    fn answer(&self, sent: &SentRequest) -> SendResult {
        let mut request = Request::builder()
            .method(sent.method)
            .uri(&sent.path)
            .header("authorization", format!("Bearer {}", sent.bearer));
        if let Some(language) = &sent.language {
            request = request.header("accept-language", language);
        }
        if sent.body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request = request.body(sent.body.clone().unwrap_or_default()).unwrap();
        let response = self.0.api_router().oneshot(request).now_or_never().unwrap().unwrap();
        let status = response.status().as_u16();
        let header = |name| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let (request_id, content_type) = (header("request-id"), header("content-type"));
        let bytes = response.into_body().collect().now_or_never().unwrap().ok().unwrap().to_bytes().to_vec();
        // A receipt is no text.
        let text = String::from_utf8(bytes.clone()).unwrap_or_default();
        Ok(Answer { request_id, content_type, bytes, ..reply(status, &text)? })
    }

    fn token(&self) -> String {
        let (id, secret, sender) = (self.0.client_id(), self.0.client_secret(), self.0.sender_id());
        let body = format!(
            r#"{{"client_id":"{id}","client_secret":"{secret}","audience":"http://127.0.0.1:4100",
                "grant_type":"client_credentials","sender_id":"{sender}"}}"#
        );
        let (path, body) = ("/v1/oauth/token".to_owned(), Some(body));
        self.answer(&SentRequest { method: "POST", path, body, ..SentRequest::default() }).unwrap().text
    }

    /// Enters a card in the card form of a session, as a customer does.
    pub(crate) async fn enter_card(&self, session_id: &SessionId) {
        let card = r#"{"number":"4111111111111111","expiryMonth":12,"expiryYear":2030,
            "name":"Ana Diaz","securityCode":"123"}"#;
        let request = Request::post(format!("/v2/add-card/{session_id}/verify"))
            .header("content-type", "application/json")
            .body(card.to_owned());
        let response = self.0.card_router().oneshot(request.unwrap()).await.unwrap();
        let verified = response.into_body().collect().await.ok().unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&verified).contains("SUCCESS"), "{verified:?}");
    }
}

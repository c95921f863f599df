//! POST /v1/oauth/token, and what tokens of both levels allow.

use std::sync::Arc;

use serde_json::{Value, json};

use super::harness::*;

async fn token_with(sandbox: &Arc<TestSandbox>, name: &str, value: Value) -> Reply {
    let body = merged(credentials("sandbox", "http://127.0.0.1:4100"), json!({ name: value }));
    sandbox.anonymous().post("/v1/oauth/token", &body).await
}

#[tokio::test]
async fn a_token_has_the_standard_shape_and_is_not_cached() {
    let sandbox = TestSandbox::new();
    let reply = token_with(&sandbox, "scope", json!("transfers")).await;
    assert_eq!((reply.status.as_u16(), &reply.headers["cache-control"]), (200, &"no-store".parse().unwrap()));
    assert_eq!((&reply.json["token_type"], &reply.json["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert!(text(&reply.json, "access_token").len() > 40);
    for audience in ["http://127.0.0.1:4100/", "http://localhost:4100"] {
        assert_eq!(token_with(&sandbox, "audience", json!(audience)).await.status, 200, "{audience}");
    }
}

#[tokio::test]
async fn a_token_names_no_unknown_sender() {
    let sandbox = TestSandbox::new();
    let foreign = sandbox.known_sender("foreign").await;
    for sender in [json!(UNKNOWN_ID), json!(foreign)] {
        token_with(&sandbox, "sender_id", sender).await.fails("SenderNotFound");
    }
}

#[tokio::test]
async fn errors_of_token_requests_have_the_oauth_shape() {
    let sandbox = TestSandbox::new();
    for (name, value, status, error) in [
        ("client_secret", json!("wrong"), 401, "invalid_client"),
        ("client_id", json!("nobody"), 401, "invalid_client"),
        ("client_secret", Value::Null, 400, "invalid_request"),
        ("client_secret", json!(7), 400, "invalid_request"),
        ("grant_type", json!("password"), 400, "unsupported_grant_type"),
        ("grant_type", Value::Null, 400, "invalid_request"),
        ("audience", Value::Null, 400, "invalid_request"),
        ("audience", json!(""), 400, "invalid_request"),
        ("audience", json!("127.0.0.1:4100"), 400, "invalid_request"),
        ("audience", json!("https://elsewhere.example"), 400, "invalid_request"),
        ("audience", json!("http://127.0.0.1:4101"), 400, "invalid_request"),
        ("audience", json!("http://127.0.0.1:4100/v1"), 400, "invalid_request"),
        ("sender_id", json!("4711"), 400, "invalid_request"),
    ] {
        let reply = token_with(&sandbox, name, value.clone()).await;
        assert_eq!((reply.status.as_u16(), &reply.json["error"]), (status, &json!(error)), "{name} {value}");
        assert!(reply.json["error_description"].is_string());
        assert_eq!(reply.headers["cache-control"], "no-store");
    }
    let array =
        json!(["sandbox-client", "sandbox-secret", "http://127.0.0.1:4100", "client_credentials", null]);
    let reply = sandbox.anonymous().post("/v1/oauth/token", &array).await;
    assert_eq!((reply.status.as_u16(), &reply.json["error"]), (400, &json!("invalid_request")));
}

#[tokio::test]
async fn oauth_clients_can_send_forms_and_basic_credentials() {
    let sandbox = TestSandbox::new();
    // "sandbox-client:sandbox-secret" and "sandbox-client:wrong" in base64.
    let valid = "Basic c2FuZGJveC1jbGllbnQ6c2FuZGJveC1zZWNyZXQ=";
    let wrong = "Basic c2FuZGJveC1jbGllbnQ6d3Jvbmc=";
    let grant = "grant_type=client_credentials&audience=http%3A%2F%2F127.0.0.1%3A4100";
    let with_secret = &format!("{grant}&client_id=sandbox-client&client_secret=sandbox-secret");
    for (body, basic, status) in [
        (grant, Some(valid), 200),
        (with_secret, None, 200),
        (grant, Some(wrong), 401),
        (with_secret, Some(valid), 400),
        (grant, None, 400),
    ] {
        let mut headers = vec![("host", HOST), ("content-type", "application/x-www-form-urlencoded")];
        headers.extend(basic.map(|basic| ("authorization", basic)));
        let reply = sandbox.send(request("POST", "/v1/oauth/token", &headers, body.to_owned())).await;
        assert_eq!(reply.status, status, "{body} {basic:?}");
    }
}

#[tokio::test]
async fn a_token_is_rejected_once_changed_or_expired() {
    let (sandbox, mut caller) = person().await;
    let token = caller.token.clone().unwrap();
    caller.token = Some(format!("{token}x"));
    caller.get("/v1/corridors").await.fails("Unauthorized");
    sandbox.advance(3_599).await;
    caller.token = Some(token);
    assert_eq!(caller.get("/v1/corridors").await.status, 200);
    sandbox.advance(2).await;
    caller.get("/v1/corridors").await.fails("Unauthorized");
}

#[tokio::test]
async fn a_client_level_token_works_for_all_senders_of_its_client() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    for path in ["/v1/sender-id", "/v1/recipients"] {
        client.get(path).await.fails("SenderUndetermined");
    }
    for name in ["person", "business", "limited"] {
        let id = sandbox.known_sender(name).await;
        assert_eq!(client.get(&format!("/v1/sender-id?senderId={id}")).await.ok()["senderId"], json!(id));
    }
    let foreign = sandbox.known_sender("foreign").await;
    client.get(&format!("/v1/senders/{foreign}")).await.fails("SenderNotFound");
}

#[tokio::test]
async fn a_sender_level_token_works_for_its_sender_only() {
    let (sandbox, person) = person().await;
    let id = sandbox.sandbox.sender_id();
    assert_eq!(person.get("/v1/sender-id").await.ok()["senderId"], json!(id));
    assert_eq!(person.get(&format!("/v1/senders/{id}")).await.status, 200);
    let business = sandbox.known_sender("business").await;
    for path in [format!("/v1/senders/{business}"), format!("/v1/recipients?senderId={business}")] {
        person.get(&path).await.fails("SenderNotFound");
    }
    person.post("/v1/senders", &sender_body()).await.fails("AccessDenied");
}

#[tokio::test]
async fn the_token_of_a_deactivated_sender_is_useless() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let sender = text(&client.post("/v1/senders", &sender_body()).await.ok(), "senderId");
    let theirs = sandbox.sender(&sender).await;
    let deactivated = client.delete(&format!("/v1/senders/{sender}")).await.ok();
    assert_eq!(deactivated["isDeactivated"], true);
    theirs.get("/v1/sender-id").await.fails("SenderNotFound");
}

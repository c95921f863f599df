//! POST /v1/oauth/token, and who may do what with which token.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::bench::{self, Bench, Reply, person, sender_body, text};

fn credentials() -> Value {
    bench::credentials("sandbox", "http://127.0.0.1:4100")
}

async fn ask(bench: &Arc<Bench>, body: &Value) -> Reply {
    bench.nobody().post("/v1/oauth/token", body).await
}

#[tokio::test]
async fn a_token_has_the_standard_shape_and_is_not_stored() {
    let bench = Bench::new();
    let reply = ask(&bench, &credentials()).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.headers["cache-control"], "no-store");
    assert_eq!(reply.json["token_type"], "Bearer");
    assert_eq!(reply.json["expires_in"], 3600);
    assert!(text(&reply.json, "access_token").len() > 40);
    for audience in ["http://127.0.0.1:4100/", "http://localhost:4100"] {
        let mut body = credentials();
        body["audience"] = json!(audience);
        body["scope"] = json!("transfers");
        assert_eq!(ask(&bench, &body).await.status, 200, "{audience}");
    }
}

#[tokio::test]
async fn what_is_wrong_is_said_as_oauth_says_it() {
    let bench = Bench::new();
    let nobody = "00000000-0000-4000-8000-000000000000";
    let foreign = bench.known("foreign").await;
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
        ("sender_id", json!(nobody), 400, "invalid_request"),
        ("sender_id", json!(foreign), 400, "invalid_request"),
    ] {
        let mut body = credentials();
        body[name] = value;
        let reply = ask(&bench, &body).await;
        assert_eq!((reply.status.as_u16(), &reply.json["error"]), (status, &json!(error)), "{name}");
        assert!(reply.json["error_description"].is_string());
        assert_eq!(reply.headers["cache-control"], "no-store");
    }
}

#[tokio::test]
async fn a_grant_is_an_object() {
    let bench = Bench::new();
    let values =
        json!(["sandbox-client", "sandbox-secret", "http://127.0.0.1:4100", "client_credentials", null]);
    let reply = ask(&bench, &values).await;
    assert_eq!((reply.status.as_u16(), &reply.json["error"]), (400, &json!("invalid_request")));
}

#[tokio::test]
async fn oauth_clients_that_know_nothing_of_us_get_a_token() {
    let bench = Bench::new();
    let form = "application/x-www-form-urlencoded";
    let post = |body: &str, basic: Option<&str>| {
        let mut builder = Request::post("/v1/oauth/token").header("content-type", form);
        if let Some(basic) = basic {
            builder = builder.header("authorization", format!("Basic {basic}"));
        }
        builder.body(Body::from(body.to_owned())).unwrap()
    };
    // "sandbox-client:sandbox-secret" and "sandbox-client:wrong" in base64.
    let right = "c2FuZGJveC1jbGllbnQ6c2FuZGJveC1zZWNyZXQ=";
    let wrong = "c2FuZGJveC1jbGllbnQ6d3Jvbmc=";
    let grant = "grant_type=client_credentials&audience=http%3A%2F%2F127.0.0.1%3A4100";
    let both = &format!("{grant}&client_id=sandbox-client&client_secret=sandbox-secret");
    assert_eq!(bench.send(post(grant, Some(right))).await.status, 200);
    assert_eq!(bench.send(post(both, None)).await.status, 200);
    assert_eq!(bench.send(post(grant, Some(wrong))).await.status, 401);
    assert_eq!(bench.send(post(both, Some(right))).await.status, 400);
    assert_eq!(bench.send(post(grant, None)).await.status, 400);
}

#[tokio::test]
async fn a_token_is_good_as_it_was_made_and_until_it_expires() {
    let (bench, mut caller) = person().await;
    let token = caller.token.clone().unwrap();
    caller.token = Some(format!("{token}x"));
    caller.get("/v1/corridors").await.fails(401, "Unauthorized");
    bench.advance(3_599).await;
    caller.token = Some(token);
    assert_eq!(caller.get("/v1/corridors").await.status, 200);
    bench.advance(2).await;
    caller.get("/v1/corridors").await.fails(401, "Unauthorized");
}

#[tokio::test]
async fn a_client_level_token_works_for_every_sender_and_needs_one_named() {
    let bench = Bench::new();
    let client = bench.client().await;
    client.get("/v1/sender-id").await.fails(400, "SenderUndetermined");
    client.get("/v1/recipients").await.fails(400, "SenderUndetermined");
    for whose in ["person", "business", "limited"] {
        let id = bench.known(whose).await;
        let reply = client.get(&format!("/v1/sender-id?senderId={id}")).await.ok();
        assert_eq!(reply["senderId"], json!(id));
    }
    let foreign = bench.known("foreign").await;
    client.get(&format!("/v1/senders/{foreign}")).await.fails(404, "SenderNotFound");
}

#[tokio::test]
async fn a_sender_level_token_knows_its_sender_alone() {
    let (bench, person) = person().await;
    let id = bench.sandbox.sender_id();
    assert_eq!(person.get("/v1/sender-id").await.ok()["senderId"], json!(id));
    assert_eq!(person.get(&format!("/v1/senders/{id}")).await.status, 200);
    let business = bench.known("business").await;
    person.get(&format!("/v1/senders/{business}")).await.fails(404, "SenderNotFound");
    person.get(&format!("/v1/recipients?senderId={business}")).await.fails(404, "SenderNotFound");
    person.post("/v1/senders", &sender_body()).await.fails(403, "AccessDenied");
}

#[tokio::test]
async fn a_token_outlives_its_sender_only_to_be_refused() {
    let bench = Bench::new();
    let client = bench.client().await;
    let sender = text(&client.post("/v1/senders", &sender_body()).await.ok(), "senderId");
    let theirs = bench.sender(&sender).await;
    let gone = client.call("DELETE", &format!("/v1/senders/{sender}"), None).await.ok();
    assert_eq!(gone["isDeactivated"], true);
    theirs.get("/v1/sender-id").await.fails(404, "SenderNotFound");
}

//! Every trigger leads to its code, and errors have their documented shapes.

use std::collections::HashSet;

use remitkit_sandbox::{DOCUMENTED_CODES, ErrorCode};
use serde_json::{Value, json};

use super::harness::*;

/// Changes a valid body as a trigger says; an empty value means to leave the member out.
fn apply(body: Value, trigger: &Value) -> Value {
    let means = &trigger["means"];
    let value = if means["value"] == "" { Value::Null } else { means["value"].clone() };
    match means["kind"].as_str().unwrap() {
        "amount" => merged(body, json!({ "amount": means["amount"] })),
        "name" => with_fields(body, json!({ "lastName": trigger["code"] })),
        "property" => merged(body, json!({ text(means, "name"): value })),
        kind => {
            assert_eq!(kind, "field");
            with_fields(body, json!({ text(means, "id"): value }))
        }
    }
}

struct Fixture {
    client: Caller,
    person: Caller,
    destination: Destination,
    sender: String,
}

impl Fixture {
    /// Sends the request of a trigger of the service.
    async fn send(&self, trigger: &Value) -> Reply {
        let Self { client, person, destination, sender } = self;
        let means = &trigger["means"];
        let id = means["value"].as_str().unwrap_or_default();
        match trigger["operation"].as_str().unwrap() {
            operation @ ("quote" | "recipientFields") => {
                let price = json!({
                    "srcCurrencyIso3Code": "USD", "quoteBy": "SEND_AMOUNT", "recipientType": "PERSON",
                    "amount": "10000",
                });
                let query = apply(merged(corridor(CARD), price), trigger);
                let pairs = query.as_object().unwrap().iter();
                let pairs =
                    pairs.map(|(name, value)| format!("{name}={}", value.to_string().trim_matches('"')));
                let path = if operation == "quote" { "quote" } else { "recipient-fields" };
                person.get(&format!("/v1/{path}?{}", pairs.collect::<Vec<_>>().join("&"))).await
            }
            "createSender" => client.post("/v1/senders", &apply(sender_body(), trigger)).await,
            "updateSender" => {
                let body = json!({ "senderType": "PERSON", "fields": [] });
                client.patch(&format!("/v1/senders/{sender}"), &apply(body, trigger)).await
            }
            "createRecipient" => person.post("/v1/recipients", &apply(recipient_body(CARD), trigger)).await,
            "createRecipientAccount" => {
                let path = format!("/v1/recipients/{}/accounts", destination.recipient);
                person.post(&path, &apply(account_body(CARD, json!([])), trigger)).await
            }
            "transfer" => {
                let caller = if means["name"] == "senderId" { client } else { person };
                let body =
                    caller.transfer_body(destination, means["amount"].as_i64().unwrap_or(10_000)).await;
                caller.post("/v1/transfers", &apply(body, trigger)).await
            }
            "getTransfer" => person.get(&format!("/v1/transfers/{id}")).await,
            operation => {
                assert_eq!(operation, "transferRequest");
                person.get(&format!("/transferrequests/v1/transfer-requests/{id}")).await
            }
        }
    }
}

#[tokio::test]
async fn every_trigger_leads_to_its_code() {
    let sandbox = TestSandbox::new();
    let (client, person) = (sandbox.client().await, sandbox.person().await);
    let destination = person.destination(CARD).await;
    let sender = text(&client.post("/v1/senders", &sender_body()).await.ok(), "senderId");
    let fixture = Fixture { client, person, destination, sender };
    let mut reached = HashSet::new();
    for trigger in sandbox.control_get("triggers").await["triggers"].as_array().unwrap() {
        let code = text(trigger, "code");
        match trigger["means"]["kind"].as_str().unwrap() {
            "rule" => continue,
            "card" => {
                let session = fixture.person.card_session().await;
                let reply = sandbox.enter_card(&session, &text(&trigger["means"], "number")).await;
                assert_eq!(reply["code"], code);
            }
            _ => {
                let reply = fixture.send(trigger).await;
                reply.fails(&code);
                assert_eq!(reply.codes().len(), 1, "{trigger}");
                assert!(reply.headers.contains_key("request-id"));
            }
        }
        reached.insert(code);
    }
    // These need several steps. Other tests of this suite cover them.
    let by_rule = [
        "SenderUndetermined",
        "SenderInvalidTypeOfIdLength",
        "RecipientInvalidTypeOfIdLength",
        "TransferReceiptNotFound",
        "SourceOfFundsRequired",
        "PurposeOfRemittanceRequired",
        "TransferDuplicatedByQuote",
    ];
    for code in ErrorCode::ALL.iter().take(DOCUMENTED_CODES).map(|code| code.name()) {
        assert!(reached.contains(code) != by_rule.contains(&code), "{code}");
    }
    assert!(sandbox.control_get("transfers").await.as_array().unwrap().is_empty());
}

#[test]
fn the_status_of_a_code_follows_its_kind() {
    for code in ErrorCode::ALL.iter().take(DOCUMENTED_CODES) {
        let expected = match code.name() {
            "ErrorGettingQuote" => 500,
            "SourceTransferMethodNotFound" => 400,
            name if name == "CC404" || name.ends_with("NotFound") => 404,
            _ => 400,
        };
        assert_eq!(code.status(), expected, "{}", code.name());
    }
    let others = ErrorCode::ALL.iter().skip(DOCUMENTED_CODES).map(|code| code.status().as_u16());
    assert_eq!(others.collect::<Vec<_>>(), [400, 401, 403, 404, 405, 413, 415, 429, 500, 503]);
}

#[tokio::test]
async fn errors_have_three_shapes() {
    let (_, person) = person().await;
    let list = person.get(&format!("/v1/transfers/{UNKNOWN_ID}")).await;
    assert_eq!(list.json[0]["code"], "TransferNotFound");
    assert!(list.json[0]["message"].is_string());
    let single = person.get(&format!("/v1/card-onboarding-sessions/{UNKNOWN_ID}")).await;
    assert_eq!(single.json["code"], "InvalidCardOnboardingSession");
    let wrapped = person.get(&format!("/transferrequests/v1/transfer-requests/{UNKNOWN_ID}")).await;
    assert_eq!(wrapped.json["errors"][0]["code"], "TransferRequestNotFound");
    assert!(wrapped.json["message"].is_string());
}

#[tokio::test]
async fn malformed_requests_get_errors_that_repeat_nothing() {
    let (sandbox, person) = person().await;
    person.get("/v1/nothing").await.fails("NotFound");
    person.delete("/v1/quote").await.fails("MethodNotAllowed");
    person.get("/v1/quote?amount=%ff").await.fails("NotEmptyValidator");
    let token = format!("Bearer {}", person.token.clone().unwrap());
    let post = async |media_type: &str, body: Vec<u8>| {
        let headers = [("authorization", token.as_str()), ("content-type", media_type)];
        sandbox.send(request("POST", "/v1/recipients", &headers, body)).await
    };
    let json_type = "application/json; charset=utf-8";
    for (body, description) in [("{\"secret\": ", "line 1"), ("", "line 1"), ("[1]", "object")] {
        let reply = post(json_type, body.into()).await;
        reply.fails("BadRequestError");
        let text = text(&reply.json[0], "description");
        assert!(text.contains(description) && !text.contains("secret"));
    }
    post("text/plain", b"{}".to_vec()).await.fails("UnsupportedMediaType");
    post(json_type, vec![b' '; 2 << 20]).await.fails("PayloadTooLarge");
    post(json_type, vec![b'['; 10_000]).await.fails("BadRequestError");
}

#[tokio::test]
async fn browsers_of_any_origin_may_call_the_service_and_read_errors() {
    let (sandbox, mut caller) = person().await;
    let headers = [
        ("origin", "https://shop.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type,traceparent,baggage,x-datadog-origin"),
    ];
    let reply = sandbox.send(request("OPTIONS", "/v1/transfers", &headers, "")).await;
    assert_eq!(reply.status, 200);
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-max-age", "600"),
        ("access-control-allow-headers", "authorization,content-type,traceparent,baggage,x-datadog-origin"),
        ("access-control-allow-methods", "GET,POST,PUT,PATCH,DELETE"),
    ] {
        assert_eq!(reply.headers[name], value);
    }
    caller.token = None;
    let error = caller.get("/v1/corridors").await;
    error.fails("Unauthorized");
    assert_eq!(error.headers["access-control-allow-origin"], "*");
    assert_eq!(error.headers["access-control-expose-headers"], "request-id,retry-after,date");
}

#[tokio::test]
async fn the_message_tells_why_a_sender_was_not_written() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let sender = client.post("/v1/senders", &sender_body()).await.ok();
    let path = format!("/v1/senders/{}", text(&sender, "senderId"));
    let message = |reply: Reply| text(&reply.json[0], "message");
    let body = merged(sender_body(), json!({ "senderGroupId": UNKNOWN_ID }));
    let why = "there is no sender group with this id.";
    let created = message(client.post("/v1/senders", &body).await);
    assert_eq!(created, format!("The sender could not be registered: {why}"));
    let updated = message(client.put(&path, &body).await);
    assert_eq!(updated, format!("The sender's details could not be changed: {why}"));
}

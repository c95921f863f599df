//! The table of triggers, run through: what it promises is what the service answers.

use std::collections::HashSet;

use axum::body::Body;
use axum::http::Request;
use remitkit_sandbox::{DOCUMENTED_CODES, ErrorCode, Means, Operation, TRIGGERS, Trigger};
use serde_json::{Value, json};

use super::bench::{
    Bench, CARD, Caller, Destination, account_body, person, recipient_body, sender_body, set_field, text,
};

/// What the requests are made with.
struct Stage<'a> {
    bench: &'a Bench,
    client: Caller,
    person: Caller,
    destination: Destination,
    sender: String,
}

fn apply(body: &mut Value, means: &Means, code: &str) {
    let or_null = |value: &str| if value.is_empty() { Value::Null } else { json!(value) };
    match *means {
        Means::Amount { amount } => body["amount"] = json!(amount),
        Means::Name => set_field(body, "lastName", json!(code)),
        Means::Property { name, value } => body[name] = or_null(value),
        Means::Field { id, value } => set_field(body, id, or_null(value)),
        Means::Card { .. } | Means::Rule { .. } => unreachable!(),
    }
}

/// Does what a trigger says, and tells the codes of the answer. `None` for rules in words.
async fn pull(stage: &Stage<'_>, trigger: &Trigger) -> Option<Vec<String>> {
    let Stage { bench, client, person, destination, sender } = stage;
    let code = trigger.code.name();
    if let Means::Rule { .. } = trigger.means {
        return None;
    }
    let reply = match trigger.operation {
        Operation::Quote | Operation::RecipientFields => {
            let mut query = json!({
                "dstCountryIso3Code": "MEX",
                "dstCurrencyIso3Code": "MXN",
                "srcCurrencyIso3Code": "USD",
                "transferMethod": "PUSH_TO_CARD",
                "quoteBy": "SEND_AMOUNT",
                "recipientType": "PERSON",
                "amount": "10000",
            });
            apply(&mut query, &trigger.means, code);
            let pairs: Vec<String> = query
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, value)| format!("{name}={}", value.to_string().trim_matches('"')))
                .collect();
            let path = match trigger.operation {
                Operation::Quote => "quote",
                _ => "recipient-fields",
            };
            person.get(&format!("/v1/{path}?{}", pairs.join("&"))).await
        }
        Operation::CreateSender => {
            let mut body = sender_body();
            apply(&mut body, &trigger.means, code);
            client.post("/v1/senders", &body).await
        }
        Operation::UpdateSender => {
            let mut body = json!({ "senderType": "PERSON", "fields": [] });
            apply(&mut body, &trigger.means, code);
            client.call("PATCH", &format!("/v1/senders/{sender}"), Some(&body)).await
        }
        Operation::CreateRecipient => {
            let mut body = recipient_body(CARD);
            apply(&mut body, &trigger.means, code);
            person.post("/v1/recipients", &body).await
        }
        Operation::CreateRecipientAccount => {
            let mut body = account_body(CARD, json!([]));
            apply(&mut body, &trigger.means, code);
            let path = format!("/v1/recipients/{}/accounts", destination.recipient);
            person.post(&path, &body).await
        }
        Operation::Transfer => {
            let amount = match trigger.means {
                Means::Amount { amount } => amount,
                _ => 10_000,
            };
            let names_sender = matches!(trigger.means, Means::Property { name: "senderId", .. });
            let caller = if names_sender { client } else { person };
            let mut body = caller.transfer_body(destination, amount).await;
            apply(&mut body, &trigger.means, code);
            caller.post("/v1/transfers", &body).await
        }
        Operation::GetTransfer | Operation::TransferReceipt | Operation::TransferRequest => {
            let Means::Property { value, .. } = trigger.means else { unreachable!() };
            let path = match trigger.operation {
                Operation::GetTransfer => format!("/v1/transfers/{value}"),
                Operation::TransferReceipt => format!("/v1/transfers/{value}/receipt"),
                _ => format!("/transferrequests/v1/transfer-requests/{value}"),
            };
            person.get(&path).await
        }
        Operation::CardForm => {
            let Means::Card { number } = trigger.means else { unreachable!() };
            let body = json!({ "entityMode": "RECIPIENT" });
            let session = person.post("/v1/card-onboarding-sessions", &body).await.ok();
            let reply = bench.enter_card(&text(&session, "id"), number).await;
            return Some(vec![text(&reply, "code")]);
        }
    };
    assert!(reply.headers.contains_key("request-id"));
    assert_eq!(reply.status, trigger.code.status(), "{code}");
    Some(reply.codes().into_iter().map(str::to_owned).collect())
}

#[tokio::test]
async fn every_trigger_pulls() {
    let bench = Bench::new();
    let (client, person) = (bench.client().await, bench.person().await);
    let destination = person.destination(CARD).await;
    let sender = text(&client.post("/v1/senders", &sender_body()).await.ok(), "senderId");
    let stage = Stage { bench: &bench, client, person, destination, sender };
    let mut reached = HashSet::new();
    for trigger in TRIGGERS {
        let Some(codes) = pull(&stage, trigger).await else { continue };
        assert_eq!(codes, [trigger.code.name()], "{trigger:?}");
        reached.insert(trigger.code);
    }
    // These arise from more than one step; the other tests of this suite take them.
    let by_rule = [
        ErrorCode::SenderUndetermined,
        ErrorCode::SenderInvalidTypeOfIdLength,
        ErrorCode::RecipientInvalidTypeOfIdLength,
        ErrorCode::TransferReceiptNotFound,
        ErrorCode::SourceOfFundsRequired,
        ErrorCode::PurposeOfRemittanceRequired,
        ErrorCode::TransferDuplicatedByQuote,
    ];
    for code in ErrorCode::ALL.iter().take(DOCUMENTED_CODES) {
        assert!(reached.contains(code) != by_rule.contains(code), "{}", code.name());
    }
    assert!(bench.look("transfers").await.as_array().unwrap().is_empty());
}

#[tokio::test]
async fn the_table_is_served() {
    let bench = Bench::new();
    let served = bench.look("triggers").await;
    assert_eq!(served["triggers"].as_array().unwrap().len(), TRIGGERS.len());
    let first = &served["triggers"][1];
    assert_eq!(
        first,
        &json!({
            "code": "SenderNotFound",
            "operation": "transfer",
            "means": {
                "kind": "property",
                "name": "senderId",
                "value": "00000000-0000-4000-8000-000000000000",
            },
        })
    );
}

#[tokio::test]
async fn errors_have_their_three_shapes() {
    let (_, person) = person().await;
    let nobody = "00000000-0000-4000-8000-000000000000";
    let list = person.get(&format!("/v1/transfers/{nobody}")).await;
    assert_eq!(list.json[0]["code"], "TransferNotFound");
    assert!(list.json[0]["message"].is_string());
    let single = person.get(&format!("/v1/card-onboarding-sessions/{nobody}")).await;
    assert_eq!(single.json["code"], "InvalidCardOnboardingSession");
    let path = format!("/transferrequests/v1/transfer-requests/{nobody}");
    let wrapped = person.get(&path).await;
    assert_eq!(wrapped.json["errors"][0]["code"], "TransferRequestNotFound");
    assert!(wrapped.json["message"].is_string());
}

#[tokio::test]
async fn what_is_no_request_is_refused_in_the_same_way() {
    let (bench, person) = person().await;
    person.get("/v1/nothing").await.fails(404, "NotFound");
    person.call("DELETE", "/v1/quote", None).await.fails(405, "MethodNotAllowed");
    let token = person.token.clone().unwrap();
    let post = |kind: &str, body: Body| {
        Request::post("/v1/recipients")
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", kind)
            .body(body)
            .unwrap()
    };
    let json_type = "application/json; charset=utf-8";
    for (body, position) in [("{\"secret\": ", "line 1"), ("", "line 1"), ("[1]", "object")] {
        let reply = bench.send(post(json_type, Body::from(body))).await;
        reply.fails(400, "BadRequestError");
        let description = reply.json[0]["description"].as_str().unwrap();
        assert!(description.contains(position) && !description.contains("secret"));
    }
    bench.send(post("text/plain", Body::from("{}"))).await.fails(415, "UnsupportedMediaType");
    let large = Body::from(vec![b' '; 2 << 20]);
    bench.send(post(json_type, large)).await.fails(413, "PayloadTooLarge");
    let deep = Body::from("[".repeat(10_000));
    bench.send(post(json_type, deep)).await.fails(400, "BadRequestError");
    person.get("/v1/quote?amount=%ff").await;
}

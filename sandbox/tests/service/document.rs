//! The OpenAPI document: it is served and enforced, and rare parameters and values exist. Also the table of
//! interpretations.

use remitkit_sandbox::Config;
use serde_json::{Value, json};

use super::harness::*;

#[tokio::test]
async fn the_card_form_accepts_all_theme_parameters() {
    let (sandbox, caller) = person().await;
    let id = caller.card_session().await;
    let plain = sandbox.card_get(&format!("/v2/add-card/{id}")).await;
    let document = sandbox.control_get("openapi.json").await;
    let parameters = document["paths"]["/v2/add-card/{sessionId}"]["get"]["parameters"].as_array().unwrap();
    let names = parameters.iter().filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap());
    let names = names.filter(|name| !["buttonTextCase", "lng"].contains(name));
    let theme: Vec<String> = names.map(|name| format!("{name}=1")).collect();
    assert_eq!(theme.len(), 22);
    for (case, language) in [("UPPER", "en"), ("lower", "es-MX"), ("Capitalize", "en"), ("Default", "es-MX")]
    {
        let theme = format!("{}&buttonTextCase={case}&lng={language}", theme.join("&"));
        let page = sandbox.card_get(&format!("/v2/add-card/{id}?{theme}")).await;
        assert_eq!((page.status.as_u16(), &page.bytes), (200, &plain.bytes));
    }
}

#[tokio::test]
async fn the_documents_name_the_address_that_serves_them() {
    let sandbox = TestSandbox::with(Config { hosts: vec!["sandbox".into()], ..config() });
    let servers = remitkit_sandbox::Servers::bind(sandbox.sandbox.clone(), 0, 0).await.unwrap();
    let port = servers.card_url().rsplit_once(':').unwrap().1.to_owned();
    for path in ["openapi.json", "control.json"] {
        let get = request("GET", &format!("/sandbox/{path}"), &[("host", "sandbox:14100")], "");
        let document = sandbox.send(get).await.ok();
        assert_eq!(document["servers"][0]["url"], "http://sandbox:14100");
        if path == "openapi.json" {
            let form = &document["paths"]["/v2/add-card/{sessionId}"];
            assert_eq!(form["servers"][0]["url"], format!("http://sandbox:{port}"));
            let event = &document["webhooks"]["transferStatus"]["post"];
            assert_eq!(event["security"], json!([{ "webhookKey": [] }]));
        }
    }
}

/// Follows the references of a schema into its document.
fn with_components(document: &Value, schema: &Value) -> jsonschema::Validator {
    let schema = json!({ "allOf": [schema], "components": document["components"] });
    jsonschema::validator_for(&schema).unwrap()
}

#[tokio::test]
async fn the_control_document_has_every_control_endpoint_and_its_replies() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let made = caller.transfer(&destination, 300_000).await.ok();
    let (id, sender) = (text(&made, "transferId"), sandbox.sandbox.sender_id());
    let document = sandbox.control_get("control.json").await;
    let snapshot = text(&sandbox.control("snapshots", json!({})).await, "snapshotId");
    let requests = [
        ("releaseTransfer", json!({})),
        ("failTransfer", json!({ "reason": "R", "afterSeconds": 1 })),
        ("changeClock", json!({ "advanceSeconds": 1 })),
        ("reset", json!({})),
        ("takeSnapshot", json!({})),
        ("restoreSnapshot", json!({})),
        ("addFaults", json!({ "kind": "drop", "path": "/v1/transfers" })),
        ("moveRate", json!({ "currencyIso3Code": "MXN", "millionths": 1 })),
        ("moveFee", json!({ "transferMethod": "BANK_ACCOUNT", "cents": 1 })),
        ("setLifetimes", json!({ "quoteSeconds": 5 })),
        ("setLimits", json!({ "senderId": sender, "limits": { "send24Hours": 10_000 } })),
        ("setBalance", json!({ "cents": 5 })),
        ("setNextCardSession", json!({ "behaviour": "silent" })),
        ("deliverWebhook", json!({ "transferId": id, "url": "http://127.0.0.1:1", "key": "k" })),
        ("addCorridors", json!({ "patterns": { "ZIP": "^[0-9]{5}$" } })),
        ("addCard", json!({ "number": "4242424242424242", "result": "expired" })),
        ("setLabel", json!({ "test": "t" })),
        ("recordEvent", json!({ "event": "CARD_VALIDATION_START" })),
    ];
    let mut bodies: std::collections::HashMap<&str, Value> = requests.into_iter().collect();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let path = path.replace("{transferId}", &id).replace("{snapshotId}", &snapshot);
            let body = bodies.remove(operation["operationId"].as_str().unwrap());
            assert_eq!(body.is_some(), method == "post", "{path}");
            if let (Some(body), Some(schema)) =
                (&body, operation.pointer("/requestBody/content/application~1json/schema"))
            {
                assert!(with_components(&document, schema).is_valid(body), "{path} {body}");
            }
            let reply = sandbox.anonymous().call(&method.to_uppercase(), &path, body.as_ref()).await;
            assert!(reply.status.is_success(), "{method} {path}: {}", reply.json);
            let expected = &operation["responses"][reply.status.as_str()];
            assert!(expected.is_object(), "{method} {path}: {}", reply.status);
            if let Some(schema) = expected.pointer("/content/application~1json/schema") {
                let validator = with_components(&document, schema);
                let problem = validator.iter_errors(&reply.json).next().map(|error| error.to_string());
                assert_eq!(problem, None, "{method} {path}");
            }
        }
    }
    assert!(bodies.is_empty(), "{bodies:?}");
}

#[tokio::test]
async fn every_documented_operation_exists_and_needs_a_token() {
    let sandbox = TestSandbox::new();
    let document = sandbox.control_get("openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().unwrap() {
        let plain = path.replace(['{', '}'], "");
        for method in ["get", "post", "put", "patch", "delete"] {
            if item.get(method).is_none() || item.get("servers").is_some() {
                continue;
            }
            let reply = sandbox.anonymous().call(&method.to_uppercase(), &plain, None).await;
            if path == "/v1/oauth/token" {
                assert_eq!(reply.json["error"], "invalid_request");
                continue;
            }
            reply.fails("Unauthorized");
            assert_eq!(reply.headers["www-authenticate"], "Bearer", "{method} {path}");
        }
    }
}

#[tokio::test]
async fn a_client_level_caller_names_the_sender_in_each_operation() {
    let sandbox = TestSandbox::new();
    let client = sandbox.client().await;
    let sender = text(&client.post("/v1/senders", &sender_body()).await.ok(), "senderId");
    let named = format!("senderId={sender}");
    let body = merged(recipient_body(BANK), json!({ "senderId": sender }));
    let recipient = text(&client.post("/v1/recipients", &body).await.ok(), "recipientId");
    let path = format!("/v1/recipients/{recipient}");
    assert_eq!(client.get(&format!("{path}?{named}")).await.ok()["senderId"], sender);
    assert_eq!(client.put(&path, &body).await.ok()["recipientId"], recipient);
    let list = client.get(&format!("/v1/recipients?{named}")).await.ok();
    assert_eq!(list["recipients"].as_array().unwrap().len(), 1);

    let number = json!({ "senderId": sender, "accountNumber": "012345678901234567" });
    let account = merged(account_body(BANK, fields(json!({ "BANK_ID": "MEX-B-1" }))), number);
    let accounts = format!("{path}/accounts");
    let created = client.post(&accounts, &account).await.ok();
    assert_eq!(created["accountNumber"], "**************4567");
    let id = text(&created, "recipientAccountId");
    let replaced = client.put(&format!("{accounts}/{id}"), &account).await.ok();
    assert_eq!(replaced["recipientAccountId"], id);

    let quote = client.quote_by(BANK, "SEND_AMOUNT", "10000", &format!("&{named}")).await.ok();
    assert_eq!(quote["senderId"], sender);
    let body = json!({ "entityMode": "RECIPIENT", "senderId": sender });
    assert_eq!(client.post("/v1/card-onboarding-sessions", &body).await.ok()["status"], "INCOMPLETE");

    let destination = Destination { to: BANK, recipient, account: Some(id) };
    let transfer = destination.transfer(10_000, &text(&quote, "quoteHistoryId"));
    client.post("/v1/transfers", &transfer).await.fails("SenderUndetermined");
    let members = json!({ "senderId": sender, "sourceTransferMethod": "PREFUNDING" });
    client.post("/v1/transfers", &merged(transfer, members)).await.ok();
    let list = client.get(&format!("/v1/transfers?{named}&limit=1&offset=0")).await.ok();
    assert_eq!(list["totalCount"], 1);
    client.delete(&format!("{path}?{named}")).await.ok();
    client.get(&format!("{path}?{named}")).await.fails("RecipientNotFound");
}

#[tokio::test]
async fn identification_types_and_wallets_exist() {
    let (sandbox, caller) = person().await;
    let client = sandbox.client().await;
    for (kind, number) in [("PASSPORT", "X1234567"), ("DRIVERS_LICENSE", "D1234567"), ("GID", "G1234567")] {
        let body = with_fields(
            sender_body(),
            json!({
                "ID_TYPE": kind, "ID_NUMBER": number, "ID_EXPIRATION_DATE": "2044-12-31",
                "ID_ISSUING_COUNTRY": "USA",
            }),
        );
        let fields = client.post("/v1/senders", &body).await.ok()["fields"].clone();
        assert!(fields.as_array().unwrap().iter().any(|field| field["value"] == kind), "{fields}");
    }
    let wallet = ("KEN", "KES", "MOBILE_WALLET");
    let number = phone("712345678", "KEN", "254");
    let values = fields(json!({ "MOBILE_WALLET_PROVIDER": "KENW1", "PHONE_NUMBER": number }));
    let path = format!("/v1/recipients/{}/accounts", caller.recipient(wallet).await);
    let created = caller.post(&path, &account_body(wallet, values.clone())).await.ok();
    assert_eq!(created["fields"][1]["value"], number);
    let path = format!("{path}/{}", text(&created, "recipientAccountId"));
    assert_eq!(caller.put(&path, &account_body(wallet, values)).await.ok()["fields"], created["fields"]);
}

#[tokio::test]
async fn violations_are_reported_without_values() {
    let sandbox = TestSandbox::with(Config { label: Some("a test".into()), ..config() });
    sandbox.allow_violations();
    let caller = sandbox.person().await;
    caller.get("/v1/corridors?dstCurrencyIso3Code=MXN").await.ok();
    caller.get("/v1/corridors?secret4711=5105105105105100&transferMethod=PUSH_TO_CARD").await.ok();
    let summary = sandbox.control_get("contract").await;
    assert_eq!(summary["total"], 1);
    let rule = "has members that are not in the document: secret4711";
    assert_eq!(
        summary["violations"][0],
        json!({
            "operation": "corridors", "status": 200, "at": "query", "rule": rule, "test": "a test",
        })
    );
    assert!(!summary.to_string().contains("5105105105105100"));
    assert!(summary["checked"].as_u64().unwrap() >= 3);
    // A rejected request is not validated.
    caller.get("/v1/quote?nonsense=1").await.fails("NotEmptyValidator");
    assert_eq!(sandbox.control_get("contract").await["total"], Value::from(1));
}

#[test]
fn every_interpretation_names_an_existing_place() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder.join("INTERPRETATIONS.md")).unwrap();
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 25, "{}", rows.len());
    for row in rows {
        let place = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let mut names = place.split('`').skip(1).step_by(2);
        let file = names.next().unwrap();
        let text = std::fs::read_to_string(folder.join("src").join(file)).expect(file);
        for name in names {
            assert!(text.contains(name), "{file} has no {name}: {row}");
        }
    }
}

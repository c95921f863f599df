//! What of the interface no other test of this suite has a reason to say: rare parameters and values, and
//! the check against the document itself.

use std::sync::Arc;

use remitkit_sandbox::{Config, ErrorCode};
use serde_json::{Value, json};

use super::bench::{
    BANK, Bench, CARD, CASH, Caller, account_body, config, person, recipient_body, sender_body, set_field,
    stage, text,
};

#[tokio::test]
async fn the_card_form_takes_every_parameter_of_its_theme() {
    let (bench, caller) = person().await;
    let body = json!({ "entityMode": "RECIPIENT" });
    let id = text(&caller.post("/v1/card-onboarding-sessions", &body).await.ok(), "id");
    let plain = bench.card_get(&format!("/v2/add-card/{id}")).await;
    let document = bench.look("openapi.json").await;
    let parameters = document["paths"]["/v2/add-card/{sessionId}"]["get"]["parameters"].as_array().unwrap();
    let names = parameters.iter().filter(|one| one["in"] == "query").map(|one| one["name"].as_str().unwrap());
    let names = names.filter(|name| !["buttonTextCase", "lng"].contains(name));
    let theme: Vec<String> = names.map(|name| format!("{name}=1")).collect();
    assert_eq!(theme.len(), 22);
    for (case, language) in [("UPPER", "en"), ("lower", "es-MX"), ("Capitalize", "en"), ("Default", "es-MX")]
    {
        let theme = format!("{}&buttonTextCase={case}&lng={language}", theme.join("&"));
        let page = bench.card_get(&format!("/v2/add-card/{id}?{theme}")).await;
        assert_eq!((page.status, &page.bytes), (plain.status, &plain.bytes));
        assert_eq!(page.status, 200);
    }
}

#[tokio::test]
async fn all_that_the_document_describes_is_served_to_who_has_a_token() {
    let bench = Bench::new();
    let document = bench.look("openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().unwrap() {
        let plain = path.replace(['{', '}'], "");
        for method in ["get", "post", "put", "patch", "delete"] {
            if item.get(method).is_none() || item.get("servers").is_some() {
                continue;
            }
            let reply = bench.nobody().call(&method.to_uppercase(), &plain, None).await;
            if path == "/v1/oauth/token" {
                assert_eq!(reply.json["error"], "invalid_request");
                continue;
            }
            reply.fails(401, "Unauthorized");
            assert_eq!(reply.headers["www-authenticate"], "Bearer", "{method} {path}");
        }
    }
}

/// A client-level caller, a sender of it, and the query that names that sender.
async fn client_and_sender(bench: &Arc<Bench>) -> (Caller, String, String) {
    let client = bench.client().await;
    let sender = text(&client.post("/v1/senders", &sender_body()).await.ok(), "senderId");
    let query = format!("senderId={sender}");
    (client, sender, query)
}

#[tokio::test]
async fn a_client_names_the_sender_wherever_one_is_needed() {
    let bench = Bench::new();
    let (client, sender, named) = client_and_sender(&bench).await;
    let mut body = recipient_body(BANK);
    body["senderId"] = json!(sender);
    let recipient = text(&client.post("/v1/recipients", &body).await.ok(), "recipientId");
    let path = format!("/v1/recipients/{recipient}");
    assert_eq!(client.get(&format!("{path}?{named}")).await.ok()["senderId"], sender);
    assert_eq!(client.call("PUT", &path, Some(&body)).await.ok()["recipientId"], recipient);
    let list = client.get(&format!("/v1/recipients?{named}")).await.ok();
    assert_eq!(list["recipients"].as_array().unwrap().len(), 1);

    let bank = json!([{ "id": "BANK_ID", "value": "MEX-B-1" }]);
    let mut account = account_body(BANK, bank);
    account["senderId"] = json!(sender);
    account["accountNumber"] = json!("012345678901234567");
    let accounts = format!("{path}/accounts");
    let made = client.post(&accounts, &account).await.ok();
    assert_eq!(made["accountNumber"], "**************4567");
    let id = text(&made, "recipientAccountId");
    let replaced = client.call("PUT", &format!("{accounts}/{id}"), Some(&account)).await.ok();
    assert_eq!(replaced["recipientAccountId"], id);

    let quote = client.quote_reply(BANK, "SEND_AMOUNT", "10000", &format!("&{named}")).await.ok();
    assert_eq!(quote["senderId"], sender);
    assert_eq!(client.get(&format!("/v1/sender-id?{named}")).await.ok()["senderId"], sender);
    let body = json!({ "entityMode": "RECIPIENT", "senderId": sender });
    assert_eq!(client.post("/v1/card-onboarding-sessions", &body).await.ok()["status"], "INCOMPLETE");

    let mut transfer = json!({
        "dstCountryIso3Code": "MEX", "dstCurrencyIso3Code": "MXN", "srcCurrencyIso3Code": "USD",
        "transferMethod": "BANK_ACCOUNT", "quoteBy": "SEND_AMOUNT", "amount": 10_000,
        "quoteHistoryId": quote["quoteHistoryId"], "recipientId": recipient, "recipientAccountId": id,
        "sourceTransferMethod": "PREFUNDING",
    });
    client.post("/v1/transfers", &transfer).await.fails(400, "SenderUndetermined");
    transfer["senderId"] = json!(sender);
    client.post("/v1/transfers", &transfer).await.ok();
    let list = client.get(&format!("/v1/transfers?{named}&limit=1&offset=0")).await.ok();
    assert_eq!(list["totalCount"], 1);
    client.call("DELETE", &format!("{path}?{named}"), None).await.ok();
    client.get(&format!("{path}?{named}")).await.fails(404, "RecipientNotFound");
}

#[tokio::test]
async fn a_sender_changes_its_group_and_has_each_kind_of_identification() {
    let bench = Bench::new();
    let (client, sender, _) = client_and_sender(&bench).await;
    let path = format!("/v1/senders/{sender}");
    let group = client.get(&path).await.ok()["senderGroupId"].clone();
    let other = json!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002");
    let body = json!({ "senderType": "PERSON", "fields": [], "senderGroupId": other });
    assert_eq!(client.call("PATCH", &path, Some(&body)).await.ok()["senderGroupId"], other);
    // Absent, null and empty all leave it as it is.
    for nothing in [Value::Null, json!("")] {
        let body = json!({ "senderType": "PERSON", "fields": [], "senderGroupId": nothing });
        assert_eq!(client.call("PATCH", &path, Some(&body)).await.ok()["senderGroupId"], other);
    }
    let mut body = sender_body();
    body["senderGroupId"] = group.clone();
    assert_eq!(client.call("PUT", &path, Some(&body)).await.ok()["senderGroupId"], group);
    set_field(&mut body, "ID_EXPIRATION_DATE", json!("2044-12-31"));
    set_field(&mut body, "ID_ISSUING_COUNTRY", json!("USA"));
    for (kind, number) in [("PASSPORT", "X1234567"), ("DRIVERS_LICENSE", "D1234567"), ("GID", "G1234567")] {
        set_field(&mut body, "ID_TYPE", json!(kind));
        set_field(&mut body, "ID_NUMBER", json!(number));
        let fields = client.call("PUT", &path, Some(&body)).await.ok()["fields"].clone();
        assert!(fields.as_array().unwrap().iter().any(|field| field["value"] == kind), "{fields}");
    }
}

#[tokio::test]
async fn the_order_behind_a_transfer_follows_it_to_each_of_its_ends() {
    let (bench, caller, destination) = stage(CASH).await;
    let state = async |transfer: &Value| {
        let id = text(transfer, "transferRequestId");
        let order = caller.get(&format!("/transferrequests/v1/transfer-requests/{id}")).await.ok();
        order["status"]["id"].as_str().unwrap().to_owned()
    };
    for reason in ["SUSPECTED_FRAUD", "CONFIRMED_FRAUD", "EVALUATION_EXPIRED", "CUSTOMER_REQUEST"] {
        let mut body = caller.transfer_body(&destination, 2_000).await;
        body["customerHold"] = json!(true);
        let transfer = caller.post("/v1/transfers", &body).await.ok();
        assert_eq!(state(&transfer).await, "CREATED");
        let path = format!("/v1/transfers/{}/customer-hold/cancel", text(&transfer, "transferId"));
        assert_eq!(caller.post(&path, &json!({ "reason": reason })).await.status, 202);
        assert_eq!(state(&transfer).await, "CANCELED");
    }
    // The amount that fails is more than is paid out in cash, and so large that the system holds it.
    let destination = caller.destination(CARD).await;
    let amount = remitkit_sandbox::FAILING_TRANSFER_AMOUNT;
    let transfer = caller.transfer(&destination, amount).await.ok();
    bench.steer(&format!("transfers/{}/release", text(&transfer, "transferId")), json!({})).await;
    bench.advance(60).await;
    assert_eq!(state(&transfer).await, "FAILED_TO_PROCESS");
}

#[tokio::test]
async fn a_wallet_is_found_by_its_phone_number() {
    let (_, caller) = person().await;
    let wallet = ("KEN", "KES", "MOBILE_WALLET");
    let recipient = caller.recipient(wallet).await;
    let phone = json!({ "number": "712345678", "countryIso3Code": "KEN", "countryPhoneCode": "254" });
    let fields = json!([
        { "id": "MOBILE_WALLET_PROVIDER", "value": "KENW1" },
        { "id": "PHONE_NUMBER", "value": phone },
    ]);
    let path = format!("/v1/recipients/{recipient}/accounts");
    let made = caller.post(&path, &account_body(wallet, fields.clone())).await.ok();
    assert_eq!(made["fields"][1]["value"], phone);
    let path = format!("{path}/{}", text(&made, "recipientAccountId"));
    let replaced = caller.call("PUT", &path, Some(&account_body(wallet, fields))).await.ok();
    assert_eq!(replaced["fields"], made["fields"]);
}

#[tokio::test]
async fn an_exchange_that_strays_is_told_without_its_values() {
    let bench = Bench::with(Config { label: Some("one that strays".into()), ..config() });
    bench.strays();
    let caller = bench.person().await;
    caller.get("/v1/corridors?dstCurrencyIso3Code=MXN").await.ok();
    caller.get("/v1/corridors?secret4711=5105105105105100&transferMethod=PUSH_TO_CARD").await.ok();
    let told = bench.look("contract").await;
    assert_eq!(told["total"], 1);
    assert_eq!(
        told["violations"][0],
        json!({
            "operation": "corridors",
            "status": 200,
            "at": "query",
            "rule": "has members that are not in the document: secret4711",
            "test": "one that strays",
        })
    );
    assert!(!told.to_string().contains("5105105105105100"));
    assert!(told["checked"].as_u64().unwrap() >= 3);
    // What the service refuses may be as wrong as it likes.
    caller.get("/v1/quote?nonsense=1").await.fails(400, ErrorCode::NotEmptyValidator.name());
    assert_eq!(bench.look("contract").await["total"], 1);
}

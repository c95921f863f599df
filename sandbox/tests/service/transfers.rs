//! Transfers: made once, held and released, followed to their end.

use serde_json::{Value, json};

use super::bench::{
    BANK, Bench, CARD, CASH, Destination, account_body, person, recipient_body, set_field, stage, text,
};

#[tokio::test]
async fn a_transfer_to_a_card_is_recorded() {
    let (bench, caller, destination) = stage(CARD).await;
    let body = caller.transfer_body(&destination, 10_000).await;
    let reply = caller.post("/v1/transfers", &body).await;
    assert_eq!(reply.status, 200);
    let transfer = reply.json;
    assert_eq!(transfer["status"], "Initiated");
    assert_eq!(transfer["quote"]["quoteHistoryId"], body["quoteHistoryId"]);
    assert_eq!(transfer["quote"]["totalCost"]["value"], 10_374);
    assert_eq!(transfer["recipientDetails"]["recipientId"], json!(destination.recipient));
    assert_eq!(transfer["senderDetails"]["senderId"], json!(bench.sandbox.sender_id()));
    assert!(transfer["confirmationNumber"].is_string());
    assert!(transfer["disclaimers"].is_array() && transfer["customer"]["name"].is_string());
    let id = text(&transfer, "transferId");
    assert_eq!(caller.get(&format!("/v1/transfers/{id}")).await.ok(), transfer);
    let recorded = bench.look("transfers").await;
    assert_eq!(recorded.as_array().unwrap().len(), 1);
    assert_eq!(recorded[0]["transferId"], json!(id));
    assert_eq!(recorded[0]["quoteHistoryId"], body["quoteHistoryId"]);
    assert_eq!(recorded[0]["sendAmount"]["value"], 10_000);
}

#[tokio::test]
async fn every_method_can_be_used() {
    let (_, caller) = person().await;
    for to in [CARD, BANK, CASH] {
        let destination = caller.destination(to).await;
        let transfer = caller.transfer(&destination, 2_000).await.ok();
        assert_eq!(transfer["quote"]["transferMethod"], to.2);
        // A bank's confirmation is a number, and one that a double can't hold.
        if to == BANK {
            assert!(transfer["confirmationNumber"].as_u64().unwrap() > 1 << 53);
        }
    }
}

#[tokio::test]
async fn a_quote_makes_one_transfer_and_a_nonce_too() {
    let (bench, caller, destination) = stage(CARD).await;
    let body = caller.transfer_body(&destination, 10_000).await;
    caller.post("/v1/transfers", &body).await.ok();
    caller.post("/v1/transfers", &body).await.fails(400, "TransferDuplicatedByQuote");
    let mut other_nonce = body.clone();
    other_nonce["nonce"] = caller.nonce().await;
    caller.post("/v1/transfers", &other_nonce).await.fails(400, "TransferDuplicatedByQuote");
    let mut other_quote = caller.transfer_body(&destination, 10_000).await;
    other_quote["nonce"] = body["nonce"].clone();
    caller.post("/v1/transfers", &other_quote).await.fails(400, "NonceAlreadyUsed");
    other_quote["nonce"] = Value::Null;
    caller.post("/v1/transfers", &other_quote).await.ok();
    assert_eq!(bench.look("transfers").await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_nonce_is_used_up_only_by_a_transfer() {
    let (bench, caller, destination) = stage(CARD).await;
    let mut body = caller.transfer_body(&destination, 10_000).await;
    let right = body["recipientId"].clone();
    body["recipientId"] = json!("00000000-0000-4000-8000-000000000000");
    caller.post("/v1/transfers", &body).await.fails(404, "RecipientNotFound");
    body["recipientId"] = right;
    caller.post("/v1/transfers", &body).await.ok();

    let foreign = bench.foreign().await.nonce().await;
    for wrong in [json!("4711"), json!("7d9c1a52-6f0e-4b6b-8d0e-2d5a1c7be001"), foreign] {
        let mut body = caller.transfer_body(&destination, 10_000).await;
        body["nonce"] = wrong;
        caller.post("/v1/transfers", &body).await.fails(400, "BadRequestError");
    }
}

#[tokio::test]
async fn the_body_is_what_the_quote_was_made_for() {
    let (_, caller, destination) = stage(CARD).await;
    for (name, value) in [
        ("amount", json!(10_001)),
        ("quoteBy", json!("RECEIVE_AMOUNT")),
        ("srcCurrencyIso3Code", json!("EUR")),
        ("dstCurrencyIso3Code", json!("USD")),
        ("transferMethod", json!("BANK_ACCOUNT")),
    ] {
        let mut body = caller.transfer_body(&destination, 10_000).await;
        body[name] = value;
        let reply = caller.post("/v1/transfers", &body).await;
        assert_eq!(reply.problems(), [(name, "BusinessOrDataValidationError")]);
    }
    // A quote for one card is not good for another.
    let other = caller.account(&destination.recipient, CARD).await;
    let more = format!("&recipientAccountId={other}");
    let quote = caller.quote_reply(CARD, "SEND_AMOUNT", "10000", &more).await.ok();
    let body = destination.transfer(10_000, &text(&quote, "quoteHistoryId"));
    caller.post("/v1/transfers", &body).await.fails(400, "BusinessOrDataValidationError");
}

#[tokio::test]
async fn a_malformed_body_is_refused_with_all_its_problems() {
    let (_, caller) = person().await;
    let reply = caller.post("/v1/transfers", &json!({})).await;
    assert_eq!(reply.problems().len(), 8);
    assert!(reply.problems().contains(&("quoteHistoryId", "NoQuoteHistoryIdProvided")));
    assert!(reply.problems().contains(&("recipientId", "NotEmptyValidator")));
    let destination = caller.destination(CARD).await;
    let good = caller.transfer_body(&destination, 10_000).await;
    for (name, value, code) in [
        ("amount", json!(-1), "InvalidAmount"),
        ("amount", json!(1.5), "InvalidAmount"),
        ("amount", json!("10000"), "InvalidAmount"),
        ("amount", json!(18_446_744_073_709_551_615_u64), "InvalidAmount"),
        ("dstCountryIso3Code", json!("mex"), "UnsupportedCountry"),
        ("dstCountryIso3Code", json!(7), "BadRequestError"),
        ("customerHold", json!("yes"), "BadRequestError"),
        ("quoteHistoryId", json!("4711"), "BadRequestError"),
        ("recipientId", json!("4711"), "InvalidRecipientId"),
        ("recipientAccountId", json!("4711"), "InvalidRecipientAccountId"),
        ("recipientAccountId", Value::Null, "NotEmptyValidator"),
        ("fields", json!("none"), "BadRequestError"),
        ("fields", json!([{ "value": 1 }]), "BadRequestError"),
        ("transferMethod", json!("ACCOUNT_FUNDING"), "NoCorridorFoundForSpecificValues"),
    ] {
        let mut body = good.clone();
        body[name] = value.clone();
        let reply = caller.post("/v1/transfers", &body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (400, code), "{name} {value}");
    }
    caller.post("/v1/transfers", &good).await.ok();
}

#[tokio::test]
async fn others_see_nothing_of_a_transfer_nor_of_what_it_needs() {
    let (bench, caller, destination) = stage(CARD).await;
    let body = caller.transfer_body(&destination, 10_000).await;
    let business = bench.sender(&bench.known("business").await).await;
    business.post("/v1/transfers", &body).await.fails(404, "QuoteHistoryNotFound");
    let mut theirs = body.clone();
    theirs["quoteHistoryId"] = business.quote(CARD, 10_000).await["quoteHistoryId"].clone();
    business.post("/v1/transfers", &theirs).await.fails(404, "RecipientNotFound");

    let transfer = caller.post("/v1/transfers", &body).await.ok();
    let id = text(&transfer, "transferId");
    for other in [&business, &bench.foreign().await] {
        for (path, code) in [
            ("", "TransferNotFound"),
            ("/statuses", "TransferNotFound"),
            ("/receipt", "TransferReceiptNotFound"),
        ] {
            other.get(&format!("/v1/transfers/{id}{path}")).await.fails(404, code);
        }
        let release = format!("/v1/transfers/{id}/customer-hold/release");
        other.post(&release, &json!({})).await.fails(404, "TransferNotFound");
        let progress = format!("/v1/transfers/progress/{}", text(&body, "quoteHistoryId"));
        other.get(&progress).await.fails(400, "QuoteHistoryNotFound");
        let request = text(&transfer, "transferRequestId");
        let path = format!("/transferrequests/v1/transfer-requests/{request}");
        other.get(&path).await.fails(404, "TransferRequestNotFound");
    }
}

#[tokio::test]
async fn a_client_level_token_names_the_sender_in_the_body() {
    let (bench, _, destination) = stage(CARD).await;
    let client = bench.client().await;
    let mut body = client.transfer_body(&destination, 10_000).await;
    client.post("/v1/transfers", &body).await.fails(400, "SenderUndetermined");
    body["senderId"] = json!("00000000-0000-4000-8000-000000000000");
    client.post("/v1/transfers", &body).await.fails(404, "SenderNotFound");
    body["senderId"] = json!(bench.sandbox.sender_id());
    client.post("/v1/transfers", &body).await.ok();
}

#[tokio::test]
async fn a_transfer_goes_on_with_the_clock() {
    let (bench, caller, destination) = stage(CARD).await;
    let transfer = caller.transfer(&destination, 10_000).await.ok();
    let id = text(&transfer, "transferId");
    let request = text(&transfer, "transferRequestId");
    let look = || async {
        let statuses = caller.get(&format!("/v1/transfers/{id}/statuses")).await.ok();
        let names: Vec<String> =
            statuses["statuses"].as_array().unwrap().iter().map(|s| text(s, "status")).collect();
        let path = format!("/transferrequests/v1/transfer-requests/{request}");
        let request = caller.get(&path).await.ok();
        (names.join(" "), text(&request["status"], "id"))
    };
    assert_eq!(look().await, ("Initiated".into(), "CREATED".into()));
    bench.advance(5).await;
    assert_eq!(look().await, ("Initiated Pending".into(), "PROCESSING".into()));
    bench.advance(20).await;
    assert_eq!(look().await, ("Initiated Pending Complete".into(), "PROCESSED".into()));
    let failing = caller.transfer(&destination, 990_099).await.ok();
    bench.advance(3_700).await;
    let path = format!("/v1/transfers/{}", text(&failing, "transferId"));
    assert_eq!(bench.person().await.get(&path).await.ok()["status"], "Failed");
}

#[tokio::test]
async fn a_held_transfer_waits_for_its_release() {
    let (bench, caller, destination) = stage(CARD).await;
    let id = caller.held_transfer(&destination, 10_000).await;
    let path = format!("/v1/transfers/{id}");
    bench.advance(600).await;
    assert_eq!(caller.get(&path).await.ok()["status"], "Initiated");
    let nobody = "/v1/transfers/00000000-0000-4000-8000-000000000000/receipt";
    caller.get(nobody).await.fails(404, "TransferReceiptNotFound");
    let receipt = format!("{path}/receipt");
    caller.get(&receipt).await.fails(404, "TransferReceiptNotFound");

    let release = format!("{path}/customer-hold/release");
    for _ in 0..2 {
        assert_eq!(caller.call("POST", &release, None).await.status, 202);
    }
    bench.advance(5).await;
    assert_eq!(caller.get(&path).await.ok()["status"], "Pending");
    let pdf = caller.get(&receipt).await;
    assert_eq!(pdf.headers["content-type"], "application/pdf");
    assert!(pdf.bytes.starts_with(b"%PDF-") && pdf.bytes.ends_with(b"%%EOF"));
    let cancel = format!("{path}/customer-hold/cancel");
    let reason = json!({ "reason": "CUSTOMER_REQUEST" });
    caller.post(&cancel, &reason).await.fails(400, "BusinessOrDataValidationError");
}

#[tokio::test]
async fn a_held_transfer_can_be_canceled_and_costs_nothing() {
    let (bench, caller) = person().await;
    bench.steer("balance", json!({ "clientId": "sandbox-client", "cents": 10_374 })).await;
    let destination = caller.destination(CARD).await;
    let id = caller.held_transfer(&destination, 10_000).await;
    caller.transfer(&destination, 100).await.fails(400, "InsufficientFunds");
    let cancel = format!("/v1/transfers/{id}/customer-hold/cancel");
    caller.post(&cancel, &json!({})).await.fails(400, "NotEmptyValidator");
    caller.post(&cancel, &json!({ "reason": "BORED" })).await.fails(400, "BadRequestError");
    for _ in 0..2 {
        let reason = json!({ "reason": "SUSPECTED_FRAUD" });
        assert_eq!(caller.post(&cancel, &reason).await.status, 202);
    }
    let path = format!("/v1/transfers/{id}");
    assert_eq!(caller.get(&path).await.ok()["status"], "Pending Cancelation");
    bench.advance(60).await;
    assert_eq!(caller.get(&path).await.ok()["status"], "Canceled");
    let release = format!("{path}/customer-hold/release");
    caller.post(&release, &json!({})).await.fails(400, "BusinessOrDataValidationError");
    // The money is back, once.
    caller.transfer(&destination, 10_000).await.ok();
    caller.transfer(&destination, 100).await.fails(400, "InsufficientFunds");
}

#[tokio::test]
async fn the_system_holds_large_transfers_and_both_holds_must_go() {
    let (bench, caller, destination) = stage(CARD).await;
    let id = caller.held_transfer(&destination, 300_000).await;
    let path = format!("/v1/transfers/{id}");
    caller.call("POST", &format!("{path}/customer-hold/release"), None).await;
    bench.advance(60).await;
    assert_eq!(caller.get(&path).await.ok()["status"], "Initiated");
    assert_eq!(bench.look("transfers").await[0]["held"], true);
    bench.steer(&format!("transfers/{id}/release"), json!({})).await;
    bench.advance(5).await;
    assert_eq!(caller.get(&path).await.ok()["status"], "Pending");
    // Nobody needs to hurry it.
    let slow = caller.transfer(&destination, 300_000).await.ok();
    bench.advance(3_500).await;
    let caller = bench.person().await;
    let path = format!("/v1/transfers/{}", text(&slow, "transferId"));
    assert_eq!(caller.get(&path).await.ok()["status"], "Initiated");
    bench.advance(105).await;
    assert_eq!(caller.get(&path).await.ok()["status"], "Pending");
}

#[tokio::test]
async fn progress_tells_what_became_of_a_submission() {
    let (bench, caller, destination) = stage(CARD).await;
    let progress = |body: &Value| format!("/v1/transfers/progress/{}", text(body, "quoteHistoryId"));
    let body = caller.transfer_body(&destination, 10_000).await;
    let before = caller.get(&progress(&body)).await.ok();
    assert_eq!(before, json!({ "transferRecordStatus": "NotInProgress" }));

    let wait = json!({
        "kind": "latency", "when": "during", "path": "/v1/transfers", "method": "POST",
        "delayMilliseconds": 400,
    });
    bench.steer("faults", wait).await;
    let posting = caller.post("/v1/transfers", &body);
    let looking = async {
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        caller.get(&progress(&body)).await.ok()
    };
    let (posted, meanwhile) = tokio::join!(posting, looking);
    assert_eq!(meanwhile, json!({ "transferRecordStatus": "Initializing" }));
    let id = posted.ok()["transferId"].clone();
    let after = caller.get(&progress(&body)).await.ok();
    assert_eq!(after, json!({ "transferId": id, "transferRecordStatus": "Created" }));

    let refused = caller.transfer_body(&destination, 990_050).await;
    caller.post("/v1/transfers", &refused).await.fails(400, "RspTransferException");
    let failed = caller.get(&progress(&refused)).await.ok();
    assert_eq!(failed, json!({ "transferRecordStatus": "Failed" }));
    let unknown = "/v1/transfers/progress/00000000-0000-4000-8000-000000000000";
    caller.get(unknown).await.fails(400, "QuoteHistoryNotFound");
}

#[tokio::test]
async fn the_list_carries_decimals_and_pages() {
    let (bench, caller, destination) = stage(CARD).await;
    for amount in [2_999, 5_000, 7_001] {
        caller.transfer(&destination, amount).await.ok();
        bench.advance(1).await;
    }
    let list = caller.get("/v1/transfers").await.ok();
    assert_eq!(list["totalCount"], 3);
    let sends: Vec<&Value> = list["transfers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|transfer| &transfer["quote"]["sendAmount"]["value"])
        .collect();
    assert_eq!(sends, [&json!(70.01), &json!(50.0), &json!(29.99)]);
    let page = caller.get("/v1/transfers?limit=1&offset=1").await.ok();
    assert_eq!(page["transfers"][0]["quote"]["sendAmount"]["value"], json!(50.0));
    caller.get("/v1/transfers?limit=0").await.fails(400, "BadRequestError");
}

#[tokio::test]
async fn a_transfer_keeps_what_it_was_made_with() {
    let (_, caller, destination) = stage(CARD).await;
    let transfer = caller.transfer(&destination, 10_000).await.ok();
    let recipient = format!("/v1/recipients/{}", destination.recipient);
    caller.call("DELETE", &recipient, None).await.ok();
    let path = format!("/v1/transfers/{}", text(&transfer, "transferId"));
    let again = caller.get(&path).await.ok();
    assert_eq!(again["recipientDetails"], transfer["recipientDetails"]);
    assert_eq!(again["recipientAccountDetails"], transfer["recipientAccountDetails"]);
}

#[tokio::test]
async fn businesses_say_where_the_money_comes_from() {
    let bench = Bench::new();
    let caller = bench.sender(&bench.known("business").await).await;
    let destination = caller.destination(CARD).await;
    let send = |source: Value| {
        let (caller, destination) = (&caller, &destination);
        async move {
            let mut body = caller.transfer_body(destination, 10_000).await;
            body["sourceOfFunds"] = source;
            caller.post("/v1/transfers", &body).await
        }
    };
    send(Value::Null).await.fails(400, "SourceOfFundsRequired");
    send(json!("SALARY")).await.fails(400, "SourceOfFundsInvalid");
    send(json!("LOTTERY")).await.fails(400, "SourceOfFundsInvalid");
    send(json!("PULL_FROM_CARD")).await.fails(400, "SourceAccountNotSupported");
    send(json!("BUSINESS")).await.ok();
    let mut body = caller.transfer_body(&destination, 10_000).await;
    body["fields"] = json!([]);
    set_field(&mut body, "SOURCE_OF_FUNDS", json!("BUSINESS"));
    caller.post("/v1/transfers", &body).await.ok();
}

#[tokio::test]
async fn a_card_can_pay_where_that_is_enabled_but_not_for_itself() {
    let bench = Bench::new();
    let caller = bench.foreign().await;
    let destination = caller.destination(CARD).await;
    let send = |source: Value| {
        let (caller, destination) = (&caller, &destination);
        async move {
            let mut body = caller.transfer_body(destination, 10_000).await;
            body["sourceOfFunds"] = json!("PULL_FROM_CARD");
            body["sourceAccountId"] = source;
            caller.post("/v1/transfers", &body).await
        }
    };
    send(Value::Null).await.fails(400, "NotEmptyValidator");
    let unknown = send(json!("4711")).await;
    unknown.fails(400, "CardProvidedCannotBeUsedForThisTransaction");
    let same = json!(caller.card("4111111111111111").await);
    send(same).await.fails(400, "SourceCardAndReceivingCardMustBeUnique");
    let abroad = json!(caller.card("4000000000000028").await);
    send(abroad).await.fails(400, "InvalidCardIssuerCountry");
    let other = json!(caller.card("5555555555554444").await);
    send(other.clone()).await.ok();
    // As a way of paying it is named elsewhere in the body, too.
    let mut body = caller.transfer_body(&destination, 10_000).await;
    body["sourceTransferMethod"] = json!("PULL_FROM_CARD");
    body["sourceAccountId"] = other;
    assert_eq!(caller.post("/v1/transfers", &body).await.ok()["status"], "Initiated");
}

#[tokio::test]
async fn a_card_from_abroad_can_be_paid_to_and_one_that_was_blocked_since_can_not() {
    let (_, caller, mut destination) = stage(CARD).await;
    destination.account =
        Some(caller.account_of_card(&destination.recipient, CARD, "4000000000000028").await);
    caller.transfer(&destination, 10_000).await.ok();
    destination.account =
        Some(caller.account_of_card(&destination.recipient, CARD, "4000000000000044").await);
    let reply = caller.transfer(&destination, 10_000).await;
    reply.fails(400, "CardProvidedCannotBeUsedForThisTransaction");
}

#[tokio::test]
async fn transfer_fields_are_held_against_the_corridor() {
    let (_, caller) = person().await;
    let cash = caller.destination(CASH).await;
    let mut body = caller.transfer_body(&cash, 2_000).await;
    set_field(&mut body, "PAYER_CITY", json!("MEX-2-1"));
    let reply = caller.post("/v1/transfers", &body).await;
    assert_eq!(
        reply.problems(),
        [("PAYER_CITY", "BusinessOrDataValidationError"), ("PAYER", "BusinessOrDataValidationError")]
    );
    body["fields"] = json!([]);
    assert_eq!(caller.post("/v1/transfers", &body).await.codes(), ["MissingRequiredField"; 4]);

    let to = ("IND", "INR", "BANK_ACCOUNT");
    let mut recipient = recipient_body(to);
    set_field(&mut recipient, "RELATIONSHIP", json!("PARENT"));
    set_field(&mut recipient, "DATE_OF_BIRTH", json!("1960-01-01"));
    set_field(&mut recipient, "ADDRESS_CITY", json!("Pune"));
    let recipient = text(&caller.post("/v1/recipients", &recipient).await.ok(), "recipientId");
    let fields = json!([
        { "id": "IFSC", "value": "HDFC0000001" },
        { "id": "BANK_ACCOUNT_TYPE", "value": "SAVINGS" },
        { "id": "BANK_ACCOUNT_NUMBER", "value": "123456789012" },
    ]);
    let path = format!("/v1/recipients/{recipient}/accounts");
    let account = caller.post(&path, &account_body(to, fields)).await.ok();
    let account = Some(text(&account, "recipientAccountId"));
    let india = Destination { to, recipient, account };
    let mut body = caller.transfer_body(&india, 10_000).await;
    caller.post("/v1/transfers", &body).await.fails(400, "PurposeOfRemittanceRequired");
    body["purposeOfRemittance"] = json!("OTHER");
    caller.post("/v1/transfers", &body).await.fails(400, "MissingRequiredField");
    body["fields"] = json!([{ "id": "REMITTANCE_PURPOSE", "value": "GIFT" }]);
    caller.post("/v1/transfers", &body).await.fails(400, "BusinessOrDataValidationError");
    body["purposeOfRemittance"] = json!("GIFT");
    caller.post("/v1/transfers", &body).await.ok();
}

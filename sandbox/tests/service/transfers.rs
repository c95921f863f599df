//! Transfers: made once, held and released, followed to their end.

use std::time::Duration;

use serde_json::{Value, json};

use super::harness::*;

const PATH: &str = "/v1/transfers";

fn path_of(transfer: &Value) -> String {
    format!("{PATH}/{}", text(transfer, "transferId"))
}

async fn order_status(caller: &Caller, transfer: &Value) -> String {
    let order = text(transfer, "transferRequestId");
    let order = caller.get(&format!("/transferrequests/v1/transfer-requests/{order}")).await.ok();
    text(&order["status"], "id")
}

#[tokio::test]
async fn a_transfer_is_recorded_with_everything_it_was_made_with() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let body = caller.transfer_body(&destination, 10_000).await;
    let reply = caller.post(PATH, &body).await;
    assert_eq!(reply.status, 200);
    let transfer = reply.json;
    for (pointer, expected) in [
        ("/status", json!("Initiated")),
        ("/quote/quoteHistoryId", body["quoteHistoryId"].clone()),
        ("/quote/totalCost/value", json!(10_374)),
        ("/recipientDetails/recipientId", json!(destination.recipient)),
        ("/senderDetails/senderId", json!(sandbox.sandbox.sender_id())),
        ("/customer/name", json!("Sendero")),
    ] {
        assert_eq!(transfer.pointer(pointer), Some(&expected), "{pointer}");
    }
    assert!(transfer["confirmationNumber"].is_string());
    assert!(transfer["disclaimers"][0].as_str().unwrap().starts_with("You can cancel"));
    let recorded = sandbox.control_get("transfers").await;
    assert_eq!(recorded.as_array().unwrap().len(), 1);
    for (name, expected) in [
        ("transferId", &transfer["transferId"]),
        ("quoteHistoryId", &body["quoteHistoryId"]),
        ("sendAmount", &transfer["quote"]["sendAmount"]),
    ] {
        assert_eq!(&recorded[0][name], expected);
    }
    caller.delete(&format!("/v1/recipients/{}", destination.recipient)).await.ok();
    let path = path_of(&transfer);
    assert_eq!(caller.get(&path).await.ok(), transfer);
}

#[tokio::test]
async fn all_methods_work_and_bank_confirmations_exceed_2_to_53() {
    let (_, caller) = person().await;
    for to in [CARD, BANK, CASH] {
        let destination = caller.destination(to).await;
        let transfer = caller.transfer(&destination, 2_000).await.ok();
        assert_eq!(transfer["quote"]["transferMethod"], to.2);
        let confirmation = transfer["confirmationNumber"].as_u64();
        assert_eq!(confirmation.is_some_and(|number| number > 1 << 53), to == BANK);
    }
}

#[tokio::test]
async fn quote_and_nonce_make_one_transfer_each() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let body = caller.transfer_body(&destination, 10_000).await;
    // Only a created transfer uses them up.
    let mut failing = body.clone();
    failing["recipientId"] = json!(UNKNOWN_ID);
    caller.post(PATH, &failing).await.fails("RecipientNotFound");
    caller.post(PATH, &body).await.ok();
    let mut other_nonce = body.clone();
    other_nonce["nonce"] = caller.nonce().await;
    for again in [&body, &other_nonce] {
        caller.post(PATH, again).await.fails("TransferDuplicatedByQuote");
    }
    let mut other_quote = caller.transfer_body(&destination, 10_000).await;
    other_quote["nonce"] = body["nonce"].clone();
    caller.post(PATH, &other_quote).await.fails("NonceAlreadyUsed");
    other_quote["nonce"] = Value::Null;
    caller.post(PATH, &other_quote).await.ok();
    assert_eq!(sandbox.control_get("transfers").await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_quote_must_have_been_made_for_the_request() {
    let (_, caller, destination) = person_with(CARD).await;
    for (name, value) in [
        ("amount", json!(10_001)),
        ("quoteBy", json!("RECEIVE_AMOUNT")),
        ("srcCurrencyIso3Code", json!("EUR")),
        ("dstCurrencyIso3Code", json!("USD")),
        ("transferMethod", json!("BANK_ACCOUNT")),
    ] {
        let reply = caller.transfer_with(&destination, &json!({ name: value })).await;
        assert_eq!(reply.problems(), [(name, "BusinessOrDataValidationError")]);
    }
    let other_account = caller.account(&destination.recipient, CARD).await;
    let more = format!("&recipientAccountId={other_account}");
    let quote = caller.quote_by(CARD, "SEND_AMOUNT", "10000", &more).await.ok();
    let body = destination.transfer(10_000, &text(&quote, "quoteHistoryId"));
    caller.post(PATH, &body).await.fails("BusinessOrDataValidationError");
}

#[tokio::test]
async fn invalid_members_are_rejected() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let empty = caller.post(PATH, &json!({})).await;
    assert_eq!(empty.problems().len(), 8);
    for problem in [("quoteHistoryId", "NoQuoteHistoryIdProvided"), ("recipientId", "NotEmptyValidator")] {
        assert!(empty.problems().contains(&problem));
    }
    let foreign_nonce = sandbox.foreign().await.nonce().await;
    let valid = caller.transfer_body(&destination, 10_000).await;
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
        ("nonce", json!("4711"), "BadRequestError"),
        ("nonce", json!(" "), "BadRequestError"),
        ("nonce", json!("7d9c1a52-6f0e-4b6b-8d0e-2d5a1c7be001"), "BadRequestError"),
        ("nonce", foreign_nonce, "BadRequestError"),
    ] {
        let mut body = valid.clone();
        body[name] = value.clone();
        let reply = caller.post(PATH, &body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (400, code), "{name} {value}");
    }
    caller.post(PATH, &valid).await.ok();
}

#[tokio::test]
async fn other_senders_can_neither_use_nor_see_a_transfer() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let body = caller.transfer_body(&destination, 10_000).await;
    let business = sandbox.business().await;
    business.post(PATH, &body).await.fails("QuoteHistoryNotFound");
    let mut own_quote = body.clone();
    own_quote["quoteHistoryId"] = business.quote(CARD, 10_000).await["quoteHistoryId"].clone();
    business.post(PATH, &own_quote).await.fails("RecipientNotFound");

    let transfer = caller.post(PATH, &body).await.ok();
    let path = path_of(&transfer);
    let order = text(&transfer, "transferRequestId");
    let progress = format!("{PATH}/progress/{}", text(&body, "quoteHistoryId"));
    for other in [&business, &sandbox.foreign().await] {
        for (path, code) in [
            (path.clone(), "TransferNotFound"),
            (format!("{path}/statuses"), "TransferNotFound"),
            (format!("{path}/receipt"), "TransferReceiptNotFound"),
            (format!("/transferrequests/v1/transfer-requests/{order}"), "TransferRequestNotFound"),
        ] {
            other.get(&path).await.fails(code);
        }
        other.release(&path).await.fails("TransferNotFound");
        other.get(&progress).await.fails_with(400, "QuoteHistoryNotFound");
    }
}

async fn status(caller: &Caller, transfer: &str) -> String {
    text(&caller.get(transfer).await.ok(), "status")
}

#[tokio::test]
async fn a_transfer_proceeds_with_the_clock() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let transfer = caller.transfer(&destination, 10_000).await.ok();
    let path = path_of(&transfer);
    for (seconds, statuses, expected) in [
        (0, "Initiated", "CREATED"),
        (5, "Initiated Pending", "PROCESSING"),
        (20, "Initiated Pending Complete", "PROCESSED"),
    ] {
        sandbox.advance(seconds).await;
        let list = caller.get(&format!("{path}/statuses")).await.ok()["statuses"].clone();
        let names: Vec<String> = list.as_array().unwrap().iter().map(|step| text(step, "status")).collect();
        assert_eq!(names.join(" "), statuses);
        assert_eq!(order_status(&caller, &transfer).await, expected);
    }
    let amount = sandbox.control_get("triggers").await["failingTransferAmount"].as_i64().unwrap();
    let failing = caller.transfer(&destination, amount).await.ok();
    sandbox.advance(3_700).await;
    let caller = sandbox.person().await;
    assert_eq!(status(&caller, &path_of(&failing)).await, "Failed");
    assert_eq!(order_status(&caller, &failing).await, "FAILED_TO_PROCESS");
}

#[tokio::test]
async fn a_held_transfer_waits_for_its_release() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let transfer = caller.held_transfer(&destination, 10_000).await;
    sandbox.advance(600).await;
    assert_eq!(status(&caller, &transfer).await, "Initiated");
    let receipt = format!("{transfer}/receipt");
    caller.get(&receipt).await.fails("TransferReceiptNotFound");
    for _ in 0..2 {
        assert_eq!(caller.release(&transfer).await.status, 202);
    }
    sandbox.advance(5).await;
    assert_eq!(status(&caller, &transfer).await, "Pending");
    let pdf = caller.get(&receipt).await;
    assert_eq!(pdf.headers["content-type"], "application/pdf");
    assert!(pdf.bytes.starts_with(b"%PDF-") && pdf.bytes.ends_with(b"%%EOF"));
    caller.cancel(&transfer, "CUSTOMER_REQUEST").await.fails("BusinessOrDataValidationError");
}

#[tokio::test]
async fn a_canceled_transfer_can_not_be_released() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    for reason in ["SUSPECTED_FRAUD", "CONFIRMED_FRAUD", "EVALUATION_EXPIRED", "CUSTOMER_REQUEST"] {
        let transfer = caller.held_transfer(&destination, 10_000).await;
        caller.cancel(&transfer, "BORED").await.fails("BadRequestError");
        for _ in 0..2 {
            assert_eq!(caller.cancel(&transfer, reason).await.status, 202);
        }
        assert_eq!(status(&caller, &transfer).await, "Pending Cancelation");
        sandbox.advance(60).await;
        let record = caller.get(&transfer).await.ok();
        assert_eq!(record["status"], "Canceled");
        assert_eq!(order_status(&caller, &record).await, "CANCELED");
        caller.get(&format!("{transfer}/receipt")).await.fails("TransferReceiptNotFound");
        caller.release(&transfer).await.fails("BusinessOrDataValidationError");
        caller.post(&format!("{transfer}/customer-hold/cancel"), &json!({})).await.fails("NotEmptyValidator");
    }
}

#[tokio::test]
async fn large_transfers_have_a_system_hold_besides_the_customer_s() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let transfer = caller.held_transfer(&destination, 300_000).await;
    caller.release(&transfer).await.ok();
    sandbox.advance(60).await;
    assert_eq!(status(&caller, &transfer).await, "Initiated");
    assert_eq!(sandbox.control_get("transfers").await[0]["held"], true);
    let id = transfer.trim_start_matches("/v1/");
    sandbox.control(&format!("{id}/release"), json!({})).await;
    sandbox.advance(5).await;
    assert_eq!(status(&caller, &transfer).await, "Pending");
    // The release of a canceled transfer changes nothing.
    let canceled = caller.held_transfer(&destination, 300_000).await;
    caller.cancel(&canceled, "CUSTOMER_REQUEST").await;
    sandbox.control(&format!("{}/release", canceled.trim_start_matches("/v1/")), json!({})).await;
    sandbox.advance(60).await;
    assert_eq!(status(&caller, &canceled).await, "Canceled");
    // Without a release, the hold ends after an hour.
    let slow = caller.transfer(&destination, 300_000).await.ok();
    let slow = path_of(&slow);
    for (seconds, expected) in [(3_500, "Initiated"), (105, "Pending")] {
        sandbox.advance(seconds).await;
        assert_eq!(status(&sandbox.person().await, &slow).await, expected);
    }
}

#[tokio::test]
async fn a_release_that_releases_nothing_is_refused() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let small = caller.transfer(&destination, 10_000).await.ok();
    let large = caller.transfer(&destination, 300_000).await.ok();
    let release = |made: &Value| format!("/sandbox/transfers/{}/release", text(made, "transferId"));
    caller.post(&release(&small), &json!({})).await.fails("BusinessOrDataValidationError");
    assert_eq!(caller.post(&release(&large), &json!({})).await.ok()["held"], false);
    caller.post(&release(&large), &json!({})).await.fails("BusinessOrDataValidationError");
    assert_eq!(sandbox.control_get("transfers").await[1]["systemHoldUntil"].as_str().map(str::len), Some(28));
}

#[tokio::test]
async fn any_transfer_can_fail_now_or_later_held_or_not() {
    let (sandbox, caller, destination) = person_with(BANK).await;
    let fail = async |made: &Value, body: Value| {
        caller.post(&format!("/sandbox/transfers/{}/fail", text(made, "transferId")), &body).await
    };
    let small = caller.transfer(&destination, 5_000).await.ok();
    let failed = fail(&small, json!({ "reason": "ACCOUNT_CLOSED" })).await.ok();
    assert_eq!((&failed["status"], &failed["reason"]), (&json!("Failed"), &json!("ACCOUNT_CLOSED")));
    assert_eq!(status(&caller, &path_of(&small)).await, "Failed");
    fail(&small, json!({})).await.fails("BusinessOrDataValidationError");

    let later = caller.transfer(&destination, 5_000).await.ok();
    fail(&later, json!({ "afterSeconds": 100 })).await.ok();
    for (seconds, expected) in [(0, "Pending"), (90, "Pending"), (20, "Failed"), (90_000, "Failed")] {
        sandbox.advance(seconds).await;
        assert_eq!(status(&sandbox.person().await, &path_of(&later)).await, expected);
    }
    let caller = sandbox.person().await;
    let held = caller.held_transfer(&destination, 300_000).await;
    caller.post(&format!("/sandbox/{}/fail", held.trim_start_matches("/v1/")), &json!({})).await.ok();
    assert_eq!(status(&caller, &held).await, "Failed");
    sandbox
        .control_fails(&format!("transfers/{}/fail", text(&later, "transferId")), json!({ "after": 1 }))
        .await;
}

#[tokio::test]
async fn progress_reports_the_outcome_of_a_submission() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let progress = async |body: &Value| {
        let path = format!("{PATH}/progress/{}", text(body, "quoteHistoryId"));
        caller.get(&path).await.ok()
    };
    let body = caller.transfer_body(&destination, 10_000).await;
    assert_eq!(progress(&body).await, json!({ "transferRecordStatus": "NotInProgress" }));
    let fault = json!({ "kind": "latency", "when": "during", "path": PATH, "delayMilliseconds": 1_500 });
    sandbox.control("faults", merged(fault, json!({ "method": "POST" }))).await;
    let posting = caller.post(PATH, &body);
    // Asked until the service has begun.
    let looking = async {
        loop {
            let found = progress(&body).await;
            if found["transferRecordStatus"] != "NotInProgress" {
                break found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let (posted, meanwhile) = tokio::join!(posting, looking);
    assert_eq!(meanwhile, json!({ "transferRecordStatus": "Initializing" }));
    let id = posted.ok()["transferId"].clone();
    assert_eq!(progress(&body).await, json!({ "transferId": id, "transferRecordStatus": "Created" }));

    let rejected = caller.transfer_body(&destination, 990_050).await;
    caller.post(PATH, &rejected).await.fails("RspTransferException");
    assert_eq!(progress(&rejected).await, json!({ "transferRecordStatus": "Failed" }));
    caller.get(&format!("{PATH}/progress/{UNKNOWN_ID}")).await.fails_with(400, "QuoteHistoryNotFound");
}

#[tokio::test]
async fn the_list_has_pages_and_decimal_amounts() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    for amount in [2_999, 5_000, 7_001] {
        caller.transfer(&destination, amount).await.ok();
        sandbox.advance(1).await;
    }
    let amounts = |list: &Value| -> Vec<Value> {
        let transfers = list["transfers"].as_array().unwrap().iter();
        transfers.map(|transfer| transfer["quote"]["sendAmount"]["value"].clone()).collect()
    };
    let list = caller.get(PATH).await.ok();
    assert_eq!(
        (&list["totalCount"], amounts(&list)),
        (&json!(3), vec![json!(70.01), json!(50.0), json!(29.99)])
    );
    let page = caller.get(&format!("{PATH}?limit=1&offset=1")).await.ok();
    assert_eq!(amounts(&page), [json!(50.0)]);
    caller.get(&format!("{PATH}?limit=0")).await.fails("BadRequestError");
}

#[tokio::test]
async fn businesses_have_to_name_business_as_source_of_funds() {
    let sandbox = TestSandbox::new();
    let caller = sandbox.business().await;
    let destination = caller.destination(CARD).await;
    for (source, code) in [
        (Value::Null, "SourceOfFundsRequired"),
        (json!("SALARY"), "SourceOfFundsInvalid"),
        (json!("LOTTERY"), "SourceOfFundsInvalid"),
        (json!("PULL_FROM_CARD"), "SourceAccountNotSupported"),
    ] {
        caller.transfer_with(&destination, &json!({ "sourceOfFunds": source })).await.fails(code);
    }
    let field = fields(json!({ "SOURCE_OF_FUNDS": "BUSINESS" }));
    for members in [json!({ "sourceOfFunds": "BUSINESS" }), json!({ "fields": field })] {
        caller.transfer_with(&destination, &members).await.ok();
    }
}

#[tokio::test]
async fn a_card_can_pay_if_enabled_but_not_for_itself() {
    let sandbox = TestSandbox::new();
    let caller = sandbox.foreign().await;
    let destination = caller.destination(CARD).await;
    let [same, blocked, abroad, other] = [
        caller.card("4111111111111111").await,
        caller.card("4000000000000044").await,
        caller.card("4000000000000028").await,
        caller.card("5555555555554444").await,
    ];
    for (account, code) in [
        (Value::Null, "NotEmptyValidator"),
        (json!("4711"), "CardProvidedCannotBeUsedForThisTransaction"),
        (json!(blocked), "CardProvidedCannotBeUsedForThisTransaction"),
        (json!(same), "SourceCardAndReceivingCardMustBeUnique"),
        (json!(abroad), "InvalidCardIssuerCountry"),
    ] {
        let members = json!({ "sourceOfFunds": "PULL_FROM_CARD", "sourceAccountId": account });
        caller.transfer_with(&destination, &members).await.fails(code);
    }
    for name in ["sourceOfFunds", "sourceTransferMethod"] {
        let members = json!({ name: "PULL_FROM_CARD", "sourceAccountId": other });
        caller.transfer_with(&destination, &members).await.ok();
    }
}

#[tokio::test]
async fn a_card_from_abroad_can_receive_and_a_blocked_card_can_not() {
    let (_, caller, mut destination) = person_with(CARD).await;
    for (number, code) in
        [("4000000000000028", ""), ("4000000000000044", "CardProvidedCannotBeUsedForThisTransaction")]
    {
        destination.account = Some(caller.card_account(&destination.recipient, CARD, number).await);
        assert_eq!(caller.transfer(&destination, 10_000).await.code(), code);
    }
}

#[tokio::test]
async fn the_fields_of_a_transfer_are_checked_for_its_corridor() {
    let (_, caller) = person().await;
    let cash = caller.destination(CASH).await;
    let body = with_fields(caller.transfer_body(&cash, 2_000).await, json!({ "PAYER_CITY": "MEX-2-1" }));
    assert_eq!(
        caller.post(PATH, &body).await.problems(),
        [("PAYER_CITY", "BusinessOrDataValidationError"), ("PAYER", "BusinessOrDataValidationError")]
    );
    let body = merged(body, json!({ "fields": [] }));
    assert_eq!(caller.post(PATH, &body).await.codes(), ["MissingRequiredField"; 4]);

    let to = ("IND", "INR", "BANK_ACCOUNT");
    let values = json!({ "RELATIONSHIP": "PARENT", "DATE_OF_BIRTH": "1960-01-01", "ADDRESS_CITY": "Pune" });
    let recipient = caller.post("/v1/recipients", &with_fields(recipient_body(to), values)).await.ok();
    let recipient = text(&recipient, "recipientId");
    let values = json!({
        "IFSC": "HDFC0000001", "BANK_ACCOUNT_TYPE": "SAVINGS", "BANK_ACCOUNT_NUMBER": "123456789012",
    });
    let account = Some(caller.account_with(&recipient, to, values).await);
    let india = Destination { to, recipient, account };
    let gift = fields(json!({ "REMITTANCE_PURPOSE": "GIFT" }));
    for (members, code) in [
        (json!({}), "PurposeOfRemittanceRequired"),
        (json!({ "purposeOfRemittance": "OTHER" }), "MissingRequiredField"),
        (json!({ "purposeOfRemittance": "OTHER", "fields": gift }), "BusinessOrDataValidationError"),
        (json!({ "purposeOfRemittance": "GIFT", "fields": gift }), ""),
    ] {
        assert_eq!(caller.transfer_with(&india, &members).await.code(), code);
    }
}

#[tokio::test]
async fn a_field_without_a_value_is_not_in_the_record() {
    let (_, caller, destination) = person_with(BANK).await;
    let reference = json!({ "fields": [{ "id": "REFERENCE", "value": null }] });
    assert_eq!(caller.transfer_with(&destination, &reference).await.ok()["fields"], json!([]));
}

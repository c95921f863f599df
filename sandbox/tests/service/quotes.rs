//! Quotes: both directions, their numbers, and who can read them.

use remitkit_sandbox::Config;
use serde_json::{Value, json};

use super::harness::*;

fn value(quote: &Value, name: &str) -> i64 {
    quote[name]["value"].as_i64().unwrap()
}

/// Returns the amounts of a quote's adjustments by identifier.
fn adjustment(quote: &Value, id: &str) -> Option<i64> {
    let adjustments = quote["adjustments"].as_array().unwrap();
    adjustments.iter().find(|one| one["id"] == id).map(|one| value(one, "amount"))
}

#[tokio::test]
async fn a_quote_has_the_documented_members() {
    let (sandbox, caller) = person().await;
    let quote = caller.quote(CARD, 10_000).await;
    assert_eq!((value(&quote, "sendAmount"), value(&quote, "receiveAmount")), (10_000, 182_653));
    assert_eq!(value(&quote, "totalCost"), 10_000 + adjustment(&quote, "TransferFee").unwrap());
    for (pointer, expected) in [
        ("/sendAmount/currency/iso3Code", json!("USD")),
        ("/receiveAmount/currency/iso3Code", json!("MXN")),
        ("/rate", json!(18.265319)),
        ("/senderId", json!(sandbox.sandbox.sender_id())),
        ("/destinationCountryISO3Code", json!("MEX")),
        ("/destinationCurrencyISO3Code", json!("MXN")),
        ("/sourceCurrencyIso3Code", json!("USD")),
        ("/destinationCountry/phoneCode", json!("52")),
        ("/deliverySLA/id", json!("THIRTY_MINUTES")),
    ] {
        assert_eq!(quote.pointer(pointer), Some(&expected), "{pointer}");
    }
    assert!(quote["disclosures"][0].as_str().unwrap().starts_with("The recipient may receive less"));
}

#[tokio::test]
async fn adjustments_include_discounts_and_taxes() {
    let (_, caller) = person().await;
    let large = caller.quote(BANK, 50_000).await;
    assert_eq!((adjustment(&large, "TransferFee"), adjustment(&large, "Discount")), (Some(449), Some(-199)));
    assert_eq!(adjustment(&caller.quote(BANK, 49_999).await, "Discount"), None);
    let colombia = caller.quote(("COL", "COP", "BANK_ACCOUNT"), 10_000).await;
    assert_eq!((adjustment(&colombia, "Tax"), adjustment(&colombia, "Discount")), (Some(40), None));
}

#[tokio::test]
async fn amounts_are_exact_in_all_currencies_and_beyond_2_to_53() {
    let (_, caller) = person().await;
    for (to, amount, received) in [
        (("JPN", "JPY", "BANK_ACCOUNT"), 10_000, 15_037),
        (("KWT", "KWD", "BANK_ACCOUNT"), 10_000, 30_528),
        (("SLV", "USD", "BANK_ACCOUNT"), 9_007_199_254_740_993, 9_007_199_254_740_993),
        (BANK, 0, 0),
    ] {
        assert_eq!(value(&caller.quote(to, amount).await, "receiveAmount"), received, "{to:?}");
    }
    assert_eq!(value(&caller.quote(BANK, 0).await, "totalCost"), 199);
    for wrong in
        ["-1", "1.5", "1e3", "abc", "%2B1", "0x10", "9223372036854775807", "99999999999999999999", "%201"]
    {
        caller.quote_by(BANK, "SEND_AMOUNT", wrong, "").await.fails("InvalidAmount");
    }
    caller.quote_by(BANK, "SEND_AMOUNT", "", "").await.fails("NotEmptyValidator");
}

#[tokio::test]
async fn a_quote_by_receive_amount_keeps_that_amount() {
    let (sandbox, caller) = person().await;
    let quote = caller.quote_by(BANK, "RECEIVE_AMOUNT", "183206", "").await.ok();
    assert_eq!((value(&quote, "receiveAmount"), value(&quote, "sendAmount")), (183_206, 10_000));
    let chile = ("CHL", "CLP", "BANK_ACCOUNT");
    for (caller, to, code) in [
        (&caller, CASH, "QuoteByReceiveForTransferMethodNotEnabled"),
        (&caller, chile, "QuoteByReceiveNotSupported"),
        (&sandbox.foreign().await, BANK, "QuoteByReceiveNotEnabled"),
    ] {
        caller.quote_by(to, "RECEIVE_AMOUNT", "100", "").await.fails(code);
    }
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let (_, caller) = person().await;
    assert_eq!(
        caller.get("/v1/quote").await.problems(),
        [
            "dstCountryIso3Code",
            "dstCurrencyIso3Code",
            "transferMethod",
            "srcCurrencyIso3Code",
            "quoteBy",
            "amount"
        ]
        .map(|name| (name, "NotEmptyValidator"))
    );
    let unknown = format!("&recipientAccountId={UNKNOWN_ID}");
    for (more, code) in [
        ("&amount=200", "BadRequestError"),
        ("&recipientAccountId=4711", "InvalidRecipientAccountId"),
        (&unknown, "RecipientAccountNotFound"),
    ] {
        caller.quote_by(BANK, "SEND_AMOUNT", "100", more).await.fails(code);
    }
    for (to, code) in [
        (("mex", "MXN", "BANK_ACCOUNT"), "UnsupportedCountry"),
        (("MEX", "mxn", "BANK_ACCOUNT"), "BadRequestError"),
        (("MEX", "MXN", "PIGEON"), "BadRequestError"),
        (("GBR", "MXN", "BANK_ACCOUNT"), "NoCorridorFoundForSpecificValues"),
        (("USA", "USD", "ACCOUNT_FUNDING"), "NoCorridorFoundForSpecificValues"),
    ] {
        caller.quote_by(to, "SEND_AMOUNT", "1", "").await.fails(code);
    }
    // A known currency that is no source of this corridor.
    let path = quote_path(("GBR", "GBP", "BANK_ACCOUNT"), "SEND_AMOUNT", "1").replace("USD", "JPY");
    caller.get(&path).await.fails("NoCorridorFoundForSpecificValues");
}

#[tokio::test]
async fn a_known_card_lowers_the_fee() {
    let (_, caller, destination) = person_with(CARD).await;
    let account = format!("&recipientAccountId={}", destination.account.unwrap());
    let with = caller.quote_by(CARD, "SEND_AMOUNT", "10000", &account).await.ok();
    let without = caller.quote(CARD, 10_000).await;
    assert_eq!((value(&with, "totalCost"), value(&without, "totalCost")), (10_359, 10_374));
    caller.quote_by(BANK, "SEND_AMOUNT", "10000", &account).await.fails("BusinessOrDataValidationError");
}

#[tokio::test]
async fn a_quote_can_be_read_by_its_sender_and_client_only() {
    let (sandbox, caller) = person().await;
    let quote = caller.quote(CARD, 10_000).await;
    let path = format!("/v1/quote/{}", text(&quote, "quoteHistoryId"));
    for own in [&caller, &sandbox.client().await] {
        assert_eq!(own.get(&path).await.ok(), quote);
    }
    for other in [sandbox.business().await, sandbox.foreign().await] {
        other.get(&path).await.fails("QuoteHistoryNotFound");
    }
    caller.get("/v1/quote/4711").await.fails("BadRequestError");
}

#[tokio::test]
async fn labels_follow_accept_language() {
    let (sandbox, caller) = person().await;
    let token = format!("Bearer {}", caller.token.unwrap());
    let headers = [("host", HOST), ("authorization", &token), ("accept-language", "es-MX,es;q=0.9")];
    let quote =
        sandbox.send(request("GET", &quote_path(CARD, "SEND_AMOUNT", "100"), &headers, "")).await.ok();
    assert_eq!(quote["adjustments"][0]["label"], "Comisión de envío");
}

#[tokio::test]
async fn old_unused_quotes_are_deleted() {
    let sandbox = TestSandbox::with(Config { keep_rows: 300, ..config() });
    let caller = sandbox.person().await;
    let destination = caller.destination(CARD).await;
    let used = caller.transfer_body(&destination, 100).await;
    caller.post("/v1/transfers", &used).await.ok();
    let path = |quote: &Value| format!("/v1/quote/{}", text(quote, "quoteHistoryId"));
    let first = path(&caller.quote(CARD, 1).await);
    for amount in 0..800 {
        caller.quote(CARD, amount).await;
    }
    let last = path(&caller.quote(CARD, 1).await);
    caller.get(&first).await.fails("QuoteHistoryNotFound");
    caller.get(&last).await.ok();
    // A deleted used quote could be used a second time.
    caller.get(&path(&used)).await.ok();
    caller.post("/v1/transfers", &used).await.fails("TransferDuplicatedByQuote");
}

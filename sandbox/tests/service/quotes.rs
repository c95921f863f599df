//! Quotes: both directions, their numbers, and who sees them.

use serde_json::{Value, json};

use super::bench::{BANK, Bench, CARD, CASH, person, quote_path, stage, text};

fn value(quote: &Value, name: &str) -> i64 {
    quote[name]["value"].as_i64().unwrap()
}

#[tokio::test]
async fn a_quote_has_the_documented_shape() {
    let (bench, caller) = person().await;
    let quote = caller.quote(CARD, 10_000).await;
    assert_eq!(value(&quote, "sendAmount"), 10_000);
    assert_eq!(quote["sendAmount"]["currency"]["iso3Code"], "USD");
    assert_eq!(quote["receiveAmount"]["currency"]["iso3Code"], "MXN");
    assert_eq!(quote["rate"], json!(18.265319));
    assert_eq!(value(&quote, "receiveAmount"), 182_653);
    assert_eq!(quote["senderId"], json!(bench.sandbox.sender_id()));
    assert_eq!(quote["destinationCountryISO3Code"], "MEX");
    assert_eq!(quote["destinationCurrencyISO3Code"], "MXN");
    assert_eq!(quote["sourceCurrencyIso3Code"], "USD");
    assert_eq!(quote["destinationCountry"]["phoneCode"], "52");
    assert!(quote["deliverySLA"]["id"].is_string() && quote["disclosures"].is_array());
    let adjustments: i64 = quote["adjustments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|adjustment| adjustment["amount"]["value"].as_i64().unwrap())
        .sum();
    assert_eq!(value(&quote, "totalCost"), 10_000 + adjustments);
}

#[tokio::test]
async fn adjustments_may_be_negative_and_taxes_depend_on_the_country() {
    let (_, caller) = person().await;
    let large = caller.quote(BANK, 60_000).await;
    let of = |quote: &Value, id: &str| {
        let list = quote["adjustments"].as_array().unwrap();
        list.iter().find(|one| one["id"] == id).map(|one| one["amount"]["value"].as_i64().unwrap())
    };
    assert_eq!(of(&large, "TransferFee"), Some(499));
    assert_eq!(of(&large, "Discount"), Some(-199));
    let colombia = caller.quote(("COL", "COP", "BANK_ACCOUNT"), 10_000).await;
    assert_eq!(of(&colombia, "Tax"), Some(40));
    assert_eq!(of(&colombia, "Discount"), None);
}

#[tokio::test]
async fn currencies_of_no_and_three_places_are_exact() {
    let (_, caller) = person().await;
    let yen = caller.quote(("JPN", "JPY", "BANK_ACCOUNT"), 10_000).await;
    assert_eq!(value(&yen, "receiveAmount"), 15_037);
    assert_eq!(yen["receiveAmount"]["currency"]["decimalPlaces"], 0);
    let dinar = caller.quote(("KWT", "KWD", "BANK_ACCOUNT"), 10_000).await;
    assert_eq!(value(&dinar, "receiveAmount"), 30_528);
    assert_eq!(dinar["receiveAmount"]["currency"]["iso4217Code"], 414);
    // Beyond 2^53, to the last digit.
    let much = caller.quote(("SLV", "USD", "BANK_ACCOUNT"), 9_007_199_254_740_993).await;
    assert_eq!(value(&much, "receiveAmount"), 9_007_199_254_740_993);
    let too_much = caller.quote_reply(BANK, "SEND_AMOUNT", "9223372036854775807", "").await;
    too_much.fails(400, "InvalidAmount");
}

#[tokio::test]
async fn a_quote_by_the_received_amount_keeps_it() {
    let (bench, caller) = person().await;
    let quote = caller.quote_reply(BANK, "RECEIVE_AMOUNT", "183206", "").await.ok();
    assert_eq!(value(&quote, "receiveAmount"), 183_206);
    assert_eq!(value(&quote, "sendAmount"), 10_000);
    for (to, code) in [
        (CASH, "QuoteByReceiveForTransferMethodNotEnabled"),
        (("CHL", "CLP", "BANK_ACCOUNT"), "QuoteByReceiveNotSupported"),
    ] {
        caller.quote_reply(to, "RECEIVE_AMOUNT", "100", "").await.fails(400, code);
    }
    let foreign = bench.foreign().await;
    let reply = foreign.quote_reply(BANK, "RECEIVE_AMOUNT", "100", "").await;
    reply.fails(400, "QuoteByReceiveNotEnabled");
}

#[tokio::test]
async fn amounts_are_whole_numbers_from_nothing_on() {
    let (_, caller) = person().await;
    for wrong in ["-1", "1.5", "1e3", "abc", "%2B1", "0x10", "99999999999999999999", "%201"] {
        let reply = caller.quote_reply(BANK, "SEND_AMOUNT", wrong, "").await;
        reply.fails(400, "InvalidAmount");
    }
    caller.quote_reply(BANK, "SEND_AMOUNT", "", "").await.fails(400, "NotEmptyValidator");
    let nothing = caller.quote(BANK, 0).await;
    assert_eq!((value(&nothing, "receiveAmount"), value(&nothing, "totalCost")), (0, 199));
}

#[tokio::test]
async fn every_parameter_is_required_and_checked() {
    let (_, caller) = person().await;
    let reply = caller.get("/v1/quote").await;
    assert_eq!(reply.status, 400);
    let names: Vec<&str> = reply.problems().into_iter().map(|(field, _)| field).collect();
    assert_eq!(
        names,
        [
            "dstCountryIso3Code",
            "dstCurrencyIso3Code",
            "srcCurrencyIso3Code",
            "transferMethod",
            "quoteBy",
            "amount"
        ]
    );
    assert!(reply.codes().iter().all(|code| *code == "NotEmptyValidator"));
    let with = |more: &'static str| caller.quote_reply(BANK, "SEND_AMOUNT", "100", more);
    with("&amount=200").await.fails(400, "BadRequestError");
    with("&recipientAccountId=4711").await.fails(400, "InvalidRecipientAccountId");
    let unknown = "&recipientAccountId=00000000-0000-4000-8000-000000000000";
    with(unknown).await.fails(404, "RecipientAccountNotFound");
    for (to, code) in [
        (("mex", "MXN", "BANK_ACCOUNT"), "UnsupportedCountry"),
        (("MEX", "mxn", "BANK_ACCOUNT"), "BadRequestError"),
        (("MEX", "MXN", "PIGEON"), "BadRequestError"),
        (("GBR", "MXN", "BANK_ACCOUNT"), "NoCorridorFoundForSpecificValues"),
        (("USA", "USD", "ACCOUNT_FUNDING"), "NoCorridorFoundForSpecificValues"),
    ] {
        caller.quote_reply(to, "SEND_AMOUNT", "1", "").await.fails(400, code);
    }
    // Known, but not what this corridor takes.
    let path = "/v1/quote?dstCountryIso3Code=GBR&dstCurrencyIso3Code=GBP&srcCurrencyIso3Code=JPY\
                &transferMethod=BANK_ACCOUNT&quoteBy=SEND_AMOUNT&amount=1";
    caller.get(path).await.fails(400, "NoCorridorFoundForSpecificValues");
}

#[tokio::test]
async fn a_known_card_makes_the_quote_better() {
    let (_, caller, destination) = stage(CARD).await;
    let account = destination.account.unwrap();
    let more = format!("&recipientAccountId={account}");
    let with = caller.quote_reply(CARD, "SEND_AMOUNT", "10000", &more).await.ok();
    let without = caller.quote(CARD, 10_000).await;
    assert_eq!((value(&with, "totalCost"), value(&without, "totalCost")), (10_359, 10_374));
    let reply = caller.quote_reply(BANK, "SEND_AMOUNT", "10000", &more).await;
    reply.fails(400, "BusinessOrDataValidationError");
}

#[tokio::test]
async fn a_quote_can_be_read_again_in_its_own_context() {
    let (bench, caller) = person().await;
    let quote = caller.quote(CARD, 10_000).await;
    let path = format!("/v1/quote/{}", text(&quote, "quoteHistoryId"));
    assert_eq!(caller.get(&path).await.ok(), quote);
    assert_eq!(bench.client().await.get(&path).await.ok(), quote);
    let business = bench.sender(&bench.known("business").await).await;
    business.get(&path).await.fails(404, "QuoteHistoryNotFound");
    bench.foreign().await.get(&path).await.fails(404, "QuoteHistoryNotFound");
    caller.get("/v1/quote/4711").await.fails(400, "BadRequestError");
}

#[tokio::test]
async fn labels_follow_the_language() {
    let (bench, caller) = person().await;
    let path = quote_path(CARD, "SEND_AMOUNT", "100");
    let request = axum::http::Request::get(path)
        .header("authorization", format!("Bearer {}", caller.token.unwrap()))
        .header("accept-language", "es-MX,es;q=0.9")
        .body(axum::body::Body::empty())
        .unwrap();
    let quote = bench.send(request).await.ok();
    assert_eq!(quote["adjustments"][0]["label"], "Comisión de envío");
}

#[tokio::test]
async fn unused_quotes_are_kept_within_a_bound() {
    let bench = Bench::with(remitkit_sandbox::Config { keep_rows: 300, ..super::bench::config() });
    let caller = bench.person().await;
    let destination = caller.destination(CARD).await;
    let used = caller.transfer_body(&destination, 100).await;
    caller.post("/v1/transfers", &used).await.ok();
    let first = text(&caller.quote(CARD, 1).await, "quoteHistoryId");
    for amount in 0..800 {
        caller.quote(CARD, amount).await;
    }
    let last = text(&caller.quote(CARD, 1).await, "quoteHistoryId");
    caller.get(&format!("/v1/quote/{first}")).await.fails(404, "QuoteHistoryNotFound");
    caller.get(&format!("/v1/quote/{last}")).await.ok();
    // What made a transfer is never forgotten: it could be used a second time otherwise.
    caller.get(&format!("/v1/quote/{}", text(&used, "quoteHistoryId"))).await.ok();
    caller.post("/v1/transfers", &used).await.fails(400, "TransferDuplicatedByQuote");
}

//! Limits, prices that change, and funds: the codes that arise from time and from what was sent.

use std::sync::Arc;

use serde_json::{Value, json};

use super::bench::{BANK, Bench, CARD, CASH, Caller, Destination, To, person, set_field, stage};

/// Sends with limits, and tells the code of the answer, or nothing.
async fn send(caller: &Caller, destination: &Destination, amount: i64) -> String {
    caller.transfer(destination, amount).await.code().to_owned()
}

/// A sender with limits, and someone with a token for it.
async fn limited() -> (Arc<Bench>, String, Caller, Destination) {
    let bench = Bench::new();
    let sender = bench.known("limited").await;
    let caller = bench.sender(&sender).await;
    let destination = caller.destination(BANK).await;
    (bench, sender, caller, destination)
}

async fn limit(bench: &Bench, sender: &str, limits: Value) {
    bench.steer("limits", json!({ "senderId": sender, "limits": limits })).await;
}

#[tokio::test]
async fn a_sender_s_limits_of_a_day_are_reached_exceeded_and_over() {
    let day = 86_400;
    for (name, at_most, reached, exceeded) in [
        ("send24Hours", 10_000, "Max24HourSendAmountLimitReached", "Max24HourSendAmountLimitReachedExceed"),
        (
            "totalCost24Hours",
            10_249,
            "Max24HourTotalCostLimitReached",
            "Max24HourTotalCostLimitReachedExceed",
        ),
        ("send7Days", 10_000, "Max7DaysSendAmountLimitReached", "Max7DaysSendAmountLimitReachedExceed"),
    ] {
        let (bench, sender, caller, destination) = limited().await;
        limit(&bench, &sender, json!({ name: at_most })).await;
        assert_eq!(send(&caller, &destination, 10_001).await, exceeded);
        assert_eq!(send(&caller, &destination, 10_000).await, "");
        for amount in [1, 0] {
            assert_eq!(send(&caller, &destination, amount).await, reached, "{amount}");
        }
        bench.advance(if name == "send7Days" { 7 * day } else { day }).await;
        let caller = bench.sender(&sender).await;
        assert_eq!(send(&caller, &destination, 10_000).await, "", "{name}");
    }
}

#[tokio::test]
async fn a_sender_s_transfers_are_counted() {
    for (name, days, code) in [
        ("count24Hours", 1, "Max24HourTransferCountLimitReached"),
        ("count7Days", 7, "Max7DaysTransferCountLimitReached"),
    ] {
        let (bench, sender, caller, destination) = limited().await;
        limit(&bench, &sender, json!({ name: 2 })).await;
        assert_eq!(send(&caller, &destination, 100).await, "");
        assert_eq!(send(&caller, &destination, 100).await, "");
        assert_eq!(send(&caller, &destination, 100).await, code);
        bench.advance(days * 86_400).await;
        let caller = bench.sender(&sender).await;
        assert_eq!(send(&caller, &destination, 100).await, "");
    }
}

#[tokio::test]
async fn a_recipient_s_limits_are_that_recipient_s() {
    for (name, most, days, code) in [
        ("recipient24Hours", 10_000, 1, "Max24HourRecipientSendAmountLimitReached"),
        ("recipient7Days", 10_000, 7, "Max7DaysRecipientSendAmountLimitReached"),
        ("recipientMonth", 10_000, 30, "MaxMonthlyRecipientSendAmountLimitReached"),
        ("recipientCount24Hours", 1, 1, "Max24HourRecipientTransferCountLimitReached"),
        ("recipientCountMonth", 1, 30, "MaxMonthlyRecipientTransferCountLimitReached"),
    ] {
        let (bench, sender, caller, destination) = limited().await;
        let other = caller.destination(BANK).await;
        limit(&bench, &sender, json!({ name: most })).await;
        assert_eq!(send(&caller, &destination, 10_000).await, "");
        for amount in [1, 0] {
            assert_eq!(send(&caller, &destination, amount).await, code, "{name} for {amount}");
        }
        assert_eq!(send(&caller, &other, 10_000).await, "");
        bench.advance(days * 86_400 - 60).await;
        let caller = bench.sender(&sender).await;
        assert_eq!(send(&caller, &destination, 1).await, code, "{name} too early");
        bench.advance(61).await;
        assert_eq!(send(&caller, &destination, 10_000).await, "", "{name}");
    }
}

#[tokio::test]
async fn new_senders_have_limits_and_canceled_transfers_do_not_count() {
    let (bench, sender, caller, destination) = limited().await;
    limit(&bench, &sender, json!({ "count24Hours": 1 })).await;
    let id = caller.held_transfer(&destination, 100).await;
    assert_eq!(send(&caller, &destination, 100).await, "Max24HourTransferCountLimitReached");
    let path = format!("/v1/transfers/{id}/customer-hold/cancel");
    caller.post(&path, &json!({ "reason": "CUSTOMER_REQUEST" })).await.ok();
    assert_eq!(send(&caller, &destination, 100).await, "");
    bench.steer("reset", json!({})).await;
    let caller = bench.sender(&sender).await;
    let destination = caller.destination(BANK).await;
    assert_eq!(send(&caller, &destination, 300_001).await, "Max24HourSendAmountLimitReachedExceed");
    assert_eq!(send(&caller, &destination, 1_000_001).await, "MaxLimitOutOfRange");
}

#[tokio::test]
async fn a_pickup_location_pays_out_within_its_bounds() {
    let (_, caller, destination) = stage(CASH).await;
    assert_eq!(send(&caller, &destination, 999).await, "MinCashPayerTransactionLimitNotReached");
    assert_eq!(send(&caller, &destination, 25_001).await, "MaxCashPayerTransactionLimitExceeded");
    assert_eq!(send(&caller, &destination, 25_000).await, "");
    // The same payer's other location has more in its till.
    for (amount, status) in [(50_000, 200), (50_001, 400)] {
        let mut body = caller.transfer_body(&destination, amount).await;
        set_field(&mut body, "PAYER_LOCATION", json!("MEX-1-2-1-1"));
        assert_eq!(caller.post("/v1/transfers", &body).await.status, status, "{amount}");
    }
    let mut body = caller.transfer_body(&destination, 999).await;
    set_field(&mut body, "PAYER", json!("MEX-1-2-2"));
    set_field(&mut body, "PAYER_LOCATION", json!("MEX-1-2-2-1"));
    caller.post("/v1/transfers", &body).await.ok();
}

#[tokio::test]
async fn a_price_ends_with_the_rate_that_it_was_made_at() {
    let (bench, caller, destination) = stage(CARD).await;
    let old = caller.transfer_body(&destination, 10_000).await;
    bench.advance(901).await;
    caller.post("/v1/transfers", &old).await.fails(400, "QuoteAmountChanged");
    let fresh = caller.transfer_body(&destination, 10_000).await;
    let other = caller.quote(("COL", "COP", "BANK_ACCOUNT"), 10_000).await;
    bench.steer("rates", json!({ "currencyIso3Code": "MXN", "millionths": 10_000 })).await;
    caller.post("/v1/transfers", &fresh).await.fails(400, "QuoteAmountChanged");
    let moved = caller.quote(CARD, 10_000).await;
    let rate = moved["rate"].as_f64().unwrap();
    assert!(rate > 18.265319 * 1.005, "{rate}");
    let again = caller.quote(("COL", "COP", "BANK_ACCOUNT"), 10_000).await;
    assert_eq!(again["rate"], other["rate"]);
    caller.transfer(&destination, 10_000).await.ok();
}

#[tokio::test]
async fn a_quote_is_refused_exactly_when_its_price_has_moved() {
    const DOLLARS: To = ("SLV", "USD", "PUSH_TO_CARD");
    let (bench, caller) = person().await;
    let (bank, dollars) = (caller.destination(BANK).await, caller.destination(DOLLARS).await);
    let rate = |quote: &Value| quote["rate"].clone();

    // The market moves with the clock, also within the time that a quote says.
    bench.advance(600).await;
    let before = caller.transfer_body(&bank, 10_000).await;
    let shown = caller.quote(BANK, 10_000).await;
    bench.advance(600).await;
    assert_ne!(rate(&caller.quote(BANK, 10_000).await), rate(&shown));
    caller.post("/v1/transfers", &before).await.fails(400, "QuoteAmountChanged");
    // A dollar is a dollar, whenever and whatever the market does.
    let same = caller.transfer_body(&dollars, 10_000).await;
    bench.steer("rates", json!({ "currencyIso3Code": "USD", "millionths": 10_000 })).await;
    bench.advance(1_800).await;
    let unchanged = caller.quote(DOLLARS, 10_000).await;
    assert_eq!(unchanged["totalCost"], caller.quote(DOLLARS, 10_000).await["totalCost"]);
    caller.post("/v1/transfers", &same).await.ok();
    // A rate that was moved and moved back is the one that was quoted.
    let back = caller.transfer_body(&bank, 10_000).await;
    for millionths in [10_000, 0] {
        bench.steer("rates", json!({ "currencyIso3Code": "MXN", "millionths": millionths })).await;
    }
    caller.post("/v1/transfers", &back).await.ok();
    // The fee moves, too.
    for (destination, to) in [(&bank, BANK), (&dollars, DOLLARS)] {
        let body = caller.transfer_body(destination, 10_000).await;
        let quoted = caller.quote(to, 10_000).await["totalCost"]["value"].as_i64().unwrap();
        bench.steer("fees", json!({ "transferMethod": to.2, "cents": 25 })).await;
        let dearer = caller.quote(to, 10_000).await["totalCost"]["value"].as_i64().unwrap();
        assert_eq!(dearer - quoted, 25);
        caller.post("/v1/transfers", &body).await.fails(400, "QuoteAmountChanged");
        bench.steer("fees", json!({ "transferMethod": to.2, "cents": 0 })).await;
        caller.post("/v1/transfers", &body).await.ok();
    }
    let nobody = bench.nobody();
    for wrong in [
        json!({ "transferMethod": "PIGEON", "cents": 1 }),
        json!({ "transferMethod": "BANK_ACCOUNT", "cents": -199 }),
    ] {
        nobody.post("/sandbox/fees", &wrong).await.fails(400, "BadRequestError");
    }
}

#[tokio::test]
async fn the_settlement_account_is_drawn_to_the_last_cent() {
    let (bench, caller, destination) = stage(BANK).await;
    bench.steer("balance", json!({ "clientId": "sandbox-client", "cents": 10_248 })).await;
    assert_eq!(send(&caller, &destination, 10_000).await, "InsufficientFunds");
    bench.steer("balance", json!({ "clientId": "sandbox-client", "cents": 10_249 })).await;
    assert_eq!(send(&caller, &destination, 10_000).await, "");
    assert_eq!(send(&caller, &destination, 0).await, "InsufficientFunds");
}

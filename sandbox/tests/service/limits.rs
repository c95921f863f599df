//! Limits, changed prices, and funds: errors that depend on time and earlier transfers.

use std::sync::Arc;

use serde_json::{Value, json};

use super::harness::*;

const DAY: i64 = 86_400;

/// Sends a transfer. Returns the error code, or nothing.
async fn send(caller: &Caller, destination: &Destination, amount: i64) -> String {
    caller.transfer(destination, amount).await.code().to_owned()
}

/// A sender whose limits can be set, with two destinations.
struct Limited {
    sandbox: Arc<TestSandbox>,
    sender: String,
    destinations: [Destination; 2],
}

impl Limited {
    async fn with(limits: Value) -> Self {
        let sandbox = TestSandbox::new();
        let sender = sandbox.known_sender("limited").await;
        let caller = sandbox.sender(&sender).await;
        let destinations = [caller.destination(BANK).await, caller.destination(BANK).await];
        sandbox.control("limits", json!({ "senderId": sender, "limits": limits })).await;
        Self { sandbox, sender, destinations }
    }

    /// Takes a new token, as the clock may have been advanced.
    async fn send(&self, amount: i64) -> String {
        send(&self.sandbox.sender(&self.sender).await, &self.destinations[0], amount).await
    }
}

#[tokio::test]
async fn amount_limits_of_a_sender_are_exceeded_reached_and_reset() {
    for (name, limit, days, reached) in [
        ("send24Hours", 10_000, 1, "Max24HourSendAmountLimitReached"),
        ("totalCost24Hours", 10_249, 1, "Max24HourTotalCostLimitReached"),
        ("send7Days", 10_000, 7, "Max7DaysSendAmountLimitReached"),
    ] {
        let limited = Limited::with(json!({ name: limit })).await;
        assert_eq!(limited.send(10_001).await, format!("{reached}Exceed"));
        assert_eq!(limited.send(10_000).await, "");
        for amount in [1, 0] {
            assert_eq!(limited.send(amount).await, reached, "{amount}");
        }
        limited.sandbox.advance(days * DAY).await;
        assert_eq!(limited.send(10_000).await, "", "{name}");
    }
}

#[tokio::test]
async fn count_limits_of_a_sender_are_reached_and_reset() {
    for (name, days, code) in [
        ("count24Hours", 1, "Max24HourTransferCountLimitReached"),
        ("count7Days", 7, "Max7DaysTransferCountLimitReached"),
    ] {
        let limited = Limited::with(json!({ name: 2 })).await;
        for expected in ["", "", code] {
            assert_eq!(limited.send(100).await, expected);
        }
        limited.sandbox.advance(days * DAY).await;
        assert_eq!(limited.send(100).await, "");
    }
}

#[tokio::test]
async fn limits_of_a_recipient_do_not_apply_to_other_recipients() {
    for (name, limit, days, code) in [
        ("recipient24Hours", 10_000, 1, "Max24HourRecipientSendAmountLimitReached"),
        ("recipient7Days", 10_000, 7, "Max7DaysRecipientSendAmountLimitReached"),
        ("recipientMonth", 10_000, 30, "MaxMonthlyRecipientSendAmountLimitReached"),
        ("recipientCount24Hours", 1, 1, "Max24HourRecipientTransferCountLimitReached"),
        ("recipientCountMonth", 1, 30, "MaxMonthlyRecipientTransferCountLimitReached"),
    ] {
        let limited = Limited::with(json!({ name: limit })).await;
        assert_eq!(limited.send(10_000).await, "");
        for amount in [1, 0] {
            assert_eq!(limited.send(amount).await, code, "{name} for {amount}");
        }
        let caller = limited.sandbox.sender(&limited.sender).await;
        assert_eq!(send(&caller, &limited.destinations[1], 10_000).await, "");
        limited.sandbox.advance(days * DAY - 60).await;
        assert_eq!(limited.send(1).await, code, "{name} too early");
        limited.sandbox.advance(61).await;
        assert_eq!(limited.send(10_000).await, "", "{name}");
    }
}

#[tokio::test]
async fn canceled_transfers_do_not_count_and_new_senders_have_limits() {
    let limited = Limited::with(json!({ "count24Hours": 1 })).await;
    let caller = limited.sandbox.sender(&limited.sender).await;
    let transfer = caller.held_transfer(&limited.destinations[0], 100).await;
    assert_eq!(limited.send(100).await, "Max24HourTransferCountLimitReached");
    caller.cancel(&transfer, "CUSTOMER_REQUEST").await.ok();
    assert_eq!(limited.send(100).await, "");
    limited.sandbox.control("reset", json!({})).await;
    let destination = caller.destination(BANK).await;
    assert_eq!(send(&caller, &destination, 300_001).await, "Max24HourSendAmountLimitReachedExceed");
    assert_eq!(send(&caller, &destination, 1_000_001).await, "MaxLimitOutOfRange");
}

#[tokio::test]
async fn pickup_locations_have_bounds() {
    let (_, caller, destination) = person_with(CASH).await;
    for (payer, location, amount, code) in [
        ("MEX-1-2-1", "MEX-1-2-1-2", 999, "MinCashPayerTransactionLimitNotReached"),
        ("MEX-1-2-1", "MEX-1-2-1-2", 1_000, ""),
        ("MEX-1-2-1", "MEX-1-2-1-2", 25_000, ""),
        ("MEX-1-2-1", "MEX-1-2-1-2", 25_001, "MaxCashPayerTransactionLimitExceeded"),
        ("MEX-1-2-1", "MEX-1-2-1-1", 50_000, ""),
        ("MEX-1-2-1", "MEX-1-2-1-1", 50_001, "MaxCashPayerTransactionLimitExceeded"),
        ("MEX-1-2-2", "MEX-1-2-2-1", 999, ""),
    ] {
        let body = caller.transfer_body(&destination, amount).await;
        let body = with_fields(body, json!({ "PAYER": payer, "PAYER_LOCATION": location }));
        assert_eq!(caller.post("/v1/transfers", &body).await.code(), code, "{location} {amount}");
    }
}

#[tokio::test]
async fn a_transfer_fails_exactly_when_the_price_of_its_quote_has_changed() {
    const DOLLARS: To = ("SLV", "USD", "PUSH_TO_CARD");
    let (sandbox, caller) = person().await;
    let (bank, dollars) = (caller.destination(BANK).await, caller.destination(DOLLARS).await);
    let peso_rate = |millionths: i64| json!({ "currencyIso3Code": "MXN", "millionths": millionths });

    // Rates change with the clock, even during the lifetime of a quote.
    sandbox.advance(600).await;
    let before = caller.transfer_body(&bank, 10_000).await;
    let quoted = caller.quote(BANK, 10_000).await["rate"].clone();
    sandbox.advance(600).await;
    assert_ne!(caller.quote(BANK, 10_000).await["rate"], quoted);
    caller.post("/v1/transfers", &before).await.fails("QuoteAmountChanged");
    // Between equal currencies there is no rate.
    let same = caller.transfer_body(&dollars, 10_000).await;
    sandbox.control("rates", json!({ "currencyIso3Code": "USD", "millionths": 10_000 })).await;
    sandbox.advance(1_800).await;
    caller.post("/v1/transfers", &same).await.ok();
    // A changed rate affects its currency only, until it is changed back.
    let body = caller.transfer_body(&bank, 10_000).await;
    let [pesos, other] = [BANK, ("COL", "COP", "BANK_ACCOUNT")];
    let (peso, other_rate) = (caller.quote(pesos, 1).await, caller.quote(other, 1).await["rate"].clone());
    sandbox.control("rates", peso_rate(10_000)).await;
    caller.post("/v1/transfers", &body).await.fails("QuoteAmountChanged");
    let change = caller.quote(pesos, 1).await["rate"].as_f64().unwrap() / peso["rate"].as_f64().unwrap();
    assert!((1.009..1.011).contains(&change), "{change}");
    assert_eq!(caller.quote(other, 1).await["rate"], other_rate);
    // A second move adds to the first.
    let moved = caller.transfer_body(&bank, 10_000).await;
    assert_eq!(sandbox.control("rates", peso_rate(10_000)).await["millionths"], 20_000);
    caller.post("/v1/transfers", &moved).await.fails("QuoteAmountChanged");
    sandbox.control("rates", peso_rate(-20_000)).await;
    caller.post("/v1/transfers", &body).await.ok();
    // Fees change too.
    for (destination, to) in [(&bank, BANK), (&dollars, DOLLARS)] {
        let body = caller.transfer_body(destination, 10_000).await;
        let cost = async || caller.quote(to, 10_000).await["totalCost"]["value"].as_i64().unwrap();
        let quoted = cost().await;
        sandbox.control("fees", json!({ "transferMethod": to.2, "cents": 25 })).await;
        assert_eq!(cost().await - quoted, 25);
        caller.post("/v1/transfers", &body).await.fails("QuoteAmountChanged");
        sandbox.control("fees", json!({ "transferMethod": to.2, "cents": -25 })).await;
        caller.post("/v1/transfers", &body).await.ok();
    }
    sandbox.control_fails("fees", json!({ "transferMethod": "PIGEON", "cents": 1 })).await;
    sandbox.control_fails("fees", json!({ "transferMethod": "BANK_ACCOUNT", "cents": -199 })).await;
    sandbox.control_fails("rates", peso_rate(500_001)).await;
    sandbox.control_fails("rates", json!({ "currencyIso3Code": "XXX", "millionths": 1 })).await;
}

#[tokio::test]
async fn the_settlement_account_can_be_used_up_to_the_last_cent() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let set_balance = async |cents: i64| {
        sandbox.control("balance", json!({ "clientId": "sandbox-client", "cents": cents })).await;
    };
    set_balance(10_373).await;
    assert_eq!(send(&caller, &destination, 10_000).await, "InsufficientFunds");
    set_balance(10_374).await;
    let transfer = caller.held_transfer(&destination, 10_000).await;
    assert_eq!(send(&caller, &destination, 0).await, "InsufficientFunds");
    // A canceled transfer is refunded once.
    for _ in 0..2 {
        assert_eq!(caller.cancel(&transfer, "SUSPECTED_FRAUD").await.status, 202);
    }
    assert_eq!(send(&caller, &destination, 10_000).await, "");
    assert_eq!(send(&caller, &destination, 0).await, "InsufficientFunds");
}

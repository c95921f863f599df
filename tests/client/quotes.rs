//! Quotes that change or end: the caller gets a fresh one beside the old one, and nothing is sent with it.

use std::cell::Cell;
use std::rc::Rc;

use remitkit::api::{Code, Kind};

use crate::script::{ScriptedClient, answer, error, refusal};
use crate::service::{QUOTE, REQUEST, SECOND, Service, summary};

const FRESH: &str = "55555555-4f89-41d3-9a0c-0305e82c3301";

/// Returns a quote with these amounts, the second one or `null`, and further members.
pub(crate) fn quoted(id: &str, sends: &str, receives: &str, more: &str) -> String {
    let amount = |value: &str, code: &str| {
        format!(
            r#"{{"value":{value},"currency":{{"name":"{code}","iso3Code":"{code}","symbol":"$",
                "decimalPlaces":2,"roundDirection":"STANDARD"}}}}"#
        )
    };
    let receives = if receives == "null" { receives.to_owned() } else { amount(receives, "MXN") };
    let sends = amount(sends, "USD");
    format!(r#"{{"quoteHistoryId":"{id}","sendAmount":{sends},"receiveAmount":{receives}{more}}}"#)
}

/// Returns a service that gives [`FRESH`], or [`QUOTE`] first to a page that sees that one too, and that
/// refuses each transfer with this code. `ends_at` is the end of the first quote, in milliseconds.
fn repriced(has_seen_it: bool, ends_at: &'static str, code: &str) -> Service {
    let mut service = Service::failing(refusal(400, code));
    let is_first = Cell::new(has_seen_it);
    service.quote = Rc::new(move |sent| {
        let is_read = sent.path == format!("/v1/quote/{QUOTE}");
        assert!(
            is_read || sent.path.contains("dstCountryIso3Code=MEX") && sent.path.contains("amount=12550")
        );
        let (id, receives, ends_at) = match is_read || is_first.take() {
            true => (QUOTE, "217000", ends_at),
            false => (FRESH, "216000", "999999999"),
        };
        answer(200, &quoted(id, "12550", receives, &format!(r#","expirationDate":"{ends_at}""#)))
    });
    service
}

#[tokio::test(start_paused = true)]
async fn a_changed_price_comes_with_the_fresh_quote_and_the_difference() {
    // A client that has not seen the old quote reads it again.
    for (has_seen_it, code) in [(true, "QuoteAmountChanged"), (false, "QuoteAmountChangedOfac")] {
        let service = repriced(has_seen_it, "999999999", code);
        let page = if has_seen_it { service.quoted(REQUEST).await } else { service.page() };
        let error = error(page.prepare(REQUEST).await.unwrap().submit().await);
        assert_eq!((error.code().as_str(), error.kind()), (code, Kind::Quote));
        let change = error.quote_change().unwrap();
        assert_eq!(change.quote().unwrap().quote_history_id.as_str(), FRESH);
        assert_eq!(change.previous_quote().unwrap().quote_history_id.as_str(), QUOTE);
        assert_eq!(change.difference().collect::<Vec<_>>(), [("sendAmount", 0), ("receiveAmount", -1000)]);
        let quotes = page.sent().iter().filter(|sent| sent.route().1 == "/v1/quote").count();
        assert_eq!((service.post_count(), quotes), (1, if has_seen_it { 2 } else { 1 }));
        assert!(page.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn an_expired_quote_is_refused_unused_and_comes_with_a_fresh_one() {
    // It ends before the transfer is prepared, or between that and the submission.
    for ends_before_prepared in [true, false] {
        let service = repriced(true, "60000", "QuoteAmountChanged");
        let page = service.quoted(REQUEST).await;
        let error = if ends_before_prepared {
            tokio::time::advance(61 * SECOND).await;
            error(page.prepare(REQUEST).await)
        } else {
            let attempt = page.prepare(REQUEST).await.unwrap();
            assert!(summary(&attempt).contains(r#""expiresAt":60000"#), "{}", summary(&attempt));
            tokio::time::advance(61 * SECOND).await;
            error(attempt.submit().await)
        };
        assert_eq!((error.code(), error.kind()), (Code::QuoteExpired, Kind::Quote));
        assert_eq!(error.quote_change().unwrap().quote().unwrap().quote_history_id.as_str(), FRESH);
        assert_eq!(service.post_count(), 0);
        assert!(page.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_would_hold_for_days_proves_a_wrong_clock() {
    let a_day_ms = 86_400_000;
    for (ends_at, is_known) in [("86400015", true), ("86400016", false)] {
        let page = repriced(true, ends_at, "QuoteAmountChanged").quoted(REQUEST).await;
        let attempt = page.prepare(REQUEST).await.unwrap();
        assert_eq!(attempt.expires_at_ms(), is_known.then_some(a_day_ms + 15), "{ends_at}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_has_ended_when_it_arrives_proves_a_wrong_clock() {
    for (ends_at, is_prepared) in [("1", true), ("15", true), ("16", false)] {
        let service = repriced(true, ends_at, "QuoteAmountChanged");
        let page = service.quoted(REQUEST).await;
        assert_eq!(page.now_ms(), 15);
        tokio::time::advance(SECOND).await;
        let prepared = page.prepare(REQUEST).await;
        assert_eq!(prepared.is_ok(), is_prepared, "{ends_at}");
        if let Ok(attempt) = prepared {
            assert!(!summary(&attempt).contains("expiresAt"));
            attempt.submit().await.unwrap_err();
            assert_eq!(service.post_count(), 1);
        }
    }
}

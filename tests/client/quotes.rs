//! Quotes that change or end: the caller gets a fresh one beside the old one, and nothing is sent with it.

use std::cell::Cell;
use std::rc::Rc;

use remitkit::api::{Code, Kind};
use remitkit::client::{Answer, Client, Environment, SendFailure};

use crate::support::{Script, TextCalls, answer, nonce, summary};
use crate::transfers::{QUOTE, REQUEST};

const FRESH: &str = "55555555-4f89-41d3-9a0c-0305e82c3301";

/// A quote that ends at a time of the tests' clock.
fn quote(id: &str, receives: u32, ends_at: &str) -> Result<Answer, SendFailure> {
    let currency = |code: &str| {
        format!(
            r#"{{"name":"{code}","iso3Code":"{code}","symbol":"$","decimalPlaces":2,"roundDirection":"STANDARD"}}"#
        )
    };
    let (usd, mxn) = (currency("USD"), currency("MXN"));
    answer(
        200,
        &format!(
            r#"{{"quoteHistoryId":"{id}","sendAmount":{{"value":12550,"currency":{usd}}},"receiveAmount":{{"value":{receives},"currency":{mxn}}},"expirationDate":"{ends_at}"}}"#
        ),
    )
}

/// A service that quotes [`QUOTE`], then [`FRESH`], and refuses the transfer because its price has changed.
fn repriced(ends_at: &'static str) -> (Client<impl Environment<Signal = u64>>, Rc<Cell<u32>>, Rc<Cell<u32>>) {
    let (posts, quotes) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let (counted, given) = (posts.clone(), quotes.clone());
    let script =
        Script::new(move |_, sent| match (sent.method.as_str(), sent.path.split('?').next().unwrap()) {
            (_, "/v1/transfer-fields") => answer(200, r#"{"fieldSets":[]}"#),
            (_, "/v1/nonce") => nonce(),
            (_, "/v1/quote") => {
                assert!(sent.path.contains("amount=12550") && sent.path.contains("dstCountryIso3Code=MEX"));
                given.set(given.get() + 1);
                if given.get() == 1 {
                    quote(QUOTE, 217_000, ends_at)
                } else {
                    quote(FRESH, 216_000, "999999999")
                }
            }
            (_, path) if path == format!("/v1/quote/{QUOTE}") => quote(QUOTE, 217_000, ends_at),
            ("POST", "/v1/transfers") => {
                counted.set(counted.get() + 1);
                answer(400, r#"[{"code":"QuoteAmountChanged","message":"Changed"}]"#)
            }
            (_, path) if path.starts_with("/v1/transfers/progress/") => {
                answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#)
            }
            other => panic!("{other:?}"),
        });
    (script.client(), posts, quotes)
}

const QUERY: &str = r#"{"transferMethod":"PUSH_TO_CARD","quoteBy":"SEND_AMOUNT","dstCountryIso3Code":"MEX","srcCurrencyIso3Code":"USD","dstCurrencyIso3Code":"MXN","amount":12550}"#;

#[tokio::test(start_paused = true)]
async fn a_changed_price_comes_back_with_the_fresh_quote_and_the_difference_and_nothing_is_sent_with_it() {
    // The second time the client has not seen the old quote, and reads it again.
    for has_seen_it in [true, false] {
        let (client, posts, quotes) = repriced("999999999");
        if has_seen_it {
            client.call(&remitkit::api::QUOTE, &[], Some(QUERY), &0).await.map(drop).unwrap();
        } else {
            quotes.set(1);
        }
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        let error = attempt.submit().await.err().unwrap();
        assert_eq!((error.code(), error.kind()), (Code::QuoteAmountChanged, Kind::Quote));
        let change = error.quote_change().unwrap();
        assert_eq!(change.quote().unwrap().quote_history_id.as_str(), FRESH);
        assert_eq!(change.previous_quote().unwrap().quote_history_id.as_str(), QUOTE);
        assert_eq!(change.difference().collect::<Vec<_>>(), [("sendAmount", 0), ("receiveAmount", -1000)]);
        assert_eq!((posts.get(), quotes.get()), (1, 2));
        assert!(client.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn an_expired_quote_is_told_before_it_is_used_and_a_fresh_one_comes_with_it() {
    // It ends before the transfer is prepared, or between that and the submission.
    for ends_before_prepared in [true, false] {
        let (client, posts, _) = repriced("60000");
        client.call(&remitkit::api::QUOTE, &[], Some(QUERY), &0).await.map(drop).unwrap();
        let error = if ends_before_prepared {
            tokio::time::advance(std::time::Duration::from_secs(61)).await;
            client.prepare(REQUEST, &0).await.err().unwrap()
        } else {
            let attempt = client.prepare(REQUEST, &0).await.unwrap();
            assert!(summary(&attempt).contains(r#""expiresAt":60000"#), "{}", summary(&attempt));
            tokio::time::advance(std::time::Duration::from_secs(61)).await;
            attempt.submit().await.err().unwrap()
        };
        assert_eq!((error.code(), error.kind()), (Code::QuoteExpired, Kind::Quote));
        assert_eq!(error.quote_change().unwrap().quote().unwrap().quote_history_id.as_str(), FRESH);
        assert_eq!(posts.get(), 0);
        assert!(client.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_wrong_refuses_nothing() {
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    let (client, posts, _) = repriced("1");
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    client.call(&remitkit::api::QUOTE, &[], Some(QUERY), &0).await.map(drop).unwrap();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert!(!summary(&attempt).contains("expiresAt"));
    attempt.submit().await.err().unwrap();
    assert_eq!(posts.get(), 1);
}

#[tokio::test(start_paused = true)]
async fn without_a_fresh_quote_the_refusal_still_comes() {
    let script = Script::new(|_, sent| match sent.path.split('?').next().unwrap() {
        "/v1/transfer-fields" => answer(200, r#"{"fieldSets":[]}"#),
        "/v1/nonce" => nonce(),
        "/v1/transfers" => answer(400, r#"[{"code":"QuoteAmountChangedOfac","message":"Changed"}]"#),
        path if path.contains("/progress/") => answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#),
        _ => answer(400, r#"[{"code":"ErrorGettingQuote","message":"Not now"}]"#),
    });
    let client = script.client();
    let error = client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!(error.code(), Code::QuoteAmountChangedOfac);
    assert!(error.quote_change().is_none());
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_ends_in_the_moment_in_which_it_comes_tells_of_a_wrong_clock() {
    for (ends_at, is_prepared) in [("15", true), ("16", false)] {
        let (client, _, _) = repriced(ends_at);
        client.call(&remitkit::api::QUOTE, &[], Some(QUERY), &0).await.map(drop).unwrap();
        assert_eq!(client.environment().now_ms(), 15);
        tokio::time::advance(std::time::Duration::from_secs(1)).await;
        assert_eq!(client.prepare(REQUEST, &0).await.is_ok(), is_prepared, "{ends_at}");
    }
}

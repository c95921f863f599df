//! Quotes that change or end: the caller gets a fresh one beside the old one, and nothing is sent with it.

use std::cell::Cell;
use std::rc::Rc;

use remitkit::api::{Code, Kind};
use remitkit::client::Client;

use crate::script::{NO_FIELDS, Script, ScriptedClient, answer, error, nonce, refusal};
use crate::service::{QUOTE, REQUEST, SECOND, summary};

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

/// A service that gives [`QUOTE`], then [`FRESH`], and refuses the transfer because its price has changed.
struct Repriced {
    client: Client<Script>,
    posts: Rc<Cell<u32>>,
    quotes: Rc<Cell<u32>>,
}

impl Repriced {
    /// `ends_at` is the end of the first quote, in milliseconds, and `code` the refusal's.
    fn open(ends_at: &'static str, code: &'static str) -> Self {
        let (posts, quotes) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let (posted, given) = (posts.clone(), quotes.clone());
        let quote = |id, receives, ends_at| {
            answer(200, &quoted(id, "12550", receives, &format!(r#","expirationDate":"{ends_at}""#)))
        };
        let script = Script::new(move |_, sent| match sent.route() {
            (_, "/v1/transfer-fields") => answer(200, NO_FIELDS),
            (_, "/v1/nonce") => nonce(),
            (_, "/v1/quote") => {
                assert!(sent.path.contains("amount=12550") && sent.path.contains("dstCountryIso3Code=MEX"));
                match given.replace(given.get() + 1) {
                    0 => quote(QUOTE, "217000", ends_at),
                    _ => quote(FRESH, "216000", "999999999"),
                }
            }
            (_, path) if path == format!("/v1/quote/{QUOTE}") => quote(QUOTE, "217000", ends_at),
            ("POST", "/v1/transfers") => {
                posted.set(posted.get() + 1);
                refusal(400, code)
            }
            (_, path) if path.starts_with("/v1/transfers/progress/") => {
                answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#)
            }
            other => panic!("{other:?}"),
        });
        Repriced { client: script.client(), posts, quotes }
    }

    async fn quote(&self) {
        self.client.call(&remitkit::api::QUOTE, &[], Some(REQUEST)).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_price_comes_with_the_fresh_quote_and_the_difference() {
    // A client that has not seen the old quote reads it again.
    for (has_seen_it, code) in [(true, "QuoteAmountChanged"), (false, "QuoteAmountChangedOfac")] {
        let service = Repriced::open("999999999", code);
        if has_seen_it {
            service.quote().await;
        } else {
            service.quotes.set(1);
        }
        let error = error(service.client.prepare(REQUEST).await.unwrap().submit().await);
        assert_eq!((error.code().as_str(), error.kind()), (code, Kind::Quote));
        let change = error.quote_change().unwrap();
        assert_eq!(change.quote().unwrap().quote_history_id.as_str(), FRESH);
        assert_eq!(change.previous_quote().unwrap().quote_history_id.as_str(), QUOTE);
        assert_eq!(change.difference().collect::<Vec<_>>(), [("sendAmount", 0), ("receiveAmount", -1000)]);
        assert_eq!((service.posts.get(), service.quotes.get()), (1, 2));
        assert!(service.client.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn an_expired_quote_is_refused_unused_and_comes_with_a_fresh_one() {
    // It ends before the transfer is prepared, or between that and the submission.
    for ends_before_prepared in [true, false] {
        let Repriced { client, posts, .. } = &Repriced::open("60000", "QuoteAmountChanged");
        client.call(&remitkit::api::QUOTE, &[], Some(REQUEST)).await.unwrap();
        let error = if ends_before_prepared {
            tokio::time::advance(61 * SECOND).await;
            error(client.prepare(REQUEST).await)
        } else {
            let attempt = client.prepare(REQUEST).await.unwrap();
            assert!(summary(&attempt).contains(r#""expiresAt":60000"#), "{}", summary(&attempt));
            tokio::time::advance(61 * SECOND).await;
            error(attempt.submit().await)
        };
        assert_eq!((error.code(), error.kind()), (Code::QuoteExpired, Kind::Quote));
        assert_eq!(error.quote_change().unwrap().quote().unwrap().quote_history_id.as_str(), FRESH);
        assert_eq!(posts.get(), 0);
        assert!(client.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_has_ended_when_it_arrives_proves_a_wrong_clock() {
    for (ends_at, is_prepared) in [("1", true), ("15", true), ("16", false)] {
        let service = Repriced::open(ends_at, "QuoteAmountChanged");
        service.quote().await;
        assert_eq!(service.client.now_ms(), 15);
        tokio::time::advance(SECOND).await;
        let prepared = service.client.prepare(REQUEST).await;
        assert_eq!(prepared.is_ok(), is_prepared, "{ends_at}");
        if let Ok(attempt) = prepared {
            assert!(!summary(&attempt).contains("expiresAt"));
            attempt.submit().await.unwrap_err();
            assert_eq!(service.posts.get(), 1);
        }
    }
}

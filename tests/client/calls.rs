//! One call: retries, timeouts, aborts, the checks before it is sent, the form of its reply; and the calls
//! of a card form's session.

use std::time::Duration;

use futures_util::future::join_all;
use remitkit::api::{
    CORRIDORS, CREATE_RECIPIENT, Code, CorridorFilter, CountryCode, Kind, SessionId, TRANSFER_RECEIPT,
    UPDATE_SENDER,
};
use remitkit::card::Theme;
use remitkit::client::{Answer, Client, SendFailure};
use serde_json::{Value, json};

use crate::script::{BASE_URL, CARD_URL, ID, Script, ScriptedClient, answer, error, kind, nonce};

pub(crate) const CITY_REQUIRED: &str = r#"{"fieldSets":[{"fieldSetId":"a","fields":[
    {"fieldType":"TEXT","fieldId":"CITY","name":"City","isRequired":true}]}]}"#;
pub(crate) const RECIPIENT: &str = concat!(
    r#"{"userType":"PERSON","dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","#,
    r#""transferMethod":"BANK_ACCOUNT","#,
    r#""fields":[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}]}"#
);

#[tokio::test(start_paused = true)]
async fn a_failing_read_is_sent_three_times_within_thirty_seconds_and_a_refused_one_once() {
    let refusal = r#"[{"code":"QuoteByReceiveNotEnabled","message":"Not here"}]"#;
    let busy = |retry_after_s| Ok(Answer { retry_after_s: Some(retry_after_s), ..answer(429, "")? });
    for (random, delays) in [(0.0, [500, 1000]), (0.5, [750, 1500]), (1.0, [1000, 2000])] {
        for (failing, code, kind, delays) in [
            (Err(SendFailure::Network), Code::NetworkFailure, Kind::Unavailable, &delays[..]),
            (Err(SendFailure::Timeout), Code::Timeout, Kind::Timeout, &delays),
            (answer(200, "[]"), Code::UnreadableReply, Kind::Unavailable, &delays),
            (answer(200, "{\"no"), Code::UnreadableReply, Kind::Unavailable, &delays),
            (answer(502, "<html>"), Code::ServiceUnavailable, Kind::Unavailable, &delays),
            (answer(429, ""), Code::TooManyRequests, Kind::Unavailable, &delays),
            (busy(7), Code::TooManyRequests, Kind::Unavailable, &[7000, 7000]),
            // Beyond the bound.
            (busy(40), Code::TooManyRequests, Kind::Unavailable, &[]),
            (answer(400, refusal), Code::QuoteByReceiveNotEnabled, Kind::Quote, &[]),
            // The page's policy.
            (Err(SendFailure::Blocked), Code::InvalidConfiguration, Kind::Configuration, &[]),
            (Err(SendFailure::Faulty), Code::InvalidConfiguration, Kind::Configuration, &[]),
            (Err(SendFailure::Missing), Code::InvalidConfiguration, Kind::Configuration, &[]),
            (Err(SendFailure::TooLong), Code::UnreadableReply, Kind::Unavailable, &[]),
        ] {
            let took_ms = if matches!(failing, Err(SendFailure::Timeout)) { 10_000 } else { 10 };
            let (failed, answered) = (failing.clone().err(), failing.clone().ok());
            let mut script = Script::new(move |_, _| failing.clone());
            script.random = random;
            let client = script.client();
            let error = error(client.nonce().await);
            let retryable = !matches!(kind, Kind::Quote | Kind::Configuration);
            assert_eq!((error.code(), error.kind(), error.retryable()), (code, kind, retryable));
            let option = if matches!(failed, Some(SendFailure::Blocked)) { "connect-src" } else { "fetch" };
            assert_eq!(error.option(), (kind == Kind::Configuration).then_some(option));
            let times: Vec<_> = client.sent().iter().map(|sent| sent.at_ms).collect();
            let waits: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0] - took_ms).collect();
            assert_eq!(waits, delays, "{error:?}");
            assert!(client.now_ms() <= 30_005, "{} ms", client.now_ms());
            let retry_after_s = answered.as_ref().and_then(|answer| answer.retry_after_s);
            assert_eq!(error.retry_after(), retry_after_s.map(|seconds| Duration::from_secs(seconds.into())));
            assert_eq!(error.request_id(), answered.and(Some("r-1")));
            assert!(error.kind() != Kind::Quote || error.message() == "Not here");
        }
    }
    let client = Script::new(|n, _| if n < 2 { answer(503, "") } else { nonce() }).client();
    client.nonce().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_filter_narrows_the_corridors_and_is_not_sent() {
    let corridor = |country: &str, method: &str, from: &[&str], to: &str| {
        let currency = |code: &&str| json!({ "iso3Code": code, "decimalPlaces": 2 });
        json!({
            "destinationCountry": { "iso3Code": country, "iso2Code": "XX", "name": "Any" },
            "transferMethod": method,
            "sourceCurrency": from.iter().map(currency).collect::<Vec<_>>(),
            "destinationCurrency": [currency(&to)],
            "addedLater": 7,
        })
    };
    let rows = [
        corridor("MEX", "PUSH_TO_CARD", &["USD"], "MXN"),
        corridor("MEX", "BANK_ACCOUNT", &["USD", "EUR"], "USD"),
        corridor("IND", "BANK_ACCOUNT", &["USD"], "INR"),
    ];
    let reply = json!(rows).to_string();
    let client = Script::new(move |_, _| answer(200, &reply)).client();
    for (filter, kept) in [
        (json!({}), &[0, 1, 2][..]),
        (json!({ "dstCountryIso3Code": "MEX" }), &[0, 1]),
        (json!({ "dstCountryIso3Code": "MEX", "transferMethod": null }), &[0, 1]),
        (json!({ "transferMethod": "BANK_ACCOUNT" }), &[1, 2]),
        (json!({ "dstCurrencyIso3Code": "USD" }), &[1]),
        (json!({ "srcCurrencyIso3Code": "EUR", "dstCountryIso3Code": "MEX" }), &[1]),
        (json!({ "srcCurrencyIso3Code": "EUR", "dstCountryIso3Code": "IND" }), &[]),
    ] {
        let reply = client.call(&CORRIDORS, &[], Some(&filter.to_string())).await.unwrap();
        let expected: Vec<_> = kept.iter().map(|row| rows[*row].clone()).collect();
        assert_eq!(serde_json::from_str::<Value>(reply.json()).unwrap(), json!(expected), "{filter}");
    }
    let sent = client.sent().len();
    for (filter, option) in [
        (r#"{"dstCountryIso3Code":"mex"}"#, "dstCountryIso3Code"),
        (r#"{"transferMethod":"push to card"}"#, "transferMethod"),
        (r#"{"country":"MEX"}"#, "country"),
        // A corridor's own name, which a request would ignore.
        (r#"{"destinationCountry":"IND"}"#, "destinationCountry"),
        (r#"{"sourceCurrency":"EUR"}"#, "sourceCurrency"),
        ("[]", "filter"),
    ] {
        let error = error(client.call(&CORRIDORS, &[], Some(filter)).await);
        assert_eq!((error.kind(), error.option()), (Kind::InvalidRequest, Some(option)));
    }
    assert_eq!(client.sent().len(), sent);
    let filter = CorridorFilter::default().with_dst_country("IND".parse::<CountryCode>().unwrap());
    assert_eq!(client.corridors(&filter).await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_fields_are_fetched_for_each_request_and_checked_before_it() {
    let client = Script::new(|_, _| answer(200, CITY_REQUIRED)).client();
    for _ in 0..2 {
        let error = error(client.call(&CREATE_RECIPIENT, &[], Some(RECIPIENT)).await);
        let expected = (Kind::Field, Code::MissingRequiredField, Some("CITY"));
        assert_eq!((error.kind(), error.code(), error.option()), expected);
        let shown = serde_json::to_value(&error).unwrap();
        assert_eq!(
            (&shown["problems"][0]["fieldId"], &shown["problems"][0]["label"]),
            (&"CITY".into(), &"City".into())
        );
    }
    let expected = "/v1/recipient-fields?dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN\
                    &transferMethod=BANK_ACCOUNT&recipientType=PERSON";
    assert_eq!(client.sent().iter().map(|sent| sent.path.clone()).collect::<Vec<_>>(), [expected; 2]);
}

#[tokio::test(start_paused = true)]
async fn a_patch_of_one_field_sends_that_field_alone_and_is_resent_unchanged() {
    let change = r#"{"senderType":"PERSON","fields":[{"id":"lastName","value":"Núñez"}]}"#;
    let script = Script::new(|n, sent| match (sent.method, n) {
        ("GET", _) => answer(200, CITY_REQUIRED),
        (_, 1) => Err(SendFailure::Network),
        _ => answer(200, &format!(r#"{{"senderId":"{ID}"}}"#)),
    });
    let client = script.client();
    client.call(&UPDATE_SENDER, &[ID], Some(change)).await.unwrap();
    assert_eq!(client.sent().iter().filter_map(|sent| sent.body.clone()).collect::<Vec<_>>(), [change; 2]);
}

#[tokio::test(start_paused = true)]
async fn an_abort_ends_a_call_at_any_moment() {
    // While the token is fetched, while the answer is awaited, and during a delay.
    for at_ms in [2_u64, 8, 600] {
        let client = Script::new(|_, _| Err(SendFailure::Network)).client();
        assert_eq!(kind(client.nonce().with_signal(at_ms).await), Kind::Aborted, "at {at_ms} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn all_calls_of_a_client_share_a_budget_of_retries() {
    let client = Script::new(|_, _| Err(SendFailure::Network)).client();
    assert!(join_all((0..100).map(|_| client.nonce())).await.iter().all(Result::is_err));
    let retries = client.sent().len() as u64 - 100;
    let earned = client.now_ms() / 1000 + 1;
    assert!((20..=20 + earned).contains(&retries), "{retries} retries in {} ms", client.now_ms());
}

#[tokio::test(start_paused = true)]
async fn a_reply_says_how_it_is_to_be_read() {
    let plain = format!(r#"{{"transferId":"{ID}","confirmationNumber":"7"}}"#);
    let script = Script::new(move |_, sent| match sent.path.as_str() {
        "/v1/plain" => answer(200, &plain),
        "/v1/bigint" => answer(200, r#"{"fee":{"value":9007199254740993,"currency":{}}}"#),
        "/v1/nothing" => answer(200, ""),
        path if path.ends_with("/receipt") => {
            let (bytes, content_type) = (vec![37, 80], Some("application/pdf".to_owned()));
            Ok(Answer { bytes, content_type, ..answer(200, "")? })
        }
        _ => answer(200, &format!("[{}]", vec![format!(r#"{{"recipientId":"{ID}"}}"#); 5].join(","))),
    });
    let client = script.client();
    let get = async |path: &str| {
        client.request_text(&format!(r#"{{"method":"GET","path":"{path}"}}"#)).await.unwrap()
    };
    assert!(!get("/v1/plain").await.has_bigints());
    let exact = get("/v1/bigint").await;
    assert!(exact.has_bigints() && exact.json().contains(":9007199254740993,"));
    assert_eq!(get("/v1/nothing").await.json(), "");
    let receipt = client.call(&TRANSFER_RECEIPT, &[ID], None).await.unwrap();
    let receipt = receipt.receipt().unwrap();
    assert_eq!(
        (&receipt.bytes[..], receipt.content_type.as_deref()),
        (&[37, 80][..], Some("application/pdf"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_value_is_checked_by_a_pattern_that_the_environment_can_evaluate() {
    let form = r#"{"fieldSets":[{"fieldSetId":"a","fields":[
        {"fieldType":"TEXT","fieldId":"CITY","isRequired":true,"regex":"^(Li|Ca)[a-z]{2}$"}]}]}"#;
    let recipient = RECIPIENT.replace("]}", r#",{"id":"CITY","value":"Bonn"}]}"#);
    for (matches, is_sent) in [(None, true), (Some(true), true), (Some(false), false)] {
        let mut script = Script::new(move |_, sent| match sent.method {
            "GET" => answer(200, form),
            _ => answer(201, &format!(r#"{{"recipientId":"{ID}"}}"#)),
        });
        script.matches = matches;
        let outcome = script.client().call(&CREATE_RECIPIENT, &[], Some(&recipient)).await;
        assert_eq!(outcome.is_ok(), is_sent, "{matches:?}");
        if let Err(error) = outcome {
            assert_eq!((error.kind(), error.option()), (Kind::Field, Some("CITY")));
        }
    }
}

#[test]
fn a_client_checks_its_options_and_derives_url_and_policy_from_them() {
    for (base_url, card_url, locale, timeout_ms, wrong) in [
        (BASE_URL, CARD_URL, "en-US", 100, None),
        (BASE_URL, CARD_URL, "no language", 120_000, None),
        ("http://shop.example", CARD_URL, "en-US", 1_000, Some("base_url")),
        (BASE_URL, "", "en-US", 1_000, Some("card_url")),
        (BASE_URL, CARD_URL, "en-US", 99, Some("timeout")),
        (BASE_URL, CARD_URL, "en-US", 120_001, Some("timeout")),
    ] {
        let builder = Client::builder(Script::new(|_, _| nonce())).base_url(base_url).card_url(card_url);
        match builder.locale(locale).timeout(Duration::from_millis(timeout_ms)).build() {
            Ok(client) => {
                assert_eq!(wrong, None, "{base_url} {card_url} {locale} {timeout_ms}");
                assert_eq!(client.today(), "1970-01-01");
                let url = client.card_form_url(&SessionId::new(ID).unwrap(), &Theme::default()).unwrap();
                assert!(url.starts_with(CARD_URL) && url.contains(ID), "{url}");
                let policy = client.content_security_policy();
                assert_eq!(policy.frame_src, [CARD_URL]);
                let header = policy.to_string();
                let connect = format!("; connect-src 'self' {BASE_URL} {CARD_URL}; frame-src {CARD_URL}");
                assert!(header.starts_with("script-src 'self'") && header.ends_with(&connect), "{header}");
            }
            Err(error) => assert_eq!((error.kind(), error.option()), (Kind::Configuration, wrong)),
        }
    }
}

fn session(status: &str, card: &str) -> String {
    format!(r#"{{"id":"{ID}","status":"{status}","expirationDate":"2026-11-22T00:00:00Z"{card}}}"#)
}

#[tokio::test(start_paused = true)]
async fn an_expired_session_opens_no_card_form() {
    for (status, code) in [("INCOMPLETE", None), ("EXPIRED", Some(Code::InvalidCardOnboardingSession))] {
        let client = Script::new(move |_, _| answer(200, &session(status, ""))).client();
        let opened = client.open_card(Some(&SessionId::new(ID).unwrap())).await;
        assert_eq!(opened.err().map(|error| error.code()), code, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_is_read_as_soon_as_its_session_shows_it_at_most_four_times() {
    for ready_at in [1, 4, 5] {
        let script = Script::new(move |turn, _| match turn + 1 >= ready_at {
            true => answer(200, &session("SUCCEEDED", r#","cardId":"c-1""#)),
            false => answer(200, &session("INCOMPLETE", "")),
        });
        let client = script.client();
        let read = client.read_card(&SessionId::new(ID).unwrap()).await;
        match ready_at {
            5 => assert_eq!(error(read).code(), Code::InvalidCardOnboardingSession),
            _ => assert_eq!(read.unwrap(), "c-1"),
        }
        assert_eq!(client.sent().len(), ready_at.min(4));
    }
}

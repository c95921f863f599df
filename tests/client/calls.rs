use futures_util::future::join_all;
use remitkit::api::{
    CREATE_RECIPIENT, Code, Kind, LIST_RECIPIENTS, NONCE, QUOTE, TRANSFER_RECEIPT, UPDATE_SENDER,
};
use remitkit::client::SendFailure;

use crate::support::{ID, Script, TextCalls, answer, nonce};

const QUOTE_REQUEST: &str = r#"{"transferMethod":"BANK_ACCOUNT","quoteBy":"SEND_AMOUNT","dstCountryIso3Code":"MEX","srcCurrencyIso3Code":"USD","dstCurrencyIso3Code":"MXN","amount":12550}"#;
const RECIPIENT: &str = r#"{"userType":"PERSON","dstCountryIso3Code":"MEX","dstCurrencyIso3Code":"MXN","transferMethod":"BANK_ACCOUNT","fields":[{"id":"firstName","value":"Ana"},{"id":"lastName","value":"Diaz"}]}"#;
const NO_FIELDS: &str = r#"{"fieldSets":[]}"#;

#[tokio::test(start_paused = true)]
async fn a_failing_read_is_tried_three_times_with_growing_pauses() {
    for failing in [
        Err(SendFailure::Network),
        Err(SendFailure::Timeout),
        answer(503, "<html>"),
        answer(429, ""),
        answer(200, "{\"no"),
    ] {
        let status = failing.as_ref().map_or(0, |answer| answer.status);
        let text = failing.as_ref().map_or(String::new(), |answer| answer.text.clone());
        let failure = failing.err();
        let script = Script::new(move |n, _| match (n, failure) {
            (2, _) => nonce(),
            (_, Some(failure)) => Err(failure),
            _ => answer(status, &text),
        });
        let sent = script.sent.clone();
        script.client().call(&NONCE, &[], None, &0).await.unwrap();
        let times: Vec<_> = sent.borrow().iter().map(|sent| sent.at_ms).collect();
        assert_eq!(times.len(), 3);
        assert!(times[1] - times[0] >= 1000 && times[2] - times[1] >= 2000, "{times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn after_three_attempts_the_error_says_what_it_was() {
    let cases = [
        (Err(SendFailure::Network), Code::NetworkFailure, Kind::Unavailable),
        (Err(SendFailure::Timeout), Code::Timeout, Kind::Timeout),
        (answer(200, "[]"), Code::UnreadableReply, Kind::Unavailable),
        (answer(502, "<html>"), Code::ServiceUnavailable, Kind::Unavailable),
    ];
    for (failing, code, kind) in cases {
        let (status, text) = failing.as_ref().map_or((0, String::new()), |a| (a.status, a.text.clone()));
        let failure = failing.err();
        let script = Script::new(move |_, _| failure.map_or_else(|| answer(status, &text), Err));
        let sent = script.sent.clone();
        let error = script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
        assert_eq!((error.code(), error.kind(), error.retryable()), (code, kind, true));
        assert_eq!(sent.borrow().len(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_not_tried_again() {
    let script =
        Script::new(|_, _| answer(400, r#"[{"code":"QuoteByReceiveNotEnabled","message":"Not here"}]"#));
    let sent = script.sent.clone();
    let error = script.client().call(&QUOTE, &[], Some(QUOTE_REQUEST), &0).await.err().unwrap();
    assert_eq!(
        (error.code(), error.message(), error.request_id()),
        (Code::QuoteByReceiveNotEnabled, "Not here", Some("r-1"))
    );
    assert_eq!(sent.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn creating_is_sent_once_and_a_lost_answer_is_an_unknown_outcome() {
    for failing in
        [Err(SendFailure::Network), Err(SendFailure::Timeout), answer(503, ""), answer(201, "<html>")]
    {
        let (status, text) = failing.as_ref().map_or((0, String::new()), |a| (a.status, a.text.clone()));
        let failure = failing.err();
        let script = Script::new(move |_, sent| match (sent.method.as_str(), failure) {
            ("GET", _) => answer(200, NO_FIELDS),
            (_, Some(failure)) => Err(failure),
            _ => answer(status, &text),
        });
        let sent = script.sent.clone();
        let error = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.err().unwrap();
        assert_eq!((error.kind(), error.retryable()), (Kind::OutcomeUnknown, false));
        assert_eq!(sent.borrow().iter().filter(|sent| sent.method == "POST").count(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn the_fields_are_asked_for_each_time_and_hold_the_request_back() {
    let fields = r#"{"fieldSets":[{"fieldSetId":"a","fieldSetName":"A","fields":[
        {"fieldType":"TEXT","fieldId":"city","name":"City","isRequired":true,"visibility":"SHOW_AND_REQUIRED","placeholderText":""}]}]}"#;
    let script = Script::new(move |_, _| answer(200, fields));
    let sent = script.sent.clone();
    let client = script.client();
    for _ in 0..2 {
        let error = client.call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.err().unwrap();
        assert_eq!(
            (error.kind(), error.code(), error.option()),
            (Kind::Field, Code::MissingRequiredField, Some("city"))
        );
    }
    let paths: Vec<_> = sent.borrow().iter().map(|sent| sent.path.clone()).collect();
    let expected = "/v1/recipient-fields?dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN&transferMethod=BANK_ACCOUNT&recipientType=PERSON";
    assert_eq!(paths, [expected, expected]);
}

#[tokio::test(start_paused = true)]
async fn a_patch_of_one_field_sends_that_field_alone_and_may_be_repeated_byte_by_byte() {
    let change = r#"{"senderType":"PERSON","fields":[{"id":"lastName","value":"Núñez"}]}"#;
    let script = Script::new(|n, sent| match (sent.method.as_str(), n) {
        ("GET", _) => answer(200, NO_FIELDS),
        (_, 1) => Err(SendFailure::Network),
        _ => answer(200, &format!(r#"{{"senderId":"{ID}"}}"#)),
    });
    let sent = script.sent.clone();
    script.client().call(&UPDATE_SENDER, &[ID], Some(change), &0).await.unwrap();
    let bodies: Vec<_> = sent.borrow().iter().filter_map(|sent| sent.body.clone()).collect();
    assert_eq!(bodies, [change, change]);
}

#[tokio::test(start_paused = true)]
async fn bad_input_is_refused_before_anything_is_sent() {
    let script = Script::new(|_, _| nonce());
    let (sent, tokens) = (script.sent.clone(), script.tokens.clone());
    let client = script.client();
    for (from, to, option) in
        [("MEX", "mex", "dstCountryIso3Code"), ("12550", "-1", "amount"), ("12550", "1.5", "amount")]
    {
        let error = client.call(&QUOTE, &[], Some(&QUOTE_REQUEST.replace(from, to)), &0).await.err().unwrap();
        assert_eq!((error.kind(), error.option()), (Kind::InvalidRequest, Some(option)));
    }
    assert_eq!((sent.borrow().len(), tokens.get()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn an_abort_ends_a_call_wherever_it_is() {
    // While the token is fetched, while the answer is awaited, and during a pause.
    for at_ms in [2, 8, 600] {
        let script = Script::new(|_, _| Err(SendFailure::Network));
        let client = script.client();
        let error = client.call(&NONCE, &[], None, &at_ms).await.err().unwrap();
        assert_eq!(error.kind(), Kind::Aborted, "at {at_ms} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn all_attempts_together_end_within_thirty_seconds() {
    let script = Script::new(|_, _| Err(SendFailure::Timeout));
    let (sent, started) = (script.sent.clone(), tokio::time::Instant::now());
    assert_eq!(script.client().call(&NONCE, &[], None, &0).await.err().unwrap().kind(), Kind::Timeout);
    let elapsed = started.elapsed();
    assert!(elapsed.as_millis() <= 30_005 && sent.borrow().len() <= 3, "{elapsed:?}");
}

#[tokio::test(start_paused = true)]
async fn a_service_that_fails_is_not_hammered_however_many_calls_there_are() {
    let script = Script::new(|_, _| Err(SendFailure::Network));
    let (sent, started) = (script.sent.clone(), tokio::time::Instant::now());
    let client = script.client();
    let calls = (0..100).map(|_| client.call(&NONCE, &[], None, &0));
    assert!(join_all(calls).await.iter().all(Result::is_err));
    let retries = sent.borrow().len() - 100;
    let earned = usize::try_from(started.elapsed().as_secs()).unwrap() + 1;
    assert!((20..=20 + earned).contains(&retries), "{retries} retries in {:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn what_the_pages_policy_keeps_back_names_the_directive_and_was_not_sent() {
    let script = Script::new(|_, sent| match sent.method.as_str() {
        "GET" => answer(200, NO_FIELDS),
        _ => Err(SendFailure::Blocked),
    });
    let sent = script.sent.clone();
    let error = script.client().call(&CREATE_RECIPIENT, &[], Some(RECIPIENT), &0).await.err().unwrap();
    assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("connect-src")));
    assert_eq!(sent.borrow().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_was_received_says_how_it_is_to_be_read() {
    let plain = format!(r#"{{"transferId":"{ID}","confirmationNumber":"7"}}"#);
    let script = Script::new(move |_, sent| match sent.path.as_str() {
        "/v1/plain" => answer(200, &plain),
        "/v1/bigint" => answer(200, r#"{"fee":{"value":9007199254740993,"currency":{}}}"#),
        "/v1/nothing" => answer(200, ""),
        path if path.ends_with("/receipt") => {
            let mut answer = answer(200, "")?;
            (answer.bytes, answer.content_type) = (vec![37, 80], Some("application/pdf".to_owned()));
            Ok(answer)
        }
        _ => answer(200, &format!("[{}]", vec![format!(r#"{{"recipientId":"{ID}"}}"#); 5].join(","))),
    });
    let client = script.client();
    let request = async |path: &str| {
        client.request_text(&format!(r#"{{"method":"GET","path":"{path}"}}"#), &0).await.unwrap()
    };
    let plain = request("/v1/plain").await;
    assert!(plain.is_as_sent && !plain.has_bigints && plain.rows.is_none());
    let exact = request("/v1/bigint").await;
    assert!(exact.has_bigints && !exact.is_as_sent && exact.json.contains("9007199254740993"));
    assert_eq!(request("/v1/nothing").await.json, "");
    let receipt = client.call(&TRANSFER_RECEIPT, &[ID], None, &0).await.unwrap();
    assert!(receipt.is_as_sent && receipt.json.is_empty());
    assert_eq!((&*receipt.bytes, receipt.content_type.as_deref()), (&[37, 80][..], Some("application/pdf")));
    let rows = client.call(&LIST_RECIPIENTS, &[], None, &0).await.unwrap();
    assert_eq!(rows.rows.as_ref().map(|rows| &*rows.order), Some(&[0, 0, 0, 0, 0][..]));
}

#[tokio::test(start_paused = true)]
async fn what_the_service_asks_to_wait_is_told_in_milliseconds() {
    let script = Script::new(|_, _| {
        let mut answer = answer(429, "")?;
        answer.retry_after_s = Some(40);
        Ok(answer)
    });
    let sent = script.sent.clone();
    let error = script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
    assert_eq!((error.retry_after_ms(), sent.borrow().len()), (Some(40_000), 1));
}

#[tokio::test(start_paused = true)]
async fn pauses_are_as_long_as_chance_has_them() {
    for (random, pauses) in [(0.0, [500, 1000]), (0.5, [750, 1500])] {
        let mut script = Script::new(|_, _| Err(SendFailure::Network));
        script.random = random;
        let sent = script.sent.clone();
        script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
        let times: Vec<u64> = sent.borrow().iter().map(|sent| sent.at_ms).collect();
        assert_eq!([times[1] - times[0] - 10, times[2] - times[1] - 10], pauses);
    }
}

#[tokio::test(start_paused = true)]
async fn a_pattern_is_held_against_a_value_by_whoever_can_read_it() {
    let form = r#"{"fieldSets":[{"fieldSetId":"a","fieldSetName":"A","fields":[{"fieldType":"TEXT","fieldId":"CITY","name":"City","isRequired":true,"visibility":"SHOW_AND_REQUIRED","placeholderText":"","regex":"^(Li|Ca)[a-z]{2}$"}]}]}"#;
    let recipient = RECIPIENT.replace("]}", r#",{"id":"CITY","value":"Bonn"}]}"#);
    for (matches, is_sent) in [(None, true), (Some(true), true), (Some(false), false)] {
        let mut script = Script::new(move |_, sent| match sent.method.as_str() {
            "GET" => answer(200, form),
            _ => answer(201, &format!(r#"{{"recipientId":"{ID}"}}"#)),
        });
        script.matches = matches;
        let outcome = script.client().call(&CREATE_RECIPIENT, &[], Some(&recipient), &0).await;
        assert_eq!(outcome.is_ok(), is_sent, "{matches:?}");
        if let Err(error) = outcome {
            assert_eq!((error.kind(), error.option()), (Kind::Field, Some("CITY")));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn today_is_the_day_of_the_pages_clock() {
    let client = Script::new(|_, _| nonce()).client();
    assert_eq!(client.today(), "1970-01-01");
    tokio::time::advance(std::time::Duration::from_hours(24)).await;
    assert_eq!(client.today(), "1970-01-02");
}

#[test]
fn a_locale_has_parts_of_letters_and_digits_and_an_end() {
    let build = |locale: &str| {
        let builder = Script::new(|_, _| nonce()).builder("https://api.example.com");
        builder.locale(locale).build().is_ok()
    };
    let longest = "abcdefgh-abcdefgh-abcdefgh-abcdef-a";
    assert_eq!(longest.len(), 35);
    for (locale, is_taken) in [
        ("en-US", true),
        (longest, true),
        ("abcdefgh-abcdefgh-abcdefgh-abcdefg-a", false),
        ("en-abcdefghi", false),
        ("en-U$", false),
        ("en-", false),
    ] {
        assert_eq!(build(locale), is_taken, "{locale}");
    }
}

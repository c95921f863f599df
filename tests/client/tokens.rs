//! Tokens: one request for all calls, renewal, refusals, and their absence from every text.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use remitkit::api::{CREATE_RECIPIENT, CREATE_SENDER, Code, Error, Kind, PartyType, RecipientRequest};
use remitkit::client::{Answer, SendFailure};

use crate::script::{ID, SENDER, Script, ScriptedClient, answer, error, kind, nonce, owned_by, refusal};

#[tokio::test(start_paused = true)]
async fn a_hundred_calls_ask_the_token_source_once_until_a_tenth_of_the_token_is_left() {
    let client = Script::new(|_, _| nonce()).client();
    assert!(join_all((0..100).map(|_| client.nonce())).await.iter().all(Result::is_ok));
    for (at_ms, fetched) in [(3_239_999, 1), (3_240_000, 2)] {
        // To the millisecond: `sleep` would round.
        tokio::time::advance(Duration::from_millis(at_ms - client.now_ms())).await;
        assert!(join_all((0..100).map(|_| client.nonce())).now_or_never().is_none());
        assert_eq!(client.platform().token_requests.get(), fetched, "at {at_ms}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_hundred_calls_answered_401_fetch_one_token_and_are_resent_once() {
    for is_refused in [false, true] {
        let script = Script::new(move |_, sent| match sent.bearer.as_str() {
            "token-1" if !is_refused => nonce(),
            _ => answer(401, ""),
        });
        let client = script.client();
        for result in join_all((0..100).map(|_| client.nonce())).await {
            let failed = result.err().map(|error| (error.code(), error.kind()));
            assert_eq!(failed, is_refused.then_some((Code::Unauthorized, Kind::Authentication)));
        }
        assert_eq!((client.platform().token_requests.get(), client.sent().len()), (2, 200));
    }
    // The source may give the same token again: it was a gateway that refused it.
    let mut script = Script::new(|n, _| if n == 0 { answer(401, "") } else { nonce() });
    script.token = Box::new(|_| Ok(r#""constant""#.to_owned()));
    script.client().nonce().await.unwrap();
}

/// Returns a token of the usual length.
fn long_token(n: u32) -> String {
    format!("eyJhbGciOiJIUzI1NiJ9.{n}-a+b/c==.c2VuZGVyLWxldmVsLXRva2Vu")
}

#[tokio::test(start_paused = true)]
async fn no_text_of_an_error_contains_a_token() {
    // After a 401 the reply echoes the token that was refused.
    let echo = long_token(0).to_uppercase().replace('+', "%2B");
    for (status, renewed) in [(400, false), (403, true), (503, false)] {
        let body = format!(
            r#"[{{"code":"{echo}","message":"{echo}","fieldId":"{echo}"}},
                {{"code":"BadRequestError","message":"{echo}","fieldId":"b"}},
                {{"code":"{echo}","fieldId":"d"}},
                {{"code":"ValueRegexFailure","message":"Is {echo} right?","fieldId":"c"}}]"#
        );
        let request_id = format!("r-{echo}");
        let mut script = Script::new(move |n, _| match (renewed, n) {
            (true, 0) => answer(401, ""),
            _ => Ok(Answer { request_id: Some(request_id.clone()), ..answer(status, &body)? }),
        });
        script.token = Box::new(|n| Ok(format!(r#""{}""#, long_token(n))));
        let client = script.client();
        let error = error(client.nonce().await);
        let problems: Vec<_> = error.problems().iter().map(|problem| problem.field_id.as_str()).collect();
        assert_eq!(problems, ["b", "d", "c"]);
        let traced = &client.platform().traced;
        let texts = format!("{error} {error:?} {:?} {:?} {traced:?}", error.problems(), error.request_id());
        let token = long_token(0).to_lowercase();
        let mut runs = token.as_bytes().windows(16).map(|run| std::str::from_utf8(run).unwrap());
        let plain = texts.to_lowercase().replace("%2b", "+");
        assert!(!runs.any(|run| plain.contains(run)), "{texts}");
        assert_eq!((error.http_status(), traced.borrow().last()), (Some(status), Some(&None)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_short_token_is_redacted_from_messages_field_ids_and_labels() {
    let echo = r#"[{"code":"ValueRegexFailure","message":"What is token-0?","fieldId":"a"},
        {"code":"BadRequestError","message":"token-0","fieldId":"b"}]"#;
    let failed = error(Script::new(move |_, _| answer(400, echo)).client().nonce().await);
    assert_eq!(failed.message(), Code::ValueRegexFailure.message());
    let shown = format!("{failed} {failed:?} {:?}", failed.problems());
    assert!(!shown.contains("token-0"), "{shown}");

    for field in [r#""token-0""#, r#""a","label":"token-0""#] {
        let sets = format!(
            r#"{{"fieldSets":[{{"fieldSetId":"a","fields":[
                {{"fieldType":"TEXT","fieldId":{field},"isRequired":true}}]}}]}}"#
        );
        let client = Script::new(move |_, _| answer(200, &sets)).client();
        let failed = error(client.call(&CREATE_SENDER, &[], Some(r#"{"fields":[]}"#)).await);
        assert_eq!(failed.kind(), Kind::Field);
        let shown = format!("{failed} {:?} {:?}", failed.option(), failed.problems());
        assert!(!shown.contains("token-0"), "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_of_the_token_source_does_not_count_as_the_requests() {
    let mut script = Script::new(|_, sent| match sent.bearer.as_str() {
        "token-0" => answer(401, ""),
        _ => Err(SendFailure::Timeout),
    });
    // A customer signs in, twice.
    script.token_delay_ms = 29_000;
    let client = script.client();
    let result = client.request_text(r#"{"method":"PUT","path":"/v1/later"}"#).await;
    assert_eq!((kind(result), client.sent().len()), (Kind::Timeout, 2));
    assert_eq!(client.now_ms() / 1000, 29 + 29 + 10);
}

#[tokio::test(start_paused = true)]
async fn a_token_source_that_hangs_fails_or_returns_credentials_is_an_error() {
    let credentials = r#"{"client_id":"a","client_secret":"sesame"}"#;
    for (delay_ms, first, code, option) in [
        (1_000_000, Ok("\"plain\""), Code::TokenUnavailable, Some("token")),
        (5, Err(Error::new(Code::TokenUnavailable)), Code::TokenUnavailable, None),
        (5, Ok(credentials), Code::InvalidConfiguration, Some("token")),
    ] {
        let mut script = Script::new(|_, _| nonce());
        script.token_delay_ms = delay_ms;
        let first = first.map(str::to_owned);
        script.token = Box::new(move |n| if n == 0 { first.clone() } else { Ok(r#""plain""#.into()) });
        let client = script.client();
        let failed = error(client.nonce().await);
        assert_eq!(failed.retryable(), code == Code::TokenUnavailable);
        assert_eq!((failed.code(), failed.option()), (code, option));
        assert!(client.sent().is_empty());
        // The next call asks again.
        assert_eq!(client.nonce().await.is_ok(), delay_ms == 5);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_is_freed_after_its_callers_aborted_their_wait_for_a_token() {
    let client = Script::new(|_, _| nonce()).client();
    let store = std::rc::Rc::downgrade(&client.platform().journal);
    assert_eq!(kind(client.nonce().with_signal(1_u64).await), Kind::Aborted);
    assert_eq!(client.platform().token_requests.get(), 1);
    drop(client);
    assert_eq!(store.strong_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_token_request_goes_on_when_its_first_caller_is_dropped() {
    let mut script = Script::new(|_, _| nonce());
    script.token_delay_ms = 100;
    let client = script.client();
    let mut first = Box::pin(client.nonce());
    assert!((&mut first).now_or_never().is_none());
    let leave = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        drop(first);
    };
    let (second, ()) = join(client.nonce(), leave).await;
    second.unwrap();
    assert_eq!(client.platform().token_requests.get(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_aborted_as_its_token_arrives_has_sent_nothing() {
    for is_first in [true, false] {
        let mut script = Script::new(|_, _| nonce());
        script.token_delay_ms = 10;
        let client = script.client();
        let request = RecipientRequest::new(PartyType::Person);
        let aborted = client.create_recipient(&request).with_signal(client.now_ms() + 10);
        let created = match is_first {
            true => join(aborted, client.nonce()).await.0,
            false => join(client.nonce(), aborted).await.1,
        };
        assert_eq!((kind(created), client.count("POST")), (Kind::Aborted, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_level_token_sends_no_body_that_names_a_sender() {
    let body = format!(r#"{{ "senderId" : "{SENDER}", "fields": [] }}"#);
    let raw = format!(r#"{{"method":"POST","path":"/v1/later","body":{body}}}"#);
    for (owner, is_refused) in
        [(owned_by(SENDER), false), (answer(404, ""), false), (refusal(400, "SenderUndetermined"), true)]
    {
        let mut script = Script::new(|_, _| answer(200, &format!(r#"{{"recipientId":"{ID}"}}"#)));
        script.owner = Box::new(move |_| owner.clone());
        let client = script.client();
        for result in
            [client.call(&CREATE_RECIPIENT, &[], Some(&body)).await, client.request_text(&raw).await]
        {
            assert_eq!(result.is_err(), is_refused);
            if let Err(error) = result {
                assert_eq!((error.code(), error.option()), (Code::SenderUndetermined, Some("token")));
                assert!(error.message().contains("sender_id"), "{error}");
                assert!(error.user_message().ends_with("Sign in again."), "{}", error.user_message());
            }
        }
        assert_eq!(client.sent().len(), if is_refused { 0 } else { 2 });
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_that_named_no_sender_is_not_sent_again() {
    let echo = r#"[{"code":"SenderUndetermined","message":"clients names none","fieldId":"a"}]"#;
    let mut script = Script::new(move |n, _| if n == 0 { answer(400, echo) } else { nonce() });
    script.token = Box::new(|n| Ok(format!(r#""{}""#, if n < 3 { "clients" } else { "senders" })));
    let client = script.client();
    for n in 0..3 {
        let error = error(client.nonce().await);
        assert_eq!((error.code(), error.option()), (Code::SenderUndetermined, Some("token")), "{n}");
        assert!(!format!("{error} {:?}", error.problems()).contains("clients"), "{error}");
        assert_eq!((error.http_status(), client.sent().len()), ((n == 0).then_some(400), 1));
    }
    // The server has learned to ask with sender_id.
    client.nonce().await.unwrap();
    assert_eq!(client.sent()[1].bearer, "senders");
}

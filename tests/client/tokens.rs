use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use remitkit::api::{CREATE_RECIPIENT, CREATE_SENDER, Code, Error, Kind, NONCE};
use remitkit::client::SendFailure;

use crate::support::{ID, SENDER, Script, TextCalls, answer, nonce};

#[tokio::test(start_paused = true)]
async fn a_thousand_calls_that_wait_on_no_token_or_an_expired_one_ask_the_source_once() {
    let script = Script::new(|_, _| nonce());
    let (tokens, sent) = (script.tokens.clone(), script.sent.clone());
    let client = script.client();
    for fetched in 1..=3 {
        let calls = (0..1000).map(|_| client.call(&NONCE, &[], None, &0));
        assert!(join_all(calls).await.iter().all(Result::is_ok));
        assert_eq!((tokens.get(), sent.borrow().len()), (fetched, 1000 * fetched as usize));
        tokio::time::sleep(std::time::Duration::from_secs(3601)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_hundred_calls_answered_401_refresh_once_and_are_replayed_once_each() {
    let script = Script::new(|_, sent| if sent.bearer == "token-0" { answer(401, "") } else { nonce() });
    let (tokens, sent) = (script.tokens.clone(), script.sent.clone());
    let client = script.client();
    let calls = (0..100).map(|_| client.call(&NONCE, &[], None, &0));
    assert!(join_all(calls).await.iter().all(Result::is_ok));
    assert_eq!((tokens.get(), sent.borrow().len()), (2, 200));
}

#[tokio::test(start_paused = true)]
async fn a_token_that_stays_refused_is_an_authentication_error() {
    let script = Script::new(|_, _| answer(401, ""));
    let (tokens, sent) = (script.tokens.clone(), script.sent.clone());
    let error = script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
    assert_eq!((error.code(), error.kind()), (Code::Unauthorized, Kind::Authentication));
    assert_eq!((tokens.get(), sent.borrow().len()), (2, 2));
}

#[tokio::test(start_paused = true)]
async fn a_token_that_the_service_echoes_is_shown_to_nobody() {
    let echo = r#"[{"code":"ValueRegexFailure","message":"What is token-0?","fieldId":"a"},{"code":"BadRequestError","message":"token-0","fieldId":"b"}]"#;
    let error =
        Script::new(|_, _| answer(400, echo)).client().call(&NONCE, &[], None, &0).await.err().unwrap();
    let shown = format!("{error} {error:?} {:?}", error.problems());
    assert!(!shown.contains("token-0"), "{shown}");
    assert_eq!(error.message(), Code::ValueRegexFailure.message());
}

/// A token of the usual length.
fn long_token(n: u32) -> String {
    format!("eyJhbGciOiJIUzI1NiJ9.{n}-a+b/c==.c2VuZGVyLWxldmVsLXRva2Vu")
}

#[tokio::test(start_paused = true)]
async fn no_text_of_an_error_tells_a_token() {
    let parts: [fn(&str) -> String; 5] = [
        str::to_owned,
        |token| token.chars().skip(4).take(16).collect(),
        |token| token.to_uppercase(),
        |token| token.replace('+', "%2B").replace('/', "%2f").replace('=', "%3D"),
        |token| token.replace('/', "\\\\/"),
    ];
    for (part, status, renewed) in
        parts.iter().flat_map(|part| [(part, 400, false), (part, 403, true), (part, 503, false)])
    {
        // After a 401 the reply echoes the token that was refused.
        let echo = part(&long_token(0));
        let body = format!(
            r#"[{{"code":"{echo}","message":"{echo}","fieldId":"{echo}"}},{{"code":"BadRequestError","message":"{echo}","fieldId":"b"}},{{"code":"{echo}","fieldId":"d"}},{{"code":"ValueRegexFailure","message":"Is {echo} right?","fieldId":"c"}}]"#
        );
        let mut script = Script::new(move |n, _| {
            if renewed && n == 0 {
                return answer(401, "");
            }
            let mut answer = answer(status, &body)?;
            answer.request_id = Some(format!("r-{echo}"));
            Ok(answer)
        });
        script.token = Rc::new(|n| Ok(format!(r#""{}""#, long_token(n))));
        let traced = script.traced.clone();
        let error = script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
        let problems: Vec<_> = error.problems().iter().map(|problem| problem.field_id.as_str()).collect();
        assert_eq!(problems, ["b", "d", "c"]);
        let texts = format!(
            "{error} {error:?} {:?} {:?} {:?}",
            error.problems(),
            error.request_id(),
            traced.borrow()
        );
        let plain = texts.to_lowercase().replace("%2b", "+").replace('\\', "");
        let token = long_token(0).to_lowercase();
        assert!(
            !token.as_bytes().windows(16).any(|run| plain.contains(std::str::from_utf8(run).unwrap())),
            "{texts}"
        );
        assert_eq!(error.http_status(), Some(status));
        assert_eq!(traced.borrow().last(), Some(&None));
    }
}

#[tokio::test(start_paused = true)]
async fn a_token_among_the_fields_that_are_asked_for_is_shown_to_nobody() {
    let sets = r#"{"fieldSets":[{"fieldSetId":"a","fields":[{"fieldType":"TEXT","fieldId":"token-0","isRequired":true}]}]}"#;
    let script = Script::new(move |_, _| answer(200, sets));
    let sender = r#"{"senderType":"PERSON","fields":[]}"#;
    let error = script.client().call(&CREATE_SENDER, &[], Some(sender), &0).await.err().unwrap();
    assert_eq!(error.kind(), Kind::Field);
    assert!(!format!("{error} {:?} {:?}", error.option(), error.problems()).contains("token-0"));
    let sets = sets.replace(r#""token-0""#, r#""a","label":"token-0""#);
    let script = Script::new(move |_, _| answer(200, &sets));
    let error = script.client().call(&CREATE_SENDER, &[], Some(sender), &0).await.err().unwrap();
    assert!(error.problems().iter().any(|problem| problem.field_id == "a" && problem.label.is_none()));
}

#[tokio::test(start_paused = true)]
async fn what_the_token_source_takes_is_not_taken_from_the_request() {
    let mut script =
        Script::new(
            |_, sent| {
                if sent.bearer == "token-0" { answer(401, "") } else { Err(SendFailure::Timeout) }
            },
        );
    // A customer signs in, twice.
    script.token_delay_ms = 29_000;
    let (sent, started) = (script.sent.clone(), script.started);
    let raw = r#"{"method":"PUT","path":"/v1/later"}"#;
    let error = script.client().request_text(raw, &0).await.err().unwrap();
    assert_eq!((error.kind(), sent.borrow().len()), (Kind::Timeout, 2));
    assert_eq!(started.elapsed().as_millis() / 1000, 29 + 29 + 10);
}

#[tokio::test(start_paused = true)]
async fn a_token_is_renewed_before_it_ends() {
    let script = Script::new(|_, _| nonce());
    let tokens = script.tokens.clone();
    let client = script.client();
    client.call(&NONCE, &[], None, &0).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(3000)).await;
    client.call(&NONCE, &[], None, &0).await.unwrap();
    assert_eq!(tokens.get(), 1);
    tokio::time::sleep(std::time::Duration::from_secs(300)).await;
    client.call(&NONCE, &[], None, &0).await.unwrap();
    assert_eq!(tokens.get(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_source_that_fails_is_asked_again_by_the_next_call() {
    let mut script = Script::new(|_, _| nonce());
    script.token =
        Rc::new(|n| if n == 0 { Err(Error::new(Code::TokenUnavailable)) } else { Ok(r#""plain""#.into()) });
    let client = script.client();
    let error = client.call(&NONCE, &[], None, &0).await.err().unwrap();
    assert_eq!(error.kind(), Kind::Authentication);
    client.call(&NONCE, &[], None, &0).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_source_that_hangs_is_given_up_and_client_credentials_are_refused() {
    let mut script = Script::new(|_, _| nonce());
    script.token_delay_ms = 1_000_000;
    let error = script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
    assert_eq!((error.code(), error.option()), (Code::TokenUnavailable, Some("token")));

    let mut script = Script::new(|_, _| nonce());
    script.token = Rc::new(|_| Ok(r#"{"client_id":"a","client_secret":"sesame"}"#.into()));
    let sent = script.sent.clone();
    let error = script.client().call(&NONCE, &[], None, &0).await.err().unwrap();
    assert_eq!((error.kind(), error.option()), (Kind::Configuration, Some("token")));
    assert!(sent.borrow().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_client_whose_callers_have_given_up_on_the_token_source_is_gone_when_it_is_dropped() {
    let script = Script::new(|_, _| nonce());
    let (tokens, store) = (script.tokens.clone(), Rc::downgrade(&script.store));
    let client = script.client();
    let error = client.call(&NONCE, &[], None, &1).await.err().unwrap();
    assert_eq!((error.kind(), tokens.get()), (Kind::Aborted, 1));
    drop(client);
    assert_eq!(store.strong_count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_token_that_was_asked_for_comes_though_its_first_caller_has_left() {
    let mut script = Script::new(|_, _| nonce());
    script.token_delay_ms = 100;
    let (tokens, client) = (script.tokens.clone(), script.client());
    let mut first = Box::pin(client.call(&NONCE, &[], None, &0));
    assert!((&mut first).now_or_never().is_none());
    let second = client.call(&NONCE, &[], None, &0);
    let leaving = async {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        drop(first);
    };
    let (second, ()) = join(second, leaving).await;
    second.unwrap();
    assert_eq!(tokens.get(), 1);
}

const CLIENT_LEVEL: &str = r#"[{"code":"SenderUndetermined","message":"Who?"}]"#;

#[tokio::test(start_paused = true)]
async fn a_client_level_token_sends_no_body_that_names_a_sender() {
    let mut script = Script::new(|_, _| answer(200, &format!(r#"{{"recipientId":"{ID}"}}"#)));
    script.owner = Rc::new(|_| answer(400, CLIENT_LEVEL));
    let (sent, client) = (script.sent.clone(), script.client());
    let body = format!(r#"{{ "senderId" : "{ID}", "fields": [] }}"#);
    let error = client.call(&CREATE_RECIPIENT, &[], Some(&body), &0).await.err().unwrap();
    assert_eq!((error.code(), error.option()), (Code::SenderUndetermined, Some("token")));
    assert!(error.message().contains("sender_id") && error.user_message().ends_with("Sign in again."));
    let raw = format!(r#"{{"method":"POST","path":"/v1/later","body":{body}}}"#);
    assert_eq!(client.request_text(&raw, &0).await.err().unwrap().code(), Code::SenderUndetermined);
    assert!(sent.borrow().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_senders_token_sends_a_body_that_names_its_sender() {
    for owner in [answer(200, &format!(r#"{{"senderId":"{SENDER}"}}"#)), answer(404, "")] {
        let (status, text) = owner.map(|answer| (answer.status, answer.text)).unwrap();
        let mut script = Script::new(|_, _| answer(200, &format!(r#"{{"recipientId":"{ID}"}}"#)));
        script.owner = Rc::new(move |_| answer(status, &text));
        let (sent, client) = (script.sent.clone(), script.client());
        let body = format!(r#"{{"senderId":"{SENDER}"}}"#);
        client.call(&CREATE_RECIPIENT, &[], Some(&body), &0).await.unwrap();
        assert_eq!(sent.borrow().len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_first_sender_undetermined_the_same_token_is_not_sent_again() {
    let mut script = Script::new(|n, _| match n {
        0 => answer(400, CLIENT_LEVEL),
        _ => answer(200, &format!(r#"{{"nonce":"{ID}"}}"#)),
    });
    script.token = Rc::new(|n| Ok(format!(r#""{}""#, if n < 3 { "clients" } else { "senders" })));
    let (sent, client) = (script.sent.clone(), script.client());
    for n in 0..3 {
        let error = client.call(&NONCE, &[], None, &0).await.err().unwrap();
        assert_eq!((error.code(), error.option()), (Code::SenderUndetermined, Some("token")), "{n}");
        assert_eq!(error.http_status(), (n == 0).then_some(400));
        assert_eq!(sent.borrow().len(), 1);
    }
    // The server has learnt to ask with sender_id.
    client.call(&NONCE, &[], None, &0).await.unwrap();
    assert_eq!(sent.borrow()[1].bearer, "senders");
}

#[tokio::test(start_paused = true)]
async fn a_token_is_used_until_a_tenth_of_its_life_is_left_and_not_a_moment_longer() {
    let script = Script::new(|_, _| nonce());
    let (tokens, started) = (script.tokens.clone(), script.started);
    let client = script.client();
    client.call(&NONCE, &[], None, &0).await.unwrap();
    for (at_ms, fetched) in [(3_239_999, 1), (3_240_000, 2)] {
        let left = std::time::Duration::from_millis(at_ms) - started.elapsed();
        // To the millisecond.
        tokio::time::advance(left).await;
        let call = client.call(&NONCE, &[], None, &0);
        let mut call = std::pin::pin!(call);
        assert!((&mut call).now_or_never().is_none());
        assert_eq!(tokens.get(), fetched, "at {at_ms}");
    }
}

//! The owner of a journal's entry: its service and its sender.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use remitkit::api::{Code, Kind};
use remitkit::client::{Client, SendFailure};

use crate::quotes::quoted;
use crate::script::{ID, SENDER, ScriptedClient, answer, error, kind, owned_by, refusal};
use crate::service::{QUOTE, REQUEST, Service, of_sender};

#[tokio::test(start_paused = true)]
async fn an_entry_of_another_sender_is_neither_listed_nor_sent_nor_erased() {
    let mut service = Service::unreachable();
    let failed = error(service.prepared().await.1.submit().await);
    assert_eq!((failed.kind(), failed.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    let before = (service.post_count(), service.entry());

    let other = of_sender(&service, ID).client();
    assert!(other.pending_transfers().await.unwrap().is_empty());
    assert_eq!(kind(other.prepare(REQUEST).await), Kind::Conflict);
    assert_eq!((service.post_count(), service.entry()), before);

    // Its owner comes back, and sends the same bytes.
    service.recovers();
    service.listed().await.1.submit().await.unwrap();
    let posts = service.posts.borrow();
    assert!(service.made.borrow().len() == 1 && posts.iter().all(|post| post.body == posts[0].body));
}

#[tokio::test(start_paused = true)]
async fn a_customer_who_signs_in_meanwhile_sends_nothing_of_the_one_before() {
    // The first token is refused, and the next one is another sender's.
    for refused_at in [0, 1] {
        let service = Service::new(move |number| match number >= refused_at {
            true => (false, answer(401, "")),
            false => (false, Err(SendFailure::Network)),
        });
        let mut script = service.script();
        script.owner = Box::new(|bearer| owned_by(if bearer == "token-0" { SENDER } else { ID }));
        let client = script.client();
        let attempt = client.prepare(REQUEST).await.unwrap();
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        assert!(service.posts.borrow().iter().all(|post| post.bearer == "token-0"));
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        assert!(!service.entry().is_empty());
        assert!(client.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn ids_in_capitals_name_the_same_sender_and_quote() {
    let mut service = Service::unreachable();
    let first = of_sender(&service, SENDER.to_uppercase().leak()).client();
    first.prepare(REQUEST).await.unwrap().submit().await.unwrap_err();

    service.recovers();
    let (second, attempt) = service.listed().await;
    let request = REQUEST.replace(QUOTE, &QUOTE.to_uppercase());
    assert_eq!(kind(second.prepare(&request).await), Kind::Conflict);
    attempt.submit().await.unwrap();
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_entry_of_another_service_is_left_alone() {
    let service = Service::unreachable();
    service.prepared().await.1.submit().await.unwrap_err();
    let (base_url, card_url) = ("https://api.example.com/other", "https://cards.example.com");
    let other = Client::builder(service.script()).base_url(base_url).card_url(card_url).build().unwrap();
    assert!(other.pending_transfers().await.unwrap().is_empty());
    assert!(!service.entry().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_list_fails_while_the_sender_of_a_sent_attempt_is_unknown() {
    let mut service = Service::unreachable();
    service.quote = Rc::new(|sent| match sent.bearer.as_str() {
        "token-0" => answer(200, &quoted(QUOTE, "1", "null", &format!(r#","senderId":"{SENDER}""#))),
        "unsure" => refusal(400, "ErrorGettingQuote"),
        _ => refusal(400, "QuoteHistoryNotFound"),
    });
    let page = |owner: &Rc<Cell<Option<&'static str>>>, token: Option<&'static str>| {
        let (mut script, owner) = (service.script(), owner.clone());
        script.owner = Box::new(move |_| owner.get().map_or_else(|| answer(404, ""), owned_by));
        if let Some(token) = token {
            script.token = Box::new(move |_| Ok(format!(r#""{token}""#)));
        }
        script.client()
    };
    let unknown = Rc::new(Cell::new(None));
    let first = page(&unknown, None);
    let attempt = first.prepare(REQUEST).await.unwrap();
    assert!(page(&unknown, None).pending_transfers().await.unwrap().is_empty(), "it was not sent");
    attempt.submit().await.unwrap_err();
    assert_eq!(first.pending_transfers().await.unwrap().len(), 1);

    let second = page(&unknown, None);
    for _ in 0..2 {
        let failed = error(second.pending_transfers().await);
        assert_eq!((failed.retryable(), failed.option()), (true, Some("sender_id")));
    }
    // Another sender's quote is unknown to this one.
    let other = page(&Rc::new(Cell::new(Some(ID))), Some("other"));
    assert!(other.pending_transfers().await.unwrap().is_empty());
    // If the quote cannot be read, its sender is unknown too.
    let known = Rc::new(Cell::new(Some(SENDER)));
    let failed = error(page(&known, Some("unsure")).pending_transfers().await);
    assert_eq!(failed.code(), Code::ErrorGettingQuote);
    // As soon as the service names the sender, it shows the quote too.
    unknown.set(known.get());
    let posts = service.post_count();
    second.pending_transfers().await.unwrap().remove(0).submit().await.unwrap_err();
    assert!(service.post_count() > posts);
    assert!(service.entry().contains(SENDER));
}

#[tokio::test(start_paused = true)]
async fn a_configured_sender_is_not_requested() {
    let service = Service::unreachable();
    let page = |sender: &str| {
        let mut script = service.script();
        script.owner = Box::new(|_| panic!("the sender is configured"));
        script.builder().sender_id(sender.parse().unwrap()).build().unwrap()
    };
    page(SENDER).prepare(REQUEST).await.unwrap();
    assert_eq!(page(SENDER).pending_transfers().await.unwrap().len(), 1);
    assert!(page(ID).pending_transfers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_sender_is_requested_until_the_service_answers() {
    // A gateway answers first, or an unreadable reply, which is read three times.
    for (first, times) in [(answer(404, ""), 1), (answer(200, "<html>"), 3)] {
        let service = Service::working();
        let (mut script, requests) = (service.script(), Cell::new(0));
        script.owner = Box::new(move |_| match requests.replace(requests.get() + 1) {
            n if n < times => first.clone(),
            _ => owned_by(SENDER),
        });
        script.client().prepare(REQUEST).await.unwrap();
        assert!(service.entry().contains(SENDER));
    }
    let service = Service::working();
    let mut script = service.script();
    script.owner = Box::new(|_| answer(503, ""));
    let failed = error(script.client().prepare(REQUEST).await);
    assert_eq!((failed.code(), failed.retryable()), (Code::ServiceUnavailable, true));
    assert_eq!(service.entry(), "");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_to_name_the_sender_counts_for_its_own_token_alone() {
    let service = Service::working();
    let (mut script, questions) = (service.script(), Cell::new(0));
    script.token = Box::new(|n| {
        let expires_in = if n == 0 { 1 } else { 3_600 };
        Ok(format!(r#"{{"access_token":"token-{n}","expires_in":{expires_in}}}"#))
    });
    script.owner = Box::new(move |_| match questions.replace(questions.get() + 1) {
        0..=2 => answer(404, ""),
        _ => owned_by(SENDER),
    });
    let client = script.client();
    client.nonce().await.unwrap();
    // The first token is renewed half a second after it was requested, while the first question is open.
    tokio::time::advance(Duration::from_millis(495 - client.now_ms())).await;
    client.prepare(REQUEST).await.unwrap();
    assert!(service.entry().contains(SENDER));
}

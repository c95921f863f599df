//! The list of pending attempts: what each says of itself, their order, and how long they stay.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join;
use remitkit::api::json::JsonRef;
use remitkit::api::{Code, Kind};
use remitkit::client::{AttemptState, SendFailure};

use crate::quotes::quoted;
use crate::script::{ID, SENDER, ScriptedClient, answer, kind, owned_by};
use crate::service::{DAY, KEY, QUOTE, REQUEST, Service, other_request, summary};

#[tokio::test(start_paused = true)]
async fn a_listed_attempt_shows_the_details_of_its_request_and_its_quote() {
    let quote = quoted(QUOTE, "9007199254740993", "null", r#","expirationDate":"900000""#);
    let service = Service { quote: Rc::new(move |_| answer(200, &quote)), ..Service::working() };
    let request = REQUEST.replace("12550", "9007199254740993");
    let page = service.quoted(&request).await;
    let before_ms = page.now_ms();
    page.prepare(&request).await.unwrap();
    let created_ms = before_ms..=page.now_ms();
    let (_page, attempt) = service.listed().await;
    assert!(created_ms.contains(&attempt.created_at_ms().unsigned_abs()));
    assert_eq!((attempt.expires_at_ms(), attempt.transfer_id()), (Some(900_000), None));
    let shown: serde_json::Value = serde_json::from_str(&summary(&attempt)).unwrap();
    assert_eq!(serde_json::to_value(attempt.details().unwrap()).unwrap(), shown["details"]);
    let text = |name: &str| JsonRef::new(REQUEST).text_of(name).unwrap().into_owned();
    let send = &shown["details"]["sendAmount"];
    assert_eq!(send["currency"]["iso3Code"], "USD");
    let expected = serde_json::json!({
        "quoteHistoryId": QUOTE,
        "nonce": ID,
        "createdAt": attempt.created_at_ms(),
        "state": "PREPARED",
        "expiresAt": 900_000,
        "details": {
            "amount": 9_007_199_254_740_993_i64,
            "quoteBy": "SEND_AMOUNT",
            "srcCurrencyIso3Code": "USD",
            "dstCurrencyIso3Code": "MXN",
            "dstCountryIso3Code": "MEX",
            "transferMethod": "PUSH_TO_CARD",
            "recipientId": text("recipientId"),
            "recipientAccountId": text("recipientAccountId"),
            "sendAmount": send,
        }
    });
    assert_eq!(shown, expected);
}

#[tokio::test(start_paused = true)]
async fn attempts_are_listed_by_age_and_then_by_key() {
    let service = Service::working();
    service.prepared().await;
    let text = service.entry();
    let created_at = JsonRef::new(&text).member("createdAt").unwrap().raw().to_owned();
    let ids = ["1", "2", "3", "4"].map(|digit| QUOTE.replacen("11111111", &digit.repeat(8), 1));
    for (id, age) in ids.iter().zip([9, 5, 9, 7]) {
        let text = text.replace(QUOTE, id);
        let text = text.replace(&format!(r#""createdAt":{created_at}"#), &format!(r#""createdAt":{age}"#));
        service.store.entries.borrow_mut().insert(KEY.replace(QUOTE, id), text);
    }
    let listed = service.page().pending_transfers().await.unwrap();
    let listed: Vec<_> = listed.iter().map(|attempt| attempt.quote_history_id().as_str()).collect();
    assert_eq!(listed, [&ids[1], &ids[3], &ids[0], &ids[2]]);
}

#[tokio::test(start_paused = true)]
async fn a_prepared_attempt_is_listed_for_a_day_to_the_millisecond() {
    let service = Service::working();
    // With the sender's id no request takes time.
    let page = || service.script().builder().sender_id(ID.parse().unwrap()).build().unwrap();
    let attempt = page().prepare(REQUEST).await.unwrap();
    let day = DAY + Duration::from_millis(attempt.created_at_ms().unsigned_abs());
    tokio::time::advance(day - Duration::from_millis(page().now_ms())).await;
    assert_eq!(page().pending_transfers().await.unwrap().len(), 1);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert!(page().pending_transfers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_list_does_not_bring_back_what_was_discarded_while_it_asked_for_the_sender() {
    let service = Service::working();
    let mut script = service.script();
    let asked = Cell::new(0);
    // The list's own question is answered late.
    script.owner = Box::new(move |_| match asked.replace(asked.get() + 1) {
        2 => Err(SendFailure::Timeout),
        _ => owned_by(SENDER),
    });
    let page = script.client();
    let attempt = page.prepare(REQUEST).await.unwrap();
    // The token is renewed, and its sender asked for.
    tokio::time::advance(Duration::from_secs(4_000)).await;
    let (discarded, listed) = join(attempt.discard(), page.pending_transfers()).await;
    discarded.unwrap();
    assert!(listed.unwrap().is_empty());
    assert_eq!(attempt.state(), AttemptState::Discarded);
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_stays_known_however_many_attempts_a_page_prepares() {
    let service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    for number in 0..100 {
        let nonce = ID.replacen("3f2504e0", &format!("{number:08}"), 1);
        let quote = QUOTE.replacen("11111111", &format!("{number:08}"), 1);
        page.prepare(&other_request(&nonce).replace(QUOTE, &quote)).await.unwrap();
    }
    service.store.entries.borrow_mut().clear();
    let listed = page.pending_transfers().await.unwrap();
    let listed: Vec<_> = listed.iter().map(|attempt| attempt.quote_history_id().as_str()).collect();
    assert_eq!((listed, attempt.state()), (vec![QUOTE], AttemptState::Sent));
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_is_listed_though_its_entry_was_overwritten() {
    let service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    service.set_entry("{}".to_owned());
    assert_eq!(page.pending_transfers().await.unwrap().len(), 1);
    assert_eq!(service.entry(), "{}", "what cannot be read is left alone");
}

#[tokio::test(start_paused = true)]
async fn an_entry_with_impossible_times_is_listed_and_settled_but_never_posted() {
    for (member, beyond) in [("createdAt", "9007199254740993"), ("expiresAt", "-1")] {
        let mut service = Service::unreachable();
        tokio::time::advance(2 * DAY).await;
        let quote = quoted(QUOTE, "12550", "null", r#","expirationDate":"173700000""#);
        service.quote = Rc::new(move |_| answer(200, &quote));
        let page = service.quoted(REQUEST).await;
        page.prepare(REQUEST).await.unwrap().submit().await.unwrap_err();
        let time = JsonRef::new(&service.entry()).member(member).unwrap().raw().to_owned();
        service.replace_in_entry(&format!(r#""{member}":{time}"#), &format!(r#""{member}":{beyond}"#));
        service.recovers();
        let posts = service.post_count();
        let (_page, attempt) = service.listed().await;
        assert!(summary(&attempt).contains(&format!(r#""{member}":0"#)));
        assert_eq!((kind(attempt.submit().await), service.post_count()), (Kind::OutcomeUnknown, posts));
    }
}

/// Returns a service that tells whose its quote is, and that it ends two days after 1970.
fn telling_senders(service: Service, sender: &'static str) -> Service {
    let members = format!(r#","senderId":"{sender}","expirationDate":"{}""#, 2 * DAY.as_millis());
    let quote = quoted(QUOTE, "12550", "null", &members);
    Service { quote: Rc::new(move |_| answer(200, &quote)), ..service }
}

#[tokio::test(start_paused = true)]
async fn a_damaged_entry_is_listed_and_settled_by_its_key_but_never_posted() {
    let other = QUOTE.replacen("11111111", "55555555", 1);
    for damaged in ["", "{", "{}", "the other attempt's"] {
        let service = telling_senders(Service::working(), SENDER);
        service.prepared().await;
        service.made.borrow_mut().push(REQUEST.to_owned());
        let good = service.entry().replace(QUOTE, &other);
        let damaged = if damaged.starts_with("the") { good.as_str() } else { damaged };
        service.set_entry(damaged.to_owned());
        service.store.entries.borrow_mut().insert(KEY.replace(QUOTE, &other), good.clone());
        let page = service.page();
        let listed = page.pending_transfers().await.unwrap();
        let ids: Vec<_> = listed.iter().map(|attempt| attempt.quote_history_id().as_str()).collect();
        assert_eq!(ids, [QUOTE, &other], "{damaged}");
        assert_eq!(listed[0].state(), AttemptState::Sent);
        assert_eq!(kind(listed[0].discard().await), Kind::OutcomeUnknown);
        let made = listed[0].submit().await.unwrap();
        assert_eq!((made.transfer.transfer_id.as_str(), made.recovered), (ID, true));
        assert_eq!(service.post_count(), 0);
        listed[0].acknowledge().await.unwrap();
        assert_eq!(service.entry(), "");
    }
}

#[tokio::test(start_paused = true)]
async fn an_entry_that_cannot_be_read_stays_open_until_its_quote_has_ended_and_no_post_can_arrive() {
    // A tab with a later version may post until then.
    let service = telling_senders(Service::working(), SENDER);
    service.set_entry("{".to_owned());
    tokio::time::advance(DAY).await;
    let (page, attempt) = service.listed().await;
    assert_eq!(attempt.expires_at_ms(), Some(172_800_000));
    for wait in [Duration::ZERO, Duration::from_secs(601), DAY - Duration::from_secs(601)] {
        tokio::time::advance(wait).await;
        assert_eq!((kind(attempt.submit().await), service.entry().as_str()), (Kind::OutcomeUnknown, "{"));
    }
    tokio::time::advance(Duration::from_secs(600)).await;
    let failed = attempt.submit().await.unwrap_err();
    assert_eq!((failed.code(), service.post_count()), (Code::TransferFailed, 0));
    assert_eq!(service.entry(), "");
    assert!(page.pending_transfers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_entry_that_cannot_be_read_stays_open_while_the_end_of_its_quote_is_unknown() {
    let mut service = Service::working();
    let quote = quoted(QUOTE, "12550", "null", &format!(r#","senderId":"{SENDER}""#));
    service.quote = Rc::new(move |_| answer(200, &quote));
    service.set_entry("{".to_owned());
    let (_page, attempt) = service.listed().await;
    for _ in 0..3 {
        assert_eq!((kind(attempt.submit().await), service.entry().as_str()), (Kind::OutcomeUnknown, "{"));
        tokio::time::advance(DAY).await;
    }
    service.made.borrow_mut().push(REQUEST.to_owned());
    assert!(attempt.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn an_entry_in_a_state_of_a_later_version_is_settled_but_never_posted() {
    for state in ["HELD", "REFUSED", "DISCARDED"] {
        let service = Service::working();
        service.prepared().await;
        service.replace_in_entry("PREPARED", state);
        let entry = service.entry();
        let (_page, attempt) = service.listed().await;
        assert_eq!(kind(attempt.discard().await), Kind::OutcomeUnknown);
        assert_eq!(
            (kind(attempt.submit().await), service.post_count()),
            (Kind::OutcomeUnknown, 0),
            "{state}"
        );
        assert_eq!(service.entry(), entry);
        service.made.borrow_mut().push(REQUEST.to_owned());
        assert!(attempt.submit().await.unwrap().recovered);
    }
}

#[tokio::test(start_paused = true)]
async fn a_damaged_entry_of_another_sender_is_left_alone_and_one_of_nobody_known_is_not_left_out() {
    let service = telling_senders(Service::working(), ID);
    service.set_entry("{".to_owned());
    assert!(service.page().pending_transfers().await.unwrap().is_empty());
    assert_eq!(service.entry(), "{");
    let silent = Service { quote: Rc::new(|_| Err(SendFailure::Network)), ..service.clone() };
    assert!(silent.page().pending_transfers().await.unwrap_err().retryable());
    // A list of the others would claim that nothing else is open.
    let other = QUOTE.replacen("11111111", "55555555", 1);
    let request = REQUEST.replace(QUOTE, &other);
    silent.page().prepare(&request).await.unwrap();
    assert!(silent.page().pending_transfers().await.unwrap_err().retryable());
    // One that the service will never know does not hide them for ever.
    let refusing = Service { quote: Rc::new(|_| answer(400, "{}")), ..service };
    let (_page, attempt) = refusing.listed().await;
    assert_eq!(attempt.quote_history_id().as_str(), other);
}

#[tokio::test(start_paused = true)]
async fn a_page_settles_what_it_has_sent_though_the_entry_was_damaged_since() {
    let service = Service::unreachable();
    let (_page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    service.made.borrow_mut().push(REQUEST.to_owned());
    service.set_entry("{".to_owned());
    assert!(attempt.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn an_entry_that_became_unreadable_is_settled_as_the_attempt_that_the_page_has() {
    for is_first in [true, false] {
        let service = telling_senders(Service::working(), SENDER);
        let (page, attempt) = service.prepared().await;
        service.made.borrow_mut().push(REQUEST.to_owned());
        service.set_entry("{".to_owned());
        let listed = page.pending_transfers().await.unwrap().remove(0);
        let (first, second) = if is_first { (&attempt, &listed) } else { (&listed, &attempt) };
        for one in [first, second] {
            let made = one.submit().await.unwrap();
            assert_eq!((made.transfer.transfer_id.as_str(), made.recovered), (ID, true), "{is_first}");
        }
        assert_eq!(service.post_count(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn an_entry_that_cannot_be_read_is_kept_from_other_attempts_with_its_quote() {
    for is_discarded in [false, true] {
        let is_sent = Rc::new(Cell::new(false));
        let progress = {
            let is_sent = is_sent.clone();
            move || match is_sent.get() {
                true => answer(200, r#"{"transferRecordStatus":"Initializing"}"#),
                false => answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#),
            }
        };
        let service = Service { no_transfer: Rc::new(progress), ..Service::working() };
        let (_page, attempt) = service.prepared().await;
        if is_discarded {
            attempt.discard().await.unwrap();
        }
        // A tab with a later version has prepared the next attempt with the quote.
        service.set_entry("{".to_owned());
        if is_discarded {
            assert_eq!(kind(attempt.submit().await), Kind::Conflict);
            assert_eq!((service.entry().as_str(), attempt.state()), ("{", AttemptState::Discarded));
        }
        is_sent.set(true);
        assert_eq!(kind(attempt.discard().await), Kind::OutcomeUnknown);
        assert_eq!((kind(attempt.submit().await), service.entry().as_str()), (Kind::OutcomeUnknown, "{"));
        service.made.borrow_mut().push(other_request(SENDER));
        assert_eq!((kind(attempt.submit().await), service.entry().as_str()), (Kind::Conflict, "{"));
        assert_eq!(service.post_count(), 0);
    }
}

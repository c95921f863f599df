//! How an attempt is brought to its outcome: what is asked, sent and kept, one step at a time.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join;
use remitkit::api::{Code, Error, Kind};
use remitkit::client::{Answer, Client, Environment, SendFailure};

use crate::support::{ID, SENDER, Sent, Store, TextCalls, answer, summary};
use crate::transfers::{QUOTE, REQUEST, Service, transfer};

const KEY: &str = "remitkit.attempt.11111111-4f89-41d3-9a0c-0305e82c3301";

type Requests = Rc<RefCell<Vec<Sent>>>;

fn page(service: &Service, store: &Rc<Store>) -> (Client<impl Environment<Signal = u64> + use<>>, Requests) {
    let mut script = service.script();
    script.store = store.clone();
    let sent = script.sent.clone();
    (script.client(), sent)
}

fn questions(sent: &Requests) -> usize {
    sent.borrow().iter().filter(|sent| sent.path.starts_with("/v1/transfers/progress/")).count()
}

fn kept(store: &Store) -> String {
    store.entries.borrow().get(KEY).cloned().unwrap_or_default()
}

fn put_back(store: &Store, from: &str, to: &str) {
    let text = kept(store).replace(from, to);
    store.entries.borrow_mut().insert(KEY.to_owned(), text);
}

/// A service whose first POST makes nothing and is answered so; the next one makes the transfer.
fn at_first(first: Result<Answer, SendFailure>) -> Service {
    let (status, text) = first.as_ref().map_or((0, String::new()), |a| (a.status, a.text.clone()));
    let failure = first.err();
    Service::new(move |number| match (number, failure) {
        (0, Some(failure)) => (false, Err(failure)),
        (0, None) => (false, answer(status, &text)),
        _ => (true, transfer(200)),
    })
}

#[tokio::test(start_paused = true)]
async fn what_is_no_word_of_the_service_is_asked_about_and_sent_again() {
    for first in [
        answer(403, "<html>Denied</html>"),
        answer(404, "<html>Not here</html>"),
        answer(429, r#"[{"code":"TooManyRequests","message":"Slow"}]"#),
    ] {
        let service = at_first(first);
        let (client, _) = page(&service, &Rc::default());
        assert!(!client.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap().recovered);
        assert_eq!(service.posts.borrow().len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_service_forbids_stays_prepared() {
    let service = Service::new(|_| (false, answer(403, r#"[{"code":"AccessDenied","message":"No"}]"#)));
    let store = Rc::<Store>::default();
    let (client, sent) = page(&service, &store);
    let error = client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!((error.code(), error.kind()), (Code::AccessDenied, Kind::Authentication));
    assert!(kept(&store).contains("PREPARED"));
    assert_eq!((service.posts.borrow().len(), questions(&sent)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_was_used_is_asked_about_until_its_transfer_shows() {
    let service =
        Service::new(|_| (false, answer(400, r#"[{"code":"TransferDuplicatedByQuote","message":"Again"}]"#)));
    let asked = Rc::new(Cell::new(0));
    let (count, made) = (asked.clone(), service.made.clone());
    let posts = service.posts.clone();
    let mut service = service;
    service.none = Rc::new(move || {
        count.set(count.get() + 1);
        if count.get() == 3 {
            made.borrow_mut().push(posts.borrow()[0].body.clone().unwrap());
        }
        answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#)
    });
    let (client, _) = page(&service, &Rc::default());
    assert!(client.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap().recovered);
    assert_eq!((asked.get(), service.posts.borrow().len()), (3, 1));
}

#[tokio::test(start_paused = true)]
async fn a_question_without_an_answer_proves_nothing_and_one_without_a_token_is_asked_once_more() {
    let unknown = r#"[{"code":"QuoteHistoryNotFound","message":"No"}]"#;
    for (none, asked) in [(Err(SendFailure::Network), 7), (answer(401, ""), 2)] {
        let (status, failure) = (none.as_ref().map_or(0, |answer| answer.status), none.err());
        let mut service = Service::new(move |_| (false, answer(400, unknown)));
        service.none = Rc::new(move || failure.map_or_else(|| answer(status, ""), Err));
        let (client, sent) = page(&service, &Rc::default());
        let error = client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
        assert_eq!(error.kind(), Kind::OutcomeUnknown);
        // Each question that is answered 401 is asked again with a new token.
        let each = if status == 401 { 2 } else { 1 };
        assert_eq!(questions(&sent), asked * each);
    }
}

#[tokio::test(start_paused = true)]
async fn no_question_is_asked_more_than_45_seconds_after_the_beginning() {
    let mut service = Service::new(|_| (false, Err(SendFailure::Timeout)));
    service.none = Rc::new(|| Err(SendFailure::Timeout));
    let script = service.script();
    let sent = script.sent.clone();
    // The POST and three questions, with the pauses before them, take 45 seconds to the millisecond.
    let client = script.builder("https://api.example.com").timeout_ms(10_375).build().unwrap();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert_eq!(questions(&sent), 4);
    let client = service.script();
    let sent = client.sent.clone();
    let client = client.builder("https://api.example.com").timeout_ms(10_376).build().unwrap();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert_eq!(questions(&sent), 3);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_lock_and_token_waits_a_minute_and_is_told_that_nothing_was_sent() {
    let service = Service::new(|_| (true, transfer(200)));
    let mut script = service.script();
    script.token_delay_ms = 29_000;
    let store = script.store.clone();
    let client = script.client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    tokio::time::advance(Duration::from_secs(4_000)).await;
    let lock = store.locks.borrow()[KEY].clone();
    let held = lock.lock_owned().await;
    let begun = tokio::time::Instant::now();
    let released = async {
        tokio::time::sleep(Duration::from_secs(44)).await;
        drop(held);
    };
    let (outcome, ()) = join(attempt.submit(), released).await;
    // It was the bound, and no signal of the caller's.
    assert_eq!(outcome.err().unwrap().kind(), Kind::Timeout);
    assert_eq!(begun.elapsed(), Duration::from_millis(59_200));
    assert!(kept(&store).contains("PREPARED") && service.posts.borrow().is_empty());
}

#[tokio::test(start_paused = true)]
async fn whoever_leaves_ends_the_sending_and_only_the_last_who_waits_does() {
    for others in [false, true] {
        let service = Service::new(|_| (false, Err(SendFailure::Network)));
        let script = service.script();
        let spawned = script.spawned.clone();
        let client = script.client();
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        let (leaves, stays) = (attempt.submit(), attempt.submit());
        let left = tokio::time::timeout(Duration::from_millis(100), leaves).await;
        assert!(left.is_err(), "it waits for its first question");
        if others {
            assert_eq!(stays.await.err().unwrap().kind(), Kind::OutcomeUnknown);
        }
        let works_on = std::mem::take(&mut *spawned.borrow_mut());
        futures_util::future::join_all(works_on).await;
        assert_eq!(service.posts.borrow().len(), if others { 7 } else { 1 });
    }
}

#[tokio::test(start_paused = true)]
async fn after_an_abort_the_pause_before_the_question_is_kept() {
    let service = Service::new(|_| (true, transfer(200)));
    let (client, sent) = page(&service, &Rc::default());
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let begun = client.environment().now_ms();
    // In mid-POST.
    assert!(attempt.submit().with_signal(&(begun + 5)).await.unwrap().recovered);
    let times: Vec<u64> = sent.borrow().iter().skip(2).map(|sent| sent.at_ms - begun).collect();
    assert_eq!(times, [0, 505, 515], "POST, progress, transfer");
}

#[tokio::test(start_paused = true)]
async fn what_the_journal_does_not_keep_is_not_sent_and_is_certain_only_where_nothing_was() {
    // How many of the next texts are not kept, and what is told.
    for (refused, kind) in [(1, Kind::Configuration), (2, Kind::OutcomeUnknown)] {
        let service = Service::new(|_| (true, transfer(200)));
        let store = Rc::<Store>::default();
        let (client, _) = page(&service, &store);
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        store.refused_saves.set(refused);
        assert_eq!(attempt.submit().await.err().unwrap().kind(), kind);
        assert!(service.posts.borrow().is_empty() && kept(&store).contains("PREPARED"));
        attempt.submit().await.unwrap();
    }
    // One that was sent before may have been made.
    let service = at_first(Err(SendFailure::Network));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let soon = client.environment().now_ms() + 5;
    assert_eq!(attempt.submit().with_signal(&soon).await.err().unwrap().kind(), Kind::OutcomeUnknown);
    store.refused_saves.set(1);
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert!(kept(&store).contains("SENT") && service.posts.borrow().len() == 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_whose_quote_has_ended_is_not_even_noted_as_sent() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    tokio::time::advance(Duration::from_hours(25)).await;
    store.refused_saves.set(9);
    assert_eq!(attempt.submit().await.err().unwrap().code(), Code::QuoteExpired);
    assert_eq!((store.refused_saves.get(), store.entries.borrow().len()), (9, 0));
}

#[tokio::test(start_paused = true)]
async fn what_the_browser_does_not_send_is_certain_at_once_unless_something_was_sent_before() {
    let service = Service::new(|_| (false, Err(SendFailure::Blocked)));
    let store = Rc::<Store>::default();
    let (client, sent) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::Configuration);
    assert_eq!(questions(&sent), 0);

    let service = Service::new(|number| match number {
        0 => (false, Err(SendFailure::Network)),
        _ => (false, Err(SendFailure::Blocked)),
    });
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert!(kept(&store).contains("SENT"));
    assert_eq!(attempt.discard().await.err().unwrap().kind(), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_cannot_be_read_is_no_word_on_what_was_sent() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.err().unwrap();
    store.broken.set(true);
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn a_late_write_that_says_prepared_does_not_make_a_sent_attempt_unsent() {
    let service = at_first(Err(SendFailure::Network));
    let store = Rc::<Store>::default();
    let (client, sent) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let soon = client.environment().now_ms() + 5;
    assert_eq!(attempt.submit().with_signal(&soon).await.err().unwrap().kind(), Kind::OutcomeUnknown);
    put_back(&store, "SENT", "PREPARED");
    let before = sent.borrow().len();
    attempt.submit().await.unwrap();
    assert!(sent.borrow()[before].path.starts_with("/v1/transfers/progress/"), "it asks first");
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_its_senders_and_an_unsent_one_is_certainly_unsent() {
    for was_sent in [false, true] {
        let service = Service::new(|_| (false, Err(SendFailure::Network)));
        let mut script = service.script();
        let (store, sender) = (script.store.clone(), Rc::new(Cell::new(SENDER)));
        let (whose, fails) = (sender.clone(), Rc::new(Cell::new(false)));
        let no_token = fails.clone();
        script.owner = Rc::new(move |_| answer(200, &format!(r#"{{"senderId":"{}"}}"#, whose.get())));
        script.token = Rc::new(move |n| match no_token.get() {
            true => Err(Error::new(Code::TokenUnavailable)),
            false => Ok(format!(r#"{{"access_token":"token-{n}","expires_in":3600}}"#)),
        });
        let client = script.client();
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        if was_sent {
            attempt.submit().await.err().unwrap();
        }
        let before = store.entries.borrow().clone();
        let posts = service.posts.borrow().len();
        // The token ends, and there is none; then another sender signs in.
        tokio::time::advance(Duration::from_secs(4_000)).await;
        for (without_token, now) in [(true, SENDER), (false, ID)] {
            fails.set(without_token);
            sender.set(now);
            let error = attempt.submit().await.err().unwrap();
            let unsent = if without_token { Code::TokenUnavailable } else { Code::AccessDenied };
            assert_eq!(error.code(), if was_sent { Code::OutcomeUnknown } else { unsent });
        }
        assert_eq!((service.posts.borrow().len(), &*store.entries.borrow()), (posts, &before));
    }
}

#[tokio::test(start_paused = true)]
async fn a_made_transfer_is_shown_by_its_id_where_it_cannot_be_read_and_is_not_asked_about() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    client.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap();
    for is_down in [false, true] {
        let shown = service.clone();
        let mut script = crate::support::Script::new(move |_, sent| match is_down {
            true => answer(503, ""),
            false => shown.answer(sent),
        });
        script.store = store.clone();
        let sent = script.sent.clone();
        let attempt = script.client().pending_transfers().await.unwrap().remove(0);
        let outcome = attempt.submit().await.unwrap();
        assert!(outcome.recovered && outcome.transfer.transfer_id.as_str() == ID);
        assert_eq!(outcome.transfer.confirmation_number.is_some(), !is_down);
        assert_eq!(questions(&sent), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn the_answer_to_a_post_is_about_that_post_whatever_it_shows() {
    let shown = format!(r#"{{"transferId":"{ID}","quote":{{"sendAmount":{{"value":1}}}}}}"#);
    let service = Service::new(move |_| (true, answer(200, &shown)));
    let (client, _) = page(&service, &Rc::default());
    assert!(!client.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn to_acknowledge_a_transfer_removes_it_however_it_is_noted_and_no_other() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.unwrap();
    let made = kept(&store);
    // A late write may have put it back as it was before.
    for state in ["PREPARED", "SENT", "CREATED"] {
        store.entries.borrow_mut().insert(KEY.to_owned(), made.replace("CREATED", state));
        attempt.acknowledge().await.unwrap();
        assert!(store.entries.borrow().is_empty(), "{state}");
    }
    let other = REQUEST.replacen('{', &format!(r#"{{"nonce":"{SENDER}","#), 1);
    let newer = client.prepare(&other, &0).await.unwrap();
    attempt.acknowledge().await.unwrap();
    assert!(kept(&store).contains(newer.nonce().as_str()));
    assert!(summary(&client.pending_transfers().await.unwrap()[0]).contains(QUOTE));
}

#[tokio::test(start_paused = true)]
async fn how_long_a_post_may_be_under_way_is_counted_from_the_last_or_from_when_it_was_found() {
    const UNDER_WAY: Duration = Duration::from_secs(600);
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
    let (client, _) = page(&service, &store);
    client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    // Found by another page when its quote has long ended: nobody here knows when it was sent.
    tokio::time::advance(Duration::from_hours(48)).await;
    let mut script = service.script();
    (script.store, script.started) = (store.clone(), started);
    let client = script.client();
    let attempt = client.pending_transfers().await.unwrap().remove(0);
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    tokio::time::advance(UNDER_WAY).await;
    assert_eq!(attempt.submit().await.err().unwrap().code(), Code::QuoteExpired);

    // Sent again shortly before its quote ended, in the same page.
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.err().unwrap();
    let day = Duration::from_hours(24);
    tokio::time::advance(day - Duration::from_secs(120)).await;
    let posts = service.posts.borrow().len();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert!(service.posts.borrow().len() > posts);
    tokio::time::advance(Duration::from_secs(300)).await;
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    tokio::time::advance(UNDER_WAY).await;
    assert_eq!(attempt.submit().await.err().unwrap().code(), Code::QuoteExpired);
}

#[tokio::test(start_paused = true)]
async fn a_longer_time_for_one_attempt_makes_the_whole_longer() {
    let service = Service::new(|_| (false, Err(SendFailure::Timeout)));
    let client = service.script().builder("https://api.example.com").timeout_ms(120_000).build().unwrap();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let begun = tokio::time::Instant::now();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert_eq!(begun.elapsed(), Duration::from_secs(120));
}

#[tokio::test(start_paused = true)]
async fn what_goes_on_behind_the_calls_goes_on_when_its_last_caller_has_left() {
    let service = Service::new(|_| (true, transfer(200)));
    let script = service.script();
    let (spawned, sent, store) = (script.spawned.clone(), script.sent.clone(), script.store.clone());
    let client = script.client();
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let local = tokio::task::LocalSet::new();
    let leaves = async {
        let submitted = tokio::time::timeout(Duration::from_millis(5), async {
            let submitting = attempt.submit();
            let behind = async {
                tokio::task::yield_now().await;
                spawned.take().into_iter().for_each(|work| drop(tokio::task::spawn_local(work)));
                std::future::pending::<()>().await;
            };
            join(submitting, behind).await
        });
        // In mid-POST.
        assert!(submitted.await.is_err());
        tokio::time::sleep(Duration::from_secs(2)).await;
    };
    local.run_until(leaves).await;
    assert_eq!((service.posts.borrow().len(), questions(&sent)), (1, 1));
    assert!(kept(&store).contains("CREATED"));
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_is_not_discarded_whatever_stands_in_its_place() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let (client, _) = page(&service, &store);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.err().unwrap();
    let sent = kept(&store);
    // A late write has put it back as it was before, or another attempt took its place.
    for (from, to) in [("SENT", "PREPARED"), (ID, SENDER)] {
        store.entries.borrow_mut().insert(KEY.to_owned(), sent.replace(from, to));
        assert_eq!(attempt.discard().await.err().unwrap().kind(), Kind::OutcomeUnknown, "{to}");
        assert!(kept(&store).contains(to));
    }
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_has_taken_out_of_the_journal_is_asked_about_before_it_is_dropped() {
    // Whether it was made there, what the question is answered, and what is told.
    for (made, answers, told) in
        [(true, true, Some(Kind::Conflict)), (true, false, Some(Kind::OutcomeUnknown)), (false, true, None)]
    {
        let service = Service::new(|_| (true, transfer(200)));
        let store = Rc::<Store>::default();
        let (there, _) = page(&service, &store);
        let mut asked = service.clone();
        asked.none = Rc::new(move || match answers {
            true => answer(200, r#"{"transferRecordStatus":"NotInProgress"}"#),
            false => Err(SendFailure::Network),
        });
        if !answers {
            // This page's service shows nothing of it.
            asked.made = Rc::default();
        }
        let (here, sent) = page(&asked, &store);
        let attempt = there.prepare(REQUEST, &0).await.unwrap();
        let seen = here.pending_transfers().await.unwrap().remove(0);
        if made {
            attempt.submit().await.unwrap();
            attempt.acknowledge().await.unwrap();
        } else {
            attempt.discard().await.unwrap();
        }
        assert_eq!(seen.discard().await.err().map(|error| error.kind()), told);
        assert!(questions(&sent) > 0);
    }
}

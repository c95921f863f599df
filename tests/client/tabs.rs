//! Pages that go away, and tabs that work on one attempt: the journal and its lock are all that they share.

use std::rc::Rc;

use futures_util::future::{join, join_all};
use remitkit::api::{Code, Kind};
use remitkit::client::{Client, Environment, SendFailure};

use crate::support::{ID, SENDER, Store, TextCalls, summary};
use crate::transfers::{QUOTE, REQUEST, Service, transfer};

/// A tab on a service, with the journal and the locks of the others.
fn tab(service: &Service, store: &Rc<Store>) -> Client<impl Environment<Signal = u64> + use<>> {
    tab_at(service, store, tokio::time::Instant::now())
}

fn tab_at(
    service: &Service,
    store: &Rc<Store>,
    started: tokio::time::Instant,
) -> Client<impl Environment<Signal = u64> + use<>> {
    let mut script = service.script();
    script.store = store.clone();
    script.started = started;
    script.client()
}

#[tokio::test(start_paused = true)]
async fn tabs_that_submit_one_attempt_at_once_make_it_once_and_all_learn_of_it() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::default();
    let tabs: Vec<_> = (0..8).map(|_| tab(&service, &store)).collect();
    tabs[0].prepare(REQUEST, &0).await.unwrap();
    let attempts =
        join_all(tabs.iter().map(async |tab| tab.pending_transfers().await.unwrap().remove(0))).await;
    let outcomes = join_all(attempts.iter().map(|attempt| attempt.submit())).await;
    assert_eq!((service.posts.borrow().len(), service.made.borrow().len()), (1, 1));
    for outcome in outcomes {
        assert!(outcome.unwrap().transfer.transfer_id.as_str() == ID);
    }
}

#[tokio::test(start_paused = true)]
async fn tabs_that_prepare_one_quote_at_once_have_one_attempt() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::default();
    let (one, two) = (tab(&service, &store), tab(&service, &store));
    let other_amount = REQUEST.replace("12550", "12551");
    let (first, second) = join(one.prepare(REQUEST, &0), two.prepare(&other_amount, &0)).await;
    assert!(first.is_ok());
    assert_eq!(second.err().unwrap().kind(), Kind::Conflict);
    assert_eq!(store.entries.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_goes_away_before_it_shows_the_outcome_finds_the_transfer_again() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::default();
    let script = {
        let mut script = service.script();
        script.store = Rc::clone(&store);
        script
    };
    let spawned = script.spawned.clone();
    let page = script.client();
    page.prepare(REQUEST, &0).await.unwrap().submit().await.unwrap();
    // The page has gone away, and with it what it would have done later.
    spawned.borrow_mut().clear();

    let reloaded = tab(&service, &store);
    let pending = reloaded.pending_transfers().await.unwrap();
    assert!(summary(&pending[0]).contains(r#""state":"CREATED""#), "{}", summary(&pending[0]));
    let outcome = pending[0].submit().await.unwrap();
    assert!(outcome.recovered && outcome.transfer.transfer_id.as_str() == ID);
    assert_eq!(service.posts.borrow().len(), 1);
    assert_eq!(pending[0].discard().await.err().unwrap().kind(), Kind::Conflict);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_stays_forgets_the_transfer_soon_and_another_tab_still_learns_of_it() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let mut script = service.script();
    script.store = store.clone();
    let spawned = script.spawned.clone();
    let page = script.client();
    let other = tab(&service, &store);
    let attempt = page.prepare(REQUEST, &0).await.unwrap();
    let seen = other.pending_transfers().await.unwrap().remove(0);
    attempt.submit().await.unwrap();
    let later = std::mem::take(&mut *spawned.borrow_mut());
    join_all(later).await;
    assert!(store.entries.borrow().is_empty());
    assert!(seen.submit().await.unwrap().recovered);
    assert_eq!(service.posts.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_ended_elsewhere_without_a_transfer_is_not_sent_again() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::default();
    let (one, two) = (tab(&service, &store), tab(&service, &store));
    let attempt = one.prepare(REQUEST, &0).await.unwrap();
    let seen = two.pending_transfers().await.unwrap().remove(0);
    attempt.discard().await.unwrap();
    assert_eq!(seen.submit().await.err().unwrap().code(), Code::TransferFailed);
    assert_eq!(service.posts.borrow().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_made_before_it_prepared_another_is_a_success() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let (one, two) = (tab(&service, &store), tab(&service, &store));
    let attempt = one.prepare(REQUEST, &0).await.unwrap();
    let seen = two.pending_transfers().await.unwrap().remove(0);
    seen.submit().await.unwrap();
    seen.acknowledge().await.unwrap();
    let other =
        REQUEST.replace("22222222", "44444444").replacen('{', &format!(r#"{{"nonce":"{SENDER}","#), 1);
    let later = two.prepare(&other, &0).await.unwrap();
    assert!(attempt.submit().await.unwrap().recovered);
    assert_eq!(later.submit().await.err().unwrap().kind(), Kind::Conflict);
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_lock_that_is_not_had_is_no_word_but_on_what_was_dropped_here() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let (one, two) = (tab(&service, &store), tab(&service, &store));
    let other = REQUEST.replacen('{', &format!(r#"{{"nonce":"{SENDER}","#), 1);
    let dropped = one.prepare(REQUEST, &0).await.unwrap();
    dropped.discard().await.unwrap();
    let open = two.prepare(REQUEST, &0).await.unwrap();
    store.entries.borrow_mut().clear();
    let newer = one.prepare(&other, &0).await.unwrap();
    let lock = store.locks.borrow()[&format!("remitkit.attempt.{QUOTE}")].clone();
    let _held = lock.lock_owned().await;
    assert_eq!(dropped.submit().await.err().unwrap().code(), Code::TransferFailed);
    for attempt in [&open, &newer] {
        assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    }
    // It was put back, and whoever has the lock may be sending it.
    let text = store.entries.borrow().values().next().unwrap().replace(SENDER, ID);
    store.entries.borrow_mut().values_mut().for_each(|kept| kept.clone_from(&text));
    assert_eq!(dropped.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_works_on_is_not_discarded_and_an_abort_is_an_abort() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let page = tab(&service, &store);
    let attempt = page.prepare(REQUEST, &0).await.unwrap();
    let lock = store.locks.borrow()[&format!("remitkit.attempt.{QUOTE}")].clone();
    let _held = lock.lock_owned().await;
    assert_eq!(attempt.discard().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    let soon = page.environment().now_ms() + 2000;
    assert_eq!(attempt.discard().with_signal(&soon).await.err().unwrap().kind(), Kind::Aborted);
    assert_eq!(store.entries.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_the_browser_did_not_send_stays_prepared() {
    let service = Service::new(|_| (false, Err(SendFailure::Blocked)));
    let store = Rc::<Store>::default();
    let attempt = tab(&service, &store).prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::Configuration);
    assert!(store.entries.borrow().values().all(|text| text.contains("PREPARED")));
    assert_eq!(store.entries.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_grew_stale_here_is_known_to_have_ended() {
    let mut service = Service::new(|_| (false, Err(SendFailure::Network)));
    service.none = Rc::new(|| Err(SendFailure::Network));
    let page = tab(&service, &Rc::default());
    let attempt = page.prepare(REQUEST, &0).await.unwrap();
    tokio::time::advance(std::time::Duration::from_hours(25)).await;
    assert!(page.pending_transfers().await.unwrap().is_empty());
    assert_eq!(attempt.submit().await.err().unwrap().code(), Code::TransferFailed);
}

#[tokio::test(start_paused = true)]
async fn to_stop_waiting_for_another_tab_is_no_word_on_the_transfer() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::default();
    let (one, two) = (tab(&service, &store), tab(&service, &store));
    let attempt = one.prepare(REQUEST, &0).await.unwrap();
    let seen = two.pending_transfers().await.unwrap().remove(0);
    let soon = two.environment().now_ms() + 2000;
    let (_, waited) = join(attempt.submit(), seen.submit().with_signal(&soon)).await;
    let error = waited.err().unwrap();
    assert_eq!((error.kind(), error.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    // So it is for a second call in the same tab, whose own signal ends it.
    let soon = one.environment().now_ms() + 2000;
    let (_, waited) = join(attempt.submit(), attempt.submit().with_signal(&soon)).await;
    assert_eq!(waited.err().unwrap().kind(), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn only_what_was_never_sent_can_be_discarded_or_grows_stale() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let page = tab(&service, &store);
    page.prepare(REQUEST, &0).await.unwrap().discard().await.unwrap();
    assert!(store.entries.borrow().is_empty());

    page.prepare(REQUEST, &0).await.unwrap();
    tokio::time::advance(std::time::Duration::from_hours(25)).await;
    assert!(page.pending_transfers().await.unwrap().is_empty() && store.entries.borrow().is_empty());

    let attempt = page.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.err().unwrap();
    let error = attempt.discard().await.err().unwrap();
    assert_eq!((error.kind(), error.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    tokio::time::advance(std::time::Duration::from_hours(1000)).await;
    assert_eq!(page.pending_transfers().await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_what_it_was_when_it_was_given_out() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let page = tab(&service, &store);
    let attempt = page.prepare(REQUEST, &0).await.unwrap();
    // Something else has put another attempt in its place.
    let entries = store.entries.borrow().clone();
    for (key, text) in entries {
        let other = text.replace(ID, "44444444-4f89-41d3-9a0c-0305e82c3301");
        store.entries.borrow_mut().insert(key, other);
    }
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::Conflict);
    assert_eq!(service.posts.borrow().len(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_made_before_it_prepared_another_is_not_told_as_dropped() {
    let other =
        REQUEST.replace("22222222", "44444444").replacen('{', &format!(r#"{{"nonce":"{SENDER}","#), 1);
    for makes in [true, false] {
        let service = Service::new(move |_| (makes, transfer(200)));
        let store = Rc::<Store>::default();
        let (one, two) = (tab(&service, &store), tab(&service, &store));
        let attempt = one.prepare(REQUEST, &0).await.unwrap();
        let seen = two.pending_transfers().await.unwrap().remove(0);
        if makes {
            seen.submit().await.unwrap();
            seen.acknowledge().await.unwrap();
        } else {
            seen.discard().await.unwrap();
        }
        two.prepare(&other, &0).await.unwrap();
        let told = attempt.discard().await.err().map(|error| error.kind());
        assert_eq!(told, makes.then_some(Kind::Conflict));
        assert_eq!(store.entries.borrow().len(), 1, "the other one stays");
    }
}

#[tokio::test(start_paused = true)]
async fn tabs_without_common_locks_drop_nothing_while_the_other_one_signs_in_to_send_it() {
    let service = Service::new(|_| (true, transfer(200)));
    let store = Rc::<Store>::default();
    let mut script = service.script();
    (script.store, script.token_delay_ms) = (store.clone(), 5_000);
    let (one, two) = (tab(&service, &store), script.client());
    let attempt = one.prepare(REQUEST, &0).await.unwrap();
    let seen = two.pending_transfers().await.unwrap().remove(0);
    // Both tokens have ended.
    tokio::time::advance(std::time::Duration::from_hours(2)).await;
    let drop_it = async {
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        store.locks.borrow_mut().clear();
        attempt.discard().await
    };
    let (made, dropped) = join(seen.submit(), drop_it).await;
    assert!(made.is_ok() != dropped.is_ok(), "{:?}", made.map(|made| made.recovered));
    assert_eq!(service.made.borrow().len(), usize::from(dropped.is_err()));
}

#[tokio::test(start_paused = true)]
async fn an_abort_before_the_begin_says_nothing_of_what_was_sent() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let (one, two) = (tab(&service, &store), tab(&service, &store));
    let attempt = one.prepare(REQUEST, &0).await.unwrap();
    let seen = two.pending_transfers().await.unwrap().remove(0);
    tokio::time::advance(std::time::Duration::from_secs(1)).await;
    assert_eq!(attempt.submit().with_signal(&1).await.err().unwrap().kind(), Kind::Aborted);
    attempt.submit().await.err().unwrap();
    // A write that the journal was late with has put it back.
    store.entries.borrow_mut().values_mut().for_each(|text| *text = text.replace("SENT", "PREPARED"));
    assert_eq!(attempt.submit().with_signal(&1).await.err().unwrap().kind(), Kind::OutcomeUnknown);
    // Or it has ended, whoever sent it, and another one has its quote.
    store.entries.borrow_mut().values_mut().for_each(|text| *text = text.replace(ID, SENDER));
    assert_eq!(seen.submit().with_signal(&1).await.err().unwrap().kind(), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_sends_at_the_end_of_the_quote_may_arrive_after_it() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let store = Rc::<Store>::default();
    let started = tokio::time::Instant::now();
    let (one, two) = (tab_at(&service, &store, started), tab_at(&service, &store, started));
    let attempt = one.prepare(REQUEST, &0).await.unwrap();
    attempt.submit().await.err().unwrap();
    let minute = std::time::Duration::from_mins(1);
    tokio::time::advance(24 * 60 * minute - started.elapsed() - minute / 2).await;
    let posts = service.posts.borrow().len();
    let seen = two.pending_transfers().await.unwrap().remove(0);
    assert_eq!(seen.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert!(service.posts.borrow().len() > posts && started.elapsed() > 24 * 60 * minute);
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    tokio::time::advance(10 * minute).await;
    assert_eq!(attempt.submit().await.err().unwrap().code(), Code::QuoteExpired);
}

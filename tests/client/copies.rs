//! Journals that do not tell the whole story: the copy of a duplicated tab, and one that was cleared.

use std::cell::Cell;
use std::rc::Rc;

use remitkit::api::{Code, Kind};
use remitkit::client::{AttemptState, SendFailure};

use crate::quotes::quoted;
use crate::script::{ScriptedClient, answer, error, kind};
use crate::service::{DAY, QUOTE, REQUEST, SECOND, Service, progress_reads, transfer};

/// Returns the same service with a copy of the journal, and the same locks, as a duplicated tab has them.
fn duplicated(service: &Service) -> Service {
    let copy = service.with_other_journal();
    copy.store.entries.replace(service.store.entries.borrow().clone());
    copy.store.share_locks(&service.store);
    copy
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_from_the_other_tab_is_not_discarded_from_a_copy() {
    let service = Service::working();
    let (_tab, attempt) = service.prepared().await;
    let copy = duplicated(&service);
    attempt.submit().await.unwrap();

    let (page, seen) = copy.listed().await;
    assert_eq!(seen.state(), AttemptState::Prepared);
    let failed = error(seen.discard().await);
    assert_eq!((failed.code(), failed.attempt()), (Code::TransferDuplicatedByQuote, Some(QUOTE)));
    // Its own journal knows now.
    assert_eq!(seen.state(), AttemptState::Sent);
    assert_eq!(copy.listed().await.1.state(), AttemptState::Sent);
    assert!(seen.submit().await.unwrap().recovered);
    assert_eq!((service.post_count(), progress_reads(&page)), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_discarded_once_the_service_has_answered() {
    let mut service = Service::unreachable();
    service.no_transfer = Rc::new(|| Err(SendFailure::Network));
    let (_page, attempt) = service.prepared().await;
    let failed = error(attempt.discard().await);
    assert_eq!((failed.code(), failed.retryable()), (Code::NetworkFailure, true));
    assert_eq!(attempt.state(), AttemptState::Prepared);
    service.no_transfer = Rc::new(|| answer(200, r#"{"transferRecordStatus":"Initializing"}"#));
    let (_tab, seen) = service.listed().await;
    assert_eq!(kind(seen.discard().await), Kind::OutcomeUnknown);
    assert_eq!(seen.state(), AttemptState::Sent);
}

#[tokio::test(start_paused = true)]
async fn a_copy_reads_the_progress_before_it_says_that_the_quote_has_expired() {
    let expiring = quoted(QUOTE, "1", "null", r#","expirationDate":"900000""#);
    let service = Service { quote: Rc::new(move |_| answer(200, &expiring)), ..Service::working() };
    let page = service.quoted(REQUEST).await;
    let attempt = page.prepare(REQUEST).await.unwrap();
    let copy = duplicated(&service);
    attempt.submit().await.unwrap();
    tokio::time::advance(3600 * SECOND).await;
    assert!(copy.listed().await.1.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn a_stale_entry_of_a_copy_is_not_removed_if_it_was_sent() {
    let service = Service::working();
    let (_tab, attempt) = service.prepared().await;
    let copy = duplicated(&service);
    attempt.submit().await.unwrap();
    tokio::time::advance(DAY + SECOND).await;
    let (_page, seen) = copy.listed().await;
    assert_eq!(seen.state(), AttemptState::Sent);
    assert!(seen.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn what_a_page_has_sent_is_listed_after_its_storage_was_cleared() {
    let mut service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    service.store.entries.take();
    let listed = page.pending_transfers().await.unwrap();
    assert_eq!((listed.len(), listed[0].state()), (1, AttemptState::Sent));
    // It is back for the next page, which posts nothing: another tab may have ended it.
    service.recovers();
    let posts = service.post_count();
    let (_next, seen) = service.listed().await;
    assert_eq!(kind(seen.submit().await), Kind::OutcomeUnknown);
    assert_eq!(service.post_count(), posts);
}

#[tokio::test(start_paused = true)]
async fn what_another_tab_has_sent_and_ended_is_not_put_back() {
    for is_refused in [true, false] {
        let is_reached = Rc::new(Cell::new(false));
        let reached = Rc::clone(&is_reached);
        let service = Service::new(move |_| match reached.get() {
            true => (true, transfer()),
            false => (false, Err(SendFailure::Network)),
        });
        let (page, attempt) = service.prepared().await;
        attempt.submit().await.unwrap_err();
        let (other, seen) = service.listed().await;
        assert_eq!(seen.state(), AttemptState::Sent);
        is_reached.set(!is_refused);
        if is_refused {
            // No copy of the POST can arrive any more.
            tokio::time::advance(DAY + 3600 * SECOND).await;
        }
        assert_eq!(attempt.submit().await.is_err(), is_refused);
        if !is_refused {
            attempt.acknowledge().await.unwrap();
        }
        for tab in [&other, &page] {
            assert!(tab.pending_transfers().await.unwrap().is_empty(), "{is_refused}");
        }
        assert_eq!(service.entry(), "");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_tab_puts_back_that_missed_the_end_leaves_the_journal_again() {
    let is_reached = Rc::new(Cell::new(false));
    let reached = Rc::clone(&is_reached);
    let service = Service::new(move |_| match reached.get() {
        true => (true, transfer()),
        false => (false, Err(SendFailure::Network)),
    });
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    // The other tab posts it as well.
    let (other, seen) = service.listed().await;
    seen.submit().await.unwrap_err();
    is_reached.set(true);
    attempt.submit().await.unwrap();
    attempt.acknowledge().await.unwrap();
    assert_eq!(other.pending_transfers().await.unwrap().len(), 1);
    assert_ne!(service.entry(), "");
    assert!(page.pending_transfers().await.unwrap().is_empty());
    assert_eq!(service.entry(), "");
}

#[tokio::test(start_paused = true)]
async fn what_has_ended_is_not_put_back() {
    // Refused, discarded, made.
    for case in 0..3 {
        let service = match case {
            0 => Service::failing(crate::script::refusal(400, "InsufficientFunds")),
            _ => Service::working(),
        };
        let (page, attempt) = service.prepared().await;
        match case {
            1 => attempt.discard().await.unwrap(),
            _ => _ = attempt.submit().await,
        }
        service.store.entries.take();
        assert!(page.pending_transfers().await.unwrap().is_empty(), "case {case}");
        let expected = [AttemptState::Refused, AttemptState::Discarded, AttemptState::Created];
        assert_eq!((attempt.state(), service.entry().as_str()), (expected[case].clone(), ""));
    }
}

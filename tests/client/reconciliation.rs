//! What the journal, the clock and the end of the quote decide about an attempt.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use remitkit::api::{Code, Error, Kind};
use remitkit::client::{AttemptState, SendFailure};

use crate::script::{ID, SENDER, Script, ScriptedClient, answer, error, kind, owned_by, refusal};
use crate::service::{DAY, QUOTE, REQUEST, SECOND, Service, summary, transfer};

#[tokio::test(start_paused = true)]
async fn an_attempt_that_the_journal_fails_to_save_is_not_posted() {
    // Each use is repeated once; the attempt stays as it was.
    let service = Service::working();
    let (_page, attempt) = service.prepared().await;
    service.store.failing_saves.set(4);
    let failed = error(attempt.submit().await);
    assert_eq!((failed.code(), failed.retryable()), (Code::JournalUnavailable, true));
    assert_eq!((failed.option(), attempt.state()), (Some("journal"), AttemptState::Prepared));
    assert!(service.post_count() == 0 && service.entry().contains("PREPARED"));
    attempt.submit().await.unwrap();
    // A save that fails may have been made, and a page that finds the attempt as sent sends it.
    let service = Service::working();
    let (_page, attempt) = service.prepared().await;
    let (store, uses) = (service.store.clone(), Cell::new(0));
    service.store.on_use.replace(Some(Box::new(move || {
        let is_read = uses.replace(uses.get() + 1) == 0;
        if !is_read {
            store.entries.borrow_mut().values_mut().for_each(|text| *text = text.replace("PREPARED", "SENT"));
        }
        !is_read
    })));
    for _ in 0..2 {
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        assert_eq!(attempt.state(), AttemptState::Sent);
    }
    assert!(service.post_count() == 0 && service.entry().contains("SENT"));
    service.store.on_use.replace(None);
    attempt.submit().await.unwrap();
    assert_eq!(service.post_count(), 1);
    // An attempt that was sent before may have been made.
    let service = Service::failing_once(Err(SendFailure::Network));
    let (page, attempt) = service.prepared().await;
    let soon = page.now_ms() + 5;
    assert_eq!(kind(attempt.submit().with_signal(soon).await), Kind::OutcomeUnknown);
    service.store.failing_saves.set(2);
    assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
    assert!(service.entry().contains("SENT") && service.post_count() == 1);
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_cannot_be_read_leaves_an_attempt_as_it_is() {
    for sends_first in [false, true] {
        let service = Service::unreachable();
        let (_page, attempt) = service.prepared().await;
        if sends_first {
            attempt.submit().await.unwrap_err();
        }
        let posts = service.post_count();
        service.store.is_broken.set(true);
        let state = attempt.state();
        let failed = error(attempt.submit().await);
        let expected = if sends_first { Code::OutcomeUnknown } else { Code::JournalUnavailable };
        assert_eq!((failed.code(), attempt.state()), (expected, state));
        assert_eq!(service.post_count(), posts);
        let failed = error(attempt.acknowledge().await);
        assert_eq!((failed.code(), failed.retryable()), (Code::JournalUnavailable, true));
    }
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_fails_once_fails_no_call() {
    for nth in 0..14 {
        let service = Service::working();
        let page = service.page();
        let store = service.store.clone();
        let uses = Cell::new(0);
        store.on_use.replace(Some(Box::new(move || uses.replace(uses.get() + 1) == nth)));
        let attempt = page.prepare(REQUEST).await.unwrap();
        assert_eq!(page.pending_transfers().await.unwrap().len(), 1, "use {nth}");
        attempt.submit().await.unwrap();
        attempt.acknowledge().await.unwrap();
        assert_eq!((service.post_count(), service.entry().as_str()), (1, ""), "use {nth}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_write_of_prepared_does_not_make_a_sent_attempt_unsent() {
    let service = Service::failing_once(Err(SendFailure::Network));
    let (page, attempt) = service.prepared().await;
    let soon = page.now_ms() + 5;
    assert_eq!(kind(attempt.submit().with_signal(soon).await), Kind::OutcomeUnknown);
    service.replace_in_entry("SENT", "PREPARED");
    let before = page.sent().len();
    attempt.submit().await.unwrap();
    assert!(page.sent()[before].path.starts_with("/v1/transfers/progress/"), "the progress is read first");
}

#[tokio::test(start_paused = true)]
async fn a_late_write_of_prepared_does_not_let_a_list_remove_a_sent_attempt() {
    let service = Service::new(|_| (true, Err(SendFailure::Network)));
    let (shown, is_down) = (service.clone(), Rc::new(Cell::new(true)));
    let fails = is_down.clone();
    let mut script = Script::new(move |_, sent| match sent.path.starts_with("/v1/transfers/progress/") {
        true if fails.get() => Err(SendFailure::Network),
        _ => shown.answer(sent),
    });
    script.journal = service.store.clone();
    let page = script.client();
    let attempt = page.prepare(REQUEST).await.unwrap();
    assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
    service.replace_in_entry("SENT", "PREPARED");
    tokio::time::advance(2 * DAY).await;
    assert_eq!(page.pending_transfers().await.unwrap().len(), 1);
    is_down.set(false);
    assert!(attempt.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_whose_quote_has_ended_is_not_saved_as_sent() {
    let service = Service::working();
    let (_page, attempt) = service.prepared().await;
    tokio::time::advance(25 * 3600 * SECOND).await;
    service.store.failing_saves.set(9);
    assert_eq!(error(attempt.submit().await).code(), Code::QuoteExpired);
    assert_eq!((service.store.failing_saves.get(), service.entry()), (9, String::new()));
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_ends_while_the_journal_saves_is_expired() {
    // Before anything was sent, and after a first answer was lost.
    for is_lost in [false, true] {
        let service = Service::unreachable();
        let (page, attempt) = service.prepared().await;
        tokio::time::advance(DAY - SECOND * if is_lost { 75 } else { 5 }).await;
        if is_lost {
            attempt.submit().await.unwrap_err();
            tokio::time::advance(DAY - Duration::from_millis(page.now_ms()) - 5 * SECOND).await;
        }
        let posts = service.post_count();
        service.store.save_delay.set(10 * SECOND);
        let expected = if is_lost { Code::OutcomeUnknown } else { Code::QuoteExpired };
        assert_eq!(error(attempt.submit().await).code(), expected);
        assert_eq!((service.post_count(), service.entry().is_empty()), (posts, !is_lost));
    }
}

#[tokio::test(start_paused = true)]
async fn no_refusal_is_believed_while_a_lost_post_may_arrive() {
    for with in [refusal(404, "RecipientNotFound"), answer(429, ""), refusal(503, "RspTransferException")] {
        for status in ["NotInProgress", "Failed"] {
            let with = with.clone();
            let mut service = Service::new(move |number| match number {
                0 => (false, Err(SendFailure::Network)),
                _ => (false, with.clone()),
            });
            let progress = format!(r#"{{"transferRecordStatus":"{status}"}}"#);
            service.no_transfer = Rc::new(move || answer(200, &progress));
            let (_page, attempt) = service.prepared().await;
            assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown, "{status}");
            // However often it is resumed, by any page, until the quote has ended.
            for _ in 0..3 {
                assert_eq!(kind(service.listed().await.1.submit().await), Kind::OutcomeUnknown);
            }
            tokio::time::advance(2 * DAY).await;
            let posts = service.post_count();
            let error = error(attempt.submit().await);
            assert!(matches!(error.kind(), Kind::Quote | Kind::Unavailable), "{error:?}");
            assert_eq!(service.post_count(), posts, "nothing is posted after the end of the quote");
            assert_eq!(service.entry(), "");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_transfer_of_a_lost_post_is_recovered_after_the_end_of_its_quote() {
    let service = Service::unreachable();
    service.prepared().await.1.submit().await.unwrap_err();
    let posts = service.post_count();
    service.made.borrow_mut().extend(service.posts.borrow()[0].body.clone());
    tokio::time::advance(3 * DAY).await;
    assert!(service.listed().await.1.submit().await.unwrap().recovered);
    assert_eq!(service.post_count(), posts);
}

#[tokio::test(start_paused = true)]
async fn a_lost_post_may_arrive_until_ten_minutes_after_it_was_sent_or_found() {
    const IN_FLIGHT: Duration = Duration::from_secs(600);
    let service = Service::unreachable();
    service.prepared().await.1.submit().await.unwrap_err();
    // Another page finds it long after the end of its quote, and cannot know when it was sent.
    tokio::time::advance(2 * DAY).await;
    let (_page, attempt) = service.listed().await;
    assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
    tokio::time::advance(IN_FLIGHT).await;
    assert_eq!(error(attempt.submit().await).code(), Code::QuoteExpired);

    // The same page, or another tab, resends it shortly before the end of its quote.
    for other_tab in [false, true] {
        let service = Service::unreachable();
        let (page, attempt) = service.prepared().await;
        let prepared_at = Duration::from_millis(page.now_ms());
        attempt.submit().await.unwrap_err();
        tokio::time::advance(DAY - (Duration::from_millis(page.now_ms()) - prepared_at) - 30 * SECOND).await;
        let posts = service.post_count();
        let resent = if other_tab { service.listed().await.1.submit().await } else { attempt.submit().await };
        assert_eq!(kind(resent), Kind::OutcomeUnknown);
        assert!(service.post_count() > posts);
        tokio::time::advance(300 * SECOND).await;
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        tokio::time::advance(IN_FLIGHT).await;
        assert_eq!(error(attempt.submit().await).code(), Code::QuoteExpired);
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_quote_proves_nothing_unless_the_post_was_refused_for_it() {
    let mut service = Service::unreachable();
    service.no_transfer = Rc::new(|| refusal(400, "QuoteHistoryNotFound"));
    assert_eq!(kind(service.prepared().await.1.submit().await), Kind::OutcomeUnknown);
    assert_eq!((service.post_count(), service.entry().is_empty()), (1, false));

    let mut service = service.with_other_journal();
    service.post = Rc::new(|_| (false, refusal(400, "QuoteHistoryNotFound")));
    assert_eq!(error(service.prepared().await.1.submit().await).code(), Code::QuoteHistoryNotFound);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_is_its_senders_and_an_unsent_one_is_certainly_unsent() {
    // One that the journal has lost may have been sent by another page.
    for (was_sent, is_lost) in [(false, false), (true, false), (false, true)] {
        let service = Service::unreachable();
        let mut script = service.script();
        let (sender, fails) = (Rc::new(Cell::new(SENDER)), Rc::new(Cell::new(false)));
        let (owner, has_no_token) = (sender.clone(), fails.clone());
        script.owner = Box::new(move |_| owned_by(owner.get()));
        script.token = Box::new(move |n| match has_no_token.get() {
            true => Err(Error::new(Code::TokenUnavailable)),
            false => Ok(format!(r#"{{"access_token":"token-{n}","expires_in":3600}}"#)),
        });
        let page = script.client();
        let attempt = page.prepare(REQUEST).await.unwrap();
        if was_sent {
            attempt.submit().await.unwrap_err();
        }
        if is_lost {
            service.store.entries.take();
        }
        let before = (service.post_count(), service.entry());
        // The token ends, and the source fails; then another sender signs in.
        tokio::time::advance(4_000 * SECOND).await;
        for (has_no_token, now, unsent) in
            [(true, SENDER, Code::TokenUnavailable), (false, ID, Code::AccessDenied)]
        {
            fails.set(has_no_token);
            sender.set(now);
            let expected = if was_sent || is_lost { Code::OutcomeUnknown } else { unsent };
            assert_eq!(error(attempt.submit().await).code(), expected);
        }
        assert_eq!((service.post_count(), service.entry()), before);
    }
}

#[tokio::test(start_paused = true)]
async fn an_acknowledged_transfer_is_removed_in_any_state_and_no_other_attempt() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap();
    let made = service.entry();
    // A late write may have put it back as it was before.
    for state in ["PREPARED", "SENT", "CREATED"] {
        service.set_entry(made.replace("CREATED", state));
        attempt.acknowledge().await.unwrap();
        assert!(service.store.entries.borrow().is_empty(), "{state}");
    }
    let newer = page.prepare(&REQUEST.replacen('{', &format!(r#"{{"nonce":"{SENDER}","#), 1)).await.unwrap();
    attempt.acknowledge().await.unwrap();
    assert!(service.entry().contains(newer.nonce().as_str()));
    assert!(summary(&page.pending_transfers().await.unwrap()[0]).contains(QUOTE));
}

#[tokio::test(start_paused = true)]
async fn an_open_or_unsent_attempt_cannot_be_acknowledged() {
    let service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    assert_eq!(kind(attempt.acknowledge().await), Kind::InvalidRequest);
    attempt.submit().await.unwrap_err();
    let failed = error(attempt.acknowledge().await);
    assert_eq!((failed.kind(), failed.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    // Nor one whose entry is gone.
    let entries = service.store.entries.take();
    assert_eq!(kind(attempt.acknowledge().await), Kind::OutcomeUnknown);
    service.store.entries.replace(entries);
    assert_eq!(page.pending_transfers().await.unwrap().len(), 1);
    // Nor one in a state that only a later version knows.
    service.replace_in_entry("SENT", "SETTLING");
    assert_eq!(kind(service.listed().await.1.acknowledge().await), Kind::OutcomeUnknown);
    assert!(service.entry().contains("SETTLING"));
}

#[tokio::test(start_paused = true)]
async fn a_made_transfer_that_the_journal_failed_to_save_cannot_be_discarded() {
    let mut service = Service::working();
    let store = service.store.clone();
    service.post = Rc::new(move |_| {
        store.failing_saves.set(2);
        (true, transfer())
    });
    let (_page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap();
    assert!(service.entry().contains("SENT"));
    assert_eq!(kind(attempt.discard().await), Kind::Conflict);
}

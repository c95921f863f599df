//! Pages that go away, and tabs that work on one attempt: the journal and its lock are all that they share.

use std::rc::Rc;

use futures_util::future::{join, join_all};
use remitkit::api::{Code, Kind};
use remitkit::client::{AttemptState, SendFailure};

use remitkit::api::json::JsonRef;

use crate::quotes::quoted;
use crate::script::{ID, SENDER, Script, ScriptedClient, answer, error, kind, refusal};
use crate::service::{QUOTE, REQUEST, SECOND, Service, other_request, progress_reads, request_with, summary};

#[tokio::test(start_paused = true)]
async fn tabs_that_submit_one_attempt_at_once_make_it_once() {
    let service = Service::working();
    service.prepared().await;
    let tabs = join_all((0..8).map(|_| service.listed())).await;
    let outcomes = join_all(tabs.iter().map(|(_, attempt)| attempt.submit())).await;
    assert_eq!((service.post_count(), service.made.borrow().len()), (1, 1));
    for outcome in outcomes {
        assert!(outcome.unwrap().transfer.transfer_id.as_str() == ID);
    }
}

#[tokio::test(start_paused = true)]
async fn tabs_that_prepare_one_quote_at_once_have_one_attempt() {
    let service = Service::working();
    let (one, two) = (service.page(), service.page());
    let other_amount = REQUEST.replace("12550", "12551");
    let (first, second) = join(one.prepare(REQUEST), two.prepare(&other_amount)).await;
    let error = error(second);
    assert_eq!((error.kind(), error.attempt()), (Kind::Conflict, Some(QUOTE)));
    assert_eq!(service.store.entries.borrow().len(), 1);
    // The same request returns the existing attempt.
    assert_eq!(summary(&two.prepare(REQUEST).await.unwrap()), summary(&first.unwrap()));
}

#[tokio::test(start_paused = true)]
async fn a_reloaded_page_finds_the_transfer_that_it_had_no_time_to_show() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap();
    // The page goes away, and with it what would forget the transfer.
    drop(page.take_spawned());
    tokio::time::advance(48 * 3600 * SECOND).await;

    let (page, attempt) = service.listed().await;
    let shown = summary(&attempt);
    let transfer = format!(r#""transferId":"{ID}""#);
    assert!(shown.contains(r#""state":"CREATED""#) && shown.contains(&transfer), "{shown}");
    assert_eq!(attempt.transfer_id().unwrap().as_str(), ID);
    let outcome = attempt.submit().await.unwrap();
    assert!(outcome.recovered && outcome.transfer.transfer_id.as_str() == ID);
    assert_eq!(service.post_count(), 1);
    assert_eq!(kind(attempt.discard().await), Kind::Conflict);
    attempt.acknowledge().await.unwrap();
    assert!(page.pending_transfers().await.unwrap().is_empty());
    // A second acknowledgement does nothing, and the transfer is still known to be made.
    attempt.acknowledge().await.unwrap();
    assert_eq!(kind(attempt.discard().await), Kind::Conflict);
}

#[tokio::test(start_paused = true)]
async fn a_tab_that_reads_of_anothers_success_has_the_state_of_it() {
    let service = Service::working();
    let (_page, attempt) = service.prepared().await;
    let tabs = [service.listed().await, service.listed().await, service.listed().await];
    attempt.submit().await.unwrap();
    let [(_, submitted), (_, acknowledged), (_, discarded)] = &tabs;
    assert_eq!(kind(discarded.discard().await), Kind::Conflict);
    assert!(submitted.submit().await.unwrap().recovered);
    acknowledged.acknowledge().await.unwrap();
    for (page, seen) in &tabs {
        assert_eq!(seen.state(), AttemptState::Created);
        assert!(page.pending_transfers().await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_page_soon_forgets_a_made_transfer_and_another_tab_still_recovers_it() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    let (_tab, seen) = service.listed().await;
    attempt.submit().await.unwrap();
    join_all(page.take_spawned()).await;
    assert_eq!(service.entry(), "");
    assert!(seen.submit().await.unwrap().recovered);
    assert_eq!(service.post_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_another_tab_replaced_has_the_outcome_of_that_tab() {
    // Whether the other tab made it, or discarded it, before it prepared the next one.
    for is_made in [true, false] {
        let service = Service::working();
        let (_one, attempt) = service.prepared().await;
        let (two, seen) = service.listed().await;
        if is_made {
            seen.submit().await.unwrap();
            seen.acknowledge().await.unwrap();
        } else {
            seen.discard().await.unwrap();
        }
        let later = two.prepare(&other_request(SENDER)).await.unwrap();
        let discarded = attempt.discard().await.err().map(|error| error.kind());
        assert_eq!(discarded, is_made.then_some(Kind::Conflict));
        assert_eq!(service.store.entries.borrow().len(), 1, "the later one stays");
        if is_made {
            assert!(attempt.submit().await.unwrap().recovered);
            assert_eq!(kind(later.submit().await), Kind::Conflict);
            assert_eq!(service.made.borrow().len(), 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_ends_leaves_a_later_one_with_its_quote_alone() {
    let mut service = Service::working();
    let journal = service.clone();
    service.post = Rc::new(move |_| {
        // A tab without a common lock prepares the later one meanwhile.
        journal.replace_in_entry(&format!(r#""nonce":"{ID}""#), &format!(r#""nonce":"{QUOTE}""#));
        (false, refusal(400, "InsufficientFunds"))
    });
    let (_page, attempt) = service.prepared().await;
    assert_eq!(error(attempt.submit().await).code(), Code::InsufficientFunds);
    assert!(service.entry().contains(&format!(r#""nonce":"{QUOTE}""#)));
}

#[tokio::test(start_paused = true)]
async fn discarding_an_attempt_that_another_tab_removed_reads_its_progress() {
    // Whether it was made there, whether the progress is answered, and the error.
    for (is_made, answers, expected) in
        [(true, true, Some(Kind::Conflict)), (true, false, Some(Kind::OutcomeUnknown)), (false, true, None)]
    {
        let service = Service::working();
        let (_there, attempt) = service.prepared().await;
        let mut here = service.clone();
        if !answers {
            here.made = Rc::default();
            here.no_transfer = Rc::new(|| Err(SendFailure::Network));
        }
        let (page, seen) = here.listed().await;
        if is_made {
            attempt.submit().await.unwrap();
            attempt.acknowledge().await.unwrap();
        } else {
            attempt.discard().await.unwrap();
        }
        assert_eq!(seen.discard().await.err().map(|error| error.kind()), expected);
        assert!(progress_reads(&page) > 0 && service.post_count() == usize::from(is_made));
    }
}

#[tokio::test(start_paused = true)]
async fn without_the_lock_only_an_attempt_that_ended_here_has_certainly_ended() {
    let service = Service::unreachable();
    let (one, discarded) = service.prepared().await;
    discarded.discard().await.unwrap();
    let (_two, open) = service.prepared().await;
    service.store.entries.take();
    let newer = one.prepare(&REQUEST.replacen('{', &format!(r#"{{"nonce":"{SENDER}","#), 1)).await.unwrap();
    let _held = service.hold_lock().await;
    assert_eq!(error(discarded.submit().await).code(), Code::TransferFailed);
    for attempt in [&open, &newer] {
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
    }
    // The entry shows it again, and the holder of the lock may be sending it.
    service.replace_in_entry(SENDER, ID);
    assert_eq!(kind(discarded.submit().await), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_another_tab_works_on_is_not_discarded() {
    let service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    let _held = service.hold_lock().await;
    let failed = error(attempt.discard().await);
    assert_eq!((failed.code(), failed.retryable()), (Code::Timeout, true));
    assert_eq!(attempt.state(), AttemptState::Prepared);
    let soon = page.now_ms() + 2000;
    assert_eq!(kind(attempt.discard().with_signal(soon).await), Kind::Aborted);
    assert_eq!(service.store.entries.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_abort_while_waiting_for_another_call_leaves_the_outcome_open() {
    let service = Service::unreachable();
    let (one, attempt) = service.prepared().await;
    let (two, seen) = service.listed().await;
    // In another tab, and in the same one.
    for (page, waiting) in [(&two, &seen), (&one, &attempt)] {
        let soon = page.now_ms() + 2000;
        let (_, waited) = join(attempt.submit(), waiting.submit().with_signal(soon)).await;
        let error = error(waited);
        assert_eq!((error.kind(), error.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    }
}

#[tokio::test(start_paused = true)]
async fn only_an_unsent_attempt_can_be_discarded_or_grow_stale() {
    let mut service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    attempt.discard().await.unwrap();
    assert_eq!((service.entry().as_str(), attempt.state()), ("", AttemptState::Discarded));

    let stale = page.prepare(&request_with(ID)).await.unwrap();
    tokio::time::advance(25 * 3600 * SECOND).await;
    assert!(page.pending_transfers().await.unwrap().is_empty());
    assert_eq!(service.entry(), "");
    assert_eq!(error(stale.submit().await).code(), Code::TransferFailed);

    service.no_transfer = Rc::new(|| Err(SendFailure::Network));
    let (page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    let error = error(attempt.discard().await);
    assert_eq!((error.kind(), error.attempt()), (Kind::OutcomeUnknown, Some(QUOTE)));
    tokio::time::advance(1000 * 3600 * SECOND).await;
    assert_eq!(page.pending_transfers().await.unwrap().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_is_prepared_again_with_its_nonce_has_not_ended() {
    for is_refused in [true, false] {
        let service = Service::new(move |number| match number {
            0 if is_refused => (false, refusal(400, "InsufficientFunds")),
            _ => (false, Err(SendFailure::Network)),
        });
        let (page, first) = service.prepared().await;
        match is_refused {
            true => assert_eq!(error(first.submit().await).code(), Code::InsufficientFunds),
            false => first.discard().await.unwrap(),
        }
        let again = page.prepare(&request_with(ID)).await.unwrap();
        assert_eq!(again.nonce(), first.nonce());
        assert_eq!(kind(again.submit().await), Kind::OutcomeUnknown);
        // The journal loses it.
        service.store.entries.take();
        assert_eq!(kind(again.submit().await), Kind::OutcomeUnknown);
    }
    // Or another tab makes it.
    let service = Service::working();
    let (page, first) = service.prepared().await;
    first.discard().await.unwrap();
    let again = page.prepare(&request_with(ID)).await.unwrap();
    let (_tab, seen) = service.listed().await;
    seen.submit().await.unwrap();
    seen.acknowledge().await.unwrap();
    assert!(again.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn without_common_locks_an_attempt_is_either_discarded_or_made() {
    // Whether the tab that submits it, or the one that discards it, waits long for a token.
    for is_submit_slow in [true, false] {
        let service = Service::working();
        let page = |is_slow| {
            let mut script = service.script();
            script.token_delay_ms = if is_slow { 5_000 } else { 5 };
            script.client()
        };
        let (one, two) = (page(!is_submit_slow), page(is_submit_slow));
        let attempt = one.prepare(REQUEST).await.unwrap();
        let seen = two.pending_transfers().await.unwrap().remove(0);
        // Both tokens have ended.
        tokio::time::advance(2 * 3600 * SECOND).await;
        let begin = async |is_slow: bool| {
            if !is_slow {
                tokio::time::sleep(2 * SECOND).await;
                service.store.free_locks();
            }
        };
        let submit = async {
            begin(is_submit_slow).await;
            seen.submit().await
        };
        let discard = async {
            begin(!is_submit_slow).await;
            attempt.discard().await
        };
        let (made, discarded) = join(submit, discard).await;
        assert!(made.is_ok() != discarded.is_ok(), "{:?}", made.map(|made| made.recovered));
        assert_eq!(service.made.borrow().len(), usize::from(discarded.is_err()));
    }
}

#[tokio::test(start_paused = true)]
async fn an_abort_before_the_start_is_aborted_only_if_nothing_was_sent() {
    let service = Service::unreachable();
    let (_one, attempt) = service.prepared().await;
    let (_two, seen) = service.listed().await;
    assert_eq!(kind(attempt.submit().with_signal(1_u64).await), Kind::Aborted);
    attempt.submit().await.unwrap_err();
    // A late write has put it back.
    service.replace_in_entry("SENT", "PREPARED");
    assert_eq!(kind(attempt.submit().with_signal(1_u64).await), Kind::OutcomeUnknown);
    // Or another attempt has its quote.
    service.replace_in_entry(ID, SENDER);
    assert_eq!(kind(seen.submit().with_signal(1_u64).await), Kind::OutcomeUnknown);
}

#[tokio::test(start_paused = true)]
async fn an_entry_of_another_version_is_left_as_it_is() {
    let mut service = Service::working();
    let quote = quoted(QUOTE, "12550", "null", &format!(r#","senderId":"{SENDER}""#));
    service.quote = Rc::new(move |_| answer(200, &quote));
    service.prepared().await;
    service.set_entry(r#"{"version":9}"#.to_owned());
    let (page, _attempt) = service.listed().await;
    assert_eq!(kind(page.prepare(REQUEST).await), Kind::Conflict);
    assert_eq!(service.entry(), r#"{"version":9}"#);
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_another_tab_is_preparing_gives_that_tabs_attempt() {
    let service = Service::working();
    let held = service.hold_lock().await;
    // No entry yet, so nothing was sent.
    let failed = error(service.page().prepare(REQUEST).await);
    assert_eq!((failed.kind(), failed.attempt()), (Kind::Timeout, None));
    let other = service.with_other_journal();
    let (_there, prepared) = other.prepared().await;
    let here = service.page();
    let save = async {
        tokio::time::sleep(5 * SECOND).await;
        service.set_entry(other.entry());
    };
    let (given, ()) = join(here.prepare(REQUEST), save).await;
    drop(held);
    assert_eq!(given.unwrap().nonce(), prepared.nonce());
}

#[tokio::test(start_paused = true)]
async fn preparing_ends_in_time_with_a_slow_service_and_with_its_signal() {
    // The service answers the last of each three attempts, and another tab holds the lock.
    let service = Service::working();
    let shown = service.clone();
    let mut slow = Script::new(move |n, sent| match n % 3 {
        2 => shown.answer(sent),
        _ => Err(SendFailure::Timeout),
    });
    slow.journal = service.store.clone();
    let _held = service.hold_lock().await;
    let page = slow.client();
    let failed = error(page.prepare(REQUEST).await);
    assert_eq!((failed.code(), failed.retryable()), (Code::Timeout, true));
    assert!(page.now_ms() <= 60_000, "{} ms", page.now_ms());
    assert_eq!(service.entry(), "");

    let page = service.page();
    let soon = page.now_ms() + 2_000;
    let prepared = page.client().prepare_json(REQUEST.to_owned()).with_signal(soon).await;
    assert_eq!(kind(prepared), Kind::Aborted);
}

#[tokio::test(start_paused = true)]
async fn a_journal_that_hangs_is_not_taken_for_an_empty_one() {
    let service = Service::working();
    let page = service.page();
    service.store.hangs.set(true);
    for error in [error(page.prepare(REQUEST).await), error(page.pending_transfers().await)] {
        assert_eq!((error.code(), error.option()), (Code::JournalUnavailable, Some("journal")));
    }
}

#[tokio::test(start_paused = true)]
async fn a_sent_attempt_is_settled_by_its_progress_while_a_frozen_tab_keeps_the_lock() {
    let service = Service::unreachable();
    let (_page, attempt) = service.prepared().await;
    assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
    let posts = service.post_count();
    // One arrives late.
    let body = service.posts.borrow()[0].body.clone();
    service.made.borrow_mut().extend(body);
    let (here, seen) = service.listed().await;
    let _frozen = service.hold_lock().await;
    let before_ms = here.now_ms();
    assert!(seen.submit().await.unwrap().recovered);
    assert!(here.now_ms() - before_ms < 2_000, "{} ms", here.now_ms() - before_ms);
    assert_eq!((seen.state(), service.post_count()), (AttemptState::Created, posts));
    // Nor do those wait that have nothing to send.
    assert_eq!(kind(seen.discard().await), Kind::Conflict);
    seen.acknowledge().await.unwrap();
    assert_eq!((service.entry().as_str(), seen.state()), ("", AttemptState::Created));
    assert!(here.now_ms() - before_ms < 4_000, "{} ms", here.now_ms() - before_ms);
}

#[tokio::test(start_paused = true)]
async fn a_transfer_that_is_made_while_another_tab_keeps_the_lock_is_found_at_last() {
    let mut service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    let _frozen = service.hold_lock().await;
    // Neither is an attempt sent for which a call has waited in vain, nor is it made.
    assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
    assert_eq!(
        (attempt.state(), progress_reads(&page), service.post_count()),
        (AttemptState::Prepared, 2, 0)
    );
    let body = JsonRef::new(&service.entry()).text_of("request").unwrap().into_owned();
    service.made.borrow_mut().push(body);
    service.recovers();
    assert!(attempt.submit().await.unwrap().recovered);
}

#[tokio::test(start_paused = true)]
async fn what_ended_here_is_not_posted_though_its_entry_comes_back() {
    for state in ["PREPARED", "SENT"] {
        let service = Service::working();
        let (_page, attempt) = service.prepared().await;
        let entry = service.entry().replace("PREPARED", state);
        attempt.discard().await.unwrap();
        // A late write of the journal, or another tab.
        service.set_entry(entry);
        let failed = error(attempt.submit().await);
        let expected = if state == "SENT" { Code::OutcomeUnknown } else { Code::TransferFailed };
        assert_eq!((failed.code(), service.post_count()), (expected, 0));
    }
}

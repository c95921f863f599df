//! Submitting an attempt: what is posted, what is believed, and what the caller gets.

use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join;
use remitkit::api::{Code, Kind};
use remitkit::client::{AttemptState, SendFailure, SendResult};

use crate::script::{ID, SENDER, Script, ScriptedClient, answer, error, kind, refusal};
use crate::service::{
    KEY, QUOTE, REQUEST, SECOND, Service, other_request, progress_reads, request_with, transfer,
};

#[tokio::test(start_paused = true)]
async fn a_submitted_attempt_makes_the_transfer_and_the_journal_keeps_it() {
    let service = Service::working();
    let (_page, attempt) = service.prepared().await;
    assert_eq!(attempt.quote_history_id().as_str(), QUOTE);
    assert_eq!(service.post_count(), 0);
    // The client did not receive its quote.
    assert!(service.entry().contains("PREPARED") && !service.entry().contains("sendAmount"));
    let outcome = attempt.submit().await.unwrap();
    let confirmation = outcome.transfer.confirmation_number.unwrap();
    assert_eq!((outcome.recovered, confirmation.as_str()), (false, "20261121000000001234"));
    assert!(service.entry().contains("CREATED"));
    assert!(service.made.borrow()[0].contains(&format!(r#""nonce":"{ID}""#)));
}

/// A service, and the outcome of one submission: whether the transfer was recovered, or the error; how often
/// it was posted and its progress read; the state of its entry, empty without one.
type Case = (Service, Result<bool, Code>, usize, usize, &'static str);

#[tokio::test(start_paused = true)]
async fn each_answer_to_a_post_has_its_outcome() {
    let made = |with: SendResult| Service::new(move |_| (true, with.clone()));
    let lost = || (false, Err(SendFailure::Network));
    const QUOTE_USED: &str = "TransferDuplicatedByQuote";
    let sparse = format!(r#"{{"transferId":"{ID}","quote":{{"sendAmount":{{"value":1}}}}}}"#);
    let blocked_later = move |n| if n == 0 { lost() } else { (false, Err(SendFailure::Blocked)) };
    let made_at_last = move |n| if n < 3 { lost() } else { (true, transfer()) };
    let cases: [Case; 26] = [
        // The answer to a POST that made the transfer is believed, whatever it shows.
        (made(answer(200, &sparse)), Ok(false), 1, 0, "CREATED"),
        // The transfer was made, and the answer was lost or false.
        (made(Err(SendFailure::Network)), Ok(true), 1, 1, "CREATED"),
        (made(Err(SendFailure::Timeout)), Ok(true), 1, 1, "CREATED"),
        (made(Err(SendFailure::Faulty)), Ok(true), 1, 1, "CREATED"),
        (made(answer(504, "<html>")), Ok(true), 1, 1, "CREATED"),
        (made(answer(200, "{\"transf")), Ok(true), 1, 1, "CREATED"),
        (made(answer(429, "")), Ok(true), 1, 1, "CREATED"),
        (made(answer(403, "<html>Denied</html>")), Ok(true), 1, 1, "CREATED"),
        // Answers to the second copy of a POST that the browser itself repeated.
        (made(answer(401, "")), Ok(true), 1, 1, "CREATED"),
        (made(refusal(400, "QuoteAmountChanged")), Ok(true), 1, 1, "CREATED"),
        (made(refusal(403, "AccessDenied")), Ok(true), 1, 1, "CREATED"),
        // A POST that made nothing is sent again.
        (Service::failing_once(Err(SendFailure::Network)), Ok(false), 2, 1, "CREATED"),
        (Service::failing_once(answer(403, "<html>Denied</html>")), Ok(false), 2, 1, "CREATED"),
        (Service::failing_once(answer(404, "<html>Not here</html>")), Ok(false), 2, 1, "CREATED"),
        (Service::failing_once(refusal(429, "TooManyRequests")), Ok(false), 2, 1, "CREATED"),
        (Service::failing_once(answer(401, "")), Ok(false), 2, 1, "CREATED"),
        (Service::new(made_at_last), Ok(false), 4, 3, "CREATED"),
        // Refusals of the service.
        (Service::failing(refusal(400, "InsufficientFunds")), Err(Code::InsufficientFunds), 1, 1, ""),
        (Service::failing(refusal(400, "NonceAlreadyUsed")), Err(Code::NonceAlreadyUsed), 1, 6, ""),
        (Service::failing(refusal(400, QUOTE_USED)), Err(Code::TransferDuplicatedByQuote), 1, 6, ""),
        (Service::failing(refusal(403, "AccessDenied")), Err(Code::AccessDenied), 1, 1, "PREPARED"),
        (Service::failing(answer(401, "")), Err(Code::Unauthorized), 2, 2, "PREPARED"),
        // Nothing was sent; or something was, before.
        (Service::failing(Err(SendFailure::Blocked)), Err(Code::InvalidConfiguration), 1, 0, "PREPARED"),
        (Service::failing(Err(SendFailure::Missing)), Err(Code::InvalidConfiguration), 1, 0, "PREPARED"),
        (Service::new(blocked_later), Err(Code::OutcomeUnknown), 7, 7, "SENT"),
        (Service::unreachable(), Err(Code::OutcomeUnknown), 7, 7, "SENT"),
    ];
    for (number, (service, expected, posts, reads, state)) in cases.into_iter().enumerate() {
        let (page, attempt) = service.prepared().await;
        let outcome = attempt.submit().await;
        if let Ok(outcome) = &outcome {
            assert_eq!(outcome.transfer.transfer_id.as_str(), ID);
        }
        let outcome = outcome.map(|outcome| outcome.recovered).map_err(|error| error.code());
        let sent = (service.post_count(), progress_reads(&page));
        assert_eq!((outcome, sent), (expected, (posts, reads)), "case {number}");
        let posts = service.posts.borrow();
        assert!(posts.iter().all(|post| post.body == posts[0].body), "case {number}");
        assert!(service.entry().contains(state) && service.entry().is_empty() == state.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_discarded_attempt_does_not_get_the_outcome_of_the_next_one() {
    let service = Service::working();
    let (page, discarded) = service.prepared().await;
    discarded.discard().await.unwrap();
    let newer = page.prepare(&other_request(QUOTE)).await.unwrap();
    // Nor does it discard that one.
    discarded.discard().await.unwrap();
    let (newer, failed) = join(newer.submit(), discarded.submit()).await;
    assert!(newer.is_ok());
    assert_eq!(kind(failed), Kind::Conflict);
    assert_eq!(kind(discarded.submit().await), Kind::Conflict);
    assert_eq!(service.made.borrow().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_abort_before_the_post_keeps_it_prepared_and_one_after_recovers_it() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    assert_eq!((kind(attempt.submit().with_signal(1_u64).await), service.post_count()), (Kind::Aborted, 0));
    assert!(service.entry().contains("\"PREPARED\""));
    let started_ms = page.now_ms();
    let before = page.sent().len();
    // In mid-POST: the delay before the progress is kept.
    assert!(attempt.submit().with_signal(started_ms + 5).await.unwrap().recovered);
    let times: Vec<u64> = page.sent()[before..].iter().map(|sent| sent.at_ms - started_ms).collect();
    assert_eq!(times, [0, 505, 515], "POST, progress, transfer");
}

#[tokio::test(start_paused = true)]
async fn each_signal_ends_the_waiting_of_its_own_call() {
    let service = Service::working();
    let mut script = service.script();
    script.token_delay_ms = 5_000;
    let page = script.client();
    let attempt = page.prepare(REQUEST).await.unwrap();
    tokio::time::advance(Duration::from_secs(4000)).await;
    // The first caller aborts while the token is fetched, before anything is sent.
    let soon = page.now_ms() + 1_000;
    let (first, second) = join(attempt.submit().with_signal(soon), attempt.submit()).await;
    assert_eq!(kind(first), Kind::OutcomeUnknown);
    assert!(second.is_ok());
    assert!(page.platform().token_requests.get() > 1 && service.post_count() == 1);
}

#[tokio::test(start_paused = true)]
async fn only_the_last_caller_to_leave_ends_the_sending() {
    for others in [false, true] {
        let service = Service::unreachable();
        let (page, attempt) = service.prepared().await;
        let (leaves, stays) = (attempt.submit(), attempt.submit());
        let left = tokio::time::timeout(Duration::from_millis(100), leaves).await;
        assert!(left.is_err(), "it waits for the progress");
        if others {
            assert_eq!(kind(stays.await), Kind::OutcomeUnknown);
        }
        futures_util::future::join_all(page.take_spawned()).await;
        assert_eq!(service.post_count(), if others { 7 } else { 1 });
    }
}

#[tokio::test(start_paused = true)]
async fn a_submission_whose_caller_left_goes_on_in_the_background() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    let leave = async {
        let background = async {
            tokio::task::yield_now().await;
            page.take_spawned().into_iter().for_each(|work| drop(tokio::task::spawn_local(work)));
            std::future::pending::<()>().await;
        };
        // In mid-POST.
        let both = join(attempt.submit(), background);
        assert!(tokio::time::timeout(Duration::from_millis(5), both).await.is_err());
        tokio::time::sleep(Duration::from_secs(2)).await;
    };
    tokio::task::LocalSet::new().run_until(leave).await;
    assert_eq!((service.post_count(), progress_reads(&page)), (1, 1));
    assert!(service.entry().contains("CREATED"));
}

#[tokio::test(start_paused = true)]
async fn resuming_a_made_transfer_reads_it_back_but_not_its_progress() {
    let service = Service::working();
    service.prepared().await.1.submit().await.unwrap();
    for is_down in [false, true] {
        let shown = service.clone();
        let mut script =
            Script::new(move |_, sent| if is_down { answer(503, "") } else { shown.answer(sent) });
        script.journal = service.store.clone();
        let page = script.client();
        let outcome = page.pending_transfers().await.unwrap().remove(0).submit().await.unwrap();
        assert!(outcome.recovered && outcome.transfer.transfer_id.as_str() == ID);
        assert_eq!(outcome.transfer.confirmation_number.is_some(), !is_down);
        assert_eq!(progress_reads(&page), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_lock_and_token_ends_after_a_minute_with_nothing_sent() {
    let service = Service::working();
    let mut script = service.script();
    script.token_delay_ms = 29_000;
    // It is renewed after a minute, while the lock is waited for.
    script.token = Box::new(|n| Ok(format!(r#"{{"access_token":"token-{n}","expires_in":120}}"#)));
    let page = script.client();
    let attempt = page.prepare(REQUEST).await.unwrap();
    let held = service.hold_lock().await;
    let started_ms = page.now_ms();
    let release = async {
        tokio::time::sleep(Duration::from_secs(44)).await;
        drop(held);
    };
    let (outcome, ()) = join(attempt.submit(), release).await;
    // The bound ended it, and no signal of the caller.
    assert_eq!((kind(outcome), page.now_ms() - started_ms), (Kind::Timeout, 59_200));
    assert!(service.entry().contains("PREPARED") && service.post_count() == 0);
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_progress_proves_nothing_and_a_401_is_read_twice() {
    for (with, expected) in [(Err(SendFailure::Network), 7), (answer(401, ""), 4)] {
        let mut service = Service::failing(refusal(400, "QuoteHistoryNotFound"));
        service.no_transfer = Rc::new(move || with.clone());
        let (page, attempt) = service.prepared().await;
        assert_eq!(kind(attempt.submit().await), Kind::OutcomeUnknown);
        // Each 401 is answered by one more request with a new token.
        assert_eq!(progress_reads(&page), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn a_sent_attempt_is_not_discarded_whatever_its_entry_shows() {
    let service = Service::unreachable();
    let (_page, attempt) = service.prepared().await;
    attempt.submit().await.unwrap_err();
    let sent = service.entry();
    assert_eq!(kind(attempt.discard().await), Kind::OutcomeUnknown);
    // A late write has put it back as it was before, or another attempt took its place.
    for (from, to) in [("SENT", "PREPARED"), (ID, SENDER)] {
        service.set_entry(sent.replace(from, to));
        assert_eq!(kind(attempt.discard().await), Kind::OutcomeUnknown, "{to}");
        assert!(service.store.entries.borrow()[KEY].contains(to));
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_service_says_of_a_transfer_that_was_not_made_is_not_repeated() {
    for (status, code) in
        [(400, Code::NonceAlreadyUsed), (400, Code::TransferDuplicatedByQuote), (429, Code::TooManyRequests)]
    {
        let text = r#"[{"code":"CODE","message":"This transfer was already submitted."}]"#;
        let service = Service::failing(answer(status, &text.replace("CODE", code.as_str())));
        let (_page, attempt) = service.prepared().await;
        let failed = error(attempt.submit().await);
        assert_eq!((failed.code(), failed.user_message()), (code.clone(), code.message()));
        assert!(failed.has_default_message(), "so that it is translated");
        assert!(code.message_in_spanish().is_some_and(|text| !text.contains("submitted")));
    }
    // A refusal that reading confirms says more than the code.
    let text = r#"[{"code":"InsufficientFunds","message":"Your card ends today."}]"#;
    let (_page, attempt) = Service::failing(answer(400, text)).prepared().await;
    assert_eq!(error(attempt.submit().await).user_message(), "Your card ends today.");
}

#[tokio::test(start_paused = true)]
async fn no_attempt_takes_a_nonce_that_another_one_has_or_had() {
    // From a cache, for another body with the quote of an attempt that was discarded, or never sent.
    let service = Service::working();
    let (page, first) = service.prepared().await;
    first.discard().await.unwrap();
    let other = REQUEST.replace("22222222", "44444444");
    assert_eq!(error(page.prepare(&other).await).code(), Code::NetworkFailure);
    // Of the page's own: for an attempt that could not be told from the other one, or beside one that is
    // open.
    let failed = error(page.prepare(&other_request(ID)).await);
    assert_eq!((failed.code(), failed.option()), (Code::InvalidRequest, Some("nonce")));
    let again = page.prepare(&request_with(ID)).await.unwrap();
    let elsewhere = request_with(ID).replace(QUOTE, SENDER);
    assert_eq!(error(page.prepare(&elsewhere).await).option(), Some("nonce"));
    again.discard().await.unwrap();
    page.prepare(&elsewhere).await.unwrap().submit().await.unwrap();
    assert_eq!(service.post_count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_post_leaves_time_to_ask_what_became_of_it() {
    // Another tab keeps the lock for so many seconds.
    for (lock_s, is_sent) in [(38, true), (40, false)] {
        let service = Service::failing(Err(SendFailure::Timeout));
        let (page, attempt) = service.prepared().await;
        let lock = service.hold_lock().await;
        let started_ms = page.now_ms();
        let submission = attempt.submit();
        let (outcome, ()) = futures_util::future::join(submission, async {
            tokio::time::sleep(lock_s * SECOND).await;
            drop(lock);
        })
        .await;
        let failed = error(outcome);
        assert_eq!(service.post_count() == 1, is_sent, "{lock_s}");
        if is_sent {
            assert_eq!(failed.kind(), Kind::OutcomeUnknown);
            let last = page.sent().pop().unwrap();
            assert!(last.path.starts_with("/v1/transfers/progress/"), "{lock_s}: {last:?}");
        } else {
            assert_eq!((failed.code(), attempt.state()), (Code::Timeout, AttemptState::Prepared));
        }
        assert!(page.now_ms() - started_ms <= 60_000);
    }
}

#[tokio::test(start_paused = true)]
async fn a_submission_ends_within_its_bounds() {
    // The timeout of one attempt; whether the progress times out too; after how long the caller aborts; how
    // often the progress is read, and after how long the submission ends.
    for (timeout_ms, is_silent, abort_after_ms, reads, elapsed_ms) in [
        (10_000, true, 0, 4, 55_000),
        (10_000, true, 5_000, 1, 5_800),
        (10_376, true, 0, 3, 45_004),
        // What was posted is asked for before its callers give up.
        (120_000, false, 0, 1, 120_010),
    ] {
        let mut service = Service::failing(Err(SendFailure::Timeout));
        if is_silent {
            service.no_transfer = Rc::new(|| Err(SendFailure::Timeout));
        }
        let page = service.script().builder().timeout(Duration::from_millis(timeout_ms)).build().unwrap();
        let attempt = page.prepare(REQUEST).await.unwrap();
        let started_ms = page.now_ms();
        let signal = if abort_after_ms == 0 { 0 } else { started_ms + abort_after_ms };
        assert_eq!(kind(attempt.submit().with_signal(signal).await), Kind::OutcomeUnknown);
        assert_eq!((progress_reads(&page), page.now_ms() - started_ms), (reads, elapsed_ms), "{timeout_ms}");
    }
}

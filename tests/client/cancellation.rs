//! Callers that leave: what they began is cancelled, and nothing that others wait for.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use remitkit::api::{CREATE_RECIPIENT, Kind};
use remitkit::client::AttemptState;

use crate::script::{ID, Script, ScriptedClient, answer, kind, nonce};
use crate::service::{REQUEST, SECOND, Service};

/// Polls a call for this long and drops it.
async fn leave_after(time: Duration, call: impl Future) {
    assert!(tokio::time::timeout(time, call).await.is_err(), "it has ended before");
}

#[tokio::test(start_paused = true)]
async fn dropping_a_call_releases_its_lock() {
    let service = Service::working();
    service.store.save_delay.set(10 * SECOND);
    let page = service.page();
    let mut call = Box::pin(page.prepare(REQUEST));
    assert!(tokio::time::timeout(5 * SECOND, &mut call).await.is_err());
    assert!(service.hold_lock().now_or_never().is_none());
    drop(call);
    assert!(service.hold_lock().now_or_never().is_some());
    assert!(page.take_spawned().is_empty() && service.entry().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_submission_stops_waiting_for_the_lock_when_its_last_caller_leaves() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    let _held = service.hold_lock().await;
    let mut stays = Box::pin(attempt.submit());
    assert!((&mut stays).now_or_never().is_none());
    leave_after(SECOND, attempt.submit()).await;
    let mut run = Box::pin(join_all(page.take_spawned()));
    assert!((&mut run).now_or_never().is_none(), "it waits while one caller does");
    drop(stays);
    assert!(run.now_or_never().is_some());
    assert!(service.entry().contains("\"PREPARED\"") && service.post_count() == 0);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_goes_away_in_a_submission_leaves_nothing_behind() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    let service_of_page = std::rc::Rc::strong_count(&service.posts);
    leave_after(Duration::from_millis(5), attempt.submit()).await;
    drop((page.take_spawned(), page, attempt));
    assert_eq!(std::rc::Rc::strong_count(&service.posts), service_of_page - 1);
    assert!(service.hold_lock().now_or_never().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_caller_takes_the_outcome_of_a_run_that_nobody_waited_for() {
    let service = Service::working();
    let (page, attempt) = service.prepared().await;
    leave_after(Duration::from_millis(5), attempt.submit()).await;
    let run = join_all(page.take_spawned());
    let (made, _) = join(attempt.submit(), run).await;
    assert_eq!((made.unwrap().recovered, service.post_count()), (true, 1));
    let read = page.sent().iter().filter(|sent| sent.path == format!("/v1/transfers/{ID}")).count();
    assert_eq!(read, 1, "it is not settled once more");
}

#[tokio::test(start_paused = true)]
async fn a_token_that_nobody_waited_for_is_asked_for_again_after_half_a_minute() {
    for (left_ms, requests) in [(20_000, 1), (31_000, 2)] {
        let mut script = Script::new(|_, _| nonce());
        script.token_delay_ms = 10_000;
        let client = script.client();
        leave_after(SECOND, client.nonce()).await;
        tokio::time::advance(Duration::from_millis(left_ms)).await;
        client.nonce().await.unwrap();
        assert_eq!(client.platform().token_requests.get(), requests, "{left_ms}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_abort_is_a_lost_answer_for_what_may_have_changed_something() {
    let body = r#"{"userType":"PERSON","fields":[]}"#;
    for (at_ms, read, written) in
        [(2, Kind::Aborted, Kind::Aborted), (10, Kind::Aborted, Kind::OutcomeUnknown)]
    {
        // The token takes 5 ms, each request 10.
        let client = || Script::new(|_, _| answer(200, "{}")).client();
        assert_eq!(kind(client().nonce().with_signal(at_ms).await), read);
        let script = client();
        let call = script.call_json(&CREATE_RECIPIENT, Vec::new(), Some(body.to_owned()));
        assert_eq!(kind(call.with_signal(script.now_ms() + at_ms).await), written);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_closed_asks_no_more_for_an_outcome_that_nobody_waits_for() {
    let service = Service::unreachable();
    let (page, attempt) = service.prepared().await;
    let at_ms = page.now_ms() + 1_000;
    assert_eq!(kind(attempt.submit().with_signal(at_ms).await), Kind::OutcomeUnknown);
    let mut run = Box::pin(join_all(page.take_spawned()));
    assert!((&mut run).now_or_never().is_none(), "it still asks");
    let sent = page.sent().len();
    page.close();
    assert!(tokio::time::timeout(Duration::from_millis(20), run).await.is_ok());
    assert_eq!(page.sent().len(), sent);
    assert!(service.hold_lock().now_or_never().is_some());
    // The next page goes on.
    assert_eq!(service.listed().await.1.state(), AttemptState::Sent);
}

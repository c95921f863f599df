//! What arrives late, and for how long a caller waits.

use std::rc::Rc;
use std::time::Duration;

use remitkit::api::{Code, Kind};
use remitkit::client::{Client, Environment, SendFailure};

use crate::support::{Store, TextCalls, answer};
use crate::transfers::{REQUEST, Service, transfer};

const DAY: Duration = Duration::from_hours(24);

fn page(
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
async fn while_a_lost_post_may_arrive_nothing_is_told_as_refused() {
    let refusals = [
        answer(404, r#"[{"code":"RecipientNotFound","message":"Nobody"}]"#),
        answer(429, ""),
        answer(503, r#"[{"code":"RspTransferException","message":"Down"}]"#),
    ];
    for refusal in refusals {
        for failed in [false, true] {
            let (status, text) = refusal.as_ref().map(|answer| (answer.status, answer.text.clone())).unwrap();
            let mut service = Service::new(move |number| match number {
                0 => (false, Err(SendFailure::Network)),
                _ => (false, answer(status, &text)),
            });
            if failed {
                service.none = Rc::new(|| answer(200, r#"{"transferRecordStatus":"Failed"}"#));
            }
            let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
            let client = page(&service, &store, started);
            let attempt = client.prepare(REQUEST, &0).await.unwrap();
            let error = attempt.submit().await.err().unwrap();
            assert_eq!(error.kind(), Kind::OutcomeUnknown, "{status} {failed}");
            // So it is however often it is resumed, and whatever page resumes it, until the quote has ended.
            for _ in 0..3 {
                let client = page(&service, &store, started);
                let attempt = client.pending_transfers().await.unwrap().remove(0);
                assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
            }
            tokio::time::advance(2 * DAY).await;
            let posts = service.posts.borrow().len();
            let error = attempt.submit().await.err().unwrap();
            assert!(matches!(error.kind(), Kind::Quote | Kind::Unavailable), "{error:?}");
            assert_eq!(service.posts.borrow().len(), posts, "nothing is posted after the end of the quote");
            assert!(store.entries.borrow().is_empty());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn after_the_end_of_the_quote_the_outcome_is_still_learnt() {
    let service = Service::new(|_| (false, Err(SendFailure::Network)));
    let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
    let client = page(&service, &store, started);
    client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    let posts = service.posts.borrow().len();
    let body = service.posts.borrow()[0].body.clone().unwrap();
    service.made.borrow_mut().push(body);
    tokio::time::advance(3 * DAY).await;
    let client = page(&service, &store, started);
    let attempt = client.pending_transfers().await.unwrap().remove(0);
    assert!(attempt.submit().await.unwrap().recovered);
    assert_eq!(service.posts.borrow().len(), posts);
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_is_not_known_proves_nothing() {
    let mut service = Service::new(|_| (false, Err(SendFailure::Network)));
    service.none = Rc::new(|| answer(400, r#"[{"code":"QuoteHistoryNotFound","message":"No"}]"#));
    let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
    let client = page(&service, &store, started);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert_eq!((service.posts.borrow().len(), store.entries.borrow().len()), (1, 1));
    // Where nothing was lost, a refusal is one.
    service.post = Rc::new(|_| (false, answer(400, r#"[{"code":"QuoteHistoryNotFound","message":"No"}]"#)));
    let client = service.script().client();
    let error = client.prepare(REQUEST, &0).await.unwrap().submit().await.err().unwrap();
    assert_eq!(error.code(), Code::QuoteHistoryNotFound);
}

#[tokio::test(start_paused = true)]
async fn a_quote_that_ends_while_the_journal_writes_is_told_as_expired() {
    // Before anything was sent, and after a first answer was lost.
    for lost in [false, true] {
        let service = Service::new(|_| (false, Err(SendFailure::Network)));
        let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
        let client = page(&service, &store, started);
        let attempt = client.prepare(REQUEST, &0).await.unwrap();
        tokio::time::advance(DAY - Duration::from_secs(if lost { 75 } else { 5 })).await;
        if lost {
            attempt.submit().await.err().unwrap();
            tokio::time::advance(DAY - started.elapsed() - Duration::from_secs(5)).await;
        }
        let posts = service.posts.borrow().len();
        store.lag.set(Duration::from_secs(10));
        let error = attempt.submit().await.err().unwrap();
        assert_eq!(error.code(), if lost { Code::OutcomeUnknown } else { Code::QuoteExpired });
        assert_eq!((service.posts.borrow().len(), store.entries.borrow().len()), (posts, usize::from(lost)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_submission_ends_within_its_bound_and_with_its_signal() {
    // A service that answers nothing.
    let mut service = Service::new(|_| (false, Err(SendFailure::Timeout)));
    service.none = Rc::new(|| Err(SendFailure::Timeout));
    let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
    let client = page(&service, &store, started);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let begun = tokio::time::Instant::now();
    assert_eq!(attempt.submit().await.err().unwrap().kind(), Kind::OutcomeUnknown);
    assert!(begun.elapsed() <= Duration::from_millis(60_500), "{:?}", begun.elapsed());

    let client = page(&service, &Rc::default(), started);
    let attempt = client.prepare(REQUEST, &0).await.unwrap();
    let begun = tokio::time::Instant::now();
    let now = client.environment().now_ms();
    assert_eq!(
        attempt.submit().with_signal(&(now + 5_000)).await.err().unwrap().kind(),
        Kind::OutcomeUnknown
    );
    assert!(begun.elapsed() <= Duration::from_secs(6), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn an_entry_of_another_version_is_left_as_it_is() {
    let service = Service::new(|_| (true, transfer(200)));
    let (store, started) = (Rc::<Store>::default(), tokio::time::Instant::now());
    let client = page(&service, &store, started);
    client.prepare(REQUEST, &0).await.unwrap();
    store.entries.borrow_mut().values_mut().for_each(|text| *text = r#"{"version":9}"#.to_owned());
    let kept = store.entries.borrow().clone();
    let client = page(&service, &store, started);
    assert!(client.pending_transfers().await.unwrap().is_empty());
    assert_eq!(client.prepare(REQUEST, &0).await.err().unwrap().kind(), Kind::Conflict);
    assert_eq!(*store.entries.borrow(), kept);
}

//! What arrives when, and what does not: requests that a gateway holds back or repeats, and callers
//! that hang up.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bench::{CASH, person, recipient_body};
use super::live::{Ended, Live};

fn late(milliseconds: u64, reset: bool) -> Value {
    json!({
        "kind": "late", "delayMilliseconds": milliseconds, "reset": reset, "method": "POST",
        "path": "/v1/transfers",
    })
}

async fn until_made(live: &Live, token: &str, body: &Value) {
    let began = Instant::now();
    while live.progress(token, body).await != "Created" {
        assert!(began.elapsed() < Duration::from_secs(10), "it never arrived");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_late_request_is_unknown_until_it_arrives() {
    const DELAY: Duration = Duration::from_millis(400);
    let live = Live::start().await;
    let token = live.token().await;
    for (reset, ended) in [(false, Ended::Orderly), (true, Ended::Reset)] {
        let body = live.transfer_body(&token).await;
        live.fault(late(400, reset)).await;
        let began = Instant::now();
        let answer = live.post(&token, &body).await;
        assert_eq!((answer.status(), answer.ended), (0, ended));
        let mut looks = 0;
        loop {
            let (made, progress) = (live.made(&body).await, live.progress(&token, &body).await);
            if began.elapsed() >= DELAY {
                break;
            }
            assert_eq!((made, progress.as_str()), (0, "NotInProgress"));
            looks += 1;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(looks > 0, "the answer took longer than the delay");
        until_made(&live, &token, &body).await;
        assert_eq!(live.made(&body).await, 1);
    }
}

#[tokio::test]
async fn a_late_request_that_was_sent_again_meanwhile_makes_no_second_transfer() {
    let live = Live::start().await;
    let token = live.token().await;
    let body = live.transfer_body(&token).await;
    live.fault(late(150, false)).await;
    live.post(&token, &body).await;
    let before = live.exchanges().await;
    assert_eq!(live.post(&token, &body).await.status(), 200);
    // The second post is one exchange; what nobody sends any more is the late one.
    let began = Instant::now();
    while live.exchanges().await < before + 2 {
        assert!(began.elapsed() < Duration::from_secs(10), "it never arrived");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(live.made(&body).await, 1);
}

/// Begins a request and hangs up as soon as it waits for something.
async fn begin(request: impl Future) {
    let mut request = pin!(request);
    std::future::poll_fn(|context| {
        assert!(request.as_mut().poll(context).is_pending());
        Poll::Ready(())
    })
    .await;
}

#[tokio::test]
async fn both_copies_of_a_delayed_duplicate_arrive_whatever_the_caller_does() {
    let (bench, caller) = person().await;
    let count = async || caller.get("/v1/recipients").await.ok()["recipients"].as_array().unwrap().len();
    let fault =
        json!({ "kind": "duplicate", "delayMilliseconds": 150, "method": "POST", "path": "/v1/recipients" });
    let body = recipient_body(CASH);
    let until = async |wanted| {
        let began = Instant::now();
        while count().await < wanted {
            assert!(began.elapsed() < Duration::from_secs(10), "it never arrived");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    bench.steer("faults", fault.clone()).await;
    let began = Instant::now();
    caller.post("/v1/recipients", &body).await.ok();
    let at_once = count().await;
    assert!(at_once == 1 || began.elapsed() > Duration::from_millis(150));
    until(2).await;
    bench.steer("faults", fault).await;
    begin(caller.post("/v1/recipients", &body)).await;
    until(4).await;
    assert_eq!(count().await, 4);
}

#[tokio::test]
async fn who_hangs_up_before_the_service_began_takes_the_request_along() {
    let live = Live::start().await;
    let token = live.token().await;
    for (when, made) in [("before", 0), ("during", 0), ("after", 1)] {
        let body = live.transfer_body(&token).await;
        live.fault(json!({
            "kind": "latency", "when": when, "delayMilliseconds": 400, "method": "POST",
            "path": "/v1/transfers",
        }))
        .await;
        live.post_and_hang_up(&token, &body, Duration::from_millis(150)).await;
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert_eq!(live.made(&body).await, made, "{when}");
        let expected = if made == 0 { "NotInProgress" } else { "Created" };
        assert_eq!(live.progress(&token, &body).await, expected, "{when}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_hangs_up_leaves_no_half_transfer() {
    let live = Live::start().await;
    let token = live.token().await;
    let mut bodies = Vec::new();
    for _ in 0..20 {
        bodies.push(live.transfer_body(&token).await);
    }
    for (number, body) in bodies.iter().enumerate() {
        let post = live.post(&token, body);
        let patience = Duration::from_micros(150 * number as u64);
        let _ = tokio::time::timeout(patience, post).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    for body in &bodies {
        let status = live.progress(&token, body).await;
        assert!(matches!(status.as_str(), "Created" | "NotInProgress"), "{status}");
        let again = live.post(&token, body).await;
        assert_eq!(again.status() == 200, status == "NotInProgress");
        assert_eq!(live.made(body).await, 1);
    }
}

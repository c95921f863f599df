//! Faults: what a caller sees of each, and what of it is in the database afterwards.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bench::{Bench, CASH, person, recipient_body, text};
use super::live::{Answer, Ended, Live};

/// What a caller sees of a POST.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Status(u16),
    /// A gateway's page instead of the service's JSON.
    Page(u16),
    Nothing(Ended),
    /// The head of a success with half of its body.
    Half(Ended),
}

impl Seen {
    #[track_caller]
    fn check(self, answer: &Answer, fault: &Value) {
        let (status, ended, html, half) = match self {
            Self::Status(status) => (status, Ended::Orderly, false, false),
            Self::Page(status) => (status, Ended::Orderly, true, false),
            Self::Nothing(ended) => (0, ended, false, false),
            Self::Half(ended) => (200, ended, false, true),
        };
        let is_html = answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
        let seen = (answer.status(), answer.ended, is_html, answer.breaks_off());
        assert_eq!(seen, (status, ended, html, half), "{fault}: {answer:?}");
        let (wanted, retry_after) = (&fault["retryAfterSeconds"], answer.header("retry-after"));
        assert_eq!(wanted.as_u64(), retry_after.map(|seconds| seconds.parse().unwrap()), "{fault}");
    }
}

/// Each fault that can meet a transfer, what is seen of it, and whether the transfer is made.
fn faults() -> Vec<(Value, Seen, bool)> {
    let mut all = Vec::new();
    let instead = [
        (json!({ "kind": "status", "status": 429, "retryAfterSeconds": 7 }), Seen::Status(429)),
        (json!({ "kind": "status", "status": 429 }), Seen::Status(429)),
        (json!({ "kind": "status", "status": 500 }), Seen::Status(500)),
        (json!({ "kind": "status", "status": 502 }), Seen::Status(502)),
        (json!({ "kind": "status" }), Seen::Status(503)),
        (json!({ "kind": "status", "status": 504 }), Seen::Status(504)),
        (json!({ "kind": "nonJson" }), Seen::Page(502)),
        (json!({ "kind": "nonJson", "status": 200 }), Seen::Page(200)),
        (json!({ "kind": "drop" }), Seen::Nothing(Ended::Orderly)),
        (json!({ "kind": "drop", "reset": true }), Seen::Nothing(Ended::Reset)),
    ];
    for (fault, seen) in instead {
        for (when, made) in [("before", false), ("commit", false), ("after", true)] {
            let mut fault = fault.clone();
            fault["when"] = json!(when);
            all.push((fault, seen, made));
        }
    }
    for when in ["before", "during", "after"] {
        let fault = json!({ "kind": "latency", "when": when, "delayMilliseconds": 20 });
        all.push((fault, Seen::Status(200), true));
    }
    all.extend([
        (json!({ "kind": "truncate" }), Seen::Half(Ended::Orderly), true),
        (json!({ "kind": "truncate", "reset": true }), Seen::Half(Ended::Reset), true),
        (json!({ "kind": "slow", "delayMilliseconds": 50 }), Seen::Status(200), true),
        // The second answer counts; with a delay, the first.
        (json!({ "kind": "duplicate" }), Seen::Status(400), true),
        (json!({ "kind": "duplicate", "delayMilliseconds": 20 }), Seen::Status(200), true),
    ]);
    all
}

#[tokio::test]
async fn each_fault_shows_itself_and_leaves_a_transfer_or_none() {
    let live = Live::start().await;
    let token = live.token().await;
    for (mut fault, seen, made) in faults() {
        fault["method"] = json!("POST");
        fault["path"] = json!("/v1/transfers");
        let body = live.transfer_body(&token).await;
        live.fault(fault.clone()).await;
        seen.check(&live.post(&token, &body).await, &fault);
        assert_eq!(live.made(&body).await, usize::from(made), "{fault}");
        let progress = live.progress(&token, &body).await;
        assert_eq!(progress, if made { "Created" } else { "NotInProgress" }, "{fault}");
        // The fault is used up, and quote and nonce are unless there is no transfer.
        let again = live.post(&token, &body).await;
        assert_eq!(again.status(), if made { 400 } else { 200 }, "{fault}: {again:?}");
        assert_eq!(again.has("TransferDuplicatedByQuote"), made, "{fault}");
        assert_eq!(live.made(&body).await, 1, "{fault}");
    }
}

#[tokio::test]
async fn what_is_undone_at_the_commit_was_any_write() {
    let (bench, caller) = person().await;
    bench.steer("faults", json!({ "kind": "status", "when": "commit", "path": "/v1/recipients" })).await;
    caller.post("/v1/recipients", &recipient_body(CASH)).await.fails(503, "ServiceUnavailable");
    assert_eq!(caller.get("/v1/recipients").await.ok()["recipients"], json!([]));
    // A refusal that the service remembers is undone, too.
    let destination = caller.destination(CASH).await;
    let refused = caller.transfer_body(&destination, 990_050).await;
    bench.steer("faults", json!({ "kind": "status", "when": "commit", "path": "/v1/transfers" })).await;
    caller.post("/v1/transfers", &refused).await.fails(503, "ServiceUnavailable");
    let progress = format!("/v1/transfers/progress/{}", text(&refused, "quoteHistoryId"));
    assert_eq!(caller.get(&progress).await.ok()["transferRecordStatus"], "NotInProgress");
}

#[tokio::test]
async fn faults_meet_the_requests_and_take_the_time_that_was_asked_for() {
    let live = Live::start().await;
    let token = live.token().await;
    let body = live.transfer_body(&token).await;
    live.fault(json!({ "kind": "status", "status": 429, "path": "/v1/trans*" })).await;
    let reply = live.post(&token, &body).await;
    assert!(reply.status() == 429 && reply.has("TooManyRequests"));
    assert_eq!(reply.header("access-control-allow-origin"), Some("*"));
    live.fault(json!({ "kind": "nonJson", "path": "/v1/transfers", "skip": 1 })).await;
    live.fault(json!({ "kind": "latency", "delayMilliseconds": 300, "path": "/v1/transfers" })).await;
    // The first fault lets one pass, which then meets the second.
    live.fault(json!({ "kind": "status", "status": 504, "when": "after", "path": "/v1/transfers" })).await;
    let began = Instant::now();
    assert_eq!(live.post(&token, &body).await.status(), 200);
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert!(live.post(&token, &body).await.has("<html>"));
    let other = live.transfer_body(&token).await;
    assert_eq!(live.post(&token, &other).await.status(), 504);

    live.fault(json!({ "kind": "slow", "delayMilliseconds": 300, "path": "/v1/corridors" })).await;
    let began = Instant::now();
    let list = live.ok("GET", "/v1/corridors", &token, &Value::Null).await;
    assert!(began.elapsed() >= Duration::from_millis(250) && list.is_array());
}

#[tokio::test]
async fn faults_that_cannot_be_are_refused() {
    let bench = Bench::new();
    for wrong in [
        json!({}),
        json!({ "kind": "explode", "path": "*" }),
        json!({ "kind": "drop" }),
        json!({ "kind": "drop", "path": "v1" }),
        json!({ "kind": "drop", "path": "*", "count": 0 }),
        json!({ "kind": "drop", "path": "*", "colour": "red" }),
        json!({ "kind": "latency", "path": "*" }),
        json!({ "kind": "latency", "path": "*", "delayMilliseconds": 10, "when": "commit" }),
        json!({ "kind": "late", "path": "*" }),
        json!({ "kind": "late", "path": "*", "delayMilliseconds": 10, "when": "after" }),
        json!({ "kind": "duplicate", "path": "*", "delayMilliseconds": 600_001 }),
        json!({ "kind": "truncate", "path": "*", "when": "commit" }),
        json!({ "kind": "status", "path": "*", "status": 99 }),
        json!({ "kind": "status", "path": "*", "when": "during" }),
    ] {
        let reply = bench.nobody().post("/sandbox/faults", &wrong).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (400, "BadRequestError"), "{wrong}");
    }
    assert_eq!(bench.look("faults").await["faults"], json!([]));
}

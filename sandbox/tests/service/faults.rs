//! Faults: what a caller sees of each, and what is in the database afterwards.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::connections::{Answer, Ended, Shop};
use super::harness::*;

/// What a caller sees of a POST.
#[derive(Clone, Copy, Debug)]
enum Seen {
    Status(u16),
    /// A gateway's HTML page with this status.
    Page(u16),
    Nothing(Ended),
    /// The head of a success and half of its body.
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
        let seen = (answer.status(), answer.ended, is_html, answer.is_truncated());
        assert_eq!(seen, (status, ended, html, half), "{fault}: {answer:?}");
        let retry_after = answer.header("retry-after").map(|seconds| seconds.parse().unwrap());
        assert_eq!(fault["retryAfterSeconds"].as_u64(), retry_after, "{fault}");
    }
}

/// The faults of a transfer, what a caller sees, and whether the transfer is made.
fn faults() -> Vec<(Value, Seen, bool)> {
    let mut all = Vec::new();
    for (fault, seen) in [
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
    ] {
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
async fn each_fault_is_visible_and_leaves_a_transfer_or_none() {
    let shop = Shop::open().await;
    for (fault, seen, made) in faults() {
        let body = shop.body().await;
        shop.add_fault(&fault).await;
        seen.check(&shop.post(&body).await, &fault);
        assert_eq!(shop.transfers_of(&body).await, usize::from(made), "{fault}");
        assert_eq!(shop.progress(&body).await, if made { "Created" } else { "NotInProgress" }, "{fault}");
        // Without a transfer, quote and nonce are still unused.
        let again = shop.post(&body).await;
        assert_eq!(again.status(), if made { 400 } else { 200 }, "{fault}: {again:?}");
        assert_eq!(again.contains("TransferDuplicatedByQuote"), made, "{fault}");
        assert_eq!(shop.transfers_of(&body).await, 1, "{fault}");
    }
}

#[tokio::test]
async fn faults_skip_count_match_and_delay_as_defined() {
    let shop = Shop::open().await;
    let body = shop.body().await;
    shop.add_fault(&json!({ "kind": "status", "status": 429, "path": "/v1/trans*", "count": 2 })).await;
    for _ in 0..2 {
        let answer = shop.post(&body).await;
        assert!(answer.status() == 429 && answer.contains("TooManyRequests"));
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    }
    shop.add_fault(&json!({ "kind": "nonJson", "skip": 1 })).await;
    shop.add_fault(&json!({ "kind": "latency", "delayMilliseconds": 300 })).await;
    shop.add_fault(&json!({ "kind": "status", "status": 504, "when": "after" })).await;
    // The first fault skips one request, which meets the second.
    let began = Instant::now();
    assert_eq!(shop.post(&body).await.status(), 200);
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert!(shop.post(&body).await.contains("<html>"));
    assert_eq!(shop.post(&shop.body().await).await.status(), 504);

    let slow = json!({ "kind": "slow", "delayMilliseconds": 300, "path": "/v1/corridors", "method": "GET" });
    shop.add_fault(&slow).await;
    let began = Instant::now();
    assert!(shop.caller.get("/v1/corridors").await.ok().is_array());
    assert!(began.elapsed() >= Duration::from_millis(250));
}

#[tokio::test]
async fn a_fault_at_the_commit_rolls_back_any_write() {
    let (sandbox, caller) = person().await;
    let fault = |path| json!({ "kind": "status", "when": "commit", "path": path });
    sandbox.control("faults", fault("/v1/recipients")).await;
    caller.post("/v1/recipients", &recipient_body(CASH)).await.fails("ServiceUnavailable");
    assert_eq!(caller.get("/v1/recipients").await.ok()["recipients"], json!([]));
    // Even a recorded rejection.
    let destination = caller.destination(CASH).await;
    let rejected = caller.transfer_body(&destination, 990_050).await;
    sandbox.control("faults", fault("/v1/transfers")).await;
    caller.post("/v1/transfers", &rejected).await.fails("ServiceUnavailable");
    let progress = format!("/v1/transfers/progress/{}", text(&rejected, "quoteHistoryId"));
    assert_eq!(caller.get(&progress).await.ok()["transferRecordStatus"], "NotInProgress");
}

#[tokio::test]
async fn invalid_faults_are_rejected() {
    let sandbox = TestSandbox::new();
    for invalid in [
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
        json!({ "faults": vec![json!({ "kind": "drop", "path": "*" }); 1_001] }),
        // No request could meet these.
        json!({ "kind": "drop", "path": "/v1/qoute" }),
        json!({ "kind": "drop", "path": "/v1/nonce/*" }),
        json!({ "kind": "drop", "path": "*", "method": "PURGE" }),
        json!({ "kind": "drop", "path": "/v1/quote", "method": "PUT" }),
        json!({ "kind": "drop", "path": "/sandbox/clock" }),
    ] {
        sandbox.control_fails("faults", invalid).await;
    }
    assert_eq!(sandbox.control_get("faults").await["faults"], json!([]));
    for path in ["/assets/form.js", "/v2/add-card/*/verify", "/v1/transfers/7/receipt", "*receipt"] {
        sandbox.control("faults", json!({ "kind": "drop", "path": path })).await;
    }
    sandbox.control("faults", json!({ "kind": "drop", "path": "/v1/quote", "method": "options" })).await;
}

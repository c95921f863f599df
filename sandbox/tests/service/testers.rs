//! What testers steer with: clock, reset, log, seed, and a file that outlives the sandbox.

use remitkit_sandbox::Config;
use serde_json::{Value, json};

use super::bench::{Bench, CARD, config, person, stage, text};

#[tokio::test]
async fn the_clock_goes_forward_only() {
    let bench = Bench::new();
    let before = bench.look("clock").await;
    let after = bench.steer("clock", json!({ "advanceSeconds": 86_400 })).await;
    assert_eq!(after["offsetSeconds"], 86_400);
    assert_ne!(before["now"], after["now"]);
    let nobody = bench.nobody();
    for wrong in [json!(-1), json!(1.5), json!("1"), json!(i64::MAX), Value::Null] {
        let body = json!({ "advanceSeconds": wrong });
        nobody.post("/sandbox/clock", &body).await.fails(400, "BadRequestError");
    }
    let body = json!({ "advanceMinutes": 1 });
    nobody.post("/sandbox/clock", &body).await.fails(400, "BadRequestError");
}

#[tokio::test]
async fn a_reset_brings_back_the_start_and_keeps_tokens() {
    let (bench, caller, destination) = stage(CARD).await;
    caller.transfer(&destination, 10_000).await.ok();
    bench.steer("rates", json!({ "currencyIso3Code": "MXN", "millionths": 1_000 })).await;
    bench.advance(100).await;
    bench.steer("faults", json!({ "kind": "drop", "path": "*" })).await;
    bench.steer("reset", json!({})).await;
    assert_eq!(bench.look("clock").await["offsetSeconds"], 0);
    assert_eq!(bench.look("transfers").await, json!([]));
    assert_eq!(bench.look("requests").await["requests"], json!([]));
    assert_eq!(bench.look("faults").await["faults"], json!([]));
    assert_eq!(caller.quote(CARD, 10_000).await["rate"], json!(18.265319));
    let path = format!("/v1/recipients/{}", destination.recipient);
    caller.get(&path).await.fails(404, "RecipientNotFound");
}

#[tokio::test]
async fn the_log_says_what_was_asked_and_nothing_secret() {
    let bench = Bench::with(Config { log_capacity: 40, ..config() });
    let caller = bench.person().await;
    let destination = caller.destination(CARD).await;
    caller.transfer(&destination, 10_000).await.ok();
    caller.get("/v1/transfers/PLANTED-7261/x?token=PLANTED-7261&amount1=PLANTED").await;
    let log = bench.look("requests").await;
    let entries = log["requests"].as_array().unwrap();
    let post = entries.iter().find(|e| e["method"] == "POST" && e["route"] == "/v1/transfers");
    let post = post.unwrap();
    assert_eq!(post["status"], 200);
    assert!(post["bodyNames"].as_array().unwrap().contains(&json!("nonce")));
    let fields = entries.iter().find(|entry| entry["route"] == "/v1/recipients").unwrap();
    assert_eq!(fields["fieldIds"], json!(["firstName", "lastName", "ADDRESS_LINE_1", "PHONE_NUMBER"]));
    let text = log.to_string();
    for secret in [
        caller.token.as_deref().unwrap(),
        "sandbox-secret",
        "4111111111111111",
        "López",
        "3312345678",
        "PLANTED",
    ] {
        assert!(!text.contains(secret), "{secret}");
    }
    for _ in 0..100 {
        caller.get("/v1/corridors").await;
    }
    let log = bench.look("requests").await;
    assert_eq!(log["requests"].as_array().unwrap().len(), 40);
    let total = log["total"].as_u64().unwrap();
    assert!(total > 100);
    let last = bench.look(&format!("requests?after={}", total - 1)).await;
    assert_eq!(last["requests"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_failed_request_is_found_by_its_identifier() {
    let bench = Bench::new();
    let reply = bench.person().await.get("/v1/transfers/4711").await;
    let id = reply.headers["request-id"].to_str().unwrap();
    let log = bench.look("requests").await;
    let entry = log["requests"].as_array().unwrap().iter().find(|e| e["requestId"] == id).unwrap();
    assert_eq!((&entry["status"], &entry["codes"]), (&json!(400), &json!(["BadRequestError"])));
}

#[tokio::test]
async fn lifetimes_can_be_shortened_until_a_reset() {
    let (bench, caller) = person().await;
    let seconds = |quote: &Value, bench_now: &Value| {
        let at = |time: &Value| time.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
        at(&quote["expirationDate"]) - at(&bench_now["now"])
    };
    let all = bench.steer("lifetimes", json!({ "quoteSeconds": 4 })).await;
    assert_eq!(all, json!({ "tokenSeconds": 3600, "quoteSeconds": 4, "cardSessionSeconds": 1800 }));
    let quote = caller.quote(CARD, 10_000).await;
    assert!((2..=4).contains(&seconds(&quote, &bench.look("clock").await)));
    bench.steer("lifetimes", json!({ "cardSessionSeconds": 5 })).await;
    let session =
        caller.post("/v1/card-onboarding-sessions", &json!({ "entityMode": "RECIPIENT" })).await.ok();
    assert!((3..=5).contains(&seconds(&session, &bench.look("clock").await)));
    for wrong in [json!({ "quoteSeconds": 0 }), json!({ "quoteSeconds": 86_401 }), json!({ "quote": 1 })] {
        bench.nobody().post("/sandbox/lifetimes", &wrong).await.fails(400, "BadRequestError");
    }
    bench.steer("reset", json!({})).await;
    assert!(seconds(&caller.quote(CARD, 10_000).await, &bench.look("clock").await) > 800);
}

async fn story(config: Config) -> Vec<String> {
    let bench = Bench::with(config);
    let caller = bench.person().await;
    let destination = caller.destination(CARD).await;
    let transfer = caller.transfer(&destination, 10_000).await.ok();
    let quote = caller.quote(CARD, 5_000).await;
    vec![
        caller.token.clone().unwrap().chars().take(40).collect(),
        destination.recipient,
        text(&transfer, "transferId"),
        transfer["confirmationNumber"].to_string(),
        text(&quote, "quoteHistoryId"),
    ]
}

#[tokio::test]
async fn a_seed_makes_the_same_identifiers_and_another_does_not() {
    let first = story(config()).await;
    assert_eq!(first, story(config()).await);
    let other = story(Config { seed: Some(2), ..config() }).await;
    let unseeded = story(Config { seed: None, ..config() }).await;
    for at in 1..first.len() {
        assert_ne!(first[at], other[at]);
        assert_ne!(first[at], unseeded[at]);
    }
}

#[tokio::test]
async fn a_file_keeps_everything_and_the_second_start_repeats_no_identifier() {
    let folder = std::env::temp_dir().join(format!("remitkit-file-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("sandbox.db");
    let config = || Config { db: Some(file.clone()), ..config() };
    let (token, body, id);
    {
        let bench = Bench::with(config());
        bench.advance(50).await;
        let caller = bench.person().await;
        let destination = caller.destination(CARD).await;
        body = caller.transfer_body(&destination, 10_000).await;
        id = text(&caller.post("/v1/transfers", &body).await.ok(), "transferId");
        token = caller.token;
    }
    let bench = Bench::with(config());
    assert_eq!(bench.look("clock").await["offsetSeconds"], 50);
    let caller = super::bench::Caller { bench: bench.clone(), token };
    caller.get(&format!("/v1/transfers/{id}")).await.ok();
    caller.post("/v1/transfers", &body).await.fails(400, "TransferDuplicatedByQuote");
    let destination = caller.destination(CARD).await;
    let second = caller.transfer(&destination, 10_000).await.ok();
    assert_ne!(text(&second, "transferId"), id);
    assert_eq!(bench.look("transfers").await.as_array().unwrap().len(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn the_page_is_served_under_a_strict_policy() {
    let bench = Bench::new();
    let nobody = bench.nobody();
    for (path, kind) in [
        ("/sandbox", "text/html; charset=utf-8"),
        ("/sandbox/assets/page.js", "text/javascript; charset=utf-8"),
        ("/sandbox/assets/page.css", "text/css; charset=utf-8"),
    ] {
        let reply = nobody.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.headers["content-type"].to_str().unwrap()), (200, kind));
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
    }
    let page = String::from_utf8(nobody.get("/sandbox").await.bytes).unwrap();
    assert!(page.contains("/sandbox/assets/page.js") && page.contains("/sandbox/assets/page.css"));
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains("onclick"));
    nobody.get("/sandbox/assets/other.js").await.fails(404, "NotFound");
    assert_eq!(bench.look("corridors").await.as_array().unwrap().len(), 60);
}

#[tokio::test]
async fn the_newest_transfers_come_first_when_asked_for() {
    let (bench, caller, destination) = stage(CARD).await;
    let mut made = Vec::new();
    for amount in [1_000, 2_000, 3_000] {
        made.push(text(&caller.transfer(&destination, amount).await.ok(), "transferId"));
    }
    let ids = |list: Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| text(one, "transferId")).collect()
    };
    assert_eq!(ids(bench.look("transfers").await), made);
    made.reverse();
    assert_eq!(ids(bench.look("transfers?newest=2").await), made[..2]);
}

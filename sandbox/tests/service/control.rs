//! The control endpoints: clock, reset, request log, lifetimes; and seeds, files and the control page.

use remitkit_sandbox::Config;
use serde_json::{Value, json};

use super::database::Folder;
use super::harness::*;

#[tokio::test]
async fn the_clock_can_only_be_moved_on() {
    let sandbox = TestSandbox::new();
    let before = sandbox.control_get("clock").await;
    let after = sandbox.control("clock", json!({ "advanceSeconds": 86_400 })).await;
    assert_eq!(after["offsetSeconds"], 86_400);
    assert_ne!(before["now"], after["now"]);
    for wrong in [json!(-1), json!(1.5), json!("1"), json!(i64::MAX), Value::Null] {
        sandbox.control_fails("clock", json!({ "advanceSeconds": wrong })).await;
    }
    sandbox.control_fails("clock", json!({ "advanceMinutes": 1 })).await;
}

#[tokio::test]
async fn the_clock_starts_where_it_is_told_to_and_can_be_set_and_frozen() {
    let now = remitkit_sandbox::parse_time("2026-01-31T09:00:00Z");
    let sandbox = TestSandbox::with(Config { now, frozen: true, ..config() });
    let start = json!({ "now": "2026-01-31T09:00:00.0000000Z", "offsetSeconds": 0, "frozen": true });
    assert_eq!(sandbox.control_get("clock").await, start);
    let caller = sandbox.person().await;
    assert_eq!(caller.quote(CARD, 10_000).await["expirationDate"], "2026-01-31T09:15:00.0000000Z");
    let rate = caller.quote(BANK, 10_000).await["rate"].clone();
    let set = sandbox.control("clock", json!({ "now": "2026-01-31T09:20:00.5Z" })).await;
    assert_eq!((&set["now"], &set["offsetSeconds"]), (&json!("2026-01-31T09:20:00.5000000Z"), &json!(1_200)));
    assert_ne!(caller.quote(BANK, 10_000).await["rate"], rate, "rates follow the clock");
    for wrong in ["2026-01-31T09:20:00Z", "2026-01-31", "noon", ""] {
        sandbox.control_fails("clock", json!({ "now": wrong })).await;
    }
    sandbox.advance(60).await;
    assert_eq!(sandbox.control_get("clock").await["now"], "2026-01-31T09:21:00.5000000Z");
    sandbox.control("clock", json!({ "frozen": false })).await;
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let running = text(&sandbox.control_get("clock").await, "now");
    assert!(
        running.starts_with("2026-01-31T09:21:0") && running.as_str() > "2026-01-31T09:21:00.51",
        "{running}"
    );
    assert_eq!(sandbox.control("reset", json!({})).await, start);
}

#[tokio::test]
async fn a_snapshot_restores_records_clock_and_controls() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    // On a busy machine the transfer would go on meanwhile.
    sandbox.control("clock", json!({ "frozen": true })).await;
    let first = caller.transfer(&destination, 10_000).await.ok();
    let unused = caller.transfer_body(&destination, 10_000).await;
    sandbox.control("lifetimes", json!({ "quoteSeconds": 60 })).await;
    sandbox.advance(10).await;
    let id = text(&sandbox.control("snapshots", json!({})).await, "snapshotId");
    let before = sandbox.control_get("transfers").await;

    caller.post("/v1/transfers", &unused).await.ok();
    sandbox.control("faults", json!({ "kind": "drop", "path": "*" })).await;
    sandbox.control("rates", json!({ "currencyIso3Code": "MXN", "millionths": 1_000 })).await;
    sandbox.advance(100).await;
    for _ in 0..2 {
        let clock = sandbox.control(&format!("snapshots/{id}/restore"), json!({})).await;
        assert_eq!(clock["offsetSeconds"], 10);
        assert_eq!(sandbox.control_get("transfers").await, before);
        assert_eq!(sandbox.control_get("faults").await["faults"], json!([]));
        assert_eq!(sandbox.control("lifetimes", json!({})).await["quoteSeconds"], 60);
        caller.get(&format!("/v1/transfers/{}", text(&first, "transferId"))).await.ok();
        caller.post("/v1/transfers", &unused).await.ok();
    }
    sandbox.control_fails(&format!("snapshots/{UNKNOWN_ID}/restore"), json!({})).await;
    sandbox.control("reset", json!({})).await;
    sandbox.control(&format!("snapshots/{id}/restore"), json!({})).await;
    assert_eq!(sandbox.control_get("transfers").await, before);
}

#[tokio::test]
async fn the_balance_is_the_announced_client_s_by_default() {
    let sandbox = TestSandbox::new();
    let set = sandbox.control("balance", json!({ "cents": 5 })).await;
    assert_eq!(set, json!({ "clientId": "sandbox-client", "cents": 5 }));
}

#[tokio::test]
async fn a_reset_restores_the_initial_state_and_keeps_tokens() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    caller.transfer(&destination, 10_000).await.ok();
    sandbox.control("rates", json!({ "currencyIso3Code": "MXN", "millionths": 1_000 })).await;
    sandbox.advance(100).await;
    sandbox.control("faults", json!({ "kind": "drop", "path": "*" })).await;
    sandbox.control("reset", json!({})).await;
    assert_eq!(sandbox.control_get("clock").await["offsetSeconds"], 0);
    assert_eq!(sandbox.control_get("transfers").await, json!([]));
    assert_eq!(sandbox.control_get("requests").await["requests"], json!([]));
    assert_eq!(sandbox.control_get("faults").await["faults"], json!([]));
    assert_eq!(caller.quote(CARD, 10_000).await["rate"], json!(18.265319));
    caller.get(&format!("/v1/recipients/{}", destination.recipient)).await.fails("RecipientNotFound");
}

#[tokio::test]
async fn the_log_names_requests_without_secrets() {
    let sandbox = TestSandbox::with(Config { log_capacity: 40, ..config() });
    let caller = sandbox.person().await;
    let destination = caller.destination(CARD).await;
    caller.transfer(&destination, 10_000).await.ok();
    let planted = "/v1/transfers/PLANTED-7261/x?token=PLANTED-7261&amount1=PLANTED&4111111111111111=x";
    caller.get(planted).await;
    let failed = caller.get("/v1/transfers/4711").await;
    let log = sandbox.control_get("requests").await;
    let find = |name: &str, value: &str| {
        log["requests"].as_array().unwrap().iter().rfind(|entry| entry[name] == value).unwrap()
    };
    let transfer = find("route", "/v1/transfers");
    assert_eq!((&transfer["method"], &transfer["status"]), (&json!("POST"), &json!(200)));
    assert!(transfer["bodyNames"].as_array().unwrap().contains(&json!("nonce")));
    let fields = json!(["firstName", "lastName", "ADDRESS_LINE_1", "PHONE_NUMBER"]);
    assert_eq!(find("route", "/v1/recipients")["fieldIds"], fields);
    let failed = find("requestId", failed.headers["request-id"].to_str().unwrap());
    assert_eq!((&failed["status"], &failed["codes"]), (&json!(400), &json!(["BadRequestError"])));
    let text = log.to_string();
    let token = caller.token.as_deref().unwrap();
    for secret in [token, "sandbox-secret", "4111111111111111", "López", "3312345678", "PLANTED"] {
        assert!(!text.contains(secret), "{secret}");
    }
    for _ in 0..100 {
        caller.get("/v1/corridors").await;
    }
    let log = sandbox.control_get("requests").await;
    assert_eq!(log["requests"].as_array().unwrap().len(), 40);
    let total = log["total"].as_u64().unwrap();
    assert!(total > 100);
    let last = sandbox.control_get(&format!("requests?after={}", total - 1)).await;
    assert_eq!(last["requests"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn lifetimes_can_be_changed_until_a_reset() {
    let (sandbox, caller) = person().await;
    let seconds_left = async |record: &Value| {
        let at = |time: &Value| time.as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
        at(&record["expirationDate"]) - at(&sandbox.control_get("clock").await["now"])
    };
    let all = sandbox.control("lifetimes", json!({ "quoteSeconds": 4 })).await;
    assert_eq!(all, json!({ "tokenSeconds": 3600, "quoteSeconds": 4, "cardSessionSeconds": 1800 }));
    assert!((2..=4).contains(&seconds_left(&caller.quote(CARD, 10_000).await).await));
    sandbox.control("lifetimes", json!({ "cardSessionSeconds": 5 })).await;
    let session = caller.post("/v1/card-onboarding-sessions", &json!({ "entityMode": "RECIPIENT" })).await;
    assert!((3..=5).contains(&seconds_left(&session.ok()).await));
    for wrong in [json!({ "quoteSeconds": 0 }), json!({ "quoteSeconds": 86_401 }), json!({ "quote": 1 })] {
        sandbox.control_fails("lifetimes", wrong).await;
    }
    sandbox.control("reset", json!({})).await;
    assert!(seconds_left(&caller.quote(CARD, 10_000).await).await > 800);
}

#[tokio::test]
async fn a_file_keeps_everything_and_a_second_start_repeats_no_identifier() {
    let folder = Folder::new("file");
    let sandbox = TestSandbox::with(folder.config(1));
    sandbox.advance(50).await;
    let caller = sandbox.person().await;
    let destination = caller.destination(CARD).await;
    let used = caller.transfer_body(&destination, 10_000).await;
    let unused = caller.transfer_body(&destination, 10_000).await;
    let mut used_nonce = unused.clone();
    used_nonce["nonce"] = used["nonce"].clone();
    let id = text(&caller.post("/v1/transfers", &used).await.ok(), "transferId");
    let token = caller.token.clone();
    drop((sandbox, caller));

    for seed in [1, 2] {
        let sandbox = TestSandbox::with(folder.config(seed));
        assert_eq!(sandbox.control_get("clock").await["offsetSeconds"], 50);
        let caller = Caller { sandbox, token: token.clone() };
        caller.get(&format!("/v1/transfers/{id}")).await.ok();
        caller.post("/v1/transfers", &used).await.fails("TransferDuplicatedByQuote");
        caller.post("/v1/transfers", &used_nonce).await.fails("NonceAlreadyUsed");
        let destination = caller.destination(CARD).await;
        let other = caller.transfer(&destination, 10_000).await.ok();
        assert_ne!(text(&other, "transferId"), id);
    }
    let caller = TestSandbox::with(folder.config(1)).person().await;
    caller.post("/v1/transfers", &unused).await.ok();
}

#[tokio::test]
async fn the_control_page_has_a_strict_policy() {
    let sandbox = TestSandbox::new();
    let anonymous = sandbox.anonymous();
    for (path, media_type) in [
        ("/sandbox", "text/html; charset=utf-8"),
        ("/sandbox/assets/page.js", "text/javascript; charset=utf-8"),
        ("/sandbox/assets/page.css", "text/css; charset=utf-8"),
    ] {
        let reply = anonymous.get(path).await;
        assert_eq!(
            (reply.status.as_u16(), reply.headers["content-type"].to_str().unwrap()),
            (200, media_type)
        );
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
        assert_eq!(reply.headers["cache-control"], "no-store");
    }
    let page = String::from_utf8(anonymous.get("/sandbox").await.bytes).unwrap();
    assert!(page.contains("/sandbox/assets/page.js") && page.contains("/sandbox/assets/page.css"));
    assert!(!page.contains("<style") && !page.contains("style=") && !page.contains("onclick"));
    anonymous.get("/sandbox/assets/other.js").await.fails("NotFound");
}

#[tokio::test]
async fn transfers_triggers_and_corridors_are_listed_without_a_token() {
    let (sandbox, caller, destination) = person_with(CARD).await;
    let mut made = Vec::new();
    for amount in [1_000, 2_000, 3_000] {
        made.push(text(&caller.transfer(&destination, amount).await.ok(), "transferId"));
    }
    let ids = |list: Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| text(one, "transferId")).collect()
    };
    assert_eq!(ids(sandbox.control_get("transfers").await), made);
    made.reverse();
    assert_eq!(ids(sandbox.control_get("transfers?newest=2").await), made[..2]);
    assert_eq!(sandbox.control_get("corridors").await.as_array().unwrap().len(), 60);
    let triggers = sandbox.control_get("triggers").await["triggers"].clone();
    let means = json!({ "kind": "property", "name": "senderId", "value": UNKNOWN_ID });
    assert_eq!(triggers[1], json!({ "code": "SenderNotFound", "operation": "transfer", "means": means }));
}

//! Webhooks: sent when a status is reached, and when a tester says so.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Json, Router, routing};
use remitkit_sandbox::{Config, Servers, WebhookTarget};
use serde_json::{Value, json};

use super::harness::*;

/// What a receiver got, as `[key, status of the transfer, reason]`, and the answers that it still gives.
#[derive(Clone, Default)]
struct Received {
    events: Arc<Mutex<Vec<[Value; 3]>>>,
    answers: Arc<Mutex<Vec<u16>>>,
}

impl Received {
    fn statuses(&self) -> Vec<Value> {
        self.events.lock().unwrap().iter().map(|[_, status, _]| status.clone()).collect()
    }

    async fn wait_for(&self, count: usize) -> Vec<Value> {
        for _ in 0..500 {
            if self.statuses().len() >= count {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        self.statuses()
    }
}

async fn receive(
    State(received): State<Received>,
    headers: HeaderMap,
    Json(event): Json<Value>,
) -> StatusCode {
    let key = headers["authorization"].to_str().unwrap();
    assert!(event["TransferId"].is_string() && event["StatusChangedDate"].is_string());
    let event = [json!(key), event["Status"].clone(), event["CancellationReason"].clone()];
    received.events.lock().unwrap().push(event);
    let mut answers = received.answers.lock().unwrap();
    if answers.is_empty() { StatusCode::OK } else { StatusCode::from_u16(answers.remove(0)).unwrap() }
}

/// Starts a receiver; returns its address and what it gets.
async fn receiver() -> (String, Received) {
    let received = Received::default();
    let router = Router::new().route("/hook", routing::post(receive)).with_state(received.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, received)
}

/// A sandbox that is served, so that it sends webhooks.
async fn sending(url: &str, is_automatic: bool) -> Arc<TestSandbox> {
    let webhook = Some(WebhookTarget { url: url.to_owned(), key: "whk_1".into(), is_automatic });
    let sandbox = TestSandbox::with(Config { webhook, ..config() });
    let servers = Servers::bind(sandbox.sandbox.clone(), 0, 0).await.unwrap();
    tokio::spawn(servers.run(std::future::pending()));
    sandbox
}

#[tokio::test]
async fn each_status_is_sent_once_when_it_is_reached() {
    let (url, received) = receiver().await;
    let sandbox = sending(&url, true).await;
    let caller = sandbox.person().await;
    let destination = caller.destination(BANK).await;
    let made = caller.transfer(&destination, 5_000).await.ok();
    assert_eq!(received.wait_for(1).await, ["Initiated"]);
    sandbox.advance(90_000).await;
    assert_eq!(received.wait_for(3).await, ["Initiated", "Pending", "Complete"]);
    let caller = sandbox.person().await;
    let canceled = caller.held_transfer(&destination, 10_000).await;
    caller.cancel(&canceled, "CUSTOMER_REQUEST").await;
    sandbox.advance(10).await;
    let all = received.wait_for(6).await;
    assert_eq!(all[3..], ["Initiated", "Pending Cancelation", "Canceled"]);
    // What were sent twice would come before what happens later.
    caller.transfer(&destination, 6_000).await.ok();
    received.wait_for(7).await;
    sandbox.advance(90_000).await;
    let later = ["Initiated", "Pending", "Complete"];
    assert_eq!(received.wait_for(9).await[6..], later, "none is sent twice");
    let events = received.events.lock().unwrap().clone();
    assert!(events.iter().all(|[key, _, _]| key == "whk_1"));
    assert_eq!((&events[2][2], &events[5][2]), (&Value::Null, &json!("CUSTOMER_REQUEST")));
    let list = sandbox.control_get("webhooks").await;
    assert_eq!((&list["url"], &list["isAutomatic"]), (&json!(url), &json!(true)));
    assert_eq!(list["deliveries"][0]["event"]["TransferId"], made["transferId"]);
    assert_eq!(list["deliveries"].as_array().unwrap().len(), 9);
}

#[tokio::test]
async fn an_event_is_sent_again_after_5xx_and_not_after_4xx() {
    let (url, received) = receiver().await;
    received.answers.lock().unwrap().extend([503, 200, 400]);
    let sandbox = sending(&url, true).await;
    let caller = sandbox.person().await;
    let destination = caller.destination(BANK).await;
    caller.transfer(&destination, 5_000).await.ok();
    assert_eq!(received.wait_for(2).await, ["Initiated", "Initiated"]);
    sandbox.advance(90_000).await;
    assert_eq!(received.wait_for(4).await[2..], ["Pending", "Complete"]);
}

#[tokio::test]
async fn a_tester_delivers_events_twice_late_out_of_order_in_other_case_or_with_a_bad_key() {
    let (url, received) = receiver().await;
    let sandbox = sending(&url, false).await;
    let caller = sandbox.person().await;
    let destination = caller.destination(BANK).await;
    let made = caller.transfer(&destination, 5_000).await.ok();
    let id = text(&made, "transferId");
    let deliver = async |more: Value| {
        let body = merged(json!({ "transferId": id }), more);
        sandbox.control("webhooks", body).await["deliveries"].clone()
    };
    let [now] = &deliver(json!({})).await.as_array().unwrap().clone()[..] else { panic!() };
    assert_eq!((&now["status"], &now["error"]), (&json!(200), &Value::Null));
    deliver(json!({ "statuses": ["Complete", "Initiated"], "times": 2 })).await;
    deliver(json!({ "statuses": ["Complete"], "letterCase": "upper" })).await;
    let began = std::time::Instant::now();
    deliver(json!({ "key": "wrong", "delayMilliseconds": 100 })).await;
    assert!(began.elapsed() >= Duration::from_millis(100));
    let expected = ["Initiated", "Complete", "Complete", "Initiated", "Initiated", "COMPLETE", "Initiated"];
    assert_eq!(received.statuses(), expected);
    assert_eq!(received.events.lock().unwrap()[6][0], "wrong");
    caller.post(&format!("/sandbox/transfers/{id}/fail"), &json!({ "reason": "CLOSED" })).await.ok();
    deliver(json!({})).await;
    assert_eq!(received.events.lock().unwrap()[7][1..], [json!("Failed"), json!("CLOSED")]);

    let unreachable = deliver(json!({ "url": "http://127.0.0.1:1/x" })).await;
    assert_eq!(unreachable[0]["status"], Value::Null);
    assert!(unreachable[0]["error"].as_str().unwrap().contains("refused"), "{unreachable}");
    for wrong in [
        json!({}),
        json!({ "transferId": id, "times": 0 }),
        json!({ "transferId": id, "url": "https://a.example" }),
        json!({ "transferId": id, "url": "/hook" }),
        json!({ "transferId": id, "key": "a\nb" }),
        json!({ "transferId": id, "delayMilliseconds": 600_001 }),
    ] {
        sandbox.control_fails("webhooks", wrong).await;
    }
    let unknown = json!({ "transferId": UNKNOWN_ID });
    caller.post("/sandbox/webhooks", &unknown).await.fails("TransferNotFound");
}

#[tokio::test]
async fn a_public_sandbox_sends_only_where_its_command_line_says() {
    let sandbox = TestSandbox::with(Config { is_public: true, ..config() });
    let elsewhere = json!({ "transferId": UNKNOWN_ID, "url": "http://10.0.0.1", "key": "k" });
    sandbox.control_fails("webhooks", elsewhere).await;
}

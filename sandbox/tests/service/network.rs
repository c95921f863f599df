//! Real sockets on the loopback interface: what browsers ask, and connections that break.

use std::sync::Arc;
use std::time::{Duration, Instant};

use remitkit_sandbox::{Sandbox, Servers};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::bench::config;

/// A sandbox that listens, until it is dropped.
struct Live {
    base: String,
    card: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    task: Option<JoinHandle<std::io::Result<()>>>,
    sandbox: Sandbox,
}

impl Live {
    async fn start() -> Self {
        let sandbox = Sandbox::open(config()).unwrap();
        let servers = Servers::bind(sandbox.clone(), 0, 0).await.unwrap();
        let (base, card) = (servers.base_url(), servers.card_url());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(servers.run(async {
            let _ = stopped.await;
        }));
        Self { base, card, stop: Some(stop), task: Some(task), sandbox }
    }

    /// What comes back for these bytes, to the end of the connection.
    async fn raw(address: &str, request: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address.trim_start_matches("http://")).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut reply = Vec::new();
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut reply));
        read.await.expect("the connection stays open")?;
        Ok(String::from_utf8_lossy(&reply).into_owned())
    }

    async fn send(&self, method: &str, path: &str, token: &str, body: &Value) -> std::io::Result<String> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let host = self.base.trim_start_matches("http://");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-type: application/json\r\nauthorization: Bearer {token}\r\n\
             origin: http://127.0.0.1:9\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        Self::raw(&self.base, &request).await
    }

    async fn ok(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let reply = self.send(method, path, token, body).await.unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 20"), "{reply}");
        serde_json::from_str(body).unwrap()
    }

    async fn token(&self) -> String {
        let body = json!({
            "client_id": self.sandbox.client_id(),
            "client_secret": self.sandbox.client_secret(),
            "audience": self.base,
            "grant_type": "client_credentials",
            "sender_id": self.sandbox.sender_id(),
        });
        let reply = self.ok("POST", "/v1/oauth/token", "", &body).await;
        reply["access_token"].as_str().unwrap().to_owned()
    }

    async fn fault(&self, fault: Value) {
        self.ok("POST", "/sandbox/faults", "", &fault).await;
    }

    async fn recorded(&self) -> usize {
        self.ok("GET", "/sandbox/transfers", "", &Value::Null).await.as_array().unwrap().len()
    }

    /// A body for POST /v1/transfers: cash, which needs no account.
    async fn transfer_body(&self, token: &str) -> Value {
        let recipient = super::bench::recipient_body(super::bench::CASH);
        let recipient = self.ok("POST", "/v1/recipients", token, &recipient).await;
        let quote = "/v1/quote?dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN\
                     &srcCurrencyIso3Code=USD&transferMethod=CASH_PICKUP&quoteBy=SEND_AMOUNT\
                     &amount=2000";
        let quote = self.ok("GET", quote, token, &Value::Null).await;
        let destination = super::bench::Destination {
            to: super::bench::CASH,
            recipient: recipient["recipientId"].as_str().unwrap().to_owned(),
            account: None,
        };
        destination.transfer(2_000, quote["quoteHistoryId"].as_str().unwrap())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(task) = self.task.take() {
            task.abort();
        }
    }
}

#[tokio::test]
async fn browsers_may_ask_from_anywhere() {
    let live = Live::start().await;
    let host = live.base.trim_start_matches("http://");
    let preflight = format!(
        "OPTIONS /v1/transfers HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
         origin: https://shop.example\r\naccess-control-request-method: POST\r\n\
         access-control-request-headers: authorization,content-type,accept-language\r\n\r\n"
    );
    let reply = Live::raw(&live.base, &preflight).await.unwrap().to_ascii_lowercase();
    assert!(reply.starts_with("http/1.1 200"), "{reply}");
    for header in [
        "access-control-allow-origin: *",
        "access-control-max-age: 600",
        "access-control-allow-headers: authorization,content-type,accept-language",
    ] {
        assert!(reply.contains(header), "{header} in {reply}");
    }
    for method in ["get", "post", "put", "patch", "delete"] {
        assert!(reply.contains(method), "{method}");
    }
    // Refusals can be read, too, and named.
    let reply = live.send("GET", "/v1/corridors", "x", &Value::Null).await.unwrap();
    let reply = reply.to_ascii_lowercase();
    assert!(reply.starts_with("http/1.1 401"));
    assert!(reply.contains("access-control-allow-origin: *"));
    assert!(reply.contains("access-control-expose-headers: request-id,retry-after"));
}

#[tokio::test]
async fn a_dropped_connection_says_nothing_before_or_after_the_commit() {
    let live = Live::start().await;
    let token = live.token().await;
    for (when, reset, made) in
        [("before", false, 0), ("before", true, 0), ("after", false, 1), ("after", true, 2)]
    {
        let body = live.transfer_body(&token).await;
        live.fault(json!({
            "kind": "drop", "when": when, "reset": reset, "method": "POST", "path": "/v1/transfers",
        }))
        .await;
        match live.send("POST", "/v1/transfers", &token, &body).await {
            Ok(reply) => assert_eq!((reply.as_str(), reset), ("", false)),
            Err(error) => {
                assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
                assert!(reset);
            }
        }
        assert_eq!(live.recorded().await, made, "{when}");
        let quote = body["quoteHistoryId"].as_str().unwrap();
        let path = format!("/v1/transfers/progress/{quote}");
        let progress = live.ok("GET", &path, &token, &Value::Null).await;
        let expected = if when == "before" { "NotInProgress" } else { "Created" };
        assert_eq!(progress["transferRecordStatus"], expected);
        // The fault is used up.
        let again = live.send("POST", "/v1/transfers", &token, &body).await.unwrap();
        assert_eq!(again.starts_with("HTTP/1.1 200"), when == "before");
        if when == "before" {
            live.ok("POST", "/sandbox/reset", "", &json!({})).await;
        }
    }
}

#[tokio::test]
async fn a_truncated_reply_announces_more_than_it_brings() {
    let live = Live::start().await;
    let token = live.token().await;
    let body = live.transfer_body(&token).await;
    live.fault(json!({ "kind": "truncate", "path": "/v1/transfers" })).await;
    let reply = live.send("POST", "/v1/transfers", &token, &body).await.unwrap();
    let (head, part) = reply.split_once("\r\n\r\n").unwrap();
    let announced: usize =
        head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && part.len() < announced, "{head}");
    assert_eq!(live.recorded().await, 1);
}

#[tokio::test]
async fn statuses_pages_and_delays_come_as_they_were_asked_for() {
    let live = Live::start().await;
    let token = live.token().await;
    let body = live.transfer_body(&token).await;
    let post = || live.send("POST", "/v1/transfers", &token, &body);
    live.fault(json!({
        "kind": "status", "status": 429, "retryAfterSeconds": 7, "path": "/v1/trans*",
    }))
    .await;
    let reply = post().await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 429"));
    assert!(reply.contains("retry-after: 7") && reply.contains("TooManyRequests"));
    assert!(reply.contains("access-control-allow-origin: *"));
    live.fault(json!({ "kind": "nonJson", "path": "/v1/transfers", "skip": 1 })).await;
    live.fault(json!({ "kind": "latency", "delayMilliseconds": 300, "path": "/v1/transfers" })).await;
    // The first fault lets one pass, which then meets the second.
    live.fault(json!({ "kind": "status", "status": 504, "when": "after", "path": "/v1/transfers" })).await;
    let began = Instant::now();
    assert!(post().await.unwrap().starts_with("HTTP/1.1 200"));
    assert!(began.elapsed() >= Duration::from_millis(300));
    let page = post().await.unwrap();
    assert!(page.starts_with("HTTP/1.1 502") && page.contains("<html>"));
    let other = live.transfer_body(&token).await;
    let reply = live.send("POST", "/v1/transfers", &token, &other).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 504"));
    assert_eq!(live.recorded().await, 2);

    live.fault(json!({ "kind": "slow", "delayMilliseconds": 300, "path": "/v1/corridors" })).await;
    let began = Instant::now();
    let list = live.ok("GET", "/v1/corridors", &token, &Value::Null).await;
    assert!(began.elapsed() >= Duration::from_millis(250) && list.is_array());
}

#[tokio::test]
async fn a_request_delivered_twice_makes_one_transfer() {
    let live = Live::start().await;
    let token = live.token().await;
    let body = live.transfer_body(&token).await;
    live.fault(json!({ "kind": "duplicate", "path": "/v1/transfers" })).await;
    let reply = live.send("POST", "/v1/transfers", &token, &body).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 400") && reply.contains("TransferDuplicatedByQuote"));
    assert_eq!(live.recorded().await, 1);
}

#[tokio::test]
async fn faults_that_cannot_be_are_refused() {
    let live = Live::start().await;
    for wrong in [
        json!({}),
        json!({ "kind": "explode", "path": "*" }),
        json!({ "kind": "drop" }),
        json!({ "kind": "drop", "path": "v1" }),
        json!({ "kind": "drop", "path": "*", "count": 0 }),
        json!({ "kind": "drop", "path": "*", "colour": "red" }),
        json!({ "kind": "latency", "path": "*" }),
        json!({ "kind": "status", "path": "*", "status": 99 }),
        json!({ "kind": "status", "path": "*", "when": "during" }),
    ] {
        let reply = live.send("POST", "/sandbox/faults", "", &wrong).await.unwrap();
        assert!(reply.starts_with("HTTP/1.1 400"), "{wrong}: {reply}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_hangs_up_leaves_no_half_transfer() {
    let live = Arc::new(Live::start().await);
    let token = live.token().await;
    let mut bodies = Vec::new();
    for _ in 0..20 {
        bodies.push(live.transfer_body(&token).await);
    }
    for (number, body) in bodies.iter().enumerate() {
        let post = live.send("POST", "/v1/transfers", &token, body);
        let patience = Duration::from_micros(150 * number as u64);
        let _ = tokio::time::timeout(patience, post).await;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    for body in &bodies {
        let quote = body["quoteHistoryId"].as_str().unwrap();
        let path = format!("/v1/transfers/progress/{quote}");
        let progress = live.ok("GET", &path, &token, &Value::Null).await;
        let status = progress["transferRecordStatus"].as_str().unwrap().to_owned();
        assert!(matches!(status.as_str(), "Created" | "NotInProgress"), "{status}");
        let again = live.send("POST", "/v1/transfers", &token, body).await.unwrap();
        assert_eq!(again.starts_with("HTTP/1.1 200"), status == "NotInProgress");
    }
    assert_eq!(live.recorded().await, 20);
}

#[tokio::test]
async fn the_card_form_is_another_origin_and_both_stop_when_told() {
    let mut live = Live::start().await;
    assert_ne!(live.base, live.card);
    let host = live.card.trim_start_matches("http://").to_owned();
    let get = format!("GET /assets/form.js HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    let reply = Live::raw(&live.card, &get).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("text/javascript"));
    // An idle connection and an endless fault don't keep it.
    let _idle = TcpStream::connect(&host).await.unwrap();
    live.stop.take();
    let ended = tokio::time::timeout(Duration::from_secs(4), live.task.take().unwrap()).await;
    ended.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(&host).await.is_err());
}

#[tokio::test]
async fn a_taken_port_is_named() {
    let live = Live::start().await;
    let port: u16 = live.base.rsplit(':').next().unwrap().parse().unwrap();
    let sandbox = Sandbox::open(config()).unwrap();
    let error = Servers::bind(sandbox, port, 0).await.unwrap_err().to_string();
    assert!(error.contains(&port.to_string()) && error.contains("--port"), "{error}");
}

//! Errors at the start of the program, and what happens to requests whose connection ends early. How the
//! program starts and stops otherwise is tested in `tests/package`.

use std::io::ErrorKind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use remitkit_sandbox::{Config, Servers};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use super::database::run;
use super::harness::*;

const PATIENCE: Duration = Duration::from_secs(10);

async fn wait_until(what: &str, is_so: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        sleep(Duration::from_millis(10)).await;
    }
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Orderly,
    Reset,
}

/// What came back on a connection.
#[derive(Debug)]
pub struct Answer {
    reply: String,
    pub ended: Ended,
}

impl Answer {
    /// Splits into the head and as much of the body as came.
    fn parts(&self) -> Option<(&str, &str)> {
        self.reply.split_once("\r\n\r\n")
    }

    /// Returns the status, or 0 if nothing came.
    pub fn status(&self) -> u16 {
        assert!(self.reply.is_empty() || self.parts().is_some(), "half a head");
        self.reply.split(' ').nth(1).map_or(0, |status| status.parse().unwrap())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.parts()?.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Whether the body is shorter than announced.
    pub fn is_truncated(&self) -> bool {
        let announced = self.header("content-length").map(|length| length.parse::<usize>().unwrap());
        announced.zip(self.parts()).is_some_and(|(announced, (_, body))| body.len() < announced)
    }

    pub fn contains(&self, text: &str) -> bool {
        self.reply.contains(text)
    }
}

/// A shop whose transfers to one recipient reach the sandbox by connections of their own. Everything else
/// takes the short way.
#[derive(Debug)]
pub struct Shop {
    pub sandbox: Arc<TestSandbox>,
    pub caller: Caller,
    destination: Destination,
    host: String,
}

impl Shop {
    pub async fn open() -> Self {
        let (sandbox, caller, destination) = person_with(CASH).await;
        let servers = Servers::bind(sandbox.sandbox.clone(), 0, 0).await.unwrap();
        let host = servers.base_url().trim_start_matches("http://").to_owned();
        tokio::spawn(servers.run(std::future::pending()));
        Self { sandbox, caller, destination, host }
    }

    /// Returns a body for POST /v1/transfers with a new quote and a new nonce.
    pub async fn body(&self) -> Value {
        self.caller.transfer_body(&self.destination, 2_000).await
    }

    async fn connect(&self, body: &Value) -> TcpStream {
        let (host, token, body) = (&self.host, self.caller.token.as_ref().unwrap(), body.to_string());
        let length = body.len();
        let request = format!(
            "POST /v1/transfers HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             authorization: Bearer {token}\r\norigin: http://127.0.0.1:9\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    /// Posts a transfer, and reads until the connection ends.
    pub async fn post(&self, body: &Value) -> Answer {
        let mut stream = self.connect(body).await;
        let mut reply = Vec::new();
        let ended = match timeout(PATIENCE, stream.read_to_end(&mut reply)).await.unwrap() {
            Ok(_) => Ended::Orderly,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Ended::Reset,
            Err(error) => panic!("{error}"),
        };
        Answer { reply: String::from_utf8_lossy(&reply).into_owned(), ended }
    }

    pub async fn progress(&self, body: &Value) -> String {
        let path = format!("/v1/transfers/progress/{}", text(body, "quoteHistoryId"));
        text(&self.caller.get(&path).await.ok(), "transferRecordStatus")
    }

    /// Returns how many transfers a quote has.
    pub async fn transfers_of(&self, body: &Value) -> usize {
        let transfers = self.sandbox.control_get("transfers").await;
        let is_of_quote = |transfer: &&Value| transfer["quoteHistoryId"] == body["quoteHistoryId"];
        transfers.as_array().unwrap().iter().filter(is_of_quote).count()
    }

    /// Adds a fault of POST /v1/transfers.
    pub async fn add_fault(&self, fault: &Value) {
        let of_transfers = json!({ "method": "POST", "path": "/v1/transfers" });
        self.sandbox.control("faults", merged(of_transfers, fault.clone())).await;
    }

    /// Returns how many faults have met no request yet.
    async fn faults(&self) -> usize {
        self.sandbox.control_get("faults").await["faults"].as_array().unwrap().len()
    }

    /// Waits until this many exchanges have reached the service.
    async fn wait_for_exchanges(&self, count: u64) {
        wait_until("all exchanges arrived", async || self.exchanges().await == count).await;
    }

    async fn exchanges(&self) -> u64 {
        self.sandbox.control_get("contract").await["checked"].as_u64().unwrap()
    }
}

#[test]
fn errors_at_the_start_name_the_option() {
    for (arguments, expected) in [
        (["--db", "/nonexistent/x.db"], ["/nonexistent/x.db", "--db"]),
        (["--control-origin", "a;b"], ["a;b", "--control-origin"]),
        (["--frame-ancestor", "a b"], ["a b", "--frame-ancestor"]),
    ] {
        let (code, _, errors) = run(&[&["--port", "0", "--card-port", "0"], &arguments[..]].concat());
        assert_eq!(code, Some(1), "{errors}");
        assert!(expected.iter().all(|text| errors.contains(text)), "{errors}");
    }
}

#[tokio::test]
async fn a_late_request_is_unknown_until_it_arrives_and_repeats_nothing() {
    let shop = Shop::open().await;
    for (reset, ended, is_resent) in
        [(false, Ended::Orderly, false), (true, Ended::Reset, false), (false, Ended::Orderly, true)]
    {
        let body = shop.body().await;
        let before = shop.exchanges().await;
        shop.add_fault(&json!({ "kind": "late", "delayMilliseconds": 400, "reset": reset })).await;
        let answer = shop.post(&body).await;
        assert_eq!((answer.status(), answer.ended), (0, ended));
        assert_eq!(shop.transfers_of(&body).await, 0);
        assert_eq!(shop.progress(&body).await, "NotInProgress");
        if is_resent {
            assert_eq!(shop.post(&body).await.status(), 200);
        }
        shop.wait_for_exchanges(before + 2 + u64::from(is_resent)).await;
        assert_eq!((shop.progress(&body).await.as_str(), shop.transfers_of(&body).await), ("Created", 1));
    }
}

#[tokio::test]
async fn both_deliveries_of_a_delayed_duplicate_arrive_even_if_the_caller_hangs_up() {
    let shop = Shop::open().await;
    for hangs_up in [false, true] {
        let body = shop.body().await;
        let before = shop.exchanges().await;
        shop.add_fault(&json!({ "kind": "duplicate", "delayMilliseconds": 150 })).await;
        if hangs_up {
            shop.add_fault(&json!({ "kind": "latency", "when": "during", "delayMilliseconds": 50 })).await;
            drop(shop.connect(&body).await);
        } else {
            assert_eq!(shop.post(&body).await.status(), 200, "the first answer counts");
        }
        shop.wait_for_exchanges(before + 2).await;
        assert_eq!(shop.transfers_of(&body).await, 1);
    }
}

#[tokio::test]
async fn hanging_up_before_the_service_began_cancels_the_request() {
    let shop = Shop::open().await;
    // Longer than a busy machine takes to notice that the connection has ended.
    let delay = Duration::from_millis(2_000);
    for (when, progress) in [("before", "NotInProgress"), ("during", "NotInProgress"), ("after", "Created")] {
        let body = shop.body().await;
        let delay_ms = delay.as_millis();
        shop.add_fault(&json!({ "kind": "latency", "when": when, "delayMilliseconds": delay_ms })).await;
        let connection = shop.connect(&body).await;
        wait_until("the fault meets it", async || shop.faults().await == 0).await;
        if when == "during" {
            wait_until("it begins", async || shop.progress(&body).await == "Initializing").await;
        }
        drop(connection);
        if when == "before" {
            // Now it would have begun.
            sleep(delay).await;
        }
        wait_until(progress, async || shop.progress(&body).await == progress).await;
        assert_eq!(shop.transfers_of(&body).await, usize::from(progress == "Created"), "{when}");
    }
}

#[tokio::test]
async fn work_is_completed_without_its_caller_where_a_fault_follows_it() {
    let sandbox = TestSandbox::with(Config { verify_delay: Duration::from_millis(500), ..config() });
    let caller = sandbox.person().await;
    for fault in [
        json!({ "kind": "status", "when": "after", "path": "/v2/*" }),
        json!({ "kind": "latency", "when": "after", "path": "/v2/*", "delayMilliseconds": 1 }),
        json!({ "kind": "truncate", "path": "/v2/*" }),
        json!({ "kind": "slow", "path": "/v2/*", "delayMilliseconds": 1 }),
    ] {
        let session = caller.card_session().await;
        sandbox.control("faults", fault.clone()).await;
        let verifying = sandbox.enter_card(&session, "4111111111111111");
        assert!(timeout(Duration::from_millis(50), verifying).await.is_err(), "it was answered");
        let path = format!("/v1/card-onboarding-sessions/{session}");
        let is_done = async || caller.get(&path).await.ok()["status"] == "SUCCEEDED";
        wait_until(&fault.to_string(), is_done).await;
    }
}

//! A sandbox on real sockets, and calls to it that see what becomes of their connection.

use std::io;
use std::time::Duration;

use remitkit_sandbox::{Sandbox, Servers};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::bench::{CASH, Destination, config, credentials, quote_path, recipient_body, text};

/// A sandbox that listens, until it is dropped.
pub struct Live {
    pub base: String,
    pub card: String,
    pub stop: Option<tokio::sync::oneshot::Sender<()>>,
    pub task: Option<JoinHandle<std::io::Result<()>>>,
    sandbox: Sandbox,
}

impl Live {
    pub async fn start() -> Self {
        let sandbox = Sandbox::open(config()).unwrap();
        let servers = Servers::bind(sandbox.clone(), 0, 0).await.unwrap();
        let (base, card) = (servers.base_url(), servers.card_url());
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(servers.run(async {
            let _ = stopped.await;
        }));
        Self { base, card, stop: Some(stop), task: Some(task), sandbox }
    }

    /// What comes back for these bytes before the connection ends, and the error by which it does.
    async fn exchange(address: &str, request: &str) -> (String, Option<io::ErrorKind>) {
        let mut reply = Vec::new();
        let exchange = async {
            let mut stream = TcpStream::connect(address.trim_start_matches("http://")).await?;
            stream.write_all(request.as_bytes()).await?;
            stream.read_to_end(&mut reply).await
        };
        let ended = tokio::time::timeout(Duration::from_secs(10), exchange).await;
        let error = ended.expect("the connection stays open").err().map(|error| error.kind());
        (String::from_utf8_lossy(&reply).into_owned(), error)
    }

    /// What comes back for these bytes, to the orderly end of the connection.
    pub async fn raw(address: &str, request: &str) -> String {
        match Self::exchange(address, request).await {
            (reply, None) => reply,
            (_, Some(error)) => panic!("{error}"),
        }
    }

    fn request(&self, method: &str, path: &str, token: &str, body: &Value) -> String {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let host = self.base.trim_start_matches("http://");
        // As a shop's page on another port sends it to the service; a tester's tool has no origin.
        let origin = if path.starts_with("/v1") { "origin: http://127.0.0.1:9\r\n" } else { "" };
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-type: application/json\r\nauthorization: Bearer {token}\r\n\
             {origin}content-length: {}\r\n\r\n{body}",
            body.len()
        )
    }

    pub async fn send(&self, method: &str, path: &str, token: &str, body: &Value) -> String {
        Self::raw(&self.base, &self.request(method, path, token, body)).await
    }

    /// Posts a transfer, and sees how that ends.
    pub async fn post(&self, token: &str, body: &Value) -> Answer {
        let request = self.request("POST", "/v1/transfers", token, body);
        let (reply, error) = Self::exchange(&self.base, &request).await;
        let ended = match error {
            None => Ended::Orderly,
            Some(io::ErrorKind::ConnectionReset) => Ended::Reset,
            Some(error) => panic!("{error}"),
        };
        Answer { reply, ended }
    }

    /// Posts a transfer, and hangs up before there is an answer.
    pub async fn post_and_hang_up(&self, token: &str, body: &Value, patience: Duration) {
        let post = self.post(token, body);
        assert!(tokio::time::timeout(patience, post).await.is_err(), "it was answered");
    }

    pub async fn ok(&self, method: &str, path: &str, token: &str, body: &Value) -> Value {
        let reply = self.send(method, path, token, body).await;
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 20"), "{reply}");
        serde_json::from_str(body).unwrap()
    }

    pub async fn token(&self) -> String {
        let mut body = credentials("sandbox", &self.base);
        body["sender_id"] = json!(self.sandbox.sender_id());
        let reply = self.ok("POST", "/v1/oauth/token", "", &body).await;
        reply["access_token"].as_str().unwrap().to_owned()
    }

    pub async fn fault(&self, fault: Value) {
        self.ok("POST", "/sandbox/faults", "", &fault).await;
    }

    /// How many exchanges have reached the service itself.
    pub async fn exchanges(&self) -> u64 {
        self.ok("GET", "/sandbox/contract", "", &Value::Null).await["checked"].as_u64().unwrap()
    }

    /// How many transfers a quote has made.
    pub async fn made(&self, body: &Value) -> usize {
        let recorded = self.ok("GET", "/sandbox/transfers", "", &Value::Null).await;
        let of_quote = |transfer: &&Value| transfer["quoteHistoryId"] == body["quoteHistoryId"];
        recorded.as_array().unwrap().iter().filter(of_quote).count()
    }

    /// What the service says became of a submission.
    pub async fn progress(&self, token: &str, body: &Value) -> String {
        let path = format!("/v1/transfers/progress/{}", text(body, "quoteHistoryId"));
        text(&self.ok("GET", &path, token, &Value::Null).await, "transferRecordStatus")
    }

    /// A body for POST /v1/transfers: cash, which needs no account. With a nonce.
    pub async fn transfer_body(&self, token: &str) -> Value {
        let recipient = recipient_body(CASH);
        let recipient = self.ok("POST", "/v1/recipients", token, &recipient).await;
        let quote = quote_path(CASH, "SEND_AMOUNT", "2000");
        let quote = self.ok("GET", &quote, token, &Value::Null).await;
        let nonce = self.ok("GET", "/v1/nonce", token, &Value::Null).await;
        let recipient = text(&recipient, "recipientId");
        let destination = Destination { to: CASH, recipient, account: None };
        let mut body = destination.transfer(2_000, &text(&quote, "quoteHistoryId"));
        body["nonce"] = nonce["nonce"].clone();
        body
    }
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Orderly,
    Reset,
}

/// What a caller sees of an answer.
#[derive(Debug)]
pub struct Answer {
    reply: String,
    pub ended: Ended,
}

impl Answer {
    /// The head, and as much of the body as came.
    pub fn parts(&self) -> Option<(&str, &str)> {
        self.reply.split_once("\r\n\r\n")
    }

    /// 0 where nothing came.
    pub fn status(&self) -> u16 {
        assert!(self.reply.is_empty() || self.parts().is_some(), "half a head");
        self.reply.split(' ').nth(1).map_or(0, |status| status.parse().unwrap())
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let (head, _) = self.parts()?;
        head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// Whether less came than the head announces.
    pub fn breaks_off(&self) -> bool {
        let announced = self.header("content-length").map(|length| length.parse::<usize>().unwrap());
        matches!((announced, self.parts()), (Some(announced), Some((_, body))) if body.len() < announced)
    }

    pub fn has(&self, text: &str) -> bool {
        self.reply.contains(text)
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

//! The program as a process with a shop that sees how its connections end, and its database file.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};

use super::harness::{CASH, Destination, credentials, merged, quote_path, recipient_body, text};

const PATIENCE: Duration = Duration::from_secs(10);

/// Starts the program without waiting for it.
pub fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"))
        .args(["--json", "--stop-with-stdin", "--port", "0", "--card-port", "0"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program to its end. Returns the exit code, standard output and standard error.
pub fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"));
    let Output { status, stdout, stderr } = command.args(arguments).stdin(Stdio::null()).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Waits for a condition, and fails if it takes too long.
#[track_caller]
pub fn wait_until(mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < PATIENCE, "it never happened");
        std::thread::sleep(Duration::from_millis(10));
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

/// A running program, which ends when it is dropped, and a shop that sends transfers to one recipient.
#[derive(Debug)]
pub struct Shop {
    program: Child,
    host: String,
    token: String,
    recipient: String,
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Shop {
    /// Starts the program on free ports.
    pub fn start(arguments: &[&str]) -> Self {
        let mut program = spawn(arguments);
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let info: Value = serde_json::from_str(&line).unwrap();
        let base_url = text(&info, "baseUrl");
        let host = base_url.trim_start_matches("http://").to_owned();
        let mut shop = Self { program, host, token: String::new(), recipient: String::new() };
        let sender = json!({ "sender_id": info["senderId"] });
        let credentials = merged(credentials("sandbox", &base_url), sender);
        shop.token = text(&shop.ok("POST", "/v1/oauth/token", &credentials), "access_token");
        shop.recipient = text(&shop.ok("POST", "/v1/recipients", &recipient_body(CASH)), "recipientId");
        shop
    }

    /// Sends a request on a connection of its own.
    fn connect(&self, method: &str, path: &str, body: &Value) -> TcpStream {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        // The service is called by a shop's page, the control endpoints by a tool, which has no origin.
        let origin = if path.starts_with("/v1") { "origin: http://127.0.0.1:9\r\n" } else { "" };
        let (host, token, length) = (&self.host, &self.token, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\n{origin}content-length: {length}\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    /// Sends a request, and reads until the connection ends.
    fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let mut stream = self.connect(method, path, body);
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reply = Vec::new();
        let ended = match stream.read_to_end(&mut reply) {
            Ok(_) => Ended::Orderly,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => Ended::Reset,
            Err(error) => panic!("{error}"),
        };
        Answer { reply: String::from_utf8_lossy(&reply).into_owned(), ended }
    }

    #[track_caller]
    pub fn ok(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.send(method, path, body);
        assert!(matches!(answer.status(), 200..300), "{path}: {answer:?}");
        serde_json::from_str(answer.parts().unwrap().1).unwrap()
    }

    pub fn nonce(&self) -> Value {
        self.ok("GET", "/v1/nonce", &Value::Null)["nonce"].take()
    }

    /// Returns a body for POST /v1/transfers with a new quote and a new nonce.
    pub fn body(&self, amount: i64) -> Value {
        let quote = self.ok("GET", &quote_path(CASH, "SEND_AMOUNT", &amount.to_string()), &Value::Null);
        let destination = Destination { to: CASH, recipient: self.recipient.clone(), account: None };
        let mut body = destination.transfer(amount, &text(&quote, "quoteHistoryId"));
        body["nonce"] = self.nonce();
        body
    }

    pub fn post(&self, body: &Value) -> Answer {
        self.send("POST", "/v1/transfers", body)
    }

    /// Posts a transfer and closes the connection after `patience`. Returns whether an answer came before.
    pub fn post_and_hang_up(&self, body: &Value, patience: Duration) -> bool {
        let mut stream = self.connect("POST", "/v1/transfers", body);
        std::thread::sleep(patience);
        stream.set_nonblocking(true).unwrap();
        stream.read(&mut [0]).is_ok()
    }

    pub fn progress(&self, body: &Value) -> String {
        let path = format!("/v1/transfers/progress/{}", text(body, "quoteHistoryId"));
        text(&self.ok("GET", &path, &Value::Null), "transferRecordStatus")
    }

    /// Returns how many transfers a quote has.
    pub fn transfers_of(&self, body: &Value) -> usize {
        let transfers = self.ok("GET", "/sandbox/transfers", &Value::Null);
        let is_of_quote = |transfer: &&Value| transfer["quoteHistoryId"] == body["quoteHistoryId"];
        transfers.as_array().unwrap().iter().filter(is_of_quote).count()
    }

    pub fn add_fault(&self, fault: Value) {
        self.ok("POST", "/sandbox/faults", &fault);
    }

    /// Adds a fault of POST /v1/transfers.
    pub fn add_transfer_fault(&self, mut fault: Value) {
        fault["method"] = json!("POST");
        fault["path"] = json!("/v1/transfers");
        self.add_fault(fault);
    }
}

/// A folder for a database, deleted when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(purpose: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("remitkit-{purpose}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn database(&self) -> String {
        self.file("sandbox.db").into_os_string().into_string().unwrap()
    }

    /// Lists the transfers in the database by `--list-transfers`.
    pub fn rows(&self) -> Vec<Row> {
        let (code, lines, errors) = run(&["--list-transfers", "--db", &self.database()]);
        assert_eq!(code, Some(0), "{errors}");
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A line of `--list-transfers`.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Row {
    pub transfer_id: String,
    pub quote_history_id: String,
    pub nonce: Option<String>,
    pub amount: Option<i64>,
    pub created_at: String,
}

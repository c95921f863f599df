//! The program as a process of its own, its database file, and a shop that sends it transfers.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Deserialize;
use serde_json::Value;

use super::bench::{CASH, Destination, credentials, quote_path, recipient_body};

/// Starts the program, without waiting for it.
pub fn spawn(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"))
        .args(["--json", "--stop-with-stdin"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The program, until it is dropped.
pub struct Program {
    pub child: Child,
    pub info: Value,
}

impl Program {
    /// Starts it on ports that are free.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_on(["0", "0"], arguments)
    }

    pub fn start_on([port, card_port]: [&str; 2], arguments: &[&str]) -> Self {
        let ports = ["--port", port, "--card-port", card_port];
        let mut child = spawn(&[&ports, arguments].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { info: serde_json::from_str(&line).unwrap(), child }
    }

    pub fn text(&self, name: &str) -> &str {
        self.info[name].as_str().unwrap()
    }

    pub fn ports(&self) -> [String; 2] {
        ["baseUrl", "cardUrl"].map(|name| self.text(name).rsplit(':').next().unwrap().to_owned())
    }

    /// Ends it at once, as a machine that fails would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The exit code, if it ends in time.
    pub fn ended(&mut self) -> Option<i32> {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(10) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }

    pub fn ask(&self, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
        ask(self.text("baseUrl"), method, path, token, body)
    }

    pub fn token(&self) -> String {
        let mut body = credentials("sandbox", self.text("baseUrl"));
        body["sender_id"] = self.info["senderId"].clone();
        let (_, reply) = self.ask("POST", "/v1/oauth/token", "", &body).unwrap();
        reply["access_token"].as_str().unwrap().to_owned()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request on one connection. `None` where the connection broke.
fn ask(base: &str, method: &str, path: &str, token: &str, body: &Value) -> Option<(u16, Value)> {
    let host = base.trim_start_matches("http://");
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_str(body).ok()?))
}

/// A folder for a database, until it is dropped.
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

    /// Its database.
    pub fn database(&self) -> String {
        self.file("sandbox.db").into_os_string().into_string().unwrap()
    }

    /// What the database holds, by `--list-transfers`.
    pub fn rows(&self) -> Vec<Row> {
        let output = Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"))
            .args(["--list-transfers", "--db", &self.database()])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A line of `--list-transfers`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Row {
    pub transfer_id: String,
    pub quote_history_id: String,
    pub nonce: Option<String>,
    pub amount: Option<i64>,
    pub created_at: String,
}

/// Someone who sends transfers to one recipient. Outlives the program: address and token stay good.
#[derive(Clone, Debug)]
pub struct Shop {
    base: String,
    token: String,
    recipient: String,
}

pub fn shop(program: &Program) -> Shop {
    let token = program.token();
    let (_, recipient) = program.ask("POST", "/v1/recipients", &token, &recipient_body(CASH)).unwrap();
    let recipient = recipient["recipientId"].as_str().unwrap().to_owned();
    Shop { base: program.text("baseUrl").to_owned(), token, recipient }
}

impl Shop {
    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        ask(&self.base, method, path, &self.token, body)
    }

    /// `None` where the connection broke; everything but success fails the test.
    fn get(&self, path: &str) -> Option<Value> {
        let (status, reply) = self.ask("GET", path, &Value::Null)?;
        assert_eq!(status, 200, "{path}: {reply}");
        Some(reply)
    }

    pub fn nonce(&self) -> Option<Value> {
        Some(self.get("/v1/nonce")?["nonce"].take())
    }

    /// A body for POST /v1/transfers with a new quote, and without a nonce.
    pub fn body(&self, amount: i64) -> Option<Value> {
        let quote = self.get(&quote_path(CASH, "SEND_AMOUNT", &amount.to_string()))?;
        let destination = Destination { to: CASH, recipient: self.recipient.clone(), account: None };
        Some(destination.transfer(amount, quote["quoteHistoryId"].as_str()?))
    }

    pub fn post(&self, body: &Value) -> Option<(u16, Value)> {
        self.ask("POST", "/v1/transfers", body)
    }

    pub fn progress(&self, body: &Value) -> Value {
        let quote = body["quoteHistoryId"].as_str().unwrap();
        self.get(&format!("/v1/transfers/progress/{quote}")).unwrap()["transferRecordStatus"].take()
    }
}

/// Chance for a test. Its seed is printed; `REMITKIT_SEED` repeats one.
pub fn chance() -> ChaCha12Rng {
    let given = std::env::var("REMITKIT_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| u64::from(std::process::id()) ^ nanoseconds());
    println!("REMITKIT_SEED={seed}");
    ChaCha12Rng::seed_from_u64(seed)
}

fn nanoseconds() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_nanos() & u128::from(u64::MAX)).unwrap()
}

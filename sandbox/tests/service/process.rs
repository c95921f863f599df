//! The program itself: how it starts, stops, and comes back after it was killed.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bench::{CASH, Destination, recipient_body};

struct Program {
    child: Child,
    info: Value,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"))
            .args(["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { info: serde_json::from_str(&line).unwrap(), child }
    }

    fn text(&self, name: &str) -> &str {
        self.info[name].as_str().unwrap()
    }

    /// The exit code, if it ends in time.
    fn ended(&mut self) -> Option<i32> {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(10) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
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
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    let (head, body) = reply.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, serde_json::from_str(body).ok()?))
}

fn token(program: &Program) -> String {
    let body = json!({
        "client_id": program.info["clientId"],
        "client_secret": program.info["clientSecret"],
        "audience": program.info["baseUrl"],
        "grant_type": "client_credentials",
        "sender_id": program.info["senderId"],
    });
    let (_, reply) = ask(program.text("baseUrl"), "POST", "/v1/oauth/token", "", &body).unwrap();
    reply["access_token"].as_str().unwrap().to_owned()
}

#[test]
fn it_says_where_it_is_and_stops_with_its_parent() {
    let mut program = Program::start(&[]);
    assert_eq!(program.text("clientId"), "sandbox-client");
    assert_eq!(program.text("clientSecret"), "sandbox-secret");
    assert_eq!(program.text("senderId").len(), 36);
    assert!(program.text("baseUrl").starts_with("http://127.0.0.1:"));
    assert_ne!(program.text("baseUrl"), program.text("cardUrl"));
    let (status, corridors) =
        ask(program.text("baseUrl"), "GET", "/v1/corridors", &token(&program), &Value::Null).unwrap();
    assert!(status == 200 && corridors.as_array().unwrap().len() > 12);
    drop(program.child.stdin.take());
    assert_eq!(program.ended(), Some(0));
}

#[test]
fn it_stops_cleanly_when_it_is_asked_to() {
    let mut program = Program::start(&[]);
    let killed = Command::new("kill").arg(program.child.id().to_string()).status().unwrap();
    assert!(killed.success());
    assert_eq!(program.ended(), Some(0));
}

#[test]
fn what_cannot_be_opened_is_said_and_ends_it() {
    let output = Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"))
        .args(["--port", "0", "--card-port", "0", "--db", "/nonexistent/x.db"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("/nonexistent/x.db") && text.contains("--db"), "{text}");
}

/// Sends transfers until the program is gone; keeps the quotes of those that were acknowledged.
fn send_until_it_is_gone(base: &str, token: &str, recipient: &str, made: &Mutex<Vec<String>>) {
    let quote = "/v1/quote?dstCountryIso3Code=MEX&dstCurrencyIso3Code=MXN&srcCurrencyIso3Code=USD\
                 &transferMethod=CASH_PICKUP&quoteBy=SEND_AMOUNT&amount=2000";
    let destination = Destination { to: CASH, recipient: recipient.to_owned(), account: None };
    while let Some((200, quote)) = ask(base, "GET", quote, token, &Value::Null) {
        let quote = quote["quoteHistoryId"].as_str().unwrap().to_owned();
        let body = destination.transfer(2_000, &quote);
        match ask(base, "POST", "/v1/transfers", token, &body) {
            Some((200, _)) => made.lock().unwrap().push(quote),
            Some((status, reply)) => panic!("{status} {reply}"),
            None => return,
        }
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let folder = std::env::temp_dir().join(format!("remitkit-kill-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("sandbox.db");
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    for _ in 0..4 {
        kill_once(&file, &acknowledged);
    }
    let program = Program::start(&["--db", file.to_str().unwrap(), "--seed", "5"]);
    let (_, recorded) = ask(program.text("baseUrl"), "GET", "/sandbox/transfers", "", &Value::Null).unwrap();
    let all: Vec<String> = recorded
        .as_array()
        .unwrap()
        .iter()
        .map(|transfer| transfer["quoteHistoryId"].as_str().unwrap().to_owned())
        .collect();
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.len() > 20, "only {} before the kills", acknowledged.len());
    for quote in acknowledged.iter() {
        assert!(distinct.contains(quote), "lost {quote}");
    }
    drop(program);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn kill_once(file: &Path, acknowledged: &Arc<Mutex<Vec<String>>>) {
    // The same seed each time: the second start must not repeat the first one's identifiers.
    let mut program = Program::start(&["--db", file.to_str().unwrap(), "--seed", "5"]);
    let (base, token) = (program.text("baseUrl").to_owned(), token(&program));
    let (_, recipient) = ask(&base, "POST", "/v1/recipients", &token, &recipient_body(CASH)).unwrap();
    let recipient = recipient["recipientId"].as_str().unwrap();
    let before = acknowledged.lock().unwrap().len();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| send_until_it_is_gone(&base, &token, recipient, acknowledged));
        }
        let began = Instant::now();
        while acknowledged.lock().unwrap().len() < before + 10 && began.elapsed().as_secs() < 20 {
            std::thread::sleep(Duration::from_millis(5));
        }
        program.child.kill().unwrap();
        program.child.wait().unwrap();
    });
}

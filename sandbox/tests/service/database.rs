//! The database file: a race for one nonce, killed starts, and `--list-transfers`. `tests/chaos` covers races
//! for one quote and kills at work.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use remitkit_sandbox::Config;
use serde_json::{Value, json};

use super::harness::*;

const PROGRAM: &str = env!("CARGO_BIN_EXE_remitkit-sandbox");

/// Runs the program to its end. Returns the exit code, standard output and standard error.
pub fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(PROGRAM).args(arguments).stdin(Stdio::null()).output();
    let Output { status, stdout, stderr } = output.unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
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

    /// Returns the settings of a sandbox with this database.
    pub fn config(&self, seed: u64) -> Config {
        Config { db: Some(self.database().into()), seed: Some(seed), ..config() }
    }

    /// Lists the transfers in the database by `--list-transfers`.
    fn rows(&self) -> Vec<Value> {
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

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_posts_with_one_nonce_make_one_transfer() {
    let folder = Folder::new("nonce-races");
    let caller = TestSandbox::with(folder.config(5)).person().await;
    let destination = caller.destination(CASH).await;
    let nonce = caller.nonce().await;
    let mut posts = Vec::new();
    for _ in 0..32 {
        let mut body = caller.transfer_body(&destination, 2_000).await;
        body["nonce"] = nonce.clone();
        let caller = caller.clone();
        posts.push(async move { caller.post("/v1/transfers", &body).await });
    }
    let posts: Vec<_> = posts.into_iter().map(tokio::spawn).collect();
    for post in posts {
        let reply = post.await.unwrap();
        assert!(reply.status == 200 || reply.code() == "NonceAlreadyUsed", "{reply:?}");
    }
    assert_eq!(folder.rows().len(), 1);
}

#[tokio::test]
async fn the_transfers_of_a_file_can_be_listed_during_and_after_its_use() {
    let folder = Folder::new("list");
    let caller = TestSandbox::with(folder.config(5)).person().await;
    let destination = caller.destination(CASH).await;
    assert!(folder.rows().is_empty());
    let mut expected = Vec::new();
    for (amount, nonce) in [(2_000, Value::Null), (2_001, caller.nonce().await)] {
        let body = merged(caller.transfer_body(&destination, amount).await, json!({ "nonce": nonce }));
        let made = caller.post("/v1/transfers", &body).await.ok();
        expected.push(json!({
            "transferId": made["transferId"], "quoteHistoryId": body["quoteHistoryId"], "nonce": nonce,
            "amount": amount, "createdAt": made["createdAt"],
        }));
    }
    let in_order = |rows: &[Value]| rows.iter().map(Value::to_string).collect::<Vec<_>>();
    assert_eq!(in_order(&folder.rows()), in_order(&expected));
    drop(caller);
    assert_eq!(folder.rows(), expected);
}

#[test]
fn files_that_are_no_databases_cannot_be_listed() {
    let folder = Folder::new("no-list");
    let [missing, empty, other] = ["missing.db", "empty.db", "other.db"].map(|name| folder.file(name));
    std::fs::write(&empty, "").unwrap();
    std::fs::write(&other, "not a database, but long enough to be read as one".repeat(100)).unwrap();
    for file in [&missing, &empty, &other] {
        let name = file.to_str().unwrap();
        let (code, lines, errors) = run(&["--list-transfers", "--db", name]);
        assert_eq!((code, lines.as_str()), (Some(1), ""), "{errors}");
        assert!(errors.contains(name), "{errors}");
    }
    assert!(!missing.exists() && std::fs::read(&empty).unwrap().is_empty());
    let (code, _, errors) = run(&["--list-transfers"]);
    assert!(code == Some(2) && errors.contains("--db"), "{errors}");
}

#[test]
fn a_file_of_another_version_is_refused() {
    let folder = Folder::new("versions");
    let old = rusqlite::Connection::open(folder.database()).unwrap();
    old.execute_batch("CREATE TABLE quotes (number INTEGER PRIMARY KEY, id TEXT, data TEXT)").unwrap();
    let (code, _, errors) = run(&["--db", &folder.database()]);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains(&folder.database()) && errors.contains("another version"), "{errors}");
}

/// Starts the program, and returns it with its first line.
fn start(arguments: &[&str]) -> (Child, Value) {
    let mut child = Command::new(PROGRAM)
        .args(["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (child, serde_json::from_str(&line).unwrap())
}

#[test]
fn an_orderly_stop_leaves_everything_in_the_file_alone() {
    let folder = Folder::new("alone");
    let (mut child, _) = start(&["--db", &folder.database()]);
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    let copy = folder.file("copy.db");
    std::fs::copy(folder.database(), &copy).unwrap();
    let senders = "SELECT count(*) FROM senders";
    let count: i64 =
        rusqlite::Connection::open(&copy).unwrap().query_row(senders, [], |row| row.get(0)).unwrap();
    assert_eq!(count, 4);
}

#[test]
fn a_file_serves_one_sandbox_at_a_time() {
    let folder = Folder::new("locked");
    let (mut child, _) = start(&["--db", &folder.database()]);
    let second = ["--port", "0", "--card-port", "0", "--db", &folder.database()];
    let (code, _, errors) = run(&second);
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("in use by another sandbox") && errors.contains(&folder.database()), "{errors}");
    assert!(folder.rows().is_empty(), "it can be listed meanwhile");
    child.kill().unwrap();
    child.wait().unwrap();
    let (mut child, _) = start(&["--db", &folder.database()]);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_program_listens_where_it_is_told_to_and_warns() {
    let mut child = Command::new(PROGRAM)
        .args(["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin", "--listen", "0.0.0.0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let announced: Value = serde_json::from_str(&line).unwrap();
    assert!(announced["baseUrl"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{line}");
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("other machines can reach 0.0.0.0"), "{warning}");
    let (code, _, errors) = run(&["--listen", "everywhere"]);
    assert!(code == Some(2) && errors.contains("--listen"), "{errors}");
    for wrong in [["--now", "noon"], ["--webhook", "https://a.example"]] {
        let (code, _, errors) = run(&[&wrong[..], &["--webhook-key", "k"]].concat());
        assert!(code == Some(2) && errors.contains(wrong[0]), "{errors}");
    }
}

#[tokio::test]
async fn a_killed_start_leaves_a_usable_file() {
    let folder = Folder::new("starts");
    for milliseconds in (0..40).step_by(4) {
        let arguments = ["--port", "0", "--card-port", "0", "--db", &folder.database()];
        let mut child = Command::new(PROGRAM).args(arguments).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let caller = TestSandbox::with(folder.config(1)).person().await;
    let destination = caller.destination(CASH).await;
    caller.transfer(&destination, 2_000).await.ok();
    assert_eq!(folder.rows().len(), 1);
}

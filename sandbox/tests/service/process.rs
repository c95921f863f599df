//! The program itself: how it starts, lists and stops.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::program::{Folder, Program, Row, shop};

#[test]
fn it_says_where_it_is_and_stops_with_its_parent() {
    let mut program = Program::start(&[]);
    assert_eq!(program.text("clientId"), "sandbox-client");
    assert_eq!(program.text("clientSecret"), "sandbox-secret");
    assert_eq!(program.text("senderId").len(), 36);
    assert!(program.text("baseUrl").starts_with("http://127.0.0.1:"));
    assert_ne!(program.text("baseUrl"), program.text("cardUrl"));
    let (status, corridors) = program.ask("GET", "/v1/corridors", &program.token(), &Value::Null).unwrap();
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

fn list(file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox"))
        .args(["--list-transfers", "--db"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn the_transfers_of_a_file_can_be_listed_while_it_is_in_use_and_afterwards() {
    let folder = Folder::new("list");
    let program = Program::start(&["--db", &folder.database(), "--seed", "5"]);
    assert_eq!(folder.rows(), []);
    let shop = shop(&program);
    let mut expected = Vec::new();
    for (amount, nonce) in [(2_000, Value::Null), (2_001, shop.nonce().unwrap())] {
        let mut body = shop.body(amount).unwrap();
        body["nonce"] = nonce.clone();
        let (status, made) = shop.post(&body).unwrap();
        assert_eq!(status, 200, "{made}");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        expected.push(Row {
            transfer_id: text(&made["transferId"]),
            quote_history_id: text(&body["quoteHistoryId"]),
            nonce: nonce.as_str().map(str::to_owned),
            amount: Some(amount),
            created_at: text(&made["createdAt"]),
        });
    }
    assert_eq!(folder.rows(), expected);
    let line = String::from_utf8(list(folder.database().as_ref()).stdout).unwrap();
    let names = ["transferId", "quoteHistoryId", "nonce", "amount", "createdAt"];
    let at = names.map(|name| line.find(&format!("\"{name}\":")).unwrap());
    assert!(at.is_sorted(), "{line}");
    drop(program);
    assert_eq!(folder.rows(), expected);
}

#[test]
fn a_file_that_has_no_transfers_table_cannot_be_listed() {
    let folder = Folder::new("no-list");
    let missing = folder.file("missing.db");
    let empty = folder.file("empty.db");
    let other = folder.file("other.db");
    std::fs::write(&empty, "").unwrap();
    std::fs::write(&other, "no database at all, but long enough to look at".repeat(100)).unwrap();
    for file in [&missing, &empty, &other] {
        let output = list(file);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{said}");
        assert!(said.contains(file.to_str().unwrap()), "{said}");
    }
    assert!(!missing.exists() && std::fs::read(&empty).unwrap().is_empty());
    let alone =
        Command::new(env!("CARGO_BIN_EXE_remitkit-sandbox")).arg("--list-transfers").output().unwrap();
    let said = String::from_utf8(alone.stderr).unwrap();
    assert!(alone.status.code() == Some(2) && said.contains("--db"), "{said}");
}

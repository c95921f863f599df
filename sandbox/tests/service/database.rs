//! The database file: a race for one nonce, killed starts, and `--list-transfers`. `tests/chaos` covers races
//! for one quote and kills at work.

use std::sync::Barrier;
use std::time::Duration;

use serde_json::Value;

use super::harness::text;
use super::program::{Folder, Row, Shop, run, spawn};

#[test]
fn simultaneous_posts_with_one_nonce_make_one_transfer() {
    const POSTS: usize = 32;
    let folder = Folder::new("nonce-races");
    let shop = Shop::start(&["--db", &folder.database(), "--seed", "5"]);
    let start = Barrier::new(POSTS);
    let first = shop.body(2_000);
    let post = || {
        let mut body = shop.body(2_000);
        body["nonce"] = first["nonce"].clone();
        start.wait();
        let answer = shop.post(&body);
        assert!(answer.status() == 200 || answer.contains("NonceAlreadyUsed"), "{answer:?}");
    };
    std::thread::scope(|scope| (0..POSTS).for_each(|_| drop(scope.spawn(post))));
    assert_eq!(folder.rows().len(), 1);
}

#[test]
fn the_transfers_of_a_file_can_be_listed_during_and_after_its_use() {
    let folder = Folder::new("list");
    let shop = Shop::start(&["--db", &folder.database(), "--seed", "5"]);
    assert_eq!(folder.rows(), []);
    let mut expected = Vec::new();
    for (amount, nonce) in [(2_000, Value::Null), (2_001, shop.nonce())] {
        let mut body = shop.body(amount);
        body["nonce"] = nonce.clone();
        let made = shop.ok("POST", "/v1/transfers", &body);
        expected.push(Row {
            transfer_id: text(&made, "transferId"),
            quote_history_id: text(&body, "quoteHistoryId"),
            nonce: nonce.as_str().map(str::to_owned),
            amount: Some(amount),
            created_at: text(&made, "createdAt"),
        });
    }
    assert_eq!(folder.rows(), expected);
    let (_, line, _) = run(&["--list-transfers", "--db", &folder.database()]);
    let names = ["transferId", "quoteHistoryId", "nonce", "amount", "createdAt"];
    let at = names.map(|name| line.find(&format!("\"{name}\":")).unwrap());
    assert!(at.is_sorted(), "{line}");
    drop(shop);
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

#[test]
fn a_killed_start_leaves_a_usable_file() {
    let folder = Folder::new("starts");
    let database = folder.database();
    for milliseconds in (0..40).step_by(4) {
        let mut child = spawn(&["--db", &database]);
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let shop = Shop::start(&["--db", &database]);
    assert_eq!(shop.post(&shop.body(2_000)).status(), 200);
    assert_eq!(folder.rows().len(), 1);
}

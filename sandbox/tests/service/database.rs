//! The database file: races for one quote or nonce, killed processes, and `--list-transfers`.

use std::collections::HashSet;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use serde_json::Value;

use super::harness::text;
use super::program::{Folder, Program, Row, Shop, run, spawn};

const POSTS: usize = 64;

/// Posts all bodies at the same time. Returns the identifiers of the transfers; all other posts must fail
/// with `code`.
fn race(shop: &Shop, bodies: &[Value], code: &str) -> Vec<String> {
    let start = Barrier::new(bodies.len());
    let post = |body| {
        start.wait();
        shop.ask("POST", "/v1/transfers", body).expect("the connection broke")
    };
    std::thread::scope(|scope| {
        let posts: Vec<_> = bodies.iter().map(|body| scope.spawn(move || post(body))).collect();
        let mut transfers = Vec::new();
        for (status, reply) in posts.into_iter().map(|post| post.join().unwrap()) {
            match status {
                200 => transfers.push(text(&reply, "transferId")),
                _ => assert_eq!((status, &reply[0]["code"]), (400, &Value::from(code))),
            }
        }
        transfers
    })
}

#[test]
fn simultaneous_posts_of_one_quote_make_one_transfer() {
    let folder = Folder::new("races");
    let program = Program::start(&["--db", &folder.database(), "--seed", "5"]);
    let shop = program.shop();
    let mut made = HashSet::new();
    // Without a nonce, with one, and with a nonce each.
    for nonces in [0, 1, POSTS, 0, 1, POSTS] {
        let nonces: Vec<Value> = (0..nonces).map(|_| shop.nonce().unwrap()).collect();
        let mut bodies = vec![shop.body(2_000).unwrap(); POSTS];
        for (body, nonce) in bodies.iter_mut().zip(nonces.iter().cycle()) {
            body["nonce"] = nonce.clone();
        }
        let transfers = race(&shop, &bodies, "TransferDuplicatedByQuote");
        assert_eq!(transfers.len(), 1);
        made.extend(transfers);
    }
    let rows = folder.rows();
    let recorded: HashSet<String> = rows.iter().map(|row| row.transfer_id.clone()).collect();
    assert_eq!((rows.len(), recorded), (6, made));
}

#[test]
fn simultaneous_posts_with_one_nonce_make_one_transfer() {
    let folder = Folder::new("nonce-races");
    let program = Program::start(&["--db", &folder.database(), "--seed", "5"]);
    let shop = program.shop();
    let nonce = shop.nonce().unwrap();
    let mut bodies: Vec<Value> = (0..POSTS).map(|_| shop.body(2_000).unwrap()).collect();
    bodies.iter_mut().for_each(|body| body["nonce"] = nonce.clone());
    assert_eq!(race(&shop, &bodies, "NonceAlreadyUsed").len(), 1);
    assert_eq!(folder.rows().len(), 1);
}

#[test]
fn the_transfers_of_a_file_can_be_listed_during_and_after_its_use() {
    let folder = Folder::new("list");
    let program = Program::start(&["--db", &folder.database(), "--seed", "5"]);
    assert_eq!(folder.rows(), []);
    let shop = program.shop();
    let mut expected = Vec::new();
    for (amount, nonce) in [(2_000, Value::Null), (2_001, shop.nonce().unwrap())] {
        let mut body = shop.body(amount).unwrap();
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
    drop(program);
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

/// A random generator. Its seed is printed; `REMITKIT_SEED` repeats one.
fn random() -> ChaCha12Rng {
    let given = std::env::var("REMITKIT_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| ChaCha12Rng::from_os_rng().next_u64());
    println!("REMITKIT_SEED={seed}");
    ChaCha12Rng::seed_from_u64(seed)
}

fn sleep_up_to(random: &mut ChaCha12Rng, milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(random.next_u64() % milliseconds));
}

const ROUNDS: usize = 5;
const CALLERS: usize = 16;

/// The posts of all rounds.
#[derive(Default)]
struct Posts {
    /// Each transfer has an amount of its own.
    amount: AtomicI64,
    /// Quote, nonce, amount and identifier of each acknowledged transfer.
    acknowledged: Mutex<Vec<(Value, Value, Value, Value)>>,
    /// How many transfers were made without an acknowledgement.
    found: AtomicUsize,
    /// The bodies without an answer.
    in_doubt: Mutex<Vec<Value>>,
}

impl Posts {
    fn count_acknowledged(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    fn acknowledge(&self, body: &Value, made: &Value) {
        let [quote, nonce, amount] = ["quoteHistoryId", "nonce", "amount"].map(|name| body[name].clone());
        self.acknowledged.lock().unwrap().push((quote, nonce, amount, made["transferId"].clone()));
    }

    /// Sends transfers until the program is gone.
    fn send(&self, shop: &Shop) -> Option<()> {
        loop {
            let body = shop.body_with_nonce(2_000 + self.amount.fetch_add(1, Ordering::Relaxed))?;
            match shop.ask("POST", "/v1/transfers", &body) {
                Some((200, made)) => self.acknowledge(&body, &made),
                Some((status, reply)) => panic!("{status} {reply}"),
                None => {
                    self.in_doubt.lock().unwrap().push(body);
                    return None;
                }
            }
        }
    }

    /// Asserts that the file has all acknowledged transfers. Returns the quotes of the file.
    fn check(&self, folder: &Folder) -> HashSet<String> {
        let before = self.count_acknowledged();
        let rows = folder.rows();
        let quotes: HashSet<String> = rows.iter().map(|row| row.quote_history_id.clone()).collect();
        assert_eq!(quotes.len(), rows.len(), "a quote has two transfers");
        let rows = rows.into_iter().map(|row| {
            let (nonce, amount) = (Value::from(row.nonce), Value::from(row.amount));
            (Value::from(row.quote_history_id), nonce, amount, Value::from(row.transfer_id))
        });
        let rows: HashSet<_> = rows.collect();
        for acknowledged in self.acknowledged.lock().unwrap().iter().take(before) {
            assert!(rows.contains(acknowledged), "lost {acknowledged:?}");
        }
        quotes
    }

    /// Posts again what has no answer: it is a duplicate if and only if the file has it.
    fn settle(&self, shop: &Shop, recorded: &HashSet<String>) {
        for body in self.in_doubt.lock().unwrap().drain(..) {
            let made = recorded.contains(body["quoteHistoryId"].as_str().unwrap());
            assert_eq!(shop.progress(&body), if made { "Created" } else { "NotInProgress" });
            if made {
                self.found.fetch_add(1, Ordering::Relaxed);
                assert!(shop.post(&body).contains("TransferDuplicatedByQuote"));
            } else {
                self.acknowledge(&body, &shop.ok("POST", "/v1/transfers", &body));
            }
        }
    }
}

#[test]
fn acknowledged_transfers_survive_kills() {
    let mut random = random();
    let folder = Folder::new("kills");
    let database = folder.database();
    // The same seed each time: a later start must not repeat earlier identifiers.
    let arguments = ["--db", &database, "--seed", "5"];
    let mut program = Program::start(&arguments);
    let [port, card_port] = program.ports();
    // Token and recipient are from before the first kill.
    let (shop, posts) = (program.shop(), Posts::default());
    for _ in 0..ROUNDS {
        let before = posts.count_acknowledged();
        std::thread::scope(|scope| {
            // Moved in, so that a failed assertion ends the program, and with it the callers.
            let mut program = program;
            for _ in 0..CALLERS {
                scope.spawn(|| posts.send(&shop));
            }
            let began = Instant::now();
            while posts.count_acknowledged() < before + CALLERS && began.elapsed().as_secs() < 20 {
                std::thread::sleep(Duration::from_millis(2));
            }
            posts.check(&folder);
            sleep_up_to(&mut random, 100);
            program.kill();
        });
        // Before another program repairs the file.
        let recorded = posts.check(&folder);
        program = Program::start_on([&port, &card_port], &arguments);
        posts.settle(&shop, &recorded);
    }
    let recorded = posts.check(&folder);
    assert_eq!(recorded.len(), posts.count_acknowledged() + posts.found.into_inner());
    assert!(recorded.len() > ROUNDS * CALLERS);
}

#[test]
fn a_killed_start_leaves_a_usable_file() {
    let mut random = random();
    let folder = Folder::new("starts");
    let database = folder.database();
    for _ in 0..12 {
        let mut child = spawn(&["--port", "0", "--card-port", "0", "--db", &database]);
        sleep_up_to(&mut random, 40);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let program = Program::start(&["--db", &database]);
    let shop = program.shop();
    assert_eq!(shop.post(&shop.body(2_000).unwrap()).status(), 200);
    assert_eq!(folder.rows().len(), 1);
}

#[test]
fn tokens_nonces_and_quotes_stay_valid_after_a_kill() {
    let folder = Folder::new("handed-out");
    let database = folder.database();
    let arguments = ["--db", &database, "--seed", "5"];
    let mut program = Program::start(&arguments);
    let [port, card_port] = program.ports();
    let shop = program.shop();
    let (mut body, mut other) = (shop.body(2_000).unwrap(), shop.body(2_001).unwrap());
    let nonce = shop.nonce().unwrap();
    program.kill();

    program = Program::start_on([&port, &card_port], &arguments);
    body["nonce"] = nonce.clone();
    assert_eq!(shop.progress(&body), "NotInProgress");
    assert_eq!(shop.post(&body).status(), 200);
    program.kill();

    // Another seed changes new identifiers only.
    let _program = Program::start_on([&port, &card_port], &["--db", &database, "--seed", "6"]);
    assert_eq!(shop.progress(&body), "Created");
    assert!(shop.post(&body).contains("TransferDuplicatedByQuote"));
    other["nonce"] = nonce;
    assert!(shop.post(&other).contains("NonceAlreadyUsed"));
    other["nonce"] = shop.nonce().unwrap();
    assert_eq!(shop.post(&other).status(), 200);
}

//! What a database file has after the program was killed, and what holds that was handed out before.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::RngCore;
use serde_json::Value;

use super::program::{Folder, Program, Shop, chance, shop, spawn};

const ROUNDS: usize = 5;
const CALLERS: usize = 16;

fn milliseconds(chance: &mut ChaCha12Rng, from: u64, to: u64) -> Duration {
    Duration::from_millis(from + chance.next_u64() % (to - from))
}

/// What became of the posts of all rounds.
#[derive(Default)]
struct Sent {
    /// Each transfer has an amount of its own.
    amount: AtomicI64,
    /// Quote, nonce, amount and identifier of what was answered by success.
    acknowledged: Mutex<Vec<(Value, Value, Value, Value)>>,
    /// How many were made although nobody was answered.
    found: AtomicUsize,
    /// The bodies that nobody answered.
    in_doubt: Mutex<Vec<Value>>,
}

impl Sent {
    fn acknowledged(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    fn acknowledge(&self, body: &Value, made: &Value) {
        let entry = (
            body["quoteHistoryId"].clone(),
            body["nonce"].clone(),
            body["amount"].clone(),
            made["transferId"].clone(),
        );
        self.acknowledged.lock().unwrap().push(entry);
    }

    /// Sends transfers until the program is gone.
    fn send(&self, shop: &Shop) -> Option<()> {
        loop {
            let mut body = shop.body(2_000 + self.amount.fetch_add(1, Ordering::Relaxed))?;
            body["nonce"] = shop.nonce()?;
            match shop.post(&body) {
                Some((200, made)) => self.acknowledge(&body, &made),
                Some((status, reply)) => panic!("{status} {reply}"),
                None => {
                    self.in_doubt.lock().unwrap().push(body);
                    return None;
                }
            }
        }
    }

    /// Holds what was answered against what the file has.
    fn check(&self, folder: &Folder) -> HashSet<String> {
        let before = self.acknowledged();
        let rows = folder.rows();
        let quotes: HashSet<String> = rows.iter().map(|row| row.quote_history_id.clone()).collect();
        assert_eq!(quotes.len(), rows.len(), "a quote has two transfers");
        let rows: HashSet<_> = rows
            .into_iter()
            .map(|row| {
                let amount = row.amount.map_or(Value::Null, Value::from);
                let nonce = row.nonce.map_or(Value::Null, Value::from);
                (Value::from(row.quote_history_id), nonce, amount, Value::from(row.transfer_id))
            })
            .collect();
        for acknowledged in self.acknowledged.lock().unwrap().iter().take(before) {
            assert!(rows.contains(acknowledged), "lost {acknowledged:?}");
        }
        quotes
    }

    /// Sends again what nobody answered. It is made now unless it was made before the kill.
    fn settle(&self, shop: &Shop, recorded: &HashSet<String>) {
        for body in self.in_doubt.lock().unwrap().drain(..) {
            let made = recorded.contains(body["quoteHistoryId"].as_str().unwrap());
            assert_eq!(shop.progress(&body), if made { "Created" } else { "NotInProgress" });
            let (status, reply) = shop.post(&body).unwrap();
            if made {
                self.found.fetch_add(1, Ordering::Relaxed);
                assert_eq!((status, &reply[0]["code"]), (400, &Value::from("TransferDuplicatedByQuote")));
            } else {
                assert_eq!(status, 200, "{reply}");
                self.acknowledge(&body, &reply);
            }
        }
    }
}

#[test]
fn what_was_acknowledged_survives_kills() {
    let mut chance = chance();
    let folder = Folder::new("kills");
    let database = folder.database();
    // The same seed each time: a later start must not repeat an earlier one's identifiers.
    let arguments = ["--db", &database, "--seed", "5"];
    let mut program = Program::start(&arguments);
    let ports = program.ports();
    let ports = [ports[0].as_str(), ports[1].as_str()];
    // Token and recipient are those of before the first kill.
    let (shop, sent) = (shop(&program), Sent::default());
    for _ in 0..ROUNDS {
        let before = sent.acknowledged();
        std::thread::scope(|scope| {
            // Gone with this closure even if that fails: the callers go on until then.
            let mut program = program;
            for _ in 0..CALLERS {
                scope.spawn(|| sent.send(&shop));
            }
            let began = Instant::now();
            while sent.acknowledged() < before + CALLERS && began.elapsed().as_secs() < 20 {
                std::thread::sleep(Duration::from_millis(2));
            }
            // Also in the middle of everything.
            sent.check(&folder);
            std::thread::sleep(milliseconds(&mut chance, 0, 100));
            program.kill();
        });
        // Straight from what the dead program left, before another one tidies up.
        let recorded = sent.check(&folder);
        program = Program::start_on(ports, &arguments);
        sent.settle(&shop, &recorded);
    }
    let recorded = sent.check(&folder);
    assert_eq!(recorded.len(), sent.acknowledged() + sent.found.into_inner());
    assert!(recorded.len() > ROUNDS * CALLERS);
}

#[test]
fn a_start_that_was_killed_leaves_a_file_that_starts() {
    let mut chance = chance();
    let folder = Folder::new("starts");
    let database = folder.database();
    let arguments = ["--port", "0", "--card-port", "0", "--db", &database];
    for _ in 0..12 {
        let mut child = spawn(&arguments);
        std::thread::sleep(milliseconds(&mut chance, 0, 40));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let program = Program::start(&["--db", &database]);
    let shop = shop(&program);
    assert_eq!(shop.post(&shop.body(2_000).unwrap()).unwrap().0, 200);
    assert_eq!(folder.rows().len(), 1);
}

#[test]
fn what_was_handed_out_before_a_kill_still_holds() {
    let folder = Folder::new("handed-out");
    let database = folder.database();
    let arguments = ["--db", &database, "--seed", "5"];
    let mut program = Program::start(&arguments);
    let ports = program.ports();
    let shop = shop(&program);
    let (mut body, mut other) = (shop.body(2_000).unwrap(), shop.body(2_001).unwrap());
    let nonce = shop.nonce().unwrap();
    program.kill();

    program = Program::start_on([&ports[0], &ports[1]], &arguments);
    body["nonce"] = nonce.clone();
    assert_eq!(shop.progress(&body), "NotInProgress");
    let (status, made) = shop.post(&body).unwrap();
    assert_eq!(status, 200, "{made}");
    program.kill();

    // A seed is for what is new.
    let _program = Program::start_on([&ports[0], &ports[1]], &["--db", &database, "--seed", "6"]);
    let refused = |body: &Value, code: &str| {
        let (status, reply) = shop.post(body).unwrap();
        assert_eq!((status, &reply[0]["code"]), (400, &Value::from(code)));
    };
    assert_eq!(shop.progress(&body), "Created");
    refused(&body, "TransferDuplicatedByQuote");
    other["nonce"] = nonce;
    refused(&other, "NonceAlreadyUsed");
    other["nonce"] = shop.nonce().unwrap();
    assert_eq!(shop.post(&other).unwrap().0, 200);
}

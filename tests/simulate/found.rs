//! Histories in which something was found, each as `cargo xtask simulate` has printed it.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod engine;

use engine::history::Act::*;
use engine::history::Disk::*;
use engine::history::Net::*;
use engine::history::Op::*;
use engine::history::Target::*;
use engine::history::What::*;
use engine::history::{Act, Fault, History, Intent, Page, Source, Step};
use engine::{Finding, Theatre};

fn findings(history: &History) -> Vec<Finding> {
    Theatre::open().run(history, None)
}

fn page(customer: u8) -> Page {
    Page { journal: 0, locks: 0, customer, tells_sender: false }
}

fn intent(customer: u8, recipient: u8) -> Intent {
    Intent { customer, recipient, quote_of: None, hold: false }
}

fn step(at_ms: u64, page: u8, act: Act) -> Step {
    Step { at_ms, page, act }
}

#[test]
fn another_customer_in_the_same_tab_leaves_an_open_attempt_alone() {
    let history = History {
        seed: 66,
        pages: vec![page(0)],
        intents: vec![intent(0, 1)],
        steps: vec![
            step(0, 0, Pay { intent: 0, abort: None }),
            step(153, 0, Reload { customer: 3 }),
            step(153, 0, Resume { abort: None }),
            step(9_000, 0, Reload { customer: 0 }),
            step(9_100, 0, Pay { intent: 0, abort: None }),
        ],
        faults: vec![],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_refusal_that_follows_a_commit_is_asked_about() {
    let history = History {
        seed: 347,
        pages: vec![page(1)],
        intents: vec![intent(1, 1)],
        steps: vec![step(0, 0, Pay { intent: 0, abort: None }), step(510, 0, Pay { intent: 0, abort: None })],
        faults: vec![Fault {
            page: 0,
            nth: 0,
            what: Net(
                Transfer,
                Answer { status: 400, code: "QuoteAmountChanged", commit: true, retry_after_s: None },
            ),
        }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_failure_is_not_believed_while_a_copy_is_under_way() {
    let history = History {
        seed: 2319,
        pages: vec![page(0)],
        intents: vec![intent(0, 1)],
        steps: vec![step(0, 0, Pay { intent: 0, abort: None })],
        faults: vec![
            Fault { page: 0, nth: 1, what: Net(Transfer, ProviderFails) },
            Fault { page: 0, nth: 0, what: Net(Transfer, Late { ms: 1700, told: true }) },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_transfer_that_nobody_waits_for_is_not_forgotten() {
    let history = History {
        seed: 1121,
        pages: vec![page(2), page(2)],
        intents: vec![intent(2, 1)],
        steps: vec![
            step(0, 1, Pay { intent: 0, abort: Some(3) }),
            step(8_000, 0, Pay { intent: 0, abort: None }),
        ],
        faults: vec![Fault { page: 1, nth: 0, what: Net(Transfer, Late { ms: 500, told: true }) }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn an_account_is_not_created_again_after_a_401() {
    let history = History {
        seed: 1786,
        pages: vec![page(2)],
        intents: vec![intent(2, 0)],
        steps: vec![step(0, 0, CreateAccount { abort: None })],
        faults: vec![Fault {
            page: 0,
            nth: 0,
            what: Net(
                Create,
                Answer { status: 401, code: "Unauthorized", commit: true, retry_after_s: None },
            ),
        }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_journal_that_hangs_holds_no_call_up_for_good() {
    let hung = |op| {
        let history = History {
            seed: 7,
            pages: vec![page(0)],
            intents: vec![intent(0, 0)],
            steps: vec![step(0, 0, Pay { intent: 0, abort: None })],
            faults: (0..3).map(|nth| Fault { page: 0, nth, what: Disk(op, Hangs) }).collect(),
        };
        assert_eq!(findings(&history), [], "{op:?}");
    };
    [Keys, Load, Save, Remove].into_iter().for_each(hung);
}

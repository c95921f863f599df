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
use engine::history::Source::*;
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

#[test]
fn nothing_is_paid_beside_what_cannot_be_told_apart() {
    let history = History {
        seed: 20033597,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
            Page { journal: 0, locks: 0, customer: 1, tells_sender: true },
        ],
        intents: vec![Intent { customer: 1, recipient: 1, quote_of: None, hold: false }],
        steps: vec![
            Step { at_ms: 0, page: 2, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 4, page: 2, act: Die { awaits: 18 } },
            Step { at_ms: 343, page: 0, act: Pay { intent: 0, abort: None } },
        ],
        faults: vec![
            Fault {
                page: 0,
                nth: 0,
                what: Net(
                    Other,
                    Answer { status: 400, code: "RecipientNotFound", commit: false, retry_after_s: None },
                ),
            },
            Fault {
                page: 0,
                nth: 1,
                what: Net(
                    Other,
                    Answer { status: 400, code: "RecipientNotFound", commit: false, retry_after_s: None },
                ),
            },
            Fault {
                page: 0,
                nth: 2,
                what: Net(
                    Other,
                    Answer { status: 400, code: "RecipientNotFound", commit: false, retry_after_s: None },
                ),
            },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_quote_that_ends_while_the_journal_writes_is_not_posted() {
    let history = History {
        seed: 20094266,
        pages: vec![Page { journal: 0, locks: 0, customer: 0, tells_sender: false }],
        intents: vec![Intent { customer: 0, recipient: 1, quote_of: None, hold: false }],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Prepare { intent: 0 } },
            Step { at_ms: 894000, page: 0, act: Pay { intent: 0, abort: None } },
        ],
        faults: vec![Fault { page: 0, nth: 1, what: Disk(Save, Lags { ms: 14000, effect_first: false }) }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn what_another_tab_made_with_the_quote_is_found() {
    let history = History {
        seed: 20126212,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 3, tells_sender: false },
            Page { journal: 0, locks: 1, customer: 3, tells_sender: false },
        ],
        intents: vec![
            Intent { customer: 3, recipient: 0, quote_of: None, hold: false },
            Intent { customer: 3, recipient: 1, quote_of: Some(0), hold: false },
        ],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Prepare { intent: 0 } },
            Step { at_ms: 305, page: 1, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 7305, page: 1, act: Pay { intent: 1, abort: None } },
            Step { at_ms: 7438, page: 0, act: Submit { intent: 0, abort: None } },
        ],
        faults: vec![],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn what_another_tab_sends_next_is_its_own_word() {
    let history = History {
        seed: 20279803,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
        ],
        intents: vec![Intent { customer: 1, recipient: 1, quote_of: None, hold: false }],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 0, page: 1, act: CreateRecipient { abort: None } },
            Step { at_ms: 286, page: 1, act: Resume { abort: None } },
        ],
        faults: vec![Fault { page: 0, nth: 1, what: Disk(Save, Hangs) }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn an_attempt_whose_owner_could_not_be_told_is_found_again() {
    let history = History {
        seed: 20092934,
        pages: vec![Page { journal: 0, locks: 0, customer: 1, tells_sender: false }],
        intents: vec![
            Intent { customer: 1, recipient: 1, quote_of: None, hold: false },
            Intent { customer: 1, recipient: 0, quote_of: None, hold: false },
        ],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 3955000, page: 0, act: Pay { intent: 1, abort: None } },
        ],
        faults: vec![
            Fault {
                page: 0,
                nth: 1,
                what: Net(Transfer, Answer { status: 401, code: "", commit: true, retry_after_s: None }),
            },
            Fault { page: 0, nth: 0, what: Net(Other, LoseRequest) },
            Fault {
                page: 0,
                nth: 2,
                what: Net(Other, Answer { status: 400, code: "", commit: false, retry_after_s: None }),
            },
            Fault {
                page: 0,
                nth: 3,
                what: Net(Other, Answer { status: 400, code: "", commit: false, retry_after_s: None }),
            },
            Fault {
                page: 0,
                nth: 4,
                what: Net(Other, Answer { status: 400, code: "", commit: false, retry_after_s: None }),
            },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_late_removal_leaves_the_next_attempt_alone() {
    let history = History {
        seed: 20911960,
        pages: vec![Page { journal: 0, locks: 0, customer: 1, tells_sender: false }],
        intents: vec![
            Intent { customer: 1, recipient: 0, quote_of: None, hold: false },
            Intent { customer: 1, recipient: 1, quote_of: Some(0), hold: false },
        ],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 485, page: 0, act: Resume { abort: None } },
            Step { at_ms: 8485, page: 0, act: Prepare { intent: 1 } },
        ],
        faults: vec![Fault { page: 0, nth: 0, what: Disk(Remove, Lags { ms: 6000, effect_first: false }) }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn tabs_without_common_locks_may_prepare_over_one_another() {
    let history = History {
        seed: 20355124,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 0, tells_sender: false },
            Page { journal: 0, locks: 1, customer: 0, tells_sender: false },
        ],
        intents: vec![
            Intent { customer: 0, recipient: 0, quote_of: None, hold: false },
            Intent { customer: 0, recipient: 1, quote_of: Some(0), hold: false },
        ],
        steps: vec![
            Step { at_ms: 0, page: 1, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 60, page: 0, act: Prepare { intent: 1 } },
        ],
        faults: vec![Fault { page: 1, nth: 0, what: Disk(Save, Lags { ms: 150, effect_first: false }) }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_gateways_404_deletes_nothing() {
    let history = History {
        seed: 20323572,
        pages: vec![Page { journal: 0, locks: 0, customer: 0, tells_sender: false }],
        intents: vec![Intent { customer: 0, recipient: 1, quote_of: None, hold: false }],
        steps: vec![Step { at_ms: 0, page: 0, act: DeleteAccount { recipient: 1, abort: None } }],
        faults: vec![
            Fault { page: 0, nth: 0, what: Source(Ended) },
            Fault {
                page: 0,
                nth: 1,
                what: Net(Delete, Answer { status: 404, code: "", commit: false, retry_after_s: None }),
            },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn what_has_grown_stale_was_never_sent() {
    let history = History {
        seed: 20096230,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
        ],
        intents: vec![Intent { customer: 1, recipient: 1, quote_of: None, hold: false }],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Prepare { intent: 0 } },
            Step { at_ms: 0, page: 1, act: CreateRecipient { abort: None } },
            Step { at_ms: 122454000, page: 0, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 122454081, page: 0, act: Pay { intent: 0, abort: None } },
        ],
        faults: vec![
            Fault { page: 0, nth: 0, what: Net(Progress, LoseRequest) },
            Fault { page: 0, nth: 1, what: Net(Progress, LoseRequest) },
            Fault { page: 0, nth: 2, what: Net(Progress, LoseRequest) },
            Fault { page: 0, nth: 3, what: Net(Progress, LoseRequest) },
            Fault { page: 0, nth: 4, what: Net(Progress, LoseRequest) },
            Fault { page: 0, nth: 5, what: Net(Progress, LoseRequest) },
            Fault { page: 0, nth: 6, what: Net(Progress, LoseRequest) },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn tabs_without_common_locks_have_each_their_own_word() {
    let history = History {
        seed: 77071942,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 1, tells_sender: true },
            Page { journal: 0, locks: 1, customer: 1, tells_sender: false },
        ],
        intents: vec![Intent { customer: 1, recipient: 0, quote_of: None, hold: false }],
        steps: vec![
            Step { at_ms: 0, page: 1, act: Pay { intent: 0, abort: None } },
            Step { at_ms: 265, page: 0, act: Resume { abort: None } },
        ],
        faults: vec![Fault {
            page: 1,
            nth: 0,
            what: Net(
                Transfer,
                Answer { status: 400, code: "QuoteAmountChanged", commit: false, retry_after_s: None },
            ),
        }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn what_this_page_has_dropped_is_known_to_have_ended() {
    let history = History {
        seed: 77042385,
        pages: vec![Page { journal: 0, locks: 0, customer: 2, tells_sender: false }],
        intents: vec![
            Intent { customer: 2, recipient: 0, quote_of: None, hold: false },
            Intent { customer: 2, recipient: 1, quote_of: Some(0), hold: false },
        ],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Prepare { intent: 0 } },
            Step { at_ms: 476, page: 0, act: Discard { intent: 0 } },
            Step { at_ms: 476, page: 0, act: Pay { intent: 1, abort: None } },
            Step { at_ms: 579, page: 0, act: Submit { intent: 0, abort: None } },
        ],
        faults: vec![
            Fault { page: 0, nth: 0, what: Net(Transfer, LoseRequest) },
            Fault { page: 0, nth: 0, what: Net(Progress, Slow { ms: 11000 }) },
            Fault { page: 0, nth: 1, what: Net(Progress, Slow { ms: 11000 }) },
            Fault { page: 0, nth: 2, what: Net(Progress, Slow { ms: 11000 }) },
            Fault { page: 0, nth: 3, what: Net(Progress, Slow { ms: 11000 }) },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn what_another_tab_sent_while_the_list_was_read_is_looked_for_again() {
    let history = History {
        seed: 20814211,
        pages: vec![page(1), page(1)],
        intents: vec![intent(1, 0), intent(1, 0)],
        steps: vec![
            step(0, 1, Pay { intent: 1, abort: None }),
            step(0, 0, Pay { intent: 1, abort: Some(9) }),
        ],
        faults: vec![
            Fault { page: 1, nth: 0, what: Disk(Keys, Lags { ms: 1000, effect_first: true }) },
            Fault { page: 0, nth: 0, what: Net(Progress, LoseRequest) },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn an_account_is_not_gone_because_its_recipient_is_said_to_be() {
    let history = History {
        seed: 40275909,
        pages: vec![Page { journal: 0, locks: 0, customer: 3, tells_sender: false }],
        intents: vec![Intent { customer: 3, recipient: 0, quote_of: None, hold: false }],
        steps: vec![Step { at_ms: 0, page: 0, act: DeleteAccount { recipient: 0, abort: None } }],
        faults: vec![
            Fault { page: 0, nth: 0, what: Net(Delete, LoseRequest) },
            Fault {
                page: 0,
                nth: 1,
                what: Net(
                    Delete,
                    Answer { status: 400, code: "RecipientNotFound", commit: false, retry_after_s: None },
                ),
            },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn an_attempt_that_ends_leaves_the_next_one_with_its_quote_alone() {
    let history = History {
        seed: 40907216,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 1, tells_sender: true },
            Page { journal: 0, locks: 1, customer: 1, tells_sender: false },
        ],
        intents: vec![
            Intent { customer: 1, recipient: 0, quote_of: None, hold: false },
            Intent { customer: 1, recipient: 1, quote_of: Some(0), hold: false },
        ],
        steps: vec![
            Step { at_ms: 0, page: 1, act: Prepare { intent: 0 } },
            Step { at_ms: 281, page: 1, act: Resume { abort: None } },
            Step { at_ms: 7281, page: 0, act: Pay { intent: 1, abort: None } },
            Step { at_ms: 7393, page: 1, act: Resume { abort: None } },
            Step { at_ms: 7503, page: 1, act: Prepare { intent: 1 } },
        ],
        faults: vec![],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn an_attempt_that_the_journal_does_not_show_may_have_been_sent_by_another_page() {
    let history = History {
        seed: 50218401,
        pages: vec![
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
            Page { journal: 0, locks: 0, customer: 1, tells_sender: false },
        ],
        intents: vec![Intent { customer: 1, recipient: 0, quote_of: None, hold: false }],
        steps: vec![
            Step { at_ms: 0, page: 0, act: Prepare { intent: 0 } },
            Step { at_ms: 231, page: 1, act: Resume { abort: None } },
            Step { at_ms: 361, page: 0, act: Submit { intent: 0, abort: None } },
        ],
        faults: vec![Fault { page: 0, nth: 2, what: Disk(Load, Fails) }],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn a_services_false_word_that_a_recipient_is_gone_cannot_be_told_from_a_true_one() {
    let history = History {
        seed: 60591929,
        pages: vec![page(1)],
        intents: vec![intent(1, 0)],
        steps: vec![step(0, 0, DeleteRecipient { recipient: 1, abort: None })],
        faults: vec![
            Fault { page: 0, nth: 0, what: Net(Delete, LoseRequest) },
            Fault {
                page: 0,
                nth: 1,
                what: Net(
                    Delete,
                    Answer { status: 400, code: "RecipientNotFound", commit: false, retry_after_s: None },
                ),
            },
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn an_attempt_that_another_tab_keeps_as_sent_is_not_noted_as_unsent() {
    let lost = |nth| Fault { page: 1, nth, what: Net(Progress, LoseRequest) };
    let history = History {
        seed: 60824767,
        pages: vec![page(2), Page { locks: 1, ..page(2) }],
        intents: vec![intent(2, 0)],
        steps: vec![step(0, 0, Pay { intent: 0, abort: None }), step(367, 1, Resume { abort: None })],
        faults: vec![
            Fault { page: 0, nth: 1, what: Disk(Save, Hangs) },
            Fault { page: 1, nth: 0, what: Net(Transfer, LoseAnswer) },
            lost(0),
            lost(1),
            lost(2),
            lost(3),
            lost(4),
            lost(5),
        ],
    };
    assert_eq!(findings(&history), []);
}

#[test]
fn what_one_tab_still_sends_has_not_ended_because_another_tab_was_told_so() {
    let history = |again_ms| History {
        seed: 60547217,
        pages: vec![page(0), Page { locks: 1, ..page(0) }],
        intents: vec![intent(0, 1)],
        steps: vec![
            step(0, 0, Pay { intent: 0, abort: None }),
            step(0, 1, Prepare { intent: 0 }),
            step(362, 1, Resume { abort: None }),
            step(again_ms, 0, Resume { abort: None }),
        ],
        faults: vec![
            Fault { page: 1, nth: 0, what: Net(Transfer, ProviderFails) },
            Fault { page: 0, nth: 1, what: Disk(Save, Lags { ms: 300, effect_first: false }) },
        ],
    };
    // While the tab is at it, and once it was told.
    assert_eq!(findings(&history(473)), []);
    assert_eq!(findings(&history(550)), []);
}

#[test]
fn a_tab_repeats_what_it_was_told_while_a_tab_without_common_locks_made_it() {
    let history = |at_ms| History {
        seed: 70850858,
        pages: vec![page(1), Page { locks: 1, ..page(1) }],
        intents: vec![intent(1, 1), intent(1, 1)],
        steps: vec![
            step(0, 0, Pay { intent: 1, abort: None }),
            step(at_ms, 1, Resume { abort: None }),
            step(7196, 0, Submit { intent: 1, abort: None }),
        ],
        faults: vec![Fault {
            page: 0,
            nth: 0,
            what: Net(
                Transfer,
                Answer {
                    status: 400,
                    code: "Max24HourTransferCountLimitReached",
                    commit: false,
                    retry_after_s: None,
                },
            ),
        }],
    };
    // Sent before that tab was told, and a moment after.
    assert_eq!(findings(&history(196)), []);
    assert_eq!(findings(&history(215)), []);
}

#[test]
fn a_gateways_word_on_a_hold_may_come_after_it_has_ended() {
    let history = History {
        seed: 80009315,
        pages: vec![page(3)],
        intents: vec![Intent { hold: true, ..intent(3, 1) }],
        steps: vec![
            step(0, 0, Pay { intent: 0, abort: None }),
            step(324, 0, Release { intent: 0, abort: None }),
        ],
        faults: vec![Fault {
            page: 0,
            nth: 0,
            what: Net(Hold, Answer { status: 409, code: "", commit: true, retry_after_s: None }),
        }],
    };
    assert_eq!(findings(&history), []);
}

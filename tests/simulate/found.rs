//! Histories that once broke a rule, as `cargo xtask simulate` shrank and printed them.
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

use engine::Simulator;
use engine::history::Action::*;
use engine::history::FaultKind::*;
use engine::history::JournalFault::*;
use engine::history::JournalOp::*;
use engine::history::NetFault::*;
use engine::history::Target::*;
use engine::history::TokenFault::*;
use engine::history::{Action, Fault, FaultKind, History, Intent, NetFault, Page, Step, Version, Worker};
use engine::world::{Attempt, Call, CallKind, CallResult};

fn history(seed: u64, pages: &[Page], intents: &[Intent]) -> History {
    let (pages, intents) = (pages.to_vec(), intents.to_vec());
    History { seed, pages, intents, steps: Vec::new(), faults: Vec::new() }
}

impl History {
    fn step(self, at_ms: u64, page: u8, action: Action) -> Self {
        self.step_of(at_ms, page, action, 0)
    }

    /// A step of another intent than the first.
    fn step_of(mut self, at_ms: u64, page: u8, action: Action, intent: u8) -> Self {
        self.steps.push(Step { at_ms, page, action, intent, abort: None });
        self
    }

    /// Aborts the last step after this many milliseconds.
    fn aborted(mut self, after_ms: u32) -> Self {
        self.steps.last_mut().unwrap().abort = Some(after_ms);
        self
    }

    fn fault(mut self, page: u8, nth: u8, kind: FaultKind) -> Self {
        self.faults.push(Fault { page, nth, kind });
        self
    }

    /// The same fault at the first operations of its kind.
    fn faults(self, page: u8, count: u8, kind: FaultKind) -> Self {
        (0..count).fold(self, |history, nth| history.fault(page, nth, kind))
    }

    #[track_caller]
    fn assert_clean(self) {
        assert_eq!(Simulator::open().run(&self), [], "{self:?}");
    }
}

/// A page of a customer; all share one journal and the locks.
fn page(customer: u8) -> Page {
    Page { customer, ..Page::default() }
}

/// A page with the same journal, but without the locks of the others.
fn unlocked(customer: u8) -> Page {
    Page { locks: 1, ..page(customer) }
}

fn knowing(page: Page) -> Page {
    Page { knows_sender: true, ..page }
}

fn intent(customer: u8, recipient: u8) -> Intent {
    Intent { customer, recipient, quote_of: None, hold: false, is_named: false }
}

/// An intent that uses the quote of the first one.
fn with_its_quote(customer: u8, recipient: u8) -> Intent {
    Intent { quote_of: Some(0), ..intent(customer, recipient) }
}

fn refused(status: u16, code: &'static str) -> NetFault {
    Answer { status, code, commit: false, retry_after_s: None }
}

fn refused_after_commit(status: u16, code: &'static str) -> NetFault {
    Answer { status, code, commit: true, retry_after_s: None }
}

#[test]
fn another_customer_in_the_tab_leaves_an_open_attempt_alone() {
    history(66, &[page(0)], &[intent(0, 1)])
        .step(0, 0, Pay)
        .step(153, 0, Reload { customer: 3 })
        .step(153, 0, Resume)
        .step(9_000, 0, Reload { customer: 0 })
        .step(9_100, 0, Pay)
        .assert_clean();
}

#[test]
fn a_refusal_after_the_commit_is_not_believed() {
    history(347, &[page(1)], &[intent(1, 1)])
        .step(0, 0, Pay)
        .step(510, 0, Pay)
        .fault(0, 0, Net(Transfer, refused_after_commit(400, "QuoteAmountChanged")))
        .assert_clean();
}

#[test]
fn a_failure_is_not_believed_while_a_copy_is_in_flight() {
    history(2319, &[page(0)], &[intent(0, 1)])
        .step(0, 0, Pay)
        .fault(0, 1, Net(Transfer, ProviderFails))
        .fault(0, 0, Net(Transfer, Late { ms: 1700, fails: true }))
        .assert_clean();
}

#[test]
fn a_transfer_whose_caller_aborted_is_not_forgotten() {
    history(1121, &[page(2), page(2)], &[intent(2, 1)])
        .step(0, 1, Pay)
        .aborted(3)
        .step(8_000, 0, Pay)
        .fault(1, 0, Net(Transfer, Late { ms: 500, fails: true }))
        .assert_clean();
}

#[test]
fn an_account_is_not_created_again_after_a_401() {
    history(1786, &[page(2)], &[intent(2, 0)])
        .step(0, 0, CreateAccount)
        .fault(0, 0, Net(Create, refused_after_commit(401, "Unauthorized")))
        .assert_clean();
}

#[test]
fn a_journal_that_hangs_blocks_no_call_for_good() {
    for op in [Keys, Load, Save, Remove] {
        history(7, &[page(0)], &[intent(0, 0)])
            .step(0, 0, Pay)
            .faults(0, 3, Journal(op, Hangs))
            .assert_clean();
    }
}

#[test]
fn nothing_is_paid_beside_an_attempt_whose_sender_is_unknown() {
    history(20033597, &[page(1), page(1), knowing(page(1))], &[intent(1, 1)])
        .step(0, 2, Pay)
        .step(4, 2, Die { awaits: 18 })
        .step(343, 0, Pay)
        .faults(0, 3, Net(Other, refused(400, "RecipientNotFound")))
        .assert_clean();
}

#[test]
fn a_quote_that_ends_while_the_journal_writes_is_not_posted() {
    history(20094266, &[page(0)], &[intent(0, 1)])
        .step(0, 0, Prepare)
        .step(894000, 0, Pay)
        .fault(0, 1, Journal(Save, Lags { ms: 14000, effect_first: false }))
        .assert_clean();
}

#[test]
fn a_transfer_that_another_tab_made_with_the_quote_is_found() {
    history(20126212, &[page(3), unlocked(3)], &[intent(3, 0), with_its_quote(3, 1)])
        .step(0, 0, Prepare)
        .step(305, 1, Pay)
        .step_of(7305, 1, Pay, 1)
        .step(7438, 0, Submit)
        .assert_clean();
}

#[test]
fn what_another_tab_sends_next_is_its_own_result() {
    history(20279803, &[page(1), page(1)], &[intent(1, 1)])
        .step(0, 0, Pay)
        .step(0, 1, CreateRecipient)
        .step(286, 1, Resume)
        .fault(0, 1, Journal(Save, Hangs))
        .assert_clean();
}

#[test]
fn an_attempt_of_unknown_sender_is_found_once_the_sender_is_known() {
    history(20092934, &[page(1)], &[intent(1, 1), intent(1, 0)])
        .step(0, 0, Pay)
        .step_of(3955000, 0, Pay, 1)
        .fault(0, 1, Net(Transfer, refused_after_commit(401, "")))
        .fault(0, 0, Net(Other, LoseRequest))
        .fault(0, 2, Net(Other, refused(400, "")))
        .fault(0, 3, Net(Other, refused(400, "")))
        .fault(0, 4, Net(Other, refused(400, "")))
        .assert_clean();
}

#[test]
fn a_late_removal_leaves_the_next_attempt_alone() {
    history(20911960, &[page(1)], &[intent(1, 0), with_its_quote(1, 1)])
        .step(0, 0, Pay)
        .step(485, 0, Resume)
        .step_of(8485, 0, Prepare, 1)
        .fault(0, 0, Journal(Remove, Lags { ms: 6000, effect_first: false }))
        .assert_clean();
}

#[test]
fn tabs_without_common_locks_may_overwrite_a_prepared_attempt() {
    history(20355124, &[page(0), unlocked(0)], &[intent(0, 0), with_its_quote(0, 1)])
        .step(0, 1, Pay)
        .step_of(60, 0, Prepare, 1)
        .fault(1, 0, Journal(Save, Lags { ms: 150, effect_first: false }))
        .assert_clean();
}

#[test]
fn the_404_of_a_gateway_does_not_prove_a_deletion() {
    history(20323572, &[page(0)], &[intent(0, 1)])
        .step(0, 0, DeleteAccount { recipient: 1 })
        .fault(0, 0, Token(EndsAfter { ms: 0 }))
        .fault(0, 1, Net(Delete, refused(404, "")))
        .assert_clean();
}

#[test]
fn a_stale_attempt_was_never_sent() {
    history(20096230, &[page(1), page(1)], &[intent(1, 1)])
        .step(0, 0, Prepare)
        .step(0, 1, CreateRecipient)
        .step(122454000, 0, Pay)
        .step(122454081, 0, Pay)
        .faults(0, 7, Net(Progress, LoseRequest))
        .assert_clean();
}

#[test]
fn tabs_without_common_locks_each_have_their_own_result() {
    history(77071942, &[knowing(page(1)), unlocked(1)], &[intent(1, 0)])
        .step(0, 1, Pay)
        .step(265, 0, Resume)
        .fault(1, 0, Net(Transfer, refused(400, "QuoteAmountChanged")))
        .assert_clean();
}

#[test]
fn an_attempt_that_this_page_discarded_is_known_to_have_ended() {
    history(77042385, &[page(2)], &[intent(2, 0), with_its_quote(2, 1)])
        .step(0, 0, Prepare)
        .step(476, 0, Discard)
        .step_of(476, 0, Pay, 1)
        .step(579, 0, Submit)
        .fault(0, 0, Net(Transfer, LoseRequest))
        .faults(0, 4, Net(Progress, Slow { ms: 11000 }))
        .assert_clean();
}

#[test]
fn a_list_is_read_again_if_another_tab_sent_meanwhile() {
    history(20814211, &[page(1), page(1)], &[intent(1, 0), intent(1, 0)])
        .step_of(0, 1, Pay, 1)
        .step_of(0, 0, Pay, 1)
        .aborted(9)
        .fault(1, 0, Journal(Keys, Lags { ms: 1000, effect_first: true }))
        .fault(0, 0, Net(Progress, LoseRequest))
        .assert_clean();
}

#[test]
fn an_unknown_recipient_does_not_prove_that_its_account_is_gone() {
    history(40275909, &[page(3)], &[intent(3, 0)])
        .step(0, 0, DeleteAccount { recipient: 0 })
        .fault(0, 0, Net(Delete, LoseRequest))
        .fault(0, 1, Net(Delete, refused(400, "RecipientNotFound")))
        .assert_clean();
}

#[test]
fn an_attempt_that_ends_leaves_the_next_one_with_its_quote_alone() {
    history(40907216, &[knowing(page(1)), unlocked(1)], &[intent(1, 0), with_its_quote(1, 1)])
        .step(0, 1, Prepare)
        .step(281, 1, Resume)
        .step_of(7281, 0, Pay, 1)
        .step(7393, 1, Resume)
        .step_of(7503, 1, Prepare, 1)
        .assert_clean();
}

#[test]
fn an_attempt_missing_from_a_failing_journal_may_have_been_sent() {
    history(50218401, &[page(1), page(1)], &[intent(1, 0)])
        .step(0, 0, Prepare)
        .step(231, 1, Resume)
        .step(361, 0, Submit)
        .fault(0, 2, Journal(Load, Fails))
        .assert_clean();
}

#[test]
fn a_false_not_found_after_a_lost_deletion_of_a_recipient_is_believed() {
    history(60591929, &[page(1)], &[intent(1, 0)])
        .step(0, 0, DeleteRecipient { recipient: 1 })
        .fault(0, 0, Net(Delete, LoseRequest))
        .fault(0, 1, Net(Delete, refused(400, "RecipientNotFound")))
        .assert_clean();
}

#[test]
fn an_attempt_that_another_tab_sent_is_not_saved_as_unsent() {
    history(60824767, &[page(2), unlocked(2)], &[intent(2, 0)])
        .step(0, 0, Pay)
        .step(367, 1, Resume)
        .fault(0, 1, Journal(Save, Hangs))
        .fault(1, 0, Net(Transfer, LoseAnswer))
        .faults(1, 6, Net(Progress, LoseRequest))
        .assert_clean();
}

#[test]
fn a_refusal_in_one_tab_says_nothing_of_what_another_still_sends() {
    // While the other tab still sends, and after its result.
    for again_ms in [473, 550] {
        history(60547217, &[page(0), unlocked(0)], &[intent(0, 1)])
            .step(0, 0, Pay)
            .step(0, 1, Prepare)
            .step(362, 1, Resume)
            .step(again_ms, 0, Resume)
            .fault(1, 0, Net(Transfer, ProviderFails))
            .fault(0, 1, Journal(Save, Lags { ms: 300, effect_first: false }))
            .assert_clean();
    }
}

#[test]
fn a_tab_repeats_its_result_though_an_unlocked_tab_made_the_transfer() {
    // Sent before that tab had its result, and a moment after.
    for at_ms in [196, 215] {
        history(70850858, &[page(1), unlocked(1)], &[intent(1, 1), intent(1, 1)])
            .step_of(0, 0, Pay, 1)
            .step(at_ms, 1, Resume)
            .step_of(7196, 0, Submit, 1)
            .fault(0, 0, Net(Transfer, refused(400, "Max24HourTransferCountLimitReached")))
            .assert_clean();
    }
}

#[test]
fn a_list_does_not_bring_back_what_this_page_discarded_meanwhile() {
    history(2_760_577_612, &[page(0), page(0)], &[intent(0, 1), intent(0, 0)])
        .step_of(0, 1, Prepare, 1)
        .step(284, 0, Pay)
        .step_of(5_709_284, 1, Pay, 1)
        .step_of(5_709_294, 1, Discard, 1)
        .faults(1, 7, Net(Progress, LoseRequest))
        .assert_clean();
}

#[test]
fn a_409_of_a_gateway_may_follow_the_end_of_a_hold() {
    history(80009315, &[page(3)], &[Intent { hold: true, ..intent(3, 1) }])
        .step(0, 0, Pay)
        .step(324, 0, Release)
        .fault(0, 0, Net(Hold, refused_after_commit(409, "")))
        .assert_clean();
}

#[test]
fn a_refused_attempt_that_stayed_in_the_journal_can_be_made_later() {
    // The page asks again once the made transfer has left the journal.
    history(90011044, &[page(0)], &[intent(0, 1)])
        .step(0, 0, Pay)
        .step(51000, 0, Submit)
        .step(57000, 0, Submit)
        .fault(0, 0, Net(Transfer, ProviderFails))
        .fault(0, 0, Journal(Remove, Lags { ms: 38_000, effect_first: false }))
        .assert_clean();
}

#[test]
fn a_late_success_may_replace_an_unlocked_tabs_next_attempt_with_its_quote() {
    history(
        100229258,
        &[page(0), unlocked(0)],
        &[intent(0, 1), Intent { quote_of: Some(0), ..intent(0, 0) }],
    )
    .step(0, 1, Prepare)
    .step(314, 0, Resume)
    .step(4314, 1, Resume)
    .step_of(10285, 1, Pay, 1)
    .fault(0, 0, Net(Transfer, Late { ms: 0, fails: false }))
    .assert_clean();
}

/// Rules that no missing safeguard breaks alone.
#[test]
fn rules_about_calls_and_transfers_can_be_broken() {
    use CallKind::{Discard, Read, Submit, Write};
    use CallResult::{Failure, Success, Unknown};
    let failure = |code: &str| Failure(code.to_owned());
    let success = || Success("an id".to_owned());
    let ended = |kind, ended_ms, result| {
        let (ended_ms, result) = (Some(ended_ms), Some(result));
        Call {
            page: 0,
            load: 0,
            kind,
            started_ms: 0,
            abort_ms: None,
            ended_ms,
            result,
            has_sent: true,
            left_prepared: false,
        }
    };
    let read = || ended(Read, 1, success());
    let aborted = |abort_ms, ended_ms| Call { abort_ms, ..ended(Read, ended_ms, failure("Aborted")) };
    let cases: [(_, _, &[&str]); 14] = [
        ("a call takes too long", ended(Read, 300_101, failure("NetworkFailure")), &[]),
        ("a call takes too long", ended(Submit(0), 61_101, Unknown), &[]),
        ("an abort does not end the waiting", aborted(Some(0), 1_101), &[]),
        ("a call ends with another's abort", aborted(None, 1), &[]),
        ("a call ends with another's abort", aborted(Some(2), 1), &[]),
        ("an unsent attempt is reported as unknown", ended(Submit(0), 1, Unknown), &[]),
        ("a call never ends", Call { ended_ms: None, result: None, ..read() }, &[]),
        ("a success is reported without a transfer", ended(Submit(0), 1, success()), &[]),
        (
            "a success is reported for a write that is not made",
            ended(Write(Create, "a".into()), 1, success()),
            &[],
        ),
        ("a failure is reported for a made transfer", ended(Submit(0), 1, failure("Conflict")), &[""]),
        ("a discarded attempt is made", ended(Discard(0), 1, success()), &[""]),
        ("a transfer is made and never reported", read(), &[""]),
        ("a transfer is made without an attempt", read(), &["another"]),
        ("two transfers for one intent", read(), &["", "another"]),
    ];
    let simulator = Simulator::open();
    for (rule, call, nonces) in cases {
        let found = simulator.judge(&history(1, &[page(0)], &[intent(0, 0)]), call, nonces);
        assert!(found.iter().any(|finding| finding.rule == rule), "{rule}: {found:?}");
    }
}

#[test]
fn what_a_copy_has_sent_is_not_discarded_a_second_time() {
    history(310003529, &[page(0), Page { journal: 1, ..page(0) }], &[intent(0, 1)])
        .step(0, 0, Prepare)
        .step(308, 0, Duplicate { to: 1 })
        .step(308, 1, Pay)
        .step(308, 0, Discard)
        .step(527, 0, Discard)
        .assert_clean();
}

#[test]
fn two_attempts_with_one_nonce_are_told_apart() {
    history(34128, &[page(1), page(1)], &[intent(1, 1), intent(1, 0), intent(1, 0)])
        .step(0, 1, Prepare)
        .step(440, 0, Pay)
        .step_of(444, 1, Pay, 2)
        .fault(1, 1, Net(Nonce, Replay))
        .fault(1, 0, Net(Transfer, LoseRequest))
        .assert_clean();
}

#[test]
fn discarding_an_attempt_again_keeps_the_next_one_with_its_quote() {
    history(20408425, &[page(0)], &[intent(0, 0), with_its_quote(0, 1)])
        .step(0, 0, Prepare)
        .step(339, 0, Discard)
        .step_of(418, 0, Pay, 1)
        .step(626, 0, Discard)
        .fault(0, 0, Net(Transfer, During { ms: 42000 }))
        .assert_clean();
}

#[test]
fn a_cache_gives_no_second_attempt_the_nonce_of_one_that_another_tab_sends() {
    history(7129367, &[page(3), page(3)], &[intent(3, 0), with_its_quote(3, 1)])
        .step(0, 0, Prepare)
        .step(438, 1, Pay)
        .step_of(9438, 0, Prepare, 1)
        .step(9595, 0, Resume)
        .fault(0, 1, Net(Nonce, Replay))
        .assert_clean();
}

#[test]
fn a_late_write_may_overwrite_what_an_unlocked_tab_has_sent_since() {
    history(20369248, &[page(1), unlocked(1)], &[intent(1, 0), with_its_quote(1, 1)])
        .step(0, 0, Pay)
        .step_of(5000, 1, Prepare, 1)
        .step(7494, 1, Resume)
        .fault(0, 0, Journal(Save, Lags { ms: 12000, effect_first: false }))
        .assert_clean();
}

#[test]
fn no_customer_submits_what_only_a_copy_shows_as_sent_beside_what_was_paid() {
    history(20481618, &[page(2), Page { journal: 1, ..page(2) }], &[intent(2, 0)])
        .step(0, 0, Pay)
        .step(0, 0, Prepare)
        .step(5000, 0, Duplicate { to: 1 })
        .step(32000, 0, Resume)
        .fault(0, 2, Journal(Save, Lags { ms: 36000, effect_first: true }))
        .assert_clean();
}

#[test]
fn a_call_behind_others_of_its_page_may_have_time_for_a_last_question_alone() {
    let slow = [0, 2, 3, 4, 5, 6, 7];
    let story = history(20912707, &[page(2)], &[intent(2, 0)])
        .step(0, 0, Prepare)
        .step(285, 0, Discard)
        .step(4285, 0, Discard)
        .step(5004, 0, Submit);
    let is_slow = |story: History, nth| story.fault(0, nth, Net(Progress, Slow { ms: 14000 }));
    slow.into_iter().fold(story, is_slow).assert_clean();
}

#[test]
fn an_attempt_that_the_journal_may_show_as_sent_is_not_reported_as_unsent() {
    let story = history(20481618, &[page(2)], &[intent(2, 0)])
        .step(0, 0, Pay)
        .step(0, 0, Prepare)
        .step(32000, 0, Resume)
        .fault(0, 2, Journal(Save, FailsAfter));
    (3..6).fold(story, |story, nth| story.fault(0, nth, Journal(Save, Fails))).assert_clean();
}

#[test]
fn what_this_page_made_need_not_be_read_to_tell_it_from_what_it_discarded() {
    history(21102398, &[page(1)], &[intent(1, 1), with_its_quote(1, 0)])
        .step(0, 0, Prepare)
        .step(251, 0, Discard)
        .step_of(324, 0, Pay, 1)
        .step(461, 0, Submit)
        .fault(0, 0, Net(ReadTransfer, refused(400, "")))
        .assert_clean();
}

#[test]
fn a_last_post_leaves_time_to_ask() {
    let late = [(0, 38000), (1, 38000), (3, 19000), (4, 0)];
    let story = history(28809296, &[page(3)], &[intent(3, 1), intent(3, 0), intent(3, 0)])
        .step_of(0, 0, Pay, 2)
        .step_of(44000, 0, Pay, 2)
        .fault(0, 2, Net(Transfer, LoseRequest));
    late.into_iter()
        .fold(story, |story, (nth, ms)| story.fault(0, nth, Net(Transfer, Late { ms, fails: false })))
        .assert_clean();
    let slow = [(1, 49000), (2, 49000), (3, 24000), (5, 12000)];
    let story = history(113940, &[page(3)], &[intent(3, 1)])
        .step(0, 0, Pay)
        .step(55000, 0, Pay)
        .fault(0, 0, Net(Transfer, LoseRequest))
        .fault(0, 4, Net(Transfer, LoseRequest));
    slow.into_iter()
        .fold(story, |story, (nth, ms)| story.fault(0, nth, Net(Transfer, Slow { ms })))
        .assert_clean();
}

#[test]
fn a_tabs_copy_does_not_send_the_second_of_two_attempts_at_a_payment() {
    history(
        20481618,
        &[page(2), Page { journal: 1, ..page(2) }],
        &[Intent { is_named: true, ..intent(2, 0) }],
    )
    .step(0, 0, Prepare)
    .step(1000, 0, Prepare)
    .step(2000, 0, Duplicate { to: 1 })
    .step(3000, 0, Submit)
    .step(5000, 1, HoldListed)
    .step(6000, 1, Submit)
    .step(8000, 1, Resume)
    .assert_clean();
}

#[test]
fn a_tab_leaves_the_entries_of_a_later_version_alone() {
    for version in [Version::Newer, Version::NewerUnreadable] {
        history(1, &[page(0), Page { version, ..page(0) }], &[intent(0, 0)])
            .step(0, 1, Prepare)
            .step(1000, 0, Resume)
            .step(40000, 0, Discard)
            .step(50000, 1, Submit)
            .step(60000, 0, Resume)
            .assert_clean();
    }
}

#[test]
fn an_unknown_quote_does_not_prove_that_a_copy_has_sent_nothing() {
    history(
        41282792,
        &[page(1), Page { journal: 1, ..page(1) }],
        &[Intent { is_named: true, ..intent(1, 0) }],
    )
    .step(0, 0, Prepare)
    .step(160, 0, Duplicate { to: 1 })
    .step(160, 1, Pay)
    .step(257, 0, Pay)
    .fault(0, 0, Net(Progress, refused(400, "QuoteHistoryNotFound")))
    .assert_clean();
}

#[test]
fn what_is_found_without_the_lock_is_saved_by_who_holds_it() {
    history(41354869, &[page(1), Page { version: Version::Newer, ..page(1) }], &[intent(1, 0)])
        .step(0, 0, Pay)
        .step(250, 1, Resume)
        .fault(0, 0, Net(Transfer, LoseAnswer))
        .fault(0, 0, Net(Progress, Slow { ms: 90 }))
        .assert_clean();
}

#[test]
fn what_another_tab_acknowledged_meanwhile_stays_acknowledged() {
    let named = Intent { is_named: true, ..intent(1, 0) };
    let newer = Page { version: Version::NewerUnreadable, ..page(1) };
    history(41875539, &[newer, knowing(page(1))], &[named])
        .step(0, 1, Pay)
        .aborted(8)
        .step(248, 0, Resume)
        .fault(1, 0, Net(Progress, Slow { ms: 6000 }))
        .assert_clean();
}

#[test]
fn what_was_discarded_may_be_unknown_without_a_token_to_ask_with() {
    history(42097712, &[page(0)], &[intent(0, 0)])
        .step(0, 0, Prepare)
        .step(301, 0, Discard)
        .step(4262301, 0, Submit)
        .fault(0, 1, Token(Rejects))
        .assert_clean();
}

#[test]
fn two_attempts_that_are_prepared_at_once_get_no_common_nonce() {
    history(41415400, &[page(1)], &[Intent { is_named: true, ..intent(1, 1) }, intent(1, 1)])
        .step(0, 0, Resume)
        .step(0, 0, Pay)
        .step_of(0, 0, Pay, 1)
        .fault(0, 0, Journal(Save, Lags { ms: 80, effect_first: true }))
        .fault(0, 1, Net(Nonce, Replay))
        .assert_clean();
}

#[test]
fn what_a_page_has_found_is_not_lost_to_what_it_asks_beside() {
    let named = Intent { is_named: true, ..intent(3, 0) };
    history(77057274, &[page(3), Page { journal: 1, ..page(3) }], &[named])
        .step(0, 1, Prepare)
        .step(364, 1, Duplicate { to: 0 })
        .step(364, 1, Submit)
        .step(364, 0, HoldListed)
        .step(435, 0, Discard)
        .step(1435, 0, Submit)
        .step(7435, 0, Submit)
        .fault(0, 0, Net(Progress, SlowAnswer { ms: 7000 }))
        .assert_clean();
}

#[test]
fn the_attempt_of_a_later_version_with_the_same_quote_is_no_other_one() {
    let named = Intent { is_named: true, ..intent(1, 1) };
    let newer = Page { version: Version::Newer, ..page(1) };
    history(77895281, &[newer, unlocked(1)], &[named])
        .step(0, 1, Pay)
        .step(203, 0, Resume)
        .fault(1, 1, Journal(Save, Lags { ms: 200, effect_first: true }))
        .assert_clean();
}

#[test]
fn a_list_does_not_leave_out_what_it_could_not_ask_about() {
    let newer = Page { version: Version::NewerUnreadable, ..page(3) };
    let story = history(77194880, &[page(3), newer], &[intent(3, 0), intent(3, 0)])
        .step(0, 1, Prepare)
        .step_of(46, 1, Pay, 1)
        .step_of(31046, 0, Pay, 1)
        .fault(1, 0, Net(Transfer, LoseRequest))
        .fault(0, 0, Token(Rejects));
    story.faults(1, 6, Net(Progress, LoseRequest)).assert_clean();
}

#[test]
fn a_quote_that_another_payment_has_used_does_not_pay_this_one() {
    let newer = Page { version: Version::NewerUnreadable, ..page(1) };
    let first = Intent { is_named: true, ..intent(1, 1) };
    let second = Intent { quote_of: Some(0), ..intent(1, 0) };
    history(511352061, &[page(1), newer], &[first, second])
        .step(0, 1, Prepare)
        .step(347, 1, Discard)
        .step_of(347, 0, Pay, 1)
        .step(391, 0, Pay)
        .assert_clean();
}

#[test]
fn an_attempt_may_be_unknown_while_the_service_makes_a_transfer_with_its_quote() {
    let second = Intent { quote_of: Some(0), ..intent(1, 1) };
    history(511642928, &[page(1)], &[intent(1, 0), second])
        .step(0, 0, Prepare)
        .step(229, 0, Discard)
        .step_of(345, 0, Pay, 1)
        .step(443, 0, Submit)
        .fault(0, 0, Net(Transfer, During { ms: 55000 }))
        .assert_clean();
}

#[test]
fn a_tab_that_submits_does_not_know_what_its_duplicate_prepares_meanwhile() {
    let caching = Page { worker: Worker::IgnoresQueries, ..page(2) };
    history(
        511458315,
        &[caching, Page { journal: 1, ..caching }],
        &[Intent { is_named: true, ..intent(2, 1) }],
    )
    .step(0, 0, Prepare)
    .step(311, 0, Duplicate { to: 1 })
    .step(311, 1, Pay)
    .step(311, 0, Resume)
    .fault(0, 0, Journal(Save, Lags { ms: 600, effect_first: true }))
    .assert_clean();
}

#[test]
fn what_a_copy_was_told_says_nothing_of_what_its_tab_waits_for_though_the_copy_waited_too() {
    history(3429302, &[page(1), Page { journal: 1, ..page(1) }], &[intent(1, 1)])
        .step(0, 0, Prepare)
        .step(220, 0, Duplicate { to: 1 })
        .step(220, 0, Submit)
        .step(220, 1, Resume)
        .aborted(1)
        .step(220, 1, Clock { off_by_s: 1100 })
        .step(47220, 1, Pay)
        .step(47487, 1, Pay)
        .fault(0, 0, Net(Transfer, Late { ms: 91000, fails: false }))
        .fault(0, 1, Net(Transfer, Late { ms: 45000, fails: false }))
        .fault(0, 2, Net(Transfer, Late { ms: 45000, fails: false }))
        .fault(0, 3, Net(Transfer, Late { ms: 22000, fails: false }))
        .assert_clean();
}

#[test]
fn a_write_that_failed_is_not_taken_back_over_what_another_tab_sent_meanwhile() {
    let named = Intent { is_named: true, ..intent(0, 0) };
    history(3128819168, &[page(0), unlocked(0)], &[intent(0, 1), named])
        .step_of(0, 1, Pay, 1)
        .step(29000, 0, Resume)
        .step_of(29000, 1, Pay, 1)
        .fault(1, 1, Journal(Save, Hangs))
        .fault(0, 0, Net(Transfer, Late { ms: 1200, fails: false }))
        .assert_clean();
}

#[test]
fn whose_the_transfer_of_a_quote_is_may_be_unknown_while_it_cannot_be_read() {
    let second = Intent { quote_of: Some(0), ..intent(3, 0) };
    let story = history(3129328403, &[page(3), Page { journal: 1, ..page(3) }], &[intent(3, 1), second])
        .step(0, 1, Prepare)
        .step_of(1126000, 0, Pay, 1)
        .step(1126375, 1, Pay);
    story.faults(1, 3, Net(ReadTransfer, LoseRequest)).assert_clean();
}

#[test]
fn a_copy_cannot_tell_what_else_has_used_the_quote_of_a_later_versions_entry() {
    let newer = Page { version: Version::NewerUnreadable, ..page(2) };
    let named = Intent { is_named: true, ..intent(2, 0) };
    let second = Intent { quote_of: Some(0), ..intent(2, 1) };
    history(4128893519, &[newer, Page { journal: 1, ..page(2) }], &[named, second])
        .step(0, 0, Prepare)
        .step(300, 0, Duplicate { to: 1 })
        .step(300, 0, Discard)
        .step_of(380, 0, Pay, 1)
        .step(596, 1, Pay)
        .assert_clean();
}

#[test]
fn what_a_list_has_read_is_what_its_page_submits() {
    let newer = Page { version: Version::NewerUnreadable, ..page(2) };
    let second = Intent { quote_of: Some(0), ..intent(2, 0) };
    for newer in [Page { version: Version::Newer, ..page(2) }, newer] {
        history(2429118643, &[newer, page(2)], &[intent(2, 1), second])
            .step(0, 0, Prepare)
            .step(371, 1, Resume)
            .step(371, 0, Discard)
            .step_of(414, 0, Pay, 1)
            .assert_clean();
    }
}

#[test]
fn who_asks_about_another_attempt_with_the_quote_keeps_its_lock() {
    let second = Intent { quote_of: Some(0), ..intent(0, 1) };
    let story = history(2429315438, &[page(0), page(0)], &[intent(0, 0), second])
        .step(0, 0, Prepare)
        .step(349, 1, Resume)
        .step_of(5774, 1, Prepare, 1)
        .step(5833, 0, Discard)
        .step_of(5833, 1, Pay, 1)
        .fault(0, 0, Net(Progress, LoseRequest));
    [19_000, 19_000, 19_000, 9_000]
        .into_iter()
        .zip(1..)
        .fold(story, |story, (ms, nth)| story.fault(0, nth, Net(Progress, SlowAnswer { ms })))
        .assert_clean();
}

#[test]
fn a_quote_that_another_tab_uses_for_another_payment_may_be_in_progress() {
    let named = Intent { is_named: true, ..intent(3, 0) };
    let second = Intent { quote_of: Some(0), ..intent(3, 1) };
    history(2428862949, &[knowing(page(3)), Page { journal: 1, ..page(3) }], &[named, second])
        .step(0, 0, Prepare)
        .step_of(130, 1, Pay, 1)
        .step(311, 0, Pay)
        .fault(1, 0, Net(Transfer, During { ms: 300 }))
        .assert_clean();
}

#[test]
fn nobody_can_say_what_a_quote_has_paid_while_another_payment_uses_it() {
    let second = Intent { quote_of: Some(0), ..intent(3, 0) };
    history(913338759, &[page(3)], &[Intent { is_named: true, ..intent(3, 1) }, second])
        .step(0, 0, Prepare)
        .step(233, 0, Discard)
        .step_of(292, 0, Pay, 1)
        .step(292, 0, Pay)
        .fault(0, 0, Net(Transfer, During { ms: 40 }))
        .assert_clean();
}

#[test]
fn nor_while_another_tab_uses_it_for_another_payment() {
    let second = Intent { quote_of: Some(0), ..intent(1, 0) };
    history(1300642668, &[page(1), page(1)], &[Intent { is_named: true, ..intent(1, 1) }, second])
        .step(0, 0, Prepare)
        .step(369, 0, Discard)
        .step_of(369, 1, Pay, 1)
        .step(430, 0, Pay)
        .fault(1, 0, Net(Transfer, During { ms: 100 }))
        .assert_clean();
}

#[test]
fn nor_while_a_later_version_uses_it_for_another_payment() {
    let of_version = |version| Page { worker: Worker::Exact, version, ..page(0) };
    let pages = [Version::Current, Version::NewerUnreadable, Version::Newer].map(of_version);
    let second = Intent { quote_of: Some(0), ..intent(0, 0) };
    history(1701028068, &pages, &[Intent { is_named: true, ..intent(0, 1) }, second])
        .step(0, 1, Prepare)
        .step(356, 0, Resume)
        .step_of(106_287_356, 2, Pay, 1)
        .step(106_287_757, 0, Pay)
        .assert_clean();
}

#[test]
fn a_page_without_the_lock_may_overwrite_what_its_late_read_did_not_show() {
    let caching = Page { worker: Worker::Exact, ..page(2) };
    let second = Intent { quote_of: Some(0), ..intent(2, 1) };
    history(1701044213, &[caching, Page { locks: 1, ..caching }], &[intent(2, 0), second])
        .step(0, 0, Pay)
        .step_of(67, 1, Prepare, 1)
        .step(331, 1, Resume)
        .fault(0, 1, Journal(Load, Lags { ms: 200, effect_first: true }))
        .assert_clean();
}

#[test]
fn a_copy_may_be_taken_of_what_was_refused() {
    let caching = Page { worker: Worker::Exact, ..page(3) };
    let held = Intent { hold: true, ..intent(3, 1) };
    history(1300538668, &[caching, caching], &[intent(3, 1), held, intent(3, 1)])
        .step_of(0, 1, Pay, 1)
        .step(0, 1, Pay)
        .step_of(5, 0, Pay, 2)
        .step_of(284, 1, Cancel, 1)
        .fault(0, 0, Net(Transfer, Again { ms: 12 }))
        .assert_clean();
}

#[test]
fn a_page_whose_clock_is_set_back_may_post_after_the_quotes_end() {
    let caching = Page { worker: Worker::Exact, ..page(3) };
    history(913347530, &[caching, caching], &[intent(3, 1)])
        .step(0, 0, Pay)
        .step(82000, 1, Clock { off_by_s: -600 })
        .step(1439000, 1, Pay)
        .step(1497000, 0, Pay)
        .faults(0, 7, Net(Transfer, LoseRequest))
        .fault(1, 0, Net(Transfer, Late { ms: 47000, fails: true }))
        .faults(1, 6, Net(Progress, LoseRequest))
        .assert_clean();
}

#[test]
fn a_copy_shows_as_sent_what_was_refused_since() {
    let caching = Page { worker: Worker::Exact, ..page(1) };
    history(913776802, &[caching, Page { journal: 1, ..caching }], &[intent(1, 1)])
        .step(0, 0, Pay)
        .step(0, 0, Prepare)
        .step(248, 0, Duplicate { to: 1 })
        .step(325, 0, Resume)
        .fault(0, 0, Net(Transfer, refused(400, "QuoteAmountChanged")))
        .assert_clean();
}

#[test]
fn each_fault_changes_what_happens() {
    let simulator = Simulator::open();
    let play = |fault: Option<FaultKind>| {
        let story = history(1, &[page(0)], &[intent(0, 0)]).step(0, 0, Pay);
        let story = fault.into_iter().fold(story, |story, kind| story.fault(0, 0, kind));
        let mut trace = simulator.trace(&story);
        // Without the line that names the fault.
        trace.retain(|line| {
            ["receives", "arrives", "answered", "gets"].iter().any(|event| line.contains(event))
        });
        trace
    };
    let usual = play(None);
    let late = [Late { ms: 900, fails: true }, Late { ms: 900, fails: false }, During { ms: 900 }];
    let slow =
        [Slow { ms: 900 }, SlowAnswer { ms: 900 }, Again { ms: 900 }, Twice { gap_ms: 5, second: None }];
    let lost =
        [LoseRequest, LoseAnswer, Garbled, ProviderFails, refused(503, ""), refused_after_commit(503, "")];
    let net = late.into_iter().chain(slow).chain(lost).map(|fault| Net(Transfer, fault));
    let lags = [true, false].map(|effect_first| Lags { ms: 900, effect_first });
    let journal = [Fails, FailsAfter, Hangs].into_iter().chain(lags).map(|fault| Journal(Save, fault));
    let token = [Rejects, Stalls, Delays { ms: 900 }, EndsAfter { ms: 0 }].map(Token);
    for fault in net.chain(journal).chain(token) {
        assert_ne!(play(Some(fault)), usual, "{fault:?}");
    }
}

//! Histories from a seed. Each has a theme, so that related events meet more often than by chance.

use super::history::{
    Action, Fault, FaultKind, History, Intent, JournalFault, JournalOp, NetFault, Page, Step, Target,
    TokenFault, Version, Worker,
};
use super::rng::Rng;

/// Refusals as statuses with codes of the service; without a code they are a gateway's. These are possible
/// whether the request was committed or not.
const ALWAYS: &str =
    "401 Unauthorized, 408, 429 TooManyRequests, 500 InternalError, 503 ServiceUnavailable, 502";
/// More of a request that was not committed.
const UNCOMMITTED: &str = "401, 403, 400, 400 RecipientNotFound, 400 QuoteAmountChanged, \
    400 Max24HourTransferCountLimitReached, 400 InsufficientFunds, 404, 409, 429";

/// Returns more refusals of a second copy of a request whose first copy has committed.
fn after_commit(target: Target) -> &'static str {
    match target {
        Target::Transfer => {
            "401, 400 QuoteAmountChanged, 400 Max24HourTransferCountLimitReached, 400 InsufficientFunds, 429"
        }
        // The second copy finds no hold.
        Target::Hold => "400 BusinessOrDataValidationError, 404, 409",
        Target::Create => "404, 409, 504",
        // "Not found" is a legitimate answer to a second deletion.
        _ => "504",
    }
}

fn pick_refusal(rng: &mut Rng, more: &'static str) -> (u16, &'static str) {
    let refusals: Vec<&str> = ALWAYS.split(", ").chain(more.split(", ")).collect();
    let (status, code) = rng.pick(&refusals).split_at(3);
    (status.parse().unwrap(), code.trim_start())
}

// The themes.
const CUSTOMERS_CHANGE: u64 = 1;
const ONE_PAGE: u64 = 2;
const SHARED_QUOTE: u64 = 3;
const HOLDS: u64 = 4;
const RECORDS: u64 = 5;
const PAGES_DIE: u64 = 6;
const ONE_CUSTOMER_CLICKS: u64 = 7;
const QUOTE_ENDS: u64 = 8;
const COPIED: u64 = 9;

pub(crate) fn generate(seed: u64) -> History {
    let rng = &mut Rng::new(seed);
    // The first one is twice as likely as each other.
    let theme = rng.below(10).max(CUSTOMERS_CHANGE);
    let customers: Vec<u8> = match theme {
        CUSTOMERS_CHANGE => (0..rng.between(2, 4) as u8).collect(),
        _ => vec![rng.below(4) as u8],
    };
    let page_count = match theme {
        ONE_PAGE => 1,
        COPIED => rng.between(2, 3) as u8,
        _ => rng.between(1, 3) as u8,
    };
    let any_page = |rng: &mut Rng| rng.below(u64::from(page_count)) as u8;
    let shares_journal = theme != COPIED && rng.percent(60);
    let shares_locks = theme == COPIED || rng.percent(85);
    let worker = match rng.below(10) {
        0 | 1 => Worker::Exact,
        2 => Worker::IgnoresQueries,
        _ => Worker::None,
    };
    let pages: Vec<Page> = (0..page_count)
        .map(|at| Page {
            journal: if shares_journal { 0 } else { at },
            locks: if shares_locks { 0 } else { at },
            customer: rng.pick(&customers),
            knows_sender: rng.percent(40),
            worker,
            version: Version::Current,
        })
        .collect();
    let intents = intents(rng, theme, &pages, &customers);

    let (mut steps, mut faults) = opening(rng, theme, &pages, &intents);
    let step_count = rng.between(1, 9);
    let mut at_ms = steps.last().map_or(0, |step: &Step| step.at_ms);
    for _ in 0..step_count {
        at_ms += if theme == ONE_CUSTOMER_CLICKS && rng.percent(60) { rng.below(120) } else { gap(rng) };
        let mut page = any_page(rng);
        let mut intent = rng.below(intents.len() as u64) as u8;
        if theme == ONE_CUSTOMER_CLICKS && rng.percent(80) {
            (page, intent) = (0, 0);
        }
        let abort = abort(rng);
        let action = action(rng, theme, pages[usize::from(page)].customer, &customers);
        steps.push(Step { at_ms, page, action, intent, abort });
    }
    if steps.iter().all(|step| step.action != Action::Pay) {
        steps.insert(0, Step { at_ms: 0, page: 0, action: Action::Pay, intent: 0, abort: None });
    }

    let fault_count = [0, 1, 1, 2, 2, 3, 4, 5, 7][rng.below(9) as usize];
    for _ in 0..fault_count {
        let page = any_page(rng);
        faults.push(Fault { page, nth: nth(rng), kind: fault(rng, theme) });
    }
    // A store that fails twice in a row, which one repeat does not heal.
    let failing = |fault: &&Fault| matches!(fault.kind, FaultKind::Journal(_, JournalFault::Fails));
    let next = |fault: &Fault| Fault { nth: fault.nth.saturating_add(1), ..*fault };
    let twice: Vec<_> = faults.iter().filter(failing).map(next).collect();
    if !twice.is_empty() && rng.percent(60) {
        faults.extend(twice);
    }
    // A network that fails where a service worker then answers.
    if worker != Worker::None {
        for _ in 0..rng.between(1, 4) {
            let target = rng.pick(&[Target::Other, Target::Other, Target::Nonce, Target::Progress]);
            let (page, nth) = (any_page(rng), nth(rng) + rng.below(3) as u8);
            faults.push(Fault { page, nth, kind: FaultKind::Net(target, NetFault::LoseRequest) });
        }
    }
    // A service that has forgotten a quote.
    if theme == QUOTE_ENDS && rng.percent(60) {
        let lost = [NetFault::LoseAnswer, NetFault::Garbled, NetFault::SlowAnswer { ms: 20_000 }];
        let kind = FaultKind::Net(Target::Transfer, rng.pick(&lost));
        faults.push(Fault { page: steps[0].page, nth: 0, kind });
        let numbers = 0..rng.between(1, 30) as u8;
        let forgets = |page| numbers.clone().map(move |nth| Fault { page, nth, kind: QUOTE_NOT_FOUND });
        faults.extend((0..page_count).flat_map(forgets));
    }
    // A service or a network that keeps failing.
    if rng.percent(12) {
        let kind = fault(rng, theme);
        let page = any_page(rng);
        faults.extend((0..rng.between(2, 8) as u8).map(|nth| Fault { page, nth, kind }));
    }
    // Known and documented: without Web Locks an attempt that one tab drops within the milliseconds in which
    // another begins to send it is reported as dropped, and made.
    if shares_journal && !shares_locks && page_count > 1 {
        for step in &mut steps {
            if step.action == Action::Discard {
                step.action = Action::Resume;
            }
        }
    }
    with_versions_and_names(History { seed, pages, intents, steps, faults })
}

/// Gives some pages a later version, and some payments a name. Draws from its own numbers, so that a seed
/// otherwise means the same history as before there were any.
fn with_versions_and_names(mut history: History) -> History {
    let rng = &mut Rng::new(history.seed ^ 0x9d2c);
    if history.pages.len() > 1 && rng.percent(25) {
        for page in &mut history.pages {
            page.version = rng.pick(&[Version::Current, Version::Newer, Version::NewerUnreadable]);
        }
    }
    for intent in &mut history.intents {
        intent.is_named = rng.percent(50);
    }
    history
}

fn intents(rng: &mut Rng, theme: u64, pages: &[Page], customers: &[u8]) -> Vec<Intent> {
    let count = rng.between(1, 3);
    let shares_quotes = theme == SHARED_QUOTE || rng.percent(8);
    let mut intents: Vec<Intent> = Vec::new();
    for at in 0..count {
        let customer = if rng.percent(75) { rng.pick(pages).customer } else { rng.pick(customers) };
        let recipient = rng.below(2) as u8;
        let hold = theme == HOLDS || rng.percent(10);
        let mut intent = Intent { customer, recipient, quote_of: None, hold, is_named: false };
        if shares_quotes && at > 0 && rng.percent(80) {
            // A third intent with the quote would equal the second.
            let quote_of = (at == 1).then_some(0);
            let Intent { customer, recipient, .. } = intents[0];
            intent = Intent { customer, recipient: 1 - recipient, quote_of, ..intent };
            intent.hold = false;
        }
        intents.push(intent);
    }
    intents
}

/// Returns the first events of some themes, which chance alone would seldom put in this order.
fn opening(rng: &mut Rng, theme: u64, pages: &[Page], intents: &[Intent]) -> (Vec<Step>, Vec<Fault>) {
    let is_apt =
        matches!(theme, QUOTE_ENDS | COPIED | PAGES_DIE) || theme == SHARED_QUOTE && intents.len() > 1;
    if !is_apt || !rng.percent(if theme == COPIED { 80 } else { 40 }) {
        return Default::default();
    }
    let page = rng.below(pages.len() as u64) as u8;
    let other = rng.below(pages.len() as u64) as u8;
    let duplicate = Action::Duplicate { to: (page + 1) % pages.len() as u8 };
    let copy = (page + 1) % pages.len() as u8;
    let actions: &[(u8, Action, u8)] = match theme {
        // An attempt that both tabs have, one of which sends it.
        COPIED if rng.percent(60) => &[
            (page, Action::Prepare, 0),
            (page, duplicate, 0),
            (page, Action::Submit, 0),
            (copy, Action::HoldListed, 0),
            (copy, Action::Discard, 0),
        ],
        COPIED => &[
            (page, Action::Prepare, 0),
            (page, duplicate, 0),
            (copy, Action::Pay, 0),
            (page, Action::Discard, 0),
        ],
        // A quote that passes from one attempt to the next while a caller still holds the first.
        SHARED_QUOTE if other == page => &[
            (page, Action::Prepare, 0),
            (page, Action::Discard, 0),
            (page, Action::Prepare, 1),
            (page, Action::Discard, 0),
            (page, Action::Submit, 0),
        ],
        // The same, after another tab has made the first one.
        SHARED_QUOTE => &[
            (page, Action::Prepare, 0),
            (other, Action::Resume, 0),
            (other, Action::Prepare, 1),
            (page, Action::Discard, 0),
        ],
        QUOTE_ENDS if other != page => return end_of_quote(rng, page, other),
        // A page that is frozen as it sends keeps its lock.
        PAGES_DIE if other != page => &[
            (page, Action::Freeze { awaits: rng.between(15, 45) as u32 }, 0),
            (page, Action::Pay, 0),
            (other, Action::Resume, 0),
        ],
        PAGES_DIE => return unsaved(rng, page, pages[usize::from(page)].customer),
        // An attempt that is resumed long after the end of its quote.
        _ => &[(page, Action::Pay, 0), (page, Action::Resume, 0), (page, Action::Resume, 0)],
    };
    let mut at_ms = 0;
    let mut steps = Vec::new();
    for (page, action, intent) in actions.iter().copied() {
        steps.push(Step { at_ms, page, action, intent, abort: None });
        at_ms += match theme {
            QUOTE_ENDS => rng.between(100_000, 1_500_000),
            PAGES_DIE => rng.below(1_000),
            _ if other != page => rng.between(5_000, 12_000),
            _ => rng.between(100, 6_000),
        };
    }
    (steps, Vec::new())
}

/// A page whose journal fails as it sends, and which is reloaded while that request is on its way.
fn unsaved(rng: &mut Rng, page: u8, customer: u8) -> (Vec<Step>, Vec<Fault>) {
    let late = NetFault::Late { ms: delay(rng), fails: rng.percent(50) };
    // The attempt's first save prepares it.
    let fails =
        [1, 2].map(|nth| Fault { page, nth, kind: FaultKind::Journal(JournalOp::Save, JournalFault::Fails) });
    let actions =
        [Action::Prepare, Action::Submit, Action::Reload { customer }, Action::HoldListed, Action::Discard];
    let mut at_ms = 0;
    let steps = actions.map(|action| {
        let step = Step { at_ms, page, action, intent: 0, abort: None };
        at_ms += rng.between(200, 1_500);
        step
    });
    let late = Fault { page, nth: 0, kind: FaultKind::Net(Target::Transfer, late) };
    (steps.to_vec(), fails.into_iter().chain([late]).collect())
}

/// A tab whose requests never arrive, and another that sends the same just before the quote ends by their
/// clocks, which are ahead.
fn end_of_quote(rng: &mut Rng, page: u8, other: u8) -> (Vec<Step>, Vec<Fault>) {
    let off_by_s = rng.between(10, 280);
    let end_ms = (900 - off_by_s) * 1_000;
    let clock = Action::Clock { off_by_s: off_by_s as i64 };
    let steps = [
        (0, page, clock),
        (0, other, clock),
        (0, page, Action::Pay),
        (end_ms - rng.between(500, 20_000), other, Action::Resume),
        (end_ms + rng.between(500, 60_000), page, Action::Resume),
    ];
    let fault = |page, nth, fault| Fault { page, nth, kind: FaultKind::Net(Target::Transfer, fault) };
    let late = NetFault::Late { ms: delay(rng), fails: true };
    let lost = (0..8).flat_map(|nth| [page, other].map(|page| fault(page, nth, NetFault::LoseRequest)));
    let steps = steps.map(|(at_ms, page, action)| Step { at_ms, page, action, intent: 0, abort: None });
    (steps.to_vec(), [fault(other, 0, late)].into_iter().chain(lost).collect())
}

fn gap(rng: &mut Rng) -> u64 {
    match rng.below(12) {
        0..=3 => rng.below(300),
        4..=6 => rng.between(300, 5_000),
        7 | 8 => rng.between(5_000, 40_000),
        9 => rng.between(40_000, 200_000),
        10 => rng.between(200_000, 1_500_000),
        _ if rng.percent(30) => rng.between(3_600_000, 180_000_000),
        _ => rng.between(1_000, 10_000),
    }
}

fn abort(rng: &mut Rng) -> Option<u32> {
    if !rng.percent(25) {
        return None;
    }
    Some(match rng.below(4) {
        0 => rng.below(60) as u32,
        1 => rng.between(60, 600) as u32,
        2 => rng.between(600, 8_000) as u32,
        _ => rng.between(8_000, 60_000) as u32,
    })
}

fn action(rng: &mut Rng, theme: u64, customer: u8, customers: &[u8]) -> Action {
    use Action::*;
    let recipient = rng.below(2) as u8;
    let is_thematic = rng.percent(45);
    let changes_customer = theme == CUSTOMERS_CHANGE && is_thematic;
    let reload = Reload { customer };
    let action = match theme {
        CUSTOMERS_CHANGE if is_thematic => rng.pick(&[Resume, reload, reload]),
        SHARED_QUOTE if is_thematic => rng.pick(&[Discard, Prepare, Submit]),
        HOLDS if is_thematic => rng.pick(&[Release, Cancel]),
        RECORDS if is_thematic => {
            rng.pick(&[CreateRecipient, CreateRecipient, CreateAccount, DeleteRecipient { recipient }])
        }
        PAGES_DIE if is_thematic => rng.pick(&[Die { awaits: 40 }, Freeze { awaits: 40 }, reload, Resume]),
        ONE_CUSTOMER_CLICKS if is_thematic => rng.pick(&[Pay, Discard, Submit]),
        COPIED if is_thematic => rng.pick(&[Pay, HoldListed, Discard, Resume]),
        _ => match rng.below(20) {
            0..=9 => Pay,
            10 => Prepare,
            11 | 12 => Submit,
            13 => Discard,
            14 => Resume,
            15 => reload,
            16 => Die { awaits: 60 },
            17 | 18 => Clock { off_by_s: 0 },
            _ => CreateRecipient,
        },
    };
    match action {
        Reload { .. } if changes_customer => Reload { customer: rng.pick(customers) },
        DeleteRecipient { .. } if rng.percent(50) => DeleteAccount { recipient },
        Die { awaits } => Die { awaits: rng.between(1, awaits.into()) as u32 },
        Freeze { awaits } => Freeze { awaits: rng.between(1, awaits.into()) as u32 },
        Clock { .. } => Clock {
            off_by_s: match rng.below(5) {
                0 => 0,
                1 => rng.between(1, 120) as i64,
                2 => -(rng.between(1, 120) as i64),
                3 => rng.between(120, 200_000) as i64,
                _ => -(rng.between(120, 200_000) as i64),
            },
        },
        action => action,
    }
}

fn nth(rng: &mut Rng) -> u8 {
    match rng.below(10) {
        0..=5 => 0,
        6 | 7 => 1,
        8 => 2,
        _ => rng.between(2, 7) as u8,
    }
}

fn fault(rng: &mut Rng, theme: u64) -> FaultKind {
    match rng.below(20) {
        0 => FaultKind::Token(match rng.below(5) {
            0 => TokenFault::Rejects,
            1 => TokenFault::Stalls,
            2 => TokenFault::Delays { ms: rng.between(100, 29_000) as u32 },
            3 => TokenFault::EndsAfter { ms: 0 },
            _ => TokenFault::EndsAfter { ms: rng.between(10, 20_000) as u32 },
        }),
        1 | 2 => {
            use JournalOp::{Keys, Load, Remove, Save};
            let op = rng.pick(&[Load, Save, Save, Save, Remove, Keys]);
            let fault = match rng.below(5) {
                0 => JournalFault::Fails,
                1 => JournalFault::FailsAfter,
                2 => JournalFault::Hangs,
                _ => JournalFault::Lags { ms: rng.between(10, 40_000) as u32, effect_first: rng.percent(50) },
            };
            FaultKind::Journal(op, fault)
        }
        3..=6 if rng.percent(8) => QUOTE_NOT_FOUND,
        3..=6 => FaultKind::Net(Target::Progress, read_fault(rng)),
        7 => {
            use Target::{Fields, Nonce, Other, Quote, ReadTransfer};
            match rng.pick(&[Nonce, Nonce, Quote, Fields, ReadTransfer, Other]) {
                Nonce if rng.percent(50) => FaultKind::Net(Nonce, NetFault::Replay),
                target => FaultKind::Net(target, read_fault(rng)),
            }
        }
        8..=11 if theme == HOLDS => FaultKind::Net(Target::Hold, write_fault(rng, Target::Hold)),
        8..=13 if theme == RECORDS => {
            let target = rng.pick(&[Target::Create, Target::Create, Target::Delete]);
            FaultKind::Net(target, write_fault(rng, target))
        }
        _ => FaultKind::Net(Target::Transfer, transfer_fault(rng)),
    }
}

const QUOTE_NOT_FOUND: FaultKind = FaultKind::Net(
    Target::Progress,
    NetFault::Answer { status: 400, code: "QuoteHistoryNotFound", commit: false, retry_after_s: None },
);

/// An answer in place of the service's; one about a quote or a limit is for transfers alone.
fn refusal(rng: &mut Rng, is_transfer: bool) -> NetFault {
    let (status, code) = pick_refusal(rng, UNCOMMITTED);
    let is_usable = is_transfer || !code.contains("Quote") && !code.contains("Limit");
    let code = if is_usable { code } else { "" };
    NetFault::Answer { status, code, commit: false, retry_after_s: retry_after(rng) }
}

fn refusal_after_commit(rng: &mut Rng, target: Target) -> NetFault {
    let (status, code) = pick_refusal(rng, after_commit(target));
    NetFault::Answer { status, code, commit: true, retry_after_s: retry_after(rng) }
}

fn retry_after(rng: &mut Rng) -> Option<u32> {
    rng.percent(25).then(|| rng.pick(&[0, 1, 5, 20, 29, 30, 31, 120]))
}

fn delay(rng: &mut Rng) -> u32 {
    (match rng.below(4) {
        0 => rng.between(1, 3_000),
        1 => rng.between(3_000, 32_000),
        2 => rng.between(30_000, 70_000),
        _ => rng.between(60_000, 400_000),
    }) as u32
}

fn slow_answer(rng: &mut Rng, from_ms: u64, to_ms: u64) -> NetFault {
    let ms = rng.between(from_ms, to_ms) as u32;
    if rng.percent(50) { NetFault::SlowAnswer { ms } } else { NetFault::Trickle { ms } }
}

fn read_fault(rng: &mut Rng) -> NetFault {
    match rng.below(6) {
        0 => NetFault::LoseRequest,
        1 => NetFault::LoseAnswer,
        2 => NetFault::Slow { ms: rng.between(100, 30_000) as u32 },
        3 => slow_answer(rng, 100, 30_000),
        _ => refusal(rng, false),
    }
}

fn transfer_fault(rng: &mut Rng) -> NetFault {
    match rng.below(20) {
        0 => NetFault::LoseRequest,
        1..=3 => NetFault::LoseAnswer,
        4..=7 => NetFault::Late { ms: delay(rng), fails: rng.percent(70) },
        8 => NetFault::Slow { ms: delay(rng) },
        9 => slow_answer(rng, 5_000, 60_000),
        10 => NetFault::During { ms: rng.between(500, 60_000) as u32 },
        11 => NetFault::Twice {
            gap_ms: rng.pick(&[0, 5, 200, 3_000]),
            second: rng.percent(60).then(|| pick_refusal(rng, after_commit(Target::Transfer))),
        },
        12 => NetFault::Again { ms: delay(rng) },
        13..=15 => refusal(rng, true),
        16 | 17 => refusal_after_commit(rng, Target::Transfer),
        18 => NetFault::Garbled,
        _ => NetFault::ProviderFails,
    }
}

fn write_fault(rng: &mut Rng, target: Target) -> NetFault {
    match rng.below(8) {
        0 => NetFault::LoseRequest,
        1 => NetFault::LoseAnswer,
        2 => NetFault::Late { ms: delay(rng), fails: rng.percent(70) },
        3 => slow_answer(rng, 5_000, 60_000),
        4 => NetFault::Garbled,
        5 => refusal(rng, false),
        _ => refusal_after_commit(rng, target),
    }
}

//! Histories from a seed. Each has a theme or two, so that related events meet more often than by chance.

use super::chance::Chance;
use super::history::{Act, Disk, Fault, History, Intent, Net, Op, Page, Source, Step, Target, What};

const REFUSALS: [(u16, &str); 16] = [
    (401, "Unauthorized"),
    (401, ""),
    (403, ""),
    (400, ""),
    (400, "RecipientNotFound"),
    (400, "QuoteAmountChanged"),
    (400, "Max24HourTransferCountLimitReached"),
    (400, "InsufficientFunds"),
    (404, ""),
    (408, ""),
    (409, ""),
    (429, ""),
    (429, "TooManyRequests"),
    (500, "InternalError"),
    (503, "ServiceUnavailable"),
    (502, ""),
];

/// What a service may say to a second copy, whose first has committed.
const AFTER_COMMIT: [(u16, &str); 11] = [
    (401, "Unauthorized"),
    (401, ""),
    (400, "QuoteAmountChanged"),
    (400, "Max24HourTransferCountLimitReached"),
    (400, "InsufficientFunds"),
    (408, ""),
    (429, "TooManyRequests"),
    (429, ""),
    (500, "InternalError"),
    (503, "ServiceUnavailable"),
    (502, ""),
];

/// Like those, for what is no transfer.
const AFTER_CREATE: [(u16, &str); 9] = [
    (404, ""),
    (409, ""),
    (401, "Unauthorized"),
    (408, ""),
    (429, "TooManyRequests"),
    (500, "InternalError"),
    (503, "ServiceUnavailable"),
    (502, ""),
    (504, ""),
];

/// And for a deletion: what is gone may be told as not found.
const AFTER_DELETE: &[(u16, &str)] = AFTER_CREATE.split_at(2).1;

/// And for the end of a hold, of which a second copy finds none.
const AFTER_HOLD: [(u16, &str); 9] = [
    (400, "BusinessOrDataValidationError"),
    (404, ""),
    (409, ""),
    (401, "Unauthorized"),
    (408, ""),
    (429, "TooManyRequests"),
    (500, "InternalError"),
    (503, "ServiceUnavailable"),
    (502, ""),
];

pub(crate) fn generate(seed: u64) -> History {
    let mut chance = Chance::new(seed);
    let chance = &mut chance;
    let theme = chance.below(9);
    let customers: Vec<u8> = match theme {
        0 | 1 => (0..chance.between(2, 4) as u8).map(|at| [0, 1, 2, 3][at as usize]).collect(),
        _ => vec![chance.below(4) as u8],
    };
    let page_count = match theme {
        2 => 1,
        _ => chance.between(1, 3),
    } as u8;
    let shares_journal = chance.percent(60);
    let shares_locks = chance.percent(85);
    let pages: Vec<Page> = (0..page_count)
        .map(|at| Page {
            journal: if shares_journal { 0 } else { at },
            locks: if shares_locks { 0 } else { at },
            customer: chance.pick(&customers),
            tells_sender: chance.percent(40),
        })
        .collect();

    let intent_count = chance.between(1, 3) as u8;
    let borrows = theme == 3 || chance.percent(8);
    let mut intents: Vec<Intent> = Vec::new();
    for at in 0..intent_count {
        let customer = if chance.percent(75) {
            pages[chance.below(u64::from(page_count)) as usize].customer
        } else {
            chance.pick(&customers)
        };
        let mut intent = Intent {
            customer,
            recipient: chance.below(2) as u8,
            quote_of: None,
            hold: theme == 4 || chance.percent(10),
        };
        if borrows && at > 0 && chance.percent(80) {
            let first = intents[0];
            intent = Intent {
                customer: first.customer,
                recipient: 1 - first.recipient,
                quote_of: Some(0),
                hold: false,
            };
            // A third one would be the second once more.
            if at > 1 {
                intent.quote_of = None;
            }
        }
        intents.push(intent);
    }

    let (mut steps, mut faults) = script(chance, theme, &pages, &intents);
    let step_count = chance.between(1, 9);
    let mut at_ms = steps.last().map_or(0, |step: &Step| step.at_ms);
    for _ in 0..step_count {
        at_ms += if theme == 7 && chance.percent(60) { chance.below(120) } else { gap(chance) };
        let mut page = chance.below(u64::from(page_count)) as u8;
        let mut intent = chance.below(u64::from(intent_count)) as u8;
        // One customer who clicks and clicks.
        if theme == 7 && chance.percent(80) {
            (page, intent) = (0, 0);
        }
        steps.push(Step { at_ms, page, act: act(chance, theme, page, intent, &pages, &customers) });
    }
    if steps.iter().all(|step| !matches!(step.act, Act::Pay { .. })) {
        steps.insert(0, Step { at_ms: 0, page: 0, act: Act::Pay { intent: 0, abort: None } });
    }

    let fault_count = [0, 1, 1, 2, 2, 3, 4, 5, 7][chance.below(9) as usize];
    for _ in 0..fault_count {
        let page = chance.below(u64::from(page_count)) as u8;
        faults.push(Fault { page, nth: nth(chance), what: what(chance, theme) });
    }
    // A service that has forgotten a quote.
    if theme == 8 && chance.percent(60) {
        let what = What::Net(
            Target::Transfer,
            chance.pick(&[Net::LoseAnswer, Net::Garbled, Net::SlowAnswer { ms: 20_000 }]),
        );
        faults.push(Fault { page: steps[0].page, nth: 0, what });
        let (status, code) = (400, "QuoteHistoryNotFound");
        let what =
            What::Net(Target::Progress, Net::Answer { status, code, commit: false, retry_after_s: None });
        let pages = 0..page_count;
        let numbers = 0..chance.between(1, 30) as u8;
        faults.extend(pages.flat_map(|page| numbers.clone().map(move |nth| Fault { page, nth, what })));
    }
    // A service or a network that goes on failing.
    if chance.percent(12) {
        let what = what(chance, theme);
        let page = chance.below(u64::from(page_count)) as u8;
        faults.extend((0..chance.between(2, 8) as u8).map(|nth| Fault { page, nth, what }));
    }
    // Known and documented: without Web Locks an attempt that one tab drops within the milliseconds in which
    // another begins to send it is reported as dropped, and made.
    if shares_journal && !shares_locks && page_count > 1 {
        for step in &mut steps {
            if matches!(step.act, Act::Discard { .. }) {
                step.act = Act::Resume { abort: None };
            }
        }
    }
    History { seed, pages, intents, steps, faults }
}

/// What a history of some themes begins with: chance alone would seldom have these in this order.
fn script(chance: &mut Chance, theme: u64, pages: &[Page], intents: &[Intent]) -> (Vec<Step>, Vec<Fault>) {
    if !chance.percent(40) || theme != 8 && (theme != 3 || intents.len() < 2) {
        return Default::default();
    }
    let (intent, abort) = (0, None);
    let page = chance.below(pages.len() as u64) as u8;
    let other = chance.below(pages.len() as u64) as u8;
    let acts: &[(u8, Act)] = match theme {
        // A quote that passes from one attempt to the next, and somebody who still holds the first.
        3 if other == page => &[
            (page, Act::Prepare { intent }),
            (page, Act::Discard { intent }),
            (page, Act::Prepare { intent: 1 }),
            (page, Act::Discard { intent }),
            (page, Act::Submit { intent, abort }),
        ],
        // The same, after another tab has made the first one.
        3 => &[
            (page, Act::Prepare { intent }),
            (other, Act::Resume { abort }),
            (other, Act::Prepare { intent: 1 }),
            (page, Act::Discard { intent }),
        ],
        8 if other != page => return end_of_quote(chance, page, other),
        // An attempt that is asked about when its quote has long ended.
        _ => &[
            (page, Act::Pay { intent, abort }),
            (page, Act::Resume { abort }),
            (page, Act::Resume { abort }),
        ],
    };
    let mut at_ms = 0;
    let mut steps = Vec::new();
    for (by, act) in acts {
        steps.push(Step { at_ms, page: *by, act: *act });
        at_ms += match theme {
            8 => chance.between(100_000, 1_500_000),
            _ if other != page => chance.between(5_000, 12_000),
            _ => chance.between(100, 6_000),
        };
    }
    (steps, Vec::new())
}

/// A tab in which nothing arrives, and another one that sends the same just before the quote ends by their
/// clocks, which are ahead.
fn end_of_quote(chance: &mut Chance, page: u8, other: u8) -> (Vec<Step>, Vec<Fault>) {
    let (intent, abort) = (0, None);
    let off_by_s = chance.between(10, 280);
    let end_ms = (900 - off_by_s) * 1_000;
    let steps = [
        (0, page, Act::Clock { off_by_s: off_by_s as i64 }),
        (0, other, Act::Clock { off_by_s: off_by_s as i64 }),
        (0, page, Act::Pay { intent, abort }),
        (end_ms - chance.between(500, 20_000), other, Act::Resume { abort }),
        (end_ms + chance.between(500, 60_000), page, Act::Resume { abort }),
    ];
    let fault = |page, nth, net| Fault { page, nth, what: What::Net(Target::Transfer, net) };
    let late = Net::Late { ms: delay(chance), told: true };
    let lost = (0..8).flat_map(|nth| [page, other].map(|by| fault(by, nth, Net::LoseRequest)));
    let steps = steps.map(|(at_ms, page, act)| Step { at_ms, page, act });
    (steps.to_vec(), [fault(other, 0, late)].into_iter().chain(lost).collect())
}

fn gap(chance: &mut Chance) -> u64 {
    match chance.below(12) {
        0..=3 => chance.below(300),
        4..=6 => chance.between(300, 5_000),
        7 | 8 => chance.between(5_000, 40_000),
        9 => chance.between(40_000, 200_000),
        10 => chance.between(200_000, 1_500_000),
        _ if chance.percent(30) => chance.between(3_600_000, 180_000_000),
        _ => chance.between(1_000, 10_000),
    }
}

fn abort(chance: &mut Chance) -> Option<u32> {
    if !chance.percent(25) {
        return None;
    }
    Some(match chance.below(4) {
        0 => chance.below(60) as u32,
        1 => chance.between(60, 600) as u32,
        2 => chance.between(600, 8_000) as u32,
        _ => chance.between(8_000, 60_000) as u32,
    })
}

fn act(chance: &mut Chance, theme: u64, page: u8, intent: u8, pages: &[Page], customers: &[u8]) -> Act {
    let abort = abort(chance);
    let recipient = chance.below(2) as u8;
    let theme_act = chance.percent(45);
    match theme {
        0 | 1 if theme_act => match chance.below(3) {
            0 => Act::Resume { abort },
            _ => Act::Reload { customer: chance.pick(customers) },
        },
        3 if theme_act => match chance.below(3) {
            0 => Act::Discard { intent },
            1 => Act::Prepare { intent },
            _ => Act::Submit { intent, abort },
        },
        4 if theme_act => match chance.below(2) {
            0 => Act::Release { intent, abort },
            _ => Act::Cancel { intent, abort },
        },
        5 if theme_act => match chance.below(4) {
            0 | 1 => Act::CreateRecipient { abort },
            2 => Act::CreateAccount { abort },
            _ if chance.percent(50) => Act::DeleteRecipient { recipient, abort },
            _ => Act::DeleteAccount { recipient, abort },
        },
        6 if theme_act => match chance.below(3) {
            0 => Act::Die { awaits: chance.between(1, 40) as u32 },
            1 => Act::Reload { customer: pages[page as usize].customer },
            _ => Act::Resume { abort },
        },
        7 if theme_act => match chance.below(3) {
            0 => Act::Pay { intent, abort },
            1 => Act::Discard { intent },
            _ => Act::Submit { intent, abort },
        },
        _ => match chance.below(20) {
            0..=8 => Act::Pay { intent, abort },
            9 => Act::Prepare { intent },
            10 | 11 => Act::Submit { intent, abort },
            12 => Act::Discard { intent },
            13 => Act::Resume { abort },
            14 => Act::Reload { customer: pages[page as usize].customer },
            15 => Act::Die { awaits: chance.between(1, 60) as u32 },
            16 | 17 => Act::Clock {
                off_by_s: match chance.below(5) {
                    0 => 0,
                    1 => chance.between(1, 120) as i64,
                    2 => -(chance.between(1, 120) as i64),
                    3 => chance.between(120, 200_000) as i64,
                    _ => -(chance.between(120, 200_000) as i64),
                },
            },
            18 => Act::CreateRecipient { abort },
            _ => Act::Pay { intent, abort: None },
        },
    }
}

fn nth(chance: &mut Chance) -> u8 {
    match chance.below(10) {
        0..=5 => 0,
        6 | 7 => 1,
        8 => 2,
        _ => chance.between(2, 7) as u8,
    }
}

fn what(chance: &mut Chance, theme: u64) -> What {
    match chance.below(20) {
        0 => What::Source(match chance.below(5) {
            0 => Source::Rejects,
            1 => Source::Stalls,
            2 => Source::Delays { ms: chance.between(100, 29_000) as u32 },
            3 => Source::Ended,
            _ => Source::EndsAfter { ms: chance.between(10, 20_000) as u32 },
        }),
        1 | 2 => What::Disk(
            chance.pick(&[Op::Load, Op::Save, Op::Save, Op::Save, Op::Remove, Op::Keys]),
            match chance.below(5) {
                0 => Disk::Fails,
                1 => Disk::FailsAfter,
                2 => Disk::Hangs,
                _ => Disk::Lags { ms: chance.between(10, 40_000) as u32, effect_first: chance.percent(50) },
            },
        ),
        3..=6 => progress(chance),
        7 => {
            let target = chance.pick(&[
                Target::Nonce,
                Target::Quote,
                Target::Fields,
                Target::ReadTransfer,
                Target::Other,
            ]);
            What::Net(target, reading(chance))
        }
        8..=11 if theme == 4 => What::Net(Target::Hold, writing(chance, &AFTER_HOLD)),
        8..=13 if theme == 5 => match chance.pick(&[Target::Create, Target::Create, Target::Delete]) {
            Target::Create => What::Net(Target::Create, writing(chance, &AFTER_CREATE)),
            target => What::Net(target, writing(chance, AFTER_DELETE)),
        },
        _ => What::Net(Target::Transfer, transfer(chance)),
    }
}

fn progress(chance: &mut Chance) -> What {
    if chance.percent(8) {
        let (status, code) = (400, "QuoteHistoryNotFound");
        return What::Net(Target::Progress, Net::Answer { status, code, commit: false, retry_after_s: None });
    }
    What::Net(Target::Progress, reading(chance))
}

fn reading(chance: &mut Chance) -> Net {
    match chance.below(6) {
        0 => Net::LoseRequest,
        1 => Net::LoseAnswer,
        2 => Net::Slow { ms: chance.between(100, 30_000) as u32 },
        3 => Net::SlowAnswer { ms: chance.between(100, 30_000) as u32 },
        _ => {
            let (status, code) = chance.pick(&REFUSALS);
            let code = if code.contains("Quote") || code.contains("Limit") { "" } else { code };
            Net::Answer { status, code, commit: false, retry_after_s: retry_after(chance) }
        }
    }
}

fn retry_after(chance: &mut Chance) -> Option<u32> {
    chance.percent(25).then(|| chance.pick(&[0, 1, 5, 20, 29, 30, 31, 120]))
}

fn delay(chance: &mut Chance) -> u32 {
    (match chance.below(4) {
        0 => chance.between(1, 3_000),
        1 => chance.between(3_000, 32_000),
        2 => chance.between(30_000, 70_000),
        _ => chance.between(60_000, 400_000),
    }) as u32
}

fn transfer(chance: &mut Chance) -> Net {
    match chance.below(20) {
        0 => Net::LoseRequest,
        1..=3 => Net::LoseAnswer,
        4..=7 => Net::Late { ms: delay(chance), told: chance.percent(70) },
        8 => Net::Slow { ms: delay(chance) },
        9 => Net::SlowAnswer { ms: chance.between(5_000, 60_000) as u32 },
        10 => Net::During { ms: chance.between(500, 60_000) as u32 },
        11 => Net::Twice {
            gap_ms: chance.pick(&[0, 5, 200, 3_000]),
            second: chance.percent(60).then(|| chance.pick(&AFTER_COMMIT)),
        },
        12 => Net::Again { ms: delay(chance) },
        13..=15 => {
            let (status, code) = chance.pick(&REFUSALS);
            Net::Answer { status, code, commit: false, retry_after_s: retry_after(chance) }
        }
        16 | 17 => {
            let (status, code) = chance.pick(&AFTER_COMMIT);
            Net::Answer { status, code, commit: true, retry_after_s: retry_after(chance) }
        }
        18 => Net::Garbled,
        _ => Net::ProviderFails,
    }
}

fn writing(chance: &mut Chance, after_commit: &[(u16, &'static str)]) -> Net {
    match chance.below(8) {
        0 => Net::LoseRequest,
        1 => Net::LoseAnswer,
        2 => Net::Late { ms: delay(chance), told: chance.percent(70) },
        3 => Net::SlowAnswer { ms: chance.between(5_000, 60_000) as u32 },
        4 => Net::Garbled,
        5 => {
            let (status, code) = chance.pick(&REFUSALS);
            let code = if code.contains("Quote") || code.contains("Limit") { "" } else { code };
            Net::Answer { status, code, commit: false, retry_after_s: retry_after(chance) }
        }
        _ => {
            let (status, code) = chance.pick(after_commit);
            Net::Answer { status, code, commit: true, retry_after_s: retry_after(chance) }
        }
    }
}

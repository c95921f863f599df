//! The shortest history in which the same rule is broken.

use super::history::{Act, Disk, Fault, History, Net, Source, Step, What};

/// Tries ever simpler histories as long as `fails` says that they fail too.
pub(crate) fn shrink(history: &History, mut fails: impl FnMut(&History) -> bool) -> History {
    let mut best = history.clone();
    loop {
        let simpler = candidates(&best).into_iter().find(|candidate| fails(candidate));
        match simpler {
            Some(simpler) => best = simpler,
            None => return best,
        }
    }
}

fn candidates(history: &History) -> Vec<History> {
    let mut all = Vec::new();
    let with = |change: &dyn Fn(&mut History)| {
        let mut changed = history.clone();
        change(&mut changed);
        changed
    };
    // Halves first, then one by one.
    if history.faults.len() > 2 {
        let half = history.faults.len() / 2;
        all.push(with(&|history| _ = history.faults.drain(..half)));
        all.push(with(&|history| history.faults.truncate(half)));
    }
    for at in 0..history.faults.len() {
        all.push(with(&|history| _ = history.faults.remove(at)));
    }
    for at in 0..history.steps.len() {
        all.push(with(&|history| _ = history.steps.remove(at)));
    }
    if let Some(last) = history.pages.len().checked_sub(1).filter(|last| *last > 0) {
        let is_used = |page: u8| usize::from(page) == last;
        if !history.steps.iter().any(|step| is_used(step.page))
            && !history.faults.iter().any(|fault| is_used(fault.page))
        {
            all.push(with(&|history| _ = history.pages.pop()));
        }
        for from in 1..history.pages.len() {
            all.push(with(&|history| {
                let move_down = |page: &mut u8| *page -= u8::from(usize::from(*page) == from);
                history.steps.iter_mut().for_each(|step| move_down(&mut step.page));
                history.faults.iter_mut().for_each(|fault| move_down(&mut fault.page));
            }));
        }
    }
    if let Some(last) = history.intents.len().checked_sub(1).filter(|last| *last > 0)
        && !history.steps.iter().any(|step| intent_of(step.act) == Some(last as u8))
    {
        all.push(with(&|history| _ = history.intents.pop()));
    }
    for at in 0..history.intents.len() {
        for step in 0..history.steps.len() {
            if at > 0 && intent_of(history.steps[step].act) == Some(at as u8) {
                all.push(with(&|history| set_intent(&mut history.steps[step].act, 0)));
            }
        }
        if history.intents[at].hold {
            all.push(with(&|history| history.intents[at].hold = false));
        }
        if history.intents[at].quote_of.is_some() {
            all.push(with(&|history| history.intents[at].quote_of = None));
        }
    }
    for at in 0..history.pages.len() {
        if history.pages[at].journal > 0 {
            all.push(with(&|history| history.pages[at].journal = 0));
        }
        if history.pages[at].tells_sender {
            all.push(with(&|history| history.pages[at].tells_sender = false));
        }
        if history.pages[at].locks > 0 {
            all.push(with(&|history| history.pages[at].locks = 0));
        }
    }
    for (at, step) in history.steps.iter().enumerate() {
        for simpler in simpler_step(*step, at.checked_sub(1).map(|before| history.steps[before].at_ms)) {
            all.push(with(&|history| history.steps[at] = simpler));
        }
        // All that follow earlier by as much.
        let before_ms = at.checked_sub(1).map_or(0, |before| history.steps[before].at_ms);
        let gap_ms = step.at_ms - before_ms;
        for less_ms in [gap_ms, gap_ms / 2, gap_ms % 1000] {
            if less_ms > 0 {
                all.push(with(&|history| {
                    history.steps.iter_mut().skip(at).for_each(|step| step.at_ms -= less_ms);
                }));
            }
        }
    }
    for (at, fault) in history.faults.iter().enumerate() {
        for simpler in simpler_fault(*fault) {
            all.push(with(&|history| history.faults[at] = simpler));
        }
    }
    all.retain(|candidate| candidate != history);
    all
}

fn intent_of(act: Act) -> Option<u8> {
    match act {
        Act::Pay { intent, .. }
        | Act::Prepare { intent }
        | Act::Submit { intent, .. }
        | Act::Discard { intent }
        | Act::Release { intent, .. }
        | Act::Cancel { intent, .. } => Some(intent),
        _ => None,
    }
}

fn set_intent(act: &mut Act, to: u8) {
    match act {
        Act::Pay { intent, .. }
        | Act::Prepare { intent }
        | Act::Submit { intent, .. }
        | Act::Discard { intent }
        | Act::Release { intent, .. }
        | Act::Cancel { intent, .. } => *intent = to,
        _ => {}
    }
}

/// Smaller numbers; each is smaller than the one before, so that shrinking ends.
fn smaller(number: u32) -> Vec<u32> {
    let round = [1000, 100, 10].into_iter().map(|unit| number / unit * unit);
    let mut all: Vec<u32> = [0, number / 2].into_iter().chain(round).filter(|less| *less < number).collect();
    all.dedup();
    all
}

fn simpler_step(step: Step, _: Option<u64>) -> Vec<Step> {
    let with = |act| Step { act, ..step };
    let aborts = |abort: Option<u32>| {
        let less = abort.map(smaller).unwrap_or_default().into_iter().map(Some);
        abort.map(|_| None).into_iter().chain(less).collect::<Vec<Option<u32>>>()
    };
    match step.act {
        Act::Pay { intent, abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::Pay { intent, abort })).collect()
        }
        Act::Submit { intent, abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::Submit { intent, abort })).collect()
        }
        Act::Resume { abort } => aborts(abort).into_iter().map(|abort| with(Act::Resume { abort })).collect(),
        Act::CreateRecipient { abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::CreateRecipient { abort })).collect()
        }
        Act::CreateAccount { abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::CreateAccount { abort })).collect()
        }
        Act::DeleteRecipient { recipient, abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::DeleteRecipient { recipient, abort })).collect()
        }
        Act::DeleteAccount { recipient, abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::DeleteAccount { recipient, abort })).collect()
        }
        Act::Release { intent, abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::Release { intent, abort })).collect()
        }
        Act::Cancel { intent, abort } => {
            aborts(abort).into_iter().map(|abort| with(Act::Cancel { intent, abort })).collect()
        }
        Act::Die { awaits } => smaller(awaits).into_iter().map(|awaits| with(Act::Die { awaits })).collect(),
        Act::Clock { off_by_s } => [0, off_by_s / 2, off_by_s / 100 * 100]
            .into_iter()
            .filter(|less| less.abs() < off_by_s.abs())
            .map(|off_by_s| with(Act::Clock { off_by_s }))
            .collect(),
        _ => Vec::new(),
    }
}

fn simpler_fault(fault: Fault) -> Vec<Fault> {
    let with = |what| Fault { what, ..fault };
    let net = |target, net| with(What::Net(target, net));
    let mut all = Vec::new();
    if fault.nth > 0 {
        all.push(Fault { nth: fault.nth - 1, ..fault });
    }
    match fault.what {
        What::Net(target, what) => match what {
            Net::Late { ms, told } => {
                all.push(net(target, Net::LoseAnswer));
                if !told {
                    all.push(net(target, Net::Late { ms, told: true }));
                }
                all.extend(smaller(ms).into_iter().map(|ms| net(target, Net::Late { ms, told })));
            }
            Net::Slow { ms } => all.extend(smaller(ms).into_iter().map(|ms| net(target, Net::Slow { ms }))),
            Net::SlowAnswer { ms } => {
                all.push(net(target, Net::LoseAnswer));
                all.extend(smaller(ms).into_iter().map(|ms| net(target, Net::SlowAnswer { ms })));
            }
            Net::During { ms } => {
                all.extend(smaller(ms).into_iter().map(|ms| net(target, Net::During { ms })))
            }
            Net::Again { ms } => all.extend(smaller(ms).into_iter().map(|ms| net(target, Net::Again { ms }))),
            Net::Twice { gap_ms, second } => {
                if second.is_some() {
                    all.push(net(target, Net::Twice { gap_ms, second: None }));
                }
                all.extend(
                    smaller(gap_ms).into_iter().map(|gap_ms| net(target, Net::Twice { gap_ms, second })),
                );
            }
            Net::Answer { status, code, commit, retry_after_s } => {
                if retry_after_s.is_some() {
                    all.push(net(target, Net::Answer { status, code, commit, retry_after_s: None }));
                }
                if commit {
                    all.push(net(target, Net::Answer { status, code, commit: false, retry_after_s }));
                    all.push(net(target, Net::LoseAnswer));
                } else {
                    all.push(net(target, Net::LoseRequest));
                }
            }
            Net::Garbled => all.push(net(target, Net::LoseAnswer)),
            Net::ProviderFails => all.push(net(target, Net::LoseRequest)),
            Net::LoseAnswer => all.push(net(target, Net::LoseRequest)),
            Net::LoseRequest => {}
        },
        What::Disk(op, Disk::Lags { ms, effect_first }) => {
            all.extend(
                smaller(ms).into_iter().map(|ms| with(What::Disk(op, Disk::Lags { ms, effect_first }))),
            );
        }
        What::Disk(op, Disk::Hangs | Disk::FailsAfter) => all.push(with(What::Disk(op, Disk::Fails))),
        What::Source(Source::Delays { ms }) => {
            all.extend(smaller(ms).into_iter().map(|ms| with(What::Source(Source::Delays { ms }))));
        }
        What::Source(Source::EndsAfter { .. }) => all.push(with(What::Source(Source::Ended))),
        _ => {}
    }
    all
}

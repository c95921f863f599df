//! Shrinking: the shortest history that still breaks a rule.

use super::history::{Action, Fault, FaultKind, History, JournalFault, NetFault, Version};

/// Tries ever simpler histories as long as they fail too.
pub(crate) fn shrink(history: &History, mut fails: impl FnMut(&History) -> bool) -> History {
    let mut best = history.clone();
    while let Some(simpler) = candidates(&best).into_iter().find(|candidate| fails(candidate)) {
        best = simpler;
    }
    best
}

fn candidates(history: &History) -> Vec<History> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut History)| {
        let mut changed = history.clone();
        change(&mut changed);
        if changed != *history {
            all.push(changed);
        }
    };
    // Halves first, then one by one.
    let half = history.faults.len() / 2;
    with(&|history| _ = history.faults.drain(..half));
    with(&|history| history.faults.truncate(half.max(1)));
    for at in 0..history.faults.len() {
        with(&|history| _ = history.faults.remove(at));
    }
    for at in 0..history.steps.len() {
        with(&|history| _ = history.steps.remove(at));
    }
    let last_page = history.pages.len() - 1;
    let uses_last_page = |page: u8| usize::from(page) == last_page;
    let is_used = history.steps.iter().any(|step| uses_last_page(step.page))
        || history.faults.iter().any(|fault| uses_last_page(fault.page));
    if last_page > 0 && !is_used {
        with(&|history| _ = history.pages.pop());
    }
    for from in 1..history.pages.len() {
        with(&|history| {
            let move_down = |page: &mut u8| *page -= u8::from(usize::from(*page) == from);
            history.steps.iter_mut().for_each(|step| move_down(&mut step.page));
            history.faults.iter_mut().for_each(|fault| move_down(&mut fault.page));
        });
    }
    let last_intent = history.intents.len() - 1;
    if last_intent > 0 && history.steps.iter().all(|step| usize::from(step.intent) != last_intent) {
        with(&|history| _ = history.intents.pop());
    }
    for at in 0..history.intents.len() {
        with(&|history| history.intents[at].hold = false);
        with(&|history| history.intents[at].quote_of = None);
        with(&|history| history.intents[at].is_named = false);
    }
    for at in 0..history.pages.len() {
        with(&|history| history.pages[at].journal = 0);
        with(&|history| history.pages[at].knows_sender = false);
        with(&|history| history.pages[at].locks = 0);
        with(&|history| history.pages[at].version = Version::Current);
    }
    for (at, step) in history.steps.iter().enumerate() {
        with(&|history| history.steps[at].intent = 0);
        with(&|history| history.steps[at].abort = None);
        for abort in step.abort.into_iter().flat_map(smaller) {
            with(&|history| history.steps[at].abort = Some(abort));
        }
        for action in simpler_actions(step.action) {
            with(&|history| history.steps[at].action = action);
        }
        // Move the step and all that follow it to an earlier time.
        let before_ms = at.checked_sub(1).map_or(0, |before| history.steps[before].at_ms);
        let gap_ms = step.at_ms - before_ms;
        for less_ms in [gap_ms, gap_ms / 2, gap_ms % 1000] {
            with(&|history| history.steps.iter_mut().skip(at).for_each(|step| step.at_ms -= less_ms));
        }
    }
    for (at, fault) in history.faults.iter().enumerate() {
        with(&|history| history.faults[at].nth = fault.nth.saturating_sub(1));
        for kind in simpler_faults(fault.kind) {
            with(&|history| history.faults[at] = Fault { kind, ..*fault });
        }
    }
    all
}

/// Returns simpler numbers, each smaller than this one, so that shrinking ends.
fn smaller(number: u32) -> impl Iterator<Item = u32> {
    let round = [1000, 100, 10].map(|unit| number / unit * unit);
    [0, number / 2].into_iter().chain(round).filter(move |less| *less < number)
}

fn simpler_actions(action: Action) -> Vec<Action> {
    match action {
        Action::Die { awaits } => smaller(awaits).map(|awaits| Action::Die { awaits }).collect(),
        Action::Freeze { awaits } => smaller(awaits).map(|awaits| Action::Freeze { awaits }).collect(),
        Action::Clock { off_by_s } => [0, off_by_s / 2, off_by_s / 100 * 100]
            .into_iter()
            .filter(|less| less.abs() < off_by_s.abs())
            .map(|off_by_s| Action::Clock { off_by_s })
            .collect(),
        _ => Vec::new(),
    }
}

fn simpler_faults(kind: FaultKind) -> Vec<FaultKind> {
    use NetFault::*;
    let net =
        |target, faults: &[NetFault]| faults.iter().map(|fault| FaultKind::Net(target, *fault)).collect();
    let mut all: Vec<FaultKind> = match kind {
        FaultKind::Net(target, fault) => match fault {
            Late { ms, .. } => net(target, &[LoseAnswer, Late { ms, fails: true }]),
            Twice { gap_ms, .. } => net(target, &[Twice { gap_ms, second: None }]),
            Answer { status, code, commit, .. } => {
                let early = Answer { status, code, commit: false, retry_after_s: None };
                let lost = if commit { LoseAnswer } else { LoseRequest };
                net(target, &[Answer { status, code, commit, retry_after_s: None }, early, lost])
            }
            SlowAnswer { .. } | Trickle { .. } | Garbled => net(target, &[LoseAnswer]),
            ProviderFails | LoseAnswer => net(target, &[LoseRequest]),
            _ => Vec::new(),
        },
        FaultKind::Journal(op, JournalFault::Hangs | JournalFault::FailsAfter) => {
            vec![FaultKind::Journal(op, JournalFault::Fails)]
        }
        _ => Vec::new(),
    };
    let mut shorter = kind;
    if let Some(ms) = shorter.ms_mut().copied() {
        all.extend(smaller(ms).filter_map(|less| {
            *shorter.ms_mut()? = less;
            Some(shorter)
        }));
    }
    all
}

//! The submitters of one attempt: one run serves them all, each with its own bound and signal.

use std::rc::Rc;

use super::{Driver, EffectRunner, Purpose, Run};
use crate::api::{Code, Error};
use crate::client::TransferOutcome;
use crate::client::effect::Effect;
use crate::client::flow::{Outcome, Task};
use crate::client::journal::AttemptId;
use crate::client::submission::{ABORT_GRACE_MS, unknown};

pub(super) struct Submitter {
    pub(super) call: u32,
    pub(super) attempt: Rc<AttemptId>,
    pub(super) stage: Stage,
    pub(super) timer: u32,
    pub(super) is_aborted: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Stage {
    /// The current run was aborted and sends nothing more. If it fails, another run follows.
    Behind,
    Waiting,
    /// The caller has given up, and still gets an outcome that is certain within the grace period.
    Leaving,
}

impl<R: EffectRunner> Driver<R> {
    /// Joins the attempt's run, or begins one.
    pub(super) fn join(&self, call: u32) {
        let found = self.submitter(call).map(|found| (Rc::clone(&found.attempt), found.is_aborted));
        let Some((attempt, is_aborted)) = found else { return };
        let is_run_aborted = self.run_of(&attempt).map(|(_, is_aborted)| is_aborted);
        let stage = if is_run_aborted == Some(true) { Stage::Behind } else { Stage::Waiting };
        if let Some(mut found) = self.submitter(call) {
            found.stage = stage;
        }
        if is_run_aborted.is_none() {
            let task = Task::Submit(AttemptId::clone(&attempt));
            self.start(self.own_id(), Purpose::Submission(attempt), task, is_aborted);
        }
    }

    fn run_of(&self, attempt: &AttemptId) -> Option<(u32, bool)> {
        let is_of = |run: &&Run| matches!(&run.purpose, Purpose::Submission(of) if **of == *attempt);
        self.runs.borrow().iter().find(is_of).map(|run| (run.id, run.is_aborted))
    }

    /// Gives up a submission, by its caller's signal or its upper bound.
    pub(super) fn give_up(&self, call: u32) {
        let timer = self.own_id();
        let changed = self.submitter(call).map(|mut found| {
            let before = std::mem::replace(&mut found.stage, Stage::Leaving);
            (before, std::mem::replace(&mut found.timer, timer), Rc::clone(&found.attempt))
        });
        match changed {
            Some((Stage::Waiting, before, attempt)) => {
                self.runner.stop(before);
                self.runner.begin(timer, Effect::Wait { ms: ABORT_GRACE_MS });
                self.abort_unless_awaited(&attempt);
            }
            Some((_, before, _)) => {
                self.runner.stop(before);
                self.end_unknown(call);
            }
            None => {}
        }
    }

    pub(super) fn abort_unless_awaited(&self, attempt: &AttemptId) {
        let waits = |found: &Submitter| found.stage == Stage::Waiting && *found.attempt == *attempt;
        let is_awaited = self.submitters.borrow().iter().any(waits);
        if let Some((run, _)) = self.run_of(attempt).filter(|_| !is_awaited) {
            self.abort_run(run);
        }
    }

    /// Passes the outcome of the attempt's run on.
    pub(super) fn settle(&self, call: u32, outcome: &Result<Rc<TransferOutcome>, Error>) {
        let found = self.submitter(call).map(|found| (found.stage, found.is_aborted));
        let outcome = match (outcome, found) {
            (_, None) => return,
            (Err(_), Some((Stage::Behind, _))) => return self.join(call),
            // The upper bound ended it, and not this caller's signal.
            (Err(error), Some((_, false))) if error.code() == Code::Aborted => Err(Error::new(Code::Timeout)),
            (Err(error), _) => Err(error.clone()),
            (Ok(transfer), _) => Ok(Outcome::Transfer(Rc::clone(transfer))),
        };
        self.end(call, outcome);
    }

    pub(super) fn end_unknown(&self, call: u32) {
        let error = self.submitter(call).map(|found| unknown(&found.attempt.quote_history_id));
        if let Some(error) = error {
            self.end(call, Err(error));
        }
    }

    /// Ends one submission. The journal keeps the attempt until the page has had time to show the transfer;
    /// an outcome that no caller got stays there for the next page.
    pub(super) fn end(&self, call: u32, outcome: Result<Outcome, Error>) {
        let Some(Submitter { attempt, .. }) = self.remove_submitter(call) else { return };
        if outcome.is_ok() {
            let task = Task::Forget(AttemptId::clone(&attempt));
            self.start(self.own_id(), Purpose::Background, task, false);
        }
        self.runner.end(call, outcome);
    }

    pub(super) fn remove_submitter(&self, call: u32) -> Option<Submitter> {
        let removed = {
            let mut submitters = self.submitters.borrow_mut();
            let place = submitters.iter().position(|found| found.call == call);
            // Keep the order: callers get their outcomes in the order of their calls.
            place.map(|place| submitters.remove(place))
        };
        if let Some(Submitter { timer, .. }) = removed {
            self.runner.stop(timer);
        }
        removed
    }
}

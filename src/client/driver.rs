//! Runs the flows of all callers over one [`EffectRunner`]: single-flight token requests, and one run of an
//! attempt however many callers submit it.

mod submitters;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

use self::submitters::{Stage, Submitter};
use super::ClientCore;
use super::effect::{Awaited, Effect, EffectResult};
use super::flow::{Flow, Outcome, Step, Task};
use super::journal::AttemptId;
use super::safeguards::Safeguard;
use super::submission::{ABORT_GRACE_MS, longest_submission_ms};
use crate::api::{Code, Error, collect};

/// Runs the effects of a [`Driver`] without blocking: a result comes later by [`Driver::complete`], never
/// before `begin` returns.
pub(crate) trait EffectRunner {
    /// Begins an effect, whose result comes once under this number.
    fn begin(&self, id: u32, effect: Effect);
    /// Cancels the effect of this number, which then has no result.
    fn stop(&self, id: u32);
    /// Releases the lock that was granted under this number, if any.
    fn release(&self, id: u32);
    /// Hands the outcome of a call to its caller.
    fn end(&self, call: u32, outcome: Result<Outcome, Error>);
}

/// Calls in progress. Callers number theirs from 1 upward; the driver numbers its own from the other end.
///
/// Release every borrow before calling the runner: it may run code of the page, which may begin or abort
/// another call.
pub(crate) struct Driver<R> {
    core: ClientCore,
    runner: R,
    runs: RefCell<Vec<Run>>,
    submitters: RefCell<Vec<Submitter>>,
    /// The token request in flight, and the runs that wait for it.
    token: RefCell<Option<(u32, Vec<u32>)>>,
    last_own_id: Cell<u32>,
}

struct Run {
    id: u32,
    purpose: Purpose,
    /// Taken out while it runs.
    flow: Option<Flow>,
    /// What it waits for, and whether an abort ends that.
    awaits: Option<(Awaited, bool)>,
    is_aborted: bool,
}

type Then = Box<dyn FnOnce(Result<Outcome, Error>)>;

enum Purpose {
    /// A caller's call: the runner takes its outcome.
    Call,
    /// A call whose outcome a callback takes.
    #[cfg_attr(not(feature = "js"), allow(dead_code, reason = "for JavaScript"))]
    Then(Then),
    /// An attempt: all its submitters get its outcome. It continues when none waits any more: stopped
    /// half-way, it would keep its lock and have no outcome.
    Submission(Rc<AttemptId>),
    /// Work of the driver, without an outcome.
    Background,
}

impl<R: EffectRunner> Driver<R> {
    pub(crate) fn new(core: ClientCore, runner: R) -> Self {
        let (runs, submitters, token, last_own_id) = Default::default();
        Driver { core, runner, runs, submitters, token, last_own_id }
    }

    pub(crate) fn core(&self) -> &ClientCore {
        &self.core
    }

    pub(crate) fn runner(&self) -> &R {
        &self.runner
    }

    /// Whether no call is in progress.
    pub(crate) fn is_idle(&self) -> bool {
        self.runs.borrow().is_empty() && self.submitters.borrow().is_empty() && self.token.borrow().is_none()
    }

    /// Begins a call under a number of the caller's.
    pub(crate) fn begin(&self, call: u32, task: Task, is_aborted: bool) {
        let Task::Submit(attempt) = task else {
            return self.start(call, Purpose::Call, task, is_aborted);
        };
        let (attempt, timer) = (Rc::new(attempt), self.own_id());
        let submitter = Submitter { call, attempt, stage: Stage::Behind, timer, is_aborted };
        self.submitters.borrow_mut().push(submitter);
        let ms = longest_submission_ms(self.core.timeout_ms()) - ABORT_GRACE_MS;
        self.runner.begin(timer, Effect::Wait { ms });
        self.join(call);
        if is_aborted {
            self.give_up(call);
        }
    }

    /// Begins a call whose outcome goes to `then` instead of the runner; under a number of the driver's own if
    /// none is given.
    #[cfg_attr(not(feature = "js"), allow(dead_code, reason = "for JavaScript"))]
    pub(crate) fn begin_then(
        &self,
        call: Option<u32>,
        task: Task,
        is_aborted: bool,
        then: impl FnOnce(Result<Outcome, Error>) + 'static,
    ) {
        let call = call.unwrap_or_else(|| self.own_id());
        self.start(call, Purpose::Then(Box::new(then)), task, is_aborted);
    }

    /// Takes the result of the effect that was begun under this number.
    pub(crate) fn complete(&self, id: u32, result: impl FnOnce(Awaited) -> EffectResult) {
        let token = self.token.borrow_mut().take_if(|(request, _)| *request == id);
        if let Some((_, runs)) = token {
            let result = result(Awaited::Token);
            for run in runs {
                let result = match &result {
                    EffectResult::Text(text) => EffectResult::Text(text.clone()),
                    _ => EffectResult::TimedOut,
                };
                self.resume(run, |_| result);
            }
            return;
        }
        let timed_out = {
            let submitters = self.submitters.borrow();
            submitters.iter().find(|found| found.timer == id).map(|found| (found.call, found.stage))
        };
        match timed_out {
            Some((call, Stage::Leaving)) if self.core.is_disabled(Safeguard::Abort) => {
                self.end(call, Err(Error::new(Code::Aborted)));
            }
            Some((call, Stage::Leaving)) => self.end_unknown(call),
            Some((call, _)) => self.give_up(call),
            None => self.resume(id, result),
        }
    }

    /// Aborts a call by its caller's signal.
    pub(crate) fn abort(&self, call: u32) {
        let stage = self.submitter(call).map(|mut found| {
            found.is_aborted = true;
            found.stage
        });
        match stage {
            Some(Stage::Leaving) => {}
            Some(_) => self.give_up(call),
            None => self.abort_run(call),
        }
    }

    /// Drops a call whose caller has left: it gets no outcome.
    #[cfg_attr(feature = "js", allow(dead_code, reason = "for Rust callers"))]
    pub(crate) fn leave(&self, call: u32) {
        if let Some(left) = self.remove_submitter(call) {
            if left.stage == Stage::Waiting {
                self.abort_unless_awaited(&left.attempt);
            }
            return;
        }
        let run = self.remove_run(call);
        if run.is_some() {
            self.stop(call);
            self.runner.release(call);
        }
    }

    fn own_id(&self) -> u32 {
        self.last_own_id.set(self.last_own_id.get().wrapping_sub(1));
        self.last_own_id.get()
    }

    fn start(&self, id: u32, purpose: Purpose, task: Task, is_aborted: bool) {
        let flow = Some(Flow::new(self.core.clone(), task));
        self.runs.borrow_mut().push(Run { id, purpose, flow, awaits: None, is_aborted });
        self.proceed(id, EffectResult::Done);
    }

    fn run(&self, id: u32) -> Option<RefMut<'_, Run>> {
        RefMut::filter_map(self.runs.borrow_mut(), |runs| runs.iter_mut().find(|run| run.id == id)).ok()
    }

    fn submitter(&self, call: u32) -> Option<RefMut<'_, Submitter>> {
        let submitters = self.submitters.borrow_mut();
        RefMut::filter_map(submitters, |all| all.iter_mut().find(|found| found.call == call)).ok()
    }

    fn remove_run(&self, id: u32) -> Option<Run> {
        let mut runs = self.runs.borrow_mut();
        runs.iter().position(|run| run.id == id).map(|place| runs.swap_remove(place))
    }

    fn resume(&self, id: u32, result: impl FnOnce(Awaited) -> EffectResult) {
        let awaits = self.run(id).and_then(|mut run| run.awaits.take());
        if let Some((awaited, _)) = awaits {
            self.proceed(id, result(awaited));
        }
    }

    fn proceed(&self, id: u32, mut result: EffectResult) {
        loop {
            // Remove the flow while it runs: page callbacks may re-enter.
            let taken = self.run(id).and_then(|mut run| Some((run.flow.take()?, run.is_aborted)));
            let Some((mut flow, is_aborted)) = taken else { return };
            let (effect, heeds_signal) = match flow.resume(result, is_aborted) {
                Step::Run(effect, heeds_signal) => (effect, heeds_signal),
                Step::Done(outcome) => return self.finish(id, outcome),
            };
            let awaited = effect.awaited();
            let aborted = self.run(id).map(|mut run| {
                run.flow = Some(flow);
                let aborted = awaited.aborted().filter(|_| heeds_signal && run.is_aborted);
                run.awaits = aborted.is_none().then_some((awaited, heeds_signal));
                aborted
            });
            match (aborted, effect) {
                (Some(Some(aborted)), _) => result = aborted,
                (Some(None), Effect::Token) => return self.request_token(id),
                (Some(None), effect) => return self.runner.begin(id, effect),
                // The caller has left.
                (None, _) => return,
            }
        }
    }

    fn request_token(&self, run: u32) {
        let id = match &mut *self.token.borrow_mut() {
            Some((_, waiting)) => return waiting.push(run),
            none => none.insert((self.own_id(), collect([run].into_iter()))).0,
        };
        self.runner.begin(id, Effect::Token);
    }

    fn stop(&self, id: u32) {
        if let Some((_, waiting)) = &mut *self.token.borrow_mut() {
            waiting.retain(|run| *run != id);
        }
        self.runner.stop(id);
    }

    fn abort_run(&self, id: u32) {
        let aborted = self.run(id).and_then(|mut run| {
            run.is_aborted = true;
            let aborted =
                run.awaits.and_then(|(awaited, heeds_signal)| awaited.aborted().filter(|_| heeds_signal))?;
            run.awaits = None;
            Some(aborted)
        });
        if let Some(aborted) = aborted {
            self.stop(id);
            self.proceed(id, aborted);
        }
    }

    fn finish(&self, id: u32, outcome: Result<Outcome, Error>) {
        let run = self.remove_run(id);
        self.runner.release(id);
        match run.map(|run| run.purpose) {
            Some(Purpose::Call) => self.runner.end(id, outcome),
            Some(Purpose::Then(then)) => then(outcome),
            Some(Purpose::Submission(attempt)) => {
                let outcome = match outcome {
                    Ok(Outcome::Transfer(transfer)) => Ok(transfer),
                    Ok(_) => Err(Error::new(Code::Internal)),
                    Err(error) => Err(error),
                };
                let waiting = {
                    let submitters = self.submitters.borrow();
                    collect(
                        submitters.iter().filter(|found| found.attempt == attempt).map(|found| found.call),
                    )
                };
                for call in waiting {
                    self.settle(call, &outcome);
                }
            }
            Some(Purpose::Background) | None => {}
        }
    }
}

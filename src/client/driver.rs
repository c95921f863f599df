//! Runs flows over what a surrounding can do, for all who call: one request for a token at a time, one run of an attempt however many submit it.

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

use super::flow::{Awaited, Effect, Event, Flow, Outcome, Step, Task};
use super::submission::{ABORT_GRACE_MS, longest_submission_ms, unknown};
use super::weakness::Weakness;
use super::{Kit, TransferOutcome};
use crate::api::{Code, Error, list_of};

/// What a [`Driver`] does its work with. None of it waits: what takes time is told later by [`Driver::tell`], never before it returns.
pub trait Hands {
    /// Begins what a flow asks for, to be told once under this number.
    fn begin(&self, id: u32, effect: Effect);
    /// Gives up what was begun under this number. Nothing more is told of it.
    fn stop(&self, id: u32);
    /// Lets go of the lock that was granted under this number, if one was.
    fn release(&self, id: u32);
    /// Tells the caller of a call how it has ended.
    fn end(&self, call: u32, outcome: Result<Outcome, Error>);
}

/// Calls that are under way. Callers number theirs from 1 upward; what the driver begins by itself it numbers from the other end.
///
/// Nothing is borrowed while the hands are at work: they may run code of the page, which may begin or abort another call.
pub struct Driver<H> {
    kit: Kit,
    hands: H,
    runs: RefCell<Vec<Run>>,
    submitters: RefCell<Vec<Submitter>>,
    /// What the token source was asked and has not answered yet, and which runs wait for that.
    token: RefCell<Option<(u32, Vec<u32>)>>,
    own: Cell<u32>,
}

struct Run {
    id: u32,
    purpose: Purpose,
    /// Away while it runs.
    flow: Option<Flow>,
    /// What it waits for, and whether an abort ends that.
    awaits: Option<(Awaited, bool)>,
    is_aborted: bool,
}

type Then = Box<dyn FnOnce(Result<Outcome, Error>)>;

enum Purpose {
    /// Its caller is told.
    Call,
    /// Whoever began it takes the outcome, in place of the hands.
    Then(Then),
    /// All who submit the attempt are told. It goes on though nobody waits: half done, it would keep its lock and have no outcome.
    Submission(Attempt),
    /// Nobody is.
    Own,
}

/// An attempt by its quote and nonce: another one may have taken the place of one that was dropped.
type Attempt = Rc<(String, String)>;

struct Submitter {
    call: u32,
    attempt: Attempt,
    stage: Stage,
    timer: u32,
    is_aborted: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// The run was given up by those who waited for it, and sends nothing more: if it comes to nothing, another one follows.
    Behind,
    Waiting,
    /// Has given up. What is certain within the time of grace is told.
    Leaving,
}

impl<H: Hands> Driver<H> {
    /// A driver with nothing under way.
    pub fn new(kit: Kit, hands: H) -> Self {
        let (runs, submitters, token, own) = Default::default();
        Driver { kit, hands, runs, submitters, token, own }
    }

    /// What its flows share.
    pub fn kit(&self) -> &Kit {
        &self.kit
    }

    /// What it does its work with.
    pub fn hands(&self) -> &H {
        &self.hands
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.runs.borrow().is_empty() && self.submitters.borrow().is_empty() && self.token.borrow().is_none()
    }

    /// Begins a call under a number of the caller's.
    pub fn begin(&self, call: u32, task: Task, is_aborted: bool) {
        let Task::Submit(quote_history_id, nonce) = task else {
            return self.start(call, Purpose::Call, task, is_aborted);
        };
        let (attempt, timer) = (Rc::new((quote_history_id, nonce)), self.own_id());
        let submitter = Submitter { call, attempt, stage: Stage::Behind, timer, is_aborted };
        self.submitters.borrow_mut().push(submitter);
        let ms = longest_submission_ms(self.kit.timeout_ms()) - ABORT_GRACE_MS;
        self.hands.begin(timer, Effect::Wait { ms });
        self.join(call);
        if is_aborted {
            self.give_up(call);
        }
    }

    /// Begins a call whose outcome `then` takes, and not the hands; under a number of the driver's own where none is given.
    pub fn begin_then(
        &self,
        call: Option<u32>,
        task: Task,
        is_aborted: bool,
        then: impl FnOnce(Result<Outcome, Error>) + 'static,
    ) {
        let call = call.unwrap_or_else(|| self.own_id());
        self.start(call, Purpose::Then(Box::new(then)), task, is_aborted);
    }

    /// Tells what became of what was begun under this number.
    pub fn tell(&self, id: u32, event: impl FnOnce(Awaited) -> Event) {
        let asked = self.token.borrow_mut().take_if(|(asked, _)| *asked == id);
        if let Some((_, runs)) = asked {
            let told = event(Awaited::Token);
            for run in runs {
                let told = match &told {
                    Event::Text(text) => Event::Text(text.clone()),
                    _ => Event::Late,
                };
                self.resume(run, |_| told);
            }
            return;
        }
        let timed = {
            let submitters = self.submitters.borrow();
            submitters.iter().find(|found| found.timer == id).map(|found| (found.call, found.stage))
        };
        match timed {
            Some((call, Stage::Leaving)) if self.kit.lacks(Weakness::Abort) => {
                self.end(call, Err(Error::new(Code::Aborted)));
            }
            Some((call, Stage::Leaving)) => self.end_unknown(call),
            Some((call, _)) => self.give_up(call),
            None => self.resume(id, event),
        }
    }

    /// The caller's signal ends the call.
    pub fn abort(&self, call: u32) {
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

    /// The caller waits no longer, and is told nothing more.
    pub fn leave(&self, call: u32) {
        if let Some(left) = self.remove_submitter(call) {
            if left.stage == Stage::Waiting {
                self.abort_unless_awaited(&left.attempt);
            }
            return;
        }
        let run = self.remove_run(call);
        if run.is_some() {
            self.stop(call);
            self.hands.release(call);
        }
    }

    fn own_id(&self) -> u32 {
        self.own.set(self.own.get().wrapping_sub(1));
        self.own.get()
    }

    fn start(&self, id: u32, purpose: Purpose, task: Task, is_aborted: bool) {
        let flow = Some(self.kit.begin(task));
        self.runs.borrow_mut().push(Run { id, purpose, flow, awaits: None, is_aborted });
        self.proceed(id, Event::Done);
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

    fn resume(&self, id: u32, event: impl FnOnce(Awaited) -> Event) {
        let awaits = self.run(id).and_then(|mut run| run.awaits.take());
        if let Some((awaited, _)) = awaits {
            self.proceed(id, event(awaited));
        }
    }

    fn proceed(&self, id: u32, mut told: Event) {
        loop {
            let taken = self.run(id).and_then(|mut run| Some((run.flow.take()?, run.is_aborted)));
            let Some((mut flow, is_aborted)) = taken else { return };
            let (effect, heeds_signal) = match flow.resume(told, is_aborted) {
                Step::Do(effect, heeds_signal) => (effect, heeds_signal),
                Step::Ended(outcome) => return self.finish(id, outcome),
            };
            let awaited = effect.awaited();
            let given_up = self.run(id).map(|mut run| {
                run.flow = Some(flow);
                let given_up = awaited.given_up().filter(|_| heeds_signal && run.is_aborted);
                run.awaits = given_up.is_none().then_some((awaited, heeds_signal));
                given_up
            });
            match (given_up, effect) {
                (Some(Some(given_up)), _) => told = given_up,
                (Some(None), Effect::Token) => return self.ask_token(id),
                (Some(None), effect) => return self.hands.begin(id, effect),
                // The caller has left.
                (None, _) => return,
            }
        }
    }

    fn ask_token(&self, run: u32) {
        let id = match &mut *self.token.borrow_mut() {
            Some((_, waiting)) => return waiting.push(run),
            none => none.insert((self.own_id(), list_of([run].into_iter()))).0,
        };
        self.hands.begin(id, Effect::Token);
    }

    fn stop(&self, id: u32) {
        if let Some((_, waiting)) = &mut *self.token.borrow_mut() {
            waiting.retain(|run| *run != id);
        }
        self.hands.stop(id);
    }

    fn abort_run(&self, id: u32) {
        let given_up = self.run(id).and_then(|mut run| {
            run.is_aborted = true;
            let given_up =
                run.awaits.and_then(|(awaited, heeds_signal)| awaited.given_up().filter(|_| heeds_signal))?;
            run.awaits = None;
            Some(given_up)
        });
        if let Some(given_up) = given_up {
            self.stop(id);
            self.proceed(id, given_up);
        }
    }

    fn finish(&self, id: u32, outcome: Result<Outcome, Error>) {
        let run = self.remove_run(id);
        self.hands.release(id);
        match run.map(|run| run.purpose) {
            Some(Purpose::Call) => self.hands.end(id, outcome),
            Some(Purpose::Then(then)) => then(outcome),
            Some(Purpose::Submission(attempt)) => {
                let outcome = match outcome {
                    Ok(Outcome::Transfer(transfer)) => Ok(transfer),
                    Ok(_) => Err(Error::new(Code::Internal)),
                    Err(error) => Err(error),
                };
                let waiting = {
                    let submitters = self.submitters.borrow();
                    list_of(
                        submitters.iter().filter(|found| found.attempt == attempt).map(|found| found.call),
                    )
                };
                for call in waiting {
                    self.settle(call, &outcome);
                }
            }
            Some(Purpose::Own) | None => {}
        }
    }

    /// Waits for the run of the attempt, and begins it where there is none.
    fn join(&self, call: u32) {
        let found = self.submitter(call).map(|found| (Rc::clone(&found.attempt), found.is_aborted));
        let Some((attempt, is_aborted)) = found else { return };
        let is_given_up = self.run_of(&attempt).map(|(_, is_aborted)| is_aborted);
        let stage = if is_given_up == Some(true) { Stage::Behind } else { Stage::Waiting };
        if let Some(mut found) = self.submitter(call) {
            found.stage = stage;
        }
        if is_given_up.is_none() {
            let task = Task::Submit(attempt.0.clone(), attempt.1.clone());
            self.start(self.own_id(), Purpose::Submission(attempt), task, is_aborted);
        }
    }

    fn run_of(&self, attempt: &Attempt) -> Option<(u32, bool)> {
        let is_of = |run: &&Run| matches!(&run.purpose, Purpose::Submission(of) if of == attempt);
        self.runs.borrow().iter().find(is_of).map(|run| (run.id, run.is_aborted))
    }

    /// By its signal, or as it has waited as long as a caller does.
    fn give_up(&self, call: u32) {
        let timer = self.own_id();
        let changed = self.submitter(call).map(|mut found| {
            let before = std::mem::replace(&mut found.stage, Stage::Leaving);
            (before, std::mem::replace(&mut found.timer, timer), Rc::clone(&found.attempt))
        });
        match changed {
            Some((Stage::Waiting, before, attempt)) => {
                self.hands.stop(before);
                self.hands.begin(timer, Effect::Wait { ms: ABORT_GRACE_MS });
                self.abort_unless_awaited(&attempt);
            }
            Some((_, before, _)) => {
                self.hands.stop(before);
                self.end_unknown(call);
            }
            None => {}
        }
    }

    fn abort_unless_awaited(&self, attempt: &Attempt) {
        let waits = |found: &Submitter| found.stage == Stage::Waiting && found.attempt == *attempt;
        let is_awaited = self.submitters.borrow().iter().any(waits);
        if let Some((run, _)) = self.run_of(attempt).filter(|_| !is_awaited) {
            self.abort_run(run);
        }
    }

    /// Tells what the run of its attempt came to.
    fn settle(&self, call: u32, outcome: &Result<Rc<TransferOutcome>, Error>) {
        let found = self.submitter(call).map(|found| (found.stage, found.is_aborted));
        let told = match (outcome, found) {
            (_, None) => return,
            (Err(_), Some((Stage::Behind, _))) => return self.join(call),
            // It was not this caller's signal, but the bound.
            (Err(error), Some((_, false))) if error.code() == Code::Aborted => Err(Error::new(Code::Timeout)),
            (Err(error), _) => Err(error.clone()),
            (Ok(transfer), _) => Ok(Outcome::Transfer(Rc::clone(transfer))),
        };
        self.end(call, told);
    }

    fn end_unknown(&self, call: u32) {
        let error = self.submitter(call).map(|found| unknown(&found.attempt.0));
        if let Some(error) = error {
            self.end(call, Err(error));
        }
    }

    /// Tells one who submitted. The journal keeps the attempt until the page has had the time to show the transfer; what nobody was told of
    /// it keeps for the next page.
    fn end(&self, call: u32, outcome: Result<Outcome, Error>) {
        let Some(Submitter { attempt, .. }) = self.remove_submitter(call) else { return };
        if outcome.is_ok() {
            let task = Task::Forget(attempt.0.clone(), attempt.1.clone());
            self.start(self.own_id(), Purpose::Own, task, false);
        }
        self.hands.end(call, outcome);
    }

    fn remove_submitter(&self, call: u32) -> Option<Submitter> {
        let removed = {
            let mut submitters = self.submitters.borrow_mut();
            let place = submitters.iter().position(|found| found.call == call);
            // Those who wait are told in the order in which they came.
            place.map(|place| submitters.remove(place))
        };
        if let Some(Submitter { timer, .. }) = removed {
            self.hands.stop(timer);
        }
        removed
    }
}

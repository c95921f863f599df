//! One run of an attempt, however many callers submit it. Each caller has its own signal and its own limit.

use std::cell::{Cell, OnceCell};
use std::pin::pin;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, Shared, WeakShared, select};

use super::MadeTransfer;
use super::attempt_error::unknown;
use super::call_context::{CallContext, Cancellation};
use super::journal::AttemptId;
use super::submission::{ABORT_GRACE_MS, longest_submission_ms};
use crate::api::{Code, Error};

type Settled = Result<Rc<MadeTransfer>, Error>;
type Settling = LocalBoxFuture<'static, ()>;

/// A run of an attempt. It is spawned: stopped half-way, it would keep its lock and have no outcome. Once
/// nobody waits for it, it sends nothing more, and reads on.
pub(super) struct Run {
    attempt: AttemptId,
    /// Kept by who waits for it and by the platform, which may drop it with the page.
    settling: Option<WeakShared<Settling>>,
    outcome: Rc<OnceCell<Settled>>,
    cancellation: Cancellation,
    waiting: Cell<u32>,
}

impl Run {
    /// Returns what to wait for, unless the run has ended.
    fn settling(&self) -> Option<Shared<Settling>> {
        self.settling.as_ref()?.upgrade().filter(|settling| settling.peek().is_none())
    }

    fn outcome(&self) -> Settled {
        self.outcome.get().cloned().unwrap_or_else(|| Err(unknown(&self.attempt.quote_history_id)))
    }
}

/// One caller that waits for a run.
struct Waiting(Rc<Run>);

impl Waiting {
    /// Joins a run; `None` if it sends nothing more.
    fn join(run: Rc<Run>) -> Option<Self> {
        if run.cancellation.is_requested() {
            return None;
        }
        run.waiting.set(run.waiting.get() + 1);
        Some(Waiting(run))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let left = self.0.waiting.get().saturating_sub(1);
        self.0.waiting.set(left);
        if left == 0 {
            self.0.cancellation.request();
        }
    }
}

impl CallContext {
    /// Submits an attempt, or joins its run.
    pub(crate) async fn submit(&self, id: &AttemptId) -> Settled {
        let core = &self.core;
        let limit_ms = longest_submission_ms(core.options.timeout_ms) - ABORT_GRACE_MS;
        let mut gives_up = pin!(self.unless_cancelled(core.platform.sleep(limit_ms)));
        loop {
            let (run, settling) = self.run_of(id);
            let waiting = Waiting::join(Rc::clone(&run));
            match (select(&mut gives_up, settling.clone()).await, waiting) {
                // That run was cancelled. The next one may send.
                (Either::Right(_), None) if run.outcome().is_err() => {}
                (Either::Right(_), _) => return self.take(id, run.outcome()),
                (Either::Left(_), None) => return Err(unknown(&id.quote_history_id)),
                (Either::Left(_), Some(waiting)) => {
                    drop(waiting);
                    // An outcome that is certain soon still reaches the caller.
                    return match core.in_time(ABORT_GRACE_MS, settling).await {
                        Some(()) => self.take(id, run.outcome()),
                        None => Err(unknown(&id.quote_history_id)),
                    };
                }
            }
        }
    }

    /// Returns the attempt's run, or begins one.
    fn run_of(&self, id: &AttemptId) -> (Rc<Run>, Shared<Settling>) {
        let runs = &self.core.runs;
        runs.borrow_mut().retain(|run| run.settling().is_some());
        let found = runs.borrow().iter().find(|run| run.attempt == *id).map(Rc::clone);
        if let Some(found) = found.and_then(|run| Some((Rc::clone(&run), run.settling()?))) {
            return found;
        }
        let (cancellation, attempt) = (Cancellation::new(), id.clone());
        let context = CallContext::new(self.core.clone(), Some(cancellation.clone()));
        let outcome = Rc::new(OnceCell::new());
        let kept = Rc::clone(&outcome);
        let settling = async move {
            let settled = context.settle_locked(&attempt).await.map(Rc::new);
            drop(kept.set(settled));
        };
        let settling = settling.boxed_local().shared();
        let (attempt, waiting) = (id.clone(), Cell::default());
        let run = Run { attempt, settling: settling.downgrade(), outcome, cancellation, waiting };
        let run = Rc::new(run);
        runs.borrow_mut().push(Rc::clone(&run));
        self.core.platform.spawn(settling.clone().boxed_local());
        (run, settling)
    }

    /// Hands an outcome to the caller. The journal keeps the attempt until the page has had time to show the
    /// transfer; an outcome that no caller got stays there for the next page.
    fn take(&self, id: &AttemptId, outcome: Settled) -> Settled {
        match outcome {
            Ok(made) => {
                let (context, id) = (CallContext::new(self.core.clone(), None), id.clone());
                self.core.platform.spawn(async move { drop(context.forget(&id).await) }.boxed_local());
                Ok(made)
            }
            // The limit ended it, and not this caller's signal.
            Err(error) if error.code() == Code::Aborted && !self.caller_cancelled() => {
                Err(Error::new(Code::Timeout))
            }
            Err(error) => Err(error),
        }
    }
}

//! The runner of a [`Client`](super::Client): each effect is a future of its [`Environment`], and every
//! waiting caller polls all of them.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, select};

use super::Environment;
use super::driver::EffectRunner;
use super::effect::{Effect, EffectResult, Outgoing, SOURCE_TIMEOUT_MS};
use super::flow::Outcome;
use crate::api::Error;

pub(super) struct Tasks<E: Environment> {
    pub(super) environment: Rc<E>,
    running: RefCell<Vec<Task<E::Lock>>>,
    last_serial: Cell<u64>,
    locks: RefCell<Vec<(u32, E::Lock)>>,
    outcomes: RefCell<Vec<(u32, Result<Outcome, Error>)>>,
    wakers: Arc<Wakers>,
}

struct Task<L> {
    /// Tells tasks of the same id apart: a cancelled one may still be polled.
    serial: u64,
    id: u32,
    /// Taken out while it is polled.
    work: Option<LocalBoxFuture<'static, Done<L>>>,
}

enum Done<L> {
    Result(EffectResult),
    Locked(L),
}

/// The wakers of all callers: as each polls all tasks, a task that wakes one wakes them all.
#[derive(Default)]
struct Wakers(Mutex<Vec<Waker>>);

impl Wakers {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Waker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn register(&self, waker: &Waker) {
        let mut wakers = self.lock();
        if !wakers.iter().any(|known| known.will_wake(waker)) {
            wakers.push(waker.clone());
        }
    }

    fn wake_all(&self) {
        let wakers = std::mem::take(&mut *self.lock());
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }
}

impl<E: Environment> Tasks<E> {
    pub(super) fn new(environment: Rc<E>) -> Self {
        let (running, last_serial, locks, outcomes, wakers) = Default::default();
        Tasks { environment, running, last_serial, locks, outcomes, wakers }
    }

    /// Polls all tasks until one is done, and returns its id and result.
    pub(super) fn poll(&self, context: &Context<'_>) -> Option<(u32, EffectResult)> {
        self.wakers.register(context.waker());
        let waker = Waker::from(Arc::clone(&self.wakers));
        let mut place = 0;
        loop {
            let (serial, id, work) = {
                let mut running = self.running.borrow_mut();
                let task = running.get_mut(place)?;
                (task.serial, task.id, task.work.take())
            };
            place += 1;
            let Some(mut work) = work else { continue };
            let polled = work.as_mut().poll(&mut Context::from_waker(&waker));
            let mut running = self.running.borrow_mut();
            let found = running.iter().position(|task| task.serial == serial);
            match (polled, found) {
                (Poll::Pending, Some(found)) => {
                    if let Some(task) = running.get_mut(found) {
                        task.work = Some(work);
                    }
                }
                (Poll::Ready(done), Some(found)) => {
                    running.remove(found);
                    drop(running);
                    let result = match done {
                        Done::Result(result) => result,
                        Done::Locked(lock) => {
                            self.locks.borrow_mut().push((id, lock));
                            EffectResult::Done
                        }
                    };
                    return Some((id, result));
                }
                // Cancelled meanwhile. Release the borrow before the work is dropped.
                (_, None) => drop(running),
            }
        }
    }

    /// Returns the outcome of a call, once.
    pub(super) fn take_outcome(&self, call: u32) -> Option<Result<Outcome, Error>> {
        let mut outcomes = self.outcomes.borrow_mut();
        let place = outcomes.iter().position(|(id, _)| *id == call);
        place.map(|place| outcomes.swap_remove(place).1)
    }

    /// Wakes all callers, when one of them has left and polls no more.
    pub(super) fn wake(&self) {
        self.wakers.wake_all();
    }
}

impl<E: Environment> EffectRunner for Tasks<E> {
    fn begin(&self, id: u32, effect: Effect) {
        let environment = Rc::clone(&self.environment);
        let work = async move { run(&*environment, effect).await };
        self.last_serial.set(self.last_serial.get() + 1);
        let task = Task { serial: self.last_serial.get(), id, work: Some(work.boxed_local()) };
        self.running.borrow_mut().push(task);
    }

    fn stop(&self, id: u32) {
        let stopped = {
            let mut running = self.running.borrow_mut();
            running.iter().position(|task| task.id == id).map(|place| running.remove(place))
        };
        drop(stopped);
    }

    fn release(&self, id: u32) {
        let released = {
            let mut locks = self.locks.borrow_mut();
            locks.iter().position(|(held, _)| *held == id).map(|place| locks.swap_remove(place))
        };
        drop(released);
    }

    fn end(&self, call: u32, outcome: Result<Outcome, Error>) {
        self.outcomes.borrow_mut().push((call, outcome));
        self.wake();
    }
}

async fn run<E: Environment>(environment: &E, effect: Effect) -> Done<E::Lock> {
    let journal = environment.journal();
    let result = match effect {
        Effect::Send { outgoing, token, timeout_ms } => {
            let Outgoing { url, request } = &*outgoing;
            let answer = environment.send(url, request, &token.bearer, timeout_ms).await;
            EffectResult::Answer(answer.map(Box::new))
        }
        Effect::Wait { ms } => {
            environment.sleep(ms).await;
            EffectResult::Done
        }
        Effect::Lock { name, ms } => match in_time(environment, ms, environment.lock(&name)).await {
            Some(lock) => return Done::Locked(lock),
            None => EffectResult::TimedOut,
        },
        source => {
            let work = async {
                match source {
                    Effect::Token => EffectResult::Text(environment.token().await.map(Some)),
                    Effect::Load(key) => EffectResult::Text(journal.load(&key).await),
                    Effect::Save(key, text) => {
                        EffectResult::Text(journal.save(&key, &text).await.map(|()| None))
                    }
                    Effect::Remove(key) => EffectResult::Text(journal.remove(&key).await.map(|()| None)),
                    _ => EffectResult::Keys(journal.keys().await),
                }
            };
            in_time(environment, SOURCE_TIMEOUT_MS, work).await.unwrap_or(EffectResult::TimedOut)
        }
    };
    Done::Result(result)
}

async fn in_time<E: Environment, T>(environment: &E, ms: u32, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), pin!(environment.sleep(ms))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

//! The hands of an [`Environment`]: what is under way is a future, and whoever waits for a call polls all of
//! them.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Wake, Waker};

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, select};

use super::driver::Hands;
use super::effect::{Effect, EffectResult, Outgoing, SOURCE_TIMEOUT_MS};
use super::flow::Outcome;
use super::{Environment, Host, Trace};
use crate::api::Error;

pub(super) struct Tasks<E: Environment> {
    pub(super) environment: Rc<E>,
    running: RefCell<Vec<Task<E::Lock>>>,
    newest: Cell<u64>,
    locks: RefCell<Vec<(u32, E::Lock)>>,
    ended: RefCell<Vec<(u32, Result<Outcome, Error>)>>,
    waiting: Arc<Waiting>,
}

struct Task<L> {
    /// Another task may have the same id, when this one was given up.
    serial: u64,
    id: u32,
    /// Away while it is polled.
    work: Option<LocalBoxFuture<'static, Done<L>>>,
}

enum Done<L> {
    Result(EffectResult),
    Held(L),
}

/// Those who wait: what wakes one task wakes them all, as each polls all tasks.
#[derive(Default)]
struct Waiting(Mutex<Vec<Waker>>);

impl Waiting {
    fn wakers(&self) -> std::sync::MutexGuard<'_, Vec<Waker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, waker: &Waker) {
        let mut wakers = self.wakers();
        if !wakers.iter().any(|known| known.will_wake(waker)) {
            wakers.push(waker.clone());
        }
    }

    fn wake_all(&self) {
        let wakers = std::mem::take(&mut *self.wakers());
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }
}

impl<E: Environment> Tasks<E> {
    pub(super) fn new(environment: Rc<E>) -> Self {
        let (running, newest, locks, ended, waiting) = Default::default();
        Tasks { environment, running, newest, locks, ended, waiting }
    }

    /// Polls what is under way until something is done, and returns its result with its id.
    pub(super) fn poll(&self, context: &Context<'_>) -> Option<(u32, EffectResult)> {
        self.waiting.note(context.waker());
        let waker = Waker::from(Arc::clone(&self.waiting));
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
                (std::task::Poll::Pending, Some(found)) => {
                    if let Some(task) = running.get_mut(found) {
                        task.work = Some(work);
                    }
                }
                (std::task::Poll::Ready(done), Some(found)) => {
                    running.remove(found);
                    drop(running);
                    return Some((id, self.result(id, done)));
                }
                // It was given up meanwhile; dropped when nothing is borrowed.
                (_, None) => drop(running),
            }
        }
    }

    fn result(&self, id: u32, done: Done<E::Lock>) -> EffectResult {
        match done {
            Done::Result(result) => result,
            Done::Held(lock) => {
                self.locks.borrow_mut().push((id, lock));
                EffectResult::Done
            }
        }
    }

    /// How the call has ended, once.
    pub(super) fn take_ended(&self, call: u32) -> Option<Result<Outcome, Error>> {
        let mut ended = self.ended.borrow_mut();
        let place = ended.iter().position(|(id, _)| *id == call);
        place.map(|place| ended.swap_remove(place).1)
    }

    /// One who waited has left: the others poll what is under way from now on.
    pub(super) fn wake(&self) {
        self.waiting.wake_all();
    }
}

impl<E: Environment> Hands for Tasks<E> {
    fn begin(&self, id: u32, effect: Effect) {
        let environment = Rc::clone(&self.environment);
        let work = async move { act(&*environment, effect).await };
        self.newest.set(self.newest.get() + 1);
        let task = Task { serial: self.newest.get(), id, work: Some(work.boxed_local()) };
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
        self.ended.borrow_mut().push((call, outcome));
        self.wake();
    }
}

async fn act<E: Environment>(environment: &E, effect: Effect) -> Done<E::Lock> {
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
            Some(lock) => return Done::Held(lock),
            None => EffectResult::Late,
        },
        Effect::Token => {
            let work = async { EffectResult::Text(environment.token().await.map(Some)) };
            of_source(environment, work).await
        }
        Effect::Load(key) => {
            of_source(environment, async { EffectResult::Text(journal.load(&key).await) }).await
        }
        Effect::Save(key, text) => {
            let work = async { EffectResult::Text(journal.save(&key, &text).await.map(|()| None)) };
            of_source(environment, work).await
        }
        Effect::Remove(key) => {
            let work = async { EffectResult::Text(journal.remove(&key).await.map(|()| None)) };
            of_source(environment, work).await
        }
        Effect::Keys => of_source(environment, async { EffectResult::Keys(journal.keys().await) }).await,
    };
    Done::Result(result)
}

async fn of_source<E: Environment>(
    environment: &E,
    work: impl Future<Output = EffectResult>,
) -> EffectResult {
    in_time(environment, SOURCE_TIMEOUT_MS, work).await.unwrap_or(EffectResult::Late)
}

async fn in_time<E: Environment, T>(environment: &E, ms: u32, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), pin!(environment.sleep(ms))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

/// What flows read of an environment without waiting.
pub(super) struct HostOf<E>(pub(super) Rc<E>);

impl<E: Environment> Host for HostOf<E> {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }
    fn elapsed_ms(&self) -> u64 {
        self.0.elapsed_ms()
    }
    fn random(&self) -> f64 {
        self.0.random()
    }
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        self.0.matches(pattern, text)
    }
    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        self.0.parse_time_ms(iso)
    }
    fn trace(&self, entry: Trace<'_>) {
        self.0.trace(entry);
    }
}

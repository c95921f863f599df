//! One run of some work for all who wait for it.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use futures_util::future::LocalBoxFuture;

/// A share of the work; each clone gives its result. Whoever is polled drives it on. Written out here, as the one of futures-util
/// serves several threads, which takes more room in the module.
pub(super) struct Shared<T>(Rc<RefCell<State<T>>>);

enum State<T> {
    /// The work is away while it is polled.
    Running(Option<LocalBoxFuture<'static, T>>, Vec<Waker>),
    Done(T),
}

impl<T> Shared<T> {
    pub(super) fn new(work: LocalBoxFuture<'static, T>) -> Self {
        Shared(Rc::new(RefCell::new(State::Running(Some(work), Vec::new()))))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Rc::clone(&self.0))
    }
}

impl<T: Clone> Future for Shared<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let taken = match &mut *self.0.borrow_mut() {
            State::Done(result) => return Poll::Ready(result.clone()),
            State::Running(work, waiting) => {
                if !waiting.iter().any(|waker| waker.will_wake(context.waker())) {
                    waiting.push(context.waker().clone());
                }
                work.take()
            }
        };
        let Some(mut work) = taken else { return Poll::Pending };
        let polled = work.as_mut().poll(context);
        let next = match &polled {
            Poll::Ready(result) => State::Done(result.clone()),
            Poll::Pending => State::Running(Some(work), Vec::new()),
        };
        let mut state = self.0.borrow_mut();
        let before = std::mem::replace(&mut *state, next);
        let State::Running(_, waiting) = before else { return polled };
        match &mut *state {
            State::Running(_, kept) => *kept = waiting,
            State::Done(_) => {
                drop(state);
                waiting.into_iter().for_each(Waker::wake);
            }
        }
        polled
    }
}

impl<T> Drop for Shared<T> {
    /// Whoever drove the work may be gone: the others drive it from now on.
    fn drop(&mut self) {
        let waiting = match self.0.try_borrow_mut().as_deref_mut() {
            Ok(State::Running(_, waiting)) => std::mem::take(waiting),
            _ => Vec::new(),
        };
        waiting.into_iter().for_each(Waker::wake);
    }
}

// Natively alone, where tokio runs it.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::future::join;
    use std::cell::Cell;

    #[tokio::test]
    async fn the_work_runs_once_and_outlives_whoever_drove_it() {
        let (runs, open) = (Rc::new(Cell::new(0)), Rc::new(tokio::sync::Notify::new()));
        let (counted, opened) = (runs.clone(), open.clone());
        let work = async move {
            counted.set(counted.get() + 1);
            opened.notified().await;
            7
        };
        let first = Shared::new(work.boxed_local());
        let (second, third) = (first.clone(), first.clone());
        let mut driving = Box::pin(first);
        assert!((&mut driving).now_or_never().is_none());
        let waiting = async {
            drop(driving);
            tokio::task::yield_now().await;
            open.notify_one();
        };
        let ((second, third), ()) = join(join(second, third), waiting).await;
        assert_eq!((second, third, runs.get()), (7, 7, 1));
    }
}

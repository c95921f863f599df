//! Those who wait for one run of some work.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// One who waits; dropped, it has left. The last one to leave ends the waiting.
pub(super) struct Seat(Rc<Waiting>);

impl Drop for Seat {
    fn drop(&mut self) {
        let Waiting { count, has_ended, waker } = &*self.0;
        count.set(count.get().saturating_sub(1));
        if count.get() == 0 {
            has_ended.set(true);
            let waker = waker.take();
            waker.into_iter().for_each(Waker::wake);
        }
    }
}

#[derive(Default)]
pub(super) struct Waiting {
    count: Cell<usize>,
    has_ended: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Waiting {
    pub(super) fn enter(self: &Rc<Self>) -> Seat {
        self.count.set(self.count.get() + 1);
        Seat(Rc::clone(self))
    }

    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.get()
    }

    /// Until nobody waits any more.
    pub(super) async fn ended(&self) {
        poll_fn(|context| match self.has_ended() {
            true => Poll::Ready(()),
            false => {
                self.waker.replace(Some(context.waker().clone()));
                Poll::Pending
            }
        })
        .await;
    }
}

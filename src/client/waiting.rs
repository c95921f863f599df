//! Those who wait for one run of some work.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::task::{Poll, Waker};

#[derive(Default)]
pub(super) struct Waiting {
    count: Cell<usize>,
    has_ended: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Waiting {
    pub(super) fn enter(&self) {
        self.count.set(self.count.get() + 1);
    }

    /// The last one to leave ends the waiting.
    pub(super) fn leave(&self) {
        self.count.set(self.count.get().saturating_sub(1));
        if self.count.get() == 0 {
            self.has_ended.set(true);
            let waker = self.waker.take();
            waker.into_iter().for_each(Waker::wake);
        }
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

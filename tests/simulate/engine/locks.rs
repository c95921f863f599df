//! Locks that one page at a time holds on a name, in the order in which they were asked for.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

#[derive(Default)]
pub(crate) struct Locks(RefCell<State>);

#[derive(Default)]
struct State {
    tickets: u64,
    queues: BTreeMap<String, VecDeque<Waiting>>,
}

/// The first of a queue holds the lock.
struct Waiting {
    ticket: u64,
    life: usize,
    waker: Option<Waker>,
}

pub(crate) struct Held {
    locks: Rc<Locks>,
    name: String,
    ticket: u64,
}

impl Locks {
    pub(crate) async fn acquire(self: Rc<Self>, name: String, life: usize) -> Held {
        let ticket = {
            let mut state = self.0.borrow_mut();
            state.tickets += 1;
            let ticket = state.tickets;
            let waiting = Waiting { ticket, life, waker: None };
            state.queues.entry(name.clone()).or_default().push_back(waiting);
            ticket
        };
        let held = Held { locks: Rc::clone(&self), name, ticket };
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            let queue = state.queues.entry(held.name.clone()).or_default();
            match queue.iter_mut().position(|waiting| waiting.ticket == ticket) {
                Some(0) => Poll::Ready(()),
                Some(at) => {
                    queue[at].waker = Some(context.waker().clone());
                    Poll::Pending
                }
                None => Poll::Pending,
            }
        })
        .await;
        held
    }

    /// Lets go what a page held or waited for.
    pub(crate) fn release_all(&self, life: usize) {
        self.leave(|waiting| waiting.life == life);
    }

    fn leave(&self, leaves: impl Fn(&Waiting) -> bool) {
        let mut wakers = Vec::new();
        for queue in self.0.borrow_mut().queues.values_mut() {
            queue.retain(|waiting| !leaves(waiting));
            wakers.extend(queue.front_mut().and_then(|first| first.waker.take()));
        }
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = &self.name;
        self.locks.leave(|waiting| waiting.ticket == self.ticket);
    }
}

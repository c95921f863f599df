//! Locks by name, each granted to one page at a time in the order of the requests.

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
    queues: BTreeMap<String, VecDeque<Request>>,
}

/// The first request of a queue holds the lock.
struct Request {
    ticket: u64,
    load: usize,
    waker: Option<Waker>,
}

/// A granted lock or a request in the queue; dropping it leaves the queue.
pub(crate) struct LockGuard {
    locks: Rc<Locks>,
    ticket: u64,
}

impl Locks {
    pub(crate) async fn acquire(self: Rc<Self>, name: String, load: usize) -> LockGuard {
        let ticket = {
            let mut state = self.0.borrow_mut();
            state.tickets += 1;
            let ticket = state.tickets;
            let queue = state.queues.entry(name.clone()).or_default();
            queue.push_back(Request { ticket, load, waker: None });
            ticket
        };
        let guard = LockGuard { locks: Rc::clone(&self), ticket };
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            let queue = state.queues.entry(name.clone()).or_default();
            match queue.iter_mut().position(|request| request.ticket == ticket) {
                Some(0) => return Poll::Ready(()),
                Some(at) => queue[at].waker = Some(context.waker().clone()),
                None => {}
            }
            Poll::Pending
        })
        .await;
        guard
    }

    /// Releases what a page held or requested.
    pub(crate) fn release_all(&self, load: usize) {
        self.remove(|request| request.load == load);
    }

    fn remove(&self, is_removed: impl Fn(&Request) -> bool) {
        let mut wakers = Vec::new();
        for queue in self.0.borrow_mut().queues.values_mut() {
            queue.retain(|request| !is_removed(request));
            wakers.extend(queue.front_mut().and_then(|first| first.waker.take()));
        }
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        self.locks.remove(|request| request.ticket == self.ticket);
    }
}

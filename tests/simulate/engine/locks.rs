//! Locks by name, each granted to one page at a time in the order of the requests.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tokio::sync::Notify;

#[derive(Default)]
pub(crate) struct Locks {
    last_ticket: Cell<u64>,
    /// In order; the first request of a name holds its lock.
    requests: RefCell<Vec<Request>>,
    changed: Notify,
}

struct Request {
    ticket: u64,
    name: String,
    load: usize,
}

/// A granted lock or a pending request; dropping it releases or cancels.
pub(crate) struct LockGuard {
    locks: Rc<Locks>,
    ticket: u64,
}

impl Locks {
    pub(crate) async fn acquire(self: Rc<Self>, name: String, load: usize) -> LockGuard {
        let ticket = self.last_ticket.get() + 1;
        self.last_ticket.set(ticket);
        self.requests.borrow_mut().push(Request { ticket, name: name.clone(), load });
        let guard = LockGuard { locks: Rc::clone(&self), ticket };
        let holder =
            || self.requests.borrow().iter().find(|request| request.name == name).map(|held| held.ticket);
        while holder() != Some(ticket) {
            self.changed.notified().await;
        }
        guard
    }

    /// Releases what a page held or requested.
    pub(crate) fn release_all(&self, load: usize) {
        self.remove(|request| request.load == load);
    }

    fn remove(&self, is_removed: impl Fn(&Request) -> bool) {
        self.requests.borrow_mut().retain(|request| !is_removed(request));
        self.changed.notify_waiters();
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        self.locks.remove(|request| request.ticket == self.ticket);
    }
}

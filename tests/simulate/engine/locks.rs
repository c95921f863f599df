//! Locks by name, each granted to one page at a time in the order of the requests.

use std::cell::RefCell;
use std::rc::Rc;

use tokio::sync::Notify;

#[derive(Default)]
pub(crate) struct Locks {
    /// In order; the first request of a name holds its lock.
    requests: RefCell<Vec<Rc<Request>>>,
    changed: Notify,
}

struct Request {
    name: String,
    load: usize,
}

/// A granted lock or a pending request; dropping it releases or cancels.
pub(crate) struct LockGuard {
    locks: Rc<Locks>,
    request: Rc<Request>,
}

impl Locks {
    pub(crate) async fn acquire(self: Rc<Self>, name: String, load: usize) -> LockGuard {
        let request = Rc::new(Request { name, load });
        self.requests.borrow_mut().push(Rc::clone(&request));
        let guard = LockGuard { locks: Rc::clone(&self), request };
        while !self.is_held_by(&guard.request) {
            self.changed.notified().await;
        }
        guard
    }

    fn is_held_by(&self, request: &Rc<Request>) -> bool {
        let requests = self.requests.borrow();
        requests
            .iter()
            .find(|other| other.name == request.name)
            .is_some_and(|first| Rc::ptr_eq(first, request))
    }

    /// Releases what a page held or requested.
    pub(crate) fn release_all(&self, load: usize) {
        self.remove(|request| request.load == load);
    }

    fn remove(&self, is_removed: impl Fn(&Rc<Request>) -> bool) {
        self.requests.borrow_mut().retain(|request| !is_removed(request));
        self.changed.notify_waiters();
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        self.locks.remove(|request| Rc::ptr_eq(request, &self.request));
    }
}

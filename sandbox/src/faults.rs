//! Fault injection between callers and the service, by method, path and count.
//!
//! `before` means before the service has done anything, `after` after the commit, and `commit` in between:
//! everything is done and then rolled back, as if the process had died there. A caller can't tell which.
//!
//! A caller that hangs up cancels a request that waits in `latency` before or during: nothing is done. After
//! the commit, in `slow` and in `truncate`, the work is complete whether or not the caller still waits.
//! `late`, and both deliveries of a `duplicate` with a delay, do not depend on the caller either: the gateway
//! has the whole request.

mod body;
mod delivery;
mod fault;
pub(crate) mod inject;

use std::sync::Mutex;

pub(crate) use fault::Fault;

use crate::locks::lock;

const CAPACITY: usize = 1_000;

/// The pending faults, in the order of their creation.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    /// Adds all faults unless they exceed the capacity.
    pub(crate) fn add(&self, faults: Vec<Fault>) -> bool {
        let mut pending = lock(&self.0);
        let has_room = pending.len() + faults.len() <= CAPACITY;
        if has_room {
            pending.extend(faults);
        }
        has_room
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }

    pub(crate) fn list(&self) -> Vec<Fault> {
        lock(&self.0).clone()
    }

    /// Returns the first fault that applies to a request, and counts it down.
    fn take(&self, method: &str, path: &str, chance: impl Fn() -> u64) -> Option<Fault> {
        let mut pending = lock(&self.0);
        let at = pending.iter_mut().position(|fault| fault.applies(method, path, &chance))?;
        let found = pending.get_mut(at)?;
        if found.count > 1 {
            found.count -= 1;
            return Some(found.clone());
        }
        Some(pending.remove(at))
    }
}

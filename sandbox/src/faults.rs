//! Faults at will: what goes wrong between a caller and the service, by method, path and count.
//!
//! "Before" means before the service has done anything, "after" when all is done and committed, and
//! "commit" between the two: all is done, then undone, as if the process had died there. They look alike
//! to a caller; that is what they are for.
//!
//! A caller that hangs up takes its request along where the service has not begun: one that waits in
//! `latency` before or during is cancelled and does nothing. What comes after is not: `after`, `slow` and
//! `truncate` have done all, whoever still listens. Nor are the deliveries of a gateway, which has the
//! request for itself: `late`, and both of a `duplicate` with a delay.

pub(crate) mod apply;
mod broken_body;
mod delivery;
mod spec;

use std::sync::{Mutex, PoisonError};

pub(crate) use spec::Fault;

/// The most faults that wait at once.
const MOST: usize = 1_000;

/// The faults that wait for their requests, in the order in which they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    pub(crate) fn add(&self, faults: Vec<Fault>) -> bool {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() + faults.len() > MOST {
            return false;
        }
        waiting.extend(faults);
        true
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn list(&self) -> Vec<Fault> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The first fault that a request meets, if any.
    fn take(&self, method: &str, path: &str, chance: impl Fn() -> u64) -> Option<Fault> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = waiting.iter_mut().position(|fault| fault.meets(method, path, &chance))?;
        let fault = waiting.get(at)?.clone();
        if fault.count <= 1 {
            waiting.remove(at);
        } else if let Some(waiting) = waiting.get_mut(at) {
            waiting.count -= 1;
        }
        Some(fault)
    }
}

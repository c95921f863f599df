use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex, poisoned or not: no critical section of the sandbox can leave its data half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

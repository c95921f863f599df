use super::engine::{Pending, ask};

/// A lock that one page of an origin holds at a time, on a request of it. Dropped, it is let go, or no longer
/// waited for; so it is when the page goes away.
pub struct Lock(#[expect(dead_code, reason = "it is held, and let go when it is dropped")] Pending);

impl Lock {
    /// Waits for the lock. Where there are no Web Locks (outside a secure context, in an old browser) only
    /// this page's clients wait for each other.
    pub(super) async fn acquire(name: &str) -> Lock {
        let mut lock = ask(|engine, id| engine.lock(id, name, -1));
        // It is granted, and never refused.
        (&mut lock).await;
        Lock(lock)
    }
}

use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/engine.js")]
extern "C" {
    type PageLock;
    #[wasm_bindgen(constructor)]
    fn new(name: &str) -> PageLock;
    #[wasm_bindgen(method, getter)]
    fn granted(this: &PageLock) -> Promise;
    #[wasm_bindgen(method)]
    fn release(this: &PageLock);
}

/// A lock that one page of an origin holds at a time, on a request of it. Dropped, it is let go, or no longer waited for; so it is
/// when the page goes away.
pub struct Lock(PageLock);

impl Lock {
    /// Waits for the lock. Where there are no Web Locks (outside a secure context, in an old browser) it is granted at once.
    pub(super) async fn acquire(name: &str) -> Lock {
        let lock = Lock(PageLock::new(name));
        // It is granted, and never refused.
        let _ = lock.0.granted().await;
        lock
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.0.release();
    }
}

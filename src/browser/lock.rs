use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/lock.js")]
extern "C" {
    #[wasm_bindgen(js_name = Lock)]
    type JsLock;
    #[wasm_bindgen(constructor, js_class = Lock)]
    fn new(name: &str) -> JsLock;
    #[wasm_bindgen(method, getter)]
    fn granted(this: &JsLock) -> Promise;
    #[wasm_bindgen(method)]
    fn release(this: &JsLock);
}

/// A lock of this origin, held by one page at a time. Dropping it releases the lock or gives up the request,
/// and so does the end of the page.
pub(super) struct PageLock(JsLock);

impl PageLock {
    /// Acquires the lock. Without Web Locks (outside a secure context, in an old browser) only the clients of
    /// this page exclude each other.
    pub(super) async fn acquire(name: &str) -> Self {
        let lock = PageLock(JsLock::new(name));
        // It is granted, never refused.
        let _ = lock.0.granted().await;
        lock
    }
}

impl Drop for PageLock {
    fn drop(&mut self) {
        self.0.release();
    }
}

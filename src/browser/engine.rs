//! Futures over `engine.js`: timers, requests and locks, each under an id with one result.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

#[wasm_bindgen(module = "/src/browser/engine.js")]
extern "C" {
    #[wasm_bindgen(js_name = Engine)]
    pub(super) type JsEngine;
    #[wasm_bindgen(constructor, js_class = Engine)]
    fn new(report: &Closure<Report>) -> JsEngine;
    #[wasm_bindgen(method)]
    fn stop(this: &JsEngine, id: u32);
    #[wasm_bindgen(method)]
    fn release(this: &JsEngine, id: u32);
    #[wasm_bindgen(method)]
    pub(super) fn wait(this: &JsEngine, id: u32, ms: i32, signal: Option<&AbortSignal>);
    #[wasm_bindgen(method)]
    #[allow(clippy::too_many_arguments, reason = "each is a member of one request")]
    pub(super) fn send(
        this: &JsEngine,
        id: u32,
        url: &str,
        method: &str,
        bearer: &str,
        accept: &str,
        language: Option<&str>,
        body: Option<&str>,
        ms: u32,
    );
    #[wasm_bindgen(method, js_name = mayBeCached)]
    fn may_be_cached(this: &JsEngine) -> bool;
    #[wasm_bindgen(method)]
    pub(super) fn lock(this: &JsEngine, id: u32, name: &str, ms: i32);
}

/// Takes the results of `engine.js`: id, status, body, request id, content type, `Retry-After`, address.
type Report = dyn FnMut(u32, i32, Option<Vec<u8>>, Option<String>, Option<String>, f64, Option<String>);

/// The result of a request, a timer or a lock.
pub(super) struct EngineResult {
    /// An HTTP status, 0 without a reply, or below 0 a failure.
    pub(super) status: i32,
    pub(super) body: Option<Vec<u8>>,
    pub(super) request_id: Option<String>,
    pub(super) content_type: Option<String>,
    /// -1 if the reply has none.
    pub(super) retry_after_s: f64,
    /// As [`Answer`](crate::client::Answer) has it.
    pub(super) url: Option<String>,
}

struct Entry {
    id: u32,
    result: Option<EngineResult>,
    waker: Option<Waker>,
}

struct Engine {
    js: JsEngine,
    last_id: Cell<u32>,
    entries: RefCell<Vec<Entry>>,
    _report: Closure<Report>,
}

thread_local! {
    /// One for the module: every result comes through one closure, which lives as long.
    static ENGINE: Rc<Engine> = Rc::new_cyclic(|engine: &std::rc::Weak<Engine>| {
        let engine = engine.clone();
        let report = Closure::<Report>::new(
            move |id, status, body, request_id, content_type, retry_after_s, url| {
                let result = EngineResult { status, body, request_id, content_type, retry_after_s, url };
                if let Some(engine) = engine.upgrade() {
                    engine.complete(id, result);
                }
            },
        );
        let (js, last_id, entries) = (JsEngine::new(&report), Cell::default(), RefCell::default());
        Engine { js, last_id, entries, _report: report }
    });
}

impl Engine {
    fn complete(&self, id: u32, result: EngineResult) {
        let waker = {
            let mut entries = self.entries.borrow_mut();
            let Some(found) = entries.iter_mut().find(|entry| entry.id == id) else { return };
            found.result = Some(result);
            found.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// A future of a result. Dropping it cancels the work, and releases a lock that was granted.
pub(super) struct Pending {
    engine: Rc<Engine>,
    id: u32,
}

/// Begins work under a new id.
pub(super) fn begin(work: impl FnOnce(&JsEngine, u32)) -> Pending {
    let engine = ENGINE.with(Rc::clone);
    let id = engine.last_id.get().wrapping_add(1);
    engine.last_id.set(id);
    engine.entries.borrow_mut().push(Entry { id, result: None, waker: None });
    work(&engine.js, id);
    Pending { engine, id }
}

/// Whether a service worker may answer requests.
pub(super) fn may_be_cached() -> bool {
    ENGINE.with(|engine| engine.js.may_be_cached())
}

impl Future for Pending {
    type Output = EngineResult;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<EngineResult> {
        let waker = context.waker().clone();
        // Drop the earlier waker after the borrow ends: it may own a `Pending` itself.
        let _earlier;
        let mut entries = self.engine.entries.borrow_mut();
        let Some(found) = entries.iter_mut().find(|entry| entry.id == self.id) else { return Poll::Pending };
        match found.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                _earlier = found.waker.replace(waker);
                Poll::Pending
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let _removed = {
            let mut entries = self.engine.entries.borrow_mut();
            let place = entries.iter().position(|entry| entry.id == self.id);
            place.map(|place| entries.swap_remove(place))
        };
        self.engine.js.stop(self.id);
        self.engine.js.release(self.id);
    }
}

/// A lock of this origin, held by one page at a time. Dropping it releases the lock or cancels the request,
/// and so does the end of the page.
pub struct Lock(#[expect(dead_code, reason = "released when it is dropped")] Pending);

impl Lock {
    /// Acquires the lock. Without Web Locks (outside a secure context, in an old browser) only the clients of
    /// this page exclude each other.
    pub(super) async fn acquire(name: &str) -> Lock {
        let mut lock = begin(|engine, id| engine.lock(id, name, -1));
        // It is granted, never refused.
        (&mut lock).await;
        Lock(lock)
    }
}

//! Futures over `engine.js`: timers, requests and locks, each under an id with one result.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use futures_channel::oneshot;
use futures_util::FutureExt;
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
    #[wasm_bindgen(method)]
    pub(super) fn lock(this: &JsEngine, id: u32, name: &str, ms: i32);
}

/// Takes the results of `engine.js`: id, status, body, request id, content type, `Retry-After`.
type Report = dyn FnMut(u32, i32, Option<Vec<u8>>, Option<String>, Option<String>, f64);

/// The result of a request, a timer or a lock.
pub(super) struct EngineResult {
    /// An HTTP status, 0 without a reply, or below 0 a failure.
    pub(super) status: i32,
    pub(super) body: Option<Vec<u8>>,
    pub(super) request_id: Option<String>,
    pub(super) content_type: Option<String>,
    /// -1 if the reply has none.
    pub(super) retry_after_s: f64,
}

struct Engine {
    js: JsEngine,
    last_id: Cell<u32>,
    /// By the ids of work in progress.
    senders: RefCell<BTreeMap<u32, oneshot::Sender<EngineResult>>>,
    _report: Closure<Report>,
}

thread_local! {
    /// One for the module: every result comes through one closure, which lives as long.
    static ENGINE: Rc<Engine> = Rc::new_cyclic(|engine: &std::rc::Weak<Engine>| {
        let engine = engine.clone();
        let report = Closure::<Report>::new(move |id, status, body, request_id, content_type, retry_after_s| {
            if let Some(engine) = engine.upgrade() {
                let sender = engine.senders.borrow_mut().remove(&id);
                let result = EngineResult { status, body, request_id, content_type, retry_after_s };
                // Fails only if the future was dropped.
                let _ = sender.map(|sender| sender.send(result));
            }
        });
        let (js, last_id, senders) = (JsEngine::new(&report), Cell::default(), RefCell::default());
        Engine { js, last_id, senders, _report: report }
    });
}

/// A future of a result. Dropping it cancels the work, and releases a lock that was granted.
pub(super) struct Pending {
    engine: Rc<Engine>,
    id: u32,
    result: oneshot::Receiver<EngineResult>,
}

/// Begins work under a new id.
pub(super) fn begin(work: impl FnOnce(&JsEngine, u32)) -> Pending {
    let engine = ENGINE.with(Rc::clone);
    let id = engine.last_id.get().wrapping_add(1);
    engine.last_id.set(id);
    let (sender, result) = oneshot::channel();
    engine.senders.borrow_mut().insert(id, sender);
    work(&engine.js, id);
    Pending { engine, id, result }
}

impl Future for Pending {
    type Output = EngineResult;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<EngineResult> {
        match ready!(self.result.poll_unpin(context)) {
            Ok(result) => Poll::Ready(result),
            // Only after the result: until then the sender lives.
            Err(oneshot::Canceled) => Poll::Pending,
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let _removed = self.engine.senders.borrow_mut().remove(&self.id);
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

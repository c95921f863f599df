//! Futures over `engine.js`: timers, requests and locks, each by a number under which it replies once.

use std::cell::RefCell;
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
    fn new(tell: &Closure<Tell>) -> JsEngine;
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

/// How `engine.js` replies: number, status, body, request id, content type, seconds to wait.
type Tell = dyn FnMut(u32, i32, Option<Vec<u8>>, Option<String>, Option<String>, f64);

/// The result of one ask.
#[derive(Default)]
pub(super) struct EngineReply {
    /// 0 where it was done, an HTTP status, or below 0 why not.
    pub(super) status: i32,
    /// The body of a reply.
    pub(super) body: Option<Vec<u8>>,
    pub(super) request_id: Option<String>,
    pub(super) content_type: Option<String>,
    /// -1 where the reply has none.
    pub(super) retry_after_s: f64,
}

struct Ask {
    id: u32,
    reply: Option<EngineReply>,
    waker: Option<Waker>,
}

struct Engine {
    js: JsEngine,
    asks: RefCell<(u32, Vec<Ask>)>,
    _tell: Closure<Tell>,
}

thread_local! {
    /// One for the module: every reply comes through one closure, which lives as long.
    static ENGINE: Rc<Engine> = Rc::new_cyclic(|engine: &std::rc::Weak<Engine>| {
        let engine = engine.clone();
        let tell = Closure::<Tell>::new(move |id, status, body, request_id, content_type, retry_after_s| {
            if let Some(engine) = engine.upgrade() {
                engine.tell(id, EngineReply { status, body, request_id, content_type, retry_after_s });
            }
        });
        Engine { js: JsEngine::new(&tell), asks: RefCell::default(), _tell: tell }
    });
}

impl Engine {
    fn tell(&self, id: u32, reply: EngineReply) {
        let waker = {
            let mut asks = self.asks.borrow_mut();
            let Some(found) = asks.1.iter_mut().find(|ask| ask.id == id) else { return };
            found.reply = Some(reply);
            found.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Resolves with the reply. Dropping it cancels the ask and releases a lock that was granted.
pub(super) struct Pending {
    engine: Rc<Engine>,
    id: u32,
}

/// Begins an ask under a new number.
pub(super) fn ask(begin: impl FnOnce(&JsEngine, u32)) -> Pending {
    let engine = ENGINE.with(Rc::clone);
    let id = {
        let mut asks = engine.asks.borrow_mut();
        asks.0 = asks.0.wrapping_add(1);
        let id = asks.0;
        asks.1.push(Ask { id, reply: None, waker: None });
        id
    };
    begin(&engine.js, id);
    Pending { engine, id }
}

impl Future for Pending {
    type Output = EngineReply;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<EngineReply> {
        let waker = context.waker().clone();
        // Drop the earlier waker after the borrow ends: it may own a `Pending` itself.
        let _earlier;
        let mut asks = self.engine.asks.borrow_mut();
        let Some(found) = asks.1.iter_mut().find(|ask| ask.id == self.id) else { return Poll::Pending };
        match found.reply.take() {
            Some(reply) => Poll::Ready(reply),
            None => {
                _earlier = found.waker.replace(waker);
                Poll::Pending
            }
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let _forgotten = {
            let mut asks = self.engine.asks.borrow_mut();
            let place = asks.1.iter().position(|ask| ask.id == self.id);
            place.map(|place| asks.1.swap_remove(place))
        };
        self.engine.js.stop(self.id);
        self.engine.js.release(self.id);
    }
}

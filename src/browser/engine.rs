//! What the page's engine is asked to do, and tells when it is done.

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
    fn new(told: &Closure<Tell>) -> JsEngine;
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

/// What `engine.js` tells.
type Tell = dyn FnMut(u32, i32, Option<Vec<u8>>, Option<String>, Option<String>, f64);

/// What became of something that was asked for.
#[derive(Default)]
pub(super) struct Told {
    /// 0 where it was done, an HTTP status, or below 0 why not.
    pub(super) status: i32,
    /// The body of a reply.
    pub(super) body: Option<Vec<u8>>,
    pub(super) request_id: Option<String>,
    pub(super) content_type: Option<String>,
    /// -1 where it is not told.
    pub(super) retry_after_s: f64,
}

struct Asked {
    id: u32,
    told: Option<Told>,
    waker: Option<Waker>,
}

struct Engine {
    js: JsEngine,
    asked: RefCell<(u32, Vec<Asked>)>,
    _tell: Closure<Tell>,
}

thread_local! {
    /// One for the module: what is told comes back by a number, through one function that lives as long.
    static ENGINE: Rc<Engine> = Rc::new_cyclic(|engine: &std::rc::Weak<Engine>| {
        let engine = engine.clone();
        let tell = Closure::<Tell>::new(move |id, status, body, request_id, content_type, retry_after_s| {
            if let Some(engine) = engine.upgrade() {
                engine.tell(id, Told { status, body, request_id, content_type, retry_after_s });
            }
        });
        Engine { js: JsEngine::new(&tell), asked: RefCell::default(), _tell: tell }
    });
}

impl Engine {
    fn tell(&self, id: u32, told: Told) {
        let waker = {
            let mut asked = self.asked.borrow_mut();
            let Some(found) = asked.1.iter_mut().find(|asked| asked.id == id) else { return };
            found.told = Some(told);
            found.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Waits for what is told of one thing. Dropped, it gives that up, or lets go of what was granted.
pub(super) struct Pending {
    engine: Rc<Engine>,
    id: u32,
}

/// Asks the engine for something, by the number that it gets.
pub(super) fn ask(begin: impl FnOnce(&JsEngine, u32)) -> Pending {
    let engine = ENGINE.with(Rc::clone);
    let id = {
        let mut asked = engine.asked.borrow_mut();
        asked.0 = asked.0.wrapping_add(1);
        let id = asked.0;
        asked.1.push(Asked { id, told: None, waker: None });
        id
    };
    begin(&engine.js, id);
    Pending { engine, id }
}

impl Future for Pending {
    type Output = Told;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Told> {
        let waker = context.waker().clone();
        // Dropped when nothing is borrowed any more: a waker may hold what is pending itself.
        let _earlier;
        let mut asked = self.engine.asked.borrow_mut();
        let Some(found) = asked.1.iter_mut().find(|asked| asked.id == self.id) else { return Poll::Pending };
        match found.told.take() {
            Some(told) => Poll::Ready(told),
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
            let mut asked = self.engine.asked.borrow_mut();
            let place = asked.1.iter().position(|asked| asked.id == self.id);
            place.map(|place| asked.1.swap_remove(place))
        };
        self.engine.js.stop(self.id);
        self.engine.js.release(self.id);
    }
}

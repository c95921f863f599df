use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::AbortController;

use super::timer::Flag;

// Declared here, as web-sys has the Web Locks behind a flag of the compiler.
#[wasm_bindgen]
extern "C" {
    type LockManager;
    #[wasm_bindgen(method, catch)]
    fn request(
        this: &LockManager,
        name: &str,
        options: &JsValue,
        work: &Function,
    ) -> Result<Promise, JsValue>;
}

/// A lock that one page of an origin holds at a time, on a request of it. Dropped, it is let go, or no longer waited for; so it is
/// when the page goes away.
pub struct Lock(Option<Held>);

struct Held {
    controller: AbortController,
    state: Rc<RefCell<State>>,
}

enum State {
    Waiting,
    /// Calling it settles the promise for whose time the lock is held.
    Granted(Function),
    /// Nobody waits any more; the engine may still grant it, when it was about to.
    Abandoned,
}

impl Lock {
    /// Waits for the lock. Where there are no Web Locks (outside a secure context, in an old browser) it is granted at once.
    pub(super) async fn acquire(name: &str) -> Lock {
        let flag = Flag::default();
        let lock = Lock::request(name, flag.clone());
        if lock.0.is_some() {
            flag.raised().await;
        }
        lock
    }

    fn request(name: &str, flag: Flag) -> Lock {
        let Some((manager, controller)) = manager().zip(AbortController::new().ok()) else {
            return Lock(None);
        };
        let state = Rc::new(RefCell::new(State::Waiting));
        let shared = Rc::clone(&state);
        let granted = Closure::<dyn FnMut() -> Promise>::new(move || {
            if matches!(*shared.borrow(), State::Abandoned) {
                return Promise::resolve(&JsValue::UNDEFINED);
            }
            let held = Promise::new(&mut |resolve, _| *shared.borrow_mut() = State::Granted(resolve));
            flag.raise();
            held
        });
        let options = js_sys::Object::new();
        let _ = Reflect::set(&options, &"signal".into(), &controller.signal());
        let Ok(held) = manager.request(name, &options, granted.as_ref().unchecked_ref()) else {
            return Lock(None);
        };
        // To give up waiting rejects the promise, which is nobody's error. Until it is settled the engine may call what it was given.
        js_sys::futures::spawn_local(async move {
            let _ = held.await;
            drop(granted);
        });
        Lock(Some(Held { controller, state }))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        match self.state.replace(State::Abandoned) {
            State::Granted(release) => drop(release.call0(&JsValue::UNDEFINED)),
            State::Waiting => self.controller.abort(),
            State::Abandoned => {}
        }
    }
}

fn manager() -> Option<LockManager> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    let manager = Reflect::get(&navigator, &"locks".into()).ok()?;
    manager.is_object().then(|| manager.unchecked_into())
}

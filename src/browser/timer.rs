use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use gloo_events::EventListener;
use wasm_bindgen::prelude::*;

use super::Signal;

// Imported by name, for these are in every host of JavaScript: page, worker and Node.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &js_sys::Function, ms: u32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: &JsValue);
}

/// Calls back once, unless it is dropped before.
pub struct Timer {
    id: JsValue,
    _call: Closure<dyn FnMut()>,
}

impl Timer {
    /// Calls back after so many milliseconds.
    pub fn new(ms: u32, call: impl FnMut() + 'static) -> Self {
        let call = Closure::<dyn FnMut()>::new(call);
        Timer { id: set_timeout(call.as_ref().unchecked_ref(), ms), _call: call }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.id);
    }
}

/// A flag that one side raises and the other awaits.
#[derive(Clone, Default)]
pub(super) struct Flag(Rc<RefCell<(bool, Option<Waker>)>>);

impl Flag {
    pub(super) fn raise(&self) {
        let waker = {
            let mut state = self.0.borrow_mut();
            state.0 = true;
            state.1.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Raises it after so many milliseconds, unless what this returns is dropped before.
    pub(super) fn raised_after(&self, ms: u32) -> Timer {
        let flag = self.clone();
        Timer::new(ms, move || flag.raise())
    }

    /// Raises it when the signal ends a call, unless what this returns is dropped before.
    pub(super) fn raised_by(&self, signal: &Signal) -> Option<EventListener> {
        let signal = signal.as_ref()?;
        if signal.aborted() {
            self.raise();
        }
        let flag = self.clone();
        Some(EventListener::once(signal, "abort", move |_| flag.raise()))
    }

    pub(super) async fn raised(&self) {
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            if state.0 {
                return Poll::Ready(());
            }
            state.1 = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

/// Waits so many milliseconds.
pub(super) async fn sleep(ms: u32) {
    let flag = Flag::default();
    let _timer = flag.raised_after(ms);
    flag.raised().await;
}

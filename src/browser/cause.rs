//! What the requests of a call have thrown, for the `cause` of its error.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use wasm_bindgen::JsValue;

/// What a call's last request has thrown, if it has failed.
type Cause = Rc<Cell<Option<JsValue>>>;

thread_local! {
    /// Of the call whose future is being polled: calls run at the same time.
    static CURRENT: RefCell<Option<Cause>> = const { RefCell::new(None) };
}

/// Notes what the last request of the current call has thrown. Rust callers' calls note none.
pub(super) fn set(thrown: impl FnOnce() -> JsValue) {
    if let Some(current) = current() {
        current.set(Some(thrown()));
    }
}

pub(super) fn clear() {
    if let Some(current) = current() {
        current.set(None);
    }
}

/// Returns what the last request of the current call has thrown, once.
#[cfg(feature = "js")]
pub(crate) fn take_cause() -> Option<JsValue> {
    current()?.take().filter(|thrown| !thrown.is_undefined())
}

/// Begins a call.
#[cfg(feature = "js")]
pub(crate) fn future_to_promise(
    call: impl Future<Output = Result<JsValue, JsValue>> + 'static,
) -> js_sys::Promise {
    js_sys::futures::future_to_promise(as_call(Cause::default(), call.boxed_local()))
}

/// Begins work of the current call that may outlast it.
pub(super) fn spawn(work: LocalBoxFuture<'static, ()>) {
    js_sys::futures::spawn_local(as_call(current().unwrap_or_default(), work));
}

fn current() -> Option<Cause> {
    CURRENT.with_borrow(Clone::clone)
}

async fn as_call<T>(cause: Cause, mut work: LocalBoxFuture<'static, T>) -> T {
    poll_fn(|context| {
        let outer = CURRENT.replace(Some(Rc::clone(&cause)));
        let polled = work.poll_unpin(context);
        CURRENT.set(outer);
        polled
    })
    .await
}

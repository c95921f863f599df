//! What the requests of a call have thrown, for the `cause` of its error.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use js_sys::{Error, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/browser/fetch.js")]
extern "C" {
    /// Returns the texts of a value and of its members; fails if it may have others.
    #[wasm_bindgen(catch, js_name = textOf)]
    fn text_of(value: &JsValue) -> Result<String, JsValue>;
}

/// What a call's last request has thrown, if it has failed.
type Cause = Rc<Cell<Option<JsValue>>>;

thread_local! {
    /// Of the call whose future is being polled: calls run at the same time.
    static CURRENT: RefCell<Option<Cause>> = const { RefCell::new(None) };
}

/// Notes what the last request of the current call has thrown.
pub(super) fn set(thrown: Option<JsValue>) {
    if let Some(current) = current() {
        current.set(thrown);
    }
}

/// Returns what may be shown of what `fetch` threw: itself, if it is plain data without a secret; otherwise an
/// error of the same name and message, unless these have one.
pub(super) fn to_show(thrown: JsValue, has_secret: impl Fn(&str) -> bool) -> JsValue {
    let is_safe = |value: &JsValue| text_of(value).is_ok_and(|text| !has_secret(&text));
    if is_safe(&thrown) {
        return thrown;
    }
    let member = |name: &str| {
        let value = Reflect::get(&thrown, &name.into()).ok().filter(is_safe)?;
        value.as_string()
    };
    let error = Error::new(&member("message").unwrap_or_default());
    error.set_name(&member("name").unwrap_or_else(|| "Error".to_owned()));
    error.into()
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

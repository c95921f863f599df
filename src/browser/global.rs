use js_sys::Reflect;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // `js_sys::global` prefers a `window`, which a test in Node may have beside it.
    #[wasm_bindgen(thread_local_v2, js_name = globalThis)]
    static GLOBAL: JsValue;
}

/// Returns a global object, if there is one that may be read.
pub(super) fn global(name: &str) -> Option<JsValue> {
    let found = GLOBAL.with(|global| Reflect::get(global, &name.into())).ok()?;
    (!found.is_null() && !found.is_undefined()).then_some(found)
}

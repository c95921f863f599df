use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// What a page brings along: the `host` of `options.js`.
    #[derive(Clone)]
    pub type Host;
    /// The page's origin.
    #[wasm_bindgen(method, getter)]
    pub(super) fn origin(this: &Host) -> Option<String>;
    /// Resolves to the token source's reply, as JSON text; rejects with the code of a `RemitError`, if any.
    #[wasm_bindgen(method)]
    pub(super) fn token(this: &Host) -> Promise;
    /// `session`, `local`, `memory`, or a [`JsStore`].
    #[wasm_bindgen(method, getter)]
    pub(super) fn journal(this: &Host) -> JsValue;
    /// Whether `diagnostic` takes the trace.
    #[wasm_bindgen(method, getter, js_name = isWatched)]
    pub(super) fn is_watched(this: &Host) -> bool;
    #[wasm_bindgen(method, catch)]
    pub(super) fn diagnostic(this: &Host, entry: JsValue) -> Result<(), JsValue>;
    /// Loads a part of the package.
    #[wasm_bindgen(method)]
    pub(super) fn part(this: &Host, name: &str) -> Promise;
}

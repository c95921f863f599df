use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::transfer_part::transfer_part;
use crate::api::{Code, Error};
use crate::browser::Browser;
use crate::client::Trace;

#[wasm_bindgen]
extern "C" {
    /// What a page brings along: the `host` of `options.js`.
    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "Host")]
    pub type Host;
    /// The page's origin.
    #[wasm_bindgen(method, getter)]
    pub(super) fn origin(this: &Host) -> Option<String>;
    /// Resolves to the token source's reply, as JSON text; rejects with the code of a `RemitError`, if any.
    #[wasm_bindgen(method)]
    fn token(this: &Host) -> Promise;
    /// `session`, `local`, `memory`, or a page's own store.
    #[wasm_bindgen(method, getter)]
    fn journal(this: &Host) -> JsValue;
    /// Whether `diagnostic` takes the trace.
    #[wasm_bindgen(method, getter, js_name = isWatched)]
    fn is_watched(this: &Host) -> bool;
    #[wasm_bindgen(method, catch)]
    fn diagnostic(this: &Host, entry: JsValue) -> Result<(), JsValue>;
}

impl Host {
    /// Returns the platform of a client in this page.
    pub(super) fn platform(&self) -> Browser {
        let source = self.clone();
        let token = move || {
            let reply = source.token();
            async move {
                match reply.await {
                    Ok(json) => Ok(json.as_string().unwrap_or_default()),
                    Err(code) => Err(token_error(code.as_string().as_deref())),
                }
            }
        };
        let opener = self.clone();
        let browser = Browser::with_opener(token, move || (transfer_part().open_journal)(opener.journal()));
        if !self.is_watched() {
            return browser;
        }
        let watcher = self.clone();
        browser.with_watcher(move |entry: Trace<'_>| {
            if let Ok(entry) = serde_wasm_bindgen::to_value(&entry) {
                // What watches must not end a call.
                let _ = watcher.diagnostic(entry);
            }
        })
    }
}

/// The error of the token source. What it threw may contain secrets: only the code of a `RemitError` is used.
fn token_error(code: Option<&str>) -> Error {
    match code {
        Some(code) if code == Code::InvalidConfiguration.as_str() => {
            Error::configuration("token", "a source of plain data: a string, or the token endpoint's reply")
        }
        _ => Error::new(Code::TokenUnavailable)
            .with_option("token")
            .with_developer_message("The token source failed. Check what it does and try again."),
    }
}

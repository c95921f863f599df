use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::HtmlIFrameElement;

use super::card_part::Form;
use super::value::Signal;
use crate::browser::future_to_promise;

/// A card form on the page.
#[wasm_bindgen]
pub struct CardForm(Box<dyn Form>);

#[wasm_bindgen]
impl CardForm {
    /// Returns the frame's element.
    #[wasm_bindgen(getter)]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.0.element()
    }

    /// Returns the `FrameGuard` of `frame.js`.
    #[wasm_bindgen(getter, unchecked_return_type = "object | undefined")]
    pub fn guard(&self) -> Option<JsValue> {
        self.0.guard()
    }

    /// Returns what it shows: `{ sessionId, url, expirationDate }`.
    ///
    /// # Errors
    /// None.
    #[wasm_bindgen(unchecked_return_type = "CardFormState")]
    pub fn state(&self) -> Result<JsValue, JsValue> {
        self.0.state()
    }

    /// Shows the form in another theme, given as JSON text.
    ///
    /// # Errors
    /// `configuration`, naming what is wrong.
    pub fn update(&self, theme: &str) -> Result<(), JsValue> {
        Ok(self.0.update(theme)?)
    }

    /// Creates a new session in the same place.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn renew(&self, signal: Signal) -> Promise {
        let renewing = self.0.renew(signal);
        future_to_promise(async { Ok(renewing.await.map(|()| JsValue::UNDEFINED)?) })
    }

    /// Removes the form.
    pub fn destroy(&self) {
        self.0.destroy();
    }
}

impl CardForm {
    pub(super) fn make(form: Box<dyn Form>) -> JsValue {
        CardForm(form).into()
    }
}

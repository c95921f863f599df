use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::convert;
use super::core::promise;
use crate::browser::{CardForm, CardFormEvent, is_color};
use crate::card::Theme;

/// A card form on the page.
#[wasm_bindgen]
pub struct CardFormCore(Rc<CardForm>);

impl CardFormCore {
    pub(super) fn new(form: Rc<CardForm>) -> Self {
        CardFormCore(form)
    }
}

#[wasm_bindgen]
impl CardFormCore {
    /// The id of the session that the form shows.
    #[wasm_bindgen(getter, js_name = sessionId)]
    pub fn session_id(&self) -> String {
        self.0.session_id()
    }

    /// The address that the frame shows.
    #[wasm_bindgen(getter)]
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// When the session ends, ISO 8601.
    #[wasm_bindgen(getter, js_name = expirationDate)]
    pub fn expiration_date(&self) -> String {
        self.0.expiration_date()
    }

    /// The frame itself.
    #[wasm_bindgen(getter)]
    pub fn element(&self) -> Option<web_sys::HtmlIFrameElement> {
        self.0.element()
    }

    /// Shows the form in another theme, given as JSON text.
    pub fn update(&self, theme: &str) -> Result<(), JsValue> {
        read_theme(Some(theme)).and_then(|theme| self.0.update(theme)).map_err(|error| convert::error(&error))
    }

    /// Begins a new session in the same place.
    pub fn renew(&self, signal: Option<AbortSignal>) -> Promise {
        let form = Rc::clone(&self.0);
        promise(Box::pin(async move {
            form.renew(&signal).await?;
            Ok(Ok(JsValue::UNDEFINED))
        }))
    }

    /// Removes the form.
    pub fn destroy(&self) {
        self.0.destroy();
    }
}

/// Hands an event to the page's function as `(type, detail)`.
pub(super) fn deliver_to(deliver: &Function, event: CardFormEvent) {
    let object = |entries: &[(&str, &str)]| {
        let object = js_sys::Object::new();
        for (name, value) in entries {
            let _ = js_sys::Reflect::set(&object, &(*name).into(), &(*value).into());
        }
        JsValue::from(object)
    };
    let (name, detail) = match &event {
        CardFormEvent::Ready => ("READY", JsValue::UNDEFINED),
        CardFormEvent::LoadFailed(failure) => {
            let reason = ("reason", failure.reason());
            let detail = match failure.directive() {
                Some(directive) => object(&[reason, ("directive", directive)]),
                None => object(&[reason]),
            };
            ("LOAD_FAILED", detail)
        }
        CardFormEvent::Card(event) => (event.as_str(), JsValue::UNDEFINED),
        CardFormEvent::Completed { card_id, session_id } => {
            ("COMPLETED", object(&[("cardId", card_id), ("sessionId", session_id)]))
        }
        CardFormEvent::Failed(error) => ("FAILED", convert::error(error)),
    };
    let _ = deliver.call2(&JsValue::UNDEFINED, &name.into(), &detail);
}

pub(super) fn read_theme(json: Option<&str>) -> Result<Theme, crate::api::Error> {
    Theme::from_json(json.unwrap_or("{}"), &is_color)
}

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use js_sys::{Function, Promise};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlIFrameElement};

use super::options;
use super::value::{Signal, to_js};
use crate::api::Error;
use crate::browser::{Browser, CardFormEvent, MountedForm, Shown, future_to_promise};
use crate::client::Client;

/// A card form on the page.
#[wasm_bindgen]
pub struct CardForm(Box<dyn Form>);

/// The methods of a form. Behind `dyn`: an exported class that named it would pull it into the first file.
trait Form {
    fn element(&self) -> Option<HtmlIFrameElement>;
    fn guard(&self) -> Option<JsValue>;
    fn state(&self) -> Result<JsValue, JsValue>;
    fn update(&self, theme: &str) -> Result<(), Error>;
    fn renew(&self, signal: Signal) -> LocalBoxFuture<'static, Result<(), Error>>;
    fn destroy(&self);
}

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

impl Form for MountedForm {
    fn element(&self) -> Option<HtmlIFrameElement> {
        self.element()
    }

    fn guard(&self) -> Option<JsValue> {
        self.guard()
    }

    fn state(&self) -> Result<JsValue, JsValue> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct State {
            session_id: String,
            url: String,
            expiration_date: String,
        }
        let shown = self.shown();
        to_js(&shown.map(|Shown { session_id, url, expiration_date, .. }| State {
            session_id: session_id.into(),
            url,
            expiration_date,
        }))
    }

    fn update(&self, theme: &str) -> Result<(), Error> {
        self.update(options::read_theme(theme)?)
    }

    fn renew(&self, signal: Signal) -> LocalBoxFuture<'static, Result<(), Error>> {
        let form = self.clone();
        async move { form.open(None, &signal.into()).await }.boxed_local()
    }

    fn destroy(&self) {
        self.destroy();
    }
}

/// Mounts a form in the element `container`; its events go to `listener(type, detail)`.
pub(super) fn mount(
    client: Client<Browser>,
    container: Element,
    given: JsValue,
    listener: Function,
    signal: Signal,
) -> Promise {
    future_to_promise(async move {
        let options = options::card_form(&given)?;
        let deliver = move |_, event| {
            if let Ok((kind, detail)) = tell(event) {
                let _ = listener.call2(&JsValue::UNDEFINED, &kind.into(), &detail);
            }
        };
        let form = MountedForm::mount(client, &container, options, deliver, &signal.into()).await?;
        Ok(CardForm(Box::new(form)).into())
    })
}

/// Returns the type of an event, and its detail.
fn tell(event: CardFormEvent) -> Result<(&'static str, JsValue), JsValue> {
    #[derive(Serialize)]
    struct Failed {
        reason: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        directive: Option<&'static str>,
        #[serde(rename = "hasLoaded", skip_serializing_if = "std::ops::Not::not")]
        has_loaded: bool,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Completed<'a> {
        card_id: &'a str,
        session_id: &'a str,
    }
    Ok(match event {
        CardFormEvent::Ready => ("READY", JsValue::UNDEFINED),
        CardFormEvent::LoadFailed(failure) => {
            let (reason, directive) = (failure.reason(), failure.directive());
            ("LOAD_FAILED", to_js(&Failed { reason, directive, has_loaded: failure.has_loaded() })?)
        }
        CardFormEvent::Card(event) => (event.as_str(), JsValue::UNDEFINED),
        CardFormEvent::Completed { card_id, session_id } => {
            ("COMPLETED", to_js(&Completed { card_id: &card_id, session_id: session_id.as_str() })?)
        }
        CardFormEvent::Failed(error) => ("FAILED", error.into()),
    })
}

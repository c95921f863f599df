//! The part for the card form.

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use js_sys::{Function, Promise};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlIFrameElement};

use super::options;
use super::part::part;
use super::value::{Signal, to_js};
use crate::api::Error;
use crate::browser::{Browser, CardFormEvent, MountedForm, Shown, future_to_promise};
use crate::card::event_names;
use crate::client::Client;

type Mount = fn(Client<Browser>, Element, JsValue, Function, Signal, MakeForm) -> Promise;
type MakeForm = fn(Box<dyn Form>) -> JsValue;

pub(super) struct CardPart {
    pub(super) mount: Mount,
}

part! {
    "card", "ca4d",
    pub(super) fn card_part() -> CardPart { CardPart { mount } }
}

/// The methods of a form. Behind `dyn`: an exported class that named a form would pull it into the first file.
pub(super) trait Form {
    fn element(&self) -> Option<HtmlIFrameElement>;
    fn guard(&self) -> Option<JsValue>;
    fn state(&self) -> Result<JsValue, JsValue>;
    fn update(&self, theme: &str) -> Result<(), Error>;
    fn renew(&self, signal: Signal) -> LocalBoxFuture<'static, Result<(), Error>>;
    fn destroy(&self);
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
fn mount(
    client: Client<Browser>,
    container: Element,
    given: JsValue,
    listener: Function,
    signal: Signal,
    make: MakeForm,
) -> Promise {
    future_to_promise(async move {
        let options = options::card_form(&given)?;
        let deliver = move |_, event| {
            if let Ok((kind, detail)) = tell(event) {
                let _ = listener.call2(&JsValue::UNDEFINED, &kind.into(), &detail);
            }
        };
        let form = MountedForm::mount(client, &container, options, deliver, &signal.into()).await?;
        Ok(make(Box::new(form)))
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
        CardFormEvent::Ready => (event_names::READY, JsValue::UNDEFINED),
        CardFormEvent::LoadFailed(failure) => {
            let (reason, directive) = (failure.reason(), failure.directive());
            let failed = Failed { reason, directive, has_loaded: failure.has_loaded() };
            (event_names::LOAD_FAILED, to_js(&failed)?)
        }
        CardFormEvent::Card(event) => (event.as_str(), JsValue::UNDEFINED),
        CardFormEvent::Completed { card_id, session_id } => {
            ("COMPLETED", to_js(&Completed { card_id: &card_id, session_id: session_id.as_str() })?)
        }
        CardFormEvent::Failed(error) => ("FAILED", error.into()),
    })
}

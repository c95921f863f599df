use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlIFrameElement};

use super::page::Page;
use super::{answer, options};
use crate::api::json::{Codec, JsonRef, Writer};
use crate::api::part::part;
use crate::api::{Address, Code, Error, GET_CARD_SESSION, Uuid};
use crate::browser::{CardFormEvent, FormHost, MountedForm};
use crate::card::CardEvent;
use crate::client::{Driver, EffectRunner, Outcome, Task};

#[wasm_bindgen]
extern "C" {
    /// Takes the events of a form: the type, and its detail as an answer of `answer.rs`. It must not call
    /// page code synchronously.
    pub type CardFormListener;
    #[wasm_bindgen(method)]
    fn hear(this: &CardFormListener, kind: &str, detail: &str);
}

/// A card form on the page.
#[wasm_bindgen]
pub struct CardFormCore(pub(super) Rc<dyn CardFormHandle>);

/// The methods of a card form. Behind `dyn`, as the form is in a part of the module.
pub(super) trait CardFormHandle {
    fn element(&self) -> Option<HtmlIFrameElement>;
    fn guard(&self) -> Option<JsValue>;
    fn state(&self) -> String;
    fn update(self: Rc<Self>, theme: &str) -> String;
    fn begin_renewal(self: Rc<Self>, id: u32, is_aborted: bool);
    fn destroy(&self);
}

type Begin = fn(&Rc<Driver<Page>>, &Address, u32, bool, Element, &str, CardFormListener);

pub(super) struct CardForms {
    pub(super) begin: Begin,
}

part! {
    "card", "ca4d",
    pub(super) fn card_forms() -> CardForms { CardForms { begin } }
}

#[wasm_bindgen]
impl CardFormCore {
    /// Returns the frame's element.
    #[wasm_bindgen(getter)]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.0.element()
    }

    /// Returns the `FrameGuard` of `frame.js`.
    #[wasm_bindgen(getter)]
    pub fn guard(&self) -> Option<JsValue> {
        self.0.guard()
    }

    /// Returns what it shows: `{ sessionId, url, expirationDate }`.
    pub fn state(&self) -> String {
        self.0.state()
    }

    /// Shows the form in another theme, given as JSON text.
    pub fn update(&self, theme: &str) -> String {
        Rc::clone(&self.0).update(theme)
    }

    /// Removes the form. Free it only after this and all its other methods have returned.
    pub fn destroy(&self) {
        self.0.destroy();
    }
}

impl CardFormHandle for MountedForm<PageForm> {
    fn element(&self) -> Option<HtmlIFrameElement> {
        MountedForm::element(self)
    }

    fn guard(&self) -> Option<JsValue> {
        MountedForm::guard(self)
    }

    fn state(&self) -> String {
        let Some(shown) = self.shown() else { return answer::nothing() };
        object(&[
            ("sessionId", Some(shown.session_id.as_str())),
            ("url", Some(&shown.url)),
            ("expirationDate", Some(&shown.expiration_date)),
        ])
    }

    fn update(self: Rc<Self>, theme: &str) -> String {
        match options::read_theme(theme).and_then(|theme| MountedForm::update(&self, &theme)) {
            Ok(()) => answer::nothing(),
            Err(error) => answer::error(&error),
        }
    }

    fn begin_renewal(self: Rc<Self>, id: u32, is_aborted: bool) {
        open(id, is_aborted, self, None, false);
    }

    fn destroy(&self) {
        MountedForm::destroy(self);
    }
}

fn begin(
    driver: &Rc<Driver<Page>>,
    card_url: &Address,
    id: u32,
    is_aborted: bool,
    container: Element,
    options_json: &str,
    listener: CardFormListener,
) {
    let options = match options::card_form(options_json) {
        Ok(options) => options,
        Err(error) => return driver.runner().end_form(id, Err(error)),
    };
    let session_id = options.session_id.clone();
    let host = PageForm { driver: Rc::clone(driver), listener };
    open(id, is_aborted, MountedForm::new(host, container, card_url.clone(), options), session_id, true);
}

fn open(id: u32, is_aborted: bool, form: Rc<MountedForm<PageForm>>, session_id: Option<Uuid>, is_new: bool) {
    let driver = Rc::clone(&form.host().driver);
    let number = match form.begin_session() {
        Ok(number) => number,
        Err(error) => return driver.runner().end(id, Err(error)),
    };
    let page = Rc::clone(&driver);
    driver.begin_then(Some(id), Task::OpenCard(session_id), is_aborted, move |outcome| {
        let shown = outcome.and_then(|outcome| match outcome {
            Outcome::Reply(session) => {
                let session = session.view();
                let id = session.member("id").and_then(Uuid::read);
                let id = id.ok_or_else(|| Error::new(Code::UnreadableReply))?;
                let expiration_date = session.text_of("expirationDate").unwrap_or_default();
                form.show(number, id, expiration_date.into_owned())
            }
            _ => Err(Error::new(Code::Internal)),
        });
        page.runner().end_form(id, shown.map(|()| is_new.then(|| CardFormCore(form).into())));
    });
}

/// The host of a form for JavaScript.
pub(super) struct PageForm {
    pub(super) driver: Rc<Driver<Page>>,
    pub(super) listener: CardFormListener,
}

impl FormHost for PageForm {
    fn deliver(&self, event: CardFormEvent) {
        let (kind, detail) = match event {
            CardFormEvent::Ready => ("READY", answer::nothing()),
            CardFormEvent::LoadFailed(failure) => {
                let mut out = Writer::default();
                out.object(|out| {
                    out.text_member("reason", failure.reason());
                    out.optional_text_member("directive", failure.directive());
                    if failure.has_loaded() {
                        out.member("hasLoaded");
                        out.raw("true");
                    }
                });
                ("LOAD_FAILED", answer::json(&out.finish()))
            }
            CardFormEvent::Card(event) => (event.as_str(), answer::nothing()),
            CardFormEvent::Completed { card_id, session_id } => {
                ("COMPLETED", object(&[("cardId", Some(&card_id)), ("sessionId", Some(&session_id))]))
            }
            CardFormEvent::Failed(error) => ("FAILED", answer::error(&error)),
        };
        self.listener.hear(kind, &detail);
    }

    fn read_card(&self, session_id: Uuid, then: impl FnOnce(Result<String, Error>) + 'static) {
        self.driver.begin_then(None, Task::ReadCard(session_id), false, |outcome| {
            then(match outcome {
                Ok(Outcome::Card(card_id)) => Ok(card_id),
                Ok(_) => Err(Error::new(Code::Internal)),
                Err(error) => Err(error),
            });
        });
    }

    fn read_end(&self, session_id: Uuid, then: impl FnOnce(Option<CardEvent>) + 'static) {
        let read = Task::Call(&GET_CARD_SESSION, vec![session_id.as_str().to_owned()], None);
        self.driver.begin_then(None, read, false, |outcome| {
            then(match outcome {
                Ok(Outcome::Reply(session)) => {
                    let session = session.view();
                    let has_card = session.member("cardId").and_then(JsonRef::text).is_some();
                    CardEvent::ending(&session.text_of("status").unwrap_or_default(), has_card)
                }
                _ => None,
            });
        });
    }
}

fn object(members: &[(&str, Option<&str>)]) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        for (name, text) in members {
            if let Some(text) = text {
                out.text_member(name, text);
            }
        }
    });
    answer::json(&out.finish())
}

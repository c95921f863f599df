use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::HtmlIFrameElement;

use super::page::Page;
use super::{answer, options};
use crate::api::json::Writer;
use crate::api::{Code, Error, Uuid};
use crate::browser::{CardFormEvent, FormHost, MountedForm};
use crate::client::{Driver, Outcome, Task};

#[wasm_bindgen]
extern "C" {
    /// Hears the events of a form: the type, and what belongs to it as `answer.rs` says. It calls nobody at once.
    pub type CardFormListener;
    #[wasm_bindgen(method)]
    fn hear(this: &CardFormListener, kind: &str, detail: &str);
}

/// A card form on the page.
#[wasm_bindgen]
pub struct CardFormCore(pub(super) Rc<MountedForm<PageForm>>);

#[wasm_bindgen]
impl CardFormCore {
    /// The frame's element.
    #[wasm_bindgen(getter)]
    pub fn element(&self) -> Option<HtmlIFrameElement> {
        self.0.element()
    }

    /// The `FrameGuard` of `frame.js`.
    #[wasm_bindgen(getter)]
    pub fn guard(&self) -> Option<JsValue> {
        self.0.guard()
    }

    /// What it shows: `{ sessionId, url, expirationDate }`.
    pub fn state(&self) -> String {
        let Some(shown) = self.0.shown() else { return answer::nothing() };
        object(&[
            ("sessionId", Some(shown.session_id.as_str())),
            ("url", Some(&shown.url)),
            ("expirationDate", Some(&shown.expiration_date)),
        ])
    }

    /// Shows the form in another theme, given as JSON text.
    pub fn update(&self, theme: &str) -> String {
        match options::read_theme(theme).and_then(|theme| self.0.update(&theme)) {
            Ok(()) => answer::nothing(),
            Err(error) => answer::error(&error),
        }
    }

    /// Removes it. It cannot be freed before this and all else that is called of it has returned.
    pub fn destroy(&self) {
        self.0.destroy();
    }
}

/// The page as the host of a form.
pub(super) struct PageForm {
    pub(super) driver: Rc<Driver<Page>>,
    pub(super) listener: CardFormListener,
}

impl FormHost for PageForm {
    fn deliver(&self, event: CardFormEvent) {
        let (kind, detail) = match event {
            CardFormEvent::Ready => ("READY", answer::nothing()),
            CardFormEvent::LoadFailed(failure) => {
                let members = [("reason", Some(failure.reason())), ("directive", failure.directive())];
                ("LOAD_FAILED", object(&members))
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

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Object, Promise};
use wasm_bindgen::prelude::*;

use super::make::{MakeAttempt, MakeForm, form_of};
use crate::api::{Code, Error};
use crate::browser::{Browser, future_to_promise};
use crate::client::{Client, PushToCard, RawStep, Stage};
use crate::js::value::{Signal, of_reply, set};

/// A flow. Behind `dyn`, as a card form is.
pub(in crate::js) trait Flow {
    fn next(&self, make_form: MakeForm, make_attempt: MakeAttempt) -> Promise;
    fn answer(&self, text: String) -> Result<(), Error>;
}

pub(super) type Begin = fn(&Client<Browser>, &str, Signal) -> Result<Box<dyn Flow>, Error>;

/// Begins a flow with these options, given as JSON text.
pub(super) fn begin(client: &Client<Browser>, options: &str, signal: Signal) -> Result<Box<dyn Flow>, Error> {
    let flow = client.push_to_card_json(options)?.with_signal(signal);
    Ok(Box::new(Shared(Rc::new(RefCell::new(flow)))))
}

/// A flow, which its step in progress borrows.
struct Shared(Rc<RefCell<PushToCard<Browser>>>);

impl Flow for Shared {
    #[expect(clippy::await_holding_refcell_ref, reason = "a call meanwhile is refused")]
    fn next(&self, make_form: MakeForm, make_attempt: MakeAttempt) -> Promise {
        let shared = Rc::clone(&self.0);
        future_to_promise(async move {
            let mut flow = shared.try_borrow_mut().map_err(|_| busy())?;
            let (kind, name, value) = match flow.advance().await? {
                RawStep::Card => ("CARD", "", JsValue::UNDEFINED),
                RawStep::Details => ("DETAILS", "", JsValue::UNDEFINED),
                RawStep::AccountFields(form) => (
                    "ACCOUNT_FIELDS",
                    "fields",
                    form_of(flow.client().clone(), form.0.clone(), &form.1, make_form)?,
                ),
                RawStep::Transfer(attempt) => ("TRANSFER", "attempt", make_attempt(attempt)),
                RawStep::Replied(stage, reply) => {
                    let (kind, name) = match stage {
                        Stage::Corridor => ("CORRIDOR", "corridor"),
                        Stage::Quote => ("QUOTE", "quote"),
                        _ => ("RECIPIENT_ACCOUNT", "recipientAccount"),
                    };
                    (kind, name, of_reply(&reply)?)
                }
            };
            let told = JsValue::from(Object::new());
            set(&told, "type", &kind.into())?;
            if !name.is_empty() {
                set(&told, name, &value)?;
            }
            Ok(told)
        })
    }

    fn answer(&self, text: String) -> Result<(), Error> {
        self.0.try_borrow_mut().map_err(|_| busy())?.answer(text)
    }
}

fn busy() -> Error {
    Error::invalid(Code::InvalidRequest, "step", "taken once the last one has settled")
}

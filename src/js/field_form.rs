use js_sys::{JSON, Promise, Reflect};
use wasm_bindgen::prelude::*;

use super::parts::transfer_part;
use super::value::{Signal, of_outcome, of_reply, promise_of, to_js};
use crate::api::{Code, Error, FieldForm as Form};
use crate::browser::Browser;
use crate::client::{Client, Outcome, Task};

/// The fields to collect on one screen, and their rules.
#[wasm_bindgen]
pub struct FieldForm {
    client: Client<Browser>,
    form: Form,
    field_sets: JsValue,
}

#[wasm_bindgen]
impl FieldForm {
    /// Returns the fields in their sets, in the service's order.
    #[wasm_bindgen(getter, js_name = fieldSets)]
    pub fn field_sets(&self) -> JsValue {
        self.field_sets.clone()
    }

    /// Whether a card must be entered.
    #[wasm_bindgen(getter, js_name = requiresCard)]
    pub fn requires_card(&self) -> bool {
        (transfer_part().requires_card)(&self.form)
    }

    /// Returns all problems of the values, an object from field id to value as JSON text, or else `warnings`:
    /// what a customer may have mistyped.
    ///
    /// # Errors
    /// `invalid_request` if the values are no object.
    pub fn check(&self, values: &str, warnings: bool) -> Result<JsValue, JsValue> {
        let find = if warnings { transfer_part().warnings } else { transfer_part().check };
        to_js(&find(&self.form, values)?)
    }

    /// Returns the `fields` of a request.
    ///
    /// # Errors
    /// `invalid_request` if the values are no object.
    #[wasm_bindgen(js_name = toFields)]
    pub fn to_fields(&self, values: &str) -> Result<JsValue, JsValue> {
        JSON::parse(&(transfer_part().to_fields)(&self.form, values)?)
    }

    /// Fetches the options of a dropdown for the values so far.
    pub fn options(&self, field_id: String, values: String, signal: Signal) -> Promise {
        let task = Task::Options(self.form.clone(), field_id, values);
        promise_of(&self.client, task, signal, of_outcome)
    }
}

impl FieldForm {
    /// Makes the form of an outcome.
    pub(super) fn of(client: Client<Browser>, outcome: Outcome) -> Result<JsValue, JsValue> {
        let Outcome::Form(form, reply) = outcome else { return Err(Error::new(Code::Internal).into()) };
        let field_sets = Reflect::get(&of_reply(&reply)?, &"fieldSets".into())?;
        Ok(FieldForm { client, form, field_sets }.into())
    }
}

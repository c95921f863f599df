use js_sys::{JSON, Promise, Reflect};
use wasm_bindgen::prelude::*;

use super::parts::transfer_part;
use super::value::{Signal, of_reply, promise_of, to_js};
use crate::api::{Error, FieldForm as Form, FieldProblem, Operation};
use crate::browser::{Browser, matches_pattern, now_ms};
use crate::client::{Client, date_of};

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
    #[wasm_bindgen(getter, js_name = fieldSets, unchecked_return_type = "FieldSet[]")]
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
    #[wasm_bindgen(unchecked_return_type = "FieldProblem[]")]
    pub fn check(&self, values: &str, warnings: bool) -> Result<JsValue, JsValue> {
        let find = if warnings { transfer_part().warnings } else { transfer_part().check };
        to_js(&find(&self.form, values)?)
    }

    /// Returns the `fields` of a request.
    ///
    /// # Errors
    /// `invalid_request` if the values are no object.
    #[wasm_bindgen(js_name = toFields, unchecked_return_type = "FieldValue[]")]
    pub fn to_fields(&self, values: &str) -> Result<JsValue, JsValue> {
        JSON::parse(&(transfer_part().to_fields)(&self.form, values)?)
    }

    /// Fetches the options of a dropdown for the values so far.
    #[wasm_bindgen(unchecked_return_type = "Promise<FieldOption[]>")]
    pub fn options(&self, field_id: String, values: String, signal: Signal) -> Promise {
        (transfer_part().field_options)(&self.client, &self.form, field_id, values, signal)
    }
}

/// Fetches the form of an operation for a query, as JSON text.
pub(super) fn fetch(
    client: &Client<Browser>,
    operation: &'static Operation,
    query: String,
    signal: Signal,
) -> Promise {
    let fetching = client.field_form_json(operation, query);
    let client = client.clone();
    promise_of(fetching, signal, |(form, reply)| {
        let field_sets = Reflect::get(&of_reply(&reply)?, &"fieldSets".into())?;
        Ok(FieldForm { client, form, field_sets }.into())
    })
}

pub(super) fn check(form: &Form, values: &str) -> Result<Vec<FieldProblem>, Error> {
    form.check(values, &date_of(now_ms()), &matches_pattern)
}

pub(super) fn warnings(form: &Form, values: &str) -> Result<Vec<FieldProblem>, Error> {
    form.warnings(values, &matches_pattern)
}

pub(super) fn to_fields(form: &Form, values: &str) -> Result<String, Error> {
    form.to_fields(values, &matches_pattern)
}

pub(super) fn options(
    client: &Client<Browser>,
    form: &Form,
    field_id: String,
    values: String,
    signal: Signal,
) -> Promise {
    promise_of(client.field_options_json(form, field_id, values), signal, |reply| of_reply(&reply))
}

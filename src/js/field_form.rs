use js_sys::{JSON, Promise};
use wasm_bindgen::prelude::*;

use super::transfer_part::transfer_part;
use super::value::{Signal, to_js};
use crate::api::FieldForm as Form;
use crate::browser::Browser;
use crate::client::Client;

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

    /// Returns whether a field is required for the values.
    ///
    /// # Errors
    /// `invalid_request` if the form has no such field or the values are no object.
    #[wasm_bindgen(js_name = isRequired)]
    pub fn is_required(&self, field_id: &str, values: &str) -> Result<bool, JsValue> {
        Ok((transfer_part().is_required)(&self.form, field_id, values)?)
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

impl FieldForm {
    pub(super) fn make(client: Client<Browser>, form: Form, field_sets: JsValue) -> JsValue {
        FieldForm { client, form, field_sets }.into()
    }
}

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::convert;
use super::core::promise;

use crate::api::FieldForm;
use crate::browser::Browser;
use crate::client::{Client, Environment};

/// A [`FieldForm`] with what it needs of the browser.
#[wasm_bindgen]
pub struct FieldFormCore {
    client: Client<Browser>,
    form: FieldForm,
    field_sets: JsValue,
}

impl FieldFormCore {
    pub(super) fn new(client: Client<Browser>, form: FieldForm, reply: &JsValue) -> Self {
        let field_sets = js_sys::Reflect::get(reply, &"fieldSets".into()).unwrap_or(JsValue::UNDEFINED);
        FieldFormCore { client, form, field_sets }
    }
}

#[wasm_bindgen]
impl FieldFormCore {
    /// The field sets as the service sent them.
    #[wasm_bindgen(getter, js_name = fieldSets)]
    pub fn field_sets(&self) -> JsValue {
        self.field_sets.clone()
    }

    /// Whether a card must be entered.
    #[wasm_bindgen(getter, js_name = requiresCard)]
    pub fn requires_card(&self) -> bool {
        self.form.requires_card()
    }

    /// All problems, as JSON text, of the values, an object from field id to value as JSON text.
    pub fn check(&self, values: &str) -> Result<String, JsValue> {
        let environment = self.client.environment();
        let problems = self
            .form
            .check(values, &self.client.today(), &|pattern, text| environment.matches(pattern, text));
        problems.map(|found| convert::problems(&found)).map_err(|error| convert::error(&error))
    }

    /// The choices of a dropdown, given the values so far: an array of `{ id, name? }`.
    pub fn options(&self, field_id: String, values: String, signal: Option<AbortSignal>) -> Promise {
        let (client, form) = (self.client.clone(), self.form.clone());
        promise(Box::pin(async move {
            Ok(convert::reply(&client.field_options(&form, &field_id, &values, &signal).await?))
        }))
    }

    /// The `fields` array for a request, as JSON text.
    #[wasm_bindgen(js_name = toFields)]
    pub fn to_fields(&self, values: &str) -> Result<String, JsValue> {
        self.form.to_fields(values).map_err(|error| convert::error(&error))
    }
}

use wasm_bindgen::prelude::*;

use super::answer;
use crate::api::FieldForm;
use crate::browser::now_ms;
use crate::client::date_of;

/// A [`FieldForm`]. What it answers is text, as `answer.rs` says.
#[wasm_bindgen]
pub struct FieldFormCore {
    pub(super) form: FieldForm,
}

#[wasm_bindgen]
impl FieldFormCore {
    /// Whether a card must be entered.
    #[wasm_bindgen(getter, js_name = requiresCard)]
    pub fn requires_card(&self) -> bool {
        self.form.requires_card()
    }

    /// What to note of values, as `FieldForm::wanted` says it.
    pub fn wanted(&self) -> String {
        answer::json(&self.form.wanted())
    }

    /// All problems of the values that were noted; an empty text where there are none, which is told fastest.
    pub fn check(&self, notes: &[u32]) -> String {
        match self.form.check_notes(notes, &date_of(now_ms())) {
            Ok(problems) if problems.is_empty() => String::new(),
            Ok(problems) => answer::json(&answer::problems(&problems)),
            Err(error) => answer::error(&error),
        }
    }

    /// The `fields` array for a request.
    #[wasm_bindgen(js_name = toFields)]
    pub fn to_fields(&self, values: &str) -> String {
        answer::of(self.form.to_fields(values))
    }
}

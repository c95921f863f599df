use wasm_bindgen::prelude::*;

use super::answer;
use crate::api::FieldForm;
use crate::browser::now_ms;
use crate::client::{Task, date_of};

/// A [`FieldForm`]. Its answers are those of `answer.rs`.
#[wasm_bindgen]
pub struct FieldFormCore(pub(super) Box<dyn FieldFormHandle>);

/// The methods of a form. Behind `dyn`, as forms are in a part of the module.
pub(super) trait FieldFormHandle {
    fn requires_card(&self) -> bool;
    fn probes(&self) -> String;
    fn check(&self, results: &[u32]) -> String;
    fn to_fields(&self, values: &str) -> String;
    fn options(&self, field_id: String, values: String) -> Task;
}

#[wasm_bindgen]
impl FieldFormCore {
    /// Whether a card must be entered.
    #[wasm_bindgen(getter, js_name = requiresCard)]
    pub fn requires_card(&self) -> bool {
        self.0.requires_card()
    }

    /// Returns what to probe of values, as `FieldForm::probes` does.
    pub fn probes(&self) -> String {
        self.0.probes()
    }

    /// Returns all problems of the probed values; an empty text, which crosses the boundary fastest, if there
    /// are none.
    pub fn check(&self, results: &[u32]) -> String {
        self.0.check(results)
    }

    /// Returns the `fields` array of a request.
    #[wasm_bindgen(js_name = toFields)]
    pub fn to_fields(&self, values: &str) -> String {
        self.0.to_fields(values)
    }
}

impl FieldFormHandle for FieldForm {
    fn requires_card(&self) -> bool {
        FieldForm::requires_card(self)
    }

    fn probes(&self) -> String {
        answer::json(&FieldForm::probes(self))
    }

    fn check(&self, results: &[u32]) -> String {
        match self.check_results(results, &date_of(now_ms())) {
            Ok(problems) if problems.is_empty() => String::new(),
            Ok(problems) => answer::json(&answer::problems(&problems)),
            Err(error) => answer::error(&error),
        }
    }

    fn to_fields(&self, values: &str) -> String {
        answer::of(FieldForm::to_fields(self, values))
    }

    fn options(&self, field_id: String, values: String) -> Task {
        Task::Options(self.clone(), field_id, values)
    }
}

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Code;
use super::fields::fields_of;
use super::json::JsonRef;

/// A problem of a dynamic field. Does not hold the field's value.
///
/// Serializes to `{ fieldId, code, message, label? }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FieldProblem {
    /// The id of the field.
    pub field_id: String,
    /// One of the service's codes.
    pub code: Code,
    /// A sentence that may be shown to the end user.
    pub message: String,
    /// The field's label, if the call fetched the form. A [`FieldForm`](super::FieldForm) leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl FieldProblem {
    /// Creates a problem with the code's own message.
    pub fn new(field_id: &str, code: Code) -> Self {
        FieldProblem { field_id: field_id.to_owned(), message: code.message().to_owned(), code, label: None }
    }

    /// Sets the labels, or else the names, from the reply of a fields endpoint, where they may be shown.
    pub(crate) fn label_all(problems: &mut [Self], reply: JsonRef<'_>, is_shown: impl Fn(&str) -> bool) {
        for field in fields_of(reply) {
            let shown = |name| field.text_of(name).filter(|text| !text.is_empty() && is_shown(text));
            let id = field.text_of("fieldId").unwrap_or_default();
            for problem in problems.iter_mut().filter(|problem| problem.field_id == id) {
                problem.label = shown("label").or_else(|| shown("name")).map(Cow::into_owned);
            }
        }
    }
}

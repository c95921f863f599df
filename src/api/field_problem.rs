use std::borrow::Cow;

use super::Code;
use super::json::{JsonRef, Writer, serialize_json_ref};

/// What is wrong with a field. Holds no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// The field.
    pub field_id: String,
    /// What is wrong, by the service's own codes.
    pub code: Code,
    /// A sentence that may be shown to the end user.
    pub message: String,
    /// What the form calls the field, where the form was fetched for the call. A
    /// [`FieldForm`](super::FieldForm) has its labels at hand.
    pub label: Option<String>,
}

impl FieldProblem {
    /// A problem with the code's own message.
    pub(super) fn new(field_id: &str, code: Code) -> Self {
        FieldProblem { field_id: field_id.to_owned(), message: code.message().to_owned(), code, label: None }
    }

    /// With the labels that the reply of a fields endpoint gives, or else the names, where they may be shown.
    pub(crate) fn label_all(problems: &mut [Self], reply: JsonRef<'_>, is_shown: impl Fn(&str) -> bool) {
        let sets = reply.member("fieldSets").into_iter().flat_map(JsonRef::items);
        for field in sets.filter_map(|set| set.member("fields")).flat_map(JsonRef::items) {
            let called = |name| field.text_of(name).filter(|text| !text.is_empty() && is_shown(text));
            let id = field.text_of("fieldId").unwrap_or_default();
            for problem in problems.iter_mut().filter(|problem| problem.field_id == id) {
                problem.label = called("label").or_else(|| called("name")).map(Cow::into_owned);
            }
        }
    }

    /// `{ fieldId, code, message, label? }` of each, as JSON text.
    pub(crate) fn write_all(problems: &[Self], out: &mut Writer) {
        out.list(|out| {
            for problem in problems {
                out.item();
                problem.write(out);
            }
        });
    }

    fn write(&self, out: &mut Writer) {
        out.object(|out| {
            out.text_member("fieldId", &self.field_id);
            out.text_member("code", self.code.as_str());
            out.text_member("message", &self.message);
            if let Some(label) = &self.label {
                out.text_member("label", label);
            }
        });
    }
}

impl serde::Serialize for FieldProblem {
    /// `{ fieldId, code, message, label? }`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = Writer::default();
        self.write(&mut out);
        serialize_json_ref(JsonRef::new(&out.finish()), serializer)
    }
}

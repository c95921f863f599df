//! The field values of a request, and how they are stored and shown again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::definition::{FieldSet, FieldType};
use crate::error::ErrorCode;
use crate::input::Input;

/// Field values by identifier, in the order of the request.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Values(Map<String, Value>);

const ALIASES: [(&str, &str); 4] = [
    ("FIRST_NAME", "firstName"),
    ("LAST_NAME", "lastName"),
    ("COMPANY_NAME", "companyName"),
    ("PURPOSE_OF_REMITTANCE", "REMITTANCE_PURPOSE"),
];

fn resolve_alias(id: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == id).map_or(id, |(_, id)| id)
}

impl Values {
    /// Reads the `fields` array of a body.
    pub(crate) fn read(input: &mut Input) -> Self {
        const MALFORMED: ErrorCode = ErrorCode::BadRequestError;
        let mut values = Self::default();
        let list = match input.value("fields").cloned() {
            None => return values,
            Some(Value::Array(list)) => list,
            Some(_) => {
                input.reject("fields", MALFORMED, "expected an array of {id, value}");
                return values;
            }
        };
        for mut entry in list {
            let value = entry.get_mut("value").map(Value::take);
            let Some(id) = entry.get("id").and_then(Value::as_str).map(resolve_alias) else {
                input.reject("fields", MALFORMED, "every element needs an id, which is a string");
                continue;
            };
            // A forgotten value must not count as null, which removes the field in a PATCH.
            let Some(value) = value else {
                input.reject(id, MALFORMED, "the field needs a value, which may be null");
                continue;
            };
            if values.0.insert(id.to_owned(), value).is_some() {
                input.reject(id, MALFORMED, "the field was given more than once");
            }
        }
        values
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Value> {
        self.0.get(id)
    }

    pub(crate) fn text(&self, id: &str) -> Option<&str> {
        self.get(id).and_then(Value::as_str)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn set(&mut self, id: &str, value: Value) {
        self.0.insert(id.to_owned(), value);
    }

    /// Applies a partial update. A null removes a value.
    pub(crate) fn merged(mut self, changes: Values) -> Self {
        self.0.extend(changes.0);
        self
    }

    pub(crate) fn without_nulls(mut self) -> Self {
        self.0.retain(|_, value| !value.is_null());
        self
    }

    /// Returns the `fields` array of a wire record, without nulls and with the field `masked_id` masked.
    pub(crate) fn to_wire(&self, sets: &[FieldSet], masked_id: &str) -> Value {
        let fields = self.0.iter().filter(|(_, value)| !value.is_null()).map(|(id, value)| {
            let definition = sets.iter().flat_map(|set| &set.fields).find(|field| field.field_id == *id);
            let shown = match value {
                Value::String(text) if id == masked_id => json!(masked(text)),
                value => value.clone(),
            };
            json!({
                "id": id,
                "name": definition.map_or(id.as_str(), |definition| definition.name.in_language("")),
                "type": definition.map_or(FieldType::Text, |definition| definition.field_type),
                "value": shown,
            })
        });
        fields.collect()
    }
}

pub(crate) fn masked(text: &str) -> String {
    let length = text.chars().count();
    text.chars().enumerate().map(|(at, character)| if at + 4 < length { '*' } else { character }).collect()
}

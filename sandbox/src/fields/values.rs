//! The values that a request gives for fields, and how they are kept and shown again.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::definition::{FieldSet, FieldType};
use crate::error::ErrorCode;
use crate::input::Input;

/// Field values by identifier, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Values(Map<String, Value>);

/// Identifiers under which a field may also be given.
const ALIASES: [(&str, &str); 4] = [
    ("FIRST_NAME", "firstName"),
    ("LAST_NAME", "lastName"),
    ("COMPANY_NAME", "companyName"),
    ("PURPOSE_OF_REMITTANCE", "REMITTANCE_PURPOSE"),
];

/// The identifier that the service uses for a field.
pub(crate) fn id_of_field(id: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == id).map_or(id, |(_, id)| id)
}

impl Values {
    /// Reads the `fields` array of a body.
    pub(crate) fn read(input: &mut Input) -> Self {
        let malformed = |input: &mut Input, why| input.refuse("fields", ErrorCode::BadRequestError, why);
        let list = match input.value("fields").cloned() {
            None => return Self::default(),
            Some(Value::Array(list)) => list,
            Some(_) => {
                malformed(input, "expected an array of {id, value}");
                return Self::default();
            }
        };
        let mut values = Self::default();
        for mut entry in list {
            let value = entry.get_mut("value").map(Value::take).unwrap_or_default();
            let Some(id) = entry.get("id").and_then(Value::as_str).map(id_of_field) else {
                malformed(input, "every element needs an id, which is a string");
                continue;
            };
            if values.0.insert(id.to_owned(), value).is_some() {
                input.refuse(id, ErrorCode::BadRequestError, "the field was given more than once");
            }
        }
        values
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Value> {
        self.0.get(id)
    }

    /// The text of a field; `None` also where the value is no text.
    pub(crate) fn text(&self, id: &str) -> Option<&str> {
        self.get(id).and_then(Value::as_str)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn set(&mut self, id: &str, value: Value) {
        self.0.insert(id.to_owned(), value);
    }

    /// What remains when `changes` is laid over these values. A null takes a value away.
    pub(crate) fn merged(mut self, changes: Values) -> Self {
        self.0.extend(changes.0);
        self
    }

    /// Drops what was given as nothing.
    pub(crate) fn without_nulls(mut self) -> Self {
        self.0.retain(|_, value| !value.is_null());
        self
    }

    /// The `fields` array of a record: `{id, name, type, value}` each. `mask` names a field of which
    /// only the last four characters are shown.
    pub(crate) fn record(&self, sets: &[FieldSet], mask: &str) -> Value {
        let fields = self.0.iter().map(|(id, value)| {
            let definition = sets.iter().flat_map(|set| &set.fields).find(|f| f.field_id == id);
            let shown = match value {
                Value::String(text) if id == mask => json!(masked(text)),
                value => value.clone(),
            };
            json!({
                "id": id,
                "name": definition.map_or(id.as_str(), |definition| definition.name),
                "type": definition.map_or(FieldType::Text, |definition| definition.field_type),
                "value": shown,
            })
        });
        fields.collect()
    }
}

/// Stars for all but the last four characters.
pub(crate) fn masked(text: &str) -> String {
    let length = text.chars().count();
    text.chars().enumerate().map(|(at, character)| if at + 4 < length { '*' } else { character }).collect()
}

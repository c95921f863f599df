//! The values that a request gives for fields, and how they are kept and shown again.

use serde_json::{Map, Value, json};

use super::definition::FieldSet;
use crate::error::{ErrorCode, Problem, Problems};

/// Field values by identifier, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values(Vec<(String, Value)>);

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
    /// Reads a `fields` array.
    pub(crate) fn read(fields: Option<&Value>, problems: &mut Problems) -> Self {
        let mut values = Self::default();
        let list = match fields {
            None | Some(Value::Null) => return values,
            Some(Value::Array(list)) => list,
            Some(_) => {
                problems.add(malformed("expected an array of {id, value}"));
                return values;
            }
        };
        for entry in list {
            let id = entry.get("id").and_then(Value::as_str);
            let (Some(id), Some(entry)) = (id, entry.as_object()) else {
                problems.add(malformed("every element needs an id, which is a string"));
                continue;
            };
            let id = id_of_field(id);
            if values.get(id).is_some() {
                problems.add(
                    Problem::new(ErrorCode::BadRequestError)
                        .at(id)
                        .because("the field was given more than once"),
                );
                continue;
            }
            values.0.push((id.to_owned(), entry.get("value").cloned().unwrap_or(Value::Null)));
        }
        values
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Value> {
        self.0.iter().find(|(key, _)| key == id).map(|(_, value)| value)
    }

    /// The text of a field; `None` also where the value is no text.
    pub(crate) fn text(&self, id: &str) -> Option<&str> {
        self.get(id).and_then(Value::as_str)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| id.as_str())
    }

    pub(crate) fn set(&mut self, id: &str, value: Value) {
        match self.0.iter_mut().find(|(key, _)| key == id) {
            Some((_, kept)) => *kept = value,
            None => self.0.push((id.to_owned(), value)),
        }
    }

    /// What remains when `changes` is laid over these values. A null takes a value away.
    pub(crate) fn merged(mut self, changes: Values) -> Self {
        for (id, value) in changes.0 {
            self.set(&id, value);
        }
        self
    }

    /// Drops what was given as nothing.
    pub(crate) fn without_nulls(mut self) -> Self {
        self.0.retain(|(_, value)| !value.is_null());
        self
    }

    /// The form in which the database keeps them.
    pub(crate) fn to_json(&self) -> String {
        let map: Map<String, Value> = self.0.iter().cloned().collect();
        Value::Object(map).to_string()
    }

    pub(crate) fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let map: Map<String, Value> = serde_json::from_str(text)?;
        Ok(Self(map.into_iter().collect()))
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
                "type": definition.map_or("TEXT", |definition| definition.field_type.name()),
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

fn malformed(why: &str) -> Problem {
    Problem::new(ErrorCode::BadRequestError).at("fields").because(why)
}

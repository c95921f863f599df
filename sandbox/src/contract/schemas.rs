//! Reading the document as JSON, and its schemas.

use serde_json::Value;

/// Follows a `$ref` into the components, if there is one.
pub(super) fn resolved<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).unwrap_or(value),
        None => value,
    }
}

pub(super) fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

/// The component schemas, without room for names that they don't have. The document's readers take more; what
/// RemitKit and the sandbox send has to be written down.
pub(super) struct Schemas(Value);

impl Schemas {
    pub(super) fn of(root: &Value) -> Self {
        let mut schemas = root.pointer("/components/schemas").cloned().unwrap_or_default();
        close(&mut schemas);
        Self(schemas)
    }

    pub(super) fn validator(&self, schema: &Value) -> Result<jsonschema::Validator, String> {
        let mut schema = schema.clone();
        close(&mut schema);
        let root = serde_json::json!({ "allOf": [schema], "components": { "schemas": self.0 } });
        jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .should_validate_formats(true)
            .offline()
            .build(&root)
            .map_err(|error| error.to_string())
    }
}

/// Forbids unnamed members in every schema of an object that doesn't say whether it has any.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(close),
        Value::Object(object) => {
            object.values_mut().for_each(close);
            if object.get("type").is_some_and(|kind| kind == "object") {
                object.entry("additionalProperties").or_insert(Value::Bool(false));
            }
        }
        _ => {}
    }
}

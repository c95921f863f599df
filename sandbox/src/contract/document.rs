//! The document, read once, and its operations by method and path.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::openapi::{self, METHODS};
use super::operation::Operation;

/// The interface as data.
#[derive(Debug)]
pub(super) struct Document {
    root: Value,
    operations: HashMap<(String, String), Operation>,
}

static DOCUMENT: LazyLock<Result<Document, String>> = LazyLock::new(Document::read);

pub(super) fn document() -> &'static Result<Document, String> {
    &DOCUMENT
}

impl Document {
    fn read() -> Result<Self, String> {
        let mut document = Self { root: openapi::assembled()?, operations: HashMap::new() };
        let schemas = Schemas::of(&document.root);
        let mut operations = HashMap::new();
        for (path, item) in members(document.root.get("paths")) {
            for method in METHODS {
                let Some(description) = item.get(method) else { continue };
                let operation = Operation::read(&document, &schemas, item, description)
                    .map_err(|error| format!("{method} {path}: {error}"))?;
                operations.insert((method.to_owned(), plain(path)), operation);
            }
        }
        document.operations = operations;
        Ok(document)
    }

    /// The operation that a route serves. Its placeholders may have other names than the document's.
    pub(super) fn operation(&self, method: &str, route: &str) -> Option<&Operation> {
        self.operations.get(&(method.to_ascii_lowercase(), plain(route)))
    }

    pub(super) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.values()
    }

    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    /// What stands at a pointer such as `/components/schemas`.
    pub(super) fn at(&self, pointer: &str) -> Option<&Value> {
        self.root.pointer(pointer)
    }

    /// Follows a `$ref` into the components, if there is one.
    pub(super) fn resolved<'a>(&'a self, value: &'a Value) -> &'a Value {
        match value.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
            Some(pointer) => self.root.pointer(pointer).unwrap_or(value),
            None => value,
        }
    }
}

/// A path whose placeholders have no names.
fn plain(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

pub(super) fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

/// The component schemas, without room for names that they don't have. The document's readers take more; what
/// RemitKit and the sandbox send has to be written down.
pub(super) struct Schemas(Value);

impl Schemas {
    fn of(root: &Value) -> Self {
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

/// The members of a JSON object that stand in a list of pairs, the last of a name counting.
pub(super) fn object_of(pairs: impl IntoIterator<Item = (String, String)>) -> Value {
    Value::Object(pairs.into_iter().map(|(name, text)| (name, Value::String(text))).collect::<Map<_, _>>())
}

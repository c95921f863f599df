//! Assembles the OpenAPI document from `shared.yaml` and the resources' parts, and expands their shorthand:
//!
//! - A part has `schemas` and `parameters` at its top, and a `tag` for all its operations.
//! - A schema may be `Name` or `type`, with its `x-source` after it (`Uuid documented`), or a list of one
//!   schema: an array. `properties` imply an object, `x-known-values` a string; a list of values takes the
//!   schema's source.
//! - A parameter may be the name of a shared one, and is of the query unless it says otherwise. `theme` lists
//!   the parameters of the card form's theme.
//! - A request body or response may be a schema. Path parameters and common error responses are added.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::card_form;
use crate::error::{DOCUMENTED_CODES, ErrorCode};
use crate::resources::RESOURCES;

const SHARED: (&str, &str) = ("sandbox/src/contract/shared.yaml", include_str!("shared.yaml"));
pub(super) const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The document of the interface.
pub(super) static INTERFACE: LazyLock<Result<Value, String>> = LazyLock::new(|| {
    let resources = RESOURCES.iter().chain([&card_form::RESOURCE]);
    assemble([SHARED].into_iter().chain(resources.map(|resource| (resource.file, resource.document))))
});

/// The document of the control endpoints.
pub(super) static CONTROL: LazyLock<Result<Value, String>> = LazyLock::new(|| {
    assemble([("sandbox/src/control/document.yaml", include_str!("../control/document.yaml"))])
});

fn assemble<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Value, String> {
    let mut document = Map::new();
    for (file, yaml) in parts {
        let in_file = |error: String| format!("the OpenAPI document in {file}: {error}");
        let part = serde_saphyr::from_str(yaml).map_err(|error| in_file(error.to_string()))?;
        merge(&mut document, expand_part(part), "").map_err(in_file)?;
    }
    let mut document = Value::Object(document);
    if let Some(Value::Object(codes)) = document.pointer_mut("/components/schemas/ErrorCode") {
        codes.insert("x-known-values".to_owned(), known_codes());
    }
    Ok(document)
}

/// Merges a part into the document. A member that both have is an error.
fn merge(document: &mut Map<String, Value>, part: Map<String, Value>, path: &str) -> Result<(), String> {
    for (name, value) in part {
        let path = format!("{path}/{name}");
        match (document.get_mut(&name), value) {
            (None, value) => {
                document.insert(name, value);
            }
            (Some(Value::Object(known)), Value::Object(more)) => merge(known, more, &path)?,
            (Some(_), _) => return Err(format!("{path} is there already")),
        }
    }
    Ok(())
}

fn known_codes() -> Value {
    let codes = ErrorCode::ALL.iter().enumerate().map(|(at, code)| {
        let source = match code {
            _ if at < DOCUMENTED_CODES => "documented",
            ErrorCode::AccessDenied => "published",
            _ => "assumed",
        };
        (code.name().to_owned(), json!(source))
    });
    Value::Object(codes.collect())
}

fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

fn members(value: Option<&mut Value>) -> impl Iterator<Item = (&String, &mut Value)> {
    value.and_then(Value::as_object_mut).into_iter().flatten()
}

fn elements(value: Option<&mut Value>) -> impl Iterator<Item = &mut Value> {
    value.and_then(Value::as_array_mut).into_iter().flatten()
}

fn expand_part(mut part: Map<String, Value>) -> Map<String, Value> {
    let tag = part.shift_remove("tag");
    for kind in ["paths", "webhooks"] {
        for (path, item) in members(part.get_mut(kind)) {
            for (method, operation) in members(Some(item)) {
                let is_method = METHODS.contains(&method.as_str());
                if let (true, Some(operation)) = (is_method, operation.as_object_mut()) {
                    operation.extend(tag.iter().map(|tag| ("tags".to_owned(), json!([tag]))));
                    expand_operation(operation, path);
                }
            }
        }
    }
    members(part.get_mut("schemas")).for_each(|(_, schema)| expand_schema(schema));
    members(part.get_mut("parameters")).for_each(|(_, parameter)| expand_parameter(parameter));
    for kind in ["schemas", "parameters"] {
        if let Some(all) = part.shift_remove(kind) {
            let components = part.entry("components").or_insert_with(|| json!({}));
            components.as_object_mut().map(|components| components.insert(kind.to_owned(), all));
        }
    }
    part
}

fn expand_operation(operation: &mut Map<String, Value>, path: &str) {
    let summary = operation.get("summary").cloned().unwrap_or_default();
    operation.entry("description").or_insert_with(|| summary.clone());
    operation.entry("x-error-codes").or_insert_with(|| json!([]));
    let theme = operation.shift_remove("theme");
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    if let Some(parameters) = parameters.as_array_mut() {
        let theme = theme.as_ref().and_then(Value::as_object).into_iter().flatten();
        parameters
            .extend(theme.map(|(name, schema)| json!({ "name": name, "x-theme": true, "schema": schema })));
        parameters.iter_mut().for_each(expand_parameter);
        parameters.extend(path_parameters(path));
    }
    if let Some(body) = operation.get_mut("requestBody") {
        expand_body(body, json!({ "required": true }));
    }
    for (_, response) in members(operation.get_mut("responses")) {
        expand_body(response, json!({ "description": summary }));
    }
    if let Some(Value::Object(responses)) = operation.get_mut("responses") {
        for status in ["4XX", "5XX"] {
            responses.entry(status).or_insert_with(|| reference("responses", "Errors"));
        }
    }
}

fn expand_parameter(parameter: &mut Value) {
    match parameter {
        Value::String(name) => *parameter = reference("parameters", name),
        Value::Object(object) => {
            object.entry("in").or_insert_with(|| json!("query"));
            object.get_mut("schema").map(expand_schema);
        }
        _ => {}
    }
}

fn path_parameters(path: &str) -> impl Iterator<Item = Value> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let schema = match name {
            "country" => "CountryCode",
            name if name.ends_with("Id") => "Uuid",
            _ => "ChoiceId",
        };
        json!({ "name": name, "in": "path", "required": true, "schema": reference("schemas", schema) })
    })
}

/// Expands a request body or response. `body` has the members beside the content where only a schema is
/// given.
fn expand_body(value: &mut Value, mut body: Value) {
    let is_body = ["content", "description", "$ref"].iter().any(|name| value.get(name).is_some());
    if is_body {
        for (_, content) in members(value.get_mut("content")) {
            content.get_mut("schema").map(expand_schema);
        }
        return;
    }
    expand_schema(value);
    if let Some(body) = body.as_object_mut() {
        body.insert("content".to_owned(), json!({ "application/json": { "schema": value.take() } }));
    }
    *value = body;
}

fn expand_schema(schema: &mut Value) {
    match schema {
        Value::String(text) => {
            let (name, source) = text.split_once(' ').unwrap_or((text, ""));
            let is_component = name.starts_with(char::is_uppercase);
            let mut full = match name {
                "array" => json!({ "type": name, "items": {} }),
                _ if is_component => reference("schemas", name),
                _ => json!({ "type": name }),
            };
            if let (false, Some(full)) = (source.is_empty(), full.as_object_mut()) {
                full.insert("x-source".to_owned(), json!(source));
            }
            *schema = full;
        }
        Value::Array(items) => {
            let mut item = items.pop().unwrap_or_default();
            expand_schema(&mut item);
            *schema = json!({ "type": "array", "items": item });
        }
        Value::Object(object) => {
            members(object.get_mut("properties")).for_each(|(_, schema)| expand_schema(schema));
            elements(object.get_mut("anyOf")).for_each(expand_schema);
            object.get_mut("items").map(expand_schema);
            let source = object.get("x-source").cloned().unwrap_or_default();
            if let Some(values) = object.get_mut("x-known-values") {
                if let Value::Array(names) = values {
                    let names = names.iter().filter_map(Value::as_str);
                    *values = names.map(|name| (name.to_owned(), source.clone())).collect();
                }
                object.entry("type").or_insert_with(|| json!("string"));
            }
            if object.contains_key("properties") {
                object.entry("type").or_insert_with(|| json!("object"));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn parts_are_merged_and_must_not_overlap() {
        let mut document = map(json!({ "paths": { "/a": { "get": { "summary": "A." } } } }));
        merge(&mut document, map(json!({ "paths": { "/a": { "post": {} }, "/b": {} } })), "").unwrap();
        assert_eq!(
            Value::from(document.clone()),
            json!({ "paths": { "/a": { "get": { "summary": "A." }, "post": {} }, "/b": {} } })
        );
        let again = map(json!({ "paths": { "/a": { "get": { "summary": "B." } } } }));
        assert_eq!(merge(&mut document, again, ""), Err("/paths//a/get/summary is there already".to_owned()));
    }
}

//! The interface's document (OpenAPI 3.1), put together: what is shared, and what each resource says of
//! itself.

use serde_json::{Map, Value, json};

use crate::card_form;
use crate::error::{DOCUMENTED_CODES, ErrorCode};
use crate::resources::RESOURCES;

const SHARED: &str = include_str!("shared.yaml");
pub(super) const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

pub(super) fn assembled() -> Result<Value, String> {
    let resources = RESOURCES.iter().chain([&card_form::RESOURCE]);
    let parts = resources.map(|resource| (resource.file, resource.interface));
    let mut document = Map::new();
    for (file, yaml) in [("sandbox/src/contract/shared.yaml", SHARED)].into_iter().chain(parts) {
        let wrong = |error: String| format!("the interface in {file}: {error}");
        let part = serde_saphyr::from_str(yaml).map_err(|error| wrong(error.to_string()))?;
        add(&mut document, part, "").map_err(wrong)?;
    }
    let mut document = Value::Object(document);
    write_out(&mut document);
    if let Some(Value::Object(codes)) = document.pointer_mut("/components/schemas/ErrorCode") {
        codes.insert("x-known-values".to_owned(), known_codes());
    }
    Ok(document)
}

/// Adds what a part says. Nothing is said twice, or one of the two would be read in vain.
fn add(document: &mut Map<String, Value>, part: Map<String, Value>, path: &str) -> Result<(), String> {
    for (name, value) in part {
        let path = format!("{path}/{name}");
        match (document.get_mut(&name), value) {
            (None, value) => {
                document.insert(name, value);
            }
            (Some(Value::Object(there)), Value::Object(more)) => add(there, more, &path)?,
            (Some(_), _) => return Err(format!("{path} is there already")),
        }
    }
    Ok(())
}

/// Each code that the sandbox has, with its source.
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

/// Writes out what the parts say in short: a shared parameter by its name, a JSON body by that of its schema.
/// Adds what goes without saying: the parameters that stand in the path, and the usual errors.
fn write_out(document: &mut Value) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        for method in METHODS {
            let Some(Value::Object(operation)) = item.get_mut(method) else { continue };
            let summary = operation.get("summary").cloned().unwrap_or_default();
            let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
            for parameter in parameters.as_array_mut().into_iter().flatten() {
                if let Value::String(name) = parameter {
                    *parameter = json!({ "$ref": format!("#/components/parameters/{name}") });
                }
            }
            if let Some(parameters) = parameters.as_array_mut() {
                parameters.extend(placeholders(path));
            }
            if let Some(body) = operation.get_mut("requestBody") {
                write_out_body(body, "required", &json!(true));
            }
            let Some(Value::Object(replies)) = operation.get_mut("responses") else { continue };
            for reply in replies.values_mut() {
                write_out_body(reply, "description", &summary);
            }
            for status in ["4XX", "5XX"] {
                replies.entry(status).or_insert_with(|| json!({ "$ref": "#/components/responses/Errors" }));
            }
        }
    }
}

fn write_out_body(body: &mut Value, beside: &str, value: &Value) {
    if let Value::String(name) = body {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        *body = json!({ beside: value, "content": { "application/json": { "schema": schema } } });
    }
}

fn placeholders(path: &str) -> impl Iterator<Item = Value> {
    path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).map(|name| {
        let schema = match name {
            "country" => "CountryCode",
            name if name.ends_with("Id") => "Uuid",
            _ => "ChoiceId",
        };
        let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
        json!({ "name": name, "in": "path", "required": true, "schema": schema })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(value: Value) -> Map<String, Value> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn parts_add_up_and_do_not_contradict_each_other() {
        let mut document = map(json!({ "paths": { "/a": { "get": { "summary": "A." } } } }));
        add(&mut document, map(json!({ "paths": { "/a": { "post": {} }, "/b": {} } })), "").unwrap();
        assert_eq!(
            Value::from(document.clone()),
            json!({ "paths": { "/a": { "get": { "summary": "A." }, "post": {} }, "/b": {} } })
        );
        let again = map(json!({ "paths": { "/a": { "get": { "summary": "B." } } } }));
        assert_eq!(add(&mut document, again, ""), Err("/paths//a/get/summary is there already".to_owned()));
    }

    #[test]
    fn what_is_said_in_short_is_written_out() {
        let schema = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let content = |name: &str| json!({ "application/json": { "schema": schema(name) } });
        let said = json!({
            "summary": "A.", "parameters": ["b"], "requestBody": "C", "responses": { "200": "D", "4XX": 1 },
        });
        let mut document = json!({ "paths": { "/a/{aId}": { "get": said } } });
        write_out(&mut document);
        let written = json!({
            "summary": "A.",
            "parameters": [
                { "$ref": "#/components/parameters/b" },
                { "name": "aId", "in": "path", "required": true, "schema": schema("Uuid") },
            ],
            "requestBody": { "required": true, "content": content("C") },
            "responses": {
                "200": { "description": "A.", "content": content("D") },
                "4XX": 1,
                "5XX": { "$ref": "#/components/responses/Errors" },
            },
        });
        assert_eq!(document.pointer("/paths/~1a~1{aId}/get"), Some(&written));
    }

    /// A part may refer to what another part has, and nothing else notices a name that is gone.
    #[test]
    fn every_reference_leads_somewhere() {
        fn look(document: &Value, value: &Value, strays: &mut Vec<String>) {
            match value {
                Value::Object(object) => {
                    if let Some(reference) = object.get("$ref").and_then(Value::as_str)
                        && reference.strip_prefix('#').and_then(|to| document.pointer(to)).is_none()
                    {
                        strays.push(reference.to_owned());
                    }
                    object.values().for_each(|value| look(document, value, strays));
                }
                Value::Array(list) => list.iter().for_each(|value| look(document, value, strays)),
                _ => {}
            }
        }
        let document = assembled().unwrap();
        let mut strays = Vec::new();
        look(&document, &document, &mut strays);
        assert!(strays.is_empty(), "{strays:?}");
    }
}

//! The interface's document (OpenAPI 3.1), put together: what is shared, and what each resource says of
//! itself.

use serde_json::{Map, Value, json};

use crate::card_form;
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
    add_usual_errors(&mut document);
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

fn add_usual_errors(document: &mut Value) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for item in paths.into_iter().flat_map(Map::values_mut) {
        for method in METHODS {
            let replies = item.get_mut(method).and_then(|operation| operation.get_mut("responses"));
            let Some(replies) = replies.and_then(Value::as_object_mut) else { continue };
            for status in ["4XX", "5XX"] {
                replies.entry(status).or_insert_with(|| json!({ "$ref": "#/components/responses/Errors" }));
            }
        }
    }
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
    fn an_operation_has_the_usual_errors_where_it_names_no_others() {
        let usual = json!({ "$ref": "#/components/responses/Errors" });
        let mut document = json!({ "paths": { "/a": { "get": { "responses": { "4XX": 1 } } } } });
        add_usual_errors(&mut document);
        assert_eq!(document.pointer("/paths/~1a/get/responses"), Some(&json!({ "4XX": 1, "5XX": usual })));
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

//! What the interface consists of, as the measure of coverage counts it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::document;
use super::members::Seen;
use super::schemas::members;
use crate::error::{DOCUMENTED_CODES, ErrorCode};

/// Operations, parameters and members of bodies (`operation name`), documented error codes, parameters of the
/// card form's theme, its events, and the known values of enumerations (`Enumeration=value`).
///
/// # Errors
/// Where the document can't be read.
pub fn interface() -> Result<Value, String> {
    let document = document().as_ref().map_err(Clone::clone)?;
    let mut operations = BTreeSet::new();
    let mut parameters = BTreeSet::new();
    let mut theme = BTreeSet::new();
    for operation in document.operations() {
        operations.insert(operation.id.clone());
        for parameter in &operation.parameters {
            match parameter.theme {
                true => theme.insert(parameter.name.clone()),
                false => parameters.insert(format!("{} {}", operation.id, parameter.name)),
            };
        }
        if let Some(body) = &operation.body {
            let mut seen = Seen::default();
            seen.look_at_all(document, body);
            parameters.extend(seen.members.iter().map(|member| format!("{} {member}", operation.id)));
        }
    }
    let events = document.at("/paths/~1v2~1add-card~1{sessionId}/get/x-events").cloned().unwrap_or_default();
    let mut values = BTreeSet::new();
    for (name, schema) in members(document.at("/components/schemas")) {
        // Codes are counted by themselves.
        for (value, _) in members(schema.get("x-known-values")).filter(|_| name != "ErrorCode") {
            values.insert(format!("{name}={value}"));
        }
    }
    let codes: Vec<&str> = ErrorCode::ALL.iter().take(DOCUMENTED_CODES).map(|code| code.name()).collect();
    Ok(json!({
        "operations": operations,
        "parameters": parameters,
        "codes": codes,
        "theme": theme,
        "events": events,
        "values": values,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_what_the_interface_states() {
        let interface = interface().unwrap();
        let count = |name: &str| interface.get(name).and_then(Value::as_array).map_or(0, Vec::len);
        assert_eq!((count("codes"), count("theme"), count("events")), (67, 24, 4));
        assert!(count("operations") > 42 && count("parameters") > 60 && count("values") > 60, "{interface}");
    }

    #[test]
    fn the_document_knows_the_codes_of_the_sandbox_and_no_others() {
        let document = document().as_ref().unwrap();
        let named: BTreeSet<&str> = members(document.at("/components/schemas/ErrorCode/x-known-values"))
            .map(|(name, _)| &**name)
            .collect();
        let known: BTreeSet<&str> = ErrorCode::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(named, known);
        for operation in document.operations() {
            for code in &operation.codes {
                assert!(known.contains(&**code), "{}: {code}", operation.id);
            }
        }
    }

    #[test]
    fn every_name_has_a_source() {
        fn look(value: &Value, path: &str, source: Option<&Value>, strays: &mut Vec<String>) {
            let Some(object) = value.as_object() else { return };
            let own = object.get("x-source").or(source);
            if let Some(own) = own.and_then(Value::as_str)
                && !["documented", "published", "assumed"].contains(&own)
            {
                strays.push(format!("{path}: {own}"));
            }
            for (name, schema) in members(object.get("properties")) {
                let path = format!("{path}/{name}");
                if own.is_none() && schema.get("x-source").is_none() {
                    strays.push(path.clone());
                }
                look(schema, &path, own, strays);
            }
        }
        let document = document().as_ref().unwrap();
        let mut strays = Vec::new();
        for (name, schema) in members(document.at("/components/schemas")) {
            look(schema, name, None, &mut strays);
        }
        assert!(strays.is_empty(), "{strays:?}");
    }
}

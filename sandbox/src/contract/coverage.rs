//! What an exchange reaches of the interface, and what there is to reach.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{document, members, resolve};
use crate::error::{DOCUMENTED_CODES, ErrorCode};

/// The members and enumeration values that were reached. All names come from the document.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// Paths such as `fields[].id`.
    pub(super) members: BTreeSet<String>,
    /// Values such as `TransferMethod=PUSH_TO_CARD`.
    pub(super) values: BTreeSet<String>,
}

impl Reached {
    /// Adds what a value reaches of a schema; without a value, everything that the schema allows.
    pub(super) fn add(&mut self, root: &Value, schema: &Value, value: Option<&Value>) {
        self.walk(root, schema, "", value, "");
    }

    /// `name` is the name of the component, `path` the place of the value.
    fn walk(&mut self, root: &Value, schema: &Value, name: &str, value: Option<&Value>, path: &str) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap_or_default();
            let target = resolve(root, schema);
            if !std::ptr::eq(target, schema) {
                self.walk(root, target, name, value, path);
            }
            return;
        }
        for (known, _) in members(schema.get("x-known-values")) {
            if value.is_none_or(|value| value == known) {
                self.values.insert(format!("{name}={known}"));
            }
        }
        let list = |name: &str| schema.get(name).and_then(Value::as_array).into_iter().flatten();
        list("anyOf").for_each(|other| self.walk(root, other, "", value, path));
        for rule in list("allOf") {
            let applies = value.is_none_or(|value| holds(rule.get("if"), value));
            if let Some(then) = rule.get("then").filter(|_| applies) {
                self.walk(root, then, "", value, path);
            }
        }
        for (member, schema) in members(schema.get("properties")) {
            let inner = value.map(|value| value.get(member).filter(|value| !value.is_null()));
            if inner == Some(None) {
                continue;
            }
            let path = if path.is_empty() { member.clone() } else { format!("{path}.{member}") };
            self.members.insert(path.clone());
            self.walk(root, schema, "", inner.flatten(), &path);
        }
        let Some(items) = schema.get("items") else { return };
        let path = format!("{path}[]");
        match value {
            None => self.walk(root, items, "", None, &path),
            Some(value) => {
                let values = value.as_array().into_iter().flatten();
                values.for_each(|value| self.walk(root, items, "", Some(value), &path));
            }
        }
    }
}

/// Whether a value has the constants of a condition.
fn holds(condition: Option<&Value>, value: &Value) -> bool {
    members(condition.and_then(|condition| condition.get("properties")))
        .all(|(name, rule)| rule.get("const").is_some_and(|constant| value.get(name) == Some(constant)))
}

/// Returns everything that the coverage report counts: operations, query parameters and body members
/// (`operation name`), documented error codes, theme parameters, events, and enumeration values
/// (`Enumeration=value`).
///
/// # Errors
/// Where the document can't be read.
pub fn interface() -> Result<Value, String> {
    let document = document().as_ref().map_err(Clone::clone)?;
    let root = document.root();
    let (mut operations, mut parameters) = (BTreeSet::new(), BTreeSet::new());
    let (mut theme, mut values) = (BTreeSet::new(), BTreeSet::new());
    for operation in document.operations() {
        let id = &operation.id;
        operations.insert(id);
        for parameter in &operation.parameters {
            match parameter.is_theme {
                true => theme.insert(&parameter.name),
                false => parameters.insert(format!("{id} {}", parameter.name)),
            };
        }
        if let Some(body) = operation.body_schema() {
            let mut reached = Reached::default();
            reached.add(root, body, None);
            parameters.extend(reached.members.iter().map(|member| format!("{id} {member}")));
        }
    }
    for (name, schema) in
        members(root.pointer("/components/schemas")).filter(|(name, _)| *name != "ErrorCode")
    {
        let known = members(schema.get("x-known-values"));
        values.extend(known.map(|(value, _)| format!("{name}={value}")));
    }
    let codes: Vec<&str> = ErrorCode::ALL.iter().take(DOCUMENTED_CODES).map(|code| code.name()).collect();
    Ok(json!({
        "operations": operations, "parameters": parameters, "codes": codes, "theme": theme,
        "events": root.pointer("/paths/~1v2~1add-card~1{sessionId}/get/x-events"), "values": values,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_covers_the_documented_interface() {
        let interface = interface().unwrap();
        let count = |name: &str| interface[name].as_array().map_or(0, Vec::len);
        assert_eq!((count("codes"), count("theme"), count("events")), (67, 24, 4));
        assert!(count("operations") > 42 && count("parameters") > 60 && count("values") > 60, "{interface}");
    }

    #[test]
    fn every_name_has_a_source() {
        fn look(value: &Value, path: &str, source: Option<&Value>, missing: &mut Vec<String>) {
            let own = value.get("x-source").or(source);
            if own.is_some_and(|own| !["documented", "published", "assumed"].iter().any(|known| own == known))
            {
                missing.push(format!("{path}: {own:?}"));
            }
            for (name, schema) in members(value.get("properties")) {
                let path = format!("{path}/{name}");
                if own.is_none() && schema.get("x-source").is_none() {
                    missing.push(path.clone());
                }
                look(schema, &path, own, missing);
            }
        }
        let mut missing = Vec::new();
        for (name, schema) in members(document().as_ref().unwrap().root().pointer("/components/schemas")) {
            look(schema, name, None, &mut missing);
        }
        assert!(missing.is_empty(), "{missing:?}");
    }
}

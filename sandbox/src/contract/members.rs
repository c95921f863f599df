//! Walking through a value by its schema: which members it has, and which values of enumerations.

use std::collections::BTreeSet;

use serde_json::Value;

use super::document::Document;
use super::schemas::members;

/// What a value was seen to have. Names come from the document alone, so nothing of the value itself stays.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Paths such as `fields[].id`.
    pub(super) members: BTreeSet<String>,
    /// Values such as `TransferMethod=PUSH_TO_CARD`.
    pub(super) values: BTreeSet<String>,
}

impl Seen {
    pub(super) fn look(&mut self, document: &Document, schema: &Value, value: &Value) {
        self.walk(document, schema, "", Some(value), "");
    }

    /// Everything that a schema lets a value have.
    pub(super) fn look_at_all(&mut self, document: &Document, schema: &Value) {
        self.walk(document, schema, "", None, "");
    }

    /// `name` is the component that the schema is, `path` where the value stands. Without a value,
    /// every member and every known value counts.
    fn walk(&mut self, document: &Document, schema: &Value, name: &str, value: Option<&Value>, path: &str) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap_or_default();
            let target = document.resolved(schema);
            if !std::ptr::eq(target, schema) {
                self.walk(document, target, name, value, path);
            }
            return;
        }
        for (known, _) in members(schema.get("x-known-values")) {
            if value.is_none_or(|value| value == known) {
                self.values.insert(format!("{name}={known}"));
            }
        }
        let list = |name: &str| schema.get(name).and_then(Value::as_array).into_iter().flatten();
        for other in list("anyOf") {
            self.walk(document, other, "", value, path);
        }
        for rule in list("allOf") {
            let applies = value.is_none_or(|value| holds(rule.get("if"), value));
            if let Some(then) = rule.get("then").filter(|_| applies) {
                self.walk(document, then, "", value, path);
            }
        }
        for (member, schema) in members(schema.get("properties")) {
            let inner = value.map(|value| value.get(member).filter(|value| !value.is_null()));
            if inner == Some(None) {
                continue;
            }
            let path = if path.is_empty() { member.clone() } else { format!("{path}.{member}") };
            self.members.insert(path.clone());
            self.walk(document, schema, "", inner.flatten(), &path);
        }
        if let Some(items) = schema.get("items") {
            let path = format!("{path}[]");
            match value {
                None => self.walk(document, items, "", None, &path),
                Some(value) => value
                    .as_array()
                    .into_iter()
                    .flatten()
                    .for_each(|value| self.walk(document, items, "", Some(value), &path)),
            }
        }
    }
}

/// Whether the constants of a condition are those of a value.
fn holds(condition: Option<&Value>, value: &Value) -> bool {
    members(condition.and_then(|condition| condition.get("properties")))
        .all(|(name, rule)| rule.get("const").is_some_and(|constant| value.get(name) == Some(constant)))
}

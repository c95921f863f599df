//! The document, read once, and its operations by method and path.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::Value;

use super::openapi::{self, METHODS};
use super::operation::Operation;
use super::schemas::{Schemas, members, resolved};

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
        let root = openapi::assembled()?;
        let schemas = Schemas::of(&root);
        let mut operations = HashMap::new();
        for (path, item) in members(root.get("paths")) {
            for method in METHODS {
                let Some(description) = item.get(method) else { continue };
                let operation = Operation::read(&root, &schemas, item, description)
                    .map_err(|error| format!("{method} {path}: {error}"))?;
                operations.insert((method.to_owned(), plain(path)), operation);
            }
        }
        Ok(Self { root, operations })
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
        resolved(&self.root, value)
    }
}

/// A path whose placeholders have no names.
fn plain(path: &str) -> String {
    let parts = path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part });
    parts.collect::<Vec<_>>().join("/")
}

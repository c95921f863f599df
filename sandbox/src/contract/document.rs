//! The OpenAPI document, with validators for the query, bodies and replies of each operation.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Value, json};

use super::openapi::{INTERFACE, METHODS};
use crate::log::is_name;

const JSON: &str = "application/json";
const MAX_VIOLATIONS: usize = 8;

#[derive(Debug)]
pub(super) struct Document {
    root: Value,
    /// By method and path.
    operations: HashMap<(String, String), Operation>,
}

static DOCUMENT: LazyLock<Result<Document, String>> = LazyLock::new(Document::load);

pub(super) fn document() -> &'static Result<Document, String> {
    &DOCUMENT
}

pub(super) fn members(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

impl Document {
    fn load() -> Result<Self, String> {
        let root = INTERFACE.clone()?;
        let mut operations = HashMap::new();
        for (path, item) in members(root.get("paths")) {
            for method in METHODS {
                let Some(description) = item.get(method) else { continue };
                let operation = Operation::load(&root, description)
                    .map_err(|error| format!("{method} {path}: {error}"))?;
                operations.insert((method.to_owned(), path.clone()), operation);
            }
        }
        Ok(Self { root, operations })
    }

    pub(super) fn operation(&self, method: &str, route: &str) -> Option<&Operation> {
        self.operations.get(&(method.to_ascii_lowercase(), route.to_owned()))
    }

    pub(super) fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.operations.values()
    }

    pub(super) fn root(&self) -> &Value {
        &self.root
    }
}

/// Follows a `$ref`, if there is one.
pub(super) fn resolve<'a>(root: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
        Some(pointer) => root.pointer(pointer).unwrap_or(value),
        None => value,
    }
}

/// Compiles schemas without additional properties. Readers of the document accept unknown members, but
/// everything that RemitKit and the sandbox send has to be documented.
fn validator(components: &Value, schema: &Value) -> Result<Validator, String> {
    let mut schema = json!({ "allOf": [schema], "components": components });
    close(&mut schema);
    let options = jsonschema::options().with_draft(jsonschema::Draft::Draft202012);
    options.should_validate_formats(true).offline().build(&schema).map_err(|error| error.to_string())
}

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

/// A place in an exchange, and what the document requires there.
pub(super) type Violation = (String, String);

fn violation(at: &str, rule: impl Into<String>) -> Violation {
    (at.to_owned(), rule.into())
}

#[derive(Debug)]
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) codes: BTreeSet<String>,
    pub(super) parameters: Vec<QueryParameter>,
    query: Validator,
    needs_body: bool,
    /// By media type.
    bodies: HashMap<String, Content>,
    /// By status and media type.
    replies: HashMap<String, HashMap<String, Content>>,
}

#[derive(Debug)]
pub(super) struct QueryParameter {
    pub(super) name: String,
    pub(super) is_theme: bool,
    pub(super) schema: Value,
    required: bool,
    is_integer: bool,
}

/// A schema and its validator; without a schema, anything is valid.
type Content = Option<(Value, Validator)>;

impl Operation {
    fn load(root: &Value, description: &Value) -> Result<Self, String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let codes = [description.get("x-error-codes"), root.get("x-common-error-codes")];
        let codes = codes.into_iter().flat_map(list).map(|code| text(&code)).collect();

        let mut parameters = Vec::new();
        for parameter in &list(description.get("parameters")) {
            let parameter = resolve(root, parameter);
            if parameter.get("in").is_none_or(|place| place != "query") {
                continue;
            }
            let is_true = |name: &str| parameter.get(name).is_some_and(|value| value == true);
            let schema = parameter.get("schema").ok_or("a parameter without a schema")?;
            parameters.push(QueryParameter {
                name: parameter.get("name").map(text).ok_or("a parameter without a name")?,
                is_theme: is_true("x-theme"),
                required: is_true("required"),
                is_integer: resolve(root, schema).get("type").is_some_and(|kind| kind == "integer"),
                schema: schema.clone(),
            });
        }
        let required = parameters.iter().filter(|parameter| parameter.required).map(|one| &one.name);
        let properties = parameters.iter().map(|one| (one.name.clone(), one.schema.clone()));
        let query = json!({
            "type": "object",
            "required": required.collect::<Vec<_>>(),
            "properties": properties.collect::<Value>(),
        });

        let components = root.get("components").ok_or("no components")?;
        let contents = |value: Option<&Value>| -> Result<HashMap<String, Content>, String> {
            let contents = members(value.and_then(|value| value.get("content")));
            let contents = contents.map(|(media_type, content)| {
                let schema = content.get("schema");
                let compile =
                    |schema: &Value| validator(components, schema).map(|valid| (schema.clone(), valid));
                Ok((media_type.clone(), schema.map(compile).transpose()?))
            });
            contents.collect()
        };
        let request = description.get("requestBody");
        let replies = members(description.get("responses"))
            .map(|(status, reply)| Ok((status.clone(), contents(Some(resolve(root, reply)))?)));
        Ok(Self {
            id: description.get("operationId").map(text).ok_or("no operationId")?,
            codes,
            parameters,
            query: validator(components, &query)?,
            needs_body: request.and_then(|body| body.get("required")).is_some_and(|value| value == true),
            bodies: contents(request)?,
            replies: replies.collect::<Result<_, String>>()?,
        })
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&QueryParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    pub(super) fn check_query(&self, query: &[(String, String)]) -> Vec<Violation> {
        let query = query.iter().filter_map(|(name, text)| match self.parameter(name) {
            // An empty optional parameter counts as absent.
            Some(parameter) if text.is_empty() && !parameter.required => None,
            Some(parameter) => Some((name.clone(), parameter.parse(text))),
            None => Some((name.clone(), Value::Null)),
        });
        validate("query", &self.query, &query.collect())
    }

    pub(super) fn check_body(&self, media_type: &str, body: Option<&Value>) -> Vec<Violation> {
        // The service reads a body without a media type as JSON.
        let media_type = if media_type.is_empty() { JSON } else { media_type };
        match (body, self.bodies.get(media_type)) {
            (Some(body), Some(content)) => validate_content("request", content, body),
            (Some(_), None) => vec![violation("request", "has no such body in the document")],
            (None, _) if self.needs_body => vec![violation("request", "needs a body")],
            (None, _) => Vec::new(),
        }
    }

    pub(super) fn check_reply(&self, status: u16, media_type: &str, body: &[u8]) -> Vec<Violation> {
        let Some(contents) = self.reply(status) else {
            return vec![violation("reply", format!("the document knows no status {status} here"))];
        };
        if contents.is_empty() && body.is_empty() {
            return Vec::new();
        }
        match (contents.get(media_type), serde_json::from_slice(body)) {
            (None, _) => vec![violation("reply", "has another media type in the document")],
            (Some(None), _) => Vec::new(),
            (Some(content), Ok(value)) => validate_content("reply", content, &value),
            (Some(_), Err(_)) => vec![violation("reply", "is not JSON")],
        }
    }

    pub(super) fn body_schema(&self) -> Option<&Value> {
        schema(&self.bodies)
    }

    pub(super) fn reply_schema(&self, status: u16) -> Option<&Value> {
        schema(self.reply(status)?)
    }

    fn reply(&self, status: u16) -> Option<&HashMap<String, Content>> {
        let exact = self.replies.get(&status.to_string());
        exact.or_else(|| self.replies.get(&format!("{}XX", status / 100)))
    }
}

fn schema(contents: &HashMap<String, Content>) -> Option<&Value> {
    contents.get(JSON)?.as_ref().map(|(schema, _)| schema)
}

impl QueryParameter {
    /// Returns the JSON value that a query text stands for.
    pub(super) fn parse(&self, text: &str) -> Value {
        match text.parse::<i64>() {
            Ok(number) if self.is_integer => Value::from(number),
            _ => Value::from(text),
        }
    }
}

fn validate_content(side: &str, content: &Content, value: &Value) -> Vec<Violation> {
    content.as_ref().map(|(_, validator)| validate(side, validator, value)).unwrap_or_default()
}

fn validate(side: &str, validator: &Validator, value: &Value) -> Vec<Violation> {
    let errors = validator.iter_errors(value).take(MAX_VIOLATIONS);
    errors
        .map(|error| violation(format!("{side} {}", error.instance_path().as_str()).trim_end(), rule(&error)))
        .collect()
}

/// Returns the violated rule without the value.
fn rule(error: &ValidationError<'_>) -> String {
    let names = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected,
        _ => return error.masked().to_string().chars().take(300).collect(),
    };
    // An undocumented name could contain anything.
    let names = names.iter().map(|name| if is_name(name) { name.as_str() } else { "…" });
    let names: Vec<_> = names.take(MAX_VIOLATIONS).collect();
    format!("has members that are not in the document: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(problems: Vec<Violation>) -> Vec<String> {
        problems.into_iter().map(|(at, rule)| format!("{at}: {rule}")).collect()
    }

    #[test]
    fn replies_are_checked_for_status_media_type_names_and_values() {
        const VALID: &str = r#"{"nonce":"b4b1d68e-52a8-4b30-a86d-57c936a39adc"}"#;
        let nonce = document().as_ref().unwrap().operation("GET", "/v1/nonce").unwrap();
        let check =
            |status, media_type, body: &str| texts(nonce.check_reply(status, media_type, body.as_bytes()));
        assert!(check(200, JSON, VALID).is_empty());
        assert!(check(400, JSON, r#"[{"code":"BadRequestError","message":"No."}]"#).is_empty());
        for (status, media_type, body, expected) in [
            (201, JSON, VALID, "reply: the document knows no status 201 here"),
            (200, "text/html", VALID, "reply: has another media type"),
            (200, JSON, "{", "reply: is not JSON"),
            (200, JSON, "{}", "reply: \"nonce\" is a required property"),
            (200, JSON, r#"{"nonce":"4111111111111111"}"#, "reply /nonce: value is not a \"uuid\""),
            (400, JSON, "[]", "reply: "),
            (400, JSON, r#"[{"code":"X"}]"#, "reply /0: \"message\" is a required property"),
        ] {
            let problems = check(status, media_type, body);
            assert!(problems.iter().any(|problem| problem.starts_with(expected)), "{body}: {problems:?}");
            assert!(!problems.join(" ").contains("4111"), "{problems:?}");
        }
        let problems = check(200, JSON, &VALID.replace('}', r#","more":1,"4111111111111111":2}"#));
        assert_eq!(problems, ["reply: has members that are not in the document: more, …"]);
    }

    #[test]
    fn requests_are_checked_for_query_and_body() {
        let document = document().as_ref().unwrap();
        let quote = document.operation("GET", "/v1/quote").unwrap();
        let query =
            [("amount", "12.50"), ("transferMethod", "NEW_METHOD"), ("colour", "red"), ("senderId", "")];
        let query = query.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let problems = texts(quote.check_query(&query)).join("; ");
        // Enumerations are open, and problems never contain values.
        assert!(!problems.contains("transferMethod") && !problems.contains("12.50"), "{problems}");
        assert!(problems.contains("query /amount: "), "{problems}");
        assert!(problems.contains("query: has members that are not in the document: colour"), "{problems}");
        for name in ["quoteBy", "dstCountryIso3Code", "srcCurrencyIso3Code", "dstCurrencyIso3Code"] {
            assert!(problems.contains(&format!("query: \"{name}\" is a required property")), "{problems}");
        }

        let update = document.operation("PATCH", "/v1/senders/{senderId}").unwrap();
        let fields = json!([{ "id": "firstName", "value": "Ana" }, { "id": "PHONE_NUMBER", "value": 7 }]);
        let problems = update.check_body(JSON, Some(&json!({ "fields": fields })));
        let mut places: Vec<&str> = problems.iter().map(|(at, _)| &**at).collect();
        places.sort_unstable();
        assert_eq!(places, ["request", "request /fields/1/value"]);
        assert_eq!(update.check_body(JSON, None).len(), 1);
        assert_eq!(quote.check_body(JSON, Some(&json!({}))).len(), 1);
    }
}

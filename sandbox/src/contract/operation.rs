//! One operation of the document, with what its exchanges are held against.

use std::collections::{BTreeSet, HashMap};

use jsonschema::{Validator, error::ValidationErrorKind};
use serde_json::{Value, json};

use super::schemas::{Schemas, members, resolved};

/// How many problems of one query or body are told.
const MOST: usize = 8;
const FORM: &str = "application/x-www-form-urlencoded";

/// What strays: the place, and what the document says there.
pub(super) type Stray = (String, String);

#[derive(Debug)]
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) codes: BTreeSet<String>,
    pub(super) parameters: Vec<Parameter>,
    query: Validator,
    /// The schema of the JSON body, for walking through it.
    pub(super) body: Option<Value>,
    bodies: HashMap<String, Validator>,
    needs_body: bool,
    replies: HashMap<String, HashMap<String, Content>>,
}

/// A parameter of the query.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) theme: bool,
    pub(super) schema: Value,
    required: bool,
}

#[derive(Debug)]
struct Content {
    schema: Value,
    validator: Option<Validator>,
}

impl Operation {
    pub(super) fn read(
        root: &Value,
        schemas: &Schemas,
        item: &Value,
        description: &Value,
    ) -> Result<Self, String> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
        let mut codes: BTreeSet<String> = list(description.get("x-error-codes")).iter().map(text).collect();
        codes.extend(list(root.pointer("/x-common-error-codes")).iter().map(text));

        let mut parameters = Vec::new();
        let shared = list(item.get("parameters"));
        for parameter in shared.iter().chain(&list(description.get("parameters"))) {
            let parameter = resolved(root, parameter);
            if parameter.get("in").is_none_or(|place| place != "query") {
                continue;
            }
            let schema = parameter.get("schema").ok_or("a parameter without a schema")?;
            let is_true = |name: &str| parameter.get(name).and_then(Value::as_bool).unwrap_or(false);
            parameters.push(Parameter {
                name: parameter.get("name").map(text).ok_or("a parameter without a name")?,
                theme: is_true("x-theme"),
                required: is_true("required"),
                schema: schema.clone(),
            });
        }

        let mut bodies = HashMap::new();
        for (kind, content) in members(description.pointer("/requestBody/content")) {
            let schema = content.get("schema").ok_or("a body without a schema")?;
            bodies.insert(kind.clone(), schemas.validator(schema)?);
        }
        let mut replies = HashMap::new();
        for (status, reply) in members(description.get("responses")) {
            let mut contents = HashMap::new();
            for (kind, content) in members(resolved(root, reply).get("content")) {
                let schema = content.get("schema").cloned().unwrap_or_default();
                let validator = content.get("schema").map(|schema| schemas.validator(schema));
                contents.insert(kind.clone(), Content { schema, validator: validator.transpose()? });
            }
            replies.insert(status.clone(), contents);
        }
        let required = parameters.iter().filter(|parameter| parameter.required).map(|one| &one.name);
        let query = json!({
            "type": "object",
            "required": required.collect::<Vec<_>>(),
            "properties": parameters.iter().map(|one| (one.name.clone(), one.schema.clone())).collect::<Value>(),
        });
        Ok(Self {
            query: schemas.validator(&query)?,
            id: description.get("operationId").map(text).ok_or("no operationId")?,
            codes,
            parameters,
            body: description.pointer("/requestBody/content/application~1json/schema").cloned(),
            bodies,
            needs_body: description.pointer("/requestBody/required").is_some_and(|required| required == true),
            replies,
        })
    }

    pub(super) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// Holds the query of a request that the service took.
    pub(super) fn check_query(&self, query: &[(String, String)], strays: &mut Vec<Stray>) {
        let query = query.iter().filter_map(|(name, text)| match self.parameter(name) {
            // One that is optional and empty counts as absent.
            Some(parameter) if text.is_empty() && !parameter.required => None,
            Some(parameter) => Some((name.clone(), parameter.value(text))),
            None => Some((name.clone(), Value::Null)),
        });
        check_value("query", &self.query, &query.collect(), strays);
    }

    /// Holds the body of a request that the service took.
    pub(super) fn check_body(&self, kind: &str, body: Option<&Value>, strays: &mut Vec<Stray>) {
        // What comes without a media type is read as JSON.
        let kind = if kind.is_empty() { "application/json" } else { kind };
        match (body, self.bodies.get(kind)) {
            (Some(body), Some(validator)) => check_value("request", validator, body, strays),
            (Some(_), None) => {
                strays.push(("request".to_owned(), "has no such body in the document".to_owned()))
            }
            (None, _) if self.needs_body => strays.push(("request".to_owned(), "needs a body".to_owned())),
            (None, _) => {}
        }
    }

    /// Holds a reply, whatever its status.
    pub(super) fn check_reply(&self, status: u16, kind: &str, body: &[u8], strays: &mut Vec<Stray>) {
        let Some(contents) = self.reply(status) else {
            strays.push(("reply".to_owned(), format!("the document knows no status {status} here")));
            return;
        };
        if contents.is_empty() && body.is_empty() {
            return;
        }
        match contents.get(kind) {
            None => strays.push(("reply".to_owned(), "has another media type in the document".to_owned())),
            Some(Content { validator: None, .. }) => {}
            Some(Content { validator: Some(validator), .. }) => match serde_json::from_slice(body) {
                Ok(value) => check_value("reply", validator, &value, strays),
                Err(_) => strays.push(("reply".to_owned(), "is not JSON".to_owned())),
            },
        }
    }

    /// The schema of a reply in JSON.
    pub(super) fn reply_schema(&self, status: u16) -> Option<&Value> {
        self.reply(status)?.get("application/json").map(|content| &content.schema)
    }

    fn reply(&self, status: u16) -> Option<&HashMap<String, Content>> {
        let exact = self.replies.get(&status.to_string());
        exact.or_else(|| self.replies.get(&format!("{}XX", status / 100)))
    }
}

impl Parameter {
    /// The value that a text of the query stands for.
    pub(super) fn value(&self, text: &str) -> Value {
        let is_integer = self.schema.get("type").is_some_and(|kind| kind == "integer")
            || self.schema.get("$ref").is_some_and(|name| name == "#/components/schemas/MinorUnits");
        match text.parse::<i64>() {
            Ok(number) if is_integer => Value::from(number),
            _ => Value::from(text),
        }
    }
}

fn check_value(side: &str, validator: &Validator, value: &Value, strays: &mut Vec<Stray>) {
    for error in validator.iter_errors(value).take(MOST) {
        strays
            .push((format!("{side} {}", error.instance_path().as_str()).trim_end().to_owned(), rule(&error)));
    }
}

/// What the document says, without the value that strayed.
fn rule(error: &jsonschema::ValidationError<'_>) -> String {
    let names = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected,
        _ => return error.masked().to_string().chars().take(300).collect(),
    };
    // A name that nobody wrote down could be anything.
    let names = names.iter().map(|name| if crate::log::is_name(name) { name.as_str() } else { "…" });
    format!("has members that are not in the document: {}", names.take(MOST).collect::<Vec<_>>().join(", "))
}

/// The body of a request as a value: JSON, or the form that the token endpoint takes too.
pub(super) fn body_value(kind: &str, bytes: &[u8]) -> Option<Value> {
    if bytes.is_empty() {
        return None;
    }
    if kind == FORM {
        return serde_urlencoded::from_bytes(bytes).ok();
    }
    serde_json::from_slice(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::super::document::document;
    use serde_json::json;

    fn nonce(status: u16, kind: &str, body: &str) -> Vec<String> {
        let operation = document().as_ref().unwrap().operation("GET", "/v1/nonce").unwrap();
        let mut strays = Vec::new();
        operation.check_reply(status, kind, body.as_bytes(), &mut strays);
        strays.into_iter().map(|(at, rule)| format!("{at}: {rule}")).collect()
    }

    #[test]
    fn a_reply_strays_in_its_status_its_media_type_its_names_and_its_values() {
        const JSON: &str = "application/json";
        const GOOD: &str = r#"{"nonce":"b4b1d68e-52a8-4b30-a86d-57c936a39adc"}"#;
        assert!(nonce(200, JSON, GOOD).is_empty());
        assert!(nonce(400, JSON, r#"[{"code":"BadRequestError","message":"No."}]"#).is_empty());
        for (status, kind, body, expected) in [
            (201, JSON, GOOD, "reply: the document knows no status 201 here"),
            (200, "text/html", GOOD, "reply: has another media type"),
            (200, JSON, "{", "reply: is not JSON"),
            (200, JSON, "{}", "reply: \"nonce\" is a required property"),
            (200, JSON, r#"{"nonce":"4111111111111111"}"#, "reply /nonce: value is not a \"uuid\""),
            (400, JSON, "[]", "reply: "),
            (400, JSON, r#"[{"code":"X"}]"#, "reply /0: \"message\" is a required property"),
        ] {
            let strays = nonce(status, kind, body);
            assert!(strays.iter().any(|stray| stray.starts_with(expected)), "{body}: {strays:?}");
            assert!(!strays.join(" ").contains("4111"), "{strays:?}");
        }
        let strays = nonce(200, JSON, &GOOD.replace('}', r#","more":1,"4111111111111111":2}"#));
        assert_eq!(strays, ["reply: has members that are not in the document: more, …"]);
    }

    #[test]
    fn a_request_strays_in_its_query_and_its_body() {
        let document = document().as_ref().unwrap();
        let quote = document.operation("GET", "/v1/quote").unwrap();
        let mut strays = Vec::new();
        let pairs =
            [("amount", "12.50"), ("transferMethod", "NEW_METHOD"), ("colour", "red"), ("senderId", "")];
        let pairs = pairs.map(|(name, text)| (name.to_owned(), text.to_owned()));
        quote.check_query(&pairs, &mut strays);
        let told: Vec<String> = strays.iter().map(|(at, rule)| format!("{at}: {rule}")).collect();
        let told = told.join("; ");
        // A value that no list has is none that strays.
        assert!(!told.contains("transferMethod") && !told.contains("12.50"), "{told}");
        assert!(told.contains("query /amount: "), "{told}");
        assert!(told.contains("query: has members that are not in the document: colour"), "{told}");
        for name in ["quoteBy", "dstCountryIso3Code", "srcCurrencyIso3Code", "dstCurrencyIso3Code"] {
            assert!(told.contains(&format!("query: \"{name}\" is a required property")), "{told}");
        }

        let update = document.operation("PATCH", "/v1/senders/{sender}").unwrap();
        let mut strays = Vec::new();
        let fields = json!([{ "id": "firstName", "value": "Ana" }, { "id": "PHONE_NUMBER", "value": 7 }]);
        update.check_body("application/json", Some(&json!({ "fields": fields })), &mut strays);
        let places: Vec<&str> = strays.iter().map(|(at, _)| &**at).collect();
        assert_eq!(places.len(), 2);
        assert!(places.contains(&"request") && places.contains(&"request /fields/1/value"), "{strays:?}");
        strays.clear();
        update.check_body("application/json", None, &mut strays);
        quote.check_body("application/json", Some(&json!({})), &mut strays);
        assert_eq!(strays.len(), 2);
    }
}

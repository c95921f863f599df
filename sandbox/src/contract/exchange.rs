use std::collections::BTreeSet;

use super::coverage::Reached;
use super::document::{Document, Operation, document};
use super::monitor::Violation;
use crate::endpoint::*;

const BODY_LIMIT: usize = 16 << 20;
/// The card form's own call. It is not part of the interface, but answers with its codes.
const VERIFY: &str = "/v2/add-card/{sessionId}/verify";

/// Middleware: passes a request on, and monitors the exchange.
pub(crate) async fn watch(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !app.monitor.is_on() {
        return next.run(request).await;
    }
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let (Some(route), Ok(document)) = (route, document()) else { return next.run(request).await };
    let operation = document.operation(request.method().as_str(), &route);
    if operation.is_none() && route != VERIFY {
        return watch_undocumented(&app, &route, request, next).await;
    }
    let query = serde_urlencoded::from_str(request.uri().query().unwrap_or_default()).unwrap_or_default();
    let (parts, body) = request.into_parts();
    let sent_type = media_type(&parts.headers);
    let Ok(sent) = to_bytes(body, BODY_LIMIT).await else {
        return ApiError::from(ErrorCode::PayloadTooLarge).into_response();
    };
    let response = next.run(Request::from_parts(parts, Body::from(sent.clone()))).await;
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, BODY_LIMIT).await else {
        return ApiError::internal("a reply broke off").into_response();
    };
    let exchange = Exchange {
        query,
        sent: body_value(&sent_type, &sent),
        sent_type,
        status: parts.status.as_u16(),
        media_type: media_type(&parts.headers),
        codes: parts.extensions.get::<AnsweredCodes>().map(|codes| codes.0.clone()).unwrap_or_default(),
        bytes,
        test: app.monitor.label(),
    };
    match operation {
        Some(operation) => {
            if app.monitor.validates {
                app.monitor.add(exchange.violations(operation));
            }
            app.monitor.record(|| exchange.traffic(document, operation));
        }
        None => exchange.record_verification(&app),
    }
    Response::from_parts(parts, Body::from(exchange.bytes))
}

/// Handles routes that are not in the document: control endpoints, the card form's, and forgotten ones.
async fn watch_undocumented(app: &App, route: &str, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let response = next.run(request).await;
    let is_served = response.status() != StatusCode::METHOD_NOT_ALLOWED && method != Method::HEAD;
    if app.monitor.validates && is_served && route.contains("/v1/") {
        app.monitor.add(vec![Violation {
            operation: format!("{method} {route}"),
            status: response.status().as_u16(),
            at: "request".to_owned(),
            rule: "is not in the document".to_owned(),
            test: app.monitor.label(),
        }]);
    }
    response
}

struct Exchange {
    query: Vec<(String, String)>,
    sent: Option<Value>,
    sent_type: String,
    status: u16,
    media_type: String,
    codes: Vec<ErrorCode>,
    bytes: Bytes,
    test: Option<String>,
}

impl Exchange {
    fn violations(&self, operation: &Operation) -> Vec<Violation> {
        let mut problems = operation.check_reply(self.status, &self.media_type, &self.bytes);
        // A rejected request may be wrong on purpose.
        if self.status < 400 {
            problems.extend(operation.check_query(&self.query));
            problems.extend(operation.check_body(&self.sent_type, self.sent.as_ref()));
        }
        let unlisted =
            self.codes.iter().map(|code| code.name()).filter(|code| !operation.codes.contains(*code));
        let unlisted = unlisted.map(|code| format!("the document does not list {code} for this operation"));
        problems.extend(unlisted.map(|rule| ("reply".to_owned(), rule)));
        let violation = |(at, rule)| Violation {
            operation: operation.id.clone(),
            status: self.status,
            at,
            rule,
            test: self.test.clone(),
        };
        problems.into_iter().map(violation).collect()
    }

    fn traffic(&self, document: &Document, operation: &Operation) -> Value {
        let mut query = BTreeSet::new();
        let mut sent = Reached::default();
        for (name, text) in &self.query {
            let Some(parameter) = operation.parameter(name) else { continue };
            query.insert(name);
            sent.add(document.root(), &parameter.schema, Some(&parameter.parse(text)));
        }
        if let (Some(schema), Some(body)) = (&operation.body, &self.sent) {
            sent.add(document.root(), schema, Some(body));
        }
        let mut reply = Reached::default();
        let body = serde_json::from_slice(&self.bytes).ok();
        if let (Some(schema), Some(body)) = (operation.reply_schema(self.status), &body) {
            reply.add(document.root(), schema, Some(body));
        }
        let values = sent.values.union(&reply.values).filter(|value| !value.starts_with("ErrorCode="));
        json!({
            "test": self.test, "operation": operation.id, "status": self.status, "query": query,
            "body": sent.members, "values": values.collect::<Vec<_>>(), "codes": self.codes,
        })
    }

    /// Records the code that the card form got, in a reply with status 200.
    fn record_verification(&self, app: &App) {
        let reply: Value = serde_json::from_slice(&self.bytes).unwrap_or_default();
        let code = reply.get("code").and_then(Value::as_str);
        if let Some(code) = code.filter(|code| ErrorCode::ALL.iter().any(|known| known.name() == *code)) {
            app.monitor.record(|| json!({ "test": self.test, "status": self.status, "codes": [code] }));
        }
    }
}

/// Returns the media type without its parameters.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Parses a request body: JSON, or the form that the token endpoint also accepts.
fn body_value(media_type: &str, bytes: &[u8]) -> Option<Value> {
    if media_type == "application/x-www-form-urlencoded" && !bytes.is_empty() {
        return serde_urlencoded::from_bytes(bytes).ok();
    }
    serde_json::from_slice(bytes).ok()
}

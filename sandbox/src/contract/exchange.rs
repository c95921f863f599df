use std::collections::BTreeSet;

use axum::http::{request, response};

use super::Monitor;
use super::coverage::Reached;
use super::document::{Document, Operation, Violation, document};
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
    let (request, body) = request.into_parts();
    let Ok(sent) = to_bytes(body, BODY_LIMIT).await else {
        return ApiError::from(ErrorCode::PayloadTooLarge).into_response();
    };
    let response = next.run(Request::from_parts(request.clone(), Body::from(sent.clone()))).await;
    let (response, body) = response.into_parts();
    let Ok(received) = to_bytes(body, BODY_LIMIT).await else {
        return ApiError::internal("a reply broke off").into_response();
    };
    let exchange = Exchange { request, sent, response, received };
    exchange.report(&app.monitor, document, &route);
    Response::from_parts(exchange.response, Body::from(exchange.received))
}

struct Exchange {
    request: request::Parts,
    sent: Bytes,
    response: response::Parts,
    received: Bytes,
}

impl Exchange {
    fn report(&self, monitor: &Monitor, document: &Document, route: &str) {
        let (method, status) = (self.request.method.as_str(), self.response.status.as_u16());
        if let Some(operation) = document.operation(method, route) {
            if monitor.validates {
                monitor.add(&operation.id, status, self.violations(operation));
            }
            monitor.record(|| self.traffic(monitor, document, operation));
        } else if route == VERIFY {
            self.record_verification(monitor);
        } else if monitor.validates && route.contains("/v1/") && status != 405 && method != "HEAD" {
            let violation = ("request".to_owned(), "is not in the document".to_owned());
            monitor.add(&format!("{method} {route}"), status, vec![violation]);
        }
    }

    /// Returns the query, without what a client adds to a read so that no cache answers it.
    fn query(&self) -> Vec<(String, String)> {
        let mut query: Vec<(String, String)> =
            serde_urlencoded::from_str(self.request.uri.query().unwrap_or_default()).unwrap_or_default();
        query.retain(|(name, _)| name != "_");
        query
    }

    /// Parses the request body: JSON, or the form that the token endpoint also accepts.
    fn body(&self) -> Option<Value> {
        if media_type(&self.request.headers) == "application/x-www-form-urlencoded" && !self.sent.is_empty() {
            return serde_urlencoded::from_bytes(&self.sent).ok();
        }
        serde_json::from_slice(&self.sent).ok()
    }

    fn codes(&self) -> &[ErrorCode] {
        self.response.extensions.get().map_or(&[], |AnsweredCodes(codes)| codes)
    }

    fn violations(&self, operation: &Operation) -> Vec<Violation> {
        let status = self.response.status.as_u16();
        let mut violations =
            operation.check_reply(status, &media_type(&self.response.headers), &self.received);
        // A rejected request may be wrong on purpose.
        if status < 400 {
            violations.extend(operation.check_query(&self.query()));
            violations.extend(operation.check_body(&media_type(&self.request.headers), self.body().as_ref()));
        }
        let codes = self.codes().iter().map(|code| code.name());
        let unlisted = codes.filter(|code| !operation.codes.contains(*code));
        let unlisted = unlisted.map(|code| format!("the document does not list {code} for this operation"));
        violations.extend(unlisted.map(|rule| ("reply".to_owned(), rule)));
        violations
    }

    fn traffic(&self, monitor: &Monitor, document: &Document, operation: &Operation) -> Value {
        let status = self.response.status.as_u16();
        let mut query = BTreeSet::new();
        let mut sent = Reached::default();
        for (name, text) in self.query() {
            let Some(parameter) = operation.parameter(&name) else { continue };
            sent.add(document.root(), &parameter.schema, Some(&parameter.parse(&text)));
            query.insert(name);
        }
        if let (Some(schema), Some(body)) = (operation.body_schema(), &self.body()) {
            sent.add(document.root(), schema, Some(body));
        }
        let mut reply = Reached::default();
        let body = serde_json::from_slice(&self.received).ok();
        if let (Some(schema), Some(body)) = (operation.reply_schema(status), &body) {
            reply.add(document.root(), schema, Some(body));
        }
        let values = sent.values.union(&reply.values).filter(|value| !value.starts_with("ErrorCode="));
        json!({
            "test": monitor.label(), "operation": operation.id, "status": status, "query": query,
            "body": sent.members, "values": values.collect::<Vec<_>>(), "codes": self.codes(),
        })
    }

    /// Records the code that the card form got, in a reply with status 200.
    fn record_verification(&self, monitor: &Monitor) {
        let reply: Value = serde_json::from_slice(&self.received).unwrap_or_default();
        let code = reply.get("code").and_then(Value::as_str);
        if let Some(code) = code.filter(|code| ErrorCode::ALL.iter().any(|known| known.name() == *code)) {
            let status = self.response.status.as_u16();
            monitor.record(|| json!({ "test": monitor.label(), "status": status, "codes": [code] }));
        }
    }
}

/// Returns the media type without its parameters.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

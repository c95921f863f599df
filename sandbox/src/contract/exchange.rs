//! One request with its reply, looked at.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::document::{Document, document};
use super::members::Seen;
use super::operation::{Operation, body_value};
use super::violations::Violation;
use crate::app::App;
use crate::error::{AnsweredCodes, ApiError, ErrorCode};

/// The largest body that is looked at; the service itself takes less.
const LIMIT: usize = 16 << 20;
/// The card form's own call, which is no part of the interface, but answers with its codes.
const VERIFY: &str = "/v2/add-card/{session}/verify";

pub(super) async fn watched(app: &Arc<App>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let (Some(route), Ok(document)) = (route, document()) else { return next.run(request).await };
    let operation = document.operation(request.method().as_str(), &route);
    if operation.is_none() && route != VERIFY {
        return undescribed(app, &route, request, next).await;
    }
    let query = request.uri().query().unwrap_or_default().to_owned();
    let (parts, body) = request.into_parts();
    let kind = media_type(&parts.headers);
    let Ok(sent) = to_bytes(body, LIMIT).await else {
        return ApiError::from(ErrorCode::PayloadTooLarge).into_response();
    };
    let response = next.run(Request::from_parts(parts, Body::from(sent.clone()))).await;
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, LIMIT).await else {
        return ApiError::internal("a reply broke off").into_response();
    };
    let exchange = Exchange {
        query: serde_urlencoded::from_str(&query).unwrap_or_default(),
        sent: body_value(&kind, &sent),
        sent_kind: kind,
        status: parts.status.as_u16(),
        kind: media_type(&parts.headers),
        codes: parts.extensions.get::<AnsweredCodes>().map(|codes| codes.0.clone()).unwrap_or_default(),
        bytes,
        test: app.watch.label(),
    };
    match operation {
        Some(operation) => exchange.look(app, document, operation),
        None => exchange.look_at_verification(app),
    }
    Response::from_parts(parts, Body::from(exchange.bytes))
}

/// What the document does not have: the tester's own endpoints and the card form's, or one that somebody
/// forgot to describe.
async fn undescribed(app: &App, route: &str, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let response = next.run(request).await;
    let is_served = response.status() != StatusCode::METHOD_NOT_ALLOWED && method != Method::HEAD;
    if app.watch.checks && is_served && route.contains("/v1/") {
        app.watch.violations.count(vec![Violation {
            operation: format!("{method} {route}"),
            status: response.status().as_u16(),
            at: "request".to_owned(),
            rule: "is not in the document".to_owned(),
            test: app.watch.label(),
        }]);
    }
    response
}

struct Exchange {
    query: Vec<(String, String)>,
    sent: Option<Value>,
    sent_kind: String,
    status: u16,
    kind: String,
    codes: Vec<ErrorCode>,
    bytes: Bytes,
    test: Option<String>,
}

impl Exchange {
    fn was_taken(&self) -> bool {
        self.status < 400
    }

    fn look(&self, app: &App, document: &Document, operation: &Operation) {
        if app.watch.checks {
            app.watch.violations.count(self.violations(operation));
        }
        app.watch.record(|| self.line(document, operation));
    }

    fn violations(&self, operation: &Operation) -> Vec<Violation> {
        let mut strays = Vec::new();
        // What the service refused may have been wrong on purpose.
        if self.was_taken() {
            operation.check_query(&self.query, &mut strays);
            operation.check_body(&self.sent_kind, self.sent.as_ref(), &mut strays);
        }
        operation.check_reply(self.status, &self.kind, &self.bytes, &mut strays);
        for code in self.codes.iter().map(|code| code.name()).filter(|code| !operation.codes.contains(*code))
        {
            strays
                .push(("reply".to_owned(), format!("the document does not list {code} for this operation")));
        }
        let violation = |(at, rule)| Violation {
            operation: operation.id.clone(),
            status: self.status,
            at,
            rule,
            test: self.test.clone(),
        };
        strays.into_iter().map(violation).collect()
    }

    fn line(&self, document: &Document, operation: &Operation) -> Value {
        let mut query = BTreeSet::new();
        let mut sent = Seen::default();
        for (name, text) in &self.query {
            let Some(parameter) = operation.parameter(name) else { continue };
            query.insert(name);
            sent.look(document, &parameter.schema, &parameter.value(text));
        }
        if let (Some(schema), Some(body)) = (&operation.body, &self.sent) {
            sent.look(document, schema, body);
        }
        let mut got = Seen::default();
        let reply = serde_json::from_slice(&self.bytes);
        if let (Some(schema), Ok(reply)) = (operation.reply_schema(self.status), reply) {
            got.look(document, schema, &reply);
        }
        got.values.append(&mut sent.values);
        // Codes have a list of their own.
        got.values.retain(|value| !value.starts_with("ErrorCode="));
        json!({
            "test": self.test,
            "operation": operation.id,
            "status": self.status,
            "query": query,
            "body": sent.members,
            "values": got.values,
            "codes": self.codes,
        })
    }

    /// The card form is answered with a code in a reply that is good.
    fn look_at_verification(&self, app: &App) {
        let code = serde_json::from_slice::<Value>(&self.bytes).ok();
        let code = code.as_ref().and_then(|reply| reply.get("code")).and_then(Value::as_str);
        if let Some(code) = code.filter(|code| ErrorCode::ALL.iter().any(|known| known.name() == *code)) {
            app.watch.record(|| json!({ "test": self.test, "status": self.status, "codes": [code] }));
        }
    }
}

/// The media type without its parameters.
fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

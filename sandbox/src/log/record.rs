//! Writing a request into the log.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use uuid::Uuid;

use super::{Entry, is_name};
use crate::app::App;
use crate::error::{AnsweredCodes, ApiError, ErrorCode};
use crate::faults::apply::AppliedFault;

/// The header by which a reply names its request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

/// The largest body that is read.
const BODY_LIMIT: usize = 1 << 20;
/// Parameters whose values say nothing of a person.
const SHOWN: [&str; 14] = [
    "dstCountryIso3Code",
    "dstCurrencyIso3Code",
    "srcCurrencyIso3Code",
    "transferMethod",
    "quoteBy",
    "amount",
    "recipientAccountId",
    "recipientType",
    "senderType",
    "senderId",
    "limit",
    "offset",
    "countryIso3Code",
    "lng",
];
/// How many names of a body are kept.
const NAMES: usize = 64;

/// Names a request, passes it on, and writes down what became of it.
pub(crate) async fn record(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let request_id = app.request_ids.uuid();
    let path = request.uri().path();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut entry = Entry {
        number: 0,
        at: app.clock.now(),
        request_id,
        method: request.method().clone(),
        // A path that nobody serves could be anything.
        path: if route.is_some() { path.chars().take(300).collect() } else { String::new() },
        route,
        query: query_names(request.uri().query().unwrap_or_default()),
        body_names: Vec::new(),
        field_ids: Vec::new(),
        authorized: request.headers().contains_key(header::AUTHORIZATION),
        status: 0,
        codes: Vec::new(),
        fault: None,
        milliseconds: 0,
    };
    let has_body = matches!(*request.method(), Method::POST | Method::PUT | Method::PATCH);
    let mut response = if has_body {
        let (parts, body) = request.into_parts();
        match to_bytes(body, BODY_LIMIT).await {
            Ok(bytes) => {
                body_names(&bytes, &mut entry);
                next.run(Request::from_parts(parts, Body::from(bytes))).await
            }
            Err(_) => ApiError::from(ErrorCode::PayloadTooLarge).into_response(),
        }
    } else {
        next.run(request).await
    };
    if let Ok(value) = HeaderValue::from_str(request_id.hyphenated().encode_lower(&mut Uuid::encode_buffer()))
    {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    entry.status = response.status().as_u16();
    if let Some(AnsweredCodes(codes)) = response.extensions().get() {
        entry.codes.clone_from(codes);
    }
    if let Some(AppliedFault(fault)) = response.extensions().get() {
        entry.fault = Some(fault);
    }
    entry.milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    // The tester's own looking would push out what is looked for.
    if !entry.route.as_ref().is_some_and(|route| route.as_str().starts_with("/sandbox")) {
        app.log.push(entry);
    }
    response
}

fn query_names(query: &str) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
    const HIDDEN: Cow<'static, str> = Cow::Borrowed("…");
    form_urlencoded::parse(query.as_bytes())
        .take(NAMES)
        .map(|(name, value)| match SHOWN.iter().find(|shown| **shown == name) {
            Some(shown) => (Cow::Borrowed(*shown), Cow::Owned(value.chars().take(64).collect())),
            None if is_name(&name) => (Cow::Owned(name.into_owned()), HIDDEN),
            None => (HIDDEN, HIDDEN),
        })
        .collect()
}

fn body_names(bytes: &[u8], entry: &mut Entry) {
    let Ok(Value::Object(body)) = serde_json::from_slice(bytes) else { return };
    let names = body.keys().filter(|name| is_name(name)).take(NAMES);
    entry.body_names = names.cloned().collect();
    let fields = body.get("fields").and_then(Value::as_array);
    entry.field_ids = fields
        .into_iter()
        .flatten()
        .filter_map(|field| field.get("id").and_then(Value::as_str))
        .filter(|id| is_name(id))
        .take(NAMES)
        .map(str::to_owned)
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_out() {
        let query = query_names("amount=100&token=SECRET&4111111111111111=x&primary=%23fff");
        let text = format!("{query:?}");
        assert!(text.contains("amount") && text.contains("100") && text.contains("primary"));
        assert!(!text.contains("SECRET") && !text.contains("4111") && !text.contains("fff"));
    }
}

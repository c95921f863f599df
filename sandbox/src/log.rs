//! The log of requests: what was asked and answered, without anything that is secret or a person's.
//!
//! Bodies and headers are never kept. Of a query, the values of well-known parameters are, of a body
//! the names of its properties and the identifiers of its fields.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::{Serialize, Serializer};
use serde_json::Value;
use uuid::Uuid;

use crate::app::App;
use crate::clock::iso;
use crate::error::{AnsweredCodes, ApiError, ErrorCode};
use crate::faults::AppliedFault;

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

/// One request.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    number: u64,
    /// In microseconds; who reads it gets it in ISO 8601.
    #[serde(serialize_with = "as_iso")]
    at: i64,
    request_id: Uuid,
    #[serde(serialize_with = "as_text")]
    method: Method,
    /// The route that took it; none takes a path that nobody serves.
    #[serde(serialize_with = "as_route")]
    route: Option<MatchedPath>,
    path: String,
    query: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    body_names: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    field_ids: Vec<String>,
    /// Whether a token came with it.
    authorized: bool,
    status: u16,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    codes: Vec<ErrorCode>,
    /// What a tester had asked to go wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'static str>,
    milliseconds: u64,
}

/// The last requests, within a bound.
#[derive(Debug)]
pub(crate) struct RequestLog {
    capacity: usize,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    entries: VecDeque<Entry>,
    total: u64,
}

impl RequestLog {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, inner: Mutex::default() }
    }

    fn push(&self, mut entry: Entry) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.total += 1;
        entry.number = inner.total;
        let is_full = inner.entries.len() >= self.capacity.max(1);
        let oldest = if is_full { inner.entries.pop_front() } else { None };
        inner.entries.push_back(entry);
        // Freed while nobody waits for the lock.
        drop(inner);
        drop(oldest);
    }

    /// The entries after a number, and how many there were in all.
    pub(crate) fn after(&self, number: u64) -> (Vec<Entry>, u64) {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = inner.entries.iter().filter(|entry| entry.number > number);
        (entries.cloned().collect(), inner.total)
    }

    /// Forgets the entries; the numbers go on.
    pub(crate) fn clear(&self) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).entries.clear();
    }
}

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

fn as_iso<S: Serializer>(micros: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&iso(*micros))
}

fn as_text<S: Serializer>(method: &Method, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(method.as_str())
}

fn as_route<S: Serializer>(route: &Option<MatchedPath>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(route.as_ref().map_or("(none)", MatchedPath::as_str))
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

/// Whether a text looks like the name of something, not like a value that got into its place.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= 40
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && text.bytes().filter(u8::is_ascii_digit).count() < 8
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

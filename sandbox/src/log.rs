//! The log of requests: what was asked and answered, without anything that is secret or a person's.
//!
//! Bodies and headers are never kept. Of a query, the values of well-known parameters are, of a body
//! the names of its properties and the identifiers of its fields.

pub(crate) mod record;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::extract::MatchedPath;
use axum::http::Method;
use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::clock::iso;
use crate::error::ErrorCode;

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

fn as_iso<S: Serializer>(micros: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&iso(*micros))
}

fn as_text<S: Serializer>(method: &Method, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(method.as_str())
}

fn as_route<S: Serializer>(route: &Option<MatchedPath>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(route.as_ref().map_or("(none)", MatchedPath::as_str))
}

/// Whether a text looks like the name of something, not like a value that got into its place.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= 40
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && text.bytes().filter(u8::is_ascii_digit).count() < 8
}

//! The request log, without secrets and personal data: neither bodies nor headers are stored, only names of
//! parameters, properties and fields, and the values of some harmless parameters.

pub(crate) mod middleware;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Mutex;

use serde::{Serialize, Serializer};
use uuid::Uuid;

use crate::clock::iso;
use crate::error::ErrorCode;
use crate::locks::lock;

type Text = Cow<'static, str>;

#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    number: u64,
    #[serde(serialize_with = "as_iso")]
    at: i64,
    request_id: Uuid,
    method: String,
    route: String,
    path: String,
    query: Vec<(Text, Text)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    body_names: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    field_ids: Vec<String>,
    authorized: bool,
    status: u16,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    codes: Vec<ErrorCode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'static str>,
    milliseconds: u64,
}

fn as_iso<S: Serializer>(micros: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&iso(*micros))
}

/// The newest requests, up to a capacity.
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
        let mut inner = lock(&self.inner);
        inner.total += 1;
        entry.number = inner.total;
        let is_full = inner.entries.len() >= self.capacity.max(1);
        let oldest = if is_full { inner.entries.pop_front() } else { None };
        inner.entries.push_back(entry);
        // Free the oldest entry outside the lock.
        drop(inner);
        drop(oldest);
    }

    /// Returns the entries after a number, and the number of the newest.
    pub(crate) fn after(&self, number: u64) -> (Vec<Entry>, u64) {
        let inner = lock(&self.inner);
        let entries = inner.entries.iter().filter(|entry| entry.number > number);
        (entries.cloned().collect(), inner.total)
    }

    /// Removes the entries; the numbers continue.
    pub(crate) fn clear(&self) {
        lock(&self.inner).entries.clear();
    }
}

/// Whether a text looks like a name, and not like a value in the place of one.
pub(crate) fn is_name(text: &str) -> bool {
    text.len() <= 40
        && text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && text.bytes().filter(u8::is_ascii_digit).count() < 8
}

//! A reply that is good for now alone.

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A value as JSON that nobody may keep: the next answer may be another.
pub(crate) fn fresh(value: impl Serialize) -> Response {
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([no_store], Json(value)).into_response()
}

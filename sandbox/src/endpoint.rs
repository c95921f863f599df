//! What a resource of the service consists of, and the imports that everything with requests shares.

pub(crate) use std::sync::Arc;

pub(crate) use axum::body::{Body, Bytes, to_bytes};
pub(crate) use axum::extract::{MatchedPath, Request, State};
pub(crate) use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
pub(crate) use axum::middleware::Next;
pub(crate) use axum::response::{IntoResponse, Response};
pub(crate) use axum::routing::{get, post};
pub(crate) use axum::{Json, Router};
pub(crate) use rusqlite::Connection;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::{Value, json};
pub(crate) use uuid::Uuid;

pub(crate) use crate::access::{Anyone, Caller};
pub(crate) use crate::app::App;
pub(crate) use crate::call::{Call, Reply, plain, read, write};
pub(crate) use crate::clock::{SECOND, iso};
pub(crate) use crate::error::{AnsweredCodes, ApiError, ErrorCode, Problem, Result, reject_if_any};
pub(crate) use crate::records::{Record, record};

/// A resource: its routes, its tables, and its part of the OpenAPI document.
#[derive(Debug)]
pub(crate) struct Resource {
    /// `file!()`, for errors about `document`.
    pub(crate) file: &'static str,
    pub(crate) routes: fn() -> Router<Arc<App>>,
    /// SQL that creates the tables that are missing; may be empty.
    pub(crate) tables: &'static str,
    /// OpenAPI in YAML, with the shorthand that `contract::openapi` expands.
    pub(crate) document: &'static str,
}

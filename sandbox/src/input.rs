//! What a request says, read with care: query parameters and JSON bodies.

mod body;
mod named;
mod path;
mod query;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

pub(crate) use body::{Body, bytes, object};
pub(crate) use named::Named;
pub(crate) use path::{Path, path_uuid};
pub(crate) use query::Query;

use crate::error::{ApiError, ErrorCode, Problem};

/// Gives what the framework refuses by itself, such as a path that is no text, the shape of all errors.
pub(crate) async fn in_our_shape(response: Response) -> Response {
    let is_error = response.status().is_client_error() || response.status().is_server_error();
    let is_text = response
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("text/plain"));
    if !is_error || !is_text {
        return response;
    }
    let error = match response.status() {
        StatusCode::BAD_REQUEST => {
            Problem::new(ErrorCode::BadRequestError).because("the path is not well-formed").into()
        }
        status => ApiError::internal(format!("a request ended with {status} before it was looked at")),
    };
    error.into_response()
}

//! The path of an address.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::ids::parse_uuid;

/// What stands in the path of an address, where the route has names.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<App>> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        match axum::extract::Path::from_request_parts(parts, app).await {
            Ok(axum::extract::Path(path)) => Ok(Self(path)),
            Err(_) => Err(Problem::new(ErrorCode::BadRequestError).because("the path is not UTF-8").into()),
        }
    }
}

/// Reads an identifier that stands in the path, where the interface calls it `name`.
pub(crate) fn path_uuid(text: &str, name: &str, otherwise: ErrorCode) -> Result<Uuid, ApiError> {
    parse_uuid(text)
        .ok_or_else(|| Problem::new(otherwise).at(name).because(format!("{name} has to be a UUID")).into())
}

//! The JSON body of a request.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde_json::{Map, Value};

use super::named::{Named, invalid_amount};
use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problem, Problems};

/// A JSON object that a request carries.
#[derive(Debug)]
pub(crate) struct Body(pub(crate) Map<String, Value>);

impl Body {
    /// An amount in minor units: a JSON integer from 0.
    pub(crate) fn amount(&self, name: &str, problems: &mut Problems) -> Option<i64> {
        match self.0.get(name) {
            None | Some(Value::Null) => {
                problems.add(Problem::new(ErrorCode::NotEmptyValidator).at(name));
                None
            }
            Some(value) => {
                let found = value.as_i64().filter(|amount| *amount >= 0);
                if found.is_none() {
                    problems.add(invalid_amount(name));
                }
                found
            }
        }
    }

    /// A boolean, false if it is absent or null.
    pub(crate) fn flag(&self, name: &str, problems: &mut Problems) -> bool {
        match self.0.get(name) {
            None | Some(Value::Null) => false,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                problems
                    .add(Problem::new(ErrorCode::BadRequestError).at(name).because("expected true or false"));
                false
            }
        }
    }
}

impl Named for Body {
    fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => {
                Err(Problem::new(ErrorCode::BadRequestError).at(name).because("expected a JSON string"))
            }
        }
    }
}

/// Reads the body of a request, whatever it is.
pub(crate) async fn bytes(request: Request, app: &Arc<App>) -> Result<Bytes, ApiError> {
    Bytes::from_request(request, app).await.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ErrorCode::PayloadTooLarge.into()
        } else {
            Problem::new(ErrorCode::BadRequestError).because("the body could not be read").into()
        }
    })
}

/// Reads a JSON object.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => {
            Err(Problem::new(ErrorCode::BadRequestError).because("the body has to be a JSON object").into())
        }
        // serde_json's own words could repeat a part of the body.
        Err(error) => Err(Problem::new(ErrorCode::BadRequestError)
            .because(format!("the body is not JSON (line {}, column {})", error.line(), error.column()))
            .into()),
    }
}

impl FromRequest<Arc<App>> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let json = match request.headers().get(header::CONTENT_TYPE) {
            None => true,
            Some(value) => value.to_str().is_ok_and(|value| {
                value
                    .split(';')
                    .next()
                    .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
            }),
        };
        if !json {
            return Err(Problem::new(ErrorCode::UnsupportedMediaType)
                .because("send Content-Type: application/json")
                .into());
        }
        let bytes = bytes(request, app).await?;
        object(&bytes).map(Self)
    }
}

//! What a request says, read with care: query parameters and JSON bodies.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::App;
use crate::corridor::{QuoteBy, TransferMethod};
use crate::country::{self, Country};
use crate::currency::{self, Currency};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::ids::parse_uuid;

/// Where named values come from: a query or a body.
pub(crate) trait Named {
    /// The text under `name`; `None` if it is absent or null.
    fn text(&self, name: &str) -> Result<Option<&str>, Problem>;

    /// The text under `name`, which has to be there and not empty.
    fn required<'a>(&'a self, name: &str, problems: &mut Problems) -> Option<&'a str> {
        match self.text(name) {
            Ok(Some(text)) if !text.trim().is_empty() => Some(text),
            Ok(_) => {
                problems.add(Problem::new(ErrorCode::NotEmptyValidator).at(name));
                None
            }
            Err(problem) => {
                problems.add(problem);
                None
            }
        }
    }

    /// The text under `name`; an empty one counts as absent.
    fn optional<'a>(&'a self, name: &str, problems: &mut Problems) -> Option<&'a str> {
        match self.text(name) {
            Ok(text) => text.filter(|text| !text.trim().is_empty()),
            Err(problem) => {
                problems.add(problem);
                None
            }
        }
    }

    /// A destination country.
    fn country(&self, name: &str, problems: &mut Problems) -> Option<&'static Country> {
        let text = self.required(name, problems)?;
        let found = country::by_iso3(text);
        if found.is_none() {
            problems.add(
                Problem::new(ErrorCode::UnsupportedCountry)
                    .at(name)
                    .because("expected an ISO 3166-1 code of three uppercase letters, such as MEX"),
            );
        }
        found
    }

    /// A currency. One that the service does not trade in has no corridor.
    fn currency(&self, name: &str, problems: &mut Problems) -> Option<&'static Currency> {
        let text = self.required(name, problems)?;
        if text.len() != 3 || !text.bytes().all(|byte| byte.is_ascii_uppercase()) {
            problems.add(
                Problem::new(ErrorCode::BadRequestError)
                    .at(name)
                    .because("expected an ISO 4217 code of three uppercase letters, such as USD"),
            );
            return None;
        }
        let found = currency::by_iso3(text);
        if found.is_none() {
            problems.add(Problem::new(ErrorCode::NoCorridorFoundForSpecificValues).at(name));
        }
        found
    }

    fn transfer_method(&self, name: &str, problems: &mut Problems) -> Option<TransferMethod> {
        let text = self.required(name, problems)?;
        let found = TransferMethod::parse(text);
        if found.is_none() {
            problems.add(Problem::new(ErrorCode::BadRequestError).at(name).because(
                "expected BANK_ACCOUNT, PUSH_TO_CARD, CASH_PICKUP, MOBILE_WALLET or ACCOUNT_FUNDING",
            ));
        }
        found
    }

    fn quote_by(&self, name: &str, problems: &mut Problems) -> Option<QuoteBy> {
        let text = self.required(name, problems)?;
        let found = QuoteBy::parse(text);
        if found.is_none() {
            problems.add(
                Problem::new(ErrorCode::BadRequestError)
                    .at(name)
                    .because("expected SEND_AMOUNT or RECEIVE_AMOUNT"),
            );
        }
        found
    }

    /// An identifier that may be absent.
    fn optional_uuid(&self, name: &str, otherwise: ErrorCode, problems: &mut Problems) -> Option<Uuid> {
        let text = self.optional(name, problems)?;
        let found = parse_uuid(text);
        if found.is_none() {
            problems.add(Problem::new(otherwise).at(name).because("expected a UUID"));
        }
        found
    }

    /// An identifier that has to be there.
    fn required_uuid(&self, name: &str, otherwise: ErrorCode, problems: &mut Problems) -> Option<Uuid> {
        let text = self.required(name, problems)?;
        let found = parse_uuid(text);
        if found.is_none() {
            problems.add(Problem::new(otherwise).at(name).because("expected a UUID"));
        }
        found
    }
}

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

/// The parameters after the question mark.
#[derive(Debug)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    pub(crate) fn parse(query: &str) -> Result<Self, ApiError> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query)
            .map_err(|_| Problem::new(ErrorCode::BadRequestError).because("the query is not well-formed"))?;
        Ok(Self(pairs))
    }

    /// A whole number from 0, as a quote's amount is.
    pub(crate) fn amount(&self, name: &str, problems: &mut Problems) -> Option<i64> {
        let text = self.required(name, problems)?;
        let found = Some(text)
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
            .and_then(|text| text.parse().ok());
        if found.is_none() {
            problems.add(invalid_amount(name));
        }
        found
    }

    /// A whole number within bounds, or the default if it is absent.
    pub(crate) fn number(
        &self,
        name: &str,
        default: i64,
        bounds: std::ops::RangeInclusive<i64>,
        problems: &mut Problems,
    ) -> i64 {
        let Some(text) = self.optional(name, problems) else { return default };
        match text.parse() {
            Ok(number) if bounds.contains(&number) => number,
            _ => {
                let (low, high) = (bounds.start(), bounds.end());
                problems.add(
                    Problem::new(ErrorCode::BadRequestError)
                        .at(name)
                        .because(format!("expected a whole number from {low} to {high}")),
                );
                default
            }
        }
    }
}

impl Named for Query {
    fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut found = self.0.iter().filter(|(key, _)| key == name).map(|(_, value)| value);
        let first = found.next();
        if found.next().is_some() {
            return Err(Problem::new(ErrorCode::BadRequestError)
                .at(name)
                .because("the parameter was given more than once"));
        }
        Ok(first.map(String::as_str))
    }
}

impl FromRequestParts<Arc<App>> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, ApiError> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

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

fn invalid_amount(name: &str) -> Problem {
    Problem::new(ErrorCode::InvalidAmount)
        .at(name)
        .because("expected a whole number of minor units, at least 0")
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

//! The query of an address.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::named::{Named, invalid_amount};
use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problem, Problems};

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

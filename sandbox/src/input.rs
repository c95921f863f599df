//! What a query or a body says by name, read with care: all that is wrong with it is told at once.

use std::ops::RangeInclusive;
use std::str::FromStr;

use serde_json::{Map, Value};
use strum::VariantNames;
use uuid::Uuid;

use crate::country::{self, COUNTRIES, Country};
use crate::currency::{self, CURRENCIES, Currency};
use crate::error::{ApiError, ErrorCode, Problem, none_of};
use crate::ids::parse_uuid;

/// Named values. What can't be read is noted as a problem, and something else is returned in its place:
/// [`Input::read`] lets nothing out where there is a problem.
#[derive(Debug)]
pub(crate) struct Input {
    source: Source,
    problems: Vec<Problem>,
}

#[derive(Debug)]
enum Source {
    Query(Vec<(String, String)>),
    Body(Map<String, Value>),
}

impl Input {
    pub(crate) fn of_query(pairs: Vec<(String, String)>) -> Self {
        Self { source: Source::Query(pairs), problems: Vec::new() }
    }

    pub(crate) fn of_body(object: Map<String, Value>) -> Self {
        Self { source: Source::Body(object), problems: Vec::new() }
    }

    /// Returns what `take` takes, if all of it is good.
    pub(crate) fn read<T>(mut self, take: impl FnOnce(&mut Self) -> T) -> Result<T, ApiError> {
        let taken = take(&mut self);
        none_of(self.problems)?;
        Ok(taken)
    }

    pub(crate) fn refuse(&mut self, name: &str, code: ErrorCode, why: impl Into<String>) {
        self.problems.push(Problem::new(code).at(name).because(why));
    }

    pub(crate) fn refuse_as(&mut self, name: &str, code: ErrorCode) {
        self.problems.push(Problem::new(code).at(name));
    }

    pub(crate) fn refuse_empty(&mut self, name: &str) {
        self.refuse_as(name, ErrorCode::NotEmptyValidator);
    }

    /// The JSON under a name of a body; `None` if it is absent or null.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        match &self.source {
            Source::Body(object) => object.get(name).filter(|value| !value.is_null()),
            Source::Query(_) => None,
        }
    }

    /// The text under a name; `None` if it is absent or null, and where it is refused.
    fn text(&mut self, name: &str) -> Option<String> {
        let why = match &self.source {
            Source::Query(pairs) => {
                let mut found = pairs.iter().filter(|(key, _)| key == name).map(|(_, text)| text);
                match (found.next(), found.next()) {
                    (text, None) => return text.cloned(),
                    _ => "the parameter was given more than once",
                }
            }
            Source::Body(object) => match object.get(name) {
                None | Some(Value::Null) => return None,
                Some(Value::String(text)) => return Some(text.clone()),
                Some(_) => "expected a JSON string",
            },
        };
        self.refuse(name, ErrorCode::BadRequestError, why);
        None
    }

    /// The text under a name that has to be there and not empty.
    pub(crate) fn required(&mut self, name: &str) -> Option<String> {
        let problems = self.problems.len();
        let found = self.optional(name);
        if found.is_none() && self.problems.len() == problems {
            self.refuse_empty(name);
        }
        found
    }

    /// The text under a name; an empty one counts as absent.
    pub(crate) fn optional(&mut self, name: &str) -> Option<String> {
        self.text(name).filter(|text| !text.trim().is_empty())
    }

    /// A destination country.
    pub(crate) fn country(&mut self, name: &str) -> &'static Country {
        let [other, ..] = &COUNTRIES;
        let Some(text) = self.required(name) else { return other };
        country::by_iso3(&text).unwrap_or_else(|| {
            let why = "expected an ISO 3166-1 code of three uppercase letters, such as MEX";
            self.refuse(name, ErrorCode::UnsupportedCountry, why);
            other
        })
    }

    /// A currency. One that the service does not trade in has no corridor.
    pub(crate) fn currency(&mut self, name: &str) -> &'static Currency {
        let [other, ..] = &CURRENCIES;
        let Some(text) = self.required(name) else { return other };
        if text.len() != 3 || !text.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let why = "expected an ISO 4217 code of three uppercase letters, such as USD";
            self.refuse(name, ErrorCode::BadRequestError, why);
            return other;
        }
        currency::by_iso3(&text).unwrap_or_else(|| {
            self.refuse_as(name, ErrorCode::NoCorridorFoundForSpecificValues);
            other
        })
    }

    /// One of the values that a type has.
    pub(crate) fn one_of<T: FromStr + VariantNames + Default>(&mut self, name: &str) -> T {
        let Some(text) = self.required(name) else { return T::default() };
        text.parse().unwrap_or_else(|_| {
            self.refuse(name, ErrorCode::BadRequestError, format!("expected {}", T::VARIANTS.join(" or ")));
            T::default()
        })
    }

    /// The same where it may be left out.
    pub(crate) fn one_of_or_default<T: FromStr + VariantNames + Default>(&mut self, name: &str) -> T {
        if self.value(name).is_none() { T::default() } else { self.one_of(name) }
    }

    /// An amount in minor units: a whole number from 0.
    pub(crate) fn amount(&mut self, name: &str) -> i64 {
        let found = match self.value(name) {
            Some(value) => value.as_i64().filter(|amount| *amount >= 0),
            None => {
                let Some(text) = self.required(name) else { return 0 };
                Some(text)
                    .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
                    .and_then(|text| text.parse().ok())
            }
        };
        found.unwrap_or_else(|| {
            let why = "expected a whole number of minor units, at least 0";
            self.refuse(name, ErrorCode::InvalidAmount, why);
            0
        })
    }

    /// A whole number within bounds, or the default if it is absent.
    pub(crate) fn number(&mut self, name: &str, default: i64, bounds: RangeInclusive<i64>) -> i64 {
        let Some(text) = self.optional(name) else { return default };
        text.parse().ok().filter(|number| bounds.contains(number)).unwrap_or_else(|| {
            let why = format!("expected a whole number from {} to {}", bounds.start(), bounds.end());
            self.refuse(name, ErrorCode::BadRequestError, why);
            default
        })
    }

    /// A boolean, false if it is absent or null.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        match self.value(name) {
            None => false,
            Some(Value::Bool(flag)) => *flag,
            Some(_) => {
                self.refuse(name, ErrorCode::BadRequestError, "expected true or false");
                false
            }
        }
    }

    /// An identifier that has to be there.
    pub(crate) fn id(&mut self, name: &str) -> Uuid {
        self.required(name).and_then(|text| self.parsed_id(name, &text)).unwrap_or_default()
    }

    /// An identifier that may be absent.
    pub(crate) fn optional_id(&mut self, name: &str) -> Option<Uuid> {
        self.optional(name).and_then(|text| self.parsed_id(name, &text))
    }

    fn parsed_id(&mut self, name: &str, text: &str) -> Option<Uuid> {
        let found = parse_uuid(text);
        if found.is_none() {
            self.problems.push(malformed_id(name));
        }
        found
    }
}

/// What is wrong with an identifier that is none. Two of them have codes of their own.
pub(crate) fn malformed_id(name: &str) -> Problem {
    let code = match name {
        "recipientId" => ErrorCode::InvalidRecipientId,
        "recipientAccountId" => ErrorCode::InvalidRecipientAccountId,
        _ => ErrorCode::BadRequestError,
    };
    Problem::new(code).at(name).because(format!("{name} has to be a UUID"))
}

/// Reads a JSON object.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    let problem = Problem::new(ErrorCode::BadRequestError);
    Err(match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => return Ok(object),
        Ok(_) => problem.because("the body has to be a JSON object"),
        // serde_json's own words could repeat a part of the body.
        Err(error) => problem.because(format!(
            "the body is not JSON (line {}, column {})",
            error.line(),
            error.column()
        )),
    }
    .into())
}

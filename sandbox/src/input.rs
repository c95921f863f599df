//! Reads named values from a query or a body, and collects all problems before any is reported.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::Arc;

use serde_json::{Map, Value};
use strum::VariantNames;
use uuid::Uuid;

use crate::error::{ErrorCode, Problem, Result, reject_if_any};
use crate::ids::parse_uuid;
use crate::world::World;

/// Named values. An invalid one adds a problem and yields a placeholder, which [`Input::read`] never lets
/// out.
#[derive(Debug)]
pub(crate) struct Input {
    source: Source,
    world: Arc<World>,
    problems: Vec<Problem>,
}

#[derive(Debug)]
enum Source {
    Query(Vec<(String, String)>),
    Body(Map<String, Value>),
}

impl Input {
    pub(crate) fn from_query(pairs: Vec<(String, String)>, world: &Arc<World>) -> Self {
        Self { source: Source::Query(pairs), world: Arc::clone(world), problems: Vec::new() }
    }

    pub(crate) fn from_body(object: Map<String, Value>, world: &Arc<World>) -> Self {
        Self { source: Source::Body(object), world: Arc::clone(world), problems: Vec::new() }
    }

    /// Returns what `take` reads, or all problems that it met.
    pub(crate) fn read<T>(mut self, take: impl FnOnce(&mut Self) -> T) -> Result<T> {
        let taken = take(&mut self);
        reject_if_any(self.problems)?;
        Ok(taken)
    }

    pub(crate) fn reject(&mut self, name: &str, code: ErrorCode, why: impl Into<String>) {
        self.problems.push(Problem::new(code).at(name).because(why));
    }

    pub(crate) fn reject_as(&mut self, name: &str, code: ErrorCode) {
        self.problems.push(Problem::new(code).at(name));
    }

    /// Returns a body's JSON value; `None` if it is absent or null.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        match &self.source {
            Source::Body(object) => object.get(name).filter(|value| !value.is_null()),
            Source::Query(_) => None,
        }
    }

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
        self.reject(name, ErrorCode::BadRequestError, why);
        None
    }

    pub(crate) fn required(&mut self, name: &str) -> Option<String> {
        let problems = self.problems.len();
        let found = self.optional(name);
        if found.is_none() && self.problems.len() == problems {
            self.reject_as(name, ErrorCode::NotEmptyValidator);
        }
        found
    }

    /// Returns a text; an empty one counts as absent.
    pub(crate) fn optional(&mut self, name: &str) -> Option<String> {
        self.text(name).filter(|text| !text.trim().is_empty())
    }

    /// Reads the code of a country.
    pub(crate) fn country(&mut self, name: &str) -> String {
        let Some(code) = self.required(name) else { return String::new() };
        if self.world.country(&code).is_none() {
            let why = "expected the ISO 3166-1 code, such as MEX, of a country that the service knows";
            self.reject(name, ErrorCode::UnsupportedCountry, why);
        }
        code
    }

    /// Reads the code of a currency. One that the service does not trade in has no corridor.
    pub(crate) fn currency(&mut self, name: &str) -> String {
        let Some(code) = self.required(name) else { return String::new() };
        if code.len() != 3 || !code.bytes().all(|byte| byte.is_ascii_uppercase()) {
            let why = "expected an ISO 4217 code of three uppercase letters, such as USD";
            self.reject(name, ErrorCode::BadRequestError, why);
        } else if self.world.currency(&code).is_none() {
            self.reject_as(name, ErrorCode::NoCorridorFoundForSpecificValues);
        }
        code
    }

    pub(crate) fn variant<T: FromStr + VariantNames + Default>(&mut self, name: &str) -> T {
        let Some(text) = self.required(name) else { return T::default() };
        text.parse().unwrap_or_else(|_| {
            self.reject(name, ErrorCode::BadRequestError, format!("expected {}", T::VARIANTS.join(" or ")));
            T::default()
        })
    }

    pub(crate) fn variant_or_default<T: FromStr + VariantNames + Default>(&mut self, name: &str) -> T {
        if self.value(name).is_none() { T::default() } else { self.variant(name) }
    }

    /// Reads an amount in minor units: a whole number from 0.
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
            self.reject(name, ErrorCode::InvalidAmount, why);
            0
        })
    }

    pub(crate) fn number(&mut self, name: &str, default: i64, bounds: RangeInclusive<i64>) -> i64 {
        let Some(text) = self.optional(name) else { return default };
        text.parse().ok().filter(|number| bounds.contains(number)).unwrap_or_else(|| {
            let why = format!("expected a whole number from {} to {}", bounds.start(), bounds.end());
            self.reject(name, ErrorCode::BadRequestError, why);
            default
        })
    }

    /// Reads a boolean of a body; absent and null are false.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let flag = self.value(name).map_or(Some(false), Value::as_bool);
        flag.unwrap_or_else(|| {
            self.reject(name, ErrorCode::BadRequestError, "expected true or false");
            false
        })
    }

    pub(crate) fn id(&mut self, name: &str) -> Uuid {
        self.required(name).and_then(|text| self.parsed_id(name, &text)).unwrap_or_default()
    }

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

pub(crate) fn malformed_id(name: &str) -> Problem {
    // The path of an account calls it `accId`, errors and bodies do not.
    let name = if name == "accId" { "recipientAccountId" } else { name };
    let code = match name {
        "recipientId" => ErrorCode::InvalidRecipientId,
        "recipientAccountId" => ErrorCode::InvalidRecipientAccountId,
        _ => ErrorCode::BadRequestError,
    };
    Problem::new(code).at(name).because(format!("{name} has to be a UUID"))
}

pub(crate) fn parse_object(bytes: &[u8]) -> Result<Map<String, Value>> {
    let why = match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => return Ok(object),
        Ok(_) => "the body has to be a JSON object".to_owned(),
        // serde_json's own message could repeat a part of the body.
        Err(error) => format!("the body is not JSON (line {}, column {})", error.line(), error.column()),
    };
    Err(Problem::new(ErrorCode::BadRequestError).because(why).into())
}

//! Validates values against field definitions. Errors have the interface's own codes.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use fancy_regex::Regex;
use serde_json::Value;

use super::definition::{Comparison, Condition, Field, FieldType, Required, Subject};
use super::form::Form;
use super::values::Values;
use crate::clock::{day_of, parse_day, years_before};
use crate::country::Country;
use crate::error::{ErrorCode, Problem};
use crate::locks::lock;
use crate::options;

impl Subject {
    fn name_code(self, id: &str) -> Option<ErrorCode> {
        let is_name = matches!(id, "firstName" | "lastName" | "companyName");
        match self {
            Self::Sender if is_name => Some(ErrorCode::InvalidSenderName),
            Self::Recipient if is_name => Some(ErrorCode::InvalidRecipientName),
            _ => None,
        }
    }

    fn missing(self, id: &str) -> ErrorCode {
        match (self, id) {
            (Self::Transfer, "REMITTANCE_PURPOSE") => ErrorCode::PurposeOfRemittanceRequired,
            (Self::Transfer, "SOURCE_OF_FUNDS") => ErrorCode::SourceOfFundsRequired,
            _ => self.name_code(id).unwrap_or(ErrorCode::MissingRequiredField),
        }
    }

    fn empty(self, id: &str) -> ErrorCode {
        match self.missing(id) {
            ErrorCode::MissingRequiredField => ErrorCode::NotEmptyValidator,
            code => code,
        }
    }

    fn not_an_option(self, id: &str) -> ErrorCode {
        match (self, id) {
            (Self::Sender, "ID_TYPE") => ErrorCode::InvalidTypeOfId,
            (Self::Transfer, "SOURCE_OF_FUNDS") => ErrorCode::SourceOfFundsInvalid,
            _ => ErrorCode::BusinessOrDataValidationError,
        }
    }
}

/// Checks values against the fields of a form.
pub(crate) fn check(form: Form<'_>, values: &Values) -> Vec<Problem> {
    let sets = form.sets();
    let fields = || sets.iter().flat_map(|set| &set.fields);
    let unknown = values.ids().filter(|id| !fields().any(|field| field.field_id == *id)).map(|id| {
        let why = "the fields endpoint does not ask for this field";
        Problem::new(ErrorCode::BadRequestError).at(id).because(why)
    });
    let check = Check { values, subject: form.subject, form };
    let invalid = fields().filter_map(|field| Some(check.field(field).err()?.at(&field.field_id)));
    unknown.chain(invalid).collect()
}

struct Check<'a> {
    values: &'a Values,
    subject: Subject,
    form: Form<'a>,
}

type Checked = Result<(), Problem>;

fn problem(code: ErrorCode, why: &str) -> Problem {
    Problem::new(code).because(why)
}

impl Check<'_> {
    fn field(&self, field: &Field) -> Checked {
        let id = field.field_id.as_str();
        let conditions = &field.dependencies.is_required;
        let required = field.is_required == Required::Always(true)
            || conditions.iter().any(|condition| holds(condition, self.values));
        let value = self.values.get(id).filter(|value| !value.is_null());
        let is_blank = value.and_then(Value::as_str).is_some_and(|text| text.trim().is_empty());
        match value {
            None if required => Err(Problem::new(self.subject.missing(id))),
            Some(_) if required && is_blank => Err(Problem::new(self.subject.empty(id))),
            None => Ok(()),
            Some(_) if is_blank => Ok(()),
            Some(value) if field.field_type == FieldType::PhoneNumber => self.phone(field, value),
            Some(Value::String(text)) => match field.field_type {
                FieldType::Date => self.date(field, text),
                FieldType::Dropdown => self.dropdown(field, text),
                FieldType::Text | FieldType::PhoneNumber => self.text(field, text),
            },
            Some(_) => Err(problem(ErrorCode::BadRequestError, "the value has to be a string")),
        }
    }

    fn text(&self, field: &Field, text: &str) -> Checked {
        if field.field_id == "ID_NUMBER" {
            self.us_id_number(text)?;
        }
        let length = text.encode_utf16().count();
        let long_enough = field.min_length.is_none_or(|min| length >= min);
        let short_enough = field.max_length.is_none_or(|max| length <= max);
        if long_enough && short_enough && matches_pattern(field, text) {
            return Ok(());
        }
        let code = self.subject.name_code(&field.field_id).unwrap_or(ErrorCode::ValueRegexFailure);
        Err(problem(code, &expectation(field)))
    }

    /// Identification numbers of the United States have nine digits.
    fn us_id_number(&self, text: &str) -> Checked {
        let is_us = matches!(self.values.text("ID_TYPE"), Some("SSN" | "TIN" | "TID"));
        if !is_us || (text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_digit())) {
            return Ok(());
        }
        let code = match self.subject {
            Subject::Recipient => ErrorCode::RecipientInvalidTypeOfIdLength,
            _ => ErrorCode::SenderInvalidTypeOfIdLength,
        };
        Err(problem(code, "SSN and TIN have 9 digits"))
    }

    fn dropdown(&self, field: &Field, text: &str) -> Checked {
        let is_known = match &field.options_source {
            Some(source) => options::has(self.form.world, source, self.values, text),
            None => field.options.ids().contains(&text),
        };
        if is_known {
            return Ok(());
        }
        let code = self.subject.not_an_option(&field.field_id);
        Err(problem(code, "the value has to be the id of one of the field's options"))
    }

    fn date(&self, field: &Field, text: &str) -> Checked {
        let malformed = || problem(ErrorCode::BadRequestError, "expected a date as YYYY-MM-DD");
        let day = parse_day(text).ok_or_else(malformed)?;
        let is_birth = field.field_id == "DATE_OF_BIRTH" && matches!(self.subject, Subject::Sender);
        if is_birth && day > years_before(day_of(self.form.now), 18) {
            return Err(Problem::new(ErrorCode::SenderInvalidDateOfBirthUnder18));
        }
        let bound = |text: &Option<String>| text.as_deref().and_then(parse_day);
        let too_early = bound(&field.min_value).is_some_and(|min| day < min);
        let too_late = bound(&field.max_value).is_some_and(|max| day > max);
        if too_early || too_late {
            return Err(problem(ErrorCode::ValueRegexFailure, &expectation(field)));
        }
        Ok(())
    }

    /// Accepts `{number, countryIso3Code, countryPhoneCode}`, or the international number as text with a plus
    /// sign.
    fn phone(&self, field: &Field, value: &Value) -> Checked {
        let number = match value {
            Value::String(text) => text.strip_prefix('+'),
            Value::Object(parts) => {
                let country = parts.get("countryIso3Code").and_then(Value::as_str);
                let country = country.and_then(|code| self.form.world.country(code));
                let code = match parts.get("countryPhoneCode") {
                    Some(Value::String(code)) => Some(code.trim_start_matches('+').to_owned()),
                    Some(Value::Number(code)) => Some(code.to_string()),
                    _ => None,
                };
                // The optional phone code has to be the country's.
                let agrees = |country: &Country| code.is_none_or(|code| code == country.phone_code);
                let number = parts.get("number").and_then(Value::as_str).unwrap_or_default();
                country.is_some_and(agrees).then_some(number)
            }
            _ => None,
        };
        if number.is_some_and(|number| matches_pattern(field, number)) {
            return Ok(());
        }
        let code = match self.subject {
            Subject::Sender => ErrorCode::ValueRegexFailure,
            _ => ErrorCode::RecipientInvalidPhoneNumber,
        };
        let why = "expected {number, countryIso3Code, countryPhoneCode} with 7 to 15 digits in number";
        Err(problem(code, why))
    }
}

/// Whether a condition on another field holds. An empty field meets none.
fn holds(condition: &Condition, values: &Values) -> bool {
    let Some(value) = values.text(&condition.field_id).filter(|text| !text.is_empty()) else { return false };
    let others = &condition.comparison_values;
    let any_number = |accept: fn(f64, f64) -> bool| {
        let others = others.iter().filter_map(|other| other.parse().ok());
        value.parse().is_ok_and(|value| others.into_iter().any(|other| accept(value, other)))
    };
    match condition.comparison_operator {
        Comparison::EqualTo => others.iter().any(|other| other == value),
        Comparison::NotEqualTo => others.iter().all(|other| other != value),
        Comparison::GreaterThan => any_number(|value, other| value > other),
        Comparison::LessThan => any_number(|value, other| value < other),
    }
}

fn expectation(field: &Field) -> String {
    let mut parts = Vec::new();
    if let (Some(min), Some(max)) = (field.min_length, field.max_length) {
        parts.push(format!("{min} to {max} characters"));
    }
    parts.extend(field.regex.as_ref().map(|regex| format!("the pattern {regex}")));
    parts.extend(field.min_value.as_ref().map(|min| format!("not before {min}")));
    parts.extend(field.max_value.as_ref().map(|max| format!("not after {max}")));
    format!("expected {}", parts.join(", "))
}

static PATTERNS: LazyLock<Mutex<HashMap<String, Option<Regex>>>> = LazyLock::new(Mutex::default);

fn matches_pattern(field: &Field, text: &str) -> bool {
    let Some(pattern) = &field.regex else { return true };
    let mut patterns = lock(&PATTERNS);
    let regex = patterns.entry(pattern.clone()).or_insert_with(|| Regex::new(pattern).ok());
    // A pattern that backtracks without end matches nothing.
    regex.as_ref().is_none_or(|regex| regex.is_match(text).unwrap_or(false))
}

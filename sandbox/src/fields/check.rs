//! Holding values against field definitions, with the interface's own codes.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use jiff::civil::Date;
use regex::Regex;
use serde_json::Value;

use super::definition::{Comparison, Condition, Field, FieldSet, FieldType};
use super::kind::Kind;
use super::values::Values;
use crate::clock::{parse_day, years_before};
use crate::error::{ErrorCode, Problem};
use crate::options;

/// Whose data is checked. The codes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Sender(Kind),
    Recipient(Kind),
    Account,
    Transfer,
}

impl Subject {
    fn name_code(self, id: &str) -> Option<ErrorCode> {
        let is_name = matches!(id, "firstName" | "lastName" | "companyName");
        match self {
            Self::Sender(_) if is_name => Some(ErrorCode::InvalidSenderName),
            Self::Recipient(_) if is_name => Some(ErrorCode::InvalidRecipientName),
            _ => None,
        }
    }

    /// The code for a required field that was not given.
    fn missing(self, id: &str) -> ErrorCode {
        match (self, id) {
            (Self::Transfer, "REMITTANCE_PURPOSE") => ErrorCode::PurposeOfRemittanceRequired,
            (Self::Transfer, "SOURCE_OF_FUNDS") => ErrorCode::SourceOfFundsRequired,
            _ => self.name_code(id).unwrap_or(ErrorCode::MissingRequiredField),
        }
    }

    /// The code for a required field that was given as nothing.
    fn empty(self, id: &str) -> ErrorCode {
        match self.missing(id) {
            ErrorCode::MissingRequiredField => ErrorCode::NotEmptyValidator,
            code => code,
        }
    }

    /// The code for a value that is none of a field's options.
    fn not_an_option(self, id: &str) -> ErrorCode {
        match (self, id) {
            (Self::Sender(_), "ID_TYPE") => ErrorCode::InvalidTypeOfId,
            (Self::Transfer, "SOURCE_OF_FUNDS") => ErrorCode::SourceOfFundsInvalid,
            _ => ErrorCode::BusinessOrDataValidationError,
        }
    }
}

/// Finds everything that is wrong with `values`.
pub(crate) fn check(sets: &[FieldSet], values: &Values, subject: Subject, today: Date) -> Vec<Problem> {
    let mut problems = Vec::new();
    let fields = || sets.iter().flat_map(|set| &set.fields);
    for id in values.ids() {
        if !fields().any(|field| field.field_id == id) {
            problems.push(
                Problem::new(ErrorCode::BadRequestError)
                    .at(id)
                    .because("the fields endpoint does not ask for this field"),
            );
        }
    }
    for field in fields() {
        let id = field.field_id;
        let required = field.is_required
            || field.dependencies.is_required.iter().any(|condition| holds(condition, values));
        match values.get(id) {
            None | Some(Value::Null) => {
                if required {
                    problems.push(Problem::new(subject.missing(id)).at(id));
                }
            }
            Some(Value::String(text)) if text.trim().is_empty() => {
                if required {
                    problems.push(Problem::new(subject.empty(id)).at(id));
                }
            }
            Some(value) => {
                if let Err(problem) = check_value(field, value, values, subject, today) {
                    problems.push(problem.at(id));
                }
            }
        }
    }
    problems
}

/// Whether a condition on another field holds. An empty field meets none.
fn holds(condition: &Condition, values: &Values) -> bool {
    let Some(value) = values.text(condition.field_id).filter(|text| !text.is_empty()) else {
        return false;
    };
    let among = |text: &str| condition.comparison_values.iter().any(|other| other == text);
    let ordered = |accept: fn(f64, f64) -> bool| {
        let Ok(value) = value.parse::<f64>() else { return false };
        condition
            .comparison_values
            .iter()
            .filter_map(|other| other.parse().ok())
            .any(|other| accept(value, other))
    };
    match condition.comparison_operator {
        Comparison::EqualTo => among(value),
        Comparison::NotEqualTo => !among(value),
        Comparison::GreaterThan => ordered(|value, other| value > other),
        Comparison::LessThan => ordered(|value, other| value < other),
    }
}

fn check_value(
    field: &Field,
    value: &Value,
    values: &Values,
    subject: Subject,
    today: Date,
) -> Result<(), Problem> {
    match field.field_type {
        FieldType::PhoneNumber => check_phone(field, value, subject),
        kind => {
            let text = value.as_str().ok_or_else(|| {
                Problem::new(ErrorCode::BadRequestError).because("the value has to be a string")
            })?;
            match kind {
                FieldType::Date => check_date(field, text, subject, today),
                FieldType::Dropdown => check_choice(field, text, values, subject),
                _ => check_text(field, text, values, subject),
            }
        }
    }
}

fn check_text(field: &Field, text: &str, values: &Values, subject: Subject) -> Result<(), Problem> {
    if field.field_id == "ID_NUMBER" {
        check_id_number(text, values, subject)?;
    }
    let length = text.encode_utf16().count();
    let long_enough = field.min_length.is_none_or(|least| length >= least);
    let short_enough = field.max_length.is_none_or(|most| length <= most);
    if long_enough && short_enough && matches(field, text) {
        return Ok(());
    }
    let code = subject.name_code(field.field_id).unwrap_or(ErrorCode::ValueRegexFailure);
    Err(Problem::new(code).because(expected(field)))
}

/// The numbers of the United States have nine characters, all of them digits.
fn check_id_number(text: &str, values: &Values, subject: Subject) -> Result<(), Problem> {
    let nine = matches!(values.text("ID_TYPE"), Some("SSN" | "TIN" | "TID"));
    if !nine || (text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_digit())) {
        return Ok(());
    }
    let code = match subject {
        Subject::Recipient(_) => ErrorCode::RecipientInvalidTypeOfIdLength,
        _ => ErrorCode::SenderInvalidTypeOfIdLength,
    };
    Err(Problem::new(code).because("SSN and TIN have 9 digits"))
}

fn check_choice(field: &Field, text: &str, values: &Values, subject: Subject) -> Result<(), Problem> {
    let known = match &field.options_source {
        Some(source) => options::has(source, values, text),
        None => field.options.iter().any(|option| option.id == text),
    };
    if known {
        return Ok(());
    }
    Err(Problem::new(subject.not_an_option(field.field_id))
        .because("the value has to be the id of one of the field's options"))
}

fn check_date(field: &Field, text: &str, subject: Subject, today: Date) -> Result<(), Problem> {
    let day = parse_day(text)
        .ok_or_else(|| Problem::new(ErrorCode::BadRequestError).because("expected a date as YYYY-MM-DD"))?;
    let is_birth = field.field_id == "DATE_OF_BIRTH";
    if is_birth && matches!(subject, Subject::Sender(_)) && day > years_before(today, 18) {
        return Err(Problem::new(ErrorCode::SenderInvalidDateOfBirthUnder18));
    }
    let bound = |text: &Option<String>| text.as_deref().and_then(parse_day);
    let early = bound(&field.min_value).is_some_and(|least| day < least);
    let late = bound(&field.max_value).is_some_and(|most| day > most);
    if early || late {
        return Err(Problem::new(ErrorCode::ValueRegexFailure).because(expected(field)));
    }
    Ok(())
}

/// `{number, countryIso3Code, countryPhoneCode}`, or the whole number as text with a plus sign.
fn check_phone(field: &Field, value: &Value, subject: Subject) -> Result<(), Problem> {
    let good = match value {
        Value::String(text) => text.strip_prefix('+').is_some_and(|digits| matches(field, digits)),
        Value::Object(parts) => {
            let number = parts.get("number").and_then(Value::as_str).unwrap_or_default();
            let country = parts.get("countryIso3Code").and_then(Value::as_str);
            let country = country.and_then(crate::country::by_iso3);
            let code = match parts.get("countryPhoneCode") {
                Some(Value::String(code)) => Some(code.trim_start_matches('+').to_owned()),
                Some(Value::Number(code)) => Some(code.to_string()),
                _ => None,
            };
            // The code may be left out; given, it has to be the country's.
            let agrees = country.is_some_and(|country| code.is_none_or(|code| code == country.phone_code));
            agrees && matches(field, number)
        }
        _ => false,
    };
    if good {
        return Ok(());
    }
    let code = match subject {
        Subject::Sender(_) => ErrorCode::ValueRegexFailure,
        _ => ErrorCode::RecipientInvalidPhoneNumber,
    };
    Err(Problem::new(code)
        .because("expected {number, countryIso3Code, countryPhoneCode} with 7 to 15 digits in number"))
}

fn expected(field: &Field) -> String {
    let mut parts = Vec::new();
    if let (Some(least), Some(most)) = (field.min_length, field.max_length) {
        parts.push(format!("{least} to {most} characters"));
    }
    if let Some(regex) = field.regex {
        parts.push(format!("the pattern {regex}"));
    }
    if let Some(least) = &field.min_value {
        parts.push(format!("not before {least}"));
    }
    if let Some(most) = &field.max_value {
        parts.push(format!("not after {most}"));
    }
    format!("expected {}", parts.join(", "))
}

/// The patterns of the definitions, compiled once. There are only as many as the sandbox has.
static PATTERNS: LazyLock<Mutex<HashMap<&'static str, Option<Regex>>>> = LazyLock::new(Mutex::default);

fn matches(field: &Field, text: &str) -> bool {
    let Some(pattern) = field.regex else { return true };
    let mut patterns = PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
    patterns
        .entry(pattern)
        .or_insert_with(|| Regex::new(pattern).ok())
        .as_ref()
        .is_none_or(|regex| regex.is_match(text))
}

#[cfg(test)]
mod tests {
    use strum::VariantNames;

    use super::super::{account_sets, recipient_sets, sender_sets, transfer_sets};
    use super::*;
    use crate::corridor::{TransferMethod, find};
    use crate::country::COUNTRIES;
    use crate::currency::CURRENCIES;

    /// Every set of fields that the sandbox can ask for.
    fn all_sets() -> Vec<FieldSet> {
        let now = 1_800_000_000_000_000;
        let mut sets = Vec::new();
        for kind in [Kind::Person, Kind::Business] {
            sets.extend(sender_sets(kind, now));
            sets.extend(recipient_sets(None, kind, now, ""));
            for country in &COUNTRIES {
                for currency in &CURRENCIES {
                    for method in TransferMethod::VARIANTS {
                        let method: TransferMethod = method.parse().unwrap();
                        let Some(route) = find(country, currency, method) else { continue };
                        sets.extend(recipient_sets(Some(route), kind, now, ""));
                        sets.extend(account_sets(route, ""));
                        sets.extend(transfer_sets(route, ""));
                    }
                }
            }
        }
        sets
    }

    #[test]
    fn every_pattern_compiles_and_every_condition_names_a_field_of_its_form() {
        for set in all_sets() {
            for field in &set.fields {
                if let Some(pattern) = field.regex {
                    assert!(Regex::new(pattern).is_ok(), "{}: {pattern}", field.field_id);
                }
                assert_eq!(
                    field.field_type == FieldType::Dropdown,
                    !field.options.is_empty() || field.options_source.is_some(),
                    "{}",
                    field.field_id
                );
            }
        }
        for kind in [Kind::Person, Kind::Business] {
            let sets = sender_sets(kind, 0);
            let ids: Vec<_> = sets.iter().flat_map(|s| &s.fields).map(|f| f.field_id).collect();
            for field in sets.iter().flat_map(|set| &set.fields) {
                for condition in &field.dependencies.is_required {
                    assert!(ids.contains(&condition.field_id), "{}", condition.field_id);
                }
            }
        }
    }

    #[test]
    fn conditions_compare_as_they_say() {
        let mut values = Values::default();
        let condition = |operator, value: &str| Condition {
            comparison_operator: operator,
            comparison_values: vec![value.to_owned()],
            field_id: "COUNT",
        };
        assert!(!holds(&condition(Comparison::NotEqualTo, "9"), &values));
        values.set("COUNT", Value::from("10"));
        assert!(holds(&condition(Comparison::GreaterThan, "9"), &values));
        assert!(!holds(&condition(Comparison::LessThan, "9"), &values));
        assert!(holds(&condition(Comparison::NotEqualTo, "9"), &values));
        assert!(holds(&condition(Comparison::EqualTo, "10"), &values));
        values.set("COUNT", Value::from("many"));
        assert!(!holds(&condition(Comparison::GreaterThan, "9"), &values));
    }
}

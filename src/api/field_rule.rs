//! What a field demands of its value: read once from its definition, as the form holds many values to it.

use std::cmp::Ordering;

use super::field_form::{CARD_ID, Values, is_date, is_empty, problem};
use super::fields::{Comparison, FieldProblem, FieldType, Visibility};
use super::json::View;
use super::lean::list_of;
use super::party::Party;
use super::{Code, Matches};

/// The part of a [`FieldDefinition`](super::FieldDefinition) that a value is held to.
#[derive(Debug)]
pub(super) struct FieldRule {
    pub(super) id: String,
    kind: FieldType,
    is_required: bool,
    requirements: Vec<Requirement>,
    regex: Option<String>,
    min_length: Option<i64>,
    max_length: Option<i64>,
    /// Bounds of a date. One in another form is the service's to check.
    min_value: Option<String>,
    max_value: Option<String>,
    /// The choices of a dropdown, as their text stands.
    pub(super) options: Option<String>,
    pub(super) options_source: Option<String>,
}

/// On which values of another field a field must be filled in.
#[derive(Debug)]
struct Requirement {
    comparison: Comparison,
    values: Vec<String>,
    field_id: String,
}

impl FieldRule {
    /// From a definition that has its shape.
    pub(super) fn read(definition: View<'_>) -> Self {
        let mut rule = FieldRule {
            id: String::new(),
            kind: FieldType::Text,
            is_required: false,
            requirements: Vec::new(),
            regex: None,
            min_length: None,
            max_length: None,
            min_value: None,
            max_value: None,
            options: None,
            options_source: None,
        };
        for (name, value) in definition.members() {
            let text = || value.label().map(std::borrow::Cow::into_owned);
            match &*name {
                "fieldId" => rule.id = text().unwrap_or_default(),
                "fieldType" => rule.kind = FieldType::from(&*text().unwrap_or_default()),
                "isRequired" => rule.is_required |= value.boolean() == Some(true),
                "visibility" => {
                    let visibility = Visibility::from(&*text().unwrap_or_default());
                    rule.is_required |=
                        matches!(visibility, Visibility::ShowAndRequired | Visibility::HideAndRequired);
                }
                "regex" => rule.regex = text(),
                "minLength" => rule.min_length = value.integer(),
                "maxLength" => rule.max_length = value.integer(),
                "minValue" => rule.min_value = text().filter(|bound| is_date(bound)),
                "maxValue" => rule.max_value = text().filter(|bound| is_date(bound)),
                "options" => rule.options = Some(value.raw().to_owned()),
                "optionsSource" => rule.options_source = text(),
                "dependencies" => {
                    let required = value.member("isRequired");
                    required.into_iter().flat_map(View::items).for_each(|one| {
                        rule.requirements.push(Requirement::read(one));
                    });
                }
                _ => {}
            }
        }
        rule
    }

    pub(super) fn is_required_card(&self) -> bool {
        self.id == CARD_ID && self.is_required
    }

    /// What is wrong with the field's value. `complete` is false where only some fields are changed.
    pub(super) fn problem_of(
        &self,
        party: Party,
        values: &Values<'_>,
        complete: bool,
        matches: Matches<'_>,
    ) -> Option<FieldProblem> {
        self.breach(party, values, complete, matches).map(|code| problem(&self.id, code))
    }

    fn breach(
        &self,
        party: Party,
        values: &Values<'_>,
        complete: bool,
        matches: Matches<'_>,
    ) -> Option<Code> {
        let value = values.get(&self.id);
        let Some(value) = value.filter(|value| !is_empty(*value)) else {
            if !complete && value.is_none() || !self.must_be_filled_in(values) {
                return None;
            }
            return Some(if value.is_some() { Code::NotEmptyValidator } else { Code::MissingRequiredField });
        };
        let wrong_form = match (&self.kind, party) {
            (FieldType::PhoneNumber, Party::Recipient(_)) => Code::RecipientInvalidPhoneNumber,
            _ => Code::ValueRegexFailure,
        };
        let text = match self.kind {
            FieldType::PhoneNumber => phone_number(value),
            _ => value.label(),
        };
        let Some(text) = text else { return Some(wrong_form) };
        // Lengths first: a pattern may be slow on a text that is too long anyway.
        let length = i64::try_from(text.encode_utf16().count()).unwrap_or(i64::MAX);
        if self.max_length.is_some_and(|most| length > most)
            || self.min_length.is_some_and(|least| length < least)
        {
            return Some(wrong_form);
        }
        let fits = match self.kind {
            FieldType::Date => is_date(&text) && self.is_within(&text),
            FieldType::Dropdown => self.is_option(&text),
            _ => true,
        };
        // A pattern that does not compile here is left to the service.
        let matched = self.regex.as_deref().is_none_or(|pattern| matches(pattern, &text).unwrap_or(true));
        if fits && matched { None } else { Some(wrong_form) }
    }

    fn must_be_filled_in(&self, values: &Values<'_>) -> bool {
        self.is_required || self.requirements.iter().any(|requirement| requirement.holds(values))
    }

    fn is_option(&self, text: &str) -> bool {
        // Choices that come from elsewhere are the service's to check.
        let Some(options) = self.options.as_deref().filter(|_| self.options_source.is_none()) else {
            return true;
        };
        let mut none = true;
        for option in View::new(options).items() {
            none = false;
            if option.member("id").and_then(View::label).is_some_and(|id| id == text) {
                return true;
            }
        }
        none
    }

    /// ISO dates compare as text.
    fn is_within(&self, date: &str) -> bool {
        self.min_value.as_deref().is_none_or(|least| date >= least)
            && self.max_value.as_deref().is_none_or(|most| date <= most)
    }
}

impl Requirement {
    fn read(dependency: View<'_>) -> Self {
        let text = |name| dependency.text_of(name).unwrap_or_default();
        let values = dependency.member("comparisonValues").into_iter().flat_map(View::items);
        Requirement {
            comparison: Comparison::from(&*text("comparisonOperator")),
            values: list_of(values.filter_map(View::label).map(std::borrow::Cow::into_owned)),
            field_id: text("fieldId").into_owned(),
        }
    }

    fn holds(&self, values: &Values<'_>) -> bool {
        let value = values.get(&self.field_id).and_then(View::label).unwrap_or_default();
        let is_one = self.values.iter().any(|other| *other == value);
        let compares = |wanted: Ordering| {
            let number = |text: &str| text.parse::<i64>().ok();
            let Some(value) = number(&value) else { return false };
            self.values.iter().all(|other| number(other).is_some_and(|other| value.cmp(&other) == wanted))
        };
        match self.comparison {
            Comparison::EqualTo => is_one,
            Comparison::NotEqualTo => !value.is_empty() && !is_one,
            Comparison::GreaterThan => compares(Ordering::Greater),
            Comparison::LessThan => compares(Ordering::Less),
            Comparison::Other(_) => false,
        }
    }
}

fn phone_number(value: View<'_>) -> Option<std::borrow::Cow<'_, str>> {
    value.text_of("number").filter(|number| !number.trim().is_empty())
}

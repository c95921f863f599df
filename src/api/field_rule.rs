//! The rules of a field, read from its definition once for many checks.

use std::cmp::Ordering;

use super::Code;
use super::field_probe::{FieldProbe, ProbeResult, Reading, ValueKind, date_digits, encode_integer, is_day};
use super::field_problem::FieldProblem;
use super::fields::{Comparison, FieldType, Visibility};
use super::json::JsonRef;
use super::lean::collect;
use super::party::Party;

/// The id of the field for a card's id (interface, part 2: known field ids).
pub const CARD_ID: &str = "CARD_ID";

/// The part of a [`FieldDefinition`](super::FieldDefinition) that restricts a value.
#[derive(Debug)]
pub(super) struct FieldRule {
    pub(super) probe: FieldProbe,
    kind: FieldType,
    is_required: bool,
    requirements: Vec<Requirement>,
    min_length: Option<i64>,
    /// The digits of the earliest date, 0 for none. The service checks bounds in any other format.
    min_value: u32,
    /// The digits of the latest date, 0 for none.
    max_value: u32,
    /// The JSON text of a dropdown's options.
    pub(super) options: Option<String>,
    pub(super) options_source: Option<String>,
}

/// A condition on another field that makes a field required.
#[derive(Debug)]
struct Requirement {
    comparison: Comparison,
    /// Encoded like a [`Reading`].
    values: Vec<u32>,
    /// The index among the watched fields.
    watched: usize,
}

impl FieldRule {
    /// Reads a definition and adds the fields that it depends on to the watched ones.
    pub(super) fn read(definition: JsonRef<'_>, watched: &mut Vec<FieldProbe>) -> Self {
        let mut option_ids = Vec::new();
        let mut rule = FieldRule {
            probe: FieldProbe::watched("", Reading::None),
            kind: FieldType::Text,
            is_required: false,
            requirements: Vec::new(),
            min_length: None,
            min_value: 0,
            max_value: 0,
            options: None,
            options_source: None,
        };
        for (name, value) in definition.members() {
            let text = || value.owned_string_or_number();
            match &*name {
                "fieldId" => rule.probe.id = text().unwrap_or_default(),
                "fieldType" => rule.kind = FieldType::from(&*text().unwrap_or_default()),
                "isRequired" => rule.is_required |= value.boolean() == Some(true),
                "visibility" => {
                    let visibility = Visibility::from(&*text().unwrap_or_default());
                    rule.is_required |=
                        matches!(visibility, Visibility::ShowAndRequired | Visibility::HideAndRequired);
                }
                "regex" => rule.probe.pattern = text(),
                "minLength" => rule.min_length = value.integer(),
                "maxLength" => rule.probe.max_length = value.integer(),
                "minValue" => rule.min_value = bound(text()),
                "maxValue" => rule.max_value = bound(text()),
                "options" => {
                    let ids =
                        value.items().filter_map(|option| option.member("id")?.owned_string_or_number());
                    option_ids = collect(ids);
                    rule.options = Some(value.raw().to_owned());
                }
                "optionsSource" => rule.options_source = text(),
                "dependencies" => {
                    let required = value.member("isRequired").into_iter().flat_map(JsonRef::items);
                    required.for_each(|one| rule.requirements.push(Requirement::read(one, watched)));
                }
                _ => {}
            }
        }
        rule.probe.is_phone = rule.kind == FieldType::PhoneNumber;
        rule.probe.reading = match rule.kind {
            FieldType::Date => Reading::Date,
            // The service checks options that the definition does not contain.
            FieldType::Dropdown if rule.options_source.is_none() && !option_ids.is_empty() => {
                Reading::Position(option_ids)
            }
            _ => Reading::None,
        };
        rule
    }

    pub(super) fn is_required_card(&self) -> bool {
        self.probe.id == CARD_ID && self.is_required
    }

    /// Returns the problem of the field's value, if any. `complete` is false if only some fields change.
    pub(super) fn problem_of(
        &self,
        result: &ProbeResult,
        watched: &[ProbeResult],
        party: Party,
        complete: bool,
    ) -> Option<FieldProblem> {
        let code = match result.kind {
            ValueKind::Absent if !complete => return None,
            ValueKind::Absent | ValueKind::Null | ValueKind::Blank if !self.requires_value(watched) => {
                return None;
            }
            ValueKind::Absent => Code::MissingRequiredField,
            ValueKind::Null | ValueKind::Blank => Code::NotEmptyValidator,
            _ if self.accepts(result) => return None,
            _ => match (&self.kind, party) {
                (FieldType::PhoneNumber, Party::Recipient(_)) => Code::RecipientInvalidPhoneNumber,
                _ => Code::ValueRegexFailure,
            },
        };
        Some(FieldProblem::new(&self.probe.id, code))
    }

    fn accepts(&self, result: &ProbeResult) -> bool {
        let (length, reading) = (i64::from(result.length), result.reading);
        // The service checks the values of field types that this version does not know.
        (result.kind == ValueKind::Text || matches!(self.kind, FieldType::Other(_)))
            && self.probe.max_length.is_none_or(|max| length <= max)
            && self.min_length.is_none_or(|min| length >= min)
            && result.matches
            && match self.kind {
                FieldType::Date => {
                    is_day(reading)
                        && reading >= self.min_value
                        && (self.max_value == 0 || reading <= self.max_value)
                }
                FieldType::Dropdown => reading > 0 || self.probe.reading == Reading::None,
                _ => true,
            }
    }

    fn requires_value(&self, watched: &[ProbeResult]) -> bool {
        self.is_required || self.requirements.iter().any(|requirement| requirement.holds(watched))
    }
}

fn bound(date: Option<String>) -> u32 {
    Some(date_digits(&date.unwrap_or_default())).filter(|digits| is_day(*digits)).unwrap_or(0)
}

impl Requirement {
    fn read(dependency: JsonRef<'_>, watched: &mut Vec<FieldProbe>) -> Self {
        let text = |name| dependency.text_of(name).unwrap_or_default();
        let comparison = Comparison::from(&*text("comparisonOperator"));
        let compares_numbers = matches!(comparison, Comparison::GreaterThan | Comparison::LessThan);
        let field_id = text("fieldId");
        let is_suitable = |probe: &FieldProbe| {
            probe.id == field_id && (probe.reading == Reading::Integer) == compares_numbers
        };
        let index = watched.iter().position(is_suitable).unwrap_or(watched.len());
        if index == watched.len() {
            let reading = if compares_numbers { Reading::Integer } else { Reading::Position(Vec::new()) };
            watched.push(FieldProbe::watched(&field_id, reading));
        }
        let mut values = Vec::new();
        let texts = dependency.member("comparisonValues").into_iter().flat_map(JsonRef::items);
        for value in texts.filter_map(JsonRef::label) {
            values.push(match watched.get_mut(index).map(|probe| &mut probe.reading) {
                Some(Reading::Position(texts)) => {
                    let at = texts.iter().position(|text| *text == value).unwrap_or(texts.len());
                    if at == texts.len() {
                        texts.push(value.into_owned());
                    }
                    at as u32 + 1
                }
                _ => encode_integer(&value),
            });
        }
        Requirement { comparison, values, watched: index }
    }

    fn holds(&self, watched: &[ProbeResult]) -> bool {
        let Some(result) = watched.get(self.watched) else { return false };
        let reading = result.reading;
        let is_one = reading > 0 && self.values.contains(&reading);
        let compares = |ordering: Ordering| {
            reading > 0 && self.values.iter().all(|other| *other > 0 && reading.cmp(other) == ordering)
        };
        match self.comparison {
            Comparison::EqualTo => is_one,
            Comparison::NotEqualTo => result.length > 0 && !is_one,
            Comparison::GreaterThan => compares(Ordering::Greater),
            Comparison::LessThan => compares(Ordering::Less),
            Comparison::Other(_) => false,
        }
    }
}

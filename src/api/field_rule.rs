//! What a field demands of its value: read once from its definition, as the form holds many values to it.

use std::cmp::Ordering;

use super::Code;
use super::field_probe::{
    FieldProbe, ProbeResult, ProbedReading, ProbedValue, date_digits, is_day, number_read,
};
use super::field_problem::FieldProblem;
use super::fields::{Comparison, FieldType, Visibility};
use super::json::JsonRef;
use super::lean::collect;
use super::party::Party;

/// The id of the field that holds a card's id (interface, part 2: known field ids).
pub const CARD_ID: &str = "CARD_ID";

/// The part of a [`FieldDefinition`](super::FieldDefinition) that a value is held to.
#[derive(Debug)]
pub(super) struct FieldRule {
    pub(super) id: String,
    kind: FieldType,
    is_required: bool,
    requirements: Vec<Requirement>,
    pattern: Option<String>,
    min_length: Option<i64>,
    max_length: Option<i64>,
    /// Bounds of a date by its digits, 0 for none. One in another form is the service's to check.
    min_value: u32,
    max_value: u32,
    /// The choices of a dropdown, as their text stands.
    pub(super) options: Option<String>,
    /// Their ids.
    choices: Vec<String>,
    pub(super) options_source: Option<String>,
}

/// On which values of another field a field must be filled in.
#[derive(Debug)]
struct Requirement {
    comparison: Comparison,
    /// As [`ProbedReading`] has them.
    values: Vec<u32>,
    /// Which of the watched fields.
    watched: usize,
}

impl FieldRule {
    /// From a definition that has its shape. Fields that it looks at become watched ones.
    pub(super) fn read(definition: JsonRef<'_>, watched: &mut Vec<FieldProbe>) -> Self {
        let mut rule = FieldRule {
            id: String::new(),
            kind: FieldType::Text,
            is_required: false,
            requirements: Vec::new(),
            pattern: None,
            min_length: None,
            max_length: None,
            min_value: 0,
            max_value: 0,
            options: None,
            choices: Vec::new(),
            options_source: None,
        };
        for (name, value) in definition.members() {
            let text = || value.owned_string_or_number();
            match &*name {
                "fieldId" => rule.id = text().unwrap_or_default(),
                "fieldType" => rule.kind = FieldType::from(&*text().unwrap_or_default()),
                "isRequired" => rule.is_required |= value.boolean() == Some(true),
                "visibility" => {
                    let visibility = Visibility::from(&*text().unwrap_or_default());
                    rule.is_required |=
                        matches!(visibility, Visibility::ShowAndRequired | Visibility::HideAndRequired);
                }
                "regex" => rule.pattern = text(),
                "minLength" => rule.min_length = value.integer(),
                "maxLength" => rule.max_length = value.integer(),
                "minValue" => rule.min_value = bound(text()),
                "maxValue" => rule.max_value = bound(text()),
                "options" => {
                    let ids =
                        value.items().filter_map(|option| option.member("id")?.owned_string_or_number());
                    rule.choices = collect(ids);
                    rule.options = Some(value.raw().to_owned());
                }
                "optionsSource" => rule.options_source = text(),
                "dependencies" => {
                    let required = value.member("isRequired");
                    required.into_iter().flat_map(JsonRef::items).for_each(|one| {
                        rule.requirements.push(Requirement::read(one, watched));
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

    /// What to find out about its value.
    pub(super) fn probe(&self) -> FieldProbe {
        let reads = match self.kind {
            FieldType::Date => ProbedReading::Date,
            // Choices that come from elsewhere are the service's to check.
            FieldType::Dropdown if self.options_source.is_none() && !self.choices.is_empty() => {
                ProbedReading::Place(self.choices.clone())
            }
            _ => ProbedReading::Nothing,
        };
        FieldProbe {
            id: self.id.clone(),
            is_phone: self.kind == FieldType::PhoneNumber,
            pattern: self.pattern.clone(),
            longest: self.max_length,
            reads,
        }
    }

    /// What is wrong with the field's value, given the results of its probe and of the watched fields.
    /// `complete` is false where only some fields are changed.
    pub(super) fn problem_of(
        &self,
        result: &ProbeResult,
        watched: &[ProbeResult],
        party: Party,
        complete: bool,
    ) -> Option<FieldProblem> {
        let code = match result.given {
            ProbedValue::Absent if !complete => return None,
            ProbedValue::Absent | ProbedValue::Null | ProbedValue::Blank
                if !self.must_be_filled_in(watched) =>
            {
                return None;
            }
            ProbedValue::Absent => Code::MissingRequiredField,
            ProbedValue::Null | ProbedValue::Blank => Code::NotEmptyValidator,
            _ if self.takes(result) => return None,
            _ => match (&self.kind, party) {
                (FieldType::PhoneNumber, Party::Recipient(_)) => Code::RecipientInvalidPhoneNumber,
                _ => Code::ValueRegexFailure,
            },
        };
        Some(FieldProblem::new(&self.id, code))
    }

    fn takes(&self, result: &ProbeResult) -> bool {
        let length = i64::from(result.length);
        // What other types of fields take is the service's to say.
        let is_text = result.given == ProbedValue::Text;
        (is_text || matches!(self.kind, FieldType::Other(_)))
            && self.max_length.is_none_or(|most| length <= most)
            && self.min_length.is_none_or(|least| length >= least)
            && result.matches
            && match self.kind {
                FieldType::Date => is_day(result.reading) && self.is_within(result.reading),
                FieldType::Dropdown => {
                    result.reading > 0 || self.options_source.is_some() || self.choices.is_empty()
                }
                _ => true,
            }
    }

    fn must_be_filled_in(&self, watched: &[ProbeResult]) -> bool {
        self.is_required || self.requirements.iter().any(|requirement| requirement.holds(watched))
    }

    fn is_within(&self, date: u32) -> bool {
        date >= self.min_value && (self.max_value == 0 || date <= self.max_value)
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
        let serves = |probe: &FieldProbe| {
            probe.id == field_id && (probe.reads == ProbedReading::Number) == compares_numbers
        };
        let place = watched.iter().position(serves).unwrap_or(watched.len());
        if place == watched.len() {
            let reads =
                if compares_numbers { ProbedReading::Number } else { ProbedReading::Place(Vec::new()) };
            watched.push(FieldProbe::watched(&field_id, reads));
        }
        let mut values = Vec::new();
        for value in dependency
            .member("comparisonValues")
            .into_iter()
            .flat_map(JsonRef::items)
            .filter_map(JsonRef::label)
        {
            values.push(match watched.get_mut(place).map(|probe| &mut probe.reads) {
                Some(ProbedReading::Place(texts)) => {
                    let at = texts.iter().position(|text| *text == value).unwrap_or(texts.len());
                    if at == texts.len() {
                        texts.push(value.into_owned());
                    }
                    u32::try_from(at + 1).unwrap_or(0)
                }
                _ => number_read(&value),
            });
        }
        Requirement { comparison, values, watched: place }
    }

    fn holds(&self, watched: &[ProbeResult]) -> bool {
        let Some(result) = watched.get(self.watched) else { return false };
        let reading = result.reading;
        let is_one = reading > 0 && self.values.contains(&reading);
        let compares = |wanted: Ordering| {
            reading > 0 && self.values.iter().all(|other| *other > 0 && reading.cmp(other) == wanted)
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

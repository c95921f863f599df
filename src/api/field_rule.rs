//! The rules of a field, read from its definition once for many checks.

use std::cmp::Ordering;

use super::Code;
use super::check_digits::{clabe, iban, luhn};
use super::field_problem::FieldProblem;
use super::field_text::{FieldText, Matches, ValueKind, Values, date_digits, is_day};
use super::fields::{Comparison, FieldType, Visibility};
use super::json::{JsonRef, write_json, write_object};
use super::party::Party;
use super::phone::{PhonePlan, calling_code, national_number};
use super::typed_text::{accepted_form, in_accepted_case, plain_number, with_separators, without_marks};

/// The id of the field for a card's id (interface, part 2: known field ids).
pub const CARD_ID: &str = "CARD_ID";

/// The part of a [`FieldDefinition`](super::FieldDefinition) that restricts a value.
#[derive(Debug)]
pub(super) struct FieldRule {
    pub(super) id: String,
    kind: FieldType,
    is_required: bool,
    requirements: Vec<Requirement>,
    pattern: Option<String>,
    min_length: Option<i64>,
    max_length: Option<i64>,
    /// The digits of the earliest date, 0 for none. The service checks bounds in any other format.
    min_value: u32,
    /// The digits of the latest date, 0 for none.
    max_value: u32,
    /// The JSON text of a dropdown's options.
    pub(super) options: Option<String>,
    /// The ids of the options, empty if the definition does not contain all of them.
    option_ids: Vec<String>,
    pub(super) options_source: Option<String>,
    has_right_digits: Option<CheckDigits>,
}

/// Returns whether a number's check digits are right; `None` for a number of another kind.
type CheckDigits = fn(&str) -> Option<bool>;

/// A condition on another field that makes a field required.
#[derive(Debug)]
struct Requirement {
    comparison: Comparison,
    values: Vec<String>,
    field_id: String,
}

impl FieldRule {
    /// Reads a definition.
    pub(super) fn read(definition: JsonRef<'_>) -> Self {
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
            option_ids: Vec::new(),
            options_source: None,
            has_right_digits: None,
        };
        for (name, value) in definition.members() {
            let text = || value.owned_string_or_number();
            match &*name {
                "fieldId" => {
                    rule.id = text().unwrap_or_default();
                    rule.find_check_digits(value);
                }
                "name" | "label" => rule.find_check_digits(value),
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
                    rule.option_ids = ids.collect();
                    rule.options = Some(value.raw().to_owned());
                }
                "optionsSource" => rule.options_source = text(),
                "dependencies" => {
                    rule.requirements = value.items_of("isRequired").map(Requirement::read).collect();
                }
                _ => {}
            }
        }
        if rule.options_source.is_some() {
            rule.option_ids.clear();
        }
        rule
    }

    /// Finds out how to check the numbers of the field, by what it is called.
    #[inline(never)]
    fn find_check_digits(&mut self, name: JsonRef<'_>) {
        let mut letters = name.label().unwrap_or_default().to_ascii_uppercase();
        letters.retain(|c| c.is_ascii_alphanumeric());
        let checks: [(&str, CheckDigits); 3] = [("IBAN", iban), ("CLABE", clabe), ("CARDNUMBER", luhn)];
        for (word, check) in checks {
            if letters.contains(word) {
                self.has_right_digits = Some(check);
            }
        }
    }

    pub(super) fn is_required_card(&self) -> bool {
        self.id == CARD_ID && self.is_required
    }

    /// Returns the problem of the field's value, if any. `complete` is false if only some fields change.
    pub(super) fn problem_of(
        &self,
        values: &Values<'_>,
        party: Party,
        complete: bool,
        matches: Matches<'_>,
    ) -> Option<FieldProblem> {
        let value = values.get(&self.id);
        let value = value.map(|value| FieldText::of(value, self.kind == FieldType::PhoneNumber));
        let code = match &value {
            None if !complete => return None,
            None if self.requires_value(values) => Code::MissingRequiredField,
            None => return None,
            Some(FieldText { kind: ValueKind::Null | ValueKind::Blank, .. }) => {
                if !self.requires_value(values) {
                    return None;
                }
                Code::NotEmptyValidator
            }
            Some(value) if self.accepts(value, matches) => return None,
            Some(_) => match (&self.kind, party) {
                (FieldType::PhoneNumber, Party::Recipient(_)) => Code::RecipientInvalidPhoneNumber,
                _ => Code::ValueRegexFailure,
            },
        };
        Some(FieldProblem::new(&self.id, code))
    }

    /// Returns what is sent for a value as it was typed, as JSON text; `None` for the value itself.
    pub(super) fn sent_form(&self, value: JsonRef<'_>, matches: Matches<'_>) -> Option<String> {
        let pattern = self.pattern.as_deref();
        if self.kind == FieldType::PhoneNumber {
            return self.sent_phone(value, matches);
        }
        let typed = value.text().filter(|text| !text.trim().is_empty())?;
        // Keyboards add a space after a word that they complete.
        let bare = &*without_marks(&typed);
        let is_day = |text: &str| is_day(date_digits(text));
        let has_right_length = |text: &str| self.accepts_length(text.encode_utf16().count() as i64);
        let sent = match (&self.kind, pattern) {
            // A number that is pasted in groups, such as an IBAN.
            (FieldType::Text, None) if self.has_right_digits.is_some() && !has_right_length(bare) => {
                accepted_form(&typed, &has_right_length).or_else(|| Some(bare.to_owned()))
            }
            (FieldType::Text, None) => plain_number(bare).or_else(|| Some(bare.to_owned())),
            (FieldType::Text, Some(pattern)) => {
                let fit =
                    |text: &str| if has_right_length(text) { matches(pattern, text) } else { Some(false) };
                let accepts = |text: &str| text != bare && fit(text) == Some(true);
                match fit(bare) {
                    Some(true) => Some(bare.to_owned()),
                    _ if accepts(&typed) => None,
                    bare_fit => accepted_form(&typed, &accepts)
                        .or_else(|| in_accepted_case(with_separators(&typed, pattern)?, &accepts))
                        // The service decides.
                        .or_else(|| bare_fit.is_none().then(|| bare.to_owned())),
                }
            }
            (FieldType::Date, _) if !is_day(&typed) => accepted_form(&typed, &is_day),
            _ => None,
        };
        let sent = sent.filter(|sent| *sent != typed)?;
        Some(write_json(|out| out.text(&sent)))
    }

    /// Returns what is sent for a phone number: the digits within its country, and the country's calling code.
    fn sent_phone(&self, phone: JsonRef<'_>, matches: Matches<'_>) -> Option<String> {
        let typed = phone.text_of("number").filter(|number| !number.trim().is_empty())?;
        let country = phone.text_of("countryIso3Code").unwrap_or_default();
        let code = phone.member("countryPhoneCode").and_then(JsonRef::label).unwrap_or_default();
        let is_accepted = |number: &str| self.matches(number, matches);
        let number = national_number(&typed, &country, &code).filter(|number| is_accepted(number));
        let known = calling_code(&country).filter(|_| code.is_empty());
        if known.is_none() && number.as_deref().is_none_or(|number| number == typed) {
            return None;
        }
        Some(write_object(|out| {
            for (name, value) in phone.members() {
                match &*name {
                    "number" => out.text_member(&name, number.as_deref().unwrap_or(&typed)),
                    "countryPhoneCode" if known.is_some() => {}
                    _ => out.raw_member(&name, value.raw()),
                }
            }
            if let Some(known) = known {
                out.text_member("countryPhoneCode", known);
            }
        }))
    }

    /// Returns what is odd about a value that is sent, if anything. The service may accept it.
    pub(super) fn warning_of(&self, value: JsonRef<'_>) -> Option<FieldProblem> {
        let code = if self.kind == FieldType::PhoneNumber {
            let number = value.text_of("number").filter(|number| !number.trim().is_empty())?;
            let plan = PhonePlan::of(&value.text_of("countryIso3Code")?)?;
            (!plan.fits(number.as_bytes())).then_some(Code::UnusualPhoneNumber)
        } else {
            let has_right_digits = self.has_right_digits?;
            let number = value.text()?.to_ascii_uppercase().replace([' ', '-'], "");
            (has_right_digits(&number) == Some(false)).then_some(Code::CheckDigitMismatch)
        };
        code.map(|code| FieldProblem::new(&self.id, code))
    }

    /// Returns whether the choices of this field depend on another one.
    pub(super) fn has_choices_of(&self, field_id: &str) -> bool {
        let place = ["{", field_id, "}"].concat();
        self.options_source.as_deref().is_some_and(|source| source.contains(&place))
    }

    fn accepts_length(&self, length: i64) -> bool {
        self.max_length.is_none_or(|max| length <= max) && self.min_length.is_none_or(|min| length >= min)
    }

    /// Returns whether the text matches the pattern, as far as that can be determined.
    fn matches(&self, text: &str, matches: Matches<'_>) -> bool {
        self.pattern.as_deref().is_none_or(|pattern| matches(pattern, text) != Some(false))
    }

    fn accepts(&self, value: &FieldText<'_>, matches: Matches<'_>) -> bool {
        // The service checks the values of field types that this version does not know.
        (value.kind == ValueKind::Text || matches!(self.kind, FieldType::Other(_)))
            && self.accepts_length(value.length())
            && value.text.as_deref().is_none_or(|text| self.matches(text, matches))
            && match self.kind {
                FieldType::Date => {
                    let day = date_digits(value.as_str());
                    is_day(day) && day >= self.min_value && (self.max_value == 0 || day <= self.max_value)
                }
                FieldType::Dropdown => {
                    self.option_ids.is_empty() || self.option_ids.iter().any(|id| id == value.as_str())
                }
                _ => true,
            }
    }

    fn requires_value(&self, values: &Values<'_>) -> bool {
        self.is_required || self.requirements.iter().any(|requirement| requirement.holds(values))
    }
}

fn bound(date: Option<String>) -> u32 {
    Some(date_digits(&date.unwrap_or_default())).filter(|digits| is_day(*digits)).unwrap_or(0)
}

impl Requirement {
    fn read(dependency: JsonRef<'_>) -> Self {
        let text = |name| dependency.text_of(name).unwrap_or_default();
        Requirement {
            comparison: Comparison::from(&*text("comparisonOperator")),
            values: dependency
                .items_of("comparisonValues")
                .filter_map(JsonRef::owned_string_or_number)
                .collect(),
            field_id: text("fieldId").into_owned(),
        }
    }

    fn holds(&self, values: &Values<'_>) -> bool {
        let Some(text) = values.text_of(&self.field_id).and_then(|value| value.text) else { return false };
        let is_one = self.values.iter().any(|value| *value == text);
        let compares = |ordering: Ordering| {
            integer(&text).is_some_and(|number| {
                self.values
                    .iter()
                    .all(|other| integer(other).is_some_and(|other| number.cmp(&other) == ordering))
            })
        };
        match self.comparison {
            Comparison::EqualTo => is_one,
            Comparison::NotEqualTo => !text.is_empty() && !is_one,
            Comparison::GreaterThan => compares(Ordering::Greater),
            Comparison::LessThan => compares(Ordering::Less),
            Comparison::Other(_) => false,
        }
    }
}

/// Reads an integer of up to nine digits.
fn integer(text: &str) -> Option<i32> {
    text.parse().ok().filter(|_| text.trim_start_matches('-').len() <= 9)
}

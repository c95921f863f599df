//! The rules for names, identification and age that a client can check (interface, parts 2, 7 and 8).

use super::field_problem::FieldProblem;
use super::field_text::{ValueKind, Values, date_digits, is_day};
use super::json::JsonRef;
use super::record::open_enum;
use super::{Code, Operation};

open_enum! {
    /// A person or a business.
    PartyType ("PERSON or BUSINESS") {
        Person = "PERSON",
        Business = "BUSINESS",
    }
}

/// The subject of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// A sender.
    Sender(LegalForm),
    /// A recipient.
    Recipient(LegalForm),
    /// An account or a transfer.
    None,
}

/// The legal form of a party. Every [`PartyType`] but `BUSINESS` has the rules of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegalForm {
    /// A natural person.
    Person,
    /// A business.
    Business,
}

impl LegalForm {
    pub(super) fn of(party_type: &str) -> Self {
        if party_type == "BUSINESS" { LegalForm::Business } else { LegalForm::Person }
    }
}

impl Party {
    /// Returns the party that a fields endpoint with this query is about.
    pub fn of_fields(operation: &Operation, query: JsonRef<'_>) -> Self {
        let legal_form =
            |name| query.text_of(name).map_or(LegalForm::Person, |party_type| LegalForm::of(&party_type));
        match operation.name {
            "senderFields" => Party::Sender(legal_form("senderType")),
            "recipientFields" => Party::Recipient(legal_form("recipientType")),
            _ => Party::None,
        }
    }
}

/// The types of identification of a person.
const PERSON_ID_TYPES: [&str; 4] = ["SSN", "PASSPORT", "DRIVERS_LICENSE", "GID"];
/// The types with nine characters. The interface's "TID" counts as TIN.
const NINE_CHARACTERS: [&str; 3] = ["SSN", "TIN", "TID"];
/// In the digits of a date.
const ADULT_YEARS: u32 = 18_0000;

/// Checks the values by the rules for their party. `complete` is false if only some fields change.
pub(super) fn party_problems(
    party: Party,
    values: &Values<'_>,
    complete: bool,
    today: &str,
) -> Vec<FieldProblem> {
    let (legal_form, name_code, length_code) = match party {
        Party::Sender(form) => (form, Code::InvalidSenderName, Code::SenderInvalidTypeOfIdLength),
        Party::Recipient(form) => (form, Code::InvalidRecipientName, Code::RecipientInvalidTypeOfIdLength),
        Party::None => return Vec::new(),
    };
    // Some fields have two names.
    let either =
        |ids: [&'static str; 2]| ids.into_iter().find_map(|id| values.text_of(id).map(|value| (id, value)));
    let mut problems = Vec::new();
    let (names, id_types): (&[[&str; 2]], &[&str]) = match legal_form {
        LegalForm::Person => (&[["firstName", "FIRST_NAME"], ["lastName", "LAST_NAME"]], &PERSON_ID_TYPES),
        LegalForm::Business => (&[["companyName", "COMPANY_NAME"]], &["TIN"]),
    };
    for ids in names {
        let value = either(*ids);
        if value.as_ref().map_or(complete, |(_, value)| value.kind != ValueKind::Text) {
            let id = value.map_or(ids.first().copied().unwrap_or(""), |(id, _)| id);
            problems.push(FieldProblem::new(id, name_code.clone()));
        }
    }
    // Blank values are not sent, so they are neither a wrong type nor a wrong number.
    if let Some(id_type) = values.text_of("ID_TYPE").filter(|value| value.kind == ValueKind::Text) {
        if matches!(party, Party::Sender(_)) && !id_types.contains(&id_type.as_str()) {
            problems.push(FieldProblem::new("ID_TYPE", Code::InvalidTypeOfId));
        }
        if let Some(number) = values.text_of("ID_NUMBER")
            && matches!(number.kind, ValueKind::Text | ValueKind::Number)
            && NINE_CHARACTERS.contains(&id_type.as_str())
            && number.length() != 9
        {
            problems.push(FieldProblem::new("ID_NUMBER", length_code));
        }
    }
    if let (Party::Sender(LegalForm::Person), Some((id, born))) =
        (party, either(["dateOfBirth", "DATE_OF_BIRTH"]))
        && born.kind == ValueKind::Text
        && is_day(date_digits(born.as_str()))
        && date_digits(born.as_str()) + ADULT_YEARS > date_digits(today)
    {
        problems.push(FieldProblem::new(id, Code::SenderInvalidDateOfBirthUnder18));
    }
    problems
}

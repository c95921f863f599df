//! The rules for names, identification and age that a client can check (interface, parts 7 and 8).

use super::field_probe::{FieldProbe, ProbeResult, Reading, ValueKind, date_digits, is_day};
use super::field_problem::FieldProblem;
use super::json::JsonRef;
use super::lean::collect;
use super::record::open_enum;
use super::{Code, Operation};

open_enum! {
    /// A person or a business (interface, part 2: Sender type, Recipient type).
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

/// Types of identification: four of a person, then that of a business.
const ID_TYPES: [&str; 6] = ["SSN", "PASSPORT", "DRIVERS_LICENSE", "GID", "TIN", "TID"];
/// The positions, from 1, of the types with nine characters. The interface's "TID" counts as TIN.
const NINE_CHARACTERS: [u32; 3] = [1, 5, 6];
/// In the digits of a date.
const ADULT_YEARS: u32 = 18_0000;

/// The fields that these rules read; some have two names.
#[rustfmt::skip]
const PARTY_FIELDS: [&str; 10] = [
    "companyName", "COMPANY_NAME", "firstName", "FIRST_NAME", "lastName", "LAST_NAME",
    "dateOfBirth", "DATE_OF_BIRTH", "ID_TYPE", "ID_NUMBER",
];

pub(super) fn party_fields() -> impl Iterator<Item = FieldProbe> {
    PARTY_FIELDS.iter().map(|id| {
        let reading = match *id {
            "ID_TYPE" => Reading::Position(collect(ID_TYPES.iter().map(|known| (*known).to_owned()))),
            "dateOfBirth" | "DATE_OF_BIRTH" => Reading::Date,
            _ => Reading::None,
        };
        FieldProbe::watched(id, reading)
    })
}

/// Checks the results of the probes of [`party_fields`]. `complete` is false if only some fields change.
pub(super) fn party_problems(
    party: Party,
    results: &[ProbeResult],
    complete: bool,
    today: &str,
) -> Vec<FieldProblem> {
    let (legal_form, name_code, length_code) = match party {
        Party::Sender(form) => (form, Code::InvalidSenderName, Code::SenderInvalidTypeOfIdLength),
        Party::Recipient(form) => (form, Code::InvalidRecipientName, Code::RecipientInvalidTypeOfIdLength),
        Party::None => return Vec::new(),
    };
    let found = |id: &'static str| {
        let index = PARTY_FIELDS.iter().position(|known| *known == id)?;
        Some((id, results.get(index)?)).filter(|(_, result)| result.kind != ValueKind::Absent)
    };
    let either = |ids: [&'static str; 2]| ids.into_iter().find_map(found);
    let mut problems = Vec::new();
    let names: &[[&str; 2]] = if legal_form == LegalForm::Business {
        &[["companyName", "COMPANY_NAME"]]
    } else {
        &[["firstName", "FIRST_NAME"], ["lastName", "LAST_NAME"]]
    };
    for ids in names {
        let value = either(*ids);
        if value.map_or(complete, |(_, result)| result.kind != ValueKind::Text) {
            let id = value.map_or(ids.first().copied().unwrap_or(""), |(id, _)| id);
            problems.push(FieldProblem::new(id, name_code.clone()));
        }
    }
    // Blank values are not sent, so they are neither a wrong type nor a wrong number.
    let id_type = found("ID_TYPE").filter(|(_, result)| result.kind == ValueKind::Text);
    let id_type = id_type.map(|(_, result)| result.reading);
    let valid_id_types = if legal_form == LegalForm::Business { 5..=5 } else { 1..=4 };
    if matches!(party, Party::Sender(_))
        && id_type.is_some_and(|position| !valid_id_types.contains(&position))
    {
        problems.push(FieldProblem::new("ID_TYPE", Code::InvalidTypeOfId));
    }
    if let (Some(position), Some((id, number))) = (id_type, found("ID_NUMBER"))
        && matches!(number.kind, ValueKind::Text | ValueKind::Number)
        && NINE_CHARACTERS.contains(&position)
        && number.length != 9
    {
        problems.push(FieldProblem::new(id, length_code));
    }
    if let (Party::Sender(LegalForm::Person), Some((id, born))) =
        (party, either(["dateOfBirth", "DATE_OF_BIRTH"]))
        && born.kind == ValueKind::Text
        && is_day(born.reading)
        && born.reading + ADULT_YEARS > date_digits(today)
    {
        problems.push(FieldProblem::new(id, Code::SenderInvalidDateOfBirthUnder18));
    }
    problems
}

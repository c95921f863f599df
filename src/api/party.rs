//! What a client can know of the rules for names, identification and age
//! (interface, parts 7 and 8).

use super::field_form::{is_day, problem};
use super::field_note::{Given, Note, Reads, Wanted, date_digits};
use super::fields::FieldProblem;
use super::json::View;
use super::lean::list_of;
use super::{Code, Operation, PartyType};

/// Whom a form is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// A sender: a business, or else a person.
    Sender(Business),
    /// A recipient: a business, or else a person.
    Recipient(Business),
    /// Nobody: an account or a transfer.
    None,
}

/// Whether a party is a business.
pub type Business = bool;

impl Party {
    /// The party that a fields endpoint, called with this query, asks about.
    #[must_use]
    pub fn of_fields(operation: &Operation, query: View<'_>) -> Self {
        let is_business =
            |name| query.text_of(name).is_some_and(|kind| PartyType::from(&*kind) == PartyType::Business);
        match operation.name {
            "senderFields" => Party::Sender(is_business("senderType")),
            "recipientFields" => Party::Recipient(is_business("recipientType")),
            _ => Party::None,
        }
    }
}

/// Types of identification: the first four are a person's, the fifth is a business's.
const ID_TYPES: [&str; 6] = ["SSN", "PASSPORT", "DRIVERS_LICENSE", "GID", "TIN", "TID"];
/// The places, from 1, of those that are nine characters long. The interface's "TID" is taken for TIN.
const NINE_CHARACTERS: [u32; 3] = [1, 5, 6];
/// As the digits of dates count them.
const ADULT_YEARS: u32 = 18_0000;

/// The fields that these rules look at, under either of their names.
const PARTY_FIELDS: [&str; 10] = [
    "companyName",
    "COMPANY_NAME",
    "firstName",
    "FIRST_NAME",
    "lastName",
    "LAST_NAME",
    "dateOfBirth",
    "DATE_OF_BIRTH",
    "ID_TYPE",
    "ID_NUMBER",
];

/// What to note for these rules.
pub(super) fn party_fields() -> impl Iterator<Item = Wanted> {
    PARTY_FIELDS.iter().map(|id| {
        let reads = match *id {
            "ID_TYPE" => Reads::Place(list_of(ID_TYPES.iter().map(|known| (*known).to_owned()))),
            "dateOfBirth" | "DATE_OF_BIRTH" => Reads::Date,
            _ => Reads::Nothing,
        };
        Wanted::watched(id, reads)
    })
}

/// What the rules for the party find in what is noted of [`party_fields`]. `complete` is false where only some fields are changed.
pub(super) fn party_problems(party: Party, notes: &[Note], complete: bool, today: &str) -> Vec<FieldProblem> {
    let (business, name_code, length_code) = match party {
        Party::Sender(business) => (business, Code::InvalidSenderName, Code::SenderInvalidTypeOfIdLength),
        Party::Recipient(business) => {
            (business, Code::InvalidRecipientName, Code::RecipientInvalidTypeOfIdLength)
        }
        Party::None => return Vec::new(),
    };
    let found = |id: &'static str| {
        let place = PARTY_FIELDS.iter().position(|known| *known == id)?;
        Some((id, notes.get(place)?)).filter(|(_, note)| note.given != Given::Absent)
    };
    let either = |ids: [&'static str; 2]| ids.into_iter().find_map(found);
    let mut problems = Vec::new();
    let names: &[[&str; 2]] = if business {
        &[["companyName", "COMPANY_NAME"]]
    } else {
        &[["firstName", "FIRST_NAME"], ["lastName", "LAST_NAME"]]
    };
    for ids in names {
        let value = either(*ids);
        if value.map_or(complete, |(_, note)| note.given != Given::Text) {
            let id = value.map_or(ids.first().copied().unwrap_or(""), |(id, _)| id);
            problems.push(problem(id, name_code.clone()));
        }
    }
    let id_type = found("ID_TYPE").filter(|(_, note)| matches!(note.given, Given::Text | Given::Blank));
    let id_type = id_type.map(|(_, note)| note.reading);
    if let (Party::Sender(_), Some(place)) = (party, id_type) {
        let valid = if business { 5..=5 } else { 1..=4 };
        if !valid.contains(&place) {
            problems.push(problem("ID_TYPE", Code::InvalidTypeOfId));
        }
    }
    if let (Some(place), Some((id, number))) = (id_type, found("ID_NUMBER"))
        && matches!(number.given, Given::Text | Given::Number | Given::Blank)
        && NINE_CHARACTERS.contains(&place)
        && number.length != 9
    {
        problems.push(problem(id, length_code));
    }
    // The 18th birthday is still to come.
    if let (Party::Sender(false), Some((id, born))) = (party, either(["dateOfBirth", "DATE_OF_BIRTH"]))
        && born.given == Given::Text
        && is_day(born.reading)
        && born.reading + ADULT_YEARS > date_digits(today)
    {
        problems.push(problem(id, Code::SenderInvalidDateOfBirthUnder18));
    }
    problems
}

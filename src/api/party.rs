//! What a client can know of the rules for names, identification and age
//! (interface, parts 7 and 8).

use super::field_form::{Values, is_date, is_empty, problem};
use super::fields::FieldProblem;
use super::json::View;
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

const PERSON_IDS: [&str; 4] = ["SSN", "PASSPORT", "DRIVERS_LICENSE", "GID"];
const BUSINESS_IDS: [&str; 1] = ["TIN"];
/// The interface's "TID" is taken for TIN; all three are nine characters long.
const NINE_CHARACTERS: [&str; 3] = ["SSN", "TIN", "TID"];
const ADULT_YEARS: u32 = 18;

/// What the rules for the party find. `complete` is false where only some fields are changed.
pub(super) fn party_problems(
    party: Party,
    values: &Values<'_>,
    complete: bool,
    today: &str,
) -> Vec<FieldProblem> {
    let (business, name_code, length_code) = match party {
        Party::Sender(business) => (business, Code::InvalidSenderName, Code::SenderInvalidTypeOfIdLength),
        Party::Recipient(business) => {
            (business, Code::InvalidRecipientName, Code::RecipientInvalidTypeOfIdLength)
        }
        Party::None => return Vec::new(),
    };
    let mut problems = Vec::new();
    let names: &[[&str; 2]] = if business {
        &[["companyName", "COMPANY_NAME"]]
    } else {
        &[["firstName", "FIRST_NAME"], ["lastName", "LAST_NAME"]]
    };
    for ids in names {
        let value = either(values, ids);
        let blank = value.map_or(complete, |(_, value)| is_empty(value) || value.text().is_none());
        if blank {
            problems.push(problem(
                value.map_or(ids.first().copied().unwrap_or(""), |(id, _)| id),
                name_code.clone(),
            ));
        }
    }
    let id_type = values.get("ID_TYPE").and_then(View::text);
    if let (Party::Sender(_), Some(id_type)) = (party, id_type.as_deref()) {
        let valid = if business { &BUSINESS_IDS[..] } else { &PERSON_IDS[..] };
        if !valid.contains(&id_type) {
            problems.push(problem("ID_TYPE", Code::InvalidTypeOfId));
        }
    }
    let id_number = values.get("ID_NUMBER").and_then(View::label);
    if let (Some(id_type), Some(id_number)) = (id_type.as_deref(), id_number)
        && NINE_CHARACTERS.contains(&id_type)
        && id_number.chars().count() != 9
    {
        problems.push(problem("ID_NUMBER", length_code));
    }
    if let (Party::Sender(false), Some((id, born))) =
        (party, either(values, &["dateOfBirth", "DATE_OF_BIRTH"]))
        && born.text().is_some_and(|born| is_date(&born) && is_minor(&born, today))
    {
        problems.push(problem(id, Code::SenderInvalidDateOfBirthUnder18));
    }
    problems
}

fn either<'v, 'i>(values: &Values<'v>, ids: &[&'i str; 2]) -> Option<(&'i str, View<'v>)> {
    ids.iter().find_map(|id| Some((*id, values.get(id)?)))
}

/// Whether the 18th birthday is still to come.
fn is_minor(born: &str, today: &str) -> bool {
    let year = |date: &str| date.get(..4).and_then(|year| year.parse::<u32>().ok()).unwrap_or(0);
    let adult_since = year(born) + ADULT_YEARS;
    (adult_since, born.get(4..)) > (year(today), today.get(4..))
}

//! Values that a query or a body has by name.

use uuid::Uuid;

use crate::corridor::{QuoteBy, TransferMethod};
use crate::country::{self, Country};
use crate::currency::{self, Currency};
use crate::error::{ErrorCode, Problem, Problems};
use crate::ids::parse_uuid;

/// Where named values come from: a query or a body.
pub(crate) trait Named {
    /// The text under `name`; `None` if it is absent or null.
    fn text(&self, name: &str) -> Result<Option<&str>, Problem>;

    /// The text under `name`, which has to be there and not empty.
    fn required<'a>(&'a self, name: &str, problems: &mut Problems) -> Option<&'a str> {
        match self.text(name) {
            Ok(Some(text)) if !text.trim().is_empty() => Some(text),
            Ok(_) => {
                problems.add(Problem::new(ErrorCode::NotEmptyValidator).at(name));
                None
            }
            Err(problem) => {
                problems.add(problem);
                None
            }
        }
    }

    /// The text under `name`; an empty one counts as absent.
    fn optional<'a>(&'a self, name: &str, problems: &mut Problems) -> Option<&'a str> {
        match self.text(name) {
            Ok(text) => text.filter(|text| !text.trim().is_empty()),
            Err(problem) => {
                problems.add(problem);
                None
            }
        }
    }

    /// A destination country.
    fn country(&self, name: &str, problems: &mut Problems) -> Option<&'static Country> {
        let text = self.required(name, problems)?;
        let found = country::by_iso3(text);
        if found.is_none() {
            problems.add(
                Problem::new(ErrorCode::UnsupportedCountry)
                    .at(name)
                    .because("expected an ISO 3166-1 code of three uppercase letters, such as MEX"),
            );
        }
        found
    }

    /// A currency. One that the service does not trade in has no corridor.
    fn currency(&self, name: &str, problems: &mut Problems) -> Option<&'static Currency> {
        let text = self.required(name, problems)?;
        if text.len() != 3 || !text.bytes().all(|byte| byte.is_ascii_uppercase()) {
            problems.add(
                Problem::new(ErrorCode::BadRequestError)
                    .at(name)
                    .because("expected an ISO 4217 code of three uppercase letters, such as USD"),
            );
            return None;
        }
        let found = currency::by_iso3(text);
        if found.is_none() {
            problems.add(Problem::new(ErrorCode::NoCorridorFoundForSpecificValues).at(name));
        }
        found
    }

    fn transfer_method(&self, name: &str, problems: &mut Problems) -> Option<TransferMethod> {
        let text = self.required(name, problems)?;
        let found = TransferMethod::parse(text);
        if found.is_none() {
            problems.add(Problem::new(ErrorCode::BadRequestError).at(name).because(
                "expected BANK_ACCOUNT, PUSH_TO_CARD, CASH_PICKUP, MOBILE_WALLET or ACCOUNT_FUNDING",
            ));
        }
        found
    }

    /// The same where it may be left out.
    fn transfer_method_or_default(&self, name: &str, problems: &mut Problems) -> Option<TransferMethod> {
        match self.text(name) {
            Ok(None) => Some(TransferMethod::BankAccount),
            _ => self.transfer_method(name, problems),
        }
    }

    fn quote_by(&self, name: &str, problems: &mut Problems) -> Option<QuoteBy> {
        let text = self.required(name, problems)?;
        let found = QuoteBy::parse(text);
        if found.is_none() {
            problems.add(
                Problem::new(ErrorCode::BadRequestError)
                    .at(name)
                    .because("expected SEND_AMOUNT or RECEIVE_AMOUNT"),
            );
        }
        found
    }

    /// An identifier that may be absent.
    fn optional_uuid(&self, name: &str, otherwise: ErrorCode, problems: &mut Problems) -> Option<Uuid> {
        uuid(self.optional(name, problems)?, name, otherwise, problems)
    }

    /// An identifier that has to be there.
    fn required_uuid(&self, name: &str, otherwise: ErrorCode, problems: &mut Problems) -> Option<Uuid> {
        uuid(self.required(name, problems)?, name, otherwise, problems)
    }
}

fn uuid(text: &str, name: &str, otherwise: ErrorCode, problems: &mut Problems) -> Option<Uuid> {
    let found = parse_uuid(text);
    if found.is_none() {
        problems.add(Problem::new(otherwise).at(name).because("expected a UUID"));
    }
    found
}

pub(super) fn invalid_amount(name: &str) -> Problem {
    Problem::new(ErrorCode::InvalidAmount)
        .at(name)
        .because("expected a whole number of minor units, at least 0")
}

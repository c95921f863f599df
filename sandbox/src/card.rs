//! Cards that were verified in the card form. Nothing of a card is kept but its brand, its last four
//! digits, and what the rules need to know of it; the number never leaves the form's handler.

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::currency::Currency;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::records::{Record, record};

/// A verified card.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) sender: Uuid,
    pub(crate) brand: String,
    pub(crate) last_four: String,
    /// The only currency that the card takes, if it is bound to one.
    pub(crate) currency: Option<String>,
    pub(crate) active: bool,
    pub(crate) issued_abroad: bool,
}

record!(Card, "cards", "", "");

impl Card {
    /// Whether money in a currency can go to this card.
    pub(crate) fn check_receives(&self, currency: &Currency) -> Result<(), ApiError> {
        match &self.currency {
            Some(own) if own != currency.iso3_code => {
                Err(Problem::new(ErrorCode::BillingAndDestinationCurrencyCodeDiscrepancyError)
                    .at("CARD_ID")
                    .into())
            }
            _ => Ok(()),
        }
    }

    /// Whether the card can be used now. It may have been blocked since it was verified.
    pub(crate) fn check_active(&self) -> Result<(), ApiError> {
        if self.active { Ok(()) } else { Err(unusable().into()) }
    }

    /// Whether the card may pay for a transfer.
    pub(crate) fn check_pays(&self) -> Result<(), ApiError> {
        if self.issued_abroad {
            return Err(Problem::new(ErrorCode::InvalidCardIssuerCountry).at("sourceAccountId").into());
        }
        Ok(())
    }

    /// Whether two identifiers stand for one card, as far as a service without numbers can tell.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id || (self.brand == other.brand && self.last_four == other.last_four)
    }
}

fn unusable() -> Problem {
    Problem::new(ErrorCode::CardProvidedCannotBeUsedForThisTransaction).at("CARD_ID")
}

/// Finds a card that was entered in the context of a sender.
pub(crate) fn find(connection: &Connection, sender: Uuid, id: &str) -> Result<Card, ApiError> {
    Card::get(connection, id)?.filter(|card| card.sender == sender).ok_or_else(|| unusable().into())
}

//! Cards that were verified in the card form. Nothing of a card is kept but its brand, its last four
//! digits, and what the rules need to know of it; the number never leaves the form's handler.

use rusqlite::{Connection, OptionalExtension, params};

use crate::currency::Currency;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::sender::Sender;

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS cards (
    id TEXT PRIMARY KEY,
    sender_id TEXT NOT NULL,
    brand TEXT NOT NULL,
    last_four TEXT NOT NULL,
    currency TEXT,
    active INTEGER NOT NULL,
    issued_abroad INTEGER NOT NULL
) WITHOUT ROWID;
";

/// A verified card.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) brand: String,
    pub(crate) last_four: String,
    /// The only currency that the card takes, if it is bound to one.
    pub(crate) currency: Option<String>,
    pub(crate) active: bool,
    pub(crate) issued_abroad: bool,
}

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

pub(crate) fn insert(connection: &Connection, sender: &str, card: &Card) -> Result<(), ApiError> {
    connection.execute(
        "INSERT INTO cards VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![card.id, sender, card.brand, card.last_four, card.currency, card.active, card.issued_abroad],
    )?;
    Ok(())
}

/// Finds a card that was entered in the context of a sender.
pub(crate) fn find(connection: &Connection, sender: &Sender, id: &str) -> Result<Card, ApiError> {
    connection
        .prepare_cached(
            "SELECT id, brand, last_four, currency, active, issued_abroad FROM cards
             WHERE id = ?1 AND sender_id = ?2",
        )?
        .query_row(params![id, sender.id.to_string()], |row| {
            Ok(Card {
                id: row.get(0)?,
                brand: row.get(1)?,
                last_four: row.get(2)?,
                currency: row.get(3)?,
                active: row.get(4)?,
                issued_abroad: row.get(5)?,
            })
        })
        .optional()?
        .ok_or_else(|| unusable().into())
}

//! Verified cards. Only the brand, the last four digits and the properties that the rules need are stored;
//! the card number never leaves the form's handler.

use crate::endpoint::*;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Card {
    pub(crate) id: String,
    pub(crate) sender: Uuid,
    pub(crate) brand: String,
    pub(crate) last_four: String,
    /// The only currency that the card accepts; `None` accepts all.
    pub(crate) currency: Option<String>,
    pub(crate) active: bool,
    pub(crate) issued_abroad: bool,
}

record!(Card, "cards");

impl Card {
    pub(crate) fn check_receives(&self, currency: &str) -> Result {
        if self.currency.as_ref().is_none_or(|own| own == currency) {
            return Ok(());
        }
        Err(Problem::new(ErrorCode::BillingAndDestinationCurrencyCodeDiscrepancyError).at("CARD_ID").into())
    }

    /// Checks that the card was not blocked since it was verified.
    pub(crate) fn check_active(&self) -> Result {
        if self.active { Ok(()) } else { Err(unusable().into()) }
    }

    pub(crate) fn check_pays(&self) -> Result {
        if self.issued_abroad {
            return Err(Problem::new(ErrorCode::InvalidCardIssuerCountry).at("sourceAccountId").into());
        }
        Ok(())
    }

    /// Whether both are the same card, as far as this can be told without their numbers.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.id == other.id || (self.brand == other.brand && self.last_four == other.last_four)
    }
}

fn unusable() -> Problem {
    Problem::new(ErrorCode::CardProvidedCannotBeUsedForThisTransaction).at("CARD_ID")
}

/// Finds a card that was entered in a session of this sender.
pub(crate) fn find(db: &Connection, sender: Uuid, id: &str) -> Result<Card> {
    Card::get(db, id)?.filter(|card| card.sender == sender).ok_or_else(|| unusable().into())
}

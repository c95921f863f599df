//! Recipient accounts (interface, parts 4 and 7).

pub(crate) mod endpoints;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::clock::iso;
use crate::corridor::Route;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::fields::{Values, account_sets, masked};
use crate::recipient::{self, Recipient};
use crate::records::{Record, record};
use crate::sender::Sender;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: Uuid,
    recipient: Uuid,
    pub(crate) route: Route,
    account_number: Option<String>,
    values: Values,
    created_at: i64,
}

record!(
    Account,
    "accounts",
    ", recipient TEXT NOT NULL AS (data->>'recipient') STORED",
    "CREATE INDEX IF NOT EXISTS accounts_of_recipient ON accounts (recipient);"
);

impl Account {
    pub(crate) fn all_of(db: &Connection, recipient: &Recipient) -> Result<Vec<Self>, ApiError> {
        Self::list(db, "WHERE recipient = ?1 ORDER BY number", [recipient.id.to_string()])
    }

    /// Returns the card of a PUSH_TO_CARD account.
    pub(crate) fn card_id(&self) -> Option<&str> {
        self.values.text("CARD_ID")
    }

    pub(crate) fn check_route(&self, route: Route) -> Result<(), ApiError> {
        if self.route == route {
            return Ok(());
        }
        Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
            .at("recipientAccountId")
            .because("the account belongs to another corridor")
            .into())
    }

    /// Returns the wire record. Account numbers are masked.
    pub(crate) fn to_wire(&self) -> Value {
        let sets = account_sets(self.route, "");
        let mut account = json!({
            "recipientAccountId": self.id,
            "recipientId": self.recipient,
            "dstCountryIso3Code": self.route.country().iso3_code,
            "dstCurrencyIso3Code": self.route.destination.iso3_code,
            "transferMethod": self.route.method(),
            "createdAt": iso(self.created_at),
            "fields": self.values.to_wire(&sets, "BANK_ACCOUNT_NUMBER"),
        });
        let number = self.account_number.as_deref().or(self.values.text("BANK_ACCOUNT_NUMBER"));
        if let (Some(account), Some(number)) = (account.as_object_mut(), number) {
            account.insert("accountNumber".into(), json!(masked(number)));
        }
        account
    }
}

pub(crate) fn find(db: &Connection, recipient: &Recipient, id: Uuid) -> Result<Account, ApiError> {
    Ok(Account::get(db, id)?
        .filter(|account| account.recipient == recipient.id)
        .ok_or(ErrorCode::RecipientAccountNotFound)?)
}

/// Finds an account of any recipient of a sender.
pub(crate) fn find_of_sender(db: &Connection, sender: &Sender, id: Uuid) -> Result<Account, ApiError> {
    let account = Account::get(db, id)?.ok_or(ErrorCode::RecipientAccountNotFound)?;
    recipient::find(db, sender, account.recipient).map_err(|_| ErrorCode::RecipientAccountNotFound)?;
    Ok(account)
}

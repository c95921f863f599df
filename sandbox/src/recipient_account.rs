//! Recipient accounts: where the money arrives (interface, parts 4 and 7).

pub(crate) mod endpoints;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::clock::iso;
use crate::corridor::{self, Route, TransferMethod};
use crate::country;
use crate::currency;
use crate::error::{ApiError, ErrorCode};
use crate::fields::{Values, account_sets};
use crate::recipient::Recipient;
use crate::sender::Sender;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS accounts (
    id TEXT PRIMARY KEY,
    recipient_id TEXT NOT NULL,
    country TEXT NOT NULL,
    currency TEXT NOT NULL,
    method TEXT NOT NULL,
    account_number TEXT,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS accounts_of_recipient ON accounts (recipient_id);
";

/// A recipient's account, as the database has it.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) id: Uuid,
    pub(crate) recipient: String,
    pub(crate) country: String,
    pub(crate) currency: String,
    pub(crate) method: TransferMethod,
    account_number: Option<String>,
    fields: String,
    created_at: i64,
}

const COLUMNS: &str = "accounts.id, recipient_id, accounts.country, accounts.currency,
    accounts.method, account_number, accounts.fields, accounts.created_at";

impl Account {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id: String = row.get(0)?;
        let method: String = row.get(4)?;
        Ok(Self {
            id: Uuid::try_parse(&id).unwrap_or_default(),
            recipient: row.get(1)?,
            country: row.get(2)?,
            currency: row.get(3)?,
            method: TransferMethod::parse(&method).unwrap_or(TransferMethod::BankAccount),
            account_number: row.get(5)?,
            fields: row.get(6)?,
            created_at: row.get(7)?,
        })
    }

    /// Whether this account is for money that takes a certain way.
    pub(crate) fn fits(&self, route: Route) -> bool {
        self.country == route.corridor.country.iso3_code
            && self.currency == route.destination.iso3_code
            && self.method == route.corridor.method
    }

    /// The card behind a PUSH_TO_CARD account.
    pub(crate) fn card_id(&self) -> Result<Option<String>, ApiError> {
        Ok(Values::from_json(&self.fields)?.text("CARD_ID").map(str::to_owned))
    }

    /// The account record. Account numbers show their last four characters.
    pub(crate) fn record(&self) -> Result<Value, ApiError> {
        let values = Values::from_json(&self.fields)?;
        let route = country::by_iso3(&self.country)
            .and_then(|country| corridor::find(country, currency::by_iso3(&self.currency)?, self.method));
        let sets = route.map(|route| account_sets(route, "")).unwrap_or_default();
        let mut record = json!({
            "recipientAccountId": self.id,
            "recipientId": self.recipient,
            "dstCountryIso3Code": self.country,
            "dstCurrencyIso3Code": self.currency,
            "transferMethod": self.method,
            "createdAt": iso(self.created_at),
            "fields": values.record(&sets, "BANK_ACCOUNT_NUMBER"),
        });
        let number = self.account_number.as_deref().or(values.text("BANK_ACCOUNT_NUMBER"));
        if let (Some(record), Some(number)) = (record.as_object_mut(), number) {
            record.insert("accountNumber".into(), json!(crate::fields::masked(number)));
        }
        Ok(record)
    }
}

/// Finds an account of a recipient.
pub(crate) fn find(connection: &Connection, recipient: &Recipient, id: Uuid) -> Result<Account, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts WHERE id = ?1 AND recipient_id = ?2 AND deleted = 0"
        ))?
        .query_row(params![id.to_string(), recipient.id.to_string()], Account::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::RecipientAccountNotFound.into())
}

/// Finds an account of any recipient of a sender.
pub(crate) fn find_of_sender(
    connection: &Connection,
    sender: &Sender,
    id: Uuid,
) -> Result<Account, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts JOIN recipients ON recipients.id = recipient_id
             WHERE accounts.id = ?1 AND sender_id = ?2
             AND accounts.deleted = 0 AND recipients.deleted = 0"
        ))?
        .query_row(params![id.to_string(), sender.id.to_string()], Account::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::RecipientAccountNotFound.into())
}

//! Recipients: who the money is for (interface, parts 4 and 7).

pub(crate) mod endpoints;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::clock::iso;
use crate::error::{ApiError, ErrorCode};
use crate::fields::{Kind, Values, recipient_sets};
use crate::input::path_uuid;
use crate::sender::{Sender, add_names};

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS recipients (
    id TEXT PRIMARY KEY,
    sender_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    country TEXT,
    currency TEXT,
    method TEXT,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS recipients_of_sender ON recipients (sender_id);
";

/// A recipient, as the database has it.
#[derive(Debug)]
pub(crate) struct Recipient {
    pub(crate) id: Uuid,
    kind: Kind,
    pub(crate) country: Option<String>,
    pub(crate) currency: Option<String>,
    sender: String,
    fields: String,
    created_at: i64,
}

const COLUMNS: &str = "id, kind, country, currency, sender_id, fields, created_at";

impl Recipient {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id: String = row.get(0)?;
        let kind: String = row.get(1)?;
        Ok(Self {
            id: Uuid::try_parse(&id).unwrap_or_default(),
            kind: Kind::parse(&kind).unwrap_or(Kind::Person),
            country: row.get(2)?,
            currency: row.get(3)?,
            sender: row.get(4)?,
            fields: row.get(5)?,
            created_at: row.get(6)?,
        })
    }

    /// The recipient record.
    pub(crate) fn record(&self) -> Result<Value, ApiError> {
        let values = Values::from_json(&self.fields)?;
        let sets = recipient_sets(None, self.kind, self.created_at, "");
        let mut record = json!({
            "recipientId": self.id,
            "senderId": self.sender,
            "recipientType": self.kind,
            "createdAt": iso(self.created_at),
            "fields": values.record(&sets, "ID_NUMBER"),
        });
        add_names(&mut record, &values);
        Ok(record)
    }
}

/// Finds a recipient of a sender.
pub(crate) fn find(connection: &Connection, sender: &Sender, id: Uuid) -> Result<Recipient, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM recipients WHERE id = ?1 AND sender_id = ?2 AND deleted = 0"
        ))?
        .query_row(params![id.to_string(), sender.id.to_string()], Recipient::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::RecipientNotFound.into())
}

/// Reads the identifier in the path.
pub(crate) fn path_id(text: &str) -> Result<Uuid, ApiError> {
    path_uuid(text, "recipientId", ErrorCode::InvalidRecipientId)
}

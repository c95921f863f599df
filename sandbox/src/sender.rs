//! Senders: who sends the money (interface, parts 2, 4 and 7).

pub(crate) mod endpoints;

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use crate::client::Client;
use crate::clock::iso;
use crate::error::{ApiError, ErrorCode};
use crate::fields::{Kind, Values, sender_sets};
use crate::limits::Limits;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS senders (
    id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    group_id TEXT NOT NULL,
    limits TEXT NOT NULL,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deactivated INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
";

/// The sender groups that exist. The first is the default.
pub(crate) const GROUPS: [Uuid; 2] =
    [uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a001"), uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002")];

/// A sender, as the database has it.
#[derive(Debug)]
pub(crate) struct Sender {
    pub(crate) id: Uuid,
    pub(crate) kind: Kind,
    group: String,
    limits: String,
    fields: String,
    created_at: i64,
    deactivated: bool,
}

impl Sender {
    pub(crate) fn limits(&self) -> Result<Limits, ApiError> {
        Ok(serde_json::from_str(&self.limits)?)
    }

    fn values(&self) -> Result<Values, ApiError> {
        Ok(Values::from_json(&self.fields)?)
    }

    /// The sender record.
    pub(crate) fn record(&self, now: i64) -> Result<Value, ApiError> {
        let values = self.values()?;
        let sets = sender_sets(self.kind, now);
        let mut record = json!({
            "senderId": self.id,
            "senderType": self.kind,
            "kycStatus": if values.get("ID_NUMBER").is_some() { "PASSED" } else { "SKIPPED" },
            "createdAt": iso(self.created_at),
            "isDeactivated": self.deactivated,
            "senderGroupId": self.group,
            "fields": values.record(&sets, "ID_NUMBER"),
        });
        add_names(&mut record, &values);
        Ok(record)
    }
}

/// Puts the names beside the fields, as records have them.
pub(crate) fn add_names(record: &mut Value, values: &Values) {
    let Some(record) = record.as_object_mut() else { return };
    for id in ["firstName", "lastName", "companyName"] {
        if let Some(name) = values.get(id) {
            record.insert(id.to_owned(), name.clone());
        }
    }
}

/// Finds a sender of a client that is not deactivated.
pub(crate) fn find(connection: &Connection, client: &Client, id: Uuid) -> Result<Sender, ApiError> {
    Ok(find_any(connection, client, id)?
        .filter(|sender| !sender.deactivated)
        .ok_or(ErrorCode::SenderNotFound)?)
}

/// Whether a client has this sender.
pub(crate) fn is_active(connection: &Connection, client: &Client, id: Uuid) -> Result<bool, ApiError> {
    Ok(find_any(connection, client, id)?.is_some_and(|sender| !sender.deactivated))
}

fn find_any(connection: &Connection, client: &Client, id: Uuid) -> Result<Option<Sender>, ApiError> {
    let mut statement = connection.prepare_cached(
        "SELECT kind, group_id, limits, fields, created_at, deactivated
         FROM senders WHERE id = ?1 AND client_id = ?2",
    )?;
    let row = statement
        .query_row(params![id.to_string(), client.id.to_string()], |row| {
            let kind: String = row.get(0)?;
            Ok(Sender {
                id,
                kind: Kind::parse(&kind).unwrap_or(Kind::Person),
                group: row.get(1)?,
                limits: row.get(2)?,
                fields: row.get(3)?,
                created_at: row.get(4)?,
                deactivated: row.get(5)?,
            })
        })
        .optional()?;
    Ok(row)
}

/// A sender that is to be written.
pub(crate) struct NewSender<'a> {
    pub(crate) id: Uuid,
    pub(crate) client: &'a Client,
    pub(crate) kind: Kind,
    pub(crate) group: Uuid,
    pub(crate) limits: &'a Limits,
    pub(crate) values: &'a Values,
    pub(crate) created_at: i64,
}

/// Writes a sender, unless there is one with its identifier.
pub(crate) fn insert(connection: &Connection, sender: &NewSender<'_>) -> Result<(), ApiError> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO senders (id, client_id, kind, group_id, limits, fields, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            sender.id.to_string(),
            sender.client.id.to_string(),
            sender.kind.name(),
            sender.group.to_string(),
            serde_json::to_string(sender.limits)?,
            sender.values.to_json(),
            sender.created_at,
        ])?;
    Ok(())
}

/// Sets a sender's limits, for testers.
pub(crate) fn set_limits(connection: &Connection, id: Uuid, limits: &Limits) -> Result<(), ApiError> {
    let limits = serde_json::to_string(limits)?;
    let changed = connection
        .execute("UPDATE senders SET limits = ?2 WHERE id = ?1", params![id.to_string(), limits])?;
    if changed == 0 { Err(ErrorCode::SenderNotFound.into()) } else { Ok(()) }
}

//! Recipients (interface, parts 4 and 7).

pub(crate) mod endpoints;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::clock::iso;
use crate::corridor::Route;
use crate::error::{ApiError, ErrorCode};
use crate::fields::{Kind, Values, recipient_sets};
use crate::records::{Record, record};
use crate::sender::{Sender, add_names};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Recipient {
    pub(crate) id: Uuid,
    pub(crate) sender: Uuid,
    kind: Kind,
    /// The corridor, once a request has named one.
    pub(crate) route: Option<Route>,
    values: Values,
    created_at: i64,
}

record!(
    Recipient,
    "recipients",
    ", sender TEXT NOT NULL AS (data->>'sender') STORED",
    "CREATE INDEX IF NOT EXISTS recipients_of_sender ON recipients (sender);"
);

impl Recipient {
    pub(crate) fn to_wire(&self) -> Value {
        let sets = recipient_sets(None, self.kind, self.created_at, "");
        let mut recipient = json!({
            "recipientId": self.id,
            "senderId": self.sender,
            "recipientType": self.kind,
            "createdAt": iso(self.created_at),
            "fields": self.values.to_wire(&sets, "ID_NUMBER"),
        });
        add_names(&mut recipient, &self.values);
        recipient
    }
}

pub(crate) fn find(db: &Connection, sender: &Sender, id: Uuid) -> Result<Recipient, ApiError> {
    Ok(Recipient::get(db, id)?
        .filter(|recipient| recipient.sender == sender.id)
        .ok_or(ErrorCode::RecipientNotFound)?)
}

//! Senders (interface, parts 2, 4 and 7).

pub(crate) mod endpoints;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use crate::client::Client;
use crate::clock::iso;
use crate::error::{ApiError, ErrorCode};
use crate::fields::{Kind, Values, sender_sets};
use crate::limits::Limits;
use crate::records::{Record, record};

/// The sender groups. The first one is the default.
pub(crate) const GROUPS: [Uuid; 2] =
    [uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a001"), uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002")];

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Sender {
    pub(crate) id: Uuid,
    pub(crate) client: Uuid,
    pub(crate) kind: Kind,
    pub(crate) group: Uuid,
    pub(crate) limits: Limits,
    pub(crate) values: Values,
    pub(crate) created_at: i64,
    pub(crate) deactivated: bool,
}

record!(Sender, "senders");

impl Sender {
    pub(crate) fn is_active_of(&self, client: &Client) -> bool {
        self.client == client.id && !self.deactivated
    }

    pub(crate) fn to_wire(&self, now: i64) -> Value {
        let mut sender = json!({
            "senderId": self.id,
            "senderType": self.kind,
            "kycStatus": if self.values.get("ID_NUMBER").is_some() { "PASSED" } else { "SKIPPED" },
            "createdAt": iso(self.created_at),
            "isDeactivated": self.deactivated,
            "senderGroupId": self.group,
            "fields": self.values.to_wire(&sender_sets(self.kind, now), "ID_NUMBER"),
        });
        add_names(&mut sender, &self.values);
        sender
    }
}

/// Repeats the names beside the fields, as records on the wire do.
pub(crate) fn add_names(record: &mut Value, values: &Values) {
    let Some(record) = record.as_object_mut() else { return };
    for id in ["firstName", "lastName", "companyName"] {
        if let Some(name) = values.get(id) {
            record.insert(id.to_owned(), name.clone());
        }
    }
}

/// Finds an active sender of a client.
pub(crate) fn find(db: &Connection, client: &Client, id: Uuid) -> Result<Sender, ApiError> {
    Ok(Sender::get(db, id)?.filter(|sender| sender.is_active_of(client)).ok_or(ErrorCode::SenderNotFound)?)
}

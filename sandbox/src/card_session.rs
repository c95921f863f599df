//! Card onboarding sessions (interface, parts 2, 3 and 4).

pub(crate) mod endpoints;

use std::collections::VecDeque;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use strum::{EnumString, VariantNames};
use uuid::Uuid;

use crate::clock::iso;
use crate::locks::lock;
use crate::records::record;

/// How the form of a session behaves, for testers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Behaviour {
    #[default]
    Normal,
    /// The session has expired when the form opens.
    Expired,
    /// The form shows, and never sends a message to the embedding page.
    Silent,
    /// The form is redirected to another origin.
    WrongOrigin,
    /// The form does not load.
    FailsToLoad,
}

/// The behaviours of the next sessions.
#[derive(Debug, Default)]
pub(crate) struct Behaviours(Mutex<VecDeque<Behaviour>>);

impl Behaviours {
    const CAPACITY: usize = 100;

    /// Queues a behaviour unless the queue is full.
    pub(crate) fn push(&self, behaviour: Behaviour) -> bool {
        let mut next = lock(&self.0);
        let has_room = next.len() < Self::CAPACITY;
        if has_room {
            next.push_back(behaviour);
        }
        has_room
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }

    fn take(&self) -> Behaviour {
        lock(&self.0).pop_front().unwrap_or_default()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    Incomplete,
    Succeeded,
    Expired,
}

/// Whose card is entered.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum EntityMode {
    #[default]
    Recipient,
    Sender,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CardSession {
    pub(crate) id: Uuid,
    pub(crate) sender: Uuid,
    client: Uuid,
    mode: EntityMode,
    pub(crate) behaviour: Behaviour,
    pub(crate) card_id: Option<String>,
    pub(crate) expires_at: i64,
    created_at: i64,
}

record!(CardSession, "card_sessions");

impl CardSession {
    pub(crate) fn status(&self, now: i64) -> Status {
        if self.card_id.is_some() {
            Status::Succeeded
        } else if now >= self.expires_at {
            Status::Expired
        } else {
            Status::Incomplete
        }
    }

    fn to_wire(&self, now: i64) -> Value {
        json!({
            "id": self.id,
            "status": self.status(now),
            "expirationDate": iso(self.expires_at),
            "cardId": self.card_id,
            "entityMode": self.mode,
            "customerId": self.client,
            "senderId": self.sender,
        })
    }

    /// Returns what testers see of the session.
    pub(crate) fn overview(&self, now: i64) -> Value {
        let mut session = self.to_wire(now);
        if let Some(session) = session.as_object_mut() {
            session.insert("behaviour".into(), json!(self.behaviour));
            session.insert("createdAt".into(), json!(iso(self.created_at)));
        }
        session
    }
}

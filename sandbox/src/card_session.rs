//! Card onboarding sessions (interface, parts 2, 3 and 4).

pub(crate) mod endpoints;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use strum::{EnumString, VariantNames};
use uuid::Uuid;

use crate::clock::iso;
use crate::records::record;

/// How the form of a session behaves, for testers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Behaviour {
    /// As it should.
    #[default]
    Normal,
    /// The session has expired when the form opens.
    Expired,
    /// The form shows, and never says anything to the page around it.
    Silent,
    /// The form comes from an origin other than the one that was asked.
    WrongOrigin,
    /// The form does not load.
    FailsToLoad,
}

/// How the next sessions will behave.
#[derive(Debug, Default)]
pub(crate) struct Behaviours(Mutex<VecDeque<Behaviour>>);

impl Behaviours {
    /// The most that can be told in advance.
    const MOST: usize = 100;

    pub(crate) fn push(&self, behaviour: Behaviour) -> bool {
        let mut next = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if next.len() >= Self::MOST {
            return false;
        }
        next.push_back(behaviour);
        true
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self) -> Behaviour {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or_default()
    }
}

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Status {
    Incomplete,
    Succeeded,
    Expired,
}

/// A session, as the database has it.
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

/// Whose card is entered.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "UPPERCASE")]
#[strum(serialize_all = "UPPERCASE")]
pub(crate) enum EntityMode {
    #[default]
    Recipient,
    Sender,
}

record!(CardSession, "card_sessions", "", "");

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

    fn record(&self, now: i64) -> Value {
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

    /// What a tester sees of it.
    pub(crate) fn overview(&self, now: i64) -> Value {
        let mut record = self.record(now);
        if let Some(record) = record.as_object_mut() {
            record.insert("behaviour".into(), json!(self.behaviour));
            record.insert("createdAt".into(), json!(iso(self.created_at)));
        }
        record
    }
}

//! Card onboarding sessions (interface, parts 2, 3 and 4).

pub(crate) mod endpoints;

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::clock::iso;
use crate::error::ApiError;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS card_sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    sender_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    mode TEXT NOT NULL,
    behaviour TEXT NOT NULL,
    status TEXT NOT NULL,
    card_id TEXT,
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);
";

/// How the form of a session behaves, for testers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

impl Behaviour {
    pub(crate) const ALL: [Self; 5] =
        [Self::Normal, Self::Expired, Self::Silent, Self::WrongOrigin, Self::FailsToLoad];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Expired => "expired",
            Self::Silent => "silent",
            Self::WrongOrigin => "wrong-origin",
            Self::FailsToLoad => "fails-to-load",
        }
    }

    fn parse(text: &str) -> Self {
        Self::ALL.into_iter().find(|one| one.name() == text).unwrap_or_default()
    }
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
#[derive(Debug)]
pub(crate) struct CardSession {
    pub(crate) id: Uuid,
    pub(crate) sender: String,
    client: String,
    mode: String,
    pub(crate) behaviour: Behaviour,
    succeeded: bool,
    card_id: Option<String>,
    pub(crate) expires_at: i64,
}

impl CardSession {
    pub(crate) fn status(&self, now: i64) -> Status {
        if self.succeeded {
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
}

/// Finds a session.
pub(crate) fn find(connection: &Connection, id: Uuid) -> Result<Option<CardSession>, ApiError> {
    Ok(connection
        .prepare_cached(
            "SELECT sender_id, client_id, mode, behaviour, status, card_id, expires_at
             FROM card_sessions WHERE id = ?1",
        )?
        .query_row([id.to_string()], |row| {
            let behaviour: String = row.get(3)?;
            let status: String = row.get(4)?;
            Ok(CardSession {
                id,
                sender: row.get(0)?,
                client: row.get(1)?,
                mode: row.get(2)?,
                behaviour: Behaviour::parse(&behaviour),
                succeeded: status == "SUCCEEDED",
                card_id: row.get(5)?,
                expires_at: row.get(6)?,
            })
        })
        .optional()?)
}

/// The newest sessions, for testers.
pub(crate) fn recorded(connection: &Connection, now: i64) -> Result<Vec<Value>, ApiError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, behaviour, created_at FROM card_sessions ORDER BY number DESC LIMIT 200",
    )?;
    let rows = statement.query_map([], |row| {
        let id: String = row.get(0)?;
        let behaviour: String = row.get(1)?;
        let created_at: i64 = row.get(2)?;
        Ok((id, behaviour, created_at))
    })?;
    let mut sessions = Vec::new();
    for row in rows {
        let (id, behaviour, created_at) = row?;
        let id = Uuid::try_parse(&id).unwrap_or_default();
        let Some(session) = find(connection, id)? else { continue };
        let mut record = session.record(now);
        if let Some(record) = record.as_object_mut() {
            record.insert("behaviour".into(), json!(behaviour));
            record.insert("createdAt".into(), json!(iso(created_at)));
        }
        sessions.push(record);
    }
    Ok(sessions)
}

/// Ends a session well, once. Says whether this was the call that did.
pub(crate) fn succeed(connection: &Connection, id: Uuid, card_id: &str, now: i64) -> Result<bool, ApiError> {
    let changed = connection.execute(
        "UPDATE card_sessions SET status = 'SUCCEEDED', card_id = ?2
         WHERE id = ?1 AND status = 'INCOMPLETE' AND expires_at > ?3",
        params![id.to_string(), card_id, now],
    )?;
    Ok(changed == 1)
}

/// Lets a session expire at once.
pub(crate) fn expire(connection: &Connection, id: Uuid, now: i64) -> Result<(), ApiError> {
    connection.execute(
        "UPDATE card_sessions SET expires_at = min(expires_at, ?2)
         WHERE id = ?1 AND status = 'INCOMPLETE'",
        params![id.to_string(), now],
    )?;
    Ok(())
}

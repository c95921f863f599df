//! When a form's session is read, and what it shows.

use std::rc::{Rc, Weak};

use super::Form;
use crate::api::SessionId;
use crate::browser::time::{now_ms, parse_time_ms};
use crate::browser::{Browser, CardFormEvent, CardFrame};
use crate::card::CardEvent;
use crate::client::Client;

/// Before the session ends, its last read.
const LAST_READ_MS: i64 = 15_000;
/// The pause between two reads where it is unknown when the session ends, and after its end.
const READ_PAUSE_MS: i64 = 60_000;
/// The longest pause: the page's clock may be days behind.
const MAX_READ_PAUSE_MS: i64 = 600_000;

impl Form {
    pub(super) fn end(&self) {
        self.is_over.set(true);
        self.plan_read();
    }

    fn complete(&self, card_id: String, session_id: SessionId) {
        self.end();
        self.deliver(CardFormEvent::Completed { card_id, session_id });
    }

    /// Plans to read the session before and after it ends: a script of the page may keep the form's messages
    /// from arriving.
    pub(super) fn plan_read(&self) {
        let (Some(frame), Some(shown)) = (self.frame(), self.shown()) else { return };
        let ends_at_ms = parse_time_ms(&shown.expiration_date).and_then(|at| i64::try_from(at).ok());
        let left_ms = ends_at_ms.map_or(0, |at| at.saturating_sub_unsigned(now_ms()));
        frame.read_session_in(match left_ms {
            _ if self.is_over.get() => None,
            ..=0 => Some(READ_PAUSE_MS),
            1..=LAST_READ_MS => Some(left_ms + 2000),
            _ => Some((left_ms - LAST_READ_MS).min(MAX_READ_PAUSE_MS)),
        });
    }
}

/// Reads the session once: how it has ended, if it has. A failure to read it is no end.
pub(super) async fn read_end(form: Weak<Form>) {
    let Some((client, session_id)) = open_session(&form) else { return };
    let session = client.card_session(&session_id).await;
    let Some((form, frame)) = still_open(&form, &session_id) else { return };
    if let Ok(session) = session {
        if let Some(end) = CardEvent::ending(session.status.as_str(), session.card_id.is_some()) {
            frame.conclude(end);
        }
        // The form's success may be known already, from when its session could not be read.
        if let Some(card_id) = session.card_id {
            form.complete(card_id.0, session_id);
        }
    }
    form.plan_read();
}

/// Reads the card that was entered.
pub(super) async fn read_card(form: Weak<Form>) {
    let Some((client, session_id)) = open_session(&form) else { return };
    let card_id = client.read_card(&session_id).await;
    let Some((form, _)) = still_open(&form, &session_id) else { return };
    match card_id {
        Ok(card_id) => form.complete(card_id, session_id),
        Err(error) => form.deliver(CardFormEvent::Failed(error)),
    }
}

/// Returns the shown session unless it has ended, and the client that reads it.
fn open_session(form: &Weak<Form>) -> Option<(Client<Browser>, SessionId)> {
    let form = form.upgrade().filter(|form| !form.is_over.get())?;
    Some((form.client.clone(), form.shown()?.session_id))
}

/// Returns the form and its frame, unless it was destroyed, renewed or completed during the read.
fn still_open(form: &Weak<Form>, session_id: &SessionId) -> Option<(Rc<Form>, Rc<CardFrame>)> {
    let is_open = open_session(form).is_some_and(|(_, shown)| shown == *session_id);
    let form = form.upgrade().filter(|_| is_open)?;
    let frame = form.frame()?;
    Some((form, frame))
}

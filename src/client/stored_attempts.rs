//! The attempts in the journal.

use super::effect::Effect;
use super::flow::FlowContext;
use super::journal::{Entry, PREFIX, key};
use crate::api::Error;
use crate::api::json::Codec;

/// What the journal has under a key.
pub(super) enum Stored {
    Nothing,
    /// An attempt, of any sender and service.
    Entry(Box<Entry>),
    /// Something that this version cannot read, and so leaves alone.
    Unreadable,
}

impl FlowContext {
    pub(super) async fn load(&self, quote_history_id: &str) -> Result<Stored, Error> {
        let Some(text) = self.text(Effect::Load(key(quote_history_id))).await? else {
            return Ok(Stored::Nothing);
        };
        let entry = Entry::parse(&text)
            .filter(|entry| entry.quote_history_id.as_str().eq_ignore_ascii_case(quote_history_id));
        Ok(entry.map_or(Stored::Unreadable, Stored::Entry))
    }

    pub(super) async fn save(&self, entry: &Entry) -> Result<(), Error> {
        let effect = Effect::Save(key(entry.quote_history_id.as_str()), entry.to_json());
        self.text(effect).await.map(drop)
    }

    pub(super) async fn remove(&self, entry: &Entry) -> Result<(), Error> {
        self.text(Effect::Remove(key(entry.quote_history_id.as_str()))).await.map(drop)
    }

    /// Removes an attempt, but not a later one with its quote, which a tab without a common lock may have
    /// prepared meanwhile.
    pub(super) async fn remove_own(&self, entry: &Entry) -> Result<(), Error> {
        match self.load(entry.quote_history_id.as_str()).await {
            Ok(Stored::Entry(stored)) if !stored.is_same(entry) => Ok(()),
            _ => self.remove(entry).await,
        }
    }

    /// Returns the attempts of this sender with this service, the oldest first: prepared, sent without a
    /// certain outcome, or made so recently that the page may not have shown it.
    pub(super) async fn pending(&self) -> Result<Vec<Entry>, Error> {
        let now_ms = self.core.now_ms();
        let mut entries = Vec::new();
        let mut has_locked = false;
        for key in self.keys().await?.into_iter().filter(|key| key.starts_with(PREFIX)) {
            let text = self.text(Effect::Load(key)).await?;
            let Some(mut entry) = text.and_then(|text| Entry::parse(&text)) else { continue };
            if !self.owns(&mut entry).await? {
                continue;
            }
            if self.is_stale(&entry, now_ms) {
                // One per list, as a flow holds one lock.
                if !std::mem::replace(&mut has_locked, true) {
                    self.remove_stale(entry.quote_history_id.as_str()).await?;
                }
            } else {
                self.core.note_attempt(&entry);
                let later =
                    entries.iter().position(|other: &Entry| other.created_at_ms > entry.created_at_ms);
                entries.insert(later.unwrap_or(entries.len()), *entry);
            }
        }
        Ok(entries)
    }

    /// Removes a stale attempt. Reads it again under its lock: another page may work on it, or the clock may
    /// have been wrong.
    async fn remove_stale(&self, quote_history_id: &str) -> Result<(), Error> {
        if self.lock_attempt(quote_history_id).await
            && let Stored::Entry(entry) = self.load(quote_history_id).await?
            && self.is_stale(&entry, self.core.now_ms())
        {
            self.remove(&entry).await?;
            self.note_ended(&entry);
        }
        Ok(())
    }
}

//! The attempts that the journal keeps.

use super::effect::Effect;
use super::flow::FlowContext;
use super::journal::{Entry, PREFIX, key};
use crate::api::Error;
use crate::api::json::Codec;

/// What a key of the journal holds.
pub(super) enum Kept {
    Nothing,
    /// An attempt, whose sender and service are not looked at.
    Entry(Box<Entry>),
    /// Something that this version cannot read, and so leaves alone.
    Unreadable,
}

impl FlowContext {
    pub(super) async fn load(&self, quote_history_id: &str) -> Result<Kept, Error> {
        let Some(text) = self.text(Effect::Load(key(quote_history_id))).await? else {
            return Ok(Kept::Nothing);
        };
        let entry = Entry::parse(&text)
            .filter(|entry| entry.quote_history_id.as_str().eq_ignore_ascii_case(quote_history_id));
        Ok(entry.map_or(Kept::Unreadable, Kept::Entry))
    }

    pub(super) async fn save(&self, entry: &Entry) -> Result<(), Error> {
        let effect = Effect::Save(key(entry.quote_history_id.as_str()), entry.to_json());
        self.text(effect).await.map(drop)
    }

    /// As [`FlowContext::remove`], but leaves a later attempt with the quote alone: a tab without a common
    /// lock may have prepared one meanwhile.
    pub(super) async fn remove_own(&self, entry: &Entry) -> Result<(), Error> {
        let quote_history_id = entry.quote_history_id.as_str();
        match self.load(quote_history_id).await {
            Ok(Kept::Entry(kept)) if !kept.is_of(quote_history_id, entry.nonce.as_str()) => Ok(()),
            _ => self.remove(entry).await,
        }
    }

    pub(super) async fn remove(&self, entry: &Entry) -> Result<(), Error> {
        self.text(Effect::Remove(key(entry.quote_history_id.as_str()))).await.map(drop)
    }

    /// The attempts of this sender with this service that the journal holds, the oldest first: prepared, sent
    /// without a certain outcome, or made so lately that the page may not have shown it.
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
            if entry.is_stale(now_ms) {
                // One at a time, as a flow holds one lock.
                if !std::mem::replace(&mut has_locked, true) {
                    self.remove_stale(entry.quote_history_id.as_str()).await?;
                }
            } else {
                self.core.note_attempt(&entry);
                // The oldest first.
                let born_ms = entry.created_at_ms;
                let later = entries.iter().position(|other: &Entry| other.created_at_ms > born_ms);
                entries.insert(later.unwrap_or(entries.len()), *entry);
            }
        }
        Ok(entries)
    }

    /// Another page may work on it, or the clock have been wrong: it is looked at again.
    async fn remove_stale(&self, quote_history_id: &str) -> Result<(), Error> {
        if self.lock_attempt(quote_history_id).await
            && let Kept::Entry(entry) = self.load(quote_history_id).await?
            && entry.is_stale(self.core.now_ms())
        {
            self.remove(&entry).await?;
            self.core.update_attempt(&entry, |known| known.has_ended = true);
        }
        Ok(())
    }
}

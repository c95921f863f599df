//! The attempts in the journal.

use futures_util::future::LocalBoxFuture;

use super::AttemptState;
use super::call_context::CallContext;
use super::entry_format::Stored;
use super::journal::{Entry, Journal, PREFIX, key};
use super::tokens::SOURCE_TIMEOUT_MS;
use crate::api::json::Codec;
use crate::api::{Code, Error};

/// A use of the journal that failed within this time is repeated once: a browser may have dropped its
/// connection to the database, as for a page in the background.
const REPEATED_WITHIN_MS: u64 = 5_000;

impl CallContext {
    pub(super) async fn load(&self, quote_history_id: &str) -> Result<Stored, Error> {
        let key = key(quote_history_id);
        let text = self.use_journal(|journal| journal.load(&key)).await?;
        Ok(Stored::of(&key, text.as_deref()))
    }

    pub(super) async fn save(&self, entry: &Entry) -> Result<(), Error> {
        let (key, text) = (key(entry.quote_history_id.as_str()), entry.to_json());
        self.use_journal(|journal| journal.save(&key, &text)).await
    }

    pub(super) async fn remove(&self, entry: &Entry) -> Result<(), Error> {
        let key = key(entry.quote_history_id.as_str());
        self.use_journal(|journal| journal.remove(&key)).await
    }

    /// Uses the journal, once more if it fails soon. Waits for it whatever the caller does: a write may be half
    /// done.
    async fn use_journal<'a, T>(
        &'a self,
        work: impl Fn(&'a dyn Journal) -> LocalBoxFuture<'a, Result<T, Error>>,
    ) -> Result<T, Error> {
        let platform = &*self.core.platform;
        let started_ms = platform.elapsed_ms();
        let mut is_repeated = false;
        loop {
            let done = self.core.in_time(SOURCE_TIMEOUT_MS, work(platform.journal())).await;
            let result = done.unwrap_or_else(|| {
                Err(Error::new(Code::JournalUnavailable)
                    .with_option("journal")
                    .with_developer_message("The journal did not answer in time."))
            });
            let is_soon = platform.elapsed_ms().saturating_sub(started_ms) < REPEATED_WITHIN_MS;
            match result {
                Err(error) if error.code() == Code::JournalUnavailable && is_soon && !is_repeated => {
                    is_repeated = true;
                }
                result => return result,
            }
        }
    }

    /// Removes an attempt, but not a later one with its quote, which a tab without a common lock may have
    /// prepared meanwhile, and nothing of a later version.
    pub(super) async fn remove_own(&self, entry: &Entry) -> Result<(), Error> {
        match self.load(entry.quote_history_id.as_str()).await {
            Ok(Stored::Entry(stored)) if !stored.is_same(entry) => Ok(()),
            Ok(Stored::Newer) => Ok(()),
            _ => self.remove(entry).await,
        }
    }

    /// Removes a made attempt that its page knows of. One at a payment stays, without what it was about.
    pub(super) async fn remove_acknowledged(&self, entry: &Entry) -> Result<(), Error> {
        if entry.payment_id.is_none() {
            return self.remove_own(entry).await;
        }
        match self.load(entry.quote_history_id.as_str()).await {
            Ok(Stored::Entry(stored)) if stored.is_same(entry) => {
                let mut made = stored;
                self.core.attempts.borrow().refresh(&mut made);
                self.save(&made.acknowledged()).await
            }
            _ => Ok(()),
        }
    }

    /// Returns all attempts in the journal that this version can read, or knows of.
    pub(super) async fn stored_attempts(&self) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        let keys = self.use_journal(|journal| journal.keys()).await?;
        for key in keys.into_iter().filter(|key| key.starts_with(PREFIX)) {
            let text = self.use_journal(|journal| journal.load(&key)).await?;
            let text = text.as_deref().unwrap_or_default();
            entries.extend(
                Stored::of(&key, Some(text))
                    .or_placeholder(&key, text, self.core.service())
                    .map(|entry| *entry),
            );
        }
        Ok(entries)
    }

    /// Returns the attempts of this sender with this service, the oldest first: prepared, sent without a
    /// certain outcome, or made so recently that the page may not have shown it. An entry that cannot be read
    /// may be any of these.
    pub(crate) async fn pending(&self) -> Result<Vec<Entry>, Error> {
        let now_ms = self.core.platform.now_ms();
        let (mut entries, mut found, mut undecided) = (Vec::new(), Vec::new(), None);
        let keys = self.use_journal(|journal| journal.keys()).await?;
        for key in keys.into_iter().filter(|key| key.starts_with(PREFIX)) {
            let text = self.use_journal(|journal| journal.load(&key)).await?;
            let Some(mut entry) = text.and_then(|text| self.entry_at(&key, &text)) else { continue };
            found.push(key);
            if entry.is_acknowledged() {
                if entry.is_forgotten_payment(now_ms) && self.owns(&mut entry).await.unwrap_or(false) {
                    let _ = self.remove_own(&entry).await;
                }
                continue;
            }
            let had_ended = self.has_ended(&entry);
            let is_own = match self.owns(&mut entry).await {
                // One without a name that the service knows must not hide the others for ever.
                Err(error) if entry.is_in_place_of_unreadable() && !error.retryable() => {
                    undecided = Some(error);
                    false
                }
                is_own => is_own?,
            };
            // This page may discard it while the customer signs in.
            if !is_own || self.has_ended(&entry) && !had_ended {
                continue;
            }
            let is_over = had_ended
                || self.known(&entry.id()).is_some_and(|known| known.state == AttemptState::Created);
            if entry.is_restored == Some(true) && is_over {
                // Another tab has put it back that missed its end. The list itself needs no journal.
                let _lock = self.lock_briefly(entry.quote_history_id.as_str()).await;
                let _ = self.remove_own(&entry).await;
            } else if self.is_stale(&entry, now_ms) {
                if let Some(sent) = self.remove_stale(&entry).await? {
                    insert_by_age(&mut entries, sent);
                }
            } else {
                self.core.note_attempt(&entry);
                insert_by_age(&mut entries, *entry);
            }
        }
        // The page's storage may have been cleared over an open transfer, or its entry overwritten.
        for mut entry in self.own_as_sent() {
            let is_missing = !found.contains(&key(entry.quote_history_id.as_str()));
            if is_missing && self.owns(&mut entry).await? {
                self.restore(&mut entry).await;
                insert_by_age(&mut entries, entry);
            }
        }
        match undecided {
            // An empty list would claim that nothing is open.
            Some(error) if entries.is_empty() => Err(error),
            _ => Ok(entries),
        }
    }

    /// Returns the attempt under a key, or one in its place if its text cannot be read, unless this page has
    /// sent the attempt and so knows it.
    fn entry_at(&self, at: &str, text: &str) -> Option<Box<Entry>> {
        let is_own = || self.own_as_sent().iter().any(|own| key(own.quote_history_id.as_str()) == at);
        match Stored::of(at, Some(text)) {
            Stored::Unreadable | Stored::Newer if is_own() => None,
            stored => stored.or_placeholder(at, text, self.core.service()),
        }
    }

    /// Removes a stale attempt. Reads it again under its lock: another page may work on it, or the clock may
    /// have been wrong. Its journal may be a copy: returns the attempt if it was sent from the other one.
    async fn remove_stale(&self, stale: &Entry) -> Result<Option<Entry>, Error> {
        let quote_history_id = stale.quote_history_id.as_str();
        if let Some(_lock) = self.lock_attempt(quote_history_id).await
            && let Stored::Entry(entry) = self.load(quote_history_id).await?
            && self.is_stale(&entry, self.core.platform.now_ms())
        {
            let unsent = self.require_unsent(&entry).await.map_err(|error| error.code());
            // The service need not know a quote for long.
            if matches!(unsent, Ok(()) | Err(Code::QuoteHistoryNotFound)) {
                self.remove(&entry).await?;
                self.note_ended(&entry, AttemptState::Discarded);
            }
        }
        Ok(self.known_as_sent().into_iter().find(|known| known.is_same(stale)))
    }

    /// Puts back an attempt that was sent and that the journal has lost, unless it has ended meanwhile.
    async fn restore(&self, entry: &mut Entry) {
        let quote_history_id = entry.quote_history_id.as_str();
        if let Some(_lock) = self.lock_briefly(quote_history_id).await
            && matches!(self.load(quote_history_id).await, Ok(Stored::Nothing))
            && self.known_as_sent().iter().any(|known| known.is_same(entry))
        {
            entry.is_restored = Some(true);
            // The list itself needs no journal.
            let _ = self.save(entry).await;
        }
    }
}

fn insert_by_age(entries: &mut Vec<Entry>, entry: Entry) {
    let later = entries.iter().position(|other| other.created_at_ms > entry.created_at_ms);
    entries.insert(later.unwrap_or(entries.len()), entry);
}

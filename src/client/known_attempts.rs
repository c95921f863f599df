//! The attempts that this client has handed out. A page may hold one longer than the journal does.

use super::AttemptState;
use super::call_context::CallContext;
use super::journal::{AttemptId, Entry};
use crate::api::{Nonce, QuoteId, TransferId};

/// More than a page works on. What was sent and is open stays beyond that: nothing else may know of it.
const CAPACITY: usize = 64;
/// How long a POST may be in flight or in process, whatever the page's clock says of the quote's end.
const MAX_IN_FLIGHT_MS: u64 = 600_000;

pub(super) struct KnownAttempt {
    /// The entry as it was handed out, with the latest known state.
    pub(super) entry: Entry,
    /// When the quote ends, by the monotonic clock, as far as the page's clock was right at the time.
    expires_at_elapsed_ms: u64,
    /// Since when a POST of it may be in flight, by the monotonic clock.
    in_flight_since_ms: Option<u64>,
    /// How it ended without a transfer.
    ended: Option<AttemptState>,
    /// Whether this client has posted it. Of another tab's attempt it may miss the end.
    is_own: bool,
}

#[derive(Default)]
pub(super) struct KnownAttempts(Vec<KnownAttempt>);

impl KnownAttempt {
    /// Whether it was sent and is neither made nor refused, as far as this client knows.
    fn is_open(&self) -> bool {
        self.ended.is_none() && self.entry.state == AttemptState::Sent
    }
}

impl KnownAttempts {
    /// Updates the state and the transfer of an attempt to what this client knows.
    pub(super) fn refresh(&self, entry: &mut Entry) {
        let Some(known) = self.find(entry) else { return };
        entry.state = known.ended.clone().unwrap_or_else(|| known.entry.state.clone());
        if known.entry.transfer_id.is_some() {
            entry.transfer_id.clone_from(&known.entry.transfer_id);
        }
    }

    /// Adds an attempt that is handed out, unless it is known.
    pub(super) fn note(&mut self, entry: &Entry, now_ms: u64, elapsed_ms: u64) {
        // One that ended may have been prepared again, with the same nonce, or have stayed in the journal.
        self.0.retain(|known| !(known.ended.is_some() && known.entry.is_same(entry)));
        if self.find(entry).is_some() {
            return;
        }
        if self.0.len() >= CAPACITY
            && let Some(at) = self.0.iter().position(|known| !known.is_open())
        {
            self.0.remove(at);
        }
        let left_ms = u64::try_from(entry.expires_at_latest_ms()).unwrap_or(0).saturating_sub(now_ms);
        self.0.push(KnownAttempt {
            entry: entry.clone(),
            expires_at_elapsed_ms: elapsed_ms.saturating_add(left_ms),
            in_flight_since_ms: None,
            ended: None,
            is_own: false,
        });
    }

    /// Returns the entries as they were handed out, each with its latest state but for its end.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter().map(|known| &known.entry)
    }

    fn find(&self, entry: &Entry) -> Option<&KnownAttempt> {
        self.0.iter().find(|known| known.entry.is_same(entry))
    }
}

impl CallContext {
    /// Whether no POST of the attempt can arrive any more: its quote has ended, and none that was sent before
    /// that, by another page too, is still in process. The page's clock may have been set meanwhile, so the
    /// monotonic clock counts too.
    pub(super) fn is_certain(&self, entry: &Entry) -> bool {
        let attempts = self.core.attempts.borrow();
        self.has_expired(entry)
            && attempts.find(entry).is_some_and(|known| {
                let last_ms = known.in_flight_since_ms.unwrap_or(u64::MAX).max(known.expires_at_elapsed_ms);
                self.core.platform.elapsed_ms().saturating_sub(last_ms) >= MAX_IN_FLIGHT_MS
            })
    }

    /// Notes that a POST of the attempt may be in flight; `is_new` says whether it was sent just now.
    pub(super) fn note_in_flight(&self, entry: &Entry, is_new: bool) {
        let now_ms = self.core.platform.elapsed_ms();
        self.update(entry, |known| {
            if is_new || known.in_flight_since_ms.is_none() {
                known.in_flight_since_ms = Some(now_ms);
            }
        });
    }

    /// Notes that the attempt is posted from here.
    pub(super) fn note_own(&self, entry: &Entry) {
        self.update(entry, |known| known.is_own = true);
    }

    /// Notes a state that another page has saved, unless this client knows a later one.
    pub(super) fn note_stored(&self, entry: &Entry) {
        let is_later = match self.known(&entry.id()).map(|known| known.state) {
            Some(AttemptState::Prepared) => entry.state != AttemptState::Prepared,
            Some(_) => entry.state == AttemptState::Created,
            None => false,
        };
        if is_later {
            self.note_state(entry);
        }
    }

    /// Notes a state. What was made stays so: a question that was asked before may be answered later.
    pub(super) fn note_state(&self, entry: &Entry) {
        self.update(entry, |known| {
            if entry.state == AttemptState::Created || known.entry.state != AttemptState::Created {
                known.entry.state.clone_from(&entry.state);
                known.entry.transfer_id.clone_from(&entry.transfer_id);
            }
        });
    }

    /// Notes that no transfer comes of the attempt: it was refused or discarded.
    pub(super) fn note_ended(&self, entry: &Entry, how: AttemptState) {
        self.update(entry, |known| known.ended = Some(how));
    }

    fn update(&self, entry: &Entry, change: impl FnOnce(&mut KnownAttempt)) {
        self.core.note_attempt(entry);
        let mut attempts = self.core.attempts.borrow_mut();
        if let Some(known) = attempts.0.iter_mut().find(|known| known.entry.is_same(entry)) {
            change(known);
        }
    }

    pub(super) fn known(&self, id: &AttemptId) -> Option<Box<Entry>> {
        let attempts = self.core.attempts.borrow();
        attempts.0.iter().find(|known| known.entry.is_of(id)).map(|known| Box::new(known.entry.clone()))
    }

    /// Whether a list may remove the attempt. A late write of the journal may show as unsent what was sent
    /// here.
    pub(super) fn is_stale(&self, entry: &Entry, now_ms: u64) -> bool {
        let attempts = self.core.attempts.borrow();
        let was_sent = attempts.find(entry).is_some_and(|known| known.entry.state != AttemptState::Prepared);
        entry.is_stale(now_ms) && !was_sent
    }

    pub(super) fn is_known(&self, entry: &Entry) -> bool {
        self.core.attempts.borrow().find(entry).is_some()
    }

    /// Whether the attempt ended in this page without a transfer.
    pub(super) fn has_ended(&self, entry: &Entry) -> bool {
        self.core.attempts.borrow().find(entry).is_some_and(|known| known.ended.is_some())
    }

    /// Whether this client knows the transfer as another attempt's. What stands in place of an unreadable
    /// entry may be the same attempt.
    pub(super) fn is_of_another(&self, transfer_id: Option<&TransferId>, entry: &Entry) -> bool {
        let is_other = |known: &Entry| {
            known.transfer_id.as_ref() == transfer_id
                && !known.is_same(entry)
                && ![known, entry].into_iter().any(Entry::is_in_place_of_unreadable)
        };
        let attempts = self.core.attempts.borrow();
        transfer_id.is_some() && attempts.0.iter().any(|known| is_other(&known.entry))
    }

    /// Returns the attempts that were sent and are neither made nor refused, as far as this client knows.
    pub(super) fn known_as_sent(&self) -> Vec<Entry> {
        let attempts = self.core.attempts.borrow();
        attempts.0.iter().filter(|known| known.is_open()).map(|known| known.entry.clone()).collect()
    }

    /// Returns those of them that were posted from here.
    pub(super) fn own_as_sent(&self) -> Vec<Entry> {
        let mut entries = self.known_as_sent();
        let attempts = self.core.attempts.borrow();
        entries.retain(|entry| attempts.find(entry).is_some_and(|known| known.is_own));
        entries
    }

    /// Returns the attempts that were posted from here and have not been refused.
    pub(super) fn posted_here(&self) -> Vec<Entry> {
        let attempts = self.core.attempts.borrow();
        let posted = attempts.0.iter().filter(|known| known.is_own && known.ended.is_none());
        posted.map(|known| known.entry.clone()).collect()
    }

    /// Takes a nonce that was fetched; false if an attempt that this client knows has it, or had it.
    pub(super) fn take_nonce(&self, nonce: &Nonce) -> bool {
        let mut nonces = self.core.nonces.borrow_mut();
        let is_known = self.core.attempts.borrow().0.iter().any(|known| known.entry.nonce == *nonce);
        if is_known || nonces.contains(nonce) {
            return false;
        }
        nonces.truncate(CAPACITY - 1);
        nonces.insert(0, nonce.clone());
        true
    }

    /// Whether the page has given this nonce to another attempt: one that may be made, or one with the same
    /// quote, which could not be told from this one.
    pub(super) fn has_other_with_nonce(&self, nonce: &Nonce, id: &QuoteId, body: &str) -> bool {
        let attempts = self.core.attempts.borrow();
        attempts.0.iter().any(|known| {
            let has_quote = known.entry.quote_history_id.as_str().eq_ignore_ascii_case(id.as_str());
            let is_other = if has_quote { known.entry.body != body } else { known.ended.is_none() };
            known.entry.nonce == *nonce && is_other
        })
    }
}

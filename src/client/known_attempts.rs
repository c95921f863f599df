//! The attempts that this client has given out: what a page holds of one outlives its entry in the journal.

use super::Host;
use super::journal::Entry;

/// More than a page works on.
const KEPT: usize = 64;

pub(super) struct KnownAttempt {
    /// As it was when it was given out, and in the state that this client knows of.
    pub(super) entry: Entry,
    /// When the quote ends by the clock that nobody sets, as far as the other one was right when the attempt
    /// was given out.
    pub(super) ends_after_ms: u64,
    /// Since when a POST of it may be on its way, by the clock that nobody sets.
    pub(super) doubted_at_ms: Option<u64>,
    /// Whether it was dropped or refused, so that no transfer comes of it.
    pub(super) has_ended: bool,
}

#[derive(Default)]
pub(super) struct KnownAttempts(Vec<KnownAttempt>);

impl KnownAttempts {
    /// Takes notice of an attempt that is given out or found, unless it is known.
    pub(super) fn note(&mut self, entry: &Entry, host: &dyn Host) {
        if self.find(entry.quote_history_id.as_str(), entry.nonce.as_str()).is_some() {
            return;
        }
        if self.0.len() >= KEPT {
            self.0.remove(0);
        }
        let left_ms = u64::try_from(entry.ends_at_ms()).unwrap_or(0).saturating_sub(host.now_ms());
        let ends_after_ms = host.elapsed_ms().saturating_add(left_ms);
        self.0.push(KnownAttempt {
            entry: entry.clone(),
            ends_after_ms,
            doubted_at_ms: None,
            has_ended: false,
        });
    }

    pub(super) fn find(&self, quote_history_id: &str, nonce: &str) -> Option<&KnownAttempt> {
        self.0.iter().find(|known| known.entry.is_of(quote_history_id, nonce))
    }

    /// Changes what is known of the attempt.
    pub(super) fn update(&mut self, entry: &Entry, host: &dyn Host, change: impl FnOnce(&mut KnownAttempt)) {
        self.note(entry, host);
        let (quote_history_id, nonce) = (entry.quote_history_id.as_str(), entry.nonce.as_str());
        if let Some(known) = self.0.iter_mut().find(|known| known.entry.is_of(quote_history_id, nonce)) {
            change(known);
        }
    }
}

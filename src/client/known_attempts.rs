//! The attempts that this client has given out: what a page holds of one outlives its entry in the journal.

use super::Host;
use super::flow::FlowContext;
use super::journal::Entry;

/// More than a page works on.
const KEPT: usize = 64;
/// For how long, whatever the page's clock says of the quote's end, a POST may be on its way or at the
/// service.
const UNDER_WAY_MS: u64 = 600_000;

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

impl FlowContext {
    /// Whether nothing of the attempt can arrive any more: its quote has ended, and nothing that was sent
    /// before that, by another page too, is still at work. The clock that tells the end may have been set
    /// meanwhile, so another one counts too.
    pub(super) fn is_over(&self, entry: &Entry) -> bool {
        let attempts = self.core.0.attempts.borrow();
        let known = attempts.find(entry.quote_history_id.as_str(), entry.nonce.as_str());
        self.has_ended(entry)
            && known.is_some_and(|known| {
                let last_ms = known.doubted_at_ms.unwrap_or(u64::MAX).max(known.ends_after_ms);
                self.core.elapsed_ms().saturating_sub(last_ms) >= UNDER_WAY_MS
            })
    }

    /// From now on a POST of the attempt may be on its way; `is_new` says whether it went off just now.
    pub(super) fn doubt(&self, entry: &Entry, is_new: bool) {
        let now_ms = self.core.elapsed_ms();
        self.core.update_attempt(entry, |known| {
            if is_new || known.doubted_at_ms.is_none() {
                known.doubted_at_ms = Some(now_ms);
            }
        });
    }

    pub(super) fn note_state(&self, entry: &Entry) {
        self.core.update_attempt(entry, |known| {
            known.entry.state.clone_from(&entry.state);
            known.entry.transfer_id.clone_from(&entry.transfer_id);
            known.has_ended = false;
        });
    }

    pub(super) fn known(&self, quote_history_id: &str, nonce: &str) -> Option<Box<Entry>> {
        let attempts = self.core.0.attempts.borrow();
        attempts.find(quote_history_id, nonce).map(|known| Box::new(known.entry.clone()))
    }

    pub(super) fn is_settled(&self, entry: &Entry) -> bool {
        let attempts = self.core.0.attempts.borrow();
        let known = attempts.find(entry.quote_history_id.as_str(), entry.nonce.as_str());
        known.is_some_and(|known| known.has_ended)
    }
}

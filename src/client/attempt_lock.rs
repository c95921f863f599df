//! The lock of an attempt, which one page at a time holds.

use super::AttemptState;
use super::MadeTransfer;
use super::attempt_error::{ended, sending_elsewhere, unknown};
use super::call_context::CallContext;
use super::entry_format::Stored;
use super::journal::{AttemptId, Entry, key};
use super::own_transfer::is_own;
use super::owner::owner_of;
use super::platform::Lock;
use super::settlement_input::ProgressStatus;
use super::submission::{Found, PROGRESS};
use crate::api::json::JsonRef;
use crate::api::{Code, Error, PaymentId};

/// How long to wait for another page that is submitting the same attempt.
const LOCK_WAIT_MS: u32 = 45_000;
/// How long to wait for it before the progress is read without it.
const BRIEF_LOCK_WAIT_MS: u32 = 500;
/// How long to wait for another page that sends an attempt at the same payment.
const PAYMENT_LOCK_WAIT_MS: u32 = 5_000;
const PAYMENT_PREFIX: &str = "remitkit.payment.";

impl CallContext {
    /// Takes the lock of an attempt and settles it.
    pub(super) async fn settle_locked(&self, id: &AttemptId) -> Result<MadeTransfer, Error> {
        let quote_history_id = &*id.quote_history_id;
        let started_ms = self.core.platform.elapsed_ms();
        if self.is_aborted() {
            // Both must show it as unsent: the journal may have been late with a write.
            let is_prepared = |entry: Box<Entry>| entry.state == AttemptState::Prepared;
            let known = self.known(id);
            let stored = match self.load(quote_history_id).await {
                Ok(Stored::Entry(entry)) if entry.is_of(id) => Some(entry),
                _ => None,
            };
            let is_unsent = known.is_none_or(is_prepared) && stored.is_some_and(is_prepared);
            return Err(if is_unsent { Error::new(Code::Aborted) } else { unknown(quote_history_id) });
        }
        if let Some(_lock) = self.lock_briefly(quote_history_id).await {
            return self.settle(id, started_ms).await;
        }
        // Another page keeps the lock, maybe a frozen one. Only posting needs it.
        if let Some(made) = self.made_elsewhere(id).await {
            return Ok(made);
        }
        if let Some(_lock) = self.lock_attempt(quote_history_id).await {
            return self.settle(id, started_ms).await;
        }
        if let Some(made) = self.made_elsewhere(id).await {
            return Ok(made);
        }
        // Another page is sending it, or the attempt that replaced it after it ended here.
        let has_ended = self.known(id).is_some_and(|known| self.has_ended(&known))
            && matches!(
                self.load(quote_history_id).await,
                Ok(Stored::Entry(stored)) if !stored.is_of(id)
            );
        Err(if has_ended { ended() } else { unknown(quote_history_id) })
    }

    /// Takes the lock of an attempt; `None` if another page keeps it or the signal ends the wait.
    #[must_use = "the lock is released when dropped"]
    pub(super) async fn lock_attempt(&self, quote_history_id: &str) -> Option<Lock> {
        self.lock(&key(quote_history_id), LOCK_WAIT_MS).await
    }

    /// The same, but gives up soon.
    #[must_use = "the lock is released when dropped"]
    pub(super) async fn lock_briefly(&self, quote_history_id: &str) -> Option<Lock> {
        self.lock(&key(quote_history_id), BRIEF_LOCK_WAIT_MS).await
    }

    /// Takes the lock; `None` if that takes too long, or the caller aborts.
    async fn lock(&self, name: &str, ms: u32) -> Option<Lock> {
        let lock = self.core.platform.lock(name);
        self.unless_cancelled(self.core.in_time(self.before_deadline(ms), lock)).await.flatten()
    }

    pub(super) async fn require_lock(&self, quote_history_id: &str) -> Result<Lock, Error> {
        match self.lock_attempt(quote_history_id).await {
            Some(lock) => Ok(lock),
            None if self.is_aborted() => Err(Error::new(Code::Aborted)),
            None => Err(Error::new(Code::Timeout).with_developer_message(
                "Another tab works on this attempt. Nothing was changed; try again later.",
            )),
        }
    }

    /// Takes the lock of a payment, so that the pages send one attempt at it at a time. Held by who holds an
    /// attempt's lock, and never the other way round. Without it the error says what the other tab sends.
    pub(super) async fn require_payment_lock(&self, entry: &Entry) -> Result<Lock, Error> {
        let payment_id = entry.payment_id.as_ref().map_or("", PaymentId::as_str);
        let name = [PAYMENT_PREFIX, payment_id].concat();
        if let Some(lock) = self.lock(&name, PAYMENT_LOCK_WAIT_MS).await {
            return Ok(lock);
        }
        if self.is_aborted() {
            return Err(Error::new(Code::Aborted));
        }
        self.require_no_other(entry).await?;
        Err(sending_elsewhere())
    }

    /// Returns the transfer of an attempt that was made, read without its lock; `None` if it is not known to
    /// be made.
    async fn made_elsewhere(&self, id: &AttemptId) -> Option<MadeTransfer> {
        if self.is_aborted() {
            return None;
        }
        let owner = self.owner().await;
        let stored = self.load(&id.quote_history_id).await;
        let Found { mut entry, .. } = self.find(id, stored).ok()?;
        if !matches!(self.owns_as(owner, &mut entry).await, Ok(true)) {
            return None;
        }
        let own = self.for_sender(Some(owner_of(&entry)));
        let reply = own.call(&PROGRESS, &[&*id.quote_history_id], None).await;
        let (ProgressStatus::Created, transfer_id) = ProgressStatus::of(reply) else { return None };
        let transfer = own.read_back(transfer_id.as_ref()).await.ok()?;
        if !is_own(transfer.view(), JsonRef::new(&entry.body)) {
            return None;
        }
        // Whoever has the lock saves it, or the next page asks again.
        own.note_created(&mut entry, false, &transfer).await;
        Some(MadeTransfer { transfer, recovered: true })
    }
}

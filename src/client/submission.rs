//! Submitting an attempt: one page at a time, until the outcome is known.

use super::call_context::CallContext;
use super::exchange::SendOutcome;
use super::journal::{AttemptId, Entry, key};
use super::own_transfer::is_own;
use super::owner::{foreign, owner_of};
use super::platform::Lock;
use super::safeguards::Safeguard;
use super::settlement::{Next, Settlement};
use super::settlement_input::{Posted, ProgressStatus};
use super::stored_attempts::Stored;
use super::task::TransferOutcome;
use super::{AttemptState, Reply};
use crate::api::json::{JsonRef, write_object};
use crate::api::{
    CREATE_TRANSFER, Code, Error, GET_TRANSFER, Operation, Request, Sending, TRANSFER_PROGRESS, TransferId,
    option_name,
};

/// How long to wait for another page that is submitting the same attempt.
const LOCK_WAIT_MS: u32 = 45_000;
/// How long to wait for it before the progress is read without it.
const BRIEF_LOCK_WAIT_MS: u32 = 500;
/// How long after its start a submission reads the progress.
const READ_WITHIN_MS: u64 = 45_000;
/// The settlement repeats its reads itself, so each is sent once.
static PROGRESS: Operation = Operation { sending: Sending::Once, ..TRANSFER_PROGRESS };

/// How long after an abort a certain outcome still reaches the caller.
pub(super) const ABORT_GRACE_MS: u32 = 800;

/// Returns the upper bound of a submission; what is open then is `outcome_unknown`.
pub(super) fn longest_submission_ms(timeout_ms: u32) -> u32 {
    timeout_ms.saturating_add(30_000).max(60_000)
}

/// An attempt to settle.
struct Found {
    entry: Box<Entry>,
    is_stored: bool,
    /// Whether the journal has another attempt with its quote instead.
    is_replaced: bool,
}

impl CallContext {
    /// Takes the lock of an attempt and settles it.
    pub(super) async fn settle_locked(&self, id: &AttemptId) -> Result<TransferOutcome, Error> {
        let quote_history_id = &*id.quote_history_id;
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
            return self.settle(id).await;
        }
        // Another page keeps the lock, maybe a frozen one. Only posting needs it.
        if let Some(made) = self.made_elsewhere(id).await {
            return Ok(made);
        }
        if let Some(_lock) = self.lock_attempt(quote_history_id).await {
            return self.settle(id).await;
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
        if self.core.is_disabled(Safeguard::Lock) {
            return Some(Lock::new(()));
        }
        self.lock(&key(quote_history_id), LOCK_WAIT_MS).await
    }

    /// The same, but gives up soon.
    #[must_use = "the lock is released when dropped"]
    pub(super) async fn lock_briefly(&self, quote_history_id: &str) -> Option<Lock> {
        if [Safeguard::Lock, Safeguard::Unlocked].iter().any(|of| self.core.is_disabled(*of)) {
            return self.lock_attempt(quote_history_id).await;
        }
        self.lock(&key(quote_history_id), BRIEF_LOCK_WAIT_MS).await
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

    /// Returns the transfer of an attempt that was made, read without its lock; `None` if it is not known to
    /// be made.
    async fn made_elsewhere(&self, id: &AttemptId) -> Option<TransferOutcome> {
        if self.is_aborted() || self.core.is_disabled(Safeguard::Unlocked) {
            return None;
        }
        let owner = self.owner().await;
        let stored = self.load(&id.quote_history_id).await;
        let Found { mut entry, is_stored, .. } = self.find(id, stored).ok()?;
        if !matches!(self.owns_as(owner, &mut entry).await, Ok(true)) {
            return None;
        }
        let own = self.for_sender(Some(owner_of(&entry)));
        let reply = own.call(&PROGRESS, std::slice::from_ref(&id.quote_history_id), None).await;
        let (ProgressStatus::Created, transfer_id) = ProgressStatus::of(reply, false) else { return None };
        let transfer = own.read_back(transfer_id.as_ref()).await.ok()?;
        if !is_own(transfer.view(), JsonRef::new(&entry.body)) {
            return None;
        }
        own.note_created(&mut entry, is_stored, &transfer).await;
        Some(TransferOutcome { transfer, recovered: true })
    }

    /// Notes that the transfer was made. If the journal fails, a later submission reads the progress again.
    async fn note_created(&self, entry: &mut Entry, is_stored: bool, transfer: &Reply) {
        entry.state = AttemptState::Created;
        entry.transfer_id = transfer.read_member("transferId").ok();
        if is_stored {
            let _ = self.save(entry).await;
        }
        self.note_state(entry);
    }

    /// Settles an attempt whose lock is held.
    pub(super) async fn settle(&self, id: &AttemptId) -> Result<TransferOutcome, Error> {
        let quote_history_id = &*id.quote_history_id;
        let owner = self.owner().await;
        let stored = self.load(quote_history_id).await;
        let Found { mut entry, is_stored, is_replaced } = self.find(id, stored)?;
        let failed = || if is_replaced { replaced(quote_history_id) } else { ended() };
        let was_sent = !is_stored || entry.state != AttemptState::Prepared;
        match self.owns_as(owner, &mut entry).await {
            Ok(true) => {}
            _ if was_sent => return Err(unknown(quote_history_id)),
            Ok(false) => return Err(foreign()),
            Err(error) => return Err(error),
        }
        // A customer who signs in meanwhile has no part in it.
        let own = self.for_sender(Some(owner_of(&entry)));
        // The transfer may be made: an abort ends the posting, never the reading.
        let uncancellable = own.uncancellable();
        if entry.state == AttemptState::Created {
            self.note_state(&entry);
            let id = entry.transfer_id.as_ref();
            let transfer = uncancellable.read_back(id).await.unwrap_or_else(|_| shown_by_id(id));
            return Ok(TransferOutcome { transfer, recovered: true });
        }
        // A late write of the journal, or another tab, may have put back what ended here.
        let may_post = is_stored && !self.has_ended(&entry);
        let mut settlement = match entry.state {
            AttemptState::Prepared if may_post => Settlement::default(),
            AttemptState::Prepared => Settlement::settled_elsewhere(failed()),
            _ => self.resumed(&entry, may_post),
        };
        let started_ms = self.core.elapsed_ms();
        let mut next = settlement.start();
        let mut transfer = None;
        let mut transfer_id = None;
        loop {
            next = match next {
                Next::Post if self.has_expired(&entry) && !self.core.is_disabled(Safeguard::Expiry) => {
                    settlement.expire(Error::new(Code::QuoteExpired))
                }
                Next::Post => {
                    #[cfg(remitkit_optional_safeguards)]
                    if entry.state == AttemptState::Sent {
                        uncancellable.without_resend(&mut entry).await?;
                    }
                    own.save_as_sent(&mut entry, settlement.is_in_doubt()).await?;
                    let outcome = own.post(&entry).await;
                    self.posted(outcome, &entry, &mut settlement, &mut transfer)
                }
                Next::ReadProgress { after_ms } => {
                    if self.is_aborted() {
                        settlement.forbid_resend();
                    }
                    if self.core.elapsed_ms().saturating_sub(started_ms) > READ_WITHIN_MS {
                        return Err(unknown(quote_history_id));
                    }
                    uncancellable.wait(after_ms).await;
                    let reply = uncancellable.call(&PROGRESS, &[quote_history_id.to_owned()], None).await;
                    let (progress, id) =
                        ProgressStatus::of(reply, self.core.is_disabled(Safeguard::UnknownQuote));
                    transfer_id = id;
                    if self.is_aborted() {
                        settlement.forbid_resend();
                    }
                    let is_certain = self.is_certain(&entry) || self.core.is_disabled(Safeguard::Doubt);
                    settlement.progressed(progress, is_certain, || Error::new(Code::TransferFailed))
                }
                Next::Created { recovered } => {
                    let transfer = match transfer {
                        Some(transfer) => transfer,
                        None => {
                            let read = uncancellable.read_back(transfer_id.as_ref()).await;
                            read.map_err(|_| unknown(quote_history_id))?
                        }
                    };
                    let is_own = !recovered
                        || self.core.is_disabled(Safeguard::Comparison)
                        || is_own(transfer.view(), JsonRef::new(&entry.body));
                    if !is_own {
                        return Err(own.end(entry, is_stored, another()).await);
                    }
                    own.note_created(&mut entry, is_stored, &transfer).await;
                    return Ok(TransferOutcome { transfer, recovered });
                }
                Next::Refused(error) => {
                    let body = entry.body.clone();
                    let error = own.end(entry, is_stored, error).await;
                    let is_repriced = matches!(
                        error.code(),
                        Code::QuoteAmountChanged | Code::QuoteAmountChangedOfac | Code::QuoteExpired
                    );
                    return Err(if is_repriced { own.with_fresh_quote(error, &body).await } else { error });
                }
                Next::NotProcessed(error) => {
                    entry.state = AttemptState::Prepared;
                    if own.save(&entry).await.is_err() {
                        return Err(unknown(quote_history_id));
                    }
                    self.note_state(&entry);
                    return Err(error);
                }
                Next::Unknown => return Err(unknown(quote_history_id)),
            };
        }
    }

    /// Finds an attempt in the journal or among those that this client has handed out.
    fn find(&self, id: &AttemptId, stored: Result<Stored, Error>) -> Result<Found, Error> {
        let known = self.known(id);
        let stored = match stored {
            Ok(Stored::Entry(entry)) => Some(entry),
            Ok(Stored::Nothing) => None,
            Ok(Stored::Unreadable) => return Err(unknown(&id.quote_history_id)),
            Err(error) => {
                let is_prepared = known.is_some_and(|known| known.state == AttemptState::Prepared);
                return Err(if is_prepared { error } else { unknown(&id.quote_history_id) });
            }
        };
        // Another page may have made this attempt before it prepared the next one: the progress decides.
        let is_replaced = stored.as_ref().is_some_and(|stored| !stored.is_of(id));
        let stored = stored.filter(|_| !is_replaced);
        let is_stored = stored.is_some();
        let was_sent_here = known.as_ref().is_some_and(|known| known.state != AttemptState::Prepared);
        let mut entry = stored.or(known).ok_or_else(|| unknown(&id.quote_history_id))?;
        // A late write of the journal may have put the entry back as it was before.
        if was_sent_here && entry.state == AttemptState::Prepared {
            entry.state = AttemptState::Sent;
        }
        Ok(Found { entry, is_stored, is_replaced })
    }

    /// Begins the settlement of an attempt that was sent before.
    fn resumed(&self, entry: &Entry, may_post: bool) -> Settlement {
        self.note_in_flight(entry, false);
        let mut settlement = Settlement::resumed();
        if !may_post || entry.is_restored == Some(true) {
            // A POST whose bytes are not in the journal could not be settled later, and another tab may have
            // ended the attempt.
            settlement.forbid_resend();
        }
        settlement
    }

    /// Takes the outcome of a POST.
    fn posted(
        &self,
        outcome: SendOutcome,
        entry: &Entry,
        settlement: &mut Settlement,
        transfer: &mut Option<Reply>,
    ) -> Next {
        match outcome {
            SendOutcome::Reply(reply) => {
                *transfer = Some(reply);
                settlement.posted(Posted::Created)
            }
            SendOutcome::NotSent(error) if error.code() == Code::QuoteExpired => settlement.expire(error),
            SendOutcome::NotSent(error) if !settlement.is_in_doubt() => Next::NotProcessed(error),
            SendOutcome::NotSent(error) => settlement.posted(Posted::NotProcessed(error)),
            SendOutcome::Lost(error) | SendOutcome::Refused(error) => {
                let posted = Posted::of(error);
                #[cfg(remitkit_optional_safeguards)]
                let posted = self.without_reconciliation(posted);
                if matches!(posted, Posted::NoResponse) {
                    self.note_in_flight(entry, true);
                }
                let next = settlement.posted(posted);
                self.without_question(next, settlement)
            }
        }
    }

    /// Saves an attempt as sent, before it is posted. If the journal fails, an attempt that was never posted
    /// stays prepared.
    async fn save_as_sent(&self, entry: &mut Box<Entry>, is_in_doubt: bool) -> Result<(), Error> {
        let was_prepared = entry.state == AttemptState::Prepared;
        entry.state = AttemptState::Sent;
        if let Err(error) = self.save(entry).await
            && !self.core.is_disabled(Safeguard::Journal)
        {
            entry.state = AttemptState::Prepared;
            if !was_prepared || is_in_doubt {
                return Err(unknown(entry.quote_history_id.as_str()));
            }
            // It may have been saved all the same; then the next submission reads the progress first.
            let _ = self.save(entry).await;
            return Err(error);
        }
        self.note_state(entry);
        self.note_own(entry);
        Ok(())
    }

    /// Ends an attempt without a transfer; returns the error for the caller.
    async fn end(&self, mut entry: Box<Entry>, is_stored: bool, error: Error) -> Error {
        let mut known = entry.clone();
        self.core.0.attempts.borrow().refresh(&mut known);
        let how = match known.state {
            ended @ (AttemptState::Refused | AttemptState::Discarded) => ended,
            _ if !is_stored && entry.state == AttemptState::Prepared => AttemptState::Discarded,
            _ => AttemptState::Refused,
        };
        entry.state = AttemptState::Prepared;
        // An entry that shows it as sent would be sent again by the next page.
        if is_stored && self.remove_own(&entry).await.is_err() && self.save(&entry).await.is_err() {
            return unknown(entry.quote_history_id.as_str());
        }
        self.note_state(&entry);
        self.note_ended(&entry, how);
        error
    }

    /// Whether the quote has ended, or the attempt is so old that a list would remove it.
    pub(super) fn has_expired(&self, entry: &Entry) -> bool {
        self.is_past(Some(entry.expires_at_latest_ms()))
    }

    async fn post(&self, entry: &Entry) -> SendOutcome {
        let request = Request {
            method: CREATE_TRANSFER.method,
            path: CREATE_TRANSFER.path.to_owned(),
            body: Some(entry.body.clone()),
            language: None,
            wants_bytes: false,
        };
        let expires_at_ms =
            Some(entry.expires_at_latest_ms()).filter(|_| !self.core.is_disabled(Safeguard::Expiry));
        self.send_until(&CREATE_TRANSFER, request, expires_at_ms).await
    }

    pub(super) async fn read_back(&self, transfer_id: Option<&TransferId>) -> Result<Reply, Error> {
        let transfer_id = transfer_id.map_or("", TransferId::as_str);
        self.call(&GET_TRANSFER, &[transfer_id.to_owned()], None).await
    }
}

pub(super) fn unknown(quote_history_id: &str) -> Error {
    Error::new(Code::OutcomeUnknown).with_attempt(quote_history_id)
}

fn ended() -> Error {
    Error::new(Code::TransferFailed).with_developer_message(
        "This attempt ended earlier, without a transfer, or the page's storage was cleared.",
    )
}

fn replaced(quote_history_id: &str) -> Error {
    Error::new(Code::TransferDuplicatedByQuote)
        .with_option(option_name::QUOTE_HISTORY_ID)
        .with_developer_message("Another attempt with this quote is in the journal. Resume that one.")
        .with_attempt(quote_history_id)
}

fn another() -> Error {
    Error::new(Code::TransferDuplicatedByQuote)
        .with_option(option_name::QUOTE_HISTORY_ID)
        .with_developer_message(
            "Another transfer was made with this quote, not this one. Fetch a new quote for this one.",
        )
}

/// Returns a transfer that shows nothing but its id.
fn shown_by_id(transfer_id: Option<&TransferId>) -> Reply {
    Reply::of(write_object(|out| out.text_member("transferId", transfer_id.map_or("", TransferId::as_str))))
}

//! Settling an attempt whose lock is held: posting it, and reading its progress until the outcome is known.

use super::attempt_error::{another, ended, foreign, replaced, unknown};
use super::call_context::CallContext;
use super::entry_format::Stored;
use super::exchange::SendOutcome;
use super::journal::{AttemptId, Entry};
use super::own_transfer::is_own;
use super::owner::owner_of;
use super::settlement::{Next, Settlement};
use super::settlement_input::{Posted, ProgressStatus};
use super::{AttemptState, MadeTransfer, Reply};
use crate::api::json::{JsonRef, write_object};
use crate::api::{
    CREATE_TRANSFER, Code, Error, GET_TRANSFER, Operation, Request, Sending, TRANSFER_PROGRESS, TransferId,
};

/// How long after its start a submission reads the progress. What was posted just before is read once more.
const READ_WITHIN_MS: u64 = 45_000;
/// How long a read of the progress may take after the last POST.
const LAST_READ_MS: u32 = 10_000;
/// The settlement repeats its reads itself, so each is sent once.
pub(super) static PROGRESS: Operation = Operation { sending: Sending::Once, ..TRANSFER_PROGRESS };

/// How long after an abort a certain outcome still reaches the caller.
pub(super) const ABORT_GRACE_MS: u32 = 800;

/// Returns the upper bound of a submission; what is open then is `outcome_unknown`.
pub(super) fn longest_submission_ms(timeout_ms: u32) -> u32 {
    timeout_ms.saturating_add(30_000).max(60_000)
}

/// Returns within what time of a submission's start its POSTs end, so that it can ask for the outcome before
/// its callers give up.
fn longest_posting_ms(timeout_ms: u32) -> u32 {
    longest_submission_ms(timeout_ms).saturating_sub(ABORT_GRACE_MS + LAST_READ_MS)
}

/// An attempt to settle.
pub(super) struct Found {
    pub(super) entry: Box<Entry>,
    pub(super) is_stored: bool,
    /// Whether what the journal has cannot be read: it may be another attempt with its quote.
    is_unreadable: bool,
    /// Whether the journal has another attempt with its quote instead.
    is_replaced: bool,
}

impl CallContext {
    /// Notes that the transfer was made. If the journal fails, a later submission reads the progress again.
    pub(super) async fn note_created(&self, entry: &mut Entry, is_stored: bool, transfer: &Reply) {
        entry.state = AttemptState::Created;
        entry.transfer_id = transfer.read_member("transferId").ok();
        // Another tab that has found the transfer acknowledges it without the lock.
        let may_save = is_stored
            && match self.load(entry.quote_history_id.as_str()).await {
                Ok(Stored::Entry(stored)) => !stored.is_acknowledged(),
                Ok(Stored::Newer) | Err(_) => false,
                Ok(_) => true,
            };
        if may_save {
            let _ = self.save(entry).await;
        }
        self.note_state(entry);
    }

    /// Settles an attempt whose lock is held. `started_ms` is when its callers began to wait, by the
    /// monotonic clock.
    pub(super) async fn settle(&self, id: &AttemptId, started_ms: u64) -> Result<MadeTransfer, Error> {
        let quote_history_id = &*id.quote_history_id;
        let elapsed_ms = || self.core.platform.elapsed_ms().saturating_sub(started_ms);
        let owner = self.owner().await;
        let stored = self.load(quote_history_id).await;
        let Found { mut entry, is_stored, is_unreadable, is_replaced } = self.find(id, stored)?;
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
            return Ok(MadeTransfer { transfer, recovered: true });
        }
        // A late write of the journal, or another tab, may have put back what ended here.
        // What a state of a later version allows is unknown.
        let may_post = is_stored
            && !self.has_ended(&entry)
            && matches!(entry.state, AttemptState::Prepared | AttemptState::Sent);
        let mut settlement = match entry.state {
            AttemptState::Prepared if may_post => Settlement::default(),
            AttemptState::Prepared => Settlement::settled_elsewhere(failed()),
            _ => self.resumed(&entry, may_post),
        };
        let timeout_ms = self.core.options.timeout_ms;
        let posting_ms = longest_posting_ms(timeout_ms);
        let left_to_post_ms = |elapsed_ms: u64| {
            let elapsed_ms = u32::try_from(elapsed_ms).unwrap_or(u32::MAX);
            posting_ms.saturating_sub(timeout_ms).saturating_sub(elapsed_ms)
        };
        let mut next = settlement.start();
        let mut payment_lock = None;
        let mut transfer = None;
        let mut transfer_id = None;
        loop {
            next = match next {
                Next::Post if self.has_expired(&entry) => settlement.expire(Error::new(Code::QuoteExpired)),
                // Another page kept the lock, or earlier POSTs took that long.
                Next::Post if left_to_post_ms(elapsed_ms()) == 0 => match settlement.is_in_doubt() {
                    true => settlement.end_posts(),
                    false => return Err(Error::new(Code::Timeout)),
                },
                Next::Post if payment_lock.is_none() && entry.payment_id.is_some() => {
                    match own.require_payment_lock(&entry).await {
                        Ok(lock) => {
                            payment_lock = Some(lock);
                            Next::Post
                        }
                        Err(_) if settlement.is_in_doubt() => settlement.end_posts(),
                        Err(error) => return Err(error),
                    }
                }
                Next::Post => {
                    own.save_as_sent(&mut entry, settlement.is_in_doubt()).await?;
                    let mut may_post = own.require_no_other(&entry).await;
                    if left_to_post_ms(elapsed_ms()) == 0 {
                        may_post = may_post.and(Err(Error::new(Code::Timeout)));
                    }
                    match may_post {
                        Ok(()) => {
                            let ends_at_ms = started_ms.saturating_add(u64::from(posting_ms));
                            let outcome = own.ending_at(ends_at_ms).post(&entry).await;
                            self.posted(outcome, &entry, &mut settlement, &mut transfer)
                        }
                        Err(_) if settlement.is_in_doubt() => settlement.end_posts(),
                        Err(error) => Next::NotProcessed(error),
                    }
                }
                Next::ReadProgress { after_ms } => {
                    if self.is_aborted() {
                        settlement.forbid_resend();
                    }
                    let left_ms = READ_WITHIN_MS.saturating_sub(elapsed_ms());
                    if left_ms == 0 && settlement.has_asked() {
                        return Err(unknown(quote_history_id));
                    }
                    uncancellable.wait(u32::try_from(left_ms).map_or(after_ms, |ms| ms.min(after_ms))).await;
                    let reply = uncancellable.call(&PROGRESS, &[quote_history_id], None).await;
                    let (progress, id) = ProgressStatus::of(reply);
                    transfer_id = id;
                    if self.is_aborted() {
                        settlement.forbid_resend();
                    }
                    let is_certain = self.is_certain(&entry);
                    settlement.progressed(progress, is_certain, || Error::new(Code::TransferFailed))
                }
                Next::Created { recovered: true } if self.is_of_another(transfer_id.as_ref(), &entry) => {
                    Next::Refused(another())
                }
                Next::Created { recovered } => {
                    let transfer = match transfer.take() {
                        Some(transfer) => transfer,
                        None => {
                            let read = uncancellable.read_back(transfer_id.as_ref()).await;
                            read.map_err(|_| unknown(quote_history_id))?
                        }
                    };
                    if !recovered || is_own(transfer.view(), JsonRef::new(&entry.body)) {
                        own.note_created(&mut entry, is_stored, &transfer).await;
                        return Ok(MadeTransfer { transfer, recovered });
                    }
                    Next::Refused(another())
                }
                Next::Refused(error) => {
                    let body = entry.body.clone();
                    let is_others = is_unreadable && error.code() == Code::TransferDuplicatedByQuote;
                    let error = own.end(entry, is_stored && !is_others, error).await;
                    let is_repriced = matches!(
                        error.code(),
                        Code::QuoteAmountChanged | Code::QuoteAmountChangedOfac | Code::QuoteExpired
                    );
                    return Err(if is_repriced { own.with_fresh_quote(error, &body).await } else { error });
                }
                Next::NotProcessed(error) => return Err(own.save_as_unsent(&mut entry, error).await),
                Next::Unknown => return Err(unknown(quote_history_id)),
            };
        }
    }

    /// Finds an attempt in the journal or among those that this client has handed out.
    pub(super) fn find(&self, id: &AttemptId, stored: Result<Stored, Error>) -> Result<Found, Error> {
        let known = self.known(id);
        let stored = match stored {
            Ok(Stored::Entry(entry)) => Some(entry),
            Ok(Stored::Nothing) => None,
            Ok(Stored::Unreadable) => return self.find_unreadable(known, id, true),
            Ok(Stored::Newer) => return self.find_unreadable(known, id, false),
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
        Ok(Found { entry, is_stored, is_unreadable: false, is_replaced })
    }

    /// Finds an attempt whose entry cannot be read: it may have been sent, by another tab too, and is not
    /// posted from here. What ended here stays so: that entry is of a later attempt. `is_stored` says whether
    /// the entry is saved and removed from here.
    fn find_unreadable(
        &self,
        known: Option<Box<Entry>>,
        id: &AttemptId,
        is_stored: bool,
    ) -> Result<Found, Error> {
        let mut entry = known.ok_or_else(|| unknown(&id.quote_history_id))?;
        if self.has_ended(&entry) {
            return Ok(Found { entry, is_stored: false, is_unreadable: true, is_replaced: true });
        }
        entry.is_restored = Some(true);
        if entry.state == AttemptState::Prepared {
            entry.state = AttemptState::Sent;
        }
        Ok(Found { entry, is_stored, is_unreadable: true, is_replaced: false })
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
                if matches!(posted, Posted::NoResponse) {
                    self.note_in_flight(entry, true);
                }
                settlement.posted(posted)
            }
        }
    }

    /// Saves an attempt as sent, before it is posted. If the journal fails, an attempt that was never posted
    /// stays prepared, unless the journal may show it as sent.
    async fn save_as_sent(&self, entry: &mut Box<Entry>, is_in_doubt: bool) -> Result<(), Error> {
        let was_prepared = entry.state == AttemptState::Prepared;
        entry.state = AttemptState::Sent;
        if let Err(error) = self.save(entry).await {
            if !was_prepared || is_in_doubt {
                return Err(unknown(entry.quote_history_id.as_str()));
            }
            // Saved all the same, or by a page without this lock, which has sent it: nobody can tell.
            if self.is_stored_as_sent(entry).await {
                self.note_state(entry);
                return Err(unknown(entry.quote_history_id.as_str()));
            }
            // A late write may still land, and a page that finds it as sent would send it.
            return Err(self.save_as_unsent(entry, error).await);
        }
        self.note_state(entry);
        self.note_own(entry);
        Ok(())
    }

    async fn is_stored_as_sent(&self, entry: &Entry) -> bool {
        matches!(
            self.load(entry.quote_history_id.as_str()).await,
            Ok(Stored::Entry(stored)) if stored.is_same(entry) && stored.state != AttemptState::Prepared
        )
    }

    /// Saves that nothing of an attempt was sent; returns the error for the caller, which is another one
    /// while the journal may show the attempt as sent.
    async fn save_as_unsent(&self, entry: &mut Entry, error: Error) -> Error {
        entry.state = AttemptState::Prepared;
        let is_unsent = self.save(entry).await.is_ok()
            || matches!(
                self.load(entry.quote_history_id.as_str()).await,
                Ok(Stored::Entry(stored)) if stored.state == AttemptState::Prepared
            );
        if !is_unsent {
            entry.state = AttemptState::Sent;
        }
        self.note_state(entry);
        if is_unsent { error } else { unknown(entry.quote_history_id.as_str()) }
    }

    /// Ends an attempt without a transfer; returns the error for the caller.
    async fn end(&self, mut entry: Box<Entry>, is_stored: bool, error: Error) -> Error {
        let mut known = entry.clone();
        self.core.attempts.borrow().refresh(&mut known);
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
        let path = CREATE_TRANSFER.path.to_owned();
        let request = Request::new(CREATE_TRANSFER.method, path, Some(entry.body.clone()));
        self.sending_until(Some(entry.expires_at_latest_ms())).send(&CREATE_TRANSFER, request).await
    }

    pub(super) async fn read_back(&self, transfer_id: Option<&TransferId>) -> Result<Reply, Error> {
        let transfer_id = transfer_id.map_or("", TransferId::as_str);
        self.call(&GET_TRANSFER, &[transfer_id], None).await
    }
}

/// Returns a transfer that shows nothing but its id.
pub(super) fn shown_by_id(transfer_id: Option<&TransferId>) -> Reply {
    Reply::of(write_object(|out| out.text_member("transferId", transfer_id.map_or("", TransferId::as_str))))
}

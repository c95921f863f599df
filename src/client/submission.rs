//! Submitting an attempt: one page at a time, until the outcome is known.

use super::exchange::SendOutcome;
use super::flow::{FlowContext, TransferOutcome};
use super::journal::{Entry, key};
use super::kept::Kept;
use super::own_transfer::is_own;
use super::owner::foreign;
use super::safeguards::Safeguard;
use super::tokens::owner_named;
use super::{AttemptState, Next, Posted, ProgressStatus, Reply, Settlement};
use crate::api::json::{JsonRef, Writer};
use crate::api::{
    CREATE_TRANSFER, Code, Error, GET_TRANSFER, Operation, Request, Sending, StringOrNumber,
    TRANSFER_PROGRESS,
};

/// How long to wait for another page that is submitting the same attempt.
const LOCK_WAIT_MS: u32 = 45_000;
/// How long after its beginning a submission asks no more.
const ASK_WITHIN_MS: u64 = 45_000;
/// Asked again and again as it is, so that one question has one attempt.
static PROGRESS: Operation = Operation { sending: Sending::Once, ..TRANSFER_PROGRESS };

/// After an abort, an outcome that is certain within this time still reaches the caller.
pub(super) const ABORT_GRACE_MS: u32 = 800;

/// How long a caller waits for a submission at most, whatever happens; what is open then is
/// `outcome_unknown`.
pub(crate) fn longest_submission_ms(timeout_ms: u32) -> u32 {
    timeout_ms.saturating_add(30_000).max(60_000)
}

impl FlowContext {
    /// Brings the prepared attempt with this quote and nonce to its outcome.
    pub(super) async fn submit(&self, quote_history_id: &str, nonce: &str) -> Result<TransferOutcome, Error> {
        if self.is_aborted() {
            // This client may know better than a journal that was late with a write.
            let known = self.known(quote_history_id, nonce);
            let kept = match self.load(quote_history_id).await {
                Ok(Kept::Entry(entry)) if entry.is_of(quote_history_id, nonce) => Some(entry),
                _ => None,
            };
            let is_prepared = known.is_none_or(|known| known.state == AttemptState::Prepared)
                && kept.is_some_and(|kept| kept.state == AttemptState::Prepared);
            return Err(if is_prepared { Error::new(Code::Aborted) } else { unknown(quote_history_id) });
        }
        if self.lock_attempt(quote_history_id).await {
            self.settle(quote_history_id, nonce).await
        } else {
            // Another page is sending it, or another attempt with the quote after this one was dropped here.
            let has_ended = self.known(quote_history_id, nonce).is_some_and(|known| self.is_settled(&known))
                && matches!(self.load(quote_history_id).await, Ok(Kept::Entry(kept)) if !kept.is_of(quote_history_id, nonce));
            Err(if has_ended { ended() } else { unknown(quote_history_id) })
        }
    }

    /// Whether the lock on an attempt is held now: not if another page keeps it, or the signal ends the
    /// waiting.
    pub(super) async fn lock_attempt(&self, quote_history_id: &str) -> bool {
        self.core.is_disabled(Safeguard::Lock) || self.lock(key(quote_history_id), LOCK_WAIT_MS).await
    }

    /// Holds the lock on an attempt from here on.
    pub(super) async fn require_lock(&self, quote_history_id: &str) -> Result<(), Error> {
        match self.lock_attempt(quote_history_id).await {
            true => Ok(()),
            false if self.is_aborted() => Err(Error::new(Code::Aborted)),
            false => Err(unknown(quote_history_id)),
        }
    }

    pub(super) async fn settle(&self, quote_history_id: &str, nonce: &str) -> Result<TransferOutcome, Error> {
        let owner = self.owner().await;
        let known = self.known(quote_history_id, nonce);
        let kept = match self.load(quote_history_id).await {
            Ok(Kept::Entry(entry)) => Some(entry),
            Ok(Kept::Nothing) => None,
            Ok(Kept::Unreadable) => return Err(unknown(quote_history_id)),
            // Another page may have found it there and sent it.
            Err(_) => return Err(unknown(quote_history_id).of_option("journal")),
        };
        // Another page may have made this one before it prepared another with the quote: the service tells.
        let is_replaced = kept.as_ref().is_some_and(|other| !other.is_of(quote_history_id, nonce));
        let kept = kept.filter(|_| !is_replaced);
        let is_kept = kept.is_some();
        // A write that a journal was late with may have put it back.
        let was_sent_here = known.as_ref().is_some_and(|known| known.state != AttemptState::Prepared);
        let Some(mut entry) = kept.or(known) else { return Err(unknown(quote_history_id)) };
        if was_sent_here && entry.state == AttemptState::Prepared {
            entry.state = AttemptState::Sent;
        }
        let failed = || match is_replaced {
            true => Error::new(Code::TransferDuplicatedByQuote)
                .of_option("quoteHistoryId")
                .saying("Another attempt with this quote is in the journal. Resume that one.")
                .with_attempt(quote_history_id),
            false => ended(),
        };
        if !is_kept && self.is_settled(&entry) {
            return Err(failed());
        }
        let was_sent = !is_kept || entry.state != AttemptState::Prepared;
        match self.owns_as(owner, &mut entry).await {
            Ok(true) => {}
            Ok(false) if was_sent => return Err(unknown(quote_history_id)),
            Ok(false) => return Err(foreign()),
            Err(_) if was_sent => return Err(unknown(quote_history_id)),
            Err(error) => return Err(error),
        }
        // Whoever signs in meanwhile has nothing to do with it.
        let own = self.bound_to(Some(entry.sender_id.as_ref().and_then(|id| owner_named(id.as_str()))));
        // The deed may be done: an abort ends the posting, never the asking.
        let uncancellable = own.uncancellable();
        let mut settlement = match &entry.state {
            AttemptState::Prepared if !is_kept => Settlement::ended_elsewhere(failed()),
            AttemptState::Created => {
                let id = entry.transfer_id.as_ref();
                let transfer = uncancellable.read_back(id).await.unwrap_or_else(|_| shown_by_id(id));
                return Ok(TransferOutcome { transfer, recovered: true });
            }
            AttemptState::Prepared => Settlement::new(),
            _ => {
                self.doubt(&entry, false);
                let mut settlement = Settlement::resumed();
                if !is_kept {
                    // Its bytes are gone from the journal: a page that posts them now could not be settled
                    // later.
                    settlement.forbid_resend();
                }
                settlement
            }
        };
        let started_ms = self.core.elapsed_ms();
        let mut next = settlement.start();
        let mut transfer = None;
        let mut transfer_id = None;
        loop {
            next = match next {
                Next::Post if self.has_ended(&entry) && !self.core.is_disabled(Safeguard::Expiry) => {
                    settlement.expire(Error::new(Code::QuoteExpired))
                }
                Next::Post => {
                    #[cfg(feature = "weakened")]
                    if entry.state == AttemptState::Sent {
                        uncancellable.without_resend(&mut entry).await?;
                    }
                    let was_prepared = entry.state == AttemptState::Prepared;
                    // Until there is an answer, this POST is one that may be on its way.
                    entry.state = AttemptState::Sent;
                    if let Err(error) = own.save(&entry).await
                        && !self.core.is_disabled(Safeguard::Journal)
                    {
                        // It may be kept all the same, and whoever finds it as sent sends it; or a tab
                        // without a common lock keeps it as sent, and has sent it. Only what was never
                        // posted, and is not kept as sent, was certainly not sent.
                        entry.state = AttemptState::Prepared;
                        let is_here = matches!(own.load(quote_history_id).await, Ok(Kept::Entry(kept)) if kept.is_of(quote_history_id, nonce) && kept.state == entry.state);
                        let is_undone = was_prepared
                            && !settlement.is_in_doubt()
                            && is_here
                            && own.save(&entry).await.is_ok();
                        return Err(if is_undone { error } else { unknown(quote_history_id) });
                    }
                    self.note_state(&entry);
                    let posted = match own.post(&entry).await {
                        SendOutcome::Reply(received) => {
                            transfer = Some(received);
                            Posted::Created
                        }
                        SendOutcome::NotSent(error) if error.code() == Code::QuoteExpired => {
                            next = settlement.expire(error);
                            continue;
                        }
                        SendOutcome::NotSent(error) if !settlement.is_in_doubt() => {
                            next = Next::NotProcessed(error);
                            continue;
                        }
                        SendOutcome::NotSent(error) => Posted::NotProcessed(error),
                        SendOutcome::Lost(error) | SendOutcome::Refused(error) => Posted::of(error),
                    };
                    #[cfg(feature = "weakened")]
                    let posted = self.without_reconciliation(posted);
                    if matches!(posted, Posted::NoResponse) {
                        self.doubt(&entry, true);
                    }
                    let next = settlement.posted(posted);
                    self.without_question(next, &mut settlement)
                }
                Next::Ask { after_ms } => {
                    if self.is_aborted() {
                        settlement.forbid_resend();
                    }
                    if self.core.elapsed_ms().saturating_sub(started_ms) > ASK_WITHIN_MS {
                        return Err(unknown(quote_history_id));
                    }
                    uncancellable.wait(after_ms).await;
                    let progress = uncancellable.call(&PROGRESS, &[quote_history_id.to_owned()], None).await;
                    let (asked, id) =
                        ProgressStatus::of(progress, self.core.is_disabled(Safeguard::UnknownQuote));
                    transfer_id = id;
                    if self.is_aborted() {
                        settlement.forbid_resend();
                    }
                    let is_over = self.is_over(&entry) || self.core.is_disabled(Safeguard::Doubt);
                    settlement.asked(asked, is_over, || Error::new(Code::TransferFailed))
                }
                Next::Created { recovered } => {
                    let transfer = match transfer {
                        Some(transfer) => transfer,
                        // As long as it cannot be told whose it is, it is nobody's.
                        None => uncancellable
                            .read_back(transfer_id.as_ref())
                            .await
                            .map_err(|_| unknown(quote_history_id))?,
                    };
                    let is_own = !recovered
                        || self.core.is_disabled(Safeguard::Comparison)
                        || is_own(transfer.view(), JsonRef::new(&entry.body));
                    if !is_own {
                        return Err(own.end(entry, is_kept, another()).await);
                    }
                    entry.state = AttemptState::Created;
                    entry.transfer_id =
                        transfer.view().text_of("transferId").map(|id| StringOrNumber(id.into_owned()));
                    if is_kept {
                        // It is settled even if the journal cannot note it: to submit it again asks first.
                        let _ = own.save(&entry).await;
                    }
                    self.note_state(&entry);
                    return Ok(TransferOutcome { transfer, recovered });
                }
                Next::Refused(error) => {
                    let body = entry.body.clone();
                    let error = own.end(entry, is_kept, error).await;
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

    /// Ends an attempt of which no transfer comes, and gives the error to tell.
    async fn end(&self, mut entry: Box<Entry>, is_kept: bool, error: Error) -> Error {
        entry.state = AttemptState::Prepared;
        // Found as sent it would be sent again by whoever finds it.
        if is_kept && self.remove_own(&entry).await.is_err() && self.save(&entry).await.is_err() {
            return unknown(entry.quote_history_id.as_str());
        }
        self.note_state(&entry);
        self.core.update_attempt(&entry, |known| known.has_ended = true);
        error
    }

    /// Nothing is posted after the end of the quote, nor what was prepared so long ago that whoever asks for
    /// all attempts drops it.
    pub(super) fn has_ended(&self, entry: &Entry) -> bool {
        self.is_past(Some(entry.ends_at_ms()))
    }

    async fn post(&self, entry: &Entry) -> SendOutcome {
        let request = Request {
            method: CREATE_TRANSFER.method,
            path: CREATE_TRANSFER.path.to_owned(),
            body: Some(entry.body.clone()),
            language: None,
            wants_bytes: false,
        };
        let ends_at_ms = Some(entry.ends_at_ms()).filter(|_| !self.core.is_disabled(Safeguard::Expiry));
        self.send_until(&CREATE_TRANSFER, request, ends_at_ms).await
    }

    /// The transfer that was made, as the service shows it.
    async fn read_back(&self, transfer_id: Option<&StringOrNumber>) -> Result<Reply, Error> {
        let transfer_id = transfer_id.map_or("", |id| id.0.as_str());
        self.call(&GET_TRANSFER, &[transfer_id.to_owned()], None).await
    }
}

pub(super) fn unknown(quote_history_id: &str) -> Error {
    Error::new(Code::OutcomeUnknown).with_attempt(quote_history_id)
}

fn ended() -> Error {
    Error::new(Code::TransferFailed).saying("This attempt has ended before, without a transfer.")
}

fn another() -> Error {
    Error::new(Code::TransferDuplicatedByQuote)
        .of_option("quoteHistoryId")
        .saying("Another transfer was made with this quote, not this one. Fetch a new quote for this one.")
}

fn shown_by_id(transfer_id: Option<&StringOrNumber>) -> Reply {
    let mut out = Writer::default();
    out.object(|out| out.text_member("transferId", transfer_id.map_or("", |id| id.0.as_str())));
    Reply::of(out.finish())
}

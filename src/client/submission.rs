//! Submitting an attempt: one page at a time, until the outcome is known.

use super::exchange::Ended;
use super::flow::Course;
use super::journal::{Entry, key};
use super::{Asked, AttemptState, Next, Posted, Received, Settlement};
use crate::api::json::Writer;
use crate::api::{
    CREATE_TRANSFER, Code, Error, GET_TRANSFER, Kind, Label, Request, TRANSFER_PROGRESS, TransferProgress,
    TransferRecordStatus,
};

/// How long to wait for another page that is submitting the same attempt: longer than it takes.
const LOCK_WAIT_MS: u32 = 90_000;
/// How long a transfer that was made stays in the journal, so that a page which goes away in this very moment finds it again.
const SHOWN_AFTER_MS: u32 = 5_000;

/// How long a POST whose answer was lost may still be on its way: as long as its outcome is asked for.
const UNDER_WAY_MS: i64 = 30_000;

/// How an attempt ended well.
pub struct TransferOutcome {
    /// The transfer.
    pub transfer: Received,
    /// Whether the first answer was lost, and the transfer was found to have been made.
    pub recovered: bool,
}

impl Course {
    /// Brings the prepared attempt with this quote and nonce to its outcome.
    pub(super) async fn submit(&self, quote_history_id: &str, nonce: &str) -> Result<TransferOutcome, Error> {
        if self.is_aborted() {
            let entry = self.load(quote_history_id).await?;
            let is_prepared = entry.is_some_and(|entry| entry.state == AttemptState::Prepared);
            return Err(if is_prepared { Error::new(Code::Aborted) } else { unknown(quote_history_id) });
        }
        if self.lock_attempt(quote_history_id).await {
            self.settle(quote_history_id, nonce).await
        } else {
            // Another page is sending it.
            Err(unknown(quote_history_id))
        }
    }

    /// Whether the lock on an attempt is held now: not if another page keeps it, or the signal ends the waiting.
    pub(super) async fn lock_attempt(&self, quote_history_id: &str) -> bool {
        self.lock(key(quote_history_id), LOCK_WAIT_MS).await
    }

    async fn settle(&self, quote_history_id: &str, nonce: &str) -> Result<TransferOutcome, Error> {
        // The deed may be done: an abort ends the posting, never the asking.
        let deaf = self.unheeding();
        let mut entry = self.load(quote_history_id).await?;
        let mut way = match &entry {
            None => Settlement::ended_elsewhere(
                Error::new(Code::TransferFailed).saying("This attempt has ended before, without a transfer."),
            ),
            Some(entry) if entry.nonce.as_str() != nonce => {
                let error = Error::new(Code::TransferDuplicatedByQuote).of_option("quoteHistoryId");
                return Err(
                    error.saying("Another attempt with this quote is in the journal. Resume that one.")
                );
            }
            Some(entry) if entry.state == AttemptState::Created => {
                let transfer = deaf.read_back(entry.transfer_id.as_ref()).await;
                return Ok(TransferOutcome { transfer, recovered: true });
            }
            Some(entry) if entry.state == AttemptState::Prepared => {
                // Whoever asks for all attempts drops a stale one, perhaps just now: sent, it would be gone from the journal.
                if self.is_past(entry.expires_at_ms) || entry.is_stale(self.kit.now_ms()) {
                    self.remove(entry).await?;
                    let error = Error::new(Code::QuoteExpired);
                    return Err(self.with_fresh_quote(error, &entry.body).await);
                }
                Settlement::new()
            }
            Some(_) => Settlement::resumed(),
        };
        let mut next = way.start();
        let mut transfer = None;
        let mut transfer_id = None;
        loop {
            next = match next {
                Next::Post => {
                    let Some(entry) = &mut entry else { return Err(unknown(quote_history_id)) };
                    #[cfg(feature = "weakened")]
                    if entry.state == AttemptState::Sent {
                        deaf.weakly_renewed(entry).await?;
                    }
                    // Until there is an answer, this POST is one that may be on its way.
                    let lost_at_ms = entry.sent_at_ms.replace(i64::try_from(self.kit.now_ms()).unwrap_or(0));
                    entry.state = AttemptState::Sent;
                    if let Err(error) = self.save(entry).await {
                        // Only what was never posted was certainly not sent.
                        return Err(if way.is_in_doubt() { unknown(quote_history_id) } else { error });
                    }
                    let posted = match self.post(entry).await {
                        Ended::Received(received) => {
                            transfer = Some(received);
                            Posted::Created
                        }
                        Ended::NotSent(error) if !way.is_in_doubt() => {
                            next = Next::Undone(error);
                            continue;
                        }
                        Ended::NotSent(error) => Posted::Undone(error),
                        Ended::Lost(error) | Ended::Refused(error) => posted(error),
                    };
                    #[cfg(feature = "weakened")]
                    let posted = self.weakly_judged(posted);
                    let is_answered = !matches!(posted, Posted::Lost);
                    let next = way.posted(posted);
                    if is_answered && matches!(next, Next::Ask { .. }) {
                        entry.sent_at_ms = lost_at_ms;
                        // Where the journal cannot note it, it goes on saying that this POST may be on its way.
                        let _ = self.save(entry).await;
                    }
                    next
                }
                Next::Ask { after_ms } => {
                    if self.is_aborted() {
                        way.call_off();
                    }
                    deaf.wait(after_ms).await;
                    let id = quote_history_id.to_owned();
                    let progress = deaf.call(&TRANSFER_PROGRESS, &[id], None).await;
                    let (asked, id) = told(progress);
                    transfer_id = id;
                    if self.is_aborted() {
                        way.call_off();
                    }
                    let sent_at_ms = entry.as_ref().and_then(|entry| entry.sent_at_ms);
                    let under_way = sent_at_ms
                        .is_some_and(|at_ms| !self.is_past(Some(at_ms.saturating_add(UNDER_WAY_MS))));
                    way.asked(asked, under_way, || Error::new(Code::TransferFailed))
                }
                Next::Created { recovered } => {
                    let transfer = match transfer {
                        Some(transfer) => transfer,
                        None => deaf.read_back(transfer_id.as_ref()).await,
                    };
                    if let Some(entry) = &mut entry {
                        entry.state = AttemptState::Created;
                        entry.transfer_id =
                            transfer.view().text_of("transferId").map(|id| Label(id.into_owned()));
                        // It is settled even if the journal cannot note it: to submit it again asks first.
                        let _ = self.save(entry).await;
                    }
                    return Ok(TransferOutcome { transfer, recovered });
                }
                Next::Refused(error) => {
                    let Some(entry) = entry else { return Err(error) };
                    let _ = self.remove(&entry).await;
                    let is_repriced =
                        matches!(error.code(), Code::QuoteAmountChanged | Code::QuoteAmountChangedOfac);
                    if is_repriced {
                        return Err(self.with_fresh_quote(error, &entry.body).await);
                    }
                    return Err(error);
                }
                Next::Undone(error) => {
                    if let Some(entry) = &mut entry {
                        entry.state = AttemptState::Prepared;
                        entry.sent_at_ms = None;
                        self.save(entry).await?;
                    }
                    return Err(error);
                }
                Next::Unknown => return Err(unknown(quote_history_id)),
            };
        }
    }

    /// Lets the journal forget a transfer that was made, once the page has had the time to show it.
    pub(super) async fn forget(&self, quote_history_id: &str) -> Result<(), Error> {
        self.wait(SHOWN_AFTER_MS).await;
        match self.load(quote_history_id).await? {
            Some(entry) if entry.state == AttemptState::Created => self.remove(&entry).await,
            _ => Ok(()),
        }
    }

    async fn post(&self, entry: &Entry) -> Ended {
        let request = Request {
            method: CREATE_TRANSFER.method,
            path: CREATE_TRANSFER.path.to_owned(),
            body: Some(entry.body.clone()),
            language: None,
            wants_bytes: false,
        };
        self.send(&CREATE_TRANSFER, request).await
    }

    /// The transfer that was made, as far as the service tells it now.
    async fn read_back(&self, transfer_id: Option<&Label>) -> Received {
        let transfer_id = transfer_id.map_or("", |id| id.0.as_str());
        match self.call(&GET_TRANSFER, &[transfer_id.to_owned()], None).await {
            Ok(received) => received,
            Err(_) => {
                let mut out = Writer::default();
                out.object(|out| out.text_member("transferId", transfer_id));
                Received::of(out.finish())
            }
        }
    }
}

pub(super) fn unknown(quote_history_id: &str) -> Error {
    Error::new(Code::OutcomeUnknown).with_attempt(quote_history_id)
}

/// What an answer that is no success means for the attempt.
fn posted(error: Error) -> Posted {
    match (error.http_status(), error.code()) {
        (Some(_), Code::TransferDuplicatedByQuote | Code::NonceAlreadyUsed) => Posted::Used(error),
        (Some(429), _) => Posted::Doubtful(error),
        (Some(408 | 409), _) => Posted::Lost,
        (Some(500..), _) if error.is_of_service() => Posted::Doubtful(error),
        (Some(401), _) => Posted::Undone(error),
        (Some(403), _) if error.is_of_service() => Posted::Undone(error),
        (Some(400..500), _) if error.is_of_service() => Posted::Refused(error),
        // Anything on the way may have answered instead of the service.
        _ => Posted::Lost,
    }
}

fn told(progress: Result<Received, Error>) -> (Asked, Option<Label>) {
    match progress.and_then(|received| received.read::<TransferProgress>()) {
        Ok(progress) => {
            let asked = match progress.status {
                TransferRecordStatus::Created => Asked::Created,
                TransferRecordStatus::Failed => Asked::Failed,
                TransferRecordStatus::Initializing => Asked::Initializing,
                TransferRecordStatus::NotInProgress => Asked::NotInProgress,
                TransferRecordStatus::Other(_) => Asked::Unanswered,
            };
            (asked, progress.transfer_id)
        }
        // A quote that the service does not know for this sender cannot have a transfer.
        Err(error) if error.code() == Code::QuoteHistoryNotFound => (Asked::NotInProgress, None),
        Err(error) if error.kind() == Kind::Authentication => (Asked::SignedOut, None),
        Err(_) => (Asked::Unanswered, None),
    }
}

//! Submitting an attempt: one page at a time, one run for all who wait, until the outcome is known.

use std::pin::pin;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::client::Ended;
use super::environment::until_aborted;
use super::journal::{Entry, key};
use super::shared::Shared;
use super::{Asked, AttemptState, Client, Environment, Next, Posted, Received, Settlement};
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

/// A run of an attempt that is under way.
pub(super) struct Submission {
    quote_history_id: String,
    outcome: Shared<Result<Rc<TransferOutcome>, Error>>,
}

impl<E: Environment> Client<E> {
    /// Brings the prepared attempt with this quote and nonce to its outcome, as
    /// [`TransferAttempt::submit`](super::TransferAttempt::submit).
    ///
    /// # Errors
    /// As there.
    pub async fn submit_transfer(
        &self,
        quote_history_id: &str,
        nonce: &str,
        signal: &E::Signal,
    ) -> Result<Rc<TransferOutcome>, Error> {
        let running = {
            let submissions = self.0.submissions.borrow();
            let found = submissions.iter().find(|running| running.quote_history_id == quote_history_id);
            found.map(|running| running.outcome.clone())
        };
        let Some(running) = running else {
            let (client, id, nonce) = (self.clone(), quote_history_id.to_owned(), nonce.to_owned());
            let signal = signal.clone();
            let work = async move {
                let outcome = client.submit_alone(&id, &nonce, &signal).await;
                client.0.submissions.borrow_mut().retain(|running| running.quote_history_id != id);
                outcome.map(Rc::new)
            };
            let outcome = Shared::new(work.boxed_local());
            let submission =
                Submission { quote_history_id: quote_history_id.to_owned(), outcome: outcome.clone() };
            self.0.submissions.borrow_mut().push(submission);
            // It goes on though whoever asked for it does not wait: half done, it would keep the lock and have no outcome.
            self.environment().spawn(outcome.clone().map(drop).boxed_local());
            return outcome.await;
        };
        // The run that began first has its own signal; this one ends the waiting alone.
        until_aborted(self.environment(), running, signal)
            .await
            .unwrap_or_else(|_| Err(unknown(quote_history_id)))
    }

    async fn submit_alone(
        &self,
        quote_history_id: &str,
        nonce: &str,
        signal: &E::Signal,
    ) -> Result<TransferOutcome, Error> {
        let environment = self.environment();
        if environment.is_aborted(signal) {
            let entry = Entry::load(environment.journal(), quote_history_id).await?;
            let is_prepared = entry.is_some_and(|entry| entry.state == AttemptState::Prepared);
            return Err(if is_prepared { Error::new(Code::Aborted) } else { unknown(quote_history_id) });
        }
        match self.lock(quote_history_id, signal).await {
            Some(_lock) => self.settle(quote_history_id, nonce, signal).await,
            // Another page is sending it.
            None => Err(unknown(quote_history_id)),
        }
    }

    /// The lock on an attempt; `None` if another page keeps it, or the signal ends the waiting.
    pub(super) async fn lock(&self, quote_history_id: &str, signal: &E::Signal) -> Option<E::Lock> {
        let environment = self.environment();
        let name = key(quote_history_id);
        let given_up = environment.wait(LOCK_WAIT_MS, signal);
        match select(pin!(environment.lock(&name)), pin!(given_up)).await {
            Either::Left((lock, _)) => Some(lock),
            Either::Right(_) => None,
        }
    }

    async fn settle(
        &self,
        quote_history_id: &str,
        nonce: &str,
        signal: &E::Signal,
    ) -> Result<TransferOutcome, Error> {
        let environment = self.environment();
        let journal = environment.journal();
        let never = environment.never();
        let mut entry = Entry::load(journal, quote_history_id).await?;
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
            Some(Entry { state: AttemptState::Created, transfer_id, .. }) => {
                let transfer = self.read_back(transfer_id.as_ref(), &never).await;
                self.forget_later(quote_history_id);
                return Ok(TransferOutcome { transfer, recovered: true });
            }
            Some(entry) if entry.state == AttemptState::Prepared => {
                if self.is_past(entry.expires_at_ms) {
                    entry.remove(journal).await?;
                    let error = Error::new(Code::QuoteExpired);
                    return Err(self.with_fresh_quote(error, &entry.body, signal).await);
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
                        self.weakly_renewed(entry, &never).await?;
                    }
                    // Until there is an answer, this POST is one that may be on its way.
                    let lost_at_ms =
                        entry.sent_at_ms.replace(i64::try_from(environment.now_ms()).unwrap_or(0));
                    entry.state = AttemptState::Sent;
                    entry.save(journal).await?;
                    let posted = match self.post(entry, signal).await {
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
                        entry.save(journal).await?;
                    }
                    next
                }
                Next::Ask { after_ms } => {
                    // The deed may be done: an abort ends the posting, never the asking.
                    if environment.is_aborted(signal) {
                        way.call_off();
                    }
                    self.pause(after_ms, &never).await?;
                    let progress = self.call(&TRANSFER_PROGRESS, &[quote_history_id], None, &never).await;
                    let (asked, id) = told(progress);
                    transfer_id = id;
                    if environment.is_aborted(signal) {
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
                        None => self.read_back(transfer_id.as_ref(), &never).await,
                    };
                    if let Some(entry) = &mut entry {
                        entry.state = AttemptState::Created;
                        entry.transfer_id =
                            transfer.view().text_of("transferId").map(|id| Label(id.into_owned()));
                        // It is settled even if the journal cannot note it: to submit it again asks first.
                        let _ = entry.save(journal).await;
                        self.forget_later(quote_history_id);
                    }
                    return Ok(TransferOutcome { transfer, recovered });
                }
                Next::Refused(error) => {
                    let Some(entry) = entry else { return Err(error) };
                    let _ = entry.remove(journal).await;
                    let is_repriced =
                        matches!(error.code(), Code::QuoteAmountChanged | Code::QuoteAmountChangedOfac);
                    if is_repriced {
                        return Err(self.with_fresh_quote(error, &entry.body, signal).await);
                    }
                    return Err(error);
                }
                Next::Undone(error) => {
                    if let Some(entry) = &mut entry {
                        entry.state = AttemptState::Prepared;
                        entry.sent_at_ms = None;
                        entry.save(journal).await?;
                    }
                    return Err(error);
                }
                Next::Unknown => return Err(unknown(quote_history_id)),
            };
        }
    }

    /// Lets the journal forget a transfer that was made, once the page has had the time to show it.
    fn forget_later(&self, quote_history_id: &str) {
        let (client, id) = (self.clone(), quote_history_id.to_owned());
        let work = async move {
            let environment = client.environment();
            environment.sleep(SHOWN_AFTER_MS).await;
            let entry = Entry::load(environment.journal(), &id).await.ok().flatten();
            if let Some(entry) = entry.filter(|entry| entry.state == AttemptState::Created) {
                let _ = entry.remove(environment.journal()).await;
            }
        };
        self.environment().spawn(work.boxed_local());
    }

    async fn post(&self, entry: &Entry, signal: &E::Signal) -> Ended {
        let request = Request {
            method: CREATE_TRANSFER.method,
            path: CREATE_TRANSFER.path.to_owned(),
            body: Some(entry.body.clone()),
            language: None,
            wants_bytes: false,
        };
        self.send(&CREATE_TRANSFER, request, signal).await
    }

    /// The transfer that was made, as far as the service tells it now.
    async fn read_back(&self, transfer_id: Option<&Label>, signal: &E::Signal) -> Received {
        let transfer_id = transfer_id.map_or("", |id| id.0.as_str());
        match self.call(&GET_TRANSFER, &[transfer_id], None, signal).await {
            Ok(received) => received,
            Err(_) => {
                let mut out = Writer::default();
                out.object(|out| out.text_member("transferId", transfer_id));
                Received { json: out.finish(), bytes: Vec::new(), content_type: None, has_bigints: false }
            }
        }
    }
}

fn unknown(quote_history_id: &str) -> Error {
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

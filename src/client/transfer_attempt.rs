use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, Shared};

use super::client::Ended;
use super::journal::Entry;
use super::{Asked, AttemptState, Client, Environment, Next, Posted, Received, Settlement};
use crate::api::json::{View, Wire, Writer};
use crate::api::{
    CREATE_TRANSFER, Code, Error, GET_TRANSFER, Input, NONCE, Request, TRANSFER_PROGRESS, TransferProgress,
    TransferRecordStatus, TransferRequest, Uuid, check_input,
};

/// A transfer that is about to happen, bound to one quote, one nonce and one body. It may be submitted any number of
/// times, by any page that finds it in the journal: the transfer happens once.
pub struct TransferAttempt<E: Environment> {
    client: Client<E>,
    entry: Entry,
}

/// How an attempt ended well.
pub struct TransferOutcome {
    /// The transfer.
    pub transfer: Received,
    /// Whether the first answer was lost, and the transfer was found to have been made.
    pub recovered: bool,
}

pub(super) type Submission = Shared<LocalBoxFuture<'static, Result<Rc<TransferOutcome>, Error>>>;

impl<E: Environment> TransferAttempt<E> {
    /// The quote that the attempt is bound to, which names it.
    #[must_use]
    pub fn quote_history_id(&self) -> &str {
        self.entry.quote_history_id.as_str()
    }

    /// What may be known of it, as JSON text: `{quoteHistoryId, nonce, createdAt, state}`.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("quoteHistoryId", self.entry.quote_history_id.as_str());
            out.text_member("nonce", self.entry.nonce.as_str());
            out.member("createdAt");
            self.entry.created_at_ms.write(out);
            out.text_member("state", self.entry.state.as_str());
        });
        out.finish()
    }

    /// Brings the attempt to its outcome: posts it, or first asks what became of it. While it runs, whoever submits
    /// it too waits for the same outcome.
    ///
    /// # Errors
    /// The service's refusal, after which no transfer was made; `outcome_unknown`, after which it can be submitted again to learn more;
    /// anything else before it was sent.
    pub async fn submit(&self, signal: &E::Signal) -> Result<Rc<TransferOutcome>, Error> {
        self.client.submit_transfer(self.quote_history_id(), signal).await
    }
}

impl<E: Environment> Client<E> {
    /// Binds a transfer to its quote, a nonce and its body, and keeps it in the journal. Asks for the transfer fields and holds
    /// the request to them. Nothing is sent that moves money.
    ///
    /// # Errors
    /// `invalid_request` or `field` that name what is at fault; `conflict` if another transfer was prepared with this quote.
    pub async fn prepare_transfer(
        &self,
        request: &str,
        signal: &E::Signal,
    ) -> Result<TransferAttempt<E>, Error> {
        let Input::Body(shape) = CREATE_TRANSFER.input else { return Err(Error::new(Code::Internal)) };
        let json = check_input("transfer", request, shape)?;
        let mut request =
            TransferRequest::read(View::new(&json)).ok_or_else(|| Error::new(Code::InvalidRequest))?;
        let journal = self.environment().journal();
        if let Some(entry) = Entry::load(journal, request.quote_history_id.as_str()).await? {
            return self.prepared_before(entry, request);
        }
        if let Some(preceding) = &CREATE_TRANSFER.preceded_by {
            self.check_fields(preceding, &json, false, signal).await?;
        }
        let nonce = match request.nonce.take() {
            Some(nonce) => nonce,
            None => {
                let received = self.call(&NONCE, &[], None, signal).await?;
                received
                    .view()
                    .member("nonce")
                    .and_then(Uuid::read)
                    .ok_or_else(|| Error::new(Code::UnreadableReply))?
            }
        };
        request.nonce = Some(nonce.clone());
        let entry = Entry {
            quote_history_id: request.quote_history_id.clone(),
            nonce,
            body: request.to_json(),
            created_at_ms: i64::try_from(self.environment().now_ms()).unwrap_or(0),
            state: AttemptState::Prepared,
        };
        // Another call may have prepared this quote in the meantime; the first one counts.
        if let Some(first) = Entry::load(journal, entry.quote_history_id.as_str()).await? {
            return self.prepared_before(first, request);
        }
        entry.save(journal).await?;
        Ok(TransferAttempt { client: self.clone(), entry })
    }

    /// The attempts that the journal holds, the oldest first: prepared or sent, without a certain outcome.
    ///
    /// # Errors
    /// Those of the journal.
    pub async fn pending_transfers(&self) -> Result<Vec<TransferAttempt<E>>, Error> {
        let entries = Entry::all(self.environment().journal()).await?;
        Ok(entries.into_iter().map(|entry| TransferAttempt { client: self.clone(), entry }).collect())
    }

    /// Brings the prepared attempt with this quote to its outcome, as [`TransferAttempt::submit`].
    ///
    /// # Errors
    /// As there; `invalid_request` if the journal holds no such attempt.
    pub async fn submit_transfer(
        &self,
        quote_history_id: &str,
        signal: &E::Signal,
    ) -> Result<Rc<TransferOutcome>, Error> {
        let running = self.0.submissions.borrow().get(quote_history_id).cloned();
        let submission = running.unwrap_or_else(|| {
            let (client, id, signal) = (self.clone(), quote_history_id.to_owned(), signal.clone());
            let work = async move {
                let outcome = client.settle(&id, &signal).await;
                client.0.submissions.borrow_mut().remove(&id);
                outcome.map(Rc::new)
            };
            let submission = work.boxed_local().shared();
            self.0.submissions.borrow_mut().insert(quote_history_id.to_owned(), submission.clone());
            submission
        });
        submission.await
    }

    /// A quote that was prepared before keeps its attempt; another body for it is an error of the caller's.
    fn prepared_before(
        &self,
        entry: Entry,
        mut request: TransferRequest,
    ) -> Result<TransferAttempt<E>, Error> {
        if request.nonce.is_none() {
            request.nonce = Some(entry.nonce.clone());
        }
        if request.to_json() == entry.body {
            return Ok(TransferAttempt { client: self.clone(), entry });
        }
        let error = Error::new(Code::TransferDuplicatedByQuote).of_option("quoteHistoryId");
        Err(error
            .saying("Another transfer was prepared with this quote. Resume that one, or fetch a new quote.")
            .with_attempt(entry.quote_history_id.as_str()))
    }

    async fn settle(&self, quote_history_id: &str, signal: &E::Signal) -> Result<TransferOutcome, Error> {
        let environment = self.environment();
        let journal = environment.journal();
        let Some(mut entry) = Entry::load(journal, quote_history_id).await? else {
            let expected =
                "that of a prepared attempt: the journal holds none, so it was settled or never prepared";
            return Err(Error::invalid(Code::InvalidRequest, "quoteHistoryId", expected));
        };
        if environment.is_aborted(signal) {
            return Err(Error::new(Code::Aborted));
        }
        let never = environment.never();
        let mut way =
            if entry.state == AttemptState::Prepared { Settlement::new() } else { Settlement::resumed() };
        let mut next = way.start();
        let mut transfer = None;
        let mut transfer_id = None;
        loop {
            next = match next {
                Next::Post => {
                    if entry.state == AttemptState::Prepared {
                        entry.state = AttemptState::Sent;
                        entry.save(journal).await?;
                    }
                    way.posted(match self.post(&entry, signal).await {
                        Ended::Received(received) => {
                            transfer = Some(received);
                            Posted::Created
                        }
                        Ended::NotSent(error) if !way.is_in_doubt() => {
                            entry.state = AttemptState::Prepared;
                            entry.save(journal).await?;
                            return Err(error);
                        }
                        Ended::NotSent(_) => Posted::Lost,
                        Ended::Lost(error) | Ended::Refused(error) => posted(error),
                    })
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
                    way.asked(asked, || Error::new(Code::TransferFailed))
                }
                Next::Created { recovered } => {
                    let transfer = match transfer {
                        Some(transfer) => transfer,
                        None => self.read_back(transfer_id.as_deref().unwrap_or(""), &never).await,
                    };
                    // It is settled even if the journal cannot forget it: to submit it again asks first.
                    let _ = entry.remove(journal).await;
                    return Ok(TransferOutcome { transfer, recovered });
                }
                Next::Refused(error) => {
                    let _ = entry.remove(journal).await;
                    return Err(error);
                }
                Next::Unknown => return Err(Error::new(Code::OutcomeUnknown).with_attempt(quote_history_id)),
            };
        }
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
    async fn read_back(&self, transfer_id: &str, signal: &E::Signal) -> Received {
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

/// What an answer that is no success means for the attempt.
fn posted(error: Error) -> Posted {
    match (error.http_status(), error.code()) {
        (Some(_), Code::TransferDuplicatedByQuote | Code::NonceAlreadyUsed) => Posted::Doubtful(error),
        (Some(429), _) => Posted::Doubtful(error),
        (Some(408 | 409), _) => Posted::Lost,
        (Some(500..), _) if error.is_of_service() => Posted::Doubtful(error),
        // A refused token comes without a code, and before anything is done.
        (Some(401), _) => Posted::Refused(error),
        (Some(400..500), _) if error.is_of_service() => Posted::Refused(error),
        // Anything on the way may have answered instead of the service.
        _ => Posted::Lost,
    }
}

fn told(progress: Result<Received, Error>) -> (Asked, Option<String>) {
    match progress.and_then(|received| received.read::<TransferProgress>()) {
        Ok(progress) => {
            let asked = match progress.status {
                TransferRecordStatus::Created => Asked::Created,
                TransferRecordStatus::Failed => Asked::Failed,
                TransferRecordStatus::Initializing => Asked::Initializing,
                TransferRecordStatus::NotInProgress => Asked::NotInProgress,
                TransferRecordStatus::Other(_) => Asked::Unanswered,
            };
            (asked, progress.transfer_id.map(|id| id.0))
        }
        // A quote that the service does not know for this sender cannot have a transfer.
        Err(error) if error.code() == Code::QuoteHistoryNotFound => (Asked::NotInProgress, None),
        Err(_) => (Asked::Unanswered, None),
    }
}

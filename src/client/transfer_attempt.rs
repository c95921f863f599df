use std::rc::Rc;

use super::journal::Entry;
use super::{AttemptState, Client, Environment, TransferOutcome};
use crate::api::json::{Shape, View, Wire, Writer};
use crate::api::list_of;
use crate::api::{CREATE_TRANSFER, Code, Error, Input, NONCE, TransferRequest, Uuid, check_input};

/// A transfer that is about to happen, bound to one quote, one nonce and one body. It may be submitted any number of
/// times, by any page that finds it in the journal: the transfer happens once.
pub struct TransferAttempt<E: Environment> {
    client: Client<E>,
    entry: Entry,
}

impl<E: Environment> TransferAttempt<E> {
    /// The quote that the attempt is bound to, which names it.
    #[must_use]
    pub fn quote_history_id(&self) -> &str {
        self.entry.quote_history_id.as_str()
    }

    /// What may be known of it, as JSON text: `{quoteHistoryId, nonce, createdAt, state, expiresAt?}`.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.text_member("quoteHistoryId", self.entry.quote_history_id.as_str());
            out.text_member("nonce", self.entry.nonce.as_str());
            out.member("createdAt");
            self.entry.created_at_ms.write(out);
            out.text_member("state", self.entry.state.as_str());
            if let Some(expires_at_ms) = self.entry.expires_at_ms {
                out.member("expiresAt");
                expires_at_ms.write(out);
            }
        });
        out.finish()
    }

    /// Brings the attempt to its outcome: posts it, or first asks what became of it. While it runs, whoever submits
    /// it too waits for the same outcome, in another tab too.
    ///
    /// # Errors
    /// The service's refusal, after which no transfer was made; `outcome_unknown`, after which it can be submitted again to learn more;
    /// anything else before it was sent.
    pub async fn submit(&self, signal: &E::Signal) -> Result<Rc<TransferOutcome>, Error> {
        self.client.submit_transfer(self.quote_history_id(), self.entry.nonce.as_str(), signal).await
    }

    /// Drops an attempt of which nothing was sent, so that nobody resumes it.
    ///
    /// # Errors
    /// `outcome_unknown` if it was sent, `conflict` if the transfer was made: then it stays.
    pub async fn discard(&self, signal: &E::Signal) -> Result<(), Error> {
        self.client.discard_transfer(self.quote_history_id(), signal).await
    }
}

impl<E: Environment> Client<E> {
    /// Binds a transfer to its quote, a nonce and its body, and keeps it in the journal. Asks for the transfer fields and holds
    /// the request to them. Nothing is sent that moves money.
    ///
    /// # Errors
    /// `invalid_request` or `field` that name what is at fault; `conflict` if another transfer was prepared with this quote;
    /// `quote` with a fresh one if this quote has expired.
    pub async fn prepare_transfer(
        &self,
        request: &str,
        signal: &E::Signal,
    ) -> Result<TransferAttempt<E>, Error> {
        let Input::Body(shape) = CREATE_TRANSFER.input else { return Err(Error::new(Code::Internal)) };
        let json = check_input("transfer", request, shape)?;
        let request = View::new(&json);
        let id = request.member("quoteHistoryId").and_then(Uuid::read);
        let id = id.ok_or_else(|| Error::new(Code::NoQuoteHistoryIdProvided))?;
        let journal = self.environment().journal();
        if let Some(entry) = Entry::load(journal, id.as_str()).await? {
            return self.prepared_before(entry, request);
        }
        let expires_at_ms = self.quote_expiry(id.as_str());
        if self.is_past(expires_at_ms) {
            return Err(self.with_fresh_quote(Error::new(Code::QuoteExpired), &json, signal).await);
        }
        if let Some(preceding) = &CREATE_TRANSFER.preceded_by {
            self.check_fields(preceding, &json, false, signal).await?;
        }
        let nonce = match request.member("nonce").and_then(Uuid::read) {
            Some(nonce) => nonce,
            None => self.fresh_nonce(signal).await?,
        };
        let entry = Entry {
            quote_history_id: id,
            body: body_of(request, nonce.as_str()),
            nonce,
            created_at_ms: i64::try_from(self.environment().now_ms()).unwrap_or(0),
            state: AttemptState::Prepared,
            expires_at_ms,
            sent_at_ms: None,
            transfer_id: None,
        };
        // Another call or another tab may have prepared this quote in the meantime; the first one counts.
        let Some(_lock) = self.lock(entry.quote_history_id.as_str(), signal).await else {
            let code =
                if self.environment().is_aborted(signal) { Code::Aborted } else { Code::OutcomeUnknown };
            return Err(Error::new(code).with_attempt(entry.quote_history_id.as_str()));
        };
        if let Some(first) = Entry::load(journal, entry.quote_history_id.as_str()).await? {
            return self.prepared_before(first, request);
        }
        entry.save(journal).await?;
        Ok(TransferAttempt { client: self.clone(), entry })
    }

    /// The attempts that the journal holds, the oldest first: prepared, sent without a certain outcome, or made so lately that the
    /// page may not have shown it.
    ///
    /// # Errors
    /// Those of the journal.
    pub async fn pending_transfers(&self) -> Result<Vec<TransferAttempt<E>>, Error> {
        let environment = self.environment();
        let entries = Entry::all(environment.journal(), environment.now_ms()).await?;
        Ok(list_of(entries.into_iter().map(|entry| TransferAttempt { client: self.clone(), entry })))
    }

    /// Drops a prepared attempt, as [`TransferAttempt::discard`].
    ///
    /// # Errors
    /// As there.
    pub async fn discard_transfer(&self, quote_history_id: &str, signal: &E::Signal) -> Result<(), Error> {
        let journal = self.environment().journal();
        let open = |code| Err(Error::new(code).with_attempt(quote_history_id));
        let Some(_lock) = self.lock(quote_history_id, signal).await else {
            return open(Code::OutcomeUnknown);
        };
        match Entry::load(journal, quote_history_id).await? {
            None => Ok(()),
            Some(entry) if entry.state == AttemptState::Prepared => entry.remove(journal).await,
            Some(entry) if entry.state == AttemptState::Created => open(Code::TransferDuplicatedByQuote),
            Some(_) => open(Code::OutcomeUnknown),
        }
    }

    pub(super) async fn fresh_nonce(&self, signal: &E::Signal) -> Result<Uuid, Error> {
        let received = self.call(&NONCE, &[], None, signal).await?;
        let nonce = received.view().member("nonce").and_then(Uuid::read);
        nonce.ok_or_else(|| Error::new(Code::UnreadableReply))
    }

    /// A quote that was prepared before keeps its attempt; another body for it is an error of the caller's.
    fn prepared_before(&self, entry: Entry, request: View<'_>) -> Result<TransferAttempt<E>, Error> {
        let given = request.text_of("nonce");
        if body_of(request, given.as_deref().unwrap_or(entry.nonce.as_str())) == entry.body {
            return Ok(TransferAttempt { client: self.clone(), entry });
        }
        let error = Error::new(Code::TransferDuplicatedByQuote).of_option("quoteHistoryId");
        Err(error
            .saying("Another transfer was prepared with this quote. Resume that one, or fetch a new quote.")
            .with_attempt(entry.quote_history_id.as_str()))
    }
}

/// The request as it is sent, each time the same bytes.
fn body_of(request: View<'_>, nonce: &str) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.text_member("nonce", nonce);
        if let Shape::Record(fields) = TransferRequest::SHAPE {
            for field in fields.iter().filter(|field| field.name != "nonce") {
                out.shaped_member(request, field);
            }
        }
    });
    out.finish()
}

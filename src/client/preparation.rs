//! Preparing a transfer, and dropping what was prepared. Nothing here is sent that moves money.

use super::AttemptState;
use super::flow::Course;
use super::journal::Entry;
use crate::api::json::{Shape, View, Wire, Writer};
use crate::api::{CREATE_TRANSFER, Code, Error, Input, NONCE, TransferRequest, Uuid, check_input};

impl Course {
    /// Binds a transfer to its quote, a nonce and its body, and keeps it in the journal.
    pub(super) async fn prepare(&self, request: &str) -> Result<Box<Entry>, Error> {
        let Input::Body(shape) = CREATE_TRANSFER.input else { return Err(Error::new(Code::Internal)) };
        let json = check_input("transfer", request, shape)?;
        let request = View::new(&json);
        let id = request.member("quoteHistoryId").and_then(Uuid::read);
        let id = id.ok_or_else(|| Error::new(Code::NoQuoteHistoryIdProvided))?;
        if let Some(entry) = self.load(id.as_str()).await? {
            return prepared_before(entry, request);
        }
        let expires_at_ms = self.quote_expiry(id.as_str());
        if self.is_past(expires_at_ms) {
            return Err(self.with_fresh_quote(Error::new(Code::QuoteExpired), &json).await);
        }
        if let Some(preceding) = &CREATE_TRANSFER.preceded_by {
            self.check_fields(preceding, &json, false).await?;
        }
        let nonce = match request.member("nonce").and_then(Uuid::read) {
            Some(nonce) => nonce,
            None => self.fresh_nonce().await?,
        };
        let entry = Box::new(Entry {
            quote_history_id: id,
            body: body_of(request, nonce.as_str()),
            nonce,
            created_at_ms: i64::try_from(self.kit.now_ms()).unwrap_or(0),
            state: AttemptState::Prepared,
            expires_at_ms,
            sent_at_ms: None,
            transfer_id: None,
        });
        // Another call or another tab may have prepared this quote in the meantime; the first one counts.
        if !self.lock_attempt(entry.quote_history_id.as_str()).await {
            let code = if self.is_aborted() { Code::Aborted } else { Code::OutcomeUnknown };
            return Err(Error::new(code).with_attempt(entry.quote_history_id.as_str()));
        }
        if let Some(first) = self.load(entry.quote_history_id.as_str()).await? {
            return prepared_before(first, request);
        }
        self.save(&entry).await?;
        Ok(entry)
    }

    /// Drops a prepared attempt.
    pub(super) async fn discard(&self, quote_history_id: &str) -> Result<(), Error> {
        let open = |code| Err(Error::new(code).with_attempt(quote_history_id));
        if !self.lock_attempt(quote_history_id).await {
            return open(Code::OutcomeUnknown);
        }
        match self.load(quote_history_id).await? {
            None => Ok(()),
            Some(entry) if entry.state == AttemptState::Prepared => self.remove(&entry).await,
            Some(entry) if entry.state == AttemptState::Created => open(Code::TransferDuplicatedByQuote),
            Some(_) => open(Code::OutcomeUnknown),
        }
    }

    pub(super) async fn fresh_nonce(&self) -> Result<Uuid, Error> {
        let received = self.call(&NONCE, &[], None).await?;
        let nonce = received.view().member("nonce").and_then(Uuid::read);
        nonce.ok_or_else(|| Error::new(Code::UnreadableReply))
    }
}

/// A quote that was prepared before keeps its attempt; another body for it is an error of the caller's.
fn prepared_before(entry: Box<Entry>, request: View<'_>) -> Result<Box<Entry>, Error> {
    let given = request.text_of("nonce");
    if body_of(request, given.as_deref().unwrap_or(entry.nonce.as_str())) == entry.body {
        return Ok(entry);
    }
    let error = Error::new(Code::TransferDuplicatedByQuote).of_option("quoteHistoryId");
    Err(error
        .saying("Another transfer was prepared with this quote. Resume that one, or fetch a new quote.")
        .with_attempt(entry.quote_history_id.as_str()))
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

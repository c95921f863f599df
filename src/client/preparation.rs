//! Preparing a transfer, and dropping what was prepared. Nothing here is sent that moves money.

use super::AttemptState;
use super::flow::FlowContext;
use super::journal::{Entry, details_of};
use super::kept::Kept;
use super::owner::foreign;
use super::safeguards::Safeguard;
use crate::api::json::{Codec, JsonRef, Shape, Writer};
use crate::api::{CREATE_TRANSFER, Code, Error, Input, NONCE, TransferRequest, Uuid, check_input};

impl FlowContext {
    /// Binds a transfer to its quote, a nonce and its body, and keeps it in the journal.
    pub(super) async fn prepare(&self, request: &str) -> Result<Box<Entry>, Error> {
        let Input::Body(shape) = CREATE_TRANSFER.input else { return Err(Error::new(Code::Internal)) };
        let json = check_input("transfer", request, shape)?;
        let request = JsonRef::new(&json);
        let id = request.member("quoteHistoryId").and_then(Uuid::read);
        let id = id.ok_or_else(|| Error::new(Code::NoQuoteHistoryIdProvided))?;
        if let Some(entry) = self.prepared_before(id.as_str(), request).await? {
            return Ok(entry);
        }
        let owner = self.owner().await?;
        let expires_at_ms = self.quote_expiry(id.as_str());
        let details = {
            let seen = self.core.0.quotes.borrow();
            details_of(request, seen.find(id.as_str()).map_or("", |quote| &quote.json))
        };
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
            created_at_ms: i64::try_from(self.core.now_ms()).unwrap_or(0),
            state: AttemptState::Prepared,
            expires_at_ms,
            service: Some(self.core.service()),
            sender_id: owner.and_then(|owner| Uuid::new(&owner).ok()),
            transfer_id: None,
            details,
        });
        // Another call or another tab may have prepared this quote in the meantime; the first one counts.
        let is_locked = self.lock_attempt(entry.quote_history_id.as_str()).await;
        if !is_locked && self.is_given_up() {
            return Err(Error::new(Code::Aborted));
        }
        if let Some(first) = self.prepared_before(entry.quote_history_id.as_str(), request).await? {
            return Ok(first);
        }
        // Another page is at work on this quote. What it sends it keeps before, so where nothing is kept
        // nothing was sent.
        if !is_locked {
            return Err(Error::new(Code::Timeout));
        }
        self.save(&entry).await?;
        self.core.note_attempt(&entry);
        Ok(entry)
    }

    /// Drops a prepared attempt. Another one with the same quote stays.
    pub(super) async fn discard(&self, quote_history_id: &str, nonce: &str) -> Result<(), Error> {
        let open = |code| Err(Error::new(code).with_attempt(quote_history_id));
        self.require_lock(quote_history_id).await?;
        let owner = self.owner().await;
        let known = self.known(quote_history_id, nonce);
        let mut entry = match self.load(quote_history_id).await? {
            Kept::Entry(entry)
                if entry.is_of(quote_history_id, nonce) || self.core.is_disabled(Safeguard::Nonce) =>
            {
                entry
            }
            _ => {
                return match known {
                    Some(known) if known.state == AttemptState::Created => {
                        open(Code::TransferDuplicatedByQuote)
                    }
                    Some(known) if known.state != AttemptState::Prepared => open(Code::OutcomeUnknown),
                    // Another page has dropped it, or made it: the service tells.
                    Some(known) if !self.is_settled(&known) => {
                        let ended = self.settle(quote_history_id, nonce).await;
                        match ended.map_err(|error| (error.code(), error)) {
                            Ok(_) => open(Code::TransferDuplicatedByQuote),
                            Err((Code::TransferFailed | Code::TransferDuplicatedByQuote, _)) => Ok(()),
                            Err((_, error)) => Err(error),
                        }
                    }
                    _ => Ok(()),
                };
            }
        };
        if !self.owns_as(owner, &mut entry).await? {
            return Err(foreign());
        }
        // A write that a journal was late with may have put it back.
        let state = known.map_or(entry.state.clone(), |known| known.state);
        match entry.state {
            AttemptState::Prepared if state == AttemptState::Prepared => {
                self.remove(&entry).await?;
                self.core.update_attempt(&entry, |known| known.has_ended = true);
                Ok(())
            }
            AttemptState::Created => open(Code::TransferDuplicatedByQuote),
            // The journal may have failed to note that it was made.
            _ if state == AttemptState::Created => open(Code::TransferDuplicatedByQuote),
            _ => open(Code::OutcomeUnknown),
        }
    }

    /// A quote that was prepared before keeps its attempt; another body for it is an error of the caller's,
    /// and so is another's quote.
    async fn prepared_before(&self, id: &str, request: JsonRef<'_>) -> Result<Option<Box<Entry>>, Error> {
        let mut entry = match self.load(id).await? {
            Kept::Nothing => return Ok(None),
            Kept::Entry(entry) => entry,
            Kept::Unreadable => return Err(taken(id)),
        };
        let given = request.text_of("nonce");
        let body = body_of(request, given.as_deref().unwrap_or(entry.nonce.as_str()));
        if body != entry.body || !self.owns(&mut entry).await? {
            return Err(taken(id));
        }
        self.core.note_attempt(&entry);
        Ok(Some(entry))
    }

    pub(super) async fn fresh_nonce(&self) -> Result<Uuid, Error> {
        let received = self.call(&NONCE, &[], None).await?;
        let nonce = received.view().member("nonce").and_then(Uuid::read);
        nonce.ok_or_else(|| Error::new(Code::UnreadableReply))
    }
}

fn taken(quote_history_id: &str) -> Error {
    Error::new(Code::TransferDuplicatedByQuote)
        .of_option("quoteHistoryId")
        .saying("Another transfer was prepared with this quote. Resume that one, or fetch a new quote.")
        .with_attempt(quote_history_id)
}

/// The request as it is sent, each time the same bytes.
fn body_of(request: JsonRef<'_>, nonce: &str) -> String {
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

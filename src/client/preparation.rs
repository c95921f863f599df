//! Preparing, discarding and acknowledging transfers. No request of these moves money.

use super::AttemptState;
use super::attempt_error::{foreign, taken, unknown};
use super::call_context::CallContext;
use super::entry_format::Stored;
use super::journal::{AttemptId, Entry, FORMAT, details_of};
use crate::api::json::{Codec, JsonRef, Mode, Shape, write_object};
use crate::api::{
    CREATE_TRANSFER, Code, Error, Input, NONCE, Nonce, PaymentId, QuoteId, SenderId, TransferRequest,
    check_input,
};

/// How long a made transfer stays in the journal, so that a page that is closed just now finds it again.
const SHOWN_AFTER_MS: u32 = 5_000;

impl CallContext {
    /// [Prepares](Self::prepare) a transfer within the time of a call.
    pub(crate) async fn prepare_in_time(&self, request: &str) -> Result<Box<Entry>, Error> {
        self.with_deadline().prepare(request).await.map_err(|error| match error.code() {
            Code::Aborted if !self.caller_cancelled() => Error::new(Code::Timeout),
            _ => error,
        })
    }

    /// Binds a transfer to its quote, a nonce and its body, and saves it in the journal.
    pub(super) async fn prepare(&self, request: &str) -> Result<Box<Entry>, Error> {
        let Input::Body(shape) = CREATE_TRANSFER.input else { return Err(Error::new(Code::Internal)) };
        let json = check_input(Mode::Request, "transfer", request, shape)?;
        let request = JsonRef::new(&json);
        let id = request.member("quoteHistoryId").and_then(QuoteId::read);
        let id = id.ok_or_else(|| Error::new(Code::NoQuoteHistoryIdProvided))?;
        if let Some(entry) = self.prepared_before(id.as_str(), request).await? {
            return Ok(entry);
        }
        let owner = self.owner().await?;
        let expires_at_ms = self.quote_expiry(id.as_str());
        let details = {
            let seen = self.core.quotes.borrow();
            details_of(request, seen.find(id.as_str()).map_or("", |quote| &quote.json))
        };
        if self.is_past(expires_at_ms) {
            return Err(self.with_fresh_quote(Error::new(Code::QuoteExpired), &json).await);
        }
        if let Some(fields) = CREATE_TRANSFER.preceded_by {
            self.check_fields(fields, &json, false).await?;
        }
        let nonce = match request.member("nonce").and_then(Nonce::read) {
            Some(nonce) => self.checked_nonce(nonce, &id, request)?,
            None => self.fresh_nonce().await?,
        };
        let entry = Box::new(Entry {
            format: FORMAT,
            quote_history_id: id,
            body: body_of(request, nonce.as_str()),
            nonce,
            payment_id: request.member("paymentId").and_then(PaymentId::read),
            is_acknowledged: None,
            is_restored: None,
            created_at_ms: i64::try_from(self.core.platform.now_ms()).unwrap_or(0),
            state: AttemptState::Prepared,
            expires_at_ms,
            service: Some(self.core.service()),
            sender_id: owner.and_then(|owner| SenderId::new(&owner).ok()),
            transfer_id: None,
            details: Some(details),
        });
        // Another call or tab may have prepared this quote meanwhile; the first one counts.
        let lock = self.lock_attempt(entry.quote_history_id.as_str()).await;
        if lock.is_none() && self.caller_cancelled() {
            return Err(Error::new(Code::Aborted));
        }
        if let Some(first) = self.prepared_before(entry.quote_history_id.as_str(), request).await? {
            return Ok(first);
        }
        // Another page holds the lock. It saves before it sends, so without an entry nothing was sent.
        if lock.is_none() {
            return Err(Error::new(Code::Timeout));
        }
        self.save(&entry).await?;
        self.core.note_attempt(&entry);
        Ok(entry)
    }

    /// Discards a prepared attempt, and no other one with its quote.
    pub(crate) async fn discard(&self, id: &AttemptId) -> Result<(), Error> {
        let quote_history_id = &*id.quote_history_id;
        let refuse = |code| Err(Error::new(code).with_attempt(quote_history_id));
        // What was sent stays as it is, and needs no lock, which a frozen tab may keep.
        let _lock = match self.latest_state(id).await? {
            AttemptState::Prepared => Some(self.require_lock(quote_history_id).await?),
            _ => None,
        };
        let owner = self.owner().await;
        let known = self.known(id);
        let mut entry = match self.load(quote_history_id).await? {
            Stored::Entry(entry) if entry.is_of(id) => entry,
            _ => {
                return match known {
                    Some(known) if known.state == AttemptState::Created => {
                        refuse(Code::TransferDuplicatedByQuote)
                    }
                    Some(known) if known.state != AttemptState::Prepared => refuse(Code::OutcomeUnknown),
                    // Another page has discarded it, or made it: the progress decides.
                    Some(known) if !self.has_ended(&known) => {
                        let settled = self.settle(id, self.core.platform.elapsed_ms()).await;
                        match settled.map_err(|error| (error.code(), error)) {
                            Ok(_) => refuse(Code::TransferDuplicatedByQuote),
                            Err((Code::TransferFailed | Code::TransferDuplicatedByQuote, _)) => {
                                self.note_ended(&known, AttemptState::Discarded);
                                Ok(())
                            }
                            Err((_, error)) => Err(error),
                        }
                    }
                    // Nothing was sent from here since, but maybe from a copy of the journal.
                    Some(known) => self.require_unsent(&known).await,
                    None => Ok(()),
                };
            }
        };
        if !self.owns_as(owner, &mut entry).await? {
            return Err(foreign());
        }
        self.note_stored(&entry);
        // The journal may have been late with a write, or have failed to save that the transfer was made.
        let known_state = known.map_or(entry.state.clone(), |known| known.state);
        match (&entry.state, known_state) {
            (AttemptState::Prepared, AttemptState::Prepared) => {
                self.require_unsent(&entry).await?;
                self.remove(&entry).await?;
                self.note_ended(&entry, AttemptState::Discarded);
                Ok(())
            }
            (AttemptState::Created, _) | (_, AttemptState::Created) => {
                refuse(Code::TransferDuplicatedByQuote)
            }
            _ => refuse(Code::OutcomeUnknown),
        }
    }

    /// Removes a made transfer from the journal once the page has had time to show it.
    pub(super) async fn forget(&self, id: &AttemptId) -> Result<(), Error> {
        self.wait(SHOWN_AFTER_MS).await;
        self.acknowledge(id).await
    }

    /// Removes a made transfer from the journal, but for what its payment needs.
    pub(crate) async fn acknowledge(&self, id: &AttemptId) -> Result<(), Error> {
        let quote_history_id = &*id.quote_history_id;
        let state = self.known(id).map(|known| known.state);
        let entry = match self.load(quote_history_id).await? {
            Stored::Entry(entry) if entry.is_of(id) => entry,
            _ if state == Some(AttemptState::Sent) => return Err(unknown(quote_history_id)),
            _ => return Ok(()),
        };
        self.note_stored(&entry);
        match (&entry.state, state) {
            // The journal may have failed to save that it was made.
            (AttemptState::Created, _) | (_, Some(AttemptState::Created)) => {
                // Under the lock, so that a slow removal erases no later attempt with the quote; without it
                // while another tab keeps it: that attempt could not be made, as its quote is used.
                let _lock = self.lock_briefly(quote_history_id).await;
                self.remove_acknowledged(&entry).await
            }
            (AttemptState::Prepared, _) => {
                Err(Error::invalid(Code::InvalidRequest, "attempt", "submitted before"))
            }
            _ => Err(unknown(quote_history_id)),
        }
    }

    /// Returns the attempt that was prepared with the quote. Another body for it is an error of the caller,
    /// and so is another sender's quote.
    async fn prepared_before(&self, id: &str, request: JsonRef<'_>) -> Result<Option<Box<Entry>>, Error> {
        let mut entry = match self.load(id).await? {
            Stored::Nothing => return Ok(None),
            Stored::Entry(entry) => entry,
            Stored::Unreadable | Stored::Newer => return Err(taken(id)),
        };
        let payment_id = request.member("paymentId").and_then(PaymentId::read);
        if entry.is_acknowledged() && payment_id == entry.payment_id && self.owns(&mut entry).await? {
            return Err(self.already_made_by(&entry).await);
        }
        let nonce = request.text_of("nonce");
        let body = body_of(request, nonce.as_deref().unwrap_or(entry.nonce.as_str()));
        if body != entry.body || payment_id != entry.payment_id || !self.owns(&mut entry).await? {
            return Err(taken(id));
        }
        self.core.note_attempt(&entry);
        Ok(Some(entry))
    }

    /// Refuses a nonce of the page's own under which another attempt would be told of this one's transfer.
    fn checked_nonce(&self, nonce: Nonce, id: &QuoteId, request: JsonRef<'_>) -> Result<Nonce, Error> {
        let body = body_of(request, nonce.as_str());
        match self.has_other_with_nonce(&nonce, id, &body) {
            true => Err(Error::invalid(Code::InvalidRequest, "nonce", "one that no other transfer has")),
            false => Ok(nonce),
        }
    }

    /// Fetches a nonce that no other attempt has or had: a cache may answer with an earlier one.
    async fn fresh_nonce(&self) -> Result<Nonce, Error> {
        let reply = self.call(&NONCE, &[], None).await?;
        let nonce = reply.view().member("nonce").and_then(Nonce::read);
        let nonce = nonce.ok_or_else(|| Error::new(Code::UnreadableReply))?;
        match self.take_nonce(&nonce) {
            true => Ok(nonce),
            false => Err(Error::new(Code::NetworkFailure).with_developer_message(
                "GET /nonce returned a nonce that was used before, as from a cache.",
            )),
        }
    }

    /// Returns the state of an attempt by this client or the journal, whichever is further.
    async fn latest_state(&self, id: &AttemptId) -> Result<AttemptState, Error> {
        let known = self.known(id).map(|known| known.state);
        match known.filter(|state| *state != AttemptState::Prepared) {
            Some(state) => Ok(state),
            None => Ok(match self.load(&id.quote_history_id).await? {
                Stored::Entry(entry) if entry.is_of(id) => entry.state,
                _ => AttemptState::Prepared,
            }),
        }
    }
}

/// Returns the request as it is sent, with the same bytes each time.
fn body_of(request: JsonRef<'_>, nonce: &str) -> String {
    write_object(|out| {
        out.text_member("nonce", nonce);
        if let Shape::Record(fields) = TransferRequest::SHAPE {
            for field in fields.iter().filter(|field| !["nonce", "paymentId"].contains(&field.name)) {
                out.shaped_member(request, field);
            }
        }
    })
}

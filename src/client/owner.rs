//! The sender of a token. What one sender has sent is settled with that sender's tokens alone: to another
//! sender the service says that there is no such quote.

use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;

use super::call_context::{CallContext, Owner};
use super::exchange::SendOutcome;
use super::journal::Entry;
use super::tokens::{OWNER_TRIES, Token, owner_named, short_lived};
use super::{AttemptState, Reply};
use crate::api::json::Codec;
use crate::api::{Code, Error, GET_QUOTE, Operation, SENDER_ID, SenderId, option_name};

/// After how many refusals the sender of a token counts as unknown: a gateway may have answered.
const REFUSALS: u32 = 3;

impl CallContext {
    /// Returns the sender of the current token.
    pub(super) async fn owner(&self) -> Result<Owner, Error> {
        let unbound = self.for_sender(None);
        for _ in 0..OWNER_TRIES {
            let token = unbound.token().await?;
            if let Some(owner) = unbound.owner_of(&token) {
                return Ok(owner);
            }
            unbound.learn_owner(&token).await?;
        }
        Err(short_lived())
    }

    /// Whether the attempt belongs to this service and to the sender of the current token. While the sender
    /// is unknown, only the client that prepared an attempt owns it; one that was sent is then an error, as
    /// it may be this sender's.
    pub(super) async fn owns(&self, entry: &mut Entry) -> Result<bool, Error> {
        let owner = if self.is_of_service(entry) { self.owner().await } else { Ok(None) };
        self.owns_as(owner, entry).await
    }

    /// The same for a caller that fetches the owner before it reads the journal: the customer may have to
    /// sign in for that, and a tab without a common lock may send or discard meanwhile what was read.
    pub(super) async fn owns_as(
        &self,
        owner: Result<Owner, Error>,
        entry: &mut Entry,
    ) -> Result<bool, Error> {
        if !self.is_of_service(entry) {
            return Ok(false);
        }
        let owner = owner?;
        // The sender was unknown when it was prepared, or its entry cannot be read.
        let is_incomplete = entry.is_in_place_of_unreadable() && entry.expires_at_ms.is_none();
        if (entry.sender_id.is_none() || is_incomplete) && owner.is_some() {
            self.complete_by_quote(entry).await?;
        }
        let sender = owner_of(entry);
        let is_same = owner == sender && (sender.is_some() || self.is_known(entry));
        if !is_same && owner.is_none() && entry.state != AttemptState::Prepared {
            let token = self.token().await?;
            token.owner.take();
            token.owner_refusals.set(REFUSALS - 1);
            return Err(owner_unknown());
        }
        Ok(is_same)
    }

    /// Adds the sender that received the attempt's quote, which the service shows to no other, and the quote's
    /// end where the entry cannot tell it.
    pub(super) async fn complete_by_quote(&self, entry: &mut Entry) -> Result<(), Error> {
        let request = GET_QUOTE.request(&[entry.quote_history_id.as_str()], None)?;
        match self.send(&GET_QUOTE, request).await.into_result() {
            Ok(quote) => {
                let sender_id = quote.view().member("senderId").and_then(SenderId::read);
                entry.sender_id = sender_id.or_else(|| entry.sender_id.take());
                if entry.is_in_place_of_unreadable() {
                    let ends_at = quote.view().text_of("expirationDate");
                    let ends_at_ms = ends_at.and_then(|date| self.core.platform.parse_time_ms(&date));
                    entry.expires_at_ms = ends_at_ms.and_then(|ms| i64::try_from(ms).ok());
                }
                Ok(())
            }
            Err(error) if error.code() == Code::QuoteHistoryNotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn is_of_service(&self, entry: &Entry) -> bool {
        entry.service.as_deref() == Some(&*self.core.service())
    }

    pub(super) fn owner_of(&self, token: &Token) -> Option<Owner> {
        match &self.core.options.sender_id {
            Some(sender_id) => Some(owner_named(sender_id.as_str())),
            None => token.owner.borrow().clone(),
        }
    }

    /// Notes the sender of the token with which it was fetched.
    pub(super) fn note_owner(&self, operation: &Operation, token: &Token, reply: &Reply) {
        if operation.name == SENDER_ID.name {
            let owner = reply.view().text_of("senderId").and_then(|id| owner_named(&id));
            token.owner.replace(Some(owner));
        }
    }

    /// Asks the service for the sender of the current token; [`CallContext::send`] notes the answer. Boxed, as
    /// each call may ask, and this is a call.
    pub(super) fn learn_owner<'a>(&'a self, token: &'a Rc<Token>) -> LocalBoxFuture<'a, Result<(), Error>> {
        let asking = async move {
            let error = match self.send(&SENDER_ID, SENDER_ID.request(&[], None)?).await {
                SendOutcome::Reply(_) => return Ok(()),
                SendOutcome::Refused(error) | SendOutcome::Lost(error) | SendOutcome::NotSent(error) => error,
            };
            let is_refusal = error.code() == Code::UnreadableReply
                || matches!(error.http_status(), Some(400 | 403..=405 | 410 | 501));
            if !is_refusal || error.code() == Code::SenderUndetermined {
                return Err(error);
            }
            // A token that was renewed meanwhile was not refused.
            if Rc::ptr_eq(token, &self.token().await?) {
                token.owner_refusals.set(token.owner_refusals.get() + 1);
                if token.owner_refusals.get() == REFUSALS {
                    token.owner.replace(Some(None));
                }
            }
            Ok(())
        };
        asking.boxed_local()
    }
}

/// Returns the sender of an attempt, if known.
pub(super) fn owner_of(entry: &Entry) -> Owner {
    entry.sender_id.as_ref().and_then(|id| owner_named(id.as_str()))
}

fn owner_unknown() -> Error {
    let message = "The service does not name the token's sender, and a transfer in the journal may be that \
                   sender's. Try again, or set the sender.";
    Error::new(Code::ServiceUnavailable)
        .with_option_name(&option_name::SENDER_ID)
        .with_developer_message(message)
}

//! Whose a token is. What a sender has sent is settled with that sender's tokens alone: to another one the
//! service says that there is no such quote.

use std::pin::Pin;
use std::rc::Rc;

use super::effect::Effect;
use super::exchange::SendOutcome;
use super::flow::FlowContext;
use super::journal::Entry;
use super::safeguards::Safeguard;
use super::tokens::{Owner, Token, owner_named};
use super::{AttemptState, Reply};
use crate::api::json::Codec;
use crate::api::part::part;
use crate::api::{Code, Error, GET_QUOTE, Operation, SENDER_ID, Uuid};

/// A token is asked about so often before it is used: it may be renewed meanwhile.
const TRIES: u32 = 4;

type Learning<'a> = Pin<Box<dyn Future<Output = Result<(), Error>> + 'a>>;

struct Owners {
    learn: for<'a> fn(&'a FlowContext) -> Learning<'a>,
}

part! {
    "transfer", "03e5",
    /// The first quote names nobody, so nobody asks then whose the token is.
    fn owners() -> Owners { Owners { learn: |context| Box::pin(context.ask_owner()) } }
}

impl FlowContext {
    /// Whose the token is that is held now.
    pub(super) async fn owner(&self) -> Result<Owner, Error> {
        let unbound = self.bound_to(None);
        for _ in 0..TRIES {
            let token = unbound.token().await?;
            if let Some(owner) = unbound.owner_of(&token) {
                return Ok(owner);
            }
            unbound.learn_owner().await?;
        }
        Err(short_lived())
    }

    /// A token to use now.
    pub(super) async fn token(&self) -> Result<Rc<Token>, Error> {
        let inner = &*self.core.0;
        let asked_at_ms = inner.host.now_ms();
        if let Some(token) = inner.tokens.usable(asked_at_ms) {
            return Ok(token);
        }
        let json = self.text(Effect::Token).await?.unwrap_or_default();
        // Of those who waited for one answer the first has read it.
        match inner.tokens.usable(inner.host.now_ms()) {
            Some(token) => Ok(token),
            None => inner.tokens.take(&json, asked_at_ms),
        }
    }

    /// A token to use now, of the sender that this context is bound to.
    pub(super) async fn own_token(&self) -> Result<Rc<Token>, Error> {
        let Some(owner) = &self.sender else { return self.token().await };
        for _ in 0..TRIES {
            let token = self.token().await?;
            match self.owner_of(&token) {
                Some(found) if found == *owner || self.core.is_disabled(Safeguard::Sender) => {
                    return Ok(token);
                }
                Some(_) => return Err(foreign()),
                None => self.bound_to(None).learn_owner().await?,
            }
        }
        Err(short_lived())
    }

    /// Whether the attempt is this service's and of the sender whose token is held now. One of which nobody
    /// can tell whose it is is left alone, but for the client that has prepared it; what was sent is an error
    /// then, as nobody can tell that nothing is open.
    pub(super) async fn owns(&self, entry: &mut Entry) -> Result<bool, Error> {
        let owner = if self.is_of_service(entry) { self.owner().await } else { Ok(None) };
        self.owns_as(owner, entry).await
    }

    /// The same for whoever asks for the owner before reading the journal: the customer may have to sign in
    /// for that, and a tab without a common lock may send meanwhile what was read, or drop it.
    pub(super) async fn owns_as(
        &self,
        owner: Result<Owner, Error>,
        entry: &mut Entry,
    ) -> Result<bool, Error> {
        if !self.is_of_service(entry) {
            return Ok(false);
        }
        let is_disabled = |safeguard| self.core.is_disabled(safeguard);
        let owner = owner?;
        // It was prepared when nobody could tell whose it is.
        if entry.sender_id.is_none() && owner.is_some() {
            entry.sender_id = self.sender_of_quote(entry).await?;
        }
        let told = entry.sender_id.as_ref().and_then(|id| owner_named(id.as_str()));
        let is_same = owner == told && (told.is_some() || self.is_known(entry));
        if !is_same
            && owner.is_none()
            && entry.state != AttemptState::Prepared
            && !is_disabled(Safeguard::Sender)
        {
            let token = self.token().await?;
            token.owner.take();
            token.refusals.set(TRIES - 2);
            return Err(untold());
        }
        Ok(is_same || is_disabled(Safeguard::Sender))
    }

    /// Who was given the attempt's quote, which the service shows to nobody else.
    async fn sender_of_quote(&self, entry: &Entry) -> Result<Option<Uuid>, Error> {
        let request = GET_QUOTE.request(&[entry.quote_history_id.as_str()], None)?;
        match self.send(&GET_QUOTE, request).await.into_result() {
            Ok(quote) => Ok(quote.view().member("senderId").and_then(Uuid::read)),
            Err(error) if error.code() == Code::QuoteHistoryNotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn is_of_service(&self, entry: &Entry) -> bool {
        entry.service.as_deref() == Some(&*self.core.service()) || self.core.is_disabled(Safeguard::Service)
    }

    fn is_known(&self, entry: &Entry) -> bool {
        let attempts = self.core.0.attempts.borrow();
        attempts.find(entry.quote_history_id.as_str(), entry.nonce.as_str()).is_some()
    }

    pub(super) fn owner_of(&self, token: &Token) -> Option<Owner> {
        match &self.core.0.options.sender_id {
            Some(given) => Some(owner_named(given.as_str())),
            None => token.owner.borrow().clone(),
        }
    }

    /// Notes whose the token is that got this answer.
    pub(super) fn note_owner(&self, operation: &Operation, token: &Token, received: &Reply) {
        if operation.name == SENDER_ID.name {
            let told = received.view().text_of("senderId").and_then(|id| owner_named(&id));
            token.owner.replace(Some(told));
        }
    }

    /// Asks the service; [`FlowContext::send`] notes the answer at the token that it was given to.
    pub(super) fn learn_owner(&self) -> Learning<'_> {
        (owners().learn)(self)
    }

    async fn ask_owner(&self) -> Result<(), Error> {
        let error = match self.send(&SENDER_ID, SENDER_ID.request(&[], None)?).await {
            SendOutcome::Reply(_) => return Ok(()),
            SendOutcome::Refused(error) | SendOutcome::Lost(error) | SendOutcome::NotSent(error) => error,
        };
        let has_no_word = error.code() == Code::UnreadableReply
            || matches!(error.http_status(), Some(400 | 403..=405 | 410 | 501));
        if !has_no_word || error.code() == Code::SenderUndetermined {
            return Err(error);
        }
        // Anything on the way may have answered in the service's place, and then it is asked again.
        let token = self.token().await?;
        token.refusals.set(token.refusals.get() + 1);
        if token.refusals.get() == TRIES - 1 {
            token.owner.replace(Some(None));
        }
        Ok(())
    }
}

fn short_lived() -> Error {
    Error::new(Code::TokenUnavailable).of_option("token").saying("The tokens end too soon.")
}

fn untold() -> Error {
    Error::new(Code::ServiceUnavailable).of_option("senderId").saying(
        "The service does not tell whose the token is, and a transfer in the journal may be its sender's. Ask again, or give senderId.",
    )
}

pub(super) fn foreign() -> Error {
    Error::new(Code::AccessDenied)
        .saying("This transfer is another sender's or service's. Sign that sender in.")
}

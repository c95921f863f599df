//! Sender-level tokens: renewed before they end, and kept in memory alone.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, Shared, select};

use super::ClientCore;
use super::attempt_error::foreign;
use super::call_context::{CallContext, Owner};
use crate::api::{Code, Error, SenderToken, reveals};

/// How long a token source or a journal may take. One that never answers would block every call.
pub(super) const SOURCE_TIMEOUT_MS: u32 = 30_000;

/// How often the sender is asked for, until the token has a known one: it may be renewed meanwhile.
pub(super) const OWNER_TRIES: u32 = 5;

/// Returns the sender with this id. Ids are compared without case.
pub(super) fn owner_named(sender_id: &str) -> Owner {
    Some(sender_id.to_ascii_lowercase().into())
}

/// A sender-level token. No `Debug`: nothing may print it.
pub(super) struct Token {
    pub(super) bearer: String,
    renew_at_ms: u64,
    /// Its sender, once known.
    pub(super) owner: RefCell<Option<Owner>>,
    /// How often the service refused to name the sender.
    pub(super) owner_refusals: Cell<u32>,
    /// Whether the service has said that the token names no sender.
    is_client_level: Cell<bool>,
}

#[derive(Default)]
pub(super) struct Tokens {
    current: RefCell<Option<Rc<Token>>>,
    /// The last tokens of the source: a reply may echo one that has been renewed.
    recent: RefCell<Vec<Rc<Token>>>,
    request: RefCell<Option<TokenRequest>>,
}

/// A request to the token source, which all calls share that wait for a token.
#[derive(Clone)]
struct TokenRequest {
    replied: Shared<LocalBoxFuture<'static, ()>>,
    reply: Rc<OnceCell<Result<String, Error>>>,
    /// By the page's clock.
    requested_at_ms: u64,
    /// When the source has had its time, by the monotonic clock.
    ends_at_ms: u64,
}

const MAX_RECENT: usize = 4;

impl CallContext {
    /// Returns a token to use now, of the sender that this context is for, if it is for one.
    pub(super) async fn token(&self) -> Result<Rc<Token>, Error> {
        for _ in 0..OWNER_TRIES {
            let token = self.any_token().await?;
            let Some(sender) = &self.sender else { return Ok(token) };
            match self.owner_of(&token) {
                Some(owner) if owner == *sender => return Ok(token),
                Some(_) => return Err(foreign()),
                None => self.for_sender(None).learn_owner(&token).await?,
            }
        }
        Err(short_lived())
    }

    async fn any_token(&self) -> Result<Rc<Token>, Error> {
        let core = &*self.core;
        if let Some(token) = core.tokens.usable(core.platform.now_ms()) {
            return Ok(token);
        }
        let request = core.tokens.request(core);
        let replied = self.unless_cancelled(request.replied).await;
        let reply = replied.and_then(|()| request.reply.get().cloned());
        let json = reply.unwrap_or_else(|| Err(Error::new(Code::Aborted)))?;
        // The first waiter to resume has already stored the token.
        match core.tokens.usable(core.platform.now_ms()) {
            Some(token) => Ok(token),
            None => core.tokens.take(&json, request.requested_at_ms),
        }
    }
}

impl Tokens {
    fn usable(&self, now_ms: u64) -> Option<Rc<Token>> {
        self.current.borrow().clone().filter(|token| now_ms < token.renew_at_ms)
    }

    /// Returns the request to the token source that is in progress, or begins one.
    fn request(&self, core: &ClientCore) -> TokenRequest {
        // Nobody may have polled it since its callers left.
        let is_pending = |request: &TokenRequest| {
            request.replied.peek().is_none() && core.platform.elapsed_ms() < request.ends_at_ms
        };
        if let Some(request) = self.request.borrow().clone().filter(is_pending) {
            return request;
        }
        let platform = Rc::clone(&core.platform);
        let reply = Rc::new(OnceCell::new());
        let given = Rc::clone(&reply);
        let replied = async move {
            let reply = match select(platform.token(), platform.sleep(SOURCE_TIMEOUT_MS)).await {
                Either::Left((reply, _)) => reply,
                Either::Right(_) => Err(Error::new(Code::TokenUnavailable)
                    .with_option("token")
                    .with_developer_message("The token source did not answer in time.")),
            };
            drop(given.set(reply));
        };
        let ends_at_ms = core.platform.elapsed_ms().saturating_add(u64::from(SOURCE_TIMEOUT_MS));
        let replied = replied.boxed_local().shared();
        let request = TokenRequest { replied, reply, requested_at_ms: core.platform.now_ms(), ends_at_ms };
        let _earlier = self.request.replace(Some(request.clone()));
        request
    }

    /// Drops a token that the service refused, so that the next call fetches another. A newer one stays.
    pub(super) fn refuse(&self, refused: &Token) {
        let mut current = self.current.borrow_mut();
        if current.as_ref().is_some_and(|current| current.bearer == refused.bearer) {
            *current = None;
        }
    }

    /// Takes the reply of the token source, as JSON text.
    fn take(&self, json: &str, requested_at_ms: u64) -> Result<Rc<Token>, Error> {
        let token = SenderToken::from_source(json)?;
        let renew_at_ms = token.expires_in.map_or(u64::MAX, |seconds| renewal(requested_at_ms, seconds));
        let before = self.recent.borrow().iter().find(|known| known.bearer == token.access_token).cloned();
        // The same token has the same sender.
        let owner = RefCell::new(before.as_ref().and_then(|before| before.owner.borrow().clone()));
        if before.is_some_and(|before| before.is_client_level.get()) {
            return Err(client_level(Error::new(Code::SenderUndetermined)));
        }
        let (owner_refusals, is_client_level) = (Cell::new(0), Cell::new(false));
        let bearer = token.access_token;
        let token = Rc::new(Token { bearer, renew_at_ms, owner, owner_refusals, is_client_level });
        let mut recent = self.recent.borrow_mut();
        recent.truncate(MAX_RECENT - 1);
        recent.insert(0, Rc::clone(&token));
        self.current.replace(Some(Rc::clone(&token)));
        Ok(token)
    }

    /// Notes that the service took this token for a client-level one.
    pub(super) fn note_client_level(&self, token: &Token) {
        token.is_client_level.set(true);
        self.refuse(token);
    }

    /// Whether the text contains one of the tokens.
    pub(super) fn occur_in(&self, text: &str) -> bool {
        self.recent.borrow().iter().any(|token| reveals(text, &token.bearer))
    }

    /// Redacts a token that the service has echoed.
    pub(super) fn redact(&self, error: Error) -> Error {
        self.recent.borrow().iter().fold(error, |error, token| error.redacting(&token.bearer))
    }
}

/// Explains that the service found no sender: the token is not sender-level.
pub(super) fn client_level(error: Error) -> Error {
    error.with_option("token").with_developer_message(
        "token must be sender-level: this one names no sender. Have your server ask for it with sender_id.",
    )
}

pub(super) fn short_lived() -> Error {
    Error::new(Code::TokenUnavailable)
        .with_option("token")
        .with_developer_message("The tokens expire too soon.")
}

/// Returns when to renew a token: a minute or a tenth of its life before it ends, but not before half of its
/// life.
fn renewal(requested_at_ms: u64, expires_in_s: i64) -> u64 {
    let life_ms = u64::try_from(expires_in_s).unwrap_or(0).saturating_mul(1000);
    let margin = (life_ms / 10).max(60_000).min(life_ms / 2);
    requested_at_ms.saturating_add(life_ms - margin)
}

#[cfg(test)]
mod tests {
    use super::renewal;

    #[test]
    fn a_token_is_renewed_before_it_ends() {
        assert_eq!(renewal(0, 86_400), 86_400_000 - 8_640_000);
        assert_eq!(renewal(5, 300), 5 + 240_000);
        assert_eq!(renewal(0, 60), 30_000);
        assert_eq!(renewal(7, 0), 7);
        assert_eq!(renewal(7, -1), 7);
        assert!(renewal(7, i64::MAX) > u64::MAX / 2);
    }
}

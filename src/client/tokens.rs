//! Sender-level tokens: renewed before they end, and kept in memory alone.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::api::{Code, Error, SenderToken, tells};

/// The sender that a token stands for; `None` where the service does not tell.
pub(super) type Owner = Option<Rc<str>>;

/// The sender of this id, which may be written in capitals elsewhere.
pub(super) fn owner_named(sender_id: &str) -> Owner {
    Some(sender_id.to_ascii_lowercase().into())
}

/// A sender-level token and until when to use it. No `Debug`: nothing may print it.
pub struct Token {
    /// What goes behind `Bearer`.
    pub bearer: String,
    renew_at_ms: u64,
    /// Whose it is, once that was asked.
    pub(super) owner: RefCell<Option<Owner>>,
    /// How often that was refused.
    pub(super) refusals: Cell<u32>,
    /// Whether the service has said that it names no sender.
    is_client_level: Cell<bool>,
}

/// The token that is held, if one is.
#[derive(Default)]
pub(super) struct Tokens {
    held: RefCell<Option<Rc<Token>>>,
    /// The last ones that the source gave: a reply may echo one that has been renewed.
    given: RefCell<Vec<Rc<Token>>>,
}

const MOST_GIVEN: usize = 4;

impl Tokens {
    pub(super) fn usable(&self, now_ms: u64) -> Option<Rc<Token>> {
        self.held.borrow().clone().filter(|token| now_ms < token.renew_at_ms)
    }

    /// The service refused this token. Whoever is refused first makes the next call fetch another; a newer
    /// one stays.
    pub(super) fn refuse(&self, refused: &Token) {
        let mut held = self.held.borrow_mut();
        if held.as_ref().is_some_and(|held| held.bearer == refused.bearer) {
            *held = None;
        }
    }

    /// Keeps the token that the source gave, as JSON text.
    pub(super) fn take(&self, json: &str, asked_at_ms: u64) -> Result<Rc<Token>, Error> {
        let token = SenderToken::from_source(json)?;
        let renew_at_ms = token.expires_in.map_or(u64::MAX, |seconds| renewal(asked_at_ms, seconds));
        // The same token again is the same sender's, or nobody's.
        let before = self.find(&token.access_token);
        let owner = RefCell::new(before.as_ref().and_then(|before| before.owner.borrow().clone()));
        if before.is_some_and(|before| before.is_client_level.get()) {
            return Err(client_level(Error::new(Code::SenderUndetermined)));
        }
        let (refusals, is_client_level) = (Cell::new(0), Cell::new(false));
        let token =
            Rc::new(Token { bearer: token.access_token, renew_at_ms, owner, refusals, is_client_level });
        self.keep(&token);
        Ok(token)
    }

    fn keep(&self, token: &Rc<Token>) {
        let mut given = self.given.borrow_mut();
        given.truncate(MOST_GIVEN - 1);
        given.insert(0, Rc::clone(token));
        self.held.replace(Some(Rc::clone(token)));
    }

    /// The service took this token for a client's.
    pub(super) fn note_client_level(&self, token: &Token) {
        token.is_client_level.set(true);
        self.refuse(token);
    }

    /// The token that the source has given before.
    fn find(&self, bearer: &str) -> Option<Rc<Token>> {
        self.given.borrow().iter().find(|token| token.bearer == bearer).cloned()
    }

    /// Whether the text tells one of the tokens.
    pub(super) fn are_told_by(&self, text: &str) -> bool {
        self.given.borrow().iter().any(|token| tells(text, &token.bearer))
    }

    /// The error without a token that the service has echoed.
    pub(super) fn hide_in(&self, error: Error) -> Error {
        self.given.borrow().iter().fold(error, |error, token| error.hiding(&token.bearer))
    }
}

/// The service's word that no sender is named, which is to say that the token is not a sender's.
pub(super) fn client_level(error: Error) -> Error {
    error.of_option("token").saying(
        "token must be sender-level: this one names no sender. Have your server ask for it with sender_id.",
    )
}

/// Renewed a minute, or a tenth of its life, before it ends. One that lives no longer than that serves half
/// its life.
fn renewal(asked_at_ms: u64, expires_in_s: i64) -> u64 {
    let life_ms = u64::try_from(expires_in_s).unwrap_or(0).saturating_mul(1000);
    let margin = (life_ms / 10).max(60_000).min(life_ms / 2);
    asked_at_ms.saturating_add(life_ms - margin)
}

#[cfg(test)]
mod tests {
    use super::renewal;

    #[test]
    fn renewed_before_the_end() {
        assert_eq!(renewal(0, 86_400), 86_400_000 - 8_640_000);
        assert_eq!(renewal(5, 300), 5 + 240_000);
        assert_eq!(renewal(0, 60), 30_000);
        assert_eq!(renewal(7, 0), 7);
        assert_eq!(renewal(7, -1), 7);
        assert!(renewal(7, i64::MAX) > u64::MAX / 2);
    }
}

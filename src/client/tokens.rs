//! Sender-level tokens: fetched once for any number of waiting calls, renewed before they end, and kept in memory alone.

use std::cell::RefCell;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::Environment;
use super::environment::until_aborted;
use super::shared::Shared;
use crate::api::{Code, Error, SenderToken};

/// A token source gets this long.
const SOURCE_TIMEOUT_MS: u32 = 30_000;

/// A token and until when to use it. No `Debug`: nothing may print it.
pub(super) struct Token {
    pub(super) bearer: String,
    renew_at_ms: u64,
}

type Fetch = Shared<Result<Rc<Token>, Error>>;

enum State {
    Absent,
    Fetching(Fetch),
    Held(Rc<Token>),
}

pub(super) struct Tokens(Rc<RefCell<State>>);

impl Tokens {
    pub(super) fn new() -> Self {
        Tokens(Rc::new(RefCell::new(State::Absent)))
    }

    /// A token to use now.
    pub(super) async fn get<E: Environment>(
        &self,
        environment: &Rc<E>,
        signal: &E::Signal,
    ) -> Result<Rc<Token>, Error> {
        let fetch = match &*self.0.borrow() {
            State::Held(token) if environment.now_ms() < token.renew_at_ms => return Ok(token.clone()),
            State::Fetching(fetch) => Some(fetch.clone()),
            _ => None,
        };
        let fetch = fetch.unwrap_or_else(|| {
            let fetch = Shared::new(fetch_token(environment.clone(), Rc::clone(&self.0)).boxed_local());
            *self.0.borrow_mut() = State::Fetching(fetch.clone());
            fetch
        });
        until_aborted(&**environment, fetch, signal).await?
    }

    /// The service refused this token. Whoever refused it first makes the next call fetch another; a newer one stays.
    pub(super) fn refuse(&self, refused: &Rc<Token>) {
        let mut state = self.0.borrow_mut();
        if matches!(&*state, State::Held(held) if Rc::ptr_eq(held, refused)) {
            *state = State::Absent;
        }
    }
}

async fn fetch_token<E: Environment>(
    environment: Rc<E>,
    state: Rc<RefCell<State>>,
) -> Result<Rc<Token>, Error> {
    let asked_at_ms = environment.now_ms();
    let asked = select(Box::pin(environment.token()), Box::pin(environment.sleep(SOURCE_TIMEOUT_MS)));
    let answer = match asked.await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Error::new(Code::TokenUnavailable)
            .of_option("token")
            .saying("The token source did not answer in time.")),
    };
    let token = answer.and_then(|json| SenderToken::from_source(&json)).map(|token| {
        let renew_at_ms = token.expires_in.map_or(u64::MAX, |seconds| renewal(asked_at_ms, seconds));
        Rc::new(Token { bearer: token.access_token, renew_at_ms })
    });
    *state.borrow_mut() = match &token {
        Ok(token) => State::Held(token.clone()),
        Err(_) => State::Absent,
    };
    token
}

/// Renewed a minute, or a tenth of its life, before it ends. One that lives no longer than that serves half its life.
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

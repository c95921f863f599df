//! How long tokens, quotes and card sessions are valid. Testers can change this.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::locks::lock;

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seconds {
    pub(crate) token_seconds: i64,
    pub(crate) quote_seconds: i64,
    pub(crate) card_session_seconds: i64,
}

const DEFAULT: Seconds = Seconds { token_seconds: 3_600, quote_seconds: 900, card_session_seconds: 1_800 };

/// The lifetimes to change.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Changes {
    token_seconds: Option<i64>,
    quote_seconds: Option<i64>,
    card_session_seconds: Option<i64>,
}

impl Changes {
    pub(crate) fn are_valid(&self) -> bool {
        let changed = [self.token_seconds, self.quote_seconds, self.card_session_seconds];
        changed.into_iter().flatten().all(|seconds| (1..=86_400).contains(&seconds))
    }
}

#[derive(Debug)]
pub(crate) struct Lifetimes(Mutex<Seconds>);

impl Default for Lifetimes {
    fn default() -> Self {
        Self(Mutex::new(DEFAULT))
    }
}

impl Lifetimes {
    pub(crate) fn get(&self) -> Seconds {
        *lock(&self.0)
    }

    pub(crate) fn change(&self, changes: Changes) -> Seconds {
        let mut seconds = lock(&self.0);
        *seconds = Seconds {
            token_seconds: changes.token_seconds.unwrap_or(seconds.token_seconds),
            quote_seconds: changes.quote_seconds.unwrap_or(seconds.quote_seconds),
            card_session_seconds: changes.card_session_seconds.unwrap_or(seconds.card_session_seconds),
        };
        *seconds
    }

    pub(crate) fn reset(&self) {
        *lock(&self.0) = DEFAULT;
    }
}

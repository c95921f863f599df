//! How long what the service hands out is good for, which a tester can shorten.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::config::Config;

/// In seconds.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seconds {
    pub(crate) token_seconds: i64,
    pub(crate) quote_seconds: i64,
    pub(crate) card_session_seconds: i64,
}

/// What a tester changes; the rest stays.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Change {
    token_seconds: Option<i64>,
    quote_seconds: Option<i64>,
    card_session_seconds: Option<i64>,
}

impl Change {
    pub(crate) fn is_possible(self) -> bool {
        let all = [self.token_seconds, self.quote_seconds, self.card_session_seconds];
        all.into_iter().flatten().all(|seconds| (1..=86_400).contains(&seconds))
    }
}

#[derive(Debug)]
pub(crate) struct Lifetimes {
    at_the_start: Seconds,
    now: Mutex<Seconds>,
}

impl Lifetimes {
    pub(crate) fn new(config: &Config) -> Self {
        let at_the_start = Seconds {
            token_seconds: config.token_seconds,
            quote_seconds: config.quote_seconds,
            card_session_seconds: config.card_session_seconds,
        };
        Self { at_the_start, now: Mutex::new(at_the_start) }
    }

    pub(crate) fn get(&self) -> Seconds {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn change(&self, change: Change) {
        let now = self.get();
        self.set(Seconds {
            token_seconds: change.token_seconds.unwrap_or(now.token_seconds),
            quote_seconds: change.quote_seconds.unwrap_or(now.quote_seconds),
            card_session_seconds: change.card_session_seconds.unwrap_or(now.card_session_seconds),
        });
    }

    pub(crate) fn reset(&self) {
        self.set(self.at_the_start);
    }

    fn set(&self, seconds: Seconds) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = seconds;
    }
}

//! How long what the service hands out is good for, which a tester can shorten.

use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::config::Config;

/// In seconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Seconds {
    pub(crate) token_seconds: i64,
    pub(crate) quote_seconds: i64,
    pub(crate) card_session_seconds: i64,
}

impl Seconds {
    /// What a tester names is changed; the rest stays.
    pub(crate) fn changed(self, mut changes: Map<String, Value>) -> Value {
        changes.retain(|_, seconds| !seconds.is_null());
        if let Value::Object(all) = json!(self) {
            all.into_iter().for_each(|(name, seconds)| {
                changes.entry(name).or_insert(seconds);
            });
        }
        Value::Object(changes)
    }

    pub(crate) fn are_possible(self) -> bool {
        let all = [self.token_seconds, self.quote_seconds, self.card_session_seconds];
        all.into_iter().all(|seconds| (1..=86_400).contains(&seconds))
    }
}

#[derive(Debug)]
pub(crate) struct Lifetimes {
    at_the_start: Seconds,
    now: Mutex<Seconds>,
}

impl Lifetimes {
    pub(crate) fn new(config: &Config) -> Self {
        let &Config { token_seconds, quote_seconds, card_session_seconds, .. } = config;
        let at_the_start = Seconds { token_seconds, quote_seconds, card_session_seconds };
        Self { at_the_start, now: Mutex::new(at_the_start) }
    }

    pub(crate) fn get(&self) -> Seconds {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, seconds: Seconds) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = seconds;
    }

    pub(crate) fn reset(&self) {
        self.set(self.at_the_start);
    }
}

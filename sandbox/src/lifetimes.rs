//! How long tokens, quotes and card sessions are valid. Testers can change this.

use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::locks::lock;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Seconds {
    pub(crate) token_seconds: i64,
    pub(crate) quote_seconds: i64,
    pub(crate) card_session_seconds: i64,
}

const DEFAULT: Seconds = Seconds { token_seconds: 3_600, quote_seconds: 900, card_session_seconds: 1_800 };

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

    pub(crate) fn set(&self, seconds: Seconds) {
        *lock(&self.0) = seconds;
    }

    pub(crate) fn reset(&self) {
        self.set(DEFAULT);
    }
}

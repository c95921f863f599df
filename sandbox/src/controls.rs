use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::card_session::Behaviour;
use crate::faults::Fault;

/// What testers have set, apart from records and clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct Controls {
    /// The pending faults, in the order of their creation.
    pub(crate) faults: Vec<Fault>,
    /// The behaviors of the next card sessions.
    pub(crate) card_sessions: VecDeque<Behaviour>,
    pub(crate) lifetimes: Lifetimes,
}

/// How long what is issued from now on is valid.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Lifetimes {
    pub(crate) token_seconds: i64,
    pub(crate) quote_seconds: i64,
    pub(crate) card_session_seconds: i64,
}

impl Default for Lifetimes {
    fn default() -> Self {
        Self { token_seconds: 3_600, quote_seconds: 900, card_session_seconds: 1_800 }
    }
}

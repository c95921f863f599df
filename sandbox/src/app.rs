use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use serde::{Deserialize, Serialize};

use crate::card_session::Behaviour;
use crate::clock::Clock;
use crate::config::Config;
use crate::contract::Monitor;
use crate::faults::Fault;
use crate::ids::Ids;
use crate::in_flight::InFlight;
use crate::locks::lock;
use crate::log::RequestLog;
use crate::signer::Signer;
use crate::store::Store;

/// The state of one sandbox, shared by all handlers.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) store: Store,
    pub(crate) ids: Ids,
    /// Separate from `ids`, so that the number of requests does not change other identifiers.
    pub(crate) request_ids: Ids,
    pub(crate) signer: Signer,
    pub(crate) log: RequestLog,
    pub(crate) in_flight: InFlight,
    pub(crate) controls: Mutex<Controls>,
    pub(crate) monitor: Monitor,
}

impl App {
    pub(crate) fn controls(&self) -> MutexGuard<'_, Controls> {
        lock(&self.controls)
    }

    /// Forgets what testers have set, and the request log.
    pub(crate) fn clear_control_state(&self) {
        *self.controls() = Controls::default();
        self.log.clear();
    }
}

#[derive(Debug, Default)]
pub(crate) struct Controls {
    /// The pending faults, in the order of their creation.
    pub(crate) faults: Vec<Fault>,
    /// The behaviours of the next card sessions.
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

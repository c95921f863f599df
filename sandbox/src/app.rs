use crate::card_session::behaviour::Behaviours;
use crate::clock::Clock;
use crate::config::Config;
use crate::contract::monitor::Monitor;
use crate::faults::Faults;
use crate::ids::Ids;
use crate::in_flight::InFlight;
use crate::lifetimes::Lifetimes;
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
    pub(crate) faults: Faults,
    pub(crate) in_flight: InFlight,
    pub(crate) card_sessions: Behaviours,
    pub(crate) lifetimes: Lifetimes,
    pub(crate) monitor: Monitor,
}

impl App {
    /// Forgets what testers have set, and the request log.
    pub(crate) fn clear_control_state(&self) {
        self.faults.clear();
        self.card_sessions.clear();
        self.lifetimes.reset();
        self.log.clear();
    }
}

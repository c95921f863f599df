//! The state of one running sandbox.

use crate::card_session::Behaviours;
use crate::clock::Clock;
use crate::config::Config;
use crate::contract::watch::Watch;
use crate::faults::Faults;
use crate::ids::Ids;
use crate::in_flight::InFlight;
use crate::lifetimes::Lifetimes;
use crate::log::RequestLog;
use crate::seal::Seal;
use crate::store::Store;

/// What the handlers share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) store: Store,
    pub(crate) ids: Ids,
    /// Numbers requests apart from everything else, so that they don't shift the other identifiers.
    pub(crate) request_ids: Ids,
    pub(crate) seal: Seal,
    pub(crate) log: RequestLog,
    pub(crate) faults: Faults,
    pub(crate) in_flight: InFlight,
    pub(crate) card_sessions: Behaviours,
    pub(crate) lifetimes: Lifetimes,
    pub(crate) watch: Watch,
}

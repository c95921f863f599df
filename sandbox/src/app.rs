use std::collections::VecDeque;
use std::fs::File;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::clock::Clock;
use crate::config::Config;
use crate::contract::Monitor;
use crate::controls::Controls;
use crate::ids::Ids;
use crate::in_flight::InFlight;
use crate::locks::lock;
use crate::log::RequestLog;
use crate::signer::Signer;
use crate::snapshot::Snapshot;
use crate::store::Store;
use crate::webhooks::delivery::Webhooks;
use crate::world::World;

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
    /// Without what testers add by requests.
    pub(crate) initial_world: Arc<World>,
    pub(crate) world: Mutex<Arc<World>>,
    pub(crate) controls: Mutex<Controls>,
    pub(crate) snapshots: Mutex<VecDeque<Snapshot>>,
    pub(crate) webhooks: Webhooks,
    pub(crate) monitor: Monitor,
    /// Once it is served.
    pub(crate) card_port: OnceLock<u16>,
    /// Held as long as the sandbox lives.
    pub(crate) _file_lock: Option<File>,
}

impl App {
    pub(crate) fn world(&self) -> Arc<World> {
        Arc::clone(&lock(&self.world))
    }

    pub(crate) fn set_world(&self, world: Arc<World>) {
        *lock(&self.world) = world;
    }

    pub(crate) fn controls(&self) -> MutexGuard<'_, Controls> {
        lock(&self.controls)
    }

    pub(crate) fn snapshots(&self) -> MutexGuard<'_, VecDeque<Snapshot>> {
        lock(&self.snapshots)
    }

    /// Forgets what testers have set, and the request log.
    pub(crate) fn clear_control_state(&self) {
        *self.controls() = Controls::default();
        self.log.clear();
        self.webhooks.clear();
    }
}

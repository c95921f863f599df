use std::collections::VecDeque;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::locks::lock;

/// How the form of a session behaves, for testers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum Behaviour {
    #[default]
    Normal,
    /// The session has expired when the form opens.
    Expired,
    /// The form shows, and never sends a message to the embedding page.
    Silent,
    /// The form is redirected to another origin.
    WrongOrigin,
    /// The form does not load.
    FailsToLoad,
}

/// The behaviours of the next sessions.
#[derive(Debug, Default)]
pub(crate) struct Behaviours(Mutex<VecDeque<Behaviour>>);

impl Behaviours {
    const CAPACITY: usize = 100;

    /// Queues a behaviour unless the queue is full.
    pub(crate) fn push(&self, behaviour: Behaviour) -> bool {
        let mut next = lock(&self.0);
        let has_room = next.len() < Self::CAPACITY;
        if has_room {
            next.push_back(behaviour);
        }
        has_room
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }

    pub(super) fn take(&self) -> Behaviour {
        lock(&self.0).pop_front().unwrap_or_default()
    }
}

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use uuid::Uuid;

use crate::locks::lock;

/// The quotes with a submission in progress, and how many each has.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashMap<Uuid, usize>>>);

/// A submission in progress. Dropping it ends the submission, also when the caller hangs up.
#[derive(Debug)]
pub(crate) struct Submission {
    all: InFlight,
    quote: Uuid,
}

impl InFlight {
    pub(crate) fn enter(&self, quote: Uuid) -> Submission {
        *lock(&self.0).entry(quote).or_default() += 1;
        Submission { all: self.clone(), quote }
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }

    pub(crate) fn contains(&self, quote: Uuid) -> bool {
        lock(&self.0).contains_key(&quote)
    }
}

impl Drop for Submission {
    fn drop(&mut self) {
        let mut counts = lock(&self.all.0);
        if let Some(count) = counts.get_mut(&self.quote) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.quote);
            }
        }
    }
}

use std::sync::{Arc, Mutex};

use uuid::Uuid;

use crate::locks::lock;

/// The quote of each submission in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<Vec<Uuid>>>);

/// A submission in progress. Dropping it ends the submission, also when the caller hangs up.
#[derive(Debug)]
pub(crate) struct Submission {
    all: InFlight,
    quote: Uuid,
}

impl InFlight {
    pub(crate) fn enter(&self, quote: Uuid) -> Submission {
        lock(&self.0).push(quote);
        Submission { all: self.clone(), quote }
    }

    pub(crate) fn clear(&self) {
        lock(&self.0).clear();
    }

    pub(crate) fn contains(&self, quote: Uuid) -> bool {
        lock(&self.0).contains(&quote)
    }
}

impl Drop for Submission {
    fn drop(&mut self) {
        let mut quotes = lock(&self.all.0);
        if let Some(at) = quotes.iter().position(|quote| *quote == self.quote) {
            quotes.swap_remove(at);
        }
    }
}

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use uuid::Uuid;

/// The quotes that are being submitted at this moment, with how many times.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashMap<Uuid, usize>>>);

/// A submission under way. It ends with this value, also when its caller hangs up.
#[derive(Debug)]
pub(crate) struct Submitting {
    all: InFlight,
    quote: Uuid,
}

impl InFlight {
    pub(crate) fn enter(&self, quote: Uuid) -> Submitting {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(quote).or_default() += 1;
        Submitting { all: self.clone(), quote }
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(crate) fn contains(&self, quote: Uuid) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&quote)
    }
}

impl Drop for Submitting {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.quote) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.quote);
            }
        }
    }
}

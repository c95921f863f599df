//! What strayed from the document, within a bound.

use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// How many violations are kept; the rest are counted.
const MOST: usize = 200;

/// A place where an exchange strayed from the document. It names the place and the rule, never the value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The document's name for the operation; method and route where it has none.
    pub operation: String,
    /// The status of the reply.
    pub status: u16,
    /// Where in the exchange: `query amount`, `request /fields/0`, `reply /quote/rate`.
    pub at: String,
    /// What the document says there.
    pub rule: String,
    /// The test that ran, where it was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Violations(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    violations: Vec<Violation>,
    total: u64,
    checked: u64,
}

impl Violations {
    /// Counts an exchange, and keeps what was wrong with it.
    #[cfg_attr(not(feature = "contract"), allow(dead_code))]
    pub(super) fn count(&self, found: Vec<Violation>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.checked += 1;
        for violation in found {
            kept.total += 1;
            if kept.violations.len() < MOST {
                kept.violations.push(violation);
            }
        }
    }

    /// What is kept, how many there were, and how many exchanges were looked at.
    pub(crate) fn all(&self) -> (Vec<Violation>, u64, u64) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (kept.violations.clone(), kept.total, kept.checked)
    }
}

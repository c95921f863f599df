//! How a transfer goes on (interface, part 3).
//!
//! What will happen is written down at once, with its times; what has happened by now is what the
//! clock has passed. So a moved clock needs nothing else to move.

pub(crate) mod endpoints;

use serde::{Deserialize, Serialize};

use crate::clock::SECOND;
use crate::corridor::TransferMethod;

/// A status of a transfer, from a time on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) at: i64,
    pub(crate) status: String,
}

impl Step {
    fn new(at: i64, status: &str) -> Self {
        Self { at, status: status.to_owned() }
    }
}

/// From the release of the last hold to the start of processing.
const QUEUE: i64 = 3 * SECOND;

/// How long a transfer takes from its start to its end.
pub(crate) fn delivery_time(method: TransferMethod) -> i64 {
    let seconds = match method {
        TransferMethod::PushToCard => 12,
        TransferMethod::MobileWallet => 60,
        TransferMethod::CashPickup => 600,
        TransferMethod::BankAccount | TransferMethod::AccountFunding => 86_400,
    };
    seconds * SECOND
}

/// The steps of a transfer, the oldest first. A transfer begins with one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    pub(crate) fn begin(now: i64) -> Self {
        Self(vec![Step::new(now, "Initiated")])
    }

    /// The steps up to now.
    pub(crate) fn until(&self, now: i64) -> impl DoubleEndedIterator<Item = &Step> {
        self.0.iter().filter(move |step| step.at <= now)
    }

    /// The status of now, and since when.
    pub(crate) fn latest(&self, now: i64) -> Step {
        self.until(now).next_back().cloned().unwrap_or_else(|| Step::new(now, "Unknown"))
    }

    /// Forgets what was to happen after now.
    pub(crate) fn forget_future(&mut self, now: i64) {
        self.0.retain(|step| step.at <= now);
    }

    /// Writes down what happens from the release of the last hold on.
    pub(crate) fn schedule(&mut self, method: TransferMethod, released: i64, will_fail: bool) {
        let end = if will_fail { "Failed" } else { "Complete" };
        self.0.push(Step::new(released + QUEUE, "Pending"));
        self.0.push(Step::new(released + delivery_time(method), end));
    }

    /// Writes down that the transfer is taken back.
    pub(crate) fn cancel(&mut self, now: i64) {
        self.forget_future(now);
        self.0.push(Step::new(now, "Pending Cancelation"));
        self.0.push(Step::new(now + QUEUE, "Canceled"));
    }
}

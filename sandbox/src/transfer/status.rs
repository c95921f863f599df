//! How a transfer proceeds (interface, part 3). All steps are recorded with their times in advance; those
//! that the clock has passed have happened. So advancing the clock needs no other updates.

use serde::{Deserialize, Serialize};

use crate::clock::SECOND;
use crate::transfer_method::TransferMethod;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) at: i64,
    pub(crate) status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

impl Step {
    fn new(at: i64, status: &str) -> Self {
        Self { at, status: status.to_owned(), reason: None }
    }

    /// Whether nothing follows.
    pub(super) fn is_last(&self) -> bool {
        ["Complete", "Failed", "Pending Cancelation", "Canceled"].contains(&self.status.as_str())
    }
}

/// From the release of the last hold to the start of processing.
const QUEUE_TIME: i64 = 3 * SECOND;

/// Returns the time from the release of the last hold to delivery.
pub(crate) fn delivery_time(method: TransferMethod) -> i64 {
    let seconds = match method {
        TransferMethod::PushToCard => 12,
        TransferMethod::MobileWallet => 60,
        TransferMethod::CashPickup => 600,
        TransferMethod::BankAccount | TransferMethod::AccountFunding => 86_400,
    };
    seconds * SECOND
}

/// The past and future steps of a transfer, the oldest first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    pub(crate) fn begin(now: i64) -> Self {
        Self(vec![Step::new(now, "Initiated")])
    }

    pub(crate) fn until(&self, now: i64) -> impl DoubleEndedIterator<Item = &Step> {
        self.0.iter().filter(move |step| step.at <= now)
    }

    pub(crate) fn latest(&self, now: i64) -> Step {
        self.until(now).next_back().cloned().unwrap_or_else(|| Step::new(now, "Unknown"))
    }

    /// Returns the step with this status, or one as if it were reached now.
    pub(crate) fn named(&self, status: &str, now: i64) -> Step {
        let known = self.0.iter().find(|step| step.status.eq_ignore_ascii_case(status));
        known.cloned().unwrap_or_else(|| Step::new(now, status))
    }

    pub(crate) fn drop_future(&mut self, now: i64) {
        self.0.retain(|step| step.at <= now);
    }

    /// Adds the steps that follow the release of the last hold.
    pub(crate) fn schedule(&mut self, method: TransferMethod, released: i64, will_fail: bool) {
        let end = if will_fail { "Failed" } else { "Complete" };
        self.0.push(Step::new(released + QUEUE_TIME, "Pending"));
        self.0.push(Step::new(released + delivery_time(method), end));
    }

    pub(crate) fn cancel(&mut self, now: i64, reason: &str) {
        self.drop_future(now);
        for (at, status) in [(now, "Pending Cancelation"), (now + QUEUE_TIME, "Canceled")] {
            self.0.push(Step { reason: Some(reason.to_owned()), ..Step::new(at, status) });
        }
    }

    /// Replaces the future steps by a failure.
    pub(crate) fn fail(&mut self, now: i64, at: i64, reason: Option<String>) {
        self.drop_future(now);
        if self.latest(now).status == "Initiated" {
            self.0.push(Step::new(now, "Pending"));
        }
        self.0.push(Step { reason, ..Step::new(at, "Failed") });
    }
}

use serde::{Deserialize, Serialize};

/// The limits of a sender and of each of the sender's recipients. Amounts are US cents; `None` means no
/// limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Limits {
    pub(crate) send24_hours: Option<i64>,
    pub(crate) send7_days: Option<i64>,
    pub(crate) total_cost24_hours: Option<i64>,
    pub(crate) count24_hours: Option<i64>,
    pub(crate) count7_days: Option<i64>,
    pub(crate) recipient24_hours: Option<i64>,
    pub(crate) recipient7_days: Option<i64>,
    pub(crate) recipient_month: Option<i64>,
    pub(crate) recipient_count24_hours: Option<i64>,
    pub(crate) recipient_count_month: Option<i64>,
    pub(crate) one_transfer: Option<i64>,
}

impl Limits {
    /// The limits of the announced sender: any number of transfers.
    pub(crate) fn wide() -> Self {
        Self { one_transfer: Some(1_000_000), ..Self::default() }
    }

    /// Whether any limit depends on earlier transfers.
    pub(crate) fn need_totals(&self) -> bool {
        *self != Self { one_transfer: self.one_transfer, ..Self::default() }
    }
}

//! What a sender may send and a recipient may get in a time (interface, parts 7 and 8).

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clock::DAY;
use crate::error::{ApiError, ErrorCode, Problem};

/// The limits of a sender, and of each of the sender's recipients. Amounts are US cents; what is
/// `None` has no limit.
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
    /// What a new sender gets.
    pub(crate) fn standard() -> Self {
        Self {
            send24_hours: Some(300_000),
            send7_days: Some(1_000_000),
            total_cost24_hours: Some(310_000),
            count24_hours: Some(10),
            count7_days: Some(30),
            recipient24_hours: Some(250_000),
            recipient7_days: Some(800_000),
            recipient_month: Some(2_000_000),
            recipient_count24_hours: Some(8),
            recipient_count_month: Some(40),
            one_transfer: Some(1_000_000),
        }
    }

    /// What the announced sender has: tests may send as often as they like.
    pub(crate) fn wide() -> Self {
        Self { one_transfer: Some(1_000_000), ..Self::default() }
    }

    /// Whether there is any limit but that of one transfer.
    fn add_up(&self) -> bool {
        *self != Self { one_transfer: self.one_transfer, ..Self::default() }
    }
}

/// What no transfer may exceed, in US cents, so that no sum of them can leave 64 bits.
const LARGEST: i64 = 100_000_000_000_000;

/// A transfer that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    pub(crate) sender: Uuid,
    pub(crate) recipient: Uuid,
    pub(crate) cents: i64,
    pub(crate) cost_cents: i64,
    pub(crate) now: i64,
}

/// Holds a transfer against the limits.
pub(crate) fn check(connection: &Connection, limits: &Limits, planned: &Planned) -> Result<(), ApiError> {
    let most = limits.one_transfer.unwrap_or(LARGEST).min(LARGEST);
    if planned.cents > most || planned.cost_cents > LARGEST {
        return Err(Problem::new(ErrorCode::MaxLimitOutOfRange).at("amount").into());
    }
    if limits.add_up() {
        check_sender(connection, limits, planned)?;
        check_recipient(connection, limits, planned)?;
    }
    Ok(())
}

/// Fails with `code` where `used` has come to the limit.
fn reached(limit: Option<i64>, used: i64, code: ErrorCode) -> Result<(), ApiError> {
    match limit {
        Some(limit) if used >= limit => Err(code.into()),
        _ => Ok(()),
    }
}

/// Fails with `code` where `more` would go beyond the limit.
fn exceeded(limit: Option<i64>, used: i64, more: i64, code: ErrorCode) -> Result<(), ApiError> {
    match limit {
        Some(limit) if used.saturating_add(more) > limit => Err(code.into()),
        _ => Ok(()),
    }
}

fn check_sender(connection: &Connection, limits: &Limits, planned: &Planned) -> Result<(), ApiError> {
    let (count_day, count_week, sent_day, sent_week, cost_day): (i64, i64, i64, i64, i64) = connection
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE created_at > ?2), count(*),
                 coalesce(sum(cents) FILTER (WHERE created_at > ?2), 0), coalesce(sum(cents), 0),
                 coalesce(sum(cost_cents) FILTER (WHERE created_at > ?2), 0)
                 FROM transfers WHERE sender = ?1 AND created_at > ?3 AND counts = 1",
        )?
        .query_row(params![planned.sender.to_string(), planned.now - DAY, planned.now - 7 * DAY], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        })?;
    use ErrorCode as Code;
    let Planned { cents, cost_cents, .. } = *planned;
    reached(limits.count24_hours, count_day, Code::Max24HourTransferCountLimitReached)?;
    reached(limits.count7_days, count_week, Code::Max7DaysTransferCountLimitReached)?;
    reached(limits.send24_hours, sent_day, Code::Max24HourSendAmountLimitReached)?;
    reached(limits.send7_days, sent_week, Code::Max7DaysSendAmountLimitReached)?;
    reached(limits.total_cost24_hours, cost_day, Code::Max24HourTotalCostLimitReached)?;
    let code = Code::Max24HourSendAmountLimitReachedExceed;
    exceeded(limits.send24_hours, sent_day, cents, code)?;
    let code = Code::Max7DaysSendAmountLimitReachedExceed;
    exceeded(limits.send7_days, sent_week, cents, code)?;
    let code = Code::Max24HourTotalCostLimitReachedExceed;
    exceeded(limits.total_cost24_hours, cost_day, cost_cents, code)
}

fn check_recipient(connection: &Connection, limits: &Limits, planned: &Planned) -> Result<(), ApiError> {
    let (count_day, count_month, day, week, month): (i64, i64, i64, i64, i64) = connection
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE created_at > ?2), count(*),
             coalesce(sum(cents) FILTER (WHERE created_at > ?2), 0),
             coalesce(sum(cents) FILTER (WHERE created_at > ?3), 0), coalesce(sum(cents), 0)
             FROM transfers WHERE recipient = ?1 AND created_at > ?4 AND counts = 1",
        )?
        .query_row(
            params![
                planned.recipient.to_string(),
                planned.now - DAY,
                planned.now - 7 * DAY,
                planned.now - 30 * DAY
            ],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        )?;
    use ErrorCode as Code;
    let code = Code::Max24HourRecipientTransferCountLimitReached;
    reached(limits.recipient_count24_hours, count_day, code)?;
    let code = Code::MaxMonthlyRecipientTransferCountLimitReached;
    reached(limits.recipient_count_month, count_month, code)?;
    let more = planned.cents;
    let code = Code::Max24HourRecipientSendAmountLimitReached;
    reached(limits.recipient24_hours, day, code)?;
    exceeded(limits.recipient24_hours, day, more, code)?;
    let code = Code::Max7DaysRecipientSendAmountLimitReached;
    reached(limits.recipient7_days, week, code)?;
    exceeded(limits.recipient7_days, week, more, code)?;
    let code = Code::MaxMonthlyRecipientSendAmountLimitReached;
    reached(limits.recipient_month, month, code)?;
    exceeded(limits.recipient_month, month, more, code)
}

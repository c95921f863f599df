//! The limits of senders and recipients (interface, parts 7 and 8).

use rusqlite::{Params, Row};

use crate::clock::DAY;
use crate::endpoint::*;
use crate::sender_limits::Limits;

/// The largest transfer in US cents, so that no total overflows 64 bits.
const LARGEST: i64 = 100_000_000_000_000;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Planned {
    pub(crate) sender: Uuid,
    pub(crate) recipient: Uuid,
    pub(crate) cents: i64,
    pub(crate) cost_cents: i64,
    pub(crate) now: i64,
}

pub(crate) fn check(db: &Connection, limits: &Limits, planned: &Planned) -> Result {
    let max = limits.one_transfer.unwrap_or(LARGEST).min(LARGEST);
    if planned.cents > max || planned.cost_cents > LARGEST {
        return Err(Problem::new(ErrorCode::MaxLimitOutOfRange).at("amount").into());
    }
    if limits.need_totals() {
        check_sender(db, limits, planned)?;
        check_recipient(db, limits, planned)?;
    }
    Ok(())
}

/// Fails with `code` if nothing of the limit is left.
fn reached(limit: Option<i64>, used: i64, code: ErrorCode) -> Result {
    if limit.is_some_and(|limit| used >= limit) { Err(code.into()) } else { Ok(()) }
}

/// Fails with `code` if `more` exceeds what is left of the limit.
fn exceeded(limit: Option<i64>, used: i64, more: i64, code: ErrorCode) -> Result {
    if limit.is_some_and(|limit| used.saturating_add(more) > limit) { Err(code.into()) } else { Ok(()) }
}

fn five_totals(db: &Connection, query: &str, params: impl Params) -> rusqlite::Result<[i64; 5]> {
    let read = |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]);
    db.prepare_cached(query)?.query_row(params, read)
}

fn check_sender(db: &Connection, limits: &Limits, planned: &Planned) -> Result {
    use ErrorCode as C;
    let query = "SELECT count(*) FILTER (WHERE created_at > ?2), count(*),
        coalesce(sum(cents) FILTER (WHERE created_at > ?2), 0), coalesce(sum(cents), 0),
        coalesce(sum(cost_cents) FILTER (WHERE created_at > ?2), 0)
        FROM transfers WHERE sender = ?1 AND created_at > ?3 AND counts = 1";
    let &Planned { cents, cost_cents, now, .. } = planned;
    let params = (planned.sender.to_string(), now - DAY, now - 7 * DAY);
    let [count_day, count_week, sent_day, sent_week, cost_day] = five_totals(db, query, params)?;
    reached(limits.count24_hours, count_day, C::Max24HourTransferCountLimitReached)?;
    reached(limits.count7_days, count_week, C::Max7DaysTransferCountLimitReached)?;
    reached(limits.send24_hours, sent_day, C::Max24HourSendAmountLimitReached)?;
    reached(limits.send7_days, sent_week, C::Max7DaysSendAmountLimitReached)?;
    reached(limits.total_cost24_hours, cost_day, C::Max24HourTotalCostLimitReached)?;
    exceeded(limits.send24_hours, sent_day, cents, C::Max24HourSendAmountLimitReachedExceed)?;
    exceeded(limits.send7_days, sent_week, cents, C::Max7DaysSendAmountLimitReachedExceed)?;
    exceeded(limits.total_cost24_hours, cost_day, cost_cents, C::Max24HourTotalCostLimitReachedExceed)
}

fn check_recipient(db: &Connection, limits: &Limits, planned: &Planned) -> Result {
    use ErrorCode as C;
    let query = "SELECT count(*) FILTER (WHERE created_at > ?2), count(*),
        coalesce(sum(cents) FILTER (WHERE created_at > ?2), 0),
        coalesce(sum(cents) FILTER (WHERE created_at > ?3), 0), coalesce(sum(cents), 0)
        FROM transfers WHERE recipient = ?1 AND created_at > ?4 AND counts = 1";
    let now = planned.now;
    let params = (planned.recipient.to_string(), now - DAY, now - 7 * DAY, now - 30 * DAY);
    let [count_day, count_month, day, week, month] = five_totals(db, query, params)?;
    reached(limits.recipient_count24_hours, count_day, C::Max24HourRecipientTransferCountLimitReached)?;
    reached(limits.recipient_count_month, count_month, C::MaxMonthlyRecipientTransferCountLimitReached)?;
    for (limit, used, code) in [
        (limits.recipient24_hours, day, C::Max24HourRecipientSendAmountLimitReached),
        (limits.recipient7_days, week, C::Max7DaysRecipientSendAmountLimitReached),
        (limits.recipient_month, month, C::MaxMonthlyRecipientSendAmountLimitReached),
    ] {
        reached(limit, used, code)?;
        exceeded(limit, used, planned.cents, code)?;
    }
    Ok(())
}

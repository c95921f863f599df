//! How a transfer goes on (interface, part 3).
//!
//! What will happen is written down at once, with its times; what has happened by now is what the
//! clock has passed. So a moved clock needs nothing else to move.

pub(crate) mod endpoints;

use rusqlite::{Connection, params};

use crate::clock::SECOND;
use crate::corridor::TransferMethod;
use crate::error::ApiError;

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

fn add(connection: &Connection, transfer: &str, status: &str, at: i64) -> Result<(), ApiError> {
    connection
        .prepare_cached("INSERT INTO transfer_statuses VALUES (?1, ?2, ?3)")?
        .execute(params![transfer, at, status])?;
    Ok(())
}

/// Forgets what was to happen after now.
pub(crate) fn forget_future(connection: &Connection, transfer: &str, now: i64) -> Result<(), ApiError> {
    connection
        .prepare_cached("DELETE FROM transfer_statuses WHERE transfer_id = ?1 AND changed_at > ?2")?
        .execute(params![transfer, now])?;
    Ok(())
}

pub(crate) fn begin(connection: &Connection, transfer: &str, now: i64) -> Result<(), ApiError> {
    add(connection, transfer, "Initiated", now)
}

/// Writes down what happens from the release of the last hold on.
pub(crate) fn schedule(
    connection: &Connection,
    transfer: &str,
    method: TransferMethod,
    released: i64,
    will_fail: bool,
) -> Result<(), ApiError> {
    add(connection, transfer, "Pending", released + QUEUE)?;
    add(connection, transfer, if will_fail { "Failed" } else { "Complete" }, released + delivery_time(method))
}

/// Writes down that a transfer is taken back.
pub(crate) fn cancel(connection: &Connection, transfer: &str, now: i64) -> Result<(), ApiError> {
    forget_future(connection, transfer, now)?;
    add(connection, transfer, "Pending Cancelation", now)?;
    add(connection, transfer, "Canceled", now + QUEUE)
}

/// The changes up to now, the oldest first.
fn history(connection: &Connection, transfer: &str, now: i64) -> Result<Vec<(String, i64)>, ApiError> {
    let mut statement = connection.prepare_cached(
        "SELECT status, changed_at FROM transfer_statuses
         WHERE transfer_id = ?1 AND changed_at <= ?2 ORDER BY changed_at, rowid",
    )?;
    let rows = statement.query_map(params![transfer, now], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The status of now, and since when.
pub(crate) fn latest(connection: &Connection, transfer: &str, now: i64) -> Result<(String, i64), ApiError> {
    let history = history(connection, transfer, now)?;
    Ok(history.into_iter().next_back().unwrap_or_else(|| (String::from("Unknown"), now)))
}

/// The status of now.
pub(crate) fn at(connection: &Connection, transfer: &str, now: i64) -> Result<String, ApiError> {
    Ok(latest(connection, transfer, now)?.0)
}

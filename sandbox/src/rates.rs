//! How the market moves: a little with time, and at once when a tester moves a currency.

use rusqlite::{Connection, OptionalExtension, params};

use crate::clock::SECOND;
use crate::currency::Currency;
use crate::error::ApiError;

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS market (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    began_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS rate_moves (
    currency TEXT PRIMARY KEY,
    micros INTEGER NOT NULL
) WITHOUT ROWID;
";

/// How long the market stands still, in seconds.
const PERIOD_SECONDS: i64 = 900;
/// The farthest that a tester can move a currency, in millionths.
pub(crate) const FARTHEST_MOVE: i64 = 500_000;

/// Remembers when the market opened: in its first period, no rate has moved.
pub(crate) fn begin(connection: &Connection, now: i64) -> Result<(), ApiError> {
    connection.execute("INSERT OR IGNORE INTO market VALUES (1, ?1)", [now])?;
    Ok(())
}

/// How far the rate to a currency has moved, in millionths.
pub(crate) fn drift(connection: &Connection, currency: &Currency, now: i64) -> Result<i64, ApiError> {
    let began: i64 =
        connection.prepare_cached("SELECT began_at FROM market")?.query_row([], |row| row.get(0))?;
    let period = (now - began).div_euclid(PERIOD_SECONDS * SECOND);
    Ok(wave(period, currency) + moved(connection, currency)?)
}

/// Up to ±0.4 %, the same for the same period and currency.
fn wave(period: i64, currency: &Currency) -> i64 {
    if period <= 0 {
        return 0;
    }
    let mut mixed = period.unsigned_abs();
    for byte in currency.iso3_code.bytes() {
        mixed = (mixed ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^= mixed >> 29;
    }
    i64::try_from(mixed % 8_001).map_or(0, |step| step - 4_000)
}

/// What a tester moved, in millionths.
pub(crate) fn moved(connection: &Connection, currency: &Currency) -> Result<i64, ApiError> {
    let moved: Option<i64> = connection
        .prepare_cached("SELECT micros FROM rate_moves WHERE currency = ?1")?
        .query_row([currency.iso3_code], |row| row.get(0))
        .optional()?;
    Ok(moved.unwrap_or(0))
}

/// Moves the rate to a currency, for testers: quotes made before no longer hold.
pub(crate) fn set_move(connection: &Connection, currency: &Currency, micros: i64) -> Result<(), ApiError> {
    connection
        .execute("INSERT OR REPLACE INTO rate_moves VALUES (?1, ?2)", params![currency.iso3_code, micros])?;
    Ok(())
}

//! How the market moves: when a tester moves the clock on, a currency or a fee. It stands still by itself, so
//! that a price that was quoted moves under nobody's hands.

use rusqlite::{Connection, params};

use crate::corridor::TransferMethod;
use crate::currency::Currency;
use crate::error::ApiError;
use crate::meta;
use crate::records::value;

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS rate_moves (
    currency TEXT PRIMARY KEY,
    micros INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fee_moves (
    method TEXT PRIMARY KEY,
    cents INTEGER NOT NULL
) WITHOUT ROWID;
";

/// How far the clock is moved on before the market has moved, in seconds.
const PERIOD_SECONDS: i64 = 900;
/// The farthest that a tester can move a currency, in millionths.
pub(crate) const FARTHEST_MOVE: i64 = 500_000;
/// The farthest that a tester can move a fee, in US cents.
pub(crate) const FARTHEST_FEE_MOVE: i64 = 10_000;

/// How far the rate to a currency has moved, in millionths.
pub(crate) fn drift(connection: &Connection, currency: &Currency) -> Result<i64, ApiError> {
    let period = meta::clock_offset_seconds(connection)?.div_euclid(PERIOD_SECONDS);
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
fn moved(connection: &Connection, currency: &Currency) -> Result<i64, ApiError> {
    let moved = "SELECT micros FROM rate_moves WHERE currency = ?1";
    Ok(value(connection, moved, [currency.iso3_code])?.unwrap_or(0))
}

/// Moves the rate to a currency, for testers.
pub(crate) fn set_move(connection: &Connection, currency: &Currency, micros: i64) -> Result<(), ApiError> {
    connection
        .execute("INSERT OR REPLACE INTO rate_moves VALUES (?1, ?2)", params![currency.iso3_code, micros])?;
    Ok(())
}

/// What a tester added to the fee of a method, in US cents.
pub(crate) fn fee_move(connection: &Connection, method: TransferMethod) -> Result<i64, ApiError> {
    let moved = "SELECT cents FROM fee_moves WHERE method = ?1";
    Ok(value(connection, moved, [method.name()])?.unwrap_or(0))
}

/// Adds to the fee of a method, for testers.
pub(crate) fn set_fee_move(
    connection: &Connection,
    method: TransferMethod,
    cents: i64,
) -> Result<(), ApiError> {
    connection.execute("INSERT OR REPLACE INTO fee_moves VALUES (?1, ?2)", params![method.name(), cents])?;
    Ok(())
}

//! Market movements. Rates and fees change only when a tester changes one or advances the clock, so that no
//! quoted price changes unexpectedly.

use std::ops::RangeInclusive;

use rusqlite::{Connection, params};

use crate::currency::Currency;
use crate::error::Result;
use crate::meta;
use crate::records::value;
use crate::transfer_method::TransferMethod;

/// Changes by testers: the rate of a currency in millionths, the fee of a transfer method in US cents.
pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS price_changes (
    subject TEXT PRIMARY KEY,
    change INTEGER NOT NULL
) WITHOUT ROWID;
";

/// How far the clock has to be advanced for the rates to change, in seconds.
const PERIOD_SECONDS: i64 = 900;

pub(crate) fn drift(db: &Connection, currency: &Currency) -> Result<i64> {
    let period = meta::clock(db)?.unwrap_or_default().advanced_seconds.div_euclid(PERIOD_SECONDS);
    Ok(drift_in_period(period, currency) + change(db, &currency.iso3_code)?)
}

/// Up to ±0.4 %, pseudo-random by period and currency.
fn drift_in_period(period: i64, currency: &Currency) -> i64 {
    if period <= 0 {
        return 0;
    }
    let mut hash = period.unsigned_abs();
    for byte in currency.iso3_code.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    i64::try_from(hash % 8_001).map_or(0, |step| step - 4_000)
}

/// Returns what testers added to the fee of a method, in US cents.
pub(crate) fn fee_change(db: &Connection, method: TransferMethod) -> Result<i64> {
    change(db, method.name())
}

fn change(db: &Connection, subject: &str) -> Result<i64> {
    Ok(value(db, "SELECT change FROM price_changes WHERE subject = ?1", [subject])?.unwrap_or(0))
}

/// Adds to what testers have changed before, and returns the sum, unless it is out of the range.
pub(crate) fn add_change(
    db: &Connection,
    subject: &str,
    more: i64,
    range: RangeInclusive<i64>,
) -> Result<Option<i64>> {
    let Some(sum) = change(db, subject)?.checked_add(more).filter(|sum| range.contains(sum)) else {
        return Ok(None);
    };
    db.execute("INSERT OR REPLACE INTO price_changes VALUES (?1, ?2)", params![subject, sum])?;
    Ok(Some(sum))
}

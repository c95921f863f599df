//! What a database remembers about itself: how often it was opened, its key, its clock.

use rusqlite::{Connection, params};

use crate::error::ApiError;
use crate::ids::Ids;
use crate::records::value;

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
";

/// What a start needs to know.
#[derive(Debug)]
pub(crate) struct Meta {
    pub(crate) boots: u64,
    pub(crate) clock_offset_seconds: i64,
}

/// Counts a start and says what the earlier ones left.
pub(crate) fn boot(connection: &Connection) -> Result<Meta, ApiError> {
    let boots = read_number(connection, "boots")?.unwrap_or(0) + 1;
    write_number(connection, "boots", boots)?;
    let clock_offset_seconds = clock_offset_seconds(connection)?;
    Ok(Meta { boots: boots.unsigned_abs(), clock_offset_seconds })
}

/// How far the clock was moved on.
pub(crate) fn clock_offset_seconds(connection: &Connection) -> Result<i64, ApiError> {
    Ok(read_number(connection, "clock_offset_seconds")?.unwrap_or(0))
}

/// The key that signs tokens and nonces. Kept, so that they outlive a restart.
pub(crate) fn key(connection: &Connection, ids: &Ids) -> Result<[u8; 32], ApiError> {
    let kept: Option<Vec<u8>> = value(connection, "SELECT value FROM meta WHERE name = 'key'", [])?;
    if let Some(key) = kept.and_then(|key| key.try_into().ok()) {
        return Ok(key);
    }
    let key: [u8; 32] = ids.bytes();
    connection.execute("INSERT OR REPLACE INTO meta VALUES ('key', ?1)", params![key.as_slice()])?;
    Ok(key)
}

pub(crate) fn keep_clock(connection: &Connection, offset_seconds: i64) -> Result<(), ApiError> {
    write_number(connection, "clock_offset_seconds", offset_seconds)
}

fn read_number(connection: &Connection, name: &str) -> Result<Option<i64>, ApiError> {
    Ok(value(connection, "SELECT value FROM meta WHERE name = ?1", [name])?)
}

fn write_number(connection: &Connection, name: &str, value: i64) -> Result<(), ApiError> {
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![name, value])?;
    Ok(())
}

//! What a database stores about itself: its starts, its key and its clock.

use rusqlite::{Connection, params};

use crate::clock::Setting;
use crate::error::Result;
use crate::ids::Ids;
use crate::records::value;

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
";

pub(crate) fn count_start(db: &Connection) -> Result<u64> {
    let starts = number(db, "boots")? + 1;
    set_number(db, "boots", starts)?;
    Ok(starts.unsigned_abs())
}

/// Returns the key that signs tokens and nonces. It is stored, so that they survive a restart.
pub(crate) fn key(db: &Connection, ids: &Ids) -> Result<[u8; 32]> {
    let stored: Option<Vec<u8>> = value(db, "SELECT value FROM meta WHERE name = 'key'", [])?;
    if let Some(key) = stored.and_then(|key| key.try_into().ok()) {
        return Ok(key);
    }
    let key: [u8; 32] = ids.bytes();
    db.execute("INSERT OR REPLACE INTO meta VALUES ('key', ?1)", params![key.as_slice()])?;
    Ok(key)
}

/// Returns how testers have set the clock, if they have.
pub(crate) fn clock(db: &Connection) -> Result<Option<Setting>> {
    let stored: Option<String> = value(db, "SELECT value FROM meta WHERE name = 'clock'", [])?;
    Ok(stored.map(|text| serde_json::from_str(&text)).transpose()?)
}

pub(crate) fn set_clock(db: &Connection, setting: Setting) -> Result {
    let text = serde_json::to_string(&setting)?;
    db.execute("INSERT OR REPLACE INTO meta VALUES ('clock', ?1)", [text])?;
    Ok(())
}

fn number(db: &Connection, name: &str) -> Result<i64> {
    Ok(value(db, "SELECT value FROM meta WHERE name = ?1", [name])?.unwrap_or(0))
}

fn set_number(db: &Connection, name: &str, value: i64) -> Result {
    db.execute("INSERT OR REPLACE INTO meta VALUES (?1, ?2)", params![name, value])?;
    Ok(())
}

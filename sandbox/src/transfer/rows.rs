//! The transfers of a database file, read past the service: what the file itself says.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use crate::clock::iso;
use crate::open_error::OpenError;
use crate::store::BUSY_TIMEOUT;

/// A row of the table of transfers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedTransfer {
    /// The identifier of the transfer.
    pub transfer_id: String,
    /// The quote that it was made with.
    pub quote_history_id: String,
    /// The nonce that it was made with, if any.
    pub nonce: Option<String>,
    /// The amount of the request in minor units; what it means is up to the request's `quoteBy`.
    pub amount: Option<i64>,
    /// When it was made, by the clock of the service.
    pub created_at: String,
}

// The amount is asked for row by row: a join could hide a row, or show it twice.
const ROWS: &str = "
SELECT id, quote, nonce, (SELECT data->>'amount' FROM quotes WHERE quotes.id = quote), created_at
FROM transfers ORDER BY number";

/// Reads every transfer that a database file has, in the order of their making.
///
/// The file is not written, may be in use, and may be one whose service was killed: what was committed
/// but not yet moved into it is read as well.
///
/// # Errors
/// Where the file can't be read, or is not a sandbox's.
pub fn recorded_transfers(db: &Path) -> Result<Vec<RecordedTransfer>, OpenError> {
    read(db).map_err(|error| OpenError::of_database(db, &error))
}

fn read(db: &Path) -> Result<Vec<RecordedTransfer>, rusqlite::Error> {
    let connection = Connection::open_with_flags(db, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let mut rows = connection.prepare(ROWS)?;
    let transfers = rows.query_map([], |row| {
        Ok(RecordedTransfer {
            transfer_id: row.get(0)?,
            quote_history_id: row.get(1)?,
            nonce: row.get(2)?,
            amount: row.get(3)?,
            created_at: iso(row.get(4)?),
        })
    })?;
    transfers.collect()
}

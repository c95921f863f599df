//! Reads the transfers of a database file without the service.

use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use crate::clock::iso;
use crate::store::{BUSY_TIMEOUT, not_opened};

/// A transfer as it is in a database file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedTransfer {
    /// The identifier of the transfer.
    pub transfer_id: String,
    /// The quote of the request.
    pub quote_history_id: String,
    /// The nonce of the request, if any.
    pub nonce: Option<String>,
    /// The amount of the request in minor units; the request's `quoteBy` decides of which currency.
    pub amount: Option<i64>,
    /// When the transfer was made, by the clock of the service.
    pub created_at: String,
}

// A subquery, because a join could hide or repeat a row.
const ROWS: &str = "
SELECT id, quote, nonce, (SELECT data->>'amount' FROM quotes WHERE quotes.id = quote), created_at
FROM transfers ORDER BY number";

/// Returns all transfers of a database file in the order in which they were made.
///
/// Does not change the file, which may be in use, or left by a service that was killed: transfers that are
/// still in the write-ahead log are included.
///
/// # Errors
/// Where the file can't be read, or is not a sandbox's.
pub fn recorded_transfers(db: &Path) -> io::Result<Vec<RecordedTransfer>> {
    read(db).map_err(|error| not_opened(Some(db), error))
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

//! Reads the transfers of a database file without the service.

use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};

use crate::clock::iso;
use crate::store::{BUSY_TIMEOUT, not_opened};

// A subquery, because a join could hide or repeat a row.
const ROWS: &str = "
SELECT id, quote, nonce, (SELECT data->>'amount' FROM quotes WHERE quotes.id = quote), created_at
FROM transfers ORDER BY number";

/// Returns all transfers of a database file in the order in which they were made. `amount` is that of the
/// request in minor units.
///
/// Does not change the file, which may be in use, or left by a service that was killed: transfers that are
/// still in the write-ahead log are included.
///
/// # Errors
/// Where the file can't be read, or is not a sandbox's.
pub fn recorded_transfers(db: &Path) -> io::Result<Vec<Value>> {
    read(db).map_err(|error| not_opened(Some(db), error))
}

fn read(db: &Path) -> Result<Vec<Value>, rusqlite::Error> {
    let connection = Connection::open_with_flags(db, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let mut rows = connection.prepare(ROWS)?;
    let transfers = rows.query_map([], |row| {
        let (id, quote) = (row.get::<_, String>(0)?, row.get::<_, String>(1)?);
        let (nonce, amount) = (row.get::<_, Option<String>>(2)?, row.get::<_, Option<i64>>(3)?);
        Ok(json!({
            "transferId": id, "quoteHistoryId": quote, "nonce": nonce, "amount": amount,
            "createdAt": iso(row.get(4)?),
        }))
    })?;
    transfers.collect()
}

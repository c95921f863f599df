//! The client accounts of the sandbox. The interface also calls a client a customer.

use rusqlite::Connection;
use uuid::{Uuid, uuid};

use crate::error::{ErrorCode, Result};

#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) id: Uuid,
    pub(crate) client_id: &'static str,
    pub(crate) client_secret: &'static str,
    pub(crate) name: &'static str,
    pub(crate) pull_from_card: bool,
    pub(crate) quote_by_receive: bool,
    /// The opening balance of the settlement account, in US cents.
    pub(crate) balance: i64,
}

/// All clients. The sandbox announces the first one when it starts.
pub(crate) const CLIENTS: [Client; 2] = [
    Client {
        id: uuid!("9c1f3a52-6f0e-4b6b-8d0e-2d5a1c7be001"),
        client_id: "sandbox-client",
        client_secret: "sandbox-secret",
        name: "Sendero",
        pull_from_card: false,
        quote_by_receive: true,
        balance: 100_000_000_000,
    },
    Client {
        id: uuid!("9c1f3a52-6f0e-4b6b-8d0e-2d5a1c7be002"),
        client_id: "other-client",
        client_secret: "other-secret",
        name: "Mill Lane Market",
        pull_from_card: true,
        quote_by_receive: false,
        balance: 150_000,
    },
];

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS balances (
    client_id TEXT PRIMARY KEY,
    cents INTEGER NOT NULL CHECK (cents >= 0)
) WITHOUT ROWID;
";

pub(crate) fn by_id(id: Uuid) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.id == id)
}

pub(crate) fn by_client_id(client_id: &str) -> Option<&'static Client> {
    CLIENTS.iter().find(|client| client.client_id == client_id)
}

pub(crate) fn create_balances(db: &Connection) -> Result {
    for client in &CLIENTS {
        let insert = "INSERT OR IGNORE INTO balances (client_id, cents) VALUES (?1, ?2)";
        db.execute(insert, (client.id.to_string(), client.balance))?;
    }
    Ok(())
}

pub(crate) fn debit(db: &Connection, client: &Client, cents: i64) -> Result {
    let update = "UPDATE balances SET cents = cents - ?2 WHERE client_id = ?1 AND cents >= ?2";
    let changed = db.prepare_cached(update)?.execute((client.id.to_string(), cents))?;
    if changed == 1 { Ok(()) } else { Err(ErrorCode::InsufficientFunds.into()) }
}

pub(crate) fn credit(db: &Connection, client: Uuid, cents: i64) -> Result {
    let update = "UPDATE balances SET cents = cents + ?2 WHERE client_id = ?1";
    db.prepare_cached(update)?.execute((client.to_string(), cents))?;
    Ok(())
}

pub(crate) fn set_balance(db: &Connection, client: &Client, cents: i64) -> Result {
    db.execute("UPDATE balances SET cents = ?2 WHERE client_id = ?1", (client.id.to_string(), cents))?;
    Ok(())
}

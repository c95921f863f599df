//! The client accounts that the sandbox knows. A client is what the interface calls a customer.

use rusqlite::Connection;
use uuid::{Uuid, uuid};

use crate::error::{ApiError, ErrorCode};

/// An application that acts on behalf of senders.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) id: Uuid,
    pub(crate) client_id: &'static str,
    pub(crate) client_secret: &'static str,
    pub(crate) name: &'static str,
    /// Whether a transfer may be paid by pulling from the sender's card.
    pub(crate) pull_from_card: bool,
    /// Whether quotes by the received amount are enabled.
    pub(crate) quote_by_receive: bool,
    /// What the settlement account holds at the start, in cents of a US dollar.
    pub(crate) balance: i64,
}

/// All client accounts. The first is the one that the sandbox announces when it starts.
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

/// Gives each account its opening balance, unless it has one.
pub(crate) fn seed(connection: &Connection) -> Result<(), ApiError> {
    for client in &CLIENTS {
        connection.execute(
            "INSERT OR IGNORE INTO balances (client_id, cents) VALUES (?1, ?2)",
            (client.id.to_string(), client.balance),
        )?;
    }
    Ok(())
}

/// Takes what a transfer costs from the client's settlement account.
pub(crate) fn debit(connection: &Connection, client: &Client, cents: i64) -> Result<(), ApiError> {
    let changed = connection
        .prepare_cached("UPDATE balances SET cents = cents - ?2 WHERE client_id = ?1 AND cents >= ?2")?
        .execute((client.id.to_string(), cents))?;
    if changed == 1 { Ok(()) } else { Err(ErrorCode::InsufficientFunds.into()) }
}

/// Gives back what a canceled transfer had cost.
pub(crate) fn credit(connection: &Connection, client: Uuid, cents: i64) -> Result<(), ApiError> {
    connection
        .prepare_cached("UPDATE balances SET cents = cents + ?2 WHERE client_id = ?1")?
        .execute((client.to_string(), cents))?;
    Ok(())
}

/// Sets a balance, for testers.
pub(crate) fn set_balance(connection: &Connection, client: &Client, cents: i64) -> Result<(), ApiError> {
    connection
        .execute("UPDATE balances SET cents = ?2 WHERE client_id = ?1", (client.id.to_string(), cents))?;
    Ok(())
}

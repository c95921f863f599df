//! Quotes: what a transfer costs and brings (interface, part 4).

pub(crate) mod endpoints;
mod reply;

use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use crate::client::Client;
use crate::corridor::{self, QuoteBy, Route, TransferMethod};
use crate::country::{self, Country};
use crate::currency::{self, Currency};
use crate::error::{ApiError, ErrorCode};
use crate::outdated::outdated_by;
use crate::price::{Adjustments, Price, Terms};
use crate::rates;
use crate::sender::Sender;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS quotes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    client_id TEXT NOT NULL,
    sender_id TEXT,
    account_id TEXT,
    country TEXT NOT NULL,
    destination TEXT NOT NULL,
    source TEXT NOT NULL,
    method TEXT NOT NULL,
    quote_by TEXT NOT NULL,
    amount INTEGER NOT NULL,
    send INTEGER NOT NULL,
    receive INTEGER NOT NULL,
    rate_micros INTEGER NOT NULL,
    fee INTEGER NOT NULL,
    tax INTEGER NOT NULL,
    discount INTEGER NOT NULL,
    total INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
);
";

/// A quote, as the database has it.
#[derive(Debug)]
pub(crate) struct Quote {
    pub(crate) id: Uuid,
    client: String,
    sender: Option<String>,
    pub(crate) account: Option<String>,
    pub(crate) route: Route,
    pub(crate) source: &'static Currency,
    pub(crate) by: QuoteBy,
    pub(crate) amount: i64,
    pub(crate) price: Price,
    pub(crate) expires_at: i64,
}

const COLUMNS: &str = "id, client_id, sender_id, account_id, country, destination, source, method,
    quote_by, amount, send, receive, rate_micros, fee, tax, discount, total, expires_at";

impl Quote {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let text = |at: usize| row.get::<_, String>(at);
        let gone = || rusqlite::Error::QueryReturnedNoRows;
        let id = Uuid::try_parse(&text(0)?).map_err(|_| gone())?;
        let country = country::by_iso3(&text(4)?).ok_or_else(gone)?;
        let destination = currency::by_iso3(&text(5)?).ok_or_else(gone)?;
        let source = currency::by_iso3(&text(6)?).ok_or_else(gone)?;
        let method = TransferMethod::parse(&text(7)?).ok_or_else(gone)?;
        Ok(Self {
            id,
            client: text(1)?,
            sender: row.get(2)?,
            account: row.get(3)?,
            route: corridor::find(country, destination, method).ok_or_else(gone)?,
            source,
            by: QuoteBy::parse(&text(8)?).ok_or_else(gone)?,
            amount: row.get(9)?,
            price: Price {
                send: row.get(10)?,
                receive: row.get(11)?,
                rate_micros: row.get(12)?,
                adjustments: Adjustments { fee: row.get(13)?, tax: row.get(14)?, discount: row.get(15)? },
                total: row.get(16)?,
            },
            expires_at: row.get(17)?,
        })
    }

    /// Whether the same would be quoted now.
    pub(crate) fn holds(&self, connection: &Connection) -> Result<bool, ApiError> {
        let terms = terms(connection, self.route, self.source, self.account.is_some())?;
        Ok(terms.price(self.by, self.amount) == Some(self.price))
    }
}

fn terms(
    connection: &Connection,
    route: Route,
    source: &'static Currency,
    account_known: bool,
) -> Result<Terms, ApiError> {
    Ok(Terms {
        source,
        destination: route.destination,
        method: route.corridor.method,
        tax_basis_points: tax_basis_points(route.corridor.country),
        drift_micros: rates::drift(connection, route.destination)?,
        fee_move_cents: rates::fee_move(connection, route.corridor.method)?,
        account_known,
    })
}

/// Finds a quote in the context of a client and, where there is one, of its sender.
pub(crate) fn find(
    connection: &Connection,
    client: &Client,
    sender: Option<&Sender>,
    id: Uuid,
) -> Result<Quote, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM quotes WHERE id = ?1 AND client_id = ?2
             AND (?3 IS NULL OR sender_id IS NULL OR sender_id = ?3)"
        ))?
        .query_row(
            params![id.to_string(), client.id.to_string(), sender.map(|sender| sender.id.to_string())],
            Quote::from_row,
        )
        .optional()?
        .ok_or_else(|| ErrorCode::QuoteHistoryNotFound.into())
}

/// The share that a country taxes, in ten-thousandths.
fn tax_basis_points(country: &Country) -> i64 {
    match country.iso3_code {
        "COL" => 40,
        "DOM" => 15,
        _ => 0,
    }
}

fn insert(connection: &Connection, quote: &Quote, now: i64, keep: i64) -> Result<(), ApiError> {
    let Adjustments { fee, tax, discount } = quote.price.adjustments;
    connection
        .prepare_cached(
            "INSERT INTO quotes (id, client_id, sender_id, account_id, country, destination, source,
             method, quote_by, amount, send, receive, rate_micros, fee, tax, discount, total,
             created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
             ?18, ?19)",
        )?
        .execute(params![
            quote.id.to_string(),
            quote.client,
            quote.sender,
            quote.account,
            quote.route.corridor.country.iso3_code,
            quote.route.destination.iso3_code,
            quote.source.iso3_code,
            quote.route.corridor.method.name(),
            quote.by.name(),
            quote.amount,
            quote.price.send,
            quote.price.receive,
            quote.price.rate_micros,
            fee,
            tax,
            discount,
            quote.price.total,
            now,
            quote.expires_at,
        ])?;
    if let Some(outdated) = outdated_by(connection.last_insert_rowid(), keep) {
        connection
            .prepare_cached(
                "DELETE FROM quotes WHERE number BETWEEN ?1 AND ?2 AND NOT EXISTS
                 (SELECT 1 FROM transfers WHERE quote_history_id = quotes.id)",
            )?
            .execute(outdated)?;
    }
    Ok(())
}

//! Quotes: what a transfer costs and brings (interface, part 4).

mod reply;

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::{Connection, OptionalExtension, Row, params};
use uuid::Uuid;

use crate::access::Caller;
use crate::app::App;
use crate::client::Client;
use crate::clock::SECOND;
use crate::corridor::{self, QuoteBy, Route, TransferMethod};
use crate::country::{self, Country};
use crate::currency::{self, Currency};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::ids::parse_uuid;
use crate::input::{Named, Path, Query};
use crate::price::{Adjustments, Price, Terms};
use crate::rates;
use crate::recipient_account;
use crate::sender::Sender;
use crate::triggers::{self, Operation};
use reply::wants_spanish;

pub(crate) const TABLES: &str = "
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
    moved_micros INTEGER NOT NULL,
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
    /// What a tester had moved the currency by when the quote was made.
    moved_micros: i64,
    pub(crate) expires_at: i64,
}

const COLUMNS: &str = "id, client_id, sender_id, account_id, country, destination, source, method,
    quote_by, amount, send, receive, rate_micros, fee, tax, discount, total, moved_micros,
    expires_at";

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
            moved_micros: row.get(17)?,
            expires_at: row.get(18)?,
        })
    }

    /// Whether the price still holds: its time is not over, and nobody has moved the rate.
    pub(crate) fn holds(&self, connection: &Connection, now: i64) -> Result<bool, ApiError> {
        Ok(now < self.expires_at && rates::moved(connection, self.route.destination)? == self.moved_micros)
    }
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

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/quote", get(create)).route("/v1/quote/{quote}", get(read))
}

fn answer(quote: &Quote, headers: &HeaderMap) -> Response {
    let no_store = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    ([no_store], Json(quote.reply(wants_spanish(headers)))).into_response()
}

/// Checks what depends on the direction of a quote.
fn check_direction(client: &Client, route: Route, by: QuoteBy) -> Result<(), ApiError> {
    if by == QuoteBy::SendAmount {
        return Ok(());
    }
    let refused = |code| Err(Problem::new(code).at("quoteBy").into());
    if !client.quote_by_receive {
        return refused(ErrorCode::QuoteByReceiveNotEnabled);
    }
    if route.corridor.method == TransferMethod::CashPickup {
        return refused(ErrorCode::QuoteByReceiveForTransferMethodNotEnabled);
    }
    if !route.corridor.receive_supported {
        return refused(ErrorCode::QuoteByReceiveNotSupported);
    }
    Ok(())
}

async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let country = query.country("dstCountryIso3Code", &mut problems);
    let destination = query.currency("dstCurrencyIso3Code", &mut problems);
    let source = query.currency("srcCurrencyIso3Code", &mut problems);
    let method = query.transfer_method("transferMethod", &mut problems);
    let by = query.quote_by("quoteBy", &mut problems);
    let amount = query.amount("amount", &mut problems);
    let account =
        query.optional_uuid("recipientAccountId", ErrorCode::InvalidRecipientAccountId, &mut problems);
    let named = query.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    problems.finish()?;
    let (Some(country), Some(destination), Some(source), Some(method), Some(by), Some(amount)) =
        (country, destination, source, method, by, amount)
    else {
        return Err(ErrorCode::BadRequestError.into());
    };
    let route = corridor::find(country, destination, method)
        .filter(|route| route.corridor.sources.contains(&source))
        .ok_or_else(|| {
            Problem::new(ErrorCode::NoCorridorFoundForSpecificValues)
                .because("GET /v1/corridors lists what is enabled")
        })?;
    check_direction(caller.client, route, by)?;
    triggers::by_amount(Operation::Quote, amount)?;

    let (id, now) = (app.ids.uuid(), app.clock.now());
    let expires_at = now + app.config.quote_seconds * SECOND;
    let keep = app.config.keep_rows;
    let quote = app
        .store
        .write(move |db| {
            let sender = caller.sender_if_any(db, named)?;
            if let Some(account) = account {
                let sender = sender.as_ref().ok_or(ErrorCode::SenderUndetermined)?;
                let found = recipient_account::find_of_sender(db, sender, account)?;
                if !found.fits(route) {
                    return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                        .at("recipientAccountId")
                        .because("the account belongs to another corridor")
                        .into());
                }
            }
            let terms = Terms {
                source,
                destination,
                method,
                tax_basis_points: tax_basis_points(country),
                drift_micros: rates::drift(db, destination, now)?,
                account_known: account.is_some(),
            };
            let price = terms.price(by, amount).ok_or_else(|| {
                Problem::new(ErrorCode::InvalidAmount).at("amount").because("the amount is too large")
            })?;
            let quote = Quote {
                id,
                client: caller.client.id.to_string(),
                sender: sender.map(|sender| sender.id.to_string()),
                account: account.map(|account| account.to_string()),
                route,
                source,
                by,
                amount,
                price,
                moved_micros: rates::moved(db, destination)?,
                expires_at,
            };
            insert(db, &quote, now, keep)?;
            Ok(quote)
        })
        .await?;
    Ok(answer(&quote, &headers))
}

fn insert(connection: &Connection, quote: &Quote, now: i64, keep: i64) -> Result<(), ApiError> {
    let Adjustments { fee, tax, discount } = quote.price.adjustments;
    connection
        .prepare_cached(
            "INSERT INTO quotes (id, client_id, sender_id, account_id, country, destination, source,
             method, quote_by, amount, send, receive, rate_micros, fee, tax, discount, total,
             moved_micros, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
             ?18, ?19, ?20)",
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
            quote.moved_micros,
            now,
            quote.expires_at,
        ])?;
    let number = connection.last_insert_rowid();
    if number % 256 == 0 {
        connection
            .prepare_cached(
                "DELETE FROM quotes WHERE number <= ?1 AND NOT EXISTS
                 (SELECT 1 FROM transfers WHERE quote_history_id = quotes.id)",
            )?
            .execute([number - keep])?;
    }
    Ok(())
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = parse_uuid(&id).ok_or_else(|| {
        Problem::new(ErrorCode::BadRequestError)
            .at("quoteHistoryId")
            .because("quoteHistoryId has to be a UUID")
    })?;
    let quote = app
        .store
        .read(move |db| {
            let sender = caller.sender_if_any(db, None)?;
            find(db, caller.client, sender.as_ref(), id)
        })
        .await?;
    Ok(answer(&quote, &headers))
}

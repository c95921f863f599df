//! Transfers: made once per quote, then read (interface, parts 3 and 4).

mod create;
mod record;
mod rows;
mod wanted;

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) use record::{Transfer, find, find_made, find_where, recorded};
pub use rows::{RecordedTransfer, recorded_transfers};

use crate::access::Caller;
use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::ids::parse_uuid;
use crate::input::{Named, Path, Query};

// `UNIQUE` is what keeps a quote from backing two transfers, whatever the code above it does.
pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS transfers (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    request_id TEXT NOT NULL UNIQUE,
    confirmation TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sender_id TEXT NOT NULL,
    recipient_id TEXT NOT NULL,
    quote_history_id TEXT NOT NULL,
    nonce TEXT,
    method TEXT NOT NULL,
    customer_hold TEXT NOT NULL,
    system_hold_until INTEGER,
    will_fail INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    cost_cents INTEGER NOT NULL,
    debited_cents INTEGER NOT NULL,
    counts INTEGER NOT NULL DEFAULT 1,
    record TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (quote_history_id),
    UNIQUE (client_id, nonce)
);
CREATE INDEX IF NOT EXISTS transfers_of_sender ON transfers (sender_id, created_at);
CREATE INDEX IF NOT EXISTS transfers_of_recipient ON transfers (recipient_id, created_at);
CREATE TABLE IF NOT EXISTS transfer_statuses (
    transfer_id TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    status TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS statuses_of_transfer ON transfer_statuses (transfer_id, changed_at);
CREATE TABLE IF NOT EXISTS failed_submissions (
    quote_history_id TEXT PRIMARY KEY
) WITHOUT ROWID;
";

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/transfers", get(list).post(create::create))
        .route("/v1/transfers/{transfer}", get(read))
}

/// Reads the identifier in the path.
pub(crate) fn path_id(text: &str) -> Result<Uuid, ApiError> {
    parse_uuid(text).ok_or_else(|| {
        Problem::new(ErrorCode::BadRequestError)
            .at("transferId")
            .because("transferId has to be a UUID")
            .into()
    })
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let now = app.clock.now();
    let record = app.store.read(move |db| find(db, caller, id)?.record(db, now)).await?;
    Ok(Json(record))
}

async fn list(State(app): State<Arc<App>>, caller: Caller, query: Query) -> Result<Json<Value>, ApiError> {
    let mut problems = Problems::default();
    let named = query.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    let limit = query.number("limit", 50, 1..=500, &mut problems);
    let offset = query.number("offset", 0, 0..=i64::from(i32::MAX), &mut problems);
    problems.finish()?;
    let now = app.clock.now();
    let (transfers, total) = app
        .store
        .read(move |db| {
            let sender = caller.sender(db, named)?.id.to_string();
            let total: i64 = db
                .prepare_cached("SELECT count(*) FROM transfers WHERE sender_id = ?1")?
                .query_row([&sender], |row| row.get(0))?;
            let mut records = Vec::new();
            for transfer in record::page(db, &sender, limit, offset)? {
                let mut record = transfer.record(db, now)?;
                record::amounts_as_decimals(&mut record);
                records.push(record);
            }
            Ok((records, total))
        })
        .await?;
    Ok(Json(json!({ "transfers": transfers, "totalCount": total })))
}

//! How a transfer goes on (interface, part 3).
//!
//! What will happen is written down at once, with its times; what has happened by now is what the
//! clock has passed. So a moved clock needs nothing else to move.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::app::App;
use crate::clock::{SECOND, iso};
use crate::corridor::TransferMethod;
use crate::error::ApiError;
use crate::input::Path;
use crate::resource::Resource;
use crate::transfer::{self, Transfer};

/// From the release of the last hold to the start of processing.
const QUEUE: i64 = 3 * SECOND;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/transfers/{transferId}/statuses:
    get:
      operationId: transferStatuses
      tags: [transfer]
      summary: Lists the steps that a transfer has taken.
      x-source: published
      x-error-codes: [TransferNotFound, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/transferId" }
      responses:
        "200":
          description: The steps, the oldest first.
          content:
            application/json:
              schema:
                type: object
                required: [statuses]
                properties:
                  statuses:
                    type: array
                    items:
                      type: object
                      required: [status, changedDate]
                      properties:
                        status: { $ref: "#/components/schemas/TransferStatus" }
                        changedDate: { $ref: "#/components/schemas/Timestamp" }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/transfers/{transfer}/statuses", get(list))
}

/// How long a transfer takes from its start to its end.
pub(crate) fn delivery_time(method: TransferMethod) -> i64 {
    let seconds = match method {
        TransferMethod::PushToCard => 12,
        TransferMethod::MobileWallet => 60,
        TransferMethod::CashPickup => 600,
        TransferMethod::BankAccount | TransferMethod::AccountFunding => 86_400,
    };
    seconds * SECOND
}

fn add(connection: &Connection, transfer: &str, status: &str, at: i64) -> Result<(), ApiError> {
    connection
        .prepare_cached("INSERT INTO transfer_statuses VALUES (?1, ?2, ?3)")?
        .execute(params![transfer, at, status])?;
    Ok(())
}

/// Forgets what was to happen after now.
fn forget_future(connection: &Connection, transfer: &str, now: i64) -> Result<(), ApiError> {
    connection
        .prepare_cached("DELETE FROM transfer_statuses WHERE transfer_id = ?1 AND changed_at > ?2")?
        .execute(params![transfer, now])?;
    Ok(())
}

pub(crate) fn begin(connection: &Connection, transfer: &str, now: i64) -> Result<(), ApiError> {
    add(connection, transfer, "Initiated", now)
}

/// Writes down what happens once the last hold is released. While the customer holds the transfer,
/// that is nothing.
pub(crate) fn schedule(connection: &Connection, transfer: &Transfer, now: i64) -> Result<(), ApiError> {
    forget_future(connection, &transfer.id, now)?;
    if transfer.customer_hold == "HELD" {
        return Ok(());
    }
    let released = transfer.system_hold_until.map_or(now, |until| until.max(now));
    let end = released + delivery_time(transfer.method);
    add(connection, &transfer.id, "Pending", released + QUEUE)?;
    add(connection, &transfer.id, if transfer.will_fail { "Failed" } else { "Complete" }, end)
}

/// Writes down that a transfer is taken back.
pub(crate) fn cancel(connection: &Connection, transfer: &str, now: i64) -> Result<(), ApiError> {
    forget_future(connection, transfer, now)?;
    add(connection, transfer, "Pending Cancelation", now)?;
    add(connection, transfer, "Canceled", now + QUEUE)
}

/// The changes up to now, the oldest first.
fn history(connection: &Connection, transfer: &str, now: i64) -> Result<Vec<(String, i64)>, ApiError> {
    let mut statement = connection.prepare_cached(
        "SELECT status, changed_at FROM transfer_statuses
         WHERE transfer_id = ?1 AND changed_at <= ?2 ORDER BY changed_at, rowid",
    )?;
    let rows = statement.query_map(params![transfer, now], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The status of now, and since when.
pub(crate) fn latest(connection: &Connection, transfer: &str, now: i64) -> Result<(String, i64), ApiError> {
    let history = history(connection, transfer, now)?;
    Ok(history.into_iter().next_back().unwrap_or_else(|| (String::from("Unknown"), now)))
}

/// The status of now.
pub(crate) fn at(connection: &Connection, transfer: &str, now: i64) -> Result<String, ApiError> {
    Ok(latest(connection, transfer, now)?.0)
}

async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id = transfer::path_id(&id)?;
    let now = app.clock.now();
    let history = app
        .store
        .read(move |db| {
            let transfer = transfer::find(db, caller, id)?;
            history(db, &transfer.id, now)
        })
        .await?;
    let statuses: Vec<Value> =
        history.into_iter().map(|(status, at)| json!({ "status": status, "changedDate": iso(at) })).collect();
    Ok(Json(json!({ "statuses": statuses })))
}

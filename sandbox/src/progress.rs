//! GET /v1/transfers/progress/{quoteHistoryId}: what became of a submission whose answer was lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use rusqlite::Connection;
use serde_json::json;
use uuid::Uuid;

use crate::access::Caller;
use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::fresh::fresh;
use crate::input::{Path, path_uuid};
use crate::resource::Resource;
use crate::{quote, transfer};

/// The quotes that are being submitted at this moment, with how many times.
#[derive(Clone, Debug, Default)]
pub(crate) struct InFlight(Arc<Mutex<HashMap<Uuid, usize>>>);

/// A submission under way. It ends with this value, also when its caller hangs up.
#[derive(Debug)]
pub(crate) struct Submitting {
    all: InFlight,
    quote: Uuid,
}

impl InFlight {
    pub(crate) fn enter(&self, quote: Uuid) -> Submitting {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(quote).or_default() += 1;
        Submitting { all: self.clone(), quote }
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn contains(&self, quote: Uuid) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&quote)
    }
}

impl Drop for Submitting {
    fn drop(&mut self) {
        let mut counts = self.all.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.quote) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.quote);
            }
        }
    }
}

/// Remembers that the provider refused a submission.
pub(crate) fn remember_failure(connection: &Connection, quote: &str) -> Result<(), ApiError> {
    connection.prepare_cached("INSERT OR IGNORE INTO failed_submissions VALUES (?1)")?.execute([quote])?;
    Ok(())
}

fn has_failed(connection: &Connection, quote: &str) -> Result<bool, ApiError> {
    Ok(connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM failed_submissions WHERE quote_history_id = ?1)")?
        .query_row([quote], |row| row.get(0))?)
}

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/transfers/progress/{quoteHistoryId}:
    get:
      operationId: transferProgress
      tags: [transfer]
      summary: Tells what became of a submission whose answer was lost.
      x-source: published
      x-error-codes: [QuoteHistoryNotFound, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/quoteHistoryId" }
      responses:
        "200":
          description: What became of it.
          content:
            application/json:
              schema:
                type: object
                required: [transferRecordStatus]
                properties:
                  transferId: { $ref: "#/components/schemas/Uuid" }
                  transferRecordStatus: { $ref: "#/components/schemas/TransferRecordStatus" }

components:
  schemas:
    TransferRecordStatus:
      type: string
      x-source: published
      x-known-values: { NotInProgress: published, Initializing: published, Failed: published, Created: published }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/transfers/progress/{quote}", get(read))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = path_uuid(&id, "quoteHistoryId", ErrorCode::BadRequestError)?;
    // Asked first: what ends between the two questions is then in the database.
    let in_flight = app.in_flight.contains(id);
    let progress = app
        .store
        .read(move |db| {
            let text = id.to_string();
            if let Some(made) = transfer::find_where(db, caller, "quote_history_id", &text)? {
                let id = made.id;
                return Ok(json!({ "transferId": id, "transferRecordStatus": "Created" }));
            }
            let sender = caller.sender_if_any(db, None)?;
            quote::find(db, caller.client, sender.as_ref(), id)
                .map_err(|error| error.with_status_if_not_found(StatusCode::BAD_REQUEST))?;
            let status = if in_flight {
                "Initializing"
            } else if has_failed(db, &text)? {
                "Failed"
            } else {
                "NotInProgress"
            };
            Ok(json!({ "transferRecordStatus": status }))
        })
        .await?;
    Ok(fresh(progress))
}

//! GET /v1/transfers/progress/{quoteHistoryId}: what became of a submission whose answer was lost.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;

use crate::app::App;
use crate::call::{Call, Reply};
use crate::resource::Resource;
use crate::{quote, transfer};

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
    Router::new().route("/v1/transfers/progress/{quote}", get(tell))
}

async fn tell(call: Call) -> Reply {
    let id = call.id("quote", "quoteHistoryId")?;
    // Asked first: what ends between the two questions is then in the database.
    let in_flight = call.app.in_flight.contains(id);
    let caller = call.caller;
    let progress = call.app.store.read(move |db| {
        if let Some(made) = transfer::find_by(db, caller, "quote", id)? {
            return Ok(json!({ "transferId": made.id, "transferRecordStatus": "Created" }));
        }
        let sender = caller.sender_if_any(db, None)?;
        let quote = quote::find(db, caller.client, sender.as_ref(), id)
            .map_err(|error| error.with_status_if_not_found(StatusCode::BAD_REQUEST))?;
        let status = match (in_flight, quote.has_failed) {
            (true, _) => "Initializing",
            (false, true) => "Failed",
            (false, false) => "NotInProgress",
        };
        Ok(json!({ "transferRecordStatus": status }))
    });
    Ok(Json(progress.await?))
}

//! GET /v1/transfers/progress/{quoteHistoryId}: what became of a submission whose answer was lost.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use crate::access::Caller;
use crate::app::App;
use crate::error::{ApiError, ErrorCode};
use crate::fresh::fresh;
use crate::input::{Path, path_uuid};
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
            } else if transfer::has_failed(db, &text)? {
                "Failed"
            } else {
                "NotInProgress"
            };
            Ok(json!({ "transferRecordStatus": status }))
        })
        .await?;
    Ok(fresh(progress))
}

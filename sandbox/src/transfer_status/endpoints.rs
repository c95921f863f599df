use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::history;
use crate::access::Caller;
use crate::app::App;
use crate::clock::iso;
use crate::error::ApiError;
use crate::input::Path;
use crate::resource::Resource;
use crate::transfer;

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

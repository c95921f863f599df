use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::app::App;
use crate::call::{Call, Reply, read};
use crate::clock::iso;
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
    Router::new().route("/v1/transfers/{transfer}/statuses", get(read(list)))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let transfer = transfer::find(call, db)?;
    let steps = transfer.steps.until(call.now);
    let statuses = steps.map(|step| json!({ "status": step.status, "changedDate": iso(step.at) }));
    Ok(Json(json!({ "statuses": statuses.collect::<Value>() })))
}

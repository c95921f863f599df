//! GET /transferrequests/v1/transfer-requests/{id}: the order behind a transfer.
//!
//! Every transfer of the sandbox has one; its identifier is `transferRequestId` of the transfer.

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::app::App;
use crate::clock::iso;
use crate::error::{ApiError, ErrorCode, Shape};
use crate::input::{Path, path_uuid};
use crate::resource::Resource;
use crate::{transfer, transfer_status};

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /transferrequests/v1/transfer-requests/{transferRequestId}:
    get:
      operationId: transferRequest
      tags: [transfer]
      summary: Reads the order behind a transfer.
      x-source: published
      x-error-codes: [TransferRequestNotFound, SenderNotFound]
      parameters:
        - name: transferRequestId
          in: path
          required: true
          schema: { $ref: "#/components/schemas/Uuid" }
      responses:
        "200":
          description: The order.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/TransferOrder" }
        "4XX": { $ref: "#/components/responses/AnyErrors" }
        "5XX": { $ref: "#/components/responses/AnyErrors" }

components:
  responses:
    AnyErrors:
      description: What is wrong. What this resource itself finds comes with a message beside it.
      content:
        application/json:
          schema:
            x-source: published
            anyOf:
              - { $ref: "#/components/schemas/Errors" }
              - { $ref: "#/components/schemas/WrappedErrors" }

  schemas:
    TransferOrderStatus:
      type: string
      x-source: published
      x-known-values:
        UNKNOWN: published
        CREATED: published
        PROCESSING: published
        INVALID: published
        FAILED_TO_PROCESS: published
        PROCESSED: published
        CANCELED: published
    WrappedErrors:
      type: object
      x-source: published
      required: [message, errors]
      properties:
        message: { type: string }
        errors: { $ref: "#/components/schemas/Errors" }
    TransferOrder:
      type: object
      x-source: published
      required: [transferRequestId, status]
      properties:
        transferRequestId: { $ref: "#/components/schemas/Uuid" }
        referenceId: { $ref: "#/components/schemas/Label", x-source: assumed }
        senderId: { $ref: "#/components/schemas/Label", x-source: assumed }
        transferId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
        status:
          type: object
          required: [id, name]
          properties:
            id: { $ref: "#/components/schemas/TransferOrderStatus" }
            name: { type: string }
        createdAt: { $ref: "#/components/schemas/Timestamp", x-source: assumed }
        updatedAt: { $ref: "#/components/schemas/Timestamp", x-source: assumed }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new().route("/transferrequests/v1/transfer-requests/{request}", get(read))
}

/// What a transfer's status means for the order.
fn status(transfer: &str) -> (&'static str, &'static str) {
    match transfer {
        "Initiated" => ("CREATED", "Created"),
        "Pending" => ("PROCESSING", "Processing"),
        "Complete" => ("PROCESSED", "Processed"),
        "Failed" => ("FAILED_TO_PROCESS", "Failed to process"),
        "Canceled" | "Pending Cancelation" => ("CANCELED", "Canceled"),
        _ => ("UNKNOWN", "Unknown"),
    }
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let now = app.clock.now();
    find(&app, caller, &id, now).await.map(Json).map_err(|error| error.shaped(Shape::Wrapped))
}

async fn find(app: &Arc<App>, caller: Caller, id: &str, now: i64) -> Result<Value, ApiError> {
    let id = path_uuid(id, "transferRequestId", ErrorCode::BadRequestError)?;
    app.store
        .read(move |db| {
            let found = transfer::find_where(db, caller, "request_id", &id.to_string())?;
            let transfer = found.ok_or(ErrorCode::TransferRequestNotFound)?;
            let (state, since) = transfer_status::latest(db, &transfer.id, now)?;
            let (id, name) = status(&state);
            Ok(json!({
                "transferRequestId": transfer.request_id,
                "referenceId": transfer.confirmation,
                "senderId": transfer.sender,
                "transferId": transfer.id,
                "status": { "id": id, "name": name },
                "createdAt": iso(transfer.created_at),
                "updatedAt": iso(since),
            }))
        })
        .await
}

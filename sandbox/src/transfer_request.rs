//! GET /transferrequests/v1/transfer-requests/{id}: the order behind a transfer.
//!
//! Every transfer of the sandbox has one; its identifier is `transferRequestId` of the transfer.

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::app::App;
use crate::call::{Call, Reply, read};
use crate::clock::iso;
use crate::error::{ApiError, ErrorCode, Shape};
use crate::resource::Resource;
use crate::transfer;

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
      responses:
        "200": TransferOrder
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
    Router::new().route("/transferrequests/v1/transfer-requests/{request}", get(read(get_one)))
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

fn get_one(call: &Call, db: &Connection) -> Reply {
    find(call, db).map(Json).map_err(|error| error.shaped(Shape::Wrapped))
}

fn find(call: &Call, db: &Connection) -> Result<Value, ApiError> {
    let found = transfer::find_by(db, call.caller, "request", call.id("request", "transferRequestId")?)?;
    let transfer = found.ok_or(ErrorCode::TransferRequestNotFound)?;
    let step = transfer.steps.latest(call.now);
    let (id, name) = status(&step.status);
    Ok(json!({
        "transferRequestId": transfer.request,
        "referenceId": transfer.confirmation.to_string(),
        "senderId": transfer.sender,
        "transferId": transfer.id,
        "status": { "id": id, "name": name },
        "createdAt": iso(transfer.created_at),
        "updatedAt": iso(step.at),
    }))
}

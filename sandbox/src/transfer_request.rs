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
use crate::error::{ApiError, ErrorCode, Problem, Shape};
use crate::ids::parse_uuid;
use crate::input::Path;
use crate::{transfer, transfer_status};

pub(crate) fn routes() -> Router<Arc<App>> {
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
    let id = parse_uuid(id).ok_or_else(|| {
        Problem::new(ErrorCode::BadRequestError)
            .at("transferRequestId")
            .because("transferRequestId has to be a UUID")
    })?;
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

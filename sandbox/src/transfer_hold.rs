//! Holds: the customer's, which the customer releases or turns into a cancelation, and the system's
//! (interface, part 3). A transfer is processed when none is left.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::access::Caller;
use crate::app::App;
use crate::client;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::input::{Body, Named, Path};
use crate::resource::Resource;
use crate::transfer::{self, Transfer};
use crate::transfer_status;

const REASONS: [&str; 4] = ["SUSPECTED_FRAUD", "CONFIRMED_FRAUD", "EVALUATION_EXPIRED", "CUSTOMER_REQUEST"];

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: "",
    interface: r##"
paths:
  /v1/transfers/{transferId}/customer-hold/release:
    post:
      operationId: releaseCustomerHold
      tags: [transfer]
      summary: Releases the hold that the customer put on a transfer.
      x-source: published
      x-error-codes: [TransferNotFound, SenderNotFound, BusinessOrDataValidationError]
      parameters:
        - { $ref: "#/components/parameters/transferId" }
      responses:
        "202": { $ref: "#/components/responses/Done" }

  /v1/transfers/{transferId}/customer-hold/cancel:
    post:
      operationId: cancelCustomerHold
      tags: [transfer]
      summary: Calls off a transfer that the customer holds.
      x-source: published
      x-error-codes: [TransferNotFound, SenderNotFound, NotEmptyValidator, BusinessOrDataValidationError]
      parameters:
        - { $ref: "#/components/parameters/transferId" }
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [reason]
              properties:
                reason: { $ref: "#/components/schemas/HoldCancellationReason" }
      responses:
        "202": { $ref: "#/components/responses/Done" }

components:
  schemas:
    HoldCancellationReason:
      type: string
      x-source: published
      x-known-values:
        SUSPECTED_FRAUD: published
        CONFIRMED_FRAUD: published
        EVALUATION_EXPIRED: published
        CUSTOMER_REQUEST: published
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/transfers/{transfer}/customer-hold/release", post(release))
        .route("/v1/transfers/{transfer}/customer-hold/cancel", post(cancel))
}

type Accepted = (StatusCode, Json<Value>);

fn accepted() -> Accepted {
    (StatusCode::ACCEPTED, Json(json!({})))
}

fn set_hold(db: &Connection, transfer: &Transfer, state: &str) -> Result<(), ApiError> {
    db.execute("UPDATE transfers SET customer_hold = ?2 WHERE id = ?1", params![transfer.id, state])?;
    Ok(())
}

fn not_held() -> ApiError {
    Problem::new(ErrorCode::BusinessOrDataValidationError)
        .at("transferId")
        .because("the customer does not hold this transfer")
        .into()
}

/// Releasing again what was released does no harm: the answer of the first time may have been lost.
async fn release(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Accepted, ApiError> {
    let id = transfer::path_id(&id)?;
    let now = app.clock.now();
    app.store
        .write(move |db| {
            let transfer = transfer::find(db, caller, id)?;
            match transfer.customer_hold.as_str() {
                "RELEASED" => Ok(()),
                "HELD" => {
                    set_hold(db, &transfer, "RELEASED")?;
                    let transfer = transfer::find(db, caller, id)?;
                    transfer.schedule(db, now)
                }
                _ => Err(not_held()),
            }
        })
        .await?;
    Ok(accepted())
}

async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Accepted, ApiError> {
    let id = transfer::path_id(&id)?;
    let mut problems = Problems::default();
    let reason = body.required("reason", &mut problems);
    if reason.is_some_and(|reason| !REASONS.contains(&reason)) {
        problems.add(
            Problem::new(ErrorCode::BadRequestError)
                .at("reason")
                .because("expected SUSPECTED_FRAUD, CONFIRMED_FRAUD, EVALUATION_EXPIRED or CUSTOMER_REQUEST"),
        );
    }
    problems.finish()?;
    let now = app.clock.now();
    app.store
        .write(move |db| {
            let transfer = transfer::find(db, caller, id)?;
            match transfer.customer_hold.as_str() {
                "CANCELED" => Ok(()),
                "HELD" => {
                    set_hold(db, &transfer, "CANCELED")?;
                    db.execute("UPDATE transfers SET counts = 0 WHERE id = ?1", [&transfer.id])?;
                    client::credit(db, &transfer.client, transfer.debited_cents)?;
                    transfer_status::cancel(db, &transfer.id, now)
                }
                _ => Err(not_held()),
            }
        })
        .await?;
    Ok(accepted())
}

/// Ends the system's hold, for testers.
pub(crate) fn release_system_hold(db: &Connection, id: &str, now: i64) -> Result<(), ApiError> {
    let transfer = transfer::find_made(db, id)?;
    if transfer.system_hold_until.is_none_or(|until| until <= now) {
        return Ok(());
    }
    db.execute("UPDATE transfers SET system_hold_until = ?2 WHERE id = ?1", params![transfer.id, now])?;
    if transfer.customer_hold == "CANCELED" {
        return Ok(());
    }
    transfer::find_made(db, id)?.schedule(db, now)
}

//! Holds: the customer's, which the customer releases or turns into a cancelation, and the system's
//! (interface, part 3). A transfer is processed when none is left.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::json;
use strum::{EnumString, VariantNames};

use crate::access::Anyone;
use crate::app::App;
use crate::call::{Call, Reply, write};
use crate::client;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::records::Record;
use crate::resource::Resource;
use crate::transfer::{self, Hold, Transfer};

/// Why a transfer that is held is called off.
#[derive(Default, EnumString, VariantNames)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
enum Reason {
    #[default]
    SuspectedFraud,
    ConfirmedFraud,
    EvaluationExpired,
    CustomerRequest,
}

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
      responses:
        "202": { $ref: "#/components/responses/Done" }

  /v1/transfers/{transferId}/customer-hold/cancel:
    post:
      operationId: cancelCustomerHold
      tags: [transfer]
      summary: Calls off a transfer that the customer holds.
      x-source: published
      x-error-codes: [TransferNotFound, SenderNotFound, NotEmptyValidator, BusinessOrDataValidationError]
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
    const ACCEPTED: StatusCode = StatusCode::ACCEPTED;
    Router::new()
        .route("/v1/transfers/{transfer}/customer-hold/release", post(write(ACCEPTED, release)))
        .route("/v1/transfers/{transfer}/customer-hold/cancel", post(write(ACCEPTED, cancel)))
        .route("/sandbox/transfers/{transfer}/release", post(write(StatusCode::OK, release_system_hold)))
}

fn not_held() -> ApiError {
    Problem::new(ErrorCode::BusinessOrDataValidationError)
        .at("transferId")
        .because("the customer does not hold this transfer")
        .into()
}

/// Releasing again what was released does no harm: the answer of the first time may have been lost.
fn release(call: &Call, db: &Connection) -> Reply {
    let mut transfer = transfer::find(call, db)?;
    match transfer.hold {
        Hold::Released => {}
        Hold::Held => {
            transfer.hold = Hold::Released;
            transfer.schedule(call.now);
            transfer.update(db)?;
        }
        Hold::None | Hold::Canceled => return Err(not_held()),
    }
    Ok(Json(json!({})))
}

fn cancel(call: &Call, db: &Connection) -> Reply {
    call.body(|body| body.one_of::<Reason>("reason"))?;
    let mut transfer = transfer::find(call, db)?;
    match transfer.hold {
        Hold::Canceled => {}
        Hold::Held => {
            transfer.hold = Hold::Canceled;
            transfer.steps.cancel(call.now);
            transfer.update(db)?;
            client::credit(db, transfer.client, transfer.debited_cents)?;
        }
        Hold::None | Hold::Released => return Err(not_held()),
    }
    Ok(Json(json!({})))
}

/// Ends the system's hold, for testers.
fn release_system_hold(call: &Call<Anyone>, db: &Connection) -> Reply {
    let transfer = Transfer::get(db, call.id("transfer", "transferId")?)?;
    let mut transfer = transfer.ok_or(ErrorCode::TransferNotFound)?;
    if transfer.system_hold_until.is_some_and(|until| until > call.now) {
        transfer.system_hold_until = Some(call.now);
        if transfer.hold != Hold::Canceled {
            transfer.schedule(call.now);
        }
        transfer.update(db)?;
    }
    Ok(Json(json!({})))
}

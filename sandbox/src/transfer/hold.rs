//! Releases and cancels holds: the customer's and the system's (interface, part 3). A transfer is processed
//! once all of its holds are released.

use strum::{EnumString, VariantNames};

use super::record::{Hold, Transfer, find};
use crate::client;
use crate::endpoint::*;

#[derive(Default, EnumString, VariantNames)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
enum CancellationReason {
    #[default]
    SuspectedFraud,
    ConfirmedFraud,
    EvaluationExpired,
    CustomerRequest,
}

pub(super) fn routes() -> Router<Arc<App>> {
    const ACCEPTED: StatusCode = StatusCode::ACCEPTED;
    Router::new()
        .route("/v1/transfers/{transferId}/customer-hold/release", post(write(ACCEPTED, release)))
        .route("/v1/transfers/{transferId}/customer-hold/cancel", post(write(ACCEPTED, cancel)))
        .route("/sandbox/transfers/{transferId}/release", post(write(StatusCode::OK, release_system_hold)))
}

fn not_held() -> ApiError {
    Problem::new(ErrorCode::BusinessOrDataValidationError)
        .at("transferId")
        .because("the customer does not hold this transfer")
        .into()
}

/// Idempotent, because the reply to the first release may have been lost.
fn release(call: &Call, db: &Connection) -> Reply {
    let mut transfer = find(call, db)?;
    match transfer.hold {
        Hold::Released => {}
        Hold::Held => {
            transfer.hold = Hold::Released;
            transfer.schedule(call.now);
            transfer.update(db)?;
        }
        Hold::None | Hold::Canceled => return Err(not_held()),
    }
    Ok(json!({}))
}

fn cancel(call: &Call, db: &Connection) -> Reply {
    call.body(|body| body.variant::<CancellationReason>("reason"))?;
    let mut transfer = find(call, db)?;
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
    Ok(json!({}))
}

fn release_system_hold(call: &Call<Anyone>, db: &Connection) -> Reply {
    let transfer = Transfer::get(db, call.path_id("transferId")?)?;
    let mut transfer = transfer.ok_or(ErrorCode::TransferNotFound)?;
    if transfer.system_hold_until.is_some_and(|until| until > call.now) {
        transfer.system_hold_until = Some(call.now);
        if transfer.hold != Hold::Canceled {
            transfer.schedule(call.now);
        }
        transfer.update(db)?;
    }
    Ok(json!({}))
}

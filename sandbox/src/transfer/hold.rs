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

fn release(call: &Call, db: &Connection) -> Reply {
    end_hold(db, find(call, db)?, Hold::Released, call.now)
}

fn cancel(call: &Call, db: &Connection) -> Reply {
    call.body(|body| body.variant::<CancellationReason>("reason"))?;
    end_hold(db, find(call, db)?, Hold::Canceled, call.now)
}

/// Idempotent, because the reply to the first request may have been lost.
fn end_hold(db: &Connection, mut transfer: Transfer, end: Hold, now: i64) -> Reply {
    if transfer.hold == end {
        return Ok(json!({}));
    }
    if transfer.hold != Hold::Held {
        let problem = Problem::new(ErrorCode::BusinessOrDataValidationError).at("transferId");
        return Err(problem.because("the customer does not hold this transfer").into());
    }
    transfer.hold = end;
    if end == Hold::Released {
        transfer.schedule(now);
    } else {
        transfer.steps.cancel(now);
        client::credit(db, transfer.client, transfer.debited_cents)?;
    }
    transfer.update(db)?;
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

//! Releases and cancels holds: the customer's and the system's (interface, part 3). A transfer is processed
//! once all of its holds are released.

use strum::{EnumString, IntoStaticStr, VariantNames};

use super::record::{Hold, Transfer, find};
use crate::client;
use crate::endpoint::*;

#[derive(Clone, Copy, Default, EnumString, IntoStaticStr, VariantNames)]
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
        .route("/sandbox/transfers/{transferId}/fail", post(write(StatusCode::OK, fail)))
}

fn release(call: &Call, db: &Connection) -> Reply {
    end_hold(db, find(call, db)?, None, call.now)
}

fn cancel(call: &Call, db: &Connection) -> Reply {
    let reason = call.body(|body| body.variant::<CancellationReason>("reason"))?;
    end_hold(db, find(call, db)?, Some(reason), call.now)
}

/// Idempotent, because the reply to the first request may have been lost.
fn end_hold(
    db: &Connection,
    mut transfer: Transfer,
    cancellation: Option<CancellationReason>,
    now: i64,
) -> Reply {
    let end = if cancellation.is_none() { Hold::Released } else { Hold::Canceled };
    if transfer.hold == end {
        return Ok(json!({}));
    }
    if transfer.hold != Hold::Held {
        let problem = Problem::new(ErrorCode::BusinessOrDataValidationError).at("transferId");
        return Err(problem.because("the customer does not hold this transfer").into());
    }
    transfer.hold = end;
    if let Some(reason) = cancellation {
        transfer.steps.cancel(now, reason.into());
        client::credit(db, transfer.client, transfer.debited_cents)?;
    } else {
        transfer.schedule(now);
    }
    transfer.update(db)?;
    Ok(json!({}))
}

fn for_testers(call: &Call<Anyone>, db: &Connection) -> Result<Transfer> {
    Ok(Transfer::get(db, call.path_id("transferId")?)?.ok_or(ErrorCode::TransferNotFound)?)
}

fn refused(why: &str) -> ApiError {
    Problem::new(ErrorCode::BusinessOrDataValidationError).at("transferId").because(why).into()
}

fn release_system_hold(call: &Call<Anyone>, db: &Connection) -> Reply {
    let mut transfer = for_testers(call, db)?;
    if transfer.system_hold_until.is_none_or(|until| until <= call.now) {
        return Err(refused("the system does not hold this transfer"));
    }
    transfer.system_hold_until = Some(call.now);
    if transfer.hold != Hold::Canceled {
        transfer.schedule(call.now);
    }
    transfer.update(db)?;
    Ok(transfer.for_testers(call.now))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Failure {
    reason: Option<String>,
    after_seconds: Option<i64>,
}

/// Lets any transfer fail that has not ended, held or not.
fn fail(call: &Call<Anyone>, db: &Connection) -> Reply {
    let Failure { reason, after_seconds } = call.typed()?;
    let after = after_seconds.unwrap_or(0);
    if !(0..=31_622_400).contains(&after) || reason.as_ref().is_some_and(|reason| reason.len() > 1_000) {
        let why = "afterSeconds has to be from 0 to a year, and reason no longer than 1000 bytes";
        return Err(Problem::new(ErrorCode::BadRequestError).because(why).into());
    }
    let mut transfer = for_testers(call, db)?;
    if transfer.steps.latest(call.now).is_last() {
        return Err(refused("this transfer has ended already"));
    }
    if transfer.hold == Hold::Held {
        transfer.hold = Hold::Released;
    }
    transfer.system_hold_until = transfer.system_hold_until.map(|until| until.min(call.now));
    transfer.steps.fail(call.now, call.now + after * SECOND, reason);
    transfer.update(db)?;
    Ok(transfer.for_testers(call.now))
}

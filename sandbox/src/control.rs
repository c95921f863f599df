//! The endpoints under `/sandbox`, with which a tester looks into the service and steers it.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::Connection;
use serde::Deserialize;
use serde_json::{Value, json};
use strum::VariantNames;
use uuid::Uuid;

use crate::access::Anyone;
use crate::app::App;
use crate::call::{Reply, plain, read, typed, write};
use crate::card_session::{Behaviour, CardSession};
use crate::client;
use crate::clock::{MAX_OFFSET_SECONDS, iso};
use crate::corridor::TransferMethod;
use crate::currency;
use crate::error::{ApiError, ErrorCode, Problem};
use crate::faults::Fault;
use crate::lifetimes::Seconds;
use crate::limits::Limits;
use crate::records::Record;
use crate::sender::Sender;
use crate::test_cards::TEST_CARDS;
use crate::transfer::Transfer;
use crate::triggers::{FAILING_TRANSFER_AMOUNT, TRIGGERS};
use crate::{meta, rates, seed};

type Call = crate::call::Call<Anyone>;

pub(crate) fn routes() -> Router<Arc<App>> {
    const OK: StatusCode = StatusCode::OK;
    Router::new()
        .route("/sandbox/transfers", get(read(transfers)))
        .route("/sandbox/requests", get(plain(requests)).delete(plain(forget_requests)))
        .route("/sandbox/clock", get(plain(clock)).post(write(OK, advance)))
        .route("/sandbox/reset", post(write(OK, reset)))
        .route("/sandbox/faults", get(plain(faults)).post(plain(add_faults)).delete(plain(forget_faults)))
        .route("/sandbox/triggers", get(async || Json(known())))
        .route("/sandbox/rates", post(write(OK, move_rate)))
        .route("/sandbox/fees", post(write(OK, move_fee)))
        .route("/sandbox/lifetimes", post(plain(change_lifetimes)))
        .route("/sandbox/limits", post(write(OK, set_limits)))
        .route("/sandbox/balance", post(write(OK, set_balance)))
        .route("/sandbox/card-sessions", get(read(card_sessions)).post(plain(next_card_session)))
}

fn refused(why: impl Into<String>) -> ApiError {
    Problem::new(ErrorCode::BadRequestError).because(why).into()
}

/// Every recorded transfer in the order of their making, straight from the database, or so many of the newest.
fn transfers(call: &Call, db: &Connection) -> Reply {
    let newest = call.query(|query| query.number("newest", 0, 0..=1_000))?;
    let found = match newest {
        0 => Transfer::list(db, "ORDER BY number", [])?,
        newest => Transfer::list(db, "ORDER BY number DESC LIMIT ?1", [newest])?,
    };
    Ok(Json(found.iter().map(|transfer| transfer.overview(call.now)).collect::<Value>()))
}

fn requests(call: &Call) -> Reply {
    let after = call.query(|query| query.number("after", 0, 0..=i64::MAX))?;
    let (requests, total) = call.app.log.after(after.unsigned_abs());
    Ok(Json(json!({ "requests": requests, "total": total, "capacity": call.app.config.log_capacity })))
}

fn forget_requests(call: &Call) -> Result<StatusCode, ApiError> {
    call.app.log.clear();
    Ok(StatusCode::NO_CONTENT)
}

fn clock(call: &Call) -> Reply {
    let clock = &call.app.clock;
    Ok(Json(json!({ "now": iso(clock.now()), "offsetSeconds": clock.offset_seconds() })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Advance {
    advance_seconds: i64,
}

/// Moves the clock forward. Back would undo what has happened, which only a reset can.
fn advance(call: &Call, db: &Connection) -> Reply {
    let Advance { advance_seconds } = call.typed()?;
    let offset = call.app.clock.offset_seconds().checked_add(advance_seconds);
    let Some(offset) = offset.filter(|offset| *offset <= MAX_OFFSET_SECONDS && advance_seconds >= 0) else {
        return Err(refused("advanceSeconds has to be from 0 to some twenty years in all"));
    };
    meta::keep_clock(db, offset)?;
    call.app.clock.set_offset_seconds(offset);
    clock(call)
}

/// Brings everything back to how it was at the start, except that tokens stay good: of the tables, that of keys
/// and start counts remains.
fn reset(call: &Call, db: &Connection) -> Reply {
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'meta'";
    let mut tables = db.prepare_cached(tables)?;
    let tables: Vec<String> = tables.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for table in tables {
        db.execute(&format!("DELETE FROM {table}"), [])?;
    }
    meta::keep_clock(db, 0)?;
    let app = &call.app;
    app.clock.set_offset_seconds(0);
    client::seed(db)?;
    seed::senders(db, app.clock.now())?;
    app.faults.clear();
    app.card_sessions.clear();
    app.lifetimes.reset();
    app.log.clear();
    clock(call)
}

fn faults(call: &Call) -> Reply {
    Ok(Json(json!({ "faults": call.app.faults.list() })))
}

/// Takes one fault, or `{faults: […]}`.
fn add_faults(call: &Call) -> Reply {
    let mut body = call.json()?;
    let added: Vec<Fault> = match body.remove("faults") {
        Some(list) if body.is_empty() => typed(list)?,
        Some(_) => return Err(refused("give faults alone, or one fault")),
        None => vec![typed(Value::Object(body))?],
    };
    if let Some(why) = added.iter().find_map(Fault::problem) {
        return Err(refused(why));
    }
    if !call.app.faults.add(added) {
        return Err(refused("too many faults are waiting; DELETE /sandbox/faults forgets them"));
    }
    faults(call)
}

fn forget_faults(call: &Call) -> Result<StatusCode, ApiError> {
    call.app.faults.clear();
    Ok(StatusCode::NO_CONTENT)
}

/// Returns how to get each error, each card outcome, and what else can be had.
pub fn known() -> Value {
    let clients = client::CLIENTS.iter();
    let clients =
        clients.map(|client| json!({ "clientId": client.client_id, "clientSecret": client.client_secret }));
    json!({
        "triggers": TRIGGERS,
        "failingTransferAmount": FAILING_TRANSFER_AMOUNT,
        "testCards": TEST_CARDS,
        "cardSessions": Behaviour::VARIANTS,
        "clients": clients.collect::<Value>(),
        "senders": {
            "person": seed::PERSON,
            "business": seed::BUSINESS,
            "limited": seed::LIMITED,
            "foreign": seed::FOREIGN,
        },
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RateMove {
    currency_iso3_code: String,
    /// Millionths: 10000 is one percent more for the recipient.
    millionths: i64,
}

/// Moves the rate to a currency: quotes made at another no longer hold.
fn move_rate(call: &Call, db: &Connection) -> Reply {
    let RateMove { currency_iso3_code, millionths } = call.typed()?;
    let currency = currency::by_iso3(&currency_iso3_code)
        .ok_or_else(|| refused("currencyIso3Code is none that the sandbox trades in"))?;
    if millionths.abs() > rates::FARTHEST_MOVE {
        return Err(refused("millionths has to be from -500000 to 500000"));
    }
    rates::set_move(db, currency, millionths)?;
    Ok(Json(json!({ "currencyIso3Code": currency_iso3_code, "millionths": millionths })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FeeMove {
    transfer_method: TransferMethod,
    cents: i64,
}

/// Adds to the fee of a method: quotes made with another no longer hold.
fn move_fee(call: &Call, db: &Connection) -> Reply {
    let FeeMove { transfer_method, cents } = call.typed()?;
    if !(0..=rates::FARTHEST_FEE_MOVE).contains(&cents) {
        return Err(refused("cents has to be from 0 to 10000"));
    }
    rates::set_fee_move(db, transfer_method, cents)?;
    Ok(Json(json!({ "transferMethod": transfer_method, "cents": cents })))
}

/// Says how long tokens, quotes and card sessions from now on are good for.
fn change_lifetimes(call: &Call) -> Reply {
    let lifetimes = &call.app.lifetimes;
    let seconds: Seconds = typed(lifetimes.get().changed(call.json()?))?;
    if !seconds.are_possible() {
        return Err(refused("a lifetime has to be from 1 to 86400 seconds"));
    }
    lifetimes.set(seconds);
    Ok(Json(json!(seconds)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewLimits {
    sender_id: Uuid,
    limits: Limits,
}

/// Sets a sender's limits: US cents and counts. What is left out has no limit.
fn set_limits(call: &Call, db: &Connection) -> Reply {
    let NewLimits { sender_id, limits } = call.typed()?;
    let mut sender = Sender::get(db, sender_id)?.ok_or(ErrorCode::SenderNotFound)?;
    let reply = json!({ "senderId": sender_id, "limits": limits });
    sender.limits = limits;
    sender.update(db)?;
    Ok(Json(reply))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewBalance {
    client_id: String,
    cents: i64,
}

/// Sets what a client's settlement account holds, in US cents.
fn set_balance(call: &Call, db: &Connection) -> Reply {
    let NewBalance { client_id, cents } = call.typed()?;
    let client = client::by_client_id(&client_id).ok_or_else(|| refused("no client has this clientId"))?;
    if cents < 0 {
        return Err(refused("cents has to be at least 0"));
    }
    client::set_balance(db, client, cents)?;
    Ok(Json(json!({ "clientId": client_id, "cents": cents })))
}

/// The newest sessions.
fn card_sessions(call: &Call, db: &Connection) -> Reply {
    let sessions = CardSession::list(db, "ORDER BY number DESC LIMIT 200", [])?;
    Ok(Json(sessions.iter().map(|session| session.overview(call.now)).collect::<Value>()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextCardSession {
    behaviour: Behaviour,
}

/// Says how the next card session that is created will behave.
fn next_card_session(call: &Call) -> Reply {
    let NextCardSession { behaviour } = call.typed()?;
    if !call.app.card_sessions.push(behaviour) {
        return Err(refused("too many sessions are told how to behave; reset forgets them"));
    }
    Ok(Json(json!({ "behaviour": behaviour })))
}

//! The endpoints under `/sandbox`, with which a tester looks into the service and steers it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::Connection;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::app::App;
use crate::card_session::Behaviour;
use crate::client;
use crate::clock::{MAX_OFFSET_SECONDS, iso};
use crate::corridor::TransferMethod;
use crate::currency;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::faults::Fault;
use crate::ids::parse_uuid;
use crate::input::{Body, Path, Query};
use crate::lifetimes::{Change, Seconds};
use crate::limits::Limits;
use crate::test_cards::TEST_CARDS;
use crate::triggers::{FAILING_TRANSFER_AMOUNT, TRIGGERS};
use crate::{corridor, meta, rates, seed, sender, transfer, transfer_hold};

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/sandbox/transfers", get(transfers))
        .route("/sandbox/transfers/{transfer}/release", post(release))
        .route("/sandbox/requests", get(requests).delete(forget_requests))
        .route("/sandbox/clock", get(clock).post(advance))
        .route("/sandbox/reset", post(reset))
        .route("/sandbox/faults", get(faults).post(add_faults).delete(forget_faults))
        .route("/sandbox/triggers", get(triggers))
        .route("/sandbox/corridors", get(corridor::endpoints::list_openly))
        .route("/sandbox/rates", post(move_rate))
        .route("/sandbox/fees", post(move_fee))
        .route("/sandbox/lifetimes", post(change_lifetimes))
        .route("/sandbox/limits", post(set_limits))
        .route("/sandbox/balance", post(set_balance))
        .route("/sandbox/card-sessions", get(card_sessions).post(next_card_session))
}

/// Reads a body whose properties are all known.
pub(crate) fn typed<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    serde_json::from_value(value)
        .map_err(|error| Problem::new(ErrorCode::BadRequestError).because(error.to_string()).into())
}

fn refused(why: impl Into<String>) -> ApiError {
    Problem::new(ErrorCode::BadRequestError).because(why).into()
}

/// Every recorded transfer, straight from the database, or so many of the newest.
async fn transfers(State(app): State<Arc<App>>, query: Query) -> Result<Json<Vec<Value>>, ApiError> {
    let mut problems = Problems::default();
    let newest = query.number("newest", 0, 0..=1_000, &mut problems);
    problems.finish()?;
    let now = app.clock.now();
    app.store.read(move |db| transfer::recorded(db, newest, now)).await.map(Json)
}

/// Ends the system's hold on a transfer.
async fn release(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Value>, ApiError> {
    let id = transfer::path_id(&id)?.to_string();
    let now = app.clock.now();
    app.store.write(move |db| transfer_hold::release_system_hold(db, &id, now)).await?;
    Ok(Json(json!({})))
}

async fn requests(State(app): State<Arc<App>>, query: Query) -> Result<Json<Value>, ApiError> {
    let mut problems = Problems::default();
    let after = query.number("after", 0, 0..=i64::MAX, &mut problems);
    problems.finish()?;
    let (requests, total) = app.log.after(after.unsigned_abs());
    Ok(Json(json!({ "requests": requests, "total": total, "capacity": app.config.log_capacity })))
}

async fn forget_requests(State(app): State<Arc<App>>) -> StatusCode {
    app.log.clear();
    StatusCode::NO_CONTENT
}

fn clock_reply(app: &App) -> Json<Value> {
    let now = iso(app.clock.now());
    Json(json!({ "now": now, "offsetSeconds": app.clock.offset_seconds() }))
}

async fn clock(State(app): State<Arc<App>>) -> Json<Value> {
    clock_reply(&app)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Advance {
    advance_seconds: i64,
}

/// Moves the clock forward. Back would undo what has happened, which only a reset can.
async fn advance(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let Advance { advance_seconds } = typed(Value::Object(body.0))?;
    let offset = app.clock.offset_seconds().checked_add(advance_seconds);
    let Some(offset) = offset.filter(|offset| *offset <= MAX_OFFSET_SECONDS && advance_seconds >= 0) else {
        return Err(refused("advanceSeconds has to be from 0 to some twenty years in all"));
    };
    let keeper = Arc::clone(&app);
    app.store
        .write(move |db| {
            meta::keep_clock(db, offset)?;
            keeper.clock.set_offset_seconds(offset);
            Ok(())
        })
        .await?;
    Ok(clock_reply(&app))
}

/// The tables that a reset empties: all but that of keys and start counts, so that tokens stay good.
fn emptied(connection: &Connection) -> Result<Vec<String>, ApiError> {
    let mut statement = connection
        .prepare_cached("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'meta'")?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// Brings everything back to how it was at the start.
async fn reset(State(app): State<Arc<App>>) -> Result<Json<Value>, ApiError> {
    let keeper = Arc::clone(&app);
    app.store
        .write(move |db| {
            for table in emptied(db)? {
                db.execute(&format!("DELETE FROM {table}"), [])?;
            }
            meta::keep_clock(db, 0)?;
            keeper.clock.set_offset_seconds(0);
            let now = keeper.clock.now();
            client::seed(db)?;
            seed::senders(db, now)
        })
        .await?;
    app.faults.clear();
    app.card_sessions.clear();
    app.lifetimes.reset();
    app.log.clear();
    Ok(clock_reply(&app))
}

async fn faults(State(app): State<Arc<App>>) -> Json<Value> {
    Json(json!({ "faults": app.faults.list() }))
}

/// Takes one fault, or `{faults: […]}`.
async fn add_faults(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let mut body = body.0;
    let faults: Vec<Fault> = match body.remove("faults") {
        Some(list) if body.is_empty() => typed(list)?,
        Some(_) => return Err(refused("give faults alone, or one fault")),
        None => vec![typed(Value::Object(body))?],
    };
    if let Some(why) = faults.iter().find_map(Fault::problem) {
        return Err(refused(why));
    }
    if !app.faults.add(faults) {
        return Err(refused("too many faults are waiting; DELETE /sandbox/faults forgets them"));
    }
    Ok(Json(json!({ "faults": app.faults.list() })))
}

async fn forget_faults(State(app): State<Arc<App>>) -> StatusCode {
    app.faults.clear();
    StatusCode::NO_CONTENT
}

async fn triggers() -> Json<Value> {
    Json(known())
}

/// Returns how to get each error, each card outcome, and what else can be had.
pub fn known() -> Value {
    let behaviours: Vec<&str> = Behaviour::ALL.iter().map(|one| one.name()).collect();
    let (person, business) = (seed::PERSON, seed::BUSINESS);
    let clients: Vec<Value> = client::CLIENTS
        .iter()
        .map(|client| json!({ "clientId": client.client_id, "clientSecret": client.client_secret }))
        .collect();
    json!({
        "triggers": TRIGGERS,
        "failingTransferAmount": FAILING_TRANSFER_AMOUNT,
        "testCards": TEST_CARDS,
        "cardSessions": behaviours,
        "clients": clients,
        "senders": {
            "person": person,
            "business": business,
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
async fn move_rate(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let RateMove { currency_iso3_code, millionths } = typed(Value::Object(body.0))?;
    let currency = currency::by_iso3(&currency_iso3_code)
        .ok_or_else(|| refused("currencyIso3Code is none that the sandbox trades in"))?;
    if millionths.abs() > rates::FARTHEST_MOVE {
        return Err(refused("millionths has to be from -500000 to 500000"));
    }
    app.store.write(move |db| rates::set_move(db, currency, millionths)).await?;
    Ok(Json(json!({ "currencyIso3Code": currency_iso3_code, "millionths": millionths })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FeeMove {
    transfer_method: String,
    cents: i64,
}

/// Adds to the fee of a method: quotes made with another no longer hold.
async fn move_fee(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let FeeMove { transfer_method, cents } = typed(Value::Object(body.0))?;
    let method = TransferMethod::parse(&transfer_method)
        .ok_or_else(|| refused("transferMethod is none that the sandbox knows"))?;
    if !(0..=rates::FARTHEST_FEE_MOVE).contains(&cents) {
        return Err(refused("cents has to be from 0 to 10000"));
    }
    app.store.write(move |db| rates::set_fee_move(db, method, cents)).await?;
    Ok(Json(json!({ "transferMethod": method.name(), "cents": cents })))
}

/// Says how long tokens, quotes and card sessions from now on are good for.
async fn change_lifetimes(State(app): State<Arc<App>>, body: Body) -> Result<Json<Seconds>, ApiError> {
    let change: Change = typed(Value::Object(body.0))?;
    if !change.is_possible() {
        return Err(refused("a lifetime has to be from 1 to 86400 seconds"));
    }
    app.lifetimes.change(change);
    Ok(Json(app.lifetimes.get()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewLimits {
    sender_id: String,
    limits: Limits,
}

/// Sets a sender's limits: US cents and counts. What is left out has no limit.
async fn set_limits(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let NewLimits { sender_id, limits } = typed(Value::Object(body.0))?;
    let id = parse_uuid(&sender_id).ok_or(ErrorCode::SenderNotFound)?;
    let reply = json!({ "senderId": id, "limits": limits });
    app.store.write(move |db| sender::set_limits(db, id, &limits)).await?;
    Ok(Json(reply))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewBalance {
    client_id: String,
    cents: i64,
}

/// Sets what a client's settlement account holds, in US cents.
async fn set_balance(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let NewBalance { client_id, cents } = typed(Value::Object(body.0))?;
    let client = client::by_client_id(&client_id).ok_or_else(|| refused("no client has this clientId"))?;
    if cents < 0 {
        return Err(refused("cents has to be at least 0"));
    }
    app.store.write(move |db| client::set_balance(db, client, cents)).await?;
    Ok(Json(json!({ "clientId": client_id, "cents": cents })))
}

async fn card_sessions(State(app): State<Arc<App>>) -> Result<Json<Vec<Value>>, ApiError> {
    let now = app.clock.now();
    app.store.read(move |db| crate::card_session::recorded(db, now)).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextCardSession {
    behaviour: Behaviour,
}

/// Says how the next card session that is created will behave.
async fn next_card_session(State(app): State<Arc<App>>, body: Body) -> Result<Json<Value>, ApiError> {
    let NextCardSession { behaviour } = typed(Value::Object(body.0))?;
    if !app.card_sessions.push(behaviour) {
        return Err(refused("too many sessions are told how to behave; reset forgets them"));
    }
    Ok(Json(json!({ "behaviour": behaviour })))
}

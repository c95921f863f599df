//! The endpoints under `/sandbox`, with which testers inspect and control the service.

mod clock;
mod snapshots;

pub use clock::parse_time;

use strum::VariantNames;

use crate::call::typed;
use crate::card_session::{Behaviour, CardSession};
use crate::contract::served::routes_of_service;
use crate::endpoint::{self, *};
use crate::faults::Fault;
use crate::sender::Sender;
use crate::sender_limits::Limits;
use crate::transfer::Transfer;
use crate::transfer_method::TransferMethod;
use crate::triggers::FAILING_TRANSFER_AMOUNT;
use crate::world::World;
use crate::{additions, client, corridor, fixtures, rates, snapshot};

const MAX_FAULTS: usize = 1_000;
const MAX_BEHAVIOURS: usize = 100;

type Call = endpoint::Call<Anyone>;

pub(crate) fn routes() -> Router<Arc<App>> {
    const OK: StatusCode = StatusCode::OK;
    Router::new()
        .route("/sandbox/transfers", get(read(list_transfers)))
        .route("/sandbox/requests", get(plain(list_requests)).delete(clear_requests))
        .route("/sandbox/clock", get(plain(clock::read)).post(write(OK, clock::change)))
        .route("/sandbox/reset", post(write(OK, reset)))
        .route("/sandbox/snapshots", post(read(snapshots::take)))
        .route("/sandbox/snapshots/{snapshotId}/restore", post(write(OK, snapshots::restore)))
        .route("/sandbox/faults", get(plain(list_faults)).post(plain(add_faults)).delete(clear_faults))
        .route("/sandbox/triggers", get(plain(|call: &Call| Ok(known_of(&call.world)))))
        .route("/sandbox/corridors", get(plain(corridor::list::<Anyone>)).post(write(OK, add_corridors)))
        .route("/sandbox/cards", post(write(OK, add_card)))
        .route("/sandbox/rates", post(write(OK, change_rate)))
        .route("/sandbox/fees", post(write(OK, change_fee)))
        .route("/sandbox/lifetimes", post(plain(change_lifetimes)))
        .route("/sandbox/limits", post(write(OK, set_limits)))
        .route("/sandbox/balance", post(write(OK, set_balance)))
        .route("/sandbox/card-sessions", get(read(list_card_sessions)).post(plain(set_next_card_session)))
}

/// Declares the JSON bodies, which reject unknown members.
macro_rules! bodies {
    ($($name:ident { $($member:ident: $type:ty),* })*) => {
        $(#[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct $name { $($member: $type),* })*
    };
}

bodies! {
    RateChange { currency_iso3_code: String, millionths: i64 }
    FeeChange { transfer_method: TransferMethod, cents: i64 }
    NewLimits { sender_id: Uuid, limits: Limits }
    NewBalance { client_id: Option<String>, cents: i64 }
    NextCardSession { behaviour: Behaviour }
}

fn bad_request(why: impl Into<String>) -> ApiError {
    Problem::new(ErrorCode::BadRequestError).because(why).into()
}

/// Lists all transfers in the order in which they were made, or the newest first with `newest`.
fn list_transfers(call: &Call, db: &Connection) -> Reply {
    let newest = call.query(|query| query.number("newest", 0, 0..=1_000))?;
    let transfers = match newest {
        0 => Transfer::list(db, "ORDER BY number", [])?,
        newest => Transfer::list(db, "ORDER BY number DESC LIMIT ?1", [newest])?,
    };
    Ok(transfers.iter().map(|transfer| transfer.for_testers(call.now)).collect())
}

fn list_requests(call: &Call) -> Reply {
    let after = call.query(|query| query.number("after", 0, 0..=i64::MAX))?;
    let (requests, total) = call.app.log.after(after.unsigned_abs());
    Ok(json!({ "requests": requests, "total": total, "capacity": call.app.config.log_capacity }))
}

async fn clear_requests(call: Call) -> StatusCode {
    call.app.log.clear();
    StatusCode::NO_CONTENT
}

/// Restores the initial state. Tokens stay valid, as `meta` with the key is kept.
fn reset(call: &Call, db: &Connection) -> Reply {
    snapshot::clear_all(db)?;
    let app = &call.app;
    clock::set(call, db, app.clock.starting_at(app.config.now, app.config.frozen))?;
    app.set_world(Arc::clone(&app.initial_world));
    fixtures::create(db, app.clock.now(), &app.initial_world)?;
    app.clear_control_state();
    clock::read(call)
}

fn list_faults(call: &Call) -> Reply {
    Ok(json!({ "faults": call.app.controls().faults }))
}

/// Adds one fault, or those of `{faults: […]}`.
fn add_faults(call: &Call) -> Reply {
    let mut body = call.json()?;
    let added: Vec<Fault> = match body.remove("faults") {
        Some(list) if body.is_empty() => typed(list)?,
        Some(_) => return Err(bad_request("give faults alone, or one fault")),
        None => vec![typed(Value::Object(body))?],
    };
    if let Some(why) = added.iter().find_map(Fault::problem) {
        return Err(bad_request(why));
    }
    let routes = routes_of_service().map_err(ApiError::internal)?;
    if let Some(fault) = added.iter().find(|fault| !fault.can_meet(&routes)) {
        return Err(bad_request(format!("no request can meet this fault: no route is {fault}")));
    }
    let mut controls = call.app.controls();
    if controls.faults.len() + added.len() > MAX_FAULTS {
        return Err(bad_request("too many faults are pending; DELETE /sandbox/faults removes them"));
    }
    controls.faults.extend(added);
    drop(controls);
    list_faults(call)
}

async fn clear_faults(call: Call) -> StatusCode {
    call.app.controls().faults.clear();
    StatusCode::NO_CONTENT
}

/// Adds what a configuration may have: currencies, countries with their corridors and fields, and so on.
fn add_corridors(call: &Call, db: &Connection) -> Reply {
    let world = additions::add(&call.app, db, &Value::Object(call.json()?))?;
    corridor::enabled(call, &world)
}

/// Adds a test card, or changes one.
fn add_card(call: &Call, db: &Connection) -> Reply {
    let world = additions::add(&call.app, db, &json!({ "cards": [call.json()?] }))?;
    Ok(json!(world.cards))
}

/// Returns the built-in triggers, test cards, and known clients and senders.
///
/// # Errors
/// Where the built-in data is wrong.
pub fn known() -> Result<Value, String> {
    World::built_in().map(|world| known_of(&world))
}

fn known_of(world: &World) -> Value {
    let clients = client::CLIENTS.iter();
    let clients =
        clients.map(|client| json!({ "clientId": client.client_id, "clientSecret": client.client_secret }));
    json!({
        "triggers": world.triggers,
        "failingTransferAmount": FAILING_TRANSFER_AMOUNT,
        "testCards": world.cards,
        "cardSessions": Behaviour::VARIANTS,
        "clients": clients.collect::<Value>(),
        "senders": {
            "person": fixtures::PERSON,
            "business": fixtures::BUSINESS,
            "limited": fixtures::LIMITED,
            "foreign": fixtures::FOREIGN,
        },
    })
}

/// Moves the rate to a currency, in millionths: 10000 gives the recipient one percent more than before.
fn change_rate(call: &Call, db: &Connection) -> Reply {
    let RateChange { currency_iso3_code, millionths } = call.typed()?;
    if call.world.currency(&currency_iso3_code).is_none() {
        return Err(bad_request("currencyIso3Code is none that the sandbox trades in"));
    }
    let moved = rates::add_change(db, &currency_iso3_code, millionths, -500_000..=500_000)?;
    let moved = moved.ok_or_else(|| bad_request("millionths have to add up to -500000 to 500000"))?;
    Ok(json!({ "currencyIso3Code": currency_iso3_code, "millionths": moved }))
}

/// Adds to the fee of a method; less than 0 takes away what was added.
fn change_fee(call: &Call, db: &Connection) -> Reply {
    let FeeChange { transfer_method, cents } = call.typed()?;
    let moved = rates::add_change(db, transfer_method.name(), cents, 0..=10_000)?;
    let moved = moved.ok_or_else(|| bad_request("cents have to add up to 0 to 10000"))?;
    Ok(json!({ "transferMethod": transfer_method, "cents": moved }))
}

/// Changes some lifetimes; absent and null ones stay.
fn change_lifetimes(call: &Call) -> Reply {
    let mut changes = call.json()?;
    changes.retain(|_, value| !value.is_null());
    if !changes.values().all(|value| value.as_i64().is_some_and(|seconds| (1..=86_400).contains(&seconds))) {
        return Err(bad_request("a lifetime has to be a whole number of seconds from 1 to 86400"));
    }
    let lifetimes = &mut call.app.controls().lifetimes;
    let mut seconds: serde_json::Map<_, _> = typed(json!(lifetimes))?;
    seconds.extend(changes);
    *lifetimes = typed(seconds.clone().into())?;
    Ok(seconds.into())
}

/// Sets a sender's limits. Absent ones do not apply.
fn set_limits(call: &Call, db: &Connection) -> Reply {
    let NewLimits { sender_id, limits } = call.typed()?;
    let sender = Sender::get(db, sender_id)?.ok_or(ErrorCode::SenderNotFound)?;
    let reply = json!({ "senderId": sender_id, "limits": limits });
    Sender { limits, ..sender }.update(db)?;
    Ok(reply)
}

fn set_balance(call: &Call, db: &Connection) -> Reply {
    let NewBalance { client_id, cents } = call.typed()?;
    let unknown = || bad_request("no client has this clientId");
    let client = match &client_id {
        Some(id) => client::by_client_id(id).ok_or_else(unknown)?,
        None => fixtures::client(),
    };
    if cents < 0 {
        return Err(bad_request("cents has to be at least 0"));
    }
    client::set_balance(db, client, cents)?;
    Ok(json!({ "clientId": client.client_id, "cents": cents }))
}

fn list_card_sessions(call: &Call, db: &Connection) -> Reply {
    let sessions = CardSession::list(db, "ORDER BY number DESC LIMIT 200", [])?;
    Ok(sessions.iter().map(|session| session.for_testers(call.now)).collect())
}

fn set_next_card_session(call: &Call) -> Reply {
    let NextCardSession { behaviour } = call.typed()?;
    let mut controls = call.app.controls();
    if controls.card_sessions.len() >= MAX_BEHAVIOURS {
        return Err(bad_request("too many behaviors are pending; POST /sandbox/reset removes them"));
    }
    controls.card_sessions.push_back(behaviour);
    Ok(json!({ "behaviour": behaviour }))
}

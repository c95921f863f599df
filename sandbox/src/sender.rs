//! Senders: who sends the money (interface, parts 2, 4 and 7).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use crate::access::Caller;
use crate::app::App;
use crate::client::Client;
use crate::clock::{day_of, iso};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fields::{Kind, Subject, Values, check, sender_sets};
use crate::ids::parse_uuid;
use crate::input::{Body, Named, Path, Query};
use crate::limits::Limits;
use crate::triggers::{self, Operation};

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS senders (
    id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    group_id TEXT NOT NULL,
    limits TEXT NOT NULL,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deactivated INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
";

/// The sender groups that exist. The first is the default.
pub(crate) const GROUPS: [Uuid; 2] =
    [uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a001"), uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002")];

/// A sender, as the database has it.
#[derive(Debug)]
pub(crate) struct Sender {
    pub(crate) id: Uuid,
    pub(crate) kind: Kind,
    group: String,
    limits: String,
    fields: String,
    created_at: i64,
    deactivated: bool,
}

impl Sender {
    pub(crate) fn limits(&self) -> Result<Limits, ApiError> {
        Ok(serde_json::from_str(&self.limits)?)
    }

    fn values(&self) -> Result<Values, ApiError> {
        Ok(Values::from_json(&self.fields)?)
    }

    /// The sender record.
    pub(crate) fn record(&self, now: i64) -> Result<Value, ApiError> {
        let values = self.values()?;
        let sets = sender_sets(self.kind, now);
        let mut record = json!({
            "senderId": self.id,
            "senderType": self.kind,
            "kycStatus": if values.get("ID_NUMBER").is_some() { "PASSED" } else { "SKIPPED" },
            "createdAt": iso(self.created_at),
            "isDeactivated": self.deactivated,
            "senderGroupId": self.group,
            "fields": values.record(&sets, "ID_NUMBER"),
        });
        add_names(&mut record, &values);
        Ok(record)
    }
}

/// Puts the names beside the fields, as records have them.
pub(crate) fn add_names(record: &mut Value, values: &Values) {
    let Some(record) = record.as_object_mut() else { return };
    for id in ["firstName", "lastName", "companyName"] {
        if let Some(name) = values.get(id) {
            record.insert(id.to_owned(), name.clone());
        }
    }
}

/// Finds a sender of a client that is not deactivated.
pub(crate) fn find(connection: &Connection, client: &Client, id: Uuid) -> Result<Sender, ApiError> {
    Ok(find_any(connection, client, id)?
        .filter(|sender| !sender.deactivated)
        .ok_or(ErrorCode::SenderNotFound)?)
}

/// Whether a client has this sender.
pub(crate) fn is_active(connection: &Connection, client: &Client, id: Uuid) -> Result<bool, ApiError> {
    Ok(find_any(connection, client, id)?.is_some_and(|sender| !sender.deactivated))
}

fn find_any(connection: &Connection, client: &Client, id: Uuid) -> Result<Option<Sender>, ApiError> {
    let mut statement = connection.prepare_cached(
        "SELECT kind, group_id, limits, fields, created_at, deactivated
         FROM senders WHERE id = ?1 AND client_id = ?2",
    )?;
    let row = statement
        .query_row(params![id.to_string(), client.id.to_string()], |row| {
            let kind: String = row.get(0)?;
            Ok(Sender {
                id,
                kind: Kind::parse(&kind).unwrap_or(Kind::Person),
                group: row.get(1)?,
                limits: row.get(2)?,
                fields: row.get(3)?,
                created_at: row.get(4)?,
                deactivated: row.get(5)?,
            })
        })
        .optional()?;
    Ok(row)
}

/// A sender that is to be written.
pub(crate) struct NewSender<'a> {
    pub(crate) id: Uuid,
    pub(crate) client: &'a Client,
    pub(crate) kind: Kind,
    pub(crate) group: Uuid,
    pub(crate) limits: &'a Limits,
    pub(crate) values: &'a Values,
    pub(crate) created_at: i64,
}

/// Writes a sender, unless there is one with its identifier.
pub(crate) fn insert(connection: &Connection, sender: &NewSender<'_>) -> Result<(), ApiError> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO senders (id, client_id, kind, group_id, limits, fields, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            sender.id.to_string(),
            sender.client.id.to_string(),
            sender.kind.name(),
            sender.group.to_string(),
            serde_json::to_string(sender.limits)?,
            sender.values.to_json(),
            sender.created_at,
        ])?;
    Ok(())
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/sender-id", get(own_id))
        .route("/v1/senders", post(create))
        .route("/v1/senders/{sender}", get(read).patch(update).put(replace).delete(deactivate))
}

/// Reads the identifier in the path.
fn path_id(text: &str) -> Result<Uuid, ApiError> {
    parse_uuid(text).ok_or_else(|| {
        Problem::new(ErrorCode::BadRequestError).at("senderId").because("senderId has to be a UUID").into()
    })
}

async fn own_id(State(app): State<Arc<App>>, caller: Caller, query: Query) -> Result<Json<Value>, ApiError> {
    let mut problems = Problems::default();
    let named = query.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    problems.finish()?;
    let sender = app.store.read(move |db| caller.sender(db, named)).await?;
    Ok(Json(json!({ "senderId": sender.id })))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let now = app.clock.now();
    let record = app.store.read(move |db| caller.sender(db, Some(id))?.record(now)).await?;
    Ok(Json(record))
}

/// What a request says of a sender.
struct Given {
    kind: Kind,
    group: Option<Uuid>,
    values: Values,
}

fn given(body: &Body) -> Result<Given, ApiError> {
    let mut problems = Problems::default();
    let kind = Kind::read(body, "senderType", &mut problems);
    let group = body.optional_uuid("senderGroupId", ErrorCode::BadRequestError, &mut problems);
    if body.0.get("fields").is_none_or(Value::is_null) {
        problems.add(Problem::new(ErrorCode::NotEmptyValidator).at("fields"));
    }
    let values = Values::read(body.0.get("fields"), &mut problems);
    problems.finish()?;
    let kind = kind.ok_or(ErrorCode::BadRequestError)?;
    Ok(Given { kind, group, values })
}

/// A group that does not exist keeps a sender from being written; `code` says which way.
fn check_group(group: Option<Uuid>, code: ErrorCode) -> Result<(), ApiError> {
    match group {
        Some(group) if !GROUPS.contains(&group) => Err(Problem::new(code)
            .at("senderGroupId")
            .because("there is no sender group with this id")
            .into()),
        _ => Ok(()),
    }
}

fn check_values(kind: Kind, values: &Values, now: i64) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    problems.extend(check(&sender_sets(kind, now), values, Subject::Sender(kind), day_of(now)));
    problems.finish()
}

async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    caller.require_client_level()?;
    let Given { kind, group, values } = given(&body)?;
    let now = app.clock.now();
    triggers::by_name(Operation::CreateSender, &values)?;
    check_values(kind, &values, now)?;
    check_group(group, ErrorCode::SenderNotCreated)?;
    let id = app.ids.uuid();
    let record = app
        .store
        .write(move |db| {
            let values = values.without_nulls();
            let [default, _] = GROUPS;
            insert(
                db,
                &NewSender {
                    id,
                    client: caller.client,
                    kind,
                    group: group.unwrap_or(default),
                    limits: &Limits::standard(),
                    values: &values,
                    created_at: now,
                },
            )?;
            find(db, caller.client, id)?.record(now)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(record)))
}

async fn update(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let Given { kind, group, values } = given(&body)?;
    change(app, caller, id, group, Change::Merge { kind, values }).await
}

async fn replace(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let Given { kind, group, values } = given(&body)?;
    change(app, caller, id, group, Change::Replace { kind, values }).await
}

enum Change {
    Merge { kind: Kind, values: Values },
    Replace { kind: Kind, values: Values },
}

async fn change(
    app: Arc<App>,
    caller: Caller,
    id: Uuid,
    group: Option<Uuid>,
    change: Change,
) -> Result<Json<Value>, ApiError> {
    let now = app.clock.now();
    let record = app
        .store
        .write(move |db| {
            let sender = caller.sender(db, Some(id))?;
            let (kind, values) = match change {
                Change::Replace { kind, values } => {
                    triggers::by_name(Operation::UpdateSender, &values)?;
                    (kind, values)
                }
                Change::Merge { kind, .. } if kind != sender.kind => {
                    return Err(Problem::new(ErrorCode::SenderNotUpdated)
                        .at("senderType")
                        .because("a PATCH keeps the sender's type; a PUT can change it")
                        .into());
                }
                Change::Merge { kind, values } => {
                    triggers::by_name(Operation::UpdateSender, &values)?;
                    (kind, sender.values()?.merged(values))
                }
            };
            check_values(kind, &values, now)?;
            check_group(group, ErrorCode::SenderNotUpdated)?;
            let group = group.map_or(sender.group, |group| group.to_string());
            let fields = values.without_nulls().to_json();
            db.prepare_cached("UPDATE senders SET kind = ?2, group_id = ?3, fields = ?4 WHERE id = ?1")?
                .execute(params![id.to_string(), kind.name(), group, fields])?;
            find(db, caller.client, id)?.record(now)
        })
        .await?;
    Ok(Json(record))
}

async fn deactivate(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let now = app.clock.now();
    let record = app
        .store
        .write(move |db| {
            caller.sender(db, Some(id))?;
            db.execute("UPDATE senders SET deactivated = 1 WHERE id = ?1", [id.to_string()])?;
            let sender = find_any(db, caller.client, id)?.ok_or(ErrorCode::SenderNotFound)?;
            sender.record(now)
        })
        .await?;
    Ok(Json(record))
}

/// Sets a sender's limits, for testers.
pub(crate) fn set_limits(connection: &Connection, id: Uuid, limits: &Limits) -> Result<(), ApiError> {
    let limits = serde_json::to_string(limits)?;
    let changed = connection
        .execute("UPDATE senders SET limits = ?2 WHERE id = ?1", params![id.to_string(), limits])?;
    if changed == 0 { Err(ErrorCode::SenderNotFound.into()) } else { Ok(()) }
}

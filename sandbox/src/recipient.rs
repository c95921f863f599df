//! Recipients: who the money is for (interface, parts 4 and 7).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::Caller;
use crate::app::App;
use crate::clock::{day_of, iso};
use crate::corridor::{self, Route};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fields::{Kind, Subject, Values, check, recipient_sets};
use crate::ids::parse_uuid;
use crate::input::{Body, Named, Path, Query};
use crate::sender::{Sender, add_names};

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS recipients (
    id TEXT PRIMARY KEY,
    sender_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    country TEXT,
    currency TEXT,
    method TEXT,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS recipients_of_sender ON recipients (sender_id);
";

/// A recipient, as the database has it.
#[derive(Debug)]
pub(crate) struct Recipient {
    pub(crate) id: Uuid,
    kind: Kind,
    pub(crate) country: Option<String>,
    pub(crate) currency: Option<String>,
    sender: String,
    fields: String,
    created_at: i64,
}

const COLUMNS: &str = "id, kind, country, currency, sender_id, fields, created_at";

impl Recipient {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id: String = row.get(0)?;
        let kind: String = row.get(1)?;
        Ok(Self {
            id: Uuid::try_parse(&id).unwrap_or_default(),
            kind: Kind::parse(&kind).unwrap_or(Kind::Person),
            country: row.get(2)?,
            currency: row.get(3)?,
            sender: row.get(4)?,
            fields: row.get(5)?,
            created_at: row.get(6)?,
        })
    }

    /// The recipient record.
    pub(crate) fn record(&self) -> Result<Value, ApiError> {
        let values = Values::from_json(&self.fields)?;
        let sets = recipient_sets(None, self.kind, self.created_at, "");
        let mut record = json!({
            "recipientId": self.id,
            "senderId": self.sender,
            "recipientType": self.kind,
            "createdAt": iso(self.created_at),
            "fields": values.record(&sets, "ID_NUMBER"),
        });
        add_names(&mut record, &values);
        Ok(record)
    }
}

/// Finds a recipient of a sender.
pub(crate) fn find(connection: &Connection, sender: &Sender, id: Uuid) -> Result<Recipient, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM recipients WHERE id = ?1 AND sender_id = ?2 AND deleted = 0"
        ))?
        .query_row(params![id.to_string(), sender.id.to_string()], Recipient::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::RecipientNotFound.into())
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/recipients", get(list).post(create))
        .route("/v1/recipients/{recipient}", get(read).put(replace).delete(delete))
}

/// Reads the identifier in the path.
pub(crate) fn path_id(text: &str) -> Result<Uuid, ApiError> {
    parse_uuid(text).ok_or_else(|| {
        Problem::new(ErrorCode::InvalidRecipientId)
            .at("recipientId")
            .because("recipientId has to be a GUID")
            .into()
    })
}

/// What a request says of a recipient.
struct Given {
    kind: Kind,
    sender: Option<Uuid>,
    /// The corridor that the recipient is for, if the request names one.
    route: Option<Route>,
    values: Values,
}

fn given(body: &Body, now: i64) -> Result<Given, ApiError> {
    let mut problems = Problems::default();
    let name = if body.0.contains_key("userType") { "userType" } else { "recipientType" };
    let kind = match Kind::read(body, name, &mut problems) {
        Some(kind) => kind,
        None => {
            problems.finish()?;
            return Err(ErrorCode::BadRequestError.into());
        }
    };
    let sender = body.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    let named = ["dstCountryIso3Code", "dstCurrencyIso3Code", "transferMethod"]
        .into_iter()
        .any(|name| body.0.get(name).is_some_and(|value| !value.is_null()));
    let route = if named { Some(corridor::from_request(body, std::mem::take(&mut problems))?) } else { None };
    let values = Values::read(body.0.get("fields"), &mut problems);
    problems.finish()?;

    let mut problems = Problems::default();
    let sets = recipient_sets(route, kind, now, "");
    problems.extend(check(&sets, &values, Subject::Recipient(kind), day_of(now)));
    problems.finish()?;
    Ok(Given { kind, sender, route, values: values.without_nulls() })
}

impl Given {
    fn corridor(&self) -> (Option<&'static str>, Option<&'static str>, Option<&'static str>) {
        let route = self.route;
        (
            route.map(|route| route.corridor.country.iso3_code),
            route.map(|route| route.destination.iso3_code),
            route.map(|route| route.corridor.method.name()),
        )
    }
}

async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let now = app.clock.now();
    let given = given(&body, now)?;
    let id = app.ids.uuid();
    let record = app
        .store
        .write(move |db| {
            let sender = caller.sender(db, given.sender)?;
            let (country, currency, method) = given.corridor();
            db.prepare_cached(
                "INSERT INTO recipients
                 (id, sender_id, kind, country, currency, method, fields, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id.to_string(),
                sender.id.to_string(),
                given.kind.name(),
                country,
                currency,
                method,
                given.values.to_json(),
                now,
            ])?;
            find(db, &sender, id)?.record()
        })
        .await?;
    Ok((StatusCode::CREATED, Json(record)))
}

/// The sender of a request whose query may name one.
fn named_sender(query: &Query) -> Result<Option<Uuid>, ApiError> {
    let mut problems = Problems::default();
    let named = query.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    problems.finish()?;
    Ok(named)
}

async fn list(State(app): State<Arc<App>>, caller: Caller, query: Query) -> Result<Json<Value>, ApiError> {
    let named = named_sender(&query)?;
    let recipients = app
        .store
        .read(move |db| {
            let sender = caller.sender(db, named)?;
            let mut statement = db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM recipients
                 WHERE sender_id = ?1 AND deleted = 0 ORDER BY created_at, rowid LIMIT 1000"
            ))?;
            let rows = statement.query_map([sender.id.to_string()], Recipient::from_row)?;
            let mut records = Vec::new();
            for recipient in rows {
                records.push(recipient?.record()?);
            }
            Ok(records)
        })
        .await?;
    Ok(Json(json!({ "recipients": recipients })))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    query: Query,
) -> Result<Json<Value>, ApiError> {
    let (id, named) = (path_id(&id)?, named_sender(&query)?);
    let record =
        app.store.read(move |db| find(db, &caller.owner_of_recipient(db, named, id)?, id)?.record()).await?;
    Ok(Json(record))
}

async fn replace(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let given = given(&body, app.clock.now())?;
    let record = app
        .store
        .write(move |db| {
            let sender = caller.owner_of_recipient(db, given.sender, id)?;
            find(db, &sender, id)?;
            let (country, currency, method) = given.corridor();
            db.prepare_cached(
                "UPDATE recipients SET kind = ?2, country = coalesce(?3, country),
                 currency = coalesce(?4, currency), method = coalesce(?5, method), fields = ?6
                 WHERE id = ?1",
            )?
            .execute(params![
                id.to_string(),
                given.kind.name(),
                country,
                currency,
                method,
                given.values.to_json(),
            ])?;
            find(db, &sender, id)?.record()
        })
        .await?;
    Ok(Json(record))
}

async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    query: Query,
) -> Result<Json<Value>, ApiError> {
    let (id, named) = (path_id(&id)?, named_sender(&query)?);
    app.store
        .write(move |db| {
            let sender = caller.owner_of_recipient(db, named, id)?;
            find(db, &sender, id)?;
            db.execute("UPDATE recipients SET deleted = 1 WHERE id = ?1", [id.to_string()])?;
            db.execute("UPDATE accounts SET deleted = 1 WHERE recipient_id = ?1", [id.to_string()])?;
            Ok(())
        })
        .await?;
    Ok(Json(json!({})))
}

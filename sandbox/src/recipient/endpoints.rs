//! The endpoints of recipients.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::params;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{COLUMNS, Recipient, TABLES, find, path_id};
use crate::access::Caller;
use crate::app::App;
use crate::clock::day_of;
use crate::corridor::Route;
use crate::corridor::request::from_body;
use crate::error::{ApiError, ErrorCode, Problems};
use crate::fields::{Kind, Subject, Values, check, recipient_sets};
use crate::input::{Body, Named, Path, Query};
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: TABLES,
    interface: r##"
paths:
  /v1/recipients:
    get:
      operationId: recipients
      tags: [people]
      summary: Lists a sender's recipients.
      x-source: published
      x-error-codes: [SenderUndetermined, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/senderId" }
      responses:
        "200":
          description: The recipients.
          content:
            application/json:
              schema:
                type: object
                required: [recipients]
                properties:
                  recipients:
                    type: array
                    items: { $ref: "#/components/schemas/Recipient" }
    post:
      operationId: createRecipient
      tags: [people]
      summary: Registers a recipient.
      x-source: documented
      x-error-codes: &recipientCodes
        - NotEmptyValidator
        - MissingRequiredField
        - ValueRegexFailure
        - BusinessOrDataValidationError
        - UnsupportedCountry
        - NoCorridorFoundForSpecificValues
        - CC404
        - SenderUndetermined
        - SenderNotFound
        - RecipientNotFound
        - InvalidRecipientId
        - InvalidRecipientName
        - RecipientInvalidTypeOfIdLength
        - RecipientInvalidPhoneNumber
      requestBody: &recipientBody
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/RecipientRequest" }
      responses:
        "201": { $ref: "#/components/responses/Recipient" }

  /v1/recipients/{recipientId}:
    parameters:
      - { $ref: "#/components/parameters/recipientId" }
    get:
      operationId: getRecipient
      tags: [people]
      summary: Reads a recipient.
      x-source: published
      x-error-codes: &recipientReadCodes [InvalidRecipientId, RecipientNotFound, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/senderId" }
      responses: &recipientResponses
        "200": { $ref: "#/components/responses/Recipient" }
    put:
      operationId: replaceRecipient
      tags: [people]
      summary: Replaces the whole record.
      x-source: published
      x-error-codes: *recipientCodes
      requestBody: *recipientBody
      responses: *recipientResponses
    delete:
      operationId: deleteRecipient
      tags: [people]
      summary: Forgets a recipient and its accounts.
      x-source: published
      x-error-codes: *recipientReadCodes
      parameters:
        - { $ref: "#/components/parameters/senderId" }
      responses:
        "200": { $ref: "#/components/responses/Done" }

components:
  parameters:
    recipientId:
      name: recipientId
      in: path
      required: true
      x-source: documented
      schema: { $ref: "#/components/schemas/Uuid" }

  responses:
    Recipient:
      description: The recipient.
      content:
        application/json:
          schema: { $ref: "#/components/schemas/Recipient" }

  schemas:
    RecipientRequest:
      type: object
      x-source: published
      description: What is left out is the default; without a corridor the fields are those that any recipient has.
      properties:
        userType: { $ref: "#/components/schemas/PartyType" }
        fields: { type: array, items: { $ref: "#/components/schemas/FieldValue" } }
        dstCountryIso3Code: { $ref: "#/components/schemas/CountryCode" }
        dstCurrencyIso3Code: { $ref: "#/components/schemas/CurrencyCode" }
        transferMethod: { $ref: "#/components/schemas/TransferMethod" }
        senderId: { $ref: "#/components/schemas/Uuid" }
    Recipient:
      type: object
      x-source: published
      required: [recipientId, recipientType, fields]
      properties:
        recipientId: { $ref: "#/components/schemas/Uuid", x-source: documented }
        recipientType: { $ref: "#/components/schemas/PartyType" }
        senderId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
        firstName: { type: string }
        lastName: { type: string }
        companyName: { type: string }
        createdAt: { $ref: "#/components/schemas/Timestamp" }
        fields: { type: array, items: { $ref: "#/components/schemas/RecordField" } }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/recipients", get(list).post(create))
        .route("/v1/recipients/{recipient}", get(read).put(replace).delete(delete))
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
    let kind = match Kind::read_or_default(body, name, &mut problems) {
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
    let route = if named { Some(from_body(body, std::mem::take(&mut problems))?) } else { None };
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
            rows.map(|recipient| recipient?.record()).collect::<Result<Vec<_>, _>>()
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

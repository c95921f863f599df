//! The endpoints of senders, and the one that says who the caller is.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::params;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{GROUPS, NewSender, TABLES, find, find_any, insert};
use crate::access::Caller;
use crate::app::App;
use crate::clock::day_of;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fields::{Kind, Subject, Values, check, sender_sets};
use crate::input::{Body, Named, Path, Query, path_uuid};
use crate::limits::Limits;
use crate::resource::Resource;
use crate::triggers::{self, Operation};

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: TABLES,
    interface: r##"
paths:
  /v1/sender-id:
    get:
      operationId: senderId
      tags: [people]
      summary: Tells for which sender the token speaks.
      x-source: documented
      x-error-codes: [SenderUndetermined, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/senderId" }
      responses:
        "200":
          description: The sender.
          content:
            application/json:
              schema:
                type: object
                x-source: assumed
                required: [senderId]
                properties:
                  senderId: { $ref: "#/components/schemas/Uuid" }

  /v1/senders:
    post:
      operationId: createSender
      tags: [people]
      summary: Registers a sender. Needs a client-level token.
      x-source: published
      x-error-codes: &senderCodes
        - NotEmptyValidator
        - MissingRequiredField
        - ValueRegexFailure
        - BusinessOrDataValidationError
        - SenderUndetermined
        - SenderNotFound
        - InvalidSenderName
        - SenderNotCreated
        - SenderNotUpdated
        - InvalidTypeOfId
        - SenderInvalidTypeOfIdLength
        - SenderInvalidDateOfBirthUnder18
      requestBody: &senderBody
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/SenderRequest" }
      responses:
        "201": { $ref: "#/components/responses/Sender" }

  /v1/senders/{senderId}:
    parameters:
      - { $ref: "#/components/parameters/senderIdInPath" }
    get:
      operationId: getSender
      tags: [people]
      summary: Reads a sender.
      x-source: published
      x-error-codes: [SenderNotFound]
      responses: &senderResponses
        "200": { $ref: "#/components/responses/Sender" }
    patch:
      operationId: updateSender
      tags: [people]
      summary: Changes what is included, and nothing else.
      x-source: documented
      x-error-codes: *senderCodes
      requestBody: *senderBody
      responses: *senderResponses
    put:
      operationId: replaceSender
      tags: [people]
      summary: Replaces the whole record.
      x-source: documented
      x-error-codes: *senderCodes
      requestBody: *senderBody
      responses: *senderResponses
    delete:
      operationId: deleteSender
      tags: [people]
      summary: Deactivates a sender.
      x-source: published
      x-error-codes: [SenderNotFound]
      responses: *senderResponses

components:
  parameters:
    senderIdInPath:
      name: senderId
      in: path
      required: true
      x-source: documented
      schema: { $ref: "#/components/schemas/Uuid" }

  responses:
    Sender:
      description: The sender.
      content:
        application/json:
          schema: { $ref: "#/components/schemas/Sender" }

  schemas:
    KycStatus:
      type: string
      x-source: published
      x-known-values:
        UNKNOWN: published
        SKIPPED: published
        PASSED: published
        ID_REQUIRED: published
        FAILED: published
        PENDING: published
        REQUEST_FAILED: published
    SenderRequest:
      type: object
      x-source: documented
      required: [senderType, fields]
      properties:
        senderType: { $ref: "#/components/schemas/PartyType" }
        fields: { type: array, items: { $ref: "#/components/schemas/FieldValue" } }
        senderGroupId:
          x-source: published
          description: The default group on creation, the one of before on update, where it is absent, null or empty.
          type: [string, "null"]
          pattern: "^([0-9a-fA-F-]{36})?$"
    Sender:
      type: object
      x-source: published
      required: [senderId, senderType, fields]
      properties:
        senderId: { $ref: "#/components/schemas/Uuid", x-source: documented }
        senderType: { $ref: "#/components/schemas/PartyType" }
        firstName: { type: string }
        lastName: { type: string }
        companyName: { type: string }
        kycStatus: { $ref: "#/components/schemas/KycStatus" }
        createdAt: { $ref: "#/components/schemas/Timestamp" }
        isDeactivated: { type: boolean }
        senderGroupId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
        fields: { type: array, items: { $ref: "#/components/schemas/RecordField" } }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/sender-id", get(own_id))
        .route("/v1/senders", post(create))
        .route("/v1/senders/{sender}", get(read).patch(update).put(replace).delete(deactivate))
}

/// Reads the identifier in the path.
fn path_id(text: &str) -> Result<Uuid, ApiError> {
    path_uuid(text, "senderId", ErrorCode::BadRequestError)
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

/// Holds what a change leads to against the rules. What was wrong before is no fault of a change of something
/// else.
fn check_change(
    kind: Kind,
    before: &Values,
    changes: &Values,
    after: &Values,
    now: i64,
) -> Result<(), ApiError> {
    let sets = sender_sets(kind, now);
    let found = |values| check(&sets, values, Subject::Sender(kind), day_of(now));
    let old = found(before);
    let mut problems = Problems::default();
    problems.extend(found(after).into_iter().filter(|problem| {
        let is_changed = changes.ids().any(|id| problem.field_id.as_deref() == Some(id));
        is_changed || !old.iter().any(|one| one.field_id == problem.field_id && one.code == problem.code)
    }));
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
    change(app, caller, &id, &body, Change::Merge).await
}

async fn replace(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    change(app, caller, &id, &body, Change::Replace).await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Merge,
    Replace,
}

async fn change(
    app: Arc<App>,
    caller: Caller,
    id: &str,
    body: &Body,
    change: Change,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(id)?;
    let Given { kind, group, values } = given(body)?;
    let now = app.clock.now();
    let record = app
        .store
        .write(move |db| {
            let sender = caller.sender(db, Some(id))?;
            if change == Change::Merge && kind != sender.kind {
                return Err(Problem::new(ErrorCode::SenderNotUpdated)
                    .at("senderType")
                    .because("a PATCH keeps the sender's type; a PUT can change it")
                    .into());
            }
            triggers::by_name(Operation::UpdateSender, &values)?;
            let values = match change {
                Change::Merge => {
                    let before = sender.values()?;
                    let after = before.clone().merged(values.clone());
                    check_change(kind, &before, &values, &after, now)?;
                    after
                }
                Change::Replace => {
                    check_values(kind, &values, now)?;
                    values
                }
            };
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

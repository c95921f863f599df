//! The endpoints of senders, and the one that says who the caller is.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::json;
use uuid::Uuid;

use super::{GROUPS, Sender};
use crate::app::App;
use crate::call::{Call, Reply, read, write};
use crate::clock::day_of;
use crate::error::{ApiError, ErrorCode, Problem, none_of};
use crate::fields::{Kind, Subject, Values, check, sender_sets};
use crate::limits::Limits;
use crate::records::Record;
use crate::resource::Resource;
use crate::triggers::{self, Operation};

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: Sender::SQL,
    interface: r##"
paths:
  /v1/sender-id:
    get:
      operationId: senderId
      tags: [people]
      summary: Tells for which sender the token speaks.
      x-source: documented
      x-error-codes: [SenderUndetermined, SenderNotFound]
      parameters: [senderId]
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
      requestBody: &senderBody SenderRequest
      responses:
        "201": Sender

  /v1/senders/{senderId}:
    get:
      operationId: getSender
      tags: [people]
      summary: Reads a sender.
      x-source: published
      x-error-codes: [SenderNotFound]
      responses: &senderResponses
        "200": Sender
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
    const OK: StatusCode = StatusCode::OK;
    let one = get(read(get_one)).patch(write(OK, update)).put(write(OK, replace));
    Router::new()
        .route("/v1/sender-id", get(read(own_id)))
        .route("/v1/senders", post(write(StatusCode::CREATED, create)))
        .route("/v1/senders/{sender}", one.delete(write(OK, deactivate)))
}

fn own_id(call: &Call, db: &Connection) -> Reply {
    let sender = call.caller.sender(db, call.named_sender()?)?;
    Ok(Json(json!({ "senderId": sender.id })))
}

/// The sender that the path names.
fn find(call: &Call, db: &Connection) -> Result<Sender, ApiError> {
    call.caller.sender(db, Some(call.id("sender", "senderId")?))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(Json(find(call, db)?.record(call.now)))
}

/// What a request says of a sender.
struct Given {
    kind: Kind,
    group: Option<Uuid>,
    values: Values,
}

fn given(call: &Call) -> Result<Given, ApiError> {
    call.body(|body| {
        let kind = body.one_of("senderType");
        let group = body.optional_id("senderGroupId");
        if body.value("fields").is_none() {
            body.refuse_empty("fields");
        }
        Given { kind, group, values: Values::read(body) }
    })
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

fn problems(kind: Kind, values: &Values, now: i64) -> Vec<Problem> {
    check(&sender_sets(kind, now), values, Subject::Sender(kind), day_of(now))
}

/// Holds what a change leads to against the rules. What was wrong before is no fault of a change of something
/// else.
fn check_change(before: &Sender, changes: &Values, after: &Values, now: i64) -> Result<(), ApiError> {
    let old = problems(before.kind, &before.values, now);
    none_of(problems(before.kind, after, now).into_iter().filter(|problem| {
        let is_changed = changes.ids().any(|id| problem.field_id.as_deref() == Some(id));
        is_changed || !old.iter().any(|one| one.field_id == problem.field_id && one.code == problem.code)
    }))
}

fn create(call: &Call, db: &Connection) -> Reply {
    call.caller.require_client_level()?;
    let Given { kind, group, values } = given(call)?;
    triggers::by_name(Operation::CreateSender, &values)?;
    none_of(problems(kind, &values, call.now))?;
    check_group(group, ErrorCode::SenderNotCreated)?;
    let [default, _] = GROUPS;
    let sender = Sender {
        id: call.app.ids.uuid(),
        client: call.caller.client.id,
        kind,
        group: group.unwrap_or(default),
        limits: Limits::standard(),
        values: values.without_nulls(),
        created_at: call.now,
        deactivated: false,
    };
    sender.insert(db)?;
    Ok(Json(sender.record(call.now)))
}

fn update(call: &Call, db: &Connection) -> Reply {
    let given = given(call)?;
    let sender = find(call, db)?;
    if given.kind != sender.kind {
        return Err(Problem::new(ErrorCode::SenderNotUpdated)
            .at("senderType")
            .because("a PATCH keeps the sender's type; a PUT can change it")
            .into());
    }
    triggers::by_name(Operation::UpdateSender, &given.values)?;
    let values = sender.values.clone().merged(given.values.clone());
    check_change(&sender, &given.values, &values, call.now)?;
    change(call, db, sender, Given { values, ..given })
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let given = given(call)?;
    let sender = find(call, db)?;
    triggers::by_name(Operation::UpdateSender, &given.values)?;
    none_of(problems(given.kind, &given.values, call.now))?;
    change(call, db, sender, given)
}

fn change(call: &Call, db: &Connection, sender: Sender, given: Given) -> Reply {
    check_group(given.group, ErrorCode::SenderNotUpdated)?;
    let group = given.group.unwrap_or(sender.group);
    let sender = Sender { kind: given.kind, group, values: given.values.without_nulls(), ..sender };
    sender.update(db)?;
    Ok(Json(sender.record(call.now)))
}

fn deactivate(call: &Call, db: &Connection) -> Reply {
    let sender = Sender { deactivated: true, ..find(call, db)? };
    sender.update(db)?;
    Ok(Json(sender.record(call.now)))
}

use super::{GROUPS, Sender};
use crate::clock::day_of;
use crate::endpoint::*;
use crate::fields::{Kind, Subject, Values, check, sender_sets};
use crate::limits::Limits;
use crate::triggers::{self, Operation};

pub(crate) const RESOURCE: Resource =
    Resource { file: file!(), routes, tables: Sender::SQL, document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    const OK: StatusCode = StatusCode::OK;
    let one = get(read(get_one)).patch(write(OK, update)).put(write(OK, replace));
    Router::new()
        .route("/v1/sender-id", get(read(get_id)))
        .route("/v1/senders", post(write(StatusCode::CREATED, create)))
        .route("/v1/senders/{senderId}", one.delete(write(OK, deactivate)))
}

fn get_id(call: &Call, db: &Connection) -> Reply {
    let sender = call.caller.sender(db, call.named_sender()?)?;
    Ok(json!({ "senderId": sender.id }))
}

fn find(call: &Call, db: &Connection) -> Result<Sender, ApiError> {
    call.caller.sender(db, Some(call.path_id("senderId")?))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(find(call, db)?.to_wire(call.now))
}

struct SenderRequest {
    kind: Kind,
    group: Option<Uuid>,
    values: Values,
}

impl SenderRequest {
    fn read(call: &Call) -> Result<Self, ApiError> {
        call.body(|body| {
            let kind = body.variant("senderType");
            let group = body.optional_id("senderGroupId");
            if body.value("fields").is_none() {
                body.reject_as("fields", ErrorCode::NotEmptyValidator);
            }
            Self { kind, group, values: Values::read(body) }
        })
    }

    /// Fails with `code` if the group does not exist.
    fn check_group(&self, code: ErrorCode) -> Result<(), ApiError> {
        match self.group {
            Some(group) if !GROUPS.contains(&group) => Err(Problem::new(code)
                .at("senderGroupId")
                .because("there is no sender group with this id")
                .into()),
            _ => Ok(()),
        }
    }
}

fn problems(kind: Kind, values: &Values, now: i64) -> Vec<Problem> {
    check(&sender_sets(kind, now), values, Subject::Sender(kind), day_of(now))
}

fn create(call: &Call, db: &Connection) -> Reply {
    call.caller.require_client_level()?;
    let request = SenderRequest::read(call)?;
    triggers::by_name(Operation::CreateSender, &request.values)?;
    reject_if_any(problems(request.kind, &request.values, call.now))?;
    request.check_group(ErrorCode::SenderNotCreated)?;
    let [default_group, _] = GROUPS;
    let sender = Sender {
        id: call.app.ids.uuid(),
        client: call.caller.client.id,
        kind: request.kind,
        group: request.group.unwrap_or(default_group),
        limits: Limits::standard(),
        values: request.values.without_nulls(),
        created_at: call.now,
        deactivated: false,
    };
    sender.insert(db)?;
    Ok(sender.to_wire(call.now))
}

fn update(call: &Call, db: &Connection) -> Reply {
    let request = SenderRequest::read(call)?;
    let sender = find(call, db)?;
    if request.kind != sender.kind {
        return Err(Problem::new(ErrorCode::SenderNotUpdated)
            .at("senderType")
            .because("a PATCH keeps the sender's type; a PUT can change it")
            .into());
    }
    triggers::by_name(Operation::UpdateSender, &request.values)?;
    let values = sender.values.clone().merged(request.values.clone());
    check_change(&sender, &request.values, &values, call.now)?;
    save(call, db, sender, SenderRequest { values, ..request })
}

/// Checks the result of a change. Problems that existed before count only for the fields that are changed.
fn check_change(before: &Sender, changes: &Values, after: &Values, now: i64) -> Result<(), ApiError> {
    let old = problems(before.kind, &before.values, now);
    reject_if_any(problems(before.kind, after, now).into_iter().filter(|problem| {
        let is_changed = changes.ids().any(|id| problem.field_id.as_deref() == Some(id));
        is_changed || !old.iter().any(|one| one.field_id == problem.field_id && one.code == problem.code)
    }))
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let request = SenderRequest::read(call)?;
    let sender = find(call, db)?;
    triggers::by_name(Operation::UpdateSender, &request.values)?;
    reject_if_any(problems(request.kind, &request.values, call.now))?;
    save(call, db, sender, request)
}

fn save(call: &Call, db: &Connection, sender: Sender, request: SenderRequest) -> Reply {
    request.check_group(ErrorCode::SenderNotUpdated)?;
    let group = request.group.unwrap_or(sender.group);
    let sender = Sender { kind: request.kind, group, values: request.values.without_nulls(), ..sender };
    sender.update(db)?;
    Ok(sender.to_wire(call.now))
}

fn deactivate(call: &Call, db: &Connection) -> Reply {
    let sender = Sender { deactivated: true, ..find(call, db)? };
    sender.update(db)?;
    Ok(sender.to_wire(call.now))
}

const DOCUMENT: &str = r##"
tag: people
paths:
  /v1/sender-id:
    get: { operationId: senderId, summary: Reads which sender the token is for., x-source: documented,
           x-error-codes: [SenderUndetermined, SenderNotFound], parameters: [senderId],
           responses: { "200": { x-source: assumed, required: [senderId], properties: { senderId: Uuid } } } }

  /v1/senders:
    post:
      operationId: createSender
      summary: Creates a sender. Needs a client-level token.
      x-source: published
      x-error-codes: &writeCodes
        [NotEmptyValidator, MissingRequiredField, ValueRegexFailure, BusinessOrDataValidationError,
         SenderUndetermined, SenderNotFound, InvalidSenderName, SenderNotCreated, SenderNotUpdated,
         InvalidTypeOfId, SenderInvalidTypeOfIdLength, SenderInvalidDateOfBirthUnder18]
      requestBody: SenderRequest
      responses: { "201": Sender }

  /v1/senders/{senderId}:
    get: { operationId: getSender, summary: Reads a sender., x-source: published,
           x-error-codes: [SenderNotFound], responses: { "200": Sender } }
    patch: { operationId: updateSender, summary: Changes the fields that are included., x-source: documented,
             x-error-codes: *writeCodes, requestBody: SenderRequest, responses: { "200": Sender } }
    put: { operationId: replaceSender, summary: Replaces the whole record., x-source: documented,
           x-error-codes: *writeCodes, requestBody: SenderRequest, responses: { "200": Sender } }
    delete: { operationId: deleteSender, summary: Deactivates a sender., x-source: published,
              x-error-codes: [SenderNotFound], responses: { "200": Sender } }

schemas:
  KycStatus:
    x-source: published
    x-known-values: [UNKNOWN, SKIPPED, PASSED, ID_REQUIRED, FAILED, PENDING, REQUEST_FAILED]
  SenderRequest:
    x-source: documented
    required: [senderType, fields]
    properties:
      senderType: PartyType
      fields: [FieldValue]
      senderGroupId:
        x-source: published
        description: Absent, null and empty mean the default group on creation, and no change on update.
        type: [string, "null"]
        pattern: "^([0-9a-fA-F-]{36})?$"
  Sender:
    x-source: published
    required: [senderId, senderType, fields]
    properties: { senderId: Uuid documented, senderType: PartyType, firstName: string, lastName: string,
                  companyName: string, kycStatus: KycStatus, createdAt: Timestamp, isDeactivated: boolean,
                  senderGroupId: Uuid assumed, fields: [RecordField] }
"##;

//! Senders (interface, parts 2, 4 and 7).

use uuid::uuid;

use crate::client::Client;
use crate::endpoint::*;
use crate::fields::{Form, Kind, Subject, Values, check};
use crate::sender_limits::Limits;
use crate::trigger::Operation;
use crate::triggers;
use crate::world::World;

/// The sender groups. The first one is the default.
pub(crate) const GROUPS: [Uuid; 2] =
    [uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a001"), uuid!("5d2c7e10-3a44-4f0e-9b1a-6f1d20c4a002")];

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Sender {
    pub(crate) id: Uuid,
    pub(crate) client: Uuid,
    pub(crate) kind: Kind,
    pub(crate) group: Uuid,
    pub(crate) limits: Limits,
    pub(crate) values: Values,
    pub(crate) created_at: i64,
    pub(crate) deactivated: bool,
}

record!(Sender, "senders");

impl Sender {
    pub(crate) fn is_active_of(&self, client: &Client) -> bool {
        self.client == client.id && !self.deactivated
    }

    pub(crate) fn to_wire(&self, world: &World, now: i64) -> Value {
        let sets = Form::new(world, Subject::Sender, now).with_kind(self.kind).sets();
        let mut sender = json!({
            "senderId": self.id, "senderType": self.kind,
            "kycStatus": if self.values.get("ID_NUMBER").is_some() { "PASSED" } else { "SKIPPED" },
            "createdAt": iso(self.created_at), "isDeactivated": self.deactivated,
            "senderGroupId": self.group,
            "fields": self.values.to_wire(&sets, "ID_NUMBER"),
        });
        add_names(&mut sender, &self.values);
        sender
    }
}

/// Repeats the names beside the fields, as records on the wire do.
pub(crate) fn add_names(record: &mut Value, values: &Values) {
    let Some(record) = record.as_object_mut() else { return };
    for id in ["firstName", "lastName", "companyName"] {
        if let Some(name) = values.get(id) {
            record.insert(id.to_owned(), name.clone());
        }
    }
}

pub(crate) fn find(db: &Connection, client: &Client, id: Uuid) -> Result<Sender> {
    Ok(Sender::get(db, id)?.filter(|sender| sender.is_active_of(client)).ok_or(ErrorCode::SenderNotFound)?)
}

impl Caller {
    pub(crate) fn sender(&self, db: &Connection, named: Option<Uuid>) -> Result<Sender> {
        let id = self.sender.or(named).ok_or(ErrorCode::SenderUndetermined)?;
        // A sender-level token must not reveal that other senders exist.
        if named.is_some_and(|named| named != id) {
            return Err(ErrorCode::SenderNotFound.into());
        }
        find(db, self.client, id)
    }

    /// Like [`Caller::sender`], for operations that also work without a sender.
    pub(crate) fn sender_if_any(&self, db: &Connection, named: Option<Uuid>) -> Result<Option<Sender>> {
        match self.sender.or(named) {
            None => Ok(None),
            Some(_) => self.sender(db, named).map(Some),
        }
    }
}

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

fn find_in_path(call: &Call, db: &Connection) -> Result<Sender> {
    call.caller.sender(db, Some(call.path_id("senderId")?))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(find_in_path(call, db)?.to_wire(&call.world, call.now))
}

struct SenderRequest {
    kind: Kind,
    group: Option<Uuid>,
    values: Values,
}

impl SenderRequest {
    fn read(call: &Call) -> Result<Self> {
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
    fn check_group(&self, code: ErrorCode) -> Result {
        match self.group {
            Some(group) if !GROUPS.contains(&group) => Err(Problem::new(code)
                .at("senderGroupId")
                .because("there is no sender group with this id")
                .into()),
            _ => Ok(()),
        }
    }
}

fn problems(call: &Call, kind: Kind, values: &Values) -> Vec<Problem> {
    check(Form::new(&call.world, Subject::Sender, call.now).with_kind(kind), values)
}

fn create(call: &Call, db: &Connection) -> Reply {
    call.caller.require_client_level()?;
    let request = SenderRequest::read(call)?;
    triggers::by_name(&call.world, Operation::CreateSender, &request.values)?;
    reject_if_any(problems(call, request.kind, &request.values))?;
    request.check_group(ErrorCode::SenderNotCreated)?;
    let [default_group, _] = GROUPS;
    let sender = Sender {
        id: call.app.ids.uuid(),
        client: call.caller.client.id,
        kind: request.kind,
        group: request.group.unwrap_or(default_group),
        limits: call.world.limits(),
        values: request.values.without_nulls(),
        created_at: call.now,
        deactivated: false,
    };
    sender.insert(db)?;
    Ok(sender.to_wire(&call.world, call.now))
}

fn update(call: &Call, db: &Connection) -> Reply {
    let request = SenderRequest::read(call)?;
    let sender = find_in_path(call, db)?;
    if request.kind != sender.kind {
        return Err(Problem::new(ErrorCode::SenderNotUpdated)
            .at("senderType")
            .because("a PATCH keeps the sender's type; a PUT can change it")
            .into());
    }
    triggers::by_name(&call.world, Operation::UpdateSender, &request.values)?;
    let values = sender.values.clone().merged(request.values.clone());
    check_change(call, &sender, &request.values, &values)?;
    save(call, db, sender, SenderRequest { values, ..request })
}

/// Checks the result of a change. Problems that existed before count only for the fields that are changed.
fn check_change(call: &Call, before: &Sender, changes: &Values, after: &Values) -> Result {
    let old = problems(call, before.kind, &before.values);
    reject_if_any(problems(call, before.kind, after).into_iter().filter(|problem| {
        let is_changed = changes.ids().any(|id| problem.field_id.as_deref() == Some(id));
        is_changed || !old.iter().any(|one| one.field_id == problem.field_id && one.code == problem.code)
    }))
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let request = SenderRequest::read(call)?;
    let sender = find_in_path(call, db)?;
    triggers::by_name(&call.world, Operation::UpdateSender, &request.values)?;
    reject_if_any(problems(call, request.kind, &request.values))?;
    save(call, db, sender, request)
}

fn save(call: &Call, db: &Connection, sender: Sender, request: SenderRequest) -> Reply {
    request.check_group(ErrorCode::SenderNotUpdated)?;
    let group = request.group.unwrap_or(sender.group);
    let sender = Sender { kind: request.kind, group, values: request.values.without_nulls(), ..sender };
    sender.update(db)?;
    Ok(sender.to_wire(&call.world, call.now))
}

fn deactivate(call: &Call, db: &Connection) -> Reply {
    let sender = Sender { deactivated: true, ..find_in_path(call, db)? };
    sender.update(db)?;
    Ok(sender.to_wire(&call.world, call.now))
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

//! Recipients (interface, parts 4 and 7).

use crate::corridor::{RequestedRoute, Route};
use crate::endpoint::*;
use crate::fields::{Form, Kind, Subject, Values, check};
use crate::sender::{self, Sender, add_names};
use crate::world::World;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Recipient {
    pub(crate) id: Uuid,
    pub(crate) sender: Uuid,
    pub(crate) kind: Kind,
    /// The corridor, once a request has named one.
    pub(crate) route: Option<Route>,
    values: Values,
    created_at: i64,
}

record!(
    Recipient,
    "recipients",
    ", sender TEXT NOT NULL AS (data->>'sender') STORED",
    "CREATE INDEX IF NOT EXISTS recipients_of_sender ON recipients (sender);"
);

impl Recipient {
    pub(crate) fn to_wire(&self, world: &World) -> Value {
        let sets = Form::new(world, Subject::Recipient, self.created_at).with_kind(self.kind).sets();
        let mut recipient = json!({
            "recipientId": self.id, "senderId": self.sender, "recipientType": self.kind,
            "createdAt": iso(self.created_at), "fields": self.values.to_wire(&sets, "ID_NUMBER"),
        });
        add_names(&mut recipient, &self.values);
        recipient
    }
}

pub(crate) fn find(db: &Connection, sender: &Sender, id: Uuid) -> Result<Recipient> {
    Ok(Recipient::get(db, id)?
        .filter(|recipient| recipient.sender == sender.id)
        .ok_or(ErrorCode::RecipientNotFound)?)
}

impl Caller {
    /// Returns the sender of an operation on a recipient. Where a client-level token names none, this is
    /// the recipient's own sender.
    pub(crate) fn owner_of_recipient(
        &self,
        db: &Connection,
        named: Option<Uuid>,
        recipient: Uuid,
    ) -> Result<Sender> {
        if self.sender.or(named).is_some() {
            return self.sender(db, named);
        }
        let recipient = Recipient::get(db, recipient)?.ok_or(ErrorCode::RecipientNotFound)?;
        sender::find(db, self.client, recipient.sender).map_err(|_| ErrorCode::RecipientNotFound.into())
    }
}

pub(crate) const RESOURCE: Resource =
    Resource { file: file!(), routes, tables: Recipient::SQL, document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    const OK: StatusCode = StatusCode::OK;
    let one = get(read(get_one)).put(write(OK, replace)).delete(write(OK, delete));
    Router::new()
        .route("/v1/recipients", get(read(list)).post(write(StatusCode::CREATED, create)))
        .route("/v1/recipients/{recipientId}", one)
}

struct RecipientRequest {
    kind: Kind,
    sender: Option<Uuid>,
    route: Option<Route>,
    values: Values,
}

impl RecipientRequest {
    fn read(call: &Call) -> Result<Self> {
        let (kind, sender, route, values) = call.body(|body| {
            let name = if body.value("userType").is_some() { "userType" } else { "recipientType" };
            let kind = body.variant_or_default(name);
            let corridor = ["dstCountryIso3Code", "dstCurrencyIso3Code", "transferMethod"];
            let names_corridor = corridor.into_iter().any(|name| body.value(name).is_some());
            let sender = body.optional_id("senderId");
            (kind, sender, names_corridor.then(|| RequestedRoute::read_body(body)), Values::read(body))
        })?;
        let route = route.map(|route| route.enabled(&call.world)).transpose()?;
        let form = Form::new(&call.world, Subject::Recipient, call.now).with_kind(kind);
        reject_if_any(check(Form { route: route.as_ref(), ..form }, &values))?;
        Ok(Self { kind, sender, route, values: values.without_nulls() })
    }
}

fn create(call: &Call, db: &Connection) -> Reply {
    let RecipientRequest { kind, sender, route, values } = RecipientRequest::read(call)?;
    let recipient = Recipient {
        id: call.app.ids.uuid(),
        sender: call.caller.sender(db, sender)?.id,
        kind,
        route,
        values,
        created_at: call.now,
    };
    recipient.insert(db)?;
    Ok(recipient.to_wire(&call.world))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let sender = call.caller.sender(db, call.named_sender()?)?;
    let clause = "WHERE sender = ?1 ORDER BY number LIMIT 1000";
    let recipients = Recipient::list(db, clause, [sender.id.to_string()])?;
    Ok(json!({ "recipients": recipients.iter().map(|one| one.to_wire(&call.world)).collect::<Value>() }))
}

/// Finds the recipient of the path, of the sender that the request names if it names one.
pub(crate) fn find_in_path(call: &Call, db: &Connection, sender: Option<Uuid>) -> Result<Recipient> {
    let id = call.path_id("recipientId")?;
    find(db, &call.caller.owner_of_recipient(db, sender, id)?, id)
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(find_in_path(call, db, call.named_sender()?)?.to_wire(&call.world))
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let RecipientRequest { kind, sender, route, values } = RecipientRequest::read(call)?;
    let before = find_in_path(call, db, sender)?;
    let recipient = Recipient { kind, route: route.or(before.route), values, ..before };
    recipient.update(db)?;
    Ok(recipient.to_wire(&call.world))
}

fn delete(call: &Call, db: &Connection) -> Reply {
    let recipient = find_in_path(call, db, call.named_sender()?)?;
    recipient.delete(db)?;
    let accounts = "DELETE FROM accounts WHERE recipient = ?1";
    db.prepare_cached(accounts)?.execute([recipient.id.to_string()])?;
    Ok(json!({}))
}

const DOCUMENT: &str = r##"
tag: people
paths:
  /v1/recipients:
    get: { operationId: recipients, summary: Lists a sender's recipients., x-source: published,
           x-error-codes: [SenderUndetermined, SenderNotFound], parameters: [senderId],
           responses: { "200": { required: [recipients], properties: { recipients: [Recipient] } } } }
    post:
      operationId: createRecipient
      summary: Creates a recipient.
      x-source: documented
      x-error-codes: &writeCodes
        [NotEmptyValidator, MissingRequiredField, ValueRegexFailure, BusinessOrDataValidationError,
         UnsupportedCountry, NoCorridorFoundForSpecificValues, CC404, SenderUndetermined, SenderNotFound,
         RecipientNotFound, InvalidRecipientId, InvalidRecipientName, RecipientInvalidTypeOfIdLength,
         RecipientInvalidPhoneNumber]
      requestBody: RecipientRequest
      responses: { "201": Recipient }

  /v1/recipients/{recipientId}:
    get: { operationId: getRecipient, summary: Reads a recipient., x-source: published,
           x-error-codes: &readCodes [InvalidRecipientId, RecipientNotFound, SenderNotFound],
           parameters: [senderId], responses: { "200": Recipient } }
    put: { operationId: replaceRecipient, summary: Replaces the whole record., x-source: published,
           x-error-codes: *writeCodes, requestBody: RecipientRequest, responses: { "200": Recipient } }
    delete: { operationId: deleteRecipient, summary: Deletes a recipient and its accounts.,
              x-source: published, x-error-codes: *readCodes, parameters: [senderId],
              responses: { "200": Empty } }

schemas:
  RecipientRequest:
    x-source: published
    description: Absent members take their defaults. Without a corridor, only the names are required.
    properties: { userType: PartyType, fields: [FieldValue], dstCountryIso3Code: CountryCode,
                  dstCurrencyIso3Code: CurrencyCode, transferMethod: TransferMethod, senderId: Uuid }
  Recipient:
    x-source: published
    required: [recipientId, recipientType, fields]
    properties: { recipientId: Uuid documented, recipientType: PartyType, senderId: Uuid assumed,
                  firstName: string, lastName: string, companyName: string, createdAt: Timestamp,
                  fields: [RecordField] }
"##;

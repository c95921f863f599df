//! The endpoints of recipients.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Recipient;
use crate::app::App;
use crate::call::{Call, Reply, read, write};
use crate::clock::day_of;
use crate::corridor::Route;
use crate::corridor::request::Named;
use crate::error::{ApiError, none_of};
use crate::fields::{Kind, Subject, Values, check, recipient_sets};
use crate::recipient_account::Account;
use crate::records::Record;
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: Recipient::SQL,
    interface: r##"
paths:
  /v1/recipients:
    get:
      operationId: recipients
      tags: [people]
      summary: Lists a sender's recipients.
      x-source: published
      x-error-codes: [SenderUndetermined, SenderNotFound]
      parameters: [senderId]
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
      requestBody: &recipientBody RecipientRequest
      responses:
        "201": Recipient

  /v1/recipients/{recipientId}:
    get:
      operationId: getRecipient
      tags: [people]
      summary: Reads a recipient.
      x-source: published
      x-error-codes: &recipientReadCodes [InvalidRecipientId, RecipientNotFound, SenderNotFound]
      parameters: [senderId]
      responses: &recipientResponses
        "200": Recipient
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
      parameters: [senderId]
      responses:
        "200": { $ref: "#/components/responses/Done" }

components:

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
    const OK: StatusCode = StatusCode::OK;
    let one = get(read(get_one)).put(write(OK, replace)).delete(write(OK, delete));
    Router::new()
        .route("/v1/recipients", get(read(list)).post(write(StatusCode::CREATED, create)))
        .route("/v1/recipients/{recipient}", one)
}

/// What a request says of a recipient.
struct Given {
    kind: Kind,
    sender: Option<Uuid>,
    /// The corridor that the recipient is for, if the request names one.
    route: Option<Route>,
    values: Values,
}

fn given(call: &Call) -> Result<Given, ApiError> {
    let (kind, sender, named, values) = call.body(|body| {
        let name = if body.value("userType").is_some() { "userType" } else { "recipientType" };
        let kind = body.one_of_or_default(name);
        let corridor = ["dstCountryIso3Code", "dstCurrencyIso3Code", "transferMethod"];
        let names_corridor = corridor.into_iter().any(|name| body.value(name).is_some());
        let sender = body.optional_id("senderId");
        (kind, sender, names_corridor.then(|| Named::read_from_body(body)), Values::read(body))
    })?;
    let route = named.map(Named::route).transpose()?;
    let sets = recipient_sets(route, kind, call.now, "");
    none_of(check(&sets, &values, Subject::Recipient(kind), day_of(call.now)))?;
    Ok(Given { kind, sender, route, values: values.without_nulls() })
}

fn create(call: &Call, db: &Connection) -> Reply {
    let Given { kind, sender, route, values } = given(call)?;
    let recipient = Recipient {
        id: call.app.ids.uuid(),
        sender: call.caller.sender(db, sender)?.id,
        kind,
        route,
        values,
        created_at: call.now,
    };
    recipient.insert(db)?;
    Ok(Json(recipient.record()))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let sender = call.caller.sender(db, call.named_sender()?)?;
    let clause = "WHERE sender = ?1 ORDER BY number LIMIT 1000";
    let recipients = Recipient::list(db, clause, [sender.id.to_string()])?;
    Ok(Json(json!({ "recipients": recipients.iter().map(Recipient::record).collect::<Value>() })))
}

/// The recipient that the path names, of the sender that the request names, if it names one.
pub(crate) fn find(call: &Call, db: &Connection, sender: Option<Uuid>) -> Result<Recipient, ApiError> {
    let id = call.id("recipient", "recipientId")?;
    super::find(db, &call.caller.owner_of_recipient(db, sender, id)?, id)
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(Json(find(call, db, call.named_sender()?)?.record()))
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let Given { kind, sender, route, values } = given(call)?;
    let before = find(call, db, sender)?;
    let recipient = Recipient { kind, route: route.or(before.route), values, ..before };
    recipient.update(db)?;
    Ok(Json(recipient.record()))
}

fn delete(call: &Call, db: &Connection) -> Reply {
    let recipient = find(call, db, call.named_sender()?)?;
    recipient.delete(db)?;
    for account in Account::all_of(db, &recipient)? {
        account.delete(db)?;
    }
    Ok(Json(json!({})))
}

//! The endpoints of recipients' accounts.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Account, find};
use crate::app::App;
use crate::call::{Call, Reply, read, write};
use crate::card;
use crate::clock::day_of;
use crate::corridor::request::Named;
use crate::corridor::{Route, TransferMethod};
use crate::error::{ApiError, ErrorCode, Problem, none_of};
use crate::fields::{Subject, Values, account_sets, check};
use crate::input::Input;
use crate::recipient::Recipient;
use crate::recipient::endpoints as recipient;
use crate::records::Record;
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: Account::SQL,
    interface: r##"
paths:
  /v1/recipients/{recipientId}/accounts:
    get:
      operationId: recipientAccounts
      tags: [people]
      summary: Lists a recipient's accounts.
      x-source: assumed
      x-error-codes: [InvalidRecipientId, RecipientNotFound, SenderNotFound]
      responses:
        "200":
          description: The accounts.
          content:
            application/json:
              schema:
                type: object
                required: [accounts]
                properties:
                  accounts:
                    type: array
                    items: { $ref: "#/components/schemas/RecipientAccount" }
    post:
      operationId: createRecipientAccount
      tags: [people]
      summary: Gives a recipient an account.
      x-source: documented
      x-error-codes: &accountCodes
        - NotEmptyValidator
        - MissingRequiredField
        - ValueRegexFailure
        - BusinessOrDataValidationError
        - UnsupportedCountry
        - NoCorridorFoundForSpecificValues
        - CC404
        - SenderNotFound
        - InvalidRecipientId
        - RecipientNotFound
        - RecipientInvalidPhoneNumber
        - InvalidRecipientAccountId
        - RecipientAccountNotFound
        - CardProvidedCannotBeUsedForThisTransaction
        - BillingAndDestinationCurrencyCodeDiscrepancyError
      requestBody: &accountBody RecipientAccountRequest
      responses:
        "201": RecipientAccount

  /v1/recipients/{recipientId}/accounts/{accId}:
    get:
      operationId: getRecipientAccount
      tags: [people]
      summary: Reads an account.
      x-source: published
      x-error-codes: &accountReadCodes
        - InvalidRecipientId
        - RecipientNotFound
        - InvalidRecipientAccountId
        - RecipientAccountNotFound
        - SenderNotFound
      responses: &accountResponses
        "200": RecipientAccount
    put:
      operationId: replaceRecipientAccount
      tags: [people]
      summary: Replaces the whole record.
      x-source: documented
      x-error-codes: *accountCodes
      requestBody: *accountBody
      responses: *accountResponses
    delete:
      operationId: deleteRecipientAccount
      tags: [people]
      summary: Forgets an account.
      x-source: published
      x-error-codes: *accountReadCodes
      responses:
        "200": { $ref: "#/components/responses/Done" }

components:

  schemas:
    RecipientAccountRequest:
      type: object
      x-source: published
      description: What is left out follows from the recipient, or is the default.
      properties:
        dstCountryIso3Code: { $ref: "#/components/schemas/CountryCode" }
        dstCurrencyIso3Code: { $ref: "#/components/schemas/CurrencyCode" }
        transferMethod: { $ref: "#/components/schemas/TransferMethod" }
        accountNumber: { type: [string, "null"], description: Never that of a card. }
        senderId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
        fields: { type: array, x-source: documented, items: { $ref: "#/components/schemas/FieldValue" } }
    RecipientAccount:
      type: object
      x-source: published
      required: [recipientAccountId, dstCountryIso3Code, dstCurrencyIso3Code, transferMethod, fields]
      properties:
        recipientAccountId: { $ref: "#/components/schemas/Uuid", x-source: documented }
        recipientId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
        dstCountryIso3Code: { $ref: "#/components/schemas/CountryCode" }
        dstCurrencyIso3Code: { $ref: "#/components/schemas/CurrencyCode" }
        transferMethod: { $ref: "#/components/schemas/TransferMethod" }
        accountNumber: { $ref: "#/components/schemas/Label", description: Perhaps masked. }
        createdAt: { $ref: "#/components/schemas/Timestamp" }
        fields: { type: array, items: { $ref: "#/components/schemas/RecordField" } }
"##,
};

fn routes() -> Router<Arc<App>> {
    const OK: StatusCode = StatusCode::OK;
    let one = get(read(get_one)).put(write(OK, replace)).delete(write(OK, delete));
    Router::new()
        .route(
            "/v1/recipients/{recipient}/accounts",
            get(read(list)).post(write(StatusCode::CREATED, create)),
        )
        .route("/v1/recipients/{recipient}/accounts/{account}", one)
}

/// What a request says of an account. None of the entries is required: what is missing follows from the
/// recipient or from the default.
struct Given {
    country: Option<String>,
    currency: Option<String>,
    method: TransferMethod,
    account_number: Option<String>,
    sender: Option<Uuid>,
    values: Values,
}

fn given(call: &Call) -> Result<Given, ApiError> {
    call.body(|body| Given {
        country: body.optional("dstCountryIso3Code"),
        currency: body.optional("dstCurrencyIso3Code"),
        method: body.one_of_or_default("transferMethod"),
        account_number: body.optional("accountNumber"),
        sender: body.optional_id("senderId"),
        values: Values::read(body),
    })
}

impl Given {
    fn route(&self, recipient: &Recipient) -> Result<Route, ApiError> {
        let theirs = recipient.route.map(|route| (route.country().iso3_code, route.destination.iso3_code));
        let (country, currency) = theirs.unzip();
        let Value::Object(named) = json!({
            "dstCountryIso3Code": self.country.as_deref().or(country),
            "dstCurrencyIso3Code": self.currency.as_deref().or(currency),
            "transferMethod": self.method,
        }) else {
            return Err(ErrorCode::BadRequestError.into());
        };
        let route = Input::of_body(named).read(Named::read)?.route()?;
        if route.method() == TransferMethod::CashPickup {
            return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                .at("transferMethod")
                .because("cash pickup needs no account; its payer is chosen in the transfer's fields")
                .into());
        }
        Ok(route)
    }

    /// Finds the corridor and holds the fields against it.
    fn check(
        self,
        db: &Connection,
        recipient: &Recipient,
        now: i64,
    ) -> Result<(Route, Values, Option<String>), ApiError> {
        let route = self.route(recipient)?;
        let mut values = self.values;
        let sets = account_sets(route, "");
        // The number may come beside the fields as well as among them.
        let asks_for_number =
            sets.iter().flat_map(|set| &set.fields).any(|field| field.field_id == "BANK_ACCOUNT_NUMBER");
        if let (Some(number), true, None) =
            (&self.account_number, asks_for_number, values.get("BANK_ACCOUNT_NUMBER"))
        {
            values.set("BANK_ACCOUNT_NUMBER", json!(number));
        }
        none_of(check(&sets, &values, Subject::Account, day_of(now)))?;
        if let Some(card_id) = values.text("CARD_ID") {
            card::find(db, recipient.sender, card_id)
                .and_then(|card| card.check_receives(route.destination))?;
        }
        Ok((route, values.without_nulls(), self.account_number))
    }
}

fn create(call: &Call, db: &Connection) -> Reply {
    let given = given(call)?;
    let recipient = recipient::find(call, db, given.sender)?;
    let (route, values, account_number) = given.check(db, &recipient, call.now)?;
    let account = Account {
        id: call.app.ids.uuid(),
        recipient: recipient.id,
        route,
        account_number,
        values,
        created_at: call.now,
    };
    account.insert(db)?;
    Ok(Json(account.record()))
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let given = given(call)?;
    let recipient = recipient::find(call, db, given.sender)?;
    let before = find(db, &recipient, call.id("account", "recipientAccountId")?)?;
    let (route, values, account_number) = given.check(db, &recipient, call.now)?;
    let account = Account { route, values, account_number, ..before };
    account.update(db)?;
    Ok(Json(account.record()))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let accounts = Account::all_of(db, &recipient::find(call, db, None)?)?;
    let records = accounts.iter().map(Account::record);
    Ok(Json(json!({ "accounts": records.collect::<Value>() })))
}

/// The account that the path names.
fn in_path(call: &Call, db: &Connection) -> Result<Account, ApiError> {
    find(db, &recipient::find(call, db, None)?, call.id("account", "recipientAccountId")?)
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(Json(in_path(call, db)?.record()))
}

fn delete(call: &Call, db: &Connection) -> Reply {
    in_path(call, db)?.delete(db)?;
    Ok(Json(json!({})))
}

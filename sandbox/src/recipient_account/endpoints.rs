//! The endpoints of recipients' accounts.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Account, COLUMNS, TABLES, find};
use crate::access::Caller;
use crate::app::App;
use crate::card;
use crate::clock::day_of;
use crate::corridor::request::from_request;
use crate::corridor::{Route, TransferMethod};
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fields::{Subject, Values, account_sets, check};
use crate::input::{Body, Named, Path, Query, path_uuid};
use crate::recipient::{self, Recipient};
use crate::resource::Resource;
use crate::sender::Sender;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: TABLES,
    interface: r##"
paths:
  /v1/recipients/{recipientId}/accounts:
    parameters:
      - { $ref: "#/components/parameters/recipientId" }
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
      requestBody: &accountBody
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/RecipientAccountRequest" }
      responses:
        "201": { $ref: "#/components/responses/RecipientAccount" }

  /v1/recipients/{recipientId}/accounts/{accId}:
    parameters:
      - { $ref: "#/components/parameters/recipientId" }
      - { $ref: "#/components/parameters/accId" }
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
        "200": { $ref: "#/components/responses/RecipientAccount" }
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
  parameters:
    accId:
      name: accId
      in: path
      required: true
      x-source: documented
      schema: { $ref: "#/components/schemas/Uuid" }

  responses:
    RecipientAccount:
      description: The account.
      content:
        application/json:
          schema: { $ref: "#/components/schemas/RecipientAccount" }

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
    Router::new()
        .route("/v1/recipients/{recipient}/accounts", get(list).post(create))
        .route("/v1/recipients/{recipient}/accounts/{account}", get(read).put(replace).delete(delete))
}

/// Reads the second identifier in the path.
fn path_ids(recipient: &str, account: &str) -> Result<(Uuid, Uuid), ApiError> {
    let recipient = recipient::path_id(recipient)?;
    let account = path_uuid(account, "recipientAccountId", ErrorCode::InvalidRecipientAccountId)?;
    Ok((recipient, account))
}

/// What a request says of an account.
struct Given {
    country: Option<String>,
    currency: Option<String>,
    method: TransferMethod,
    account_number: Option<String>,
    sender: Option<Uuid>,
    values: Values,
}

/// None of the entries is required: what is missing follows from the recipient or from the default.
fn given(body: &Body) -> Result<Given, ApiError> {
    let mut problems = Problems::default();
    let country = body.optional("dstCountryIso3Code", &mut problems).map(str::to_owned);
    let currency = body.optional("dstCurrencyIso3Code", &mut problems).map(str::to_owned);
    let method = body
        .transfer_method_or_default("transferMethod", &mut problems)
        .unwrap_or(TransferMethod::BankAccount);
    let account_number = body.optional("accountNumber", &mut problems).map(str::to_owned);
    let sender = body.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    let values = Values::read(body.0.get("fields"), &mut problems);
    problems.finish()?;
    Ok(Given { country, currency, method, account_number, sender, values })
}

impl Given {
    /// Finds the corridor and holds the fields against it.
    fn check(
        self,
        connection: &Connection,
        sender: &Sender,
        recipient: &Recipient,
        now: i64,
    ) -> Result<(Route, Values, Option<String>), ApiError> {
        let text = |value: Option<String>| value.map_or(Value::Null, Value::String);
        let named = Body(serde_json::Map::from_iter([
            ("dstCountryIso3Code".to_owned(), text(self.country.or_else(|| recipient.country.clone()))),
            ("dstCurrencyIso3Code".to_owned(), text(self.currency.or_else(|| recipient.currency.clone()))),
            ("transferMethod".to_owned(), json!(self.method)),
        ]));
        let route = from_request(&named, Problems::default())?;
        if route.corridor.method == TransferMethod::CashPickup {
            return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                .at("transferMethod")
                .because("cash pickup needs no account; its payer is chosen in the transfer's fields")
                .into());
        }
        let mut values = self.values;
        // The number may come beside the fields as well as among them.
        let asks_for_number = account_sets(route, "")
            .iter()
            .flat_map(|set| &set.fields)
            .any(|field| field.field_id == "BANK_ACCOUNT_NUMBER");
        if let (Some(number), true, None) =
            (&self.account_number, asks_for_number, values.get("BANK_ACCOUNT_NUMBER"))
        {
            values.set("BANK_ACCOUNT_NUMBER", json!(number));
        }
        let mut problems = Problems::default();
        let sets = account_sets(route, "");
        problems.extend(check(&sets, &values, Subject::Account, day_of(now)));
        problems.finish()?;
        if let Some(card_id) = values.text("CARD_ID") {
            card::find(connection, sender, card_id)
                .and_then(|card| card.check_receives(route.destination))?;
        }
        Ok((route, values.without_nulls(), self.account_number))
    }
}

async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(recipient): Path<String>,
    body: Body,
) -> Result<(StatusCode, Json<Value>), ApiError> {
    let recipient = recipient::path_id(&recipient)?;
    let given = given(&body)?;
    let (id, now) = (app.ids.uuid(), app.clock.now());
    let record = app
        .store
        .write(move |db| {
            let sender = caller.owner_of_recipient(db, given.sender, recipient)?;
            let recipient = recipient::find(db, &sender, recipient)?;
            let (route, values, number) = given.check(db, &sender, &recipient, now)?;
            db.prepare_cached(
                "INSERT INTO accounts
                 (id, recipient_id, country, currency, method, account_number, fields, created_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id.to_string(),
                recipient.id.to_string(),
                route.corridor.country.iso3_code,
                route.destination.iso3_code,
                route.corridor.method.name(),
                number,
                values.to_json(),
                now,
            ])?;
            find(db, &recipient, id)?.record()
        })
        .await?;
    Ok((StatusCode::CREATED, Json(record)))
}

async fn replace(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((recipient, account)): Path<(String, String)>,
    body: Body,
) -> Result<Json<Value>, ApiError> {
    let (recipient, id) = path_ids(&recipient, &account)?;
    let given = given(&body)?;
    let now = app.clock.now();
    let record = app
        .store
        .write(move |db| {
            let sender = caller.owner_of_recipient(db, given.sender, recipient)?;
            let recipient = recipient::find(db, &sender, recipient)?;
            find(db, &recipient, id)?;
            let (route, values, number) = given.check(db, &sender, &recipient, now)?;
            db.prepare_cached(
                "UPDATE accounts SET country = ?2, currency = ?3, method = ?4,
                 account_number = ?5, fields = ?6 WHERE id = ?1",
            )?
            .execute(params![
                id.to_string(),
                route.corridor.country.iso3_code,
                route.destination.iso3_code,
                route.corridor.method.name(),
                number,
                values.to_json(),
            ])?;
            find(db, &recipient, id)?.record()
        })
        .await?;
    Ok(Json(record))
}

async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(recipient): Path<String>,
    _: Query,
) -> Result<Json<Value>, ApiError> {
    let recipient = recipient::path_id(&recipient)?;
    let accounts = app
        .store
        .read(move |db| {
            let sender = caller.owner_of_recipient(db, None, recipient)?;
            let recipient = recipient::find(db, &sender, recipient)?;
            let mut statement = db.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM accounts
                 WHERE recipient_id = ?1 AND deleted = 0 ORDER BY created_at, rowid LIMIT 1000"
            ))?;
            let rows = statement.query_map([recipient.id.to_string()], Account::from_row)?;
            rows.map(|account| account?.record()).collect::<Result<Vec<_>, _>>()
        })
        .await?;
    Ok(Json(json!({ "accounts": accounts })))
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((recipient, account)): Path<(String, String)>,
) -> Result<Json<Value>, ApiError> {
    let (recipient, id) = path_ids(&recipient, &account)?;
    let record = app
        .store
        .read(move |db| {
            let sender = caller.owner_of_recipient(db, None, recipient)?;
            find(db, &recipient::find(db, &sender, recipient)?, id)?.record()
        })
        .await?;
    Ok(Json(record))
}

async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path((recipient, account)): Path<(String, String)>,
) -> Result<Json<Value>, ApiError> {
    let (recipient, id) = path_ids(&recipient, &account)?;
    app.store
        .write(move |db| {
            let sender = caller.owner_of_recipient(db, None, recipient)?;
            find(db, &recipient::find(db, &sender, recipient)?, id)?;
            db.execute("UPDATE accounts SET deleted = 1 WHERE id = ?1", [id.to_string()])?;
            Ok(())
        })
        .await?;
    Ok(Json(json!({})))
}

//! Recipient accounts: where the money arrives (interface, parts 4 and 7).

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
use crate::card;
use crate::clock::{day_of, iso};
use crate::corridor::{self, Route, TransferMethod};
use crate::country;
use crate::currency;
use crate::error::{ApiError, ErrorCode, Problem, Problems};
use crate::fields::{Subject, Values, account_sets, check};
use crate::ids::parse_uuid;
use crate::input::{Body, Named, Path, Query};
use crate::recipient::{self, Recipient};
use crate::sender::Sender;

pub(crate) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS accounts (
    id TEXT PRIMARY KEY,
    recipient_id TEXT NOT NULL,
    country TEXT NOT NULL,
    currency TEXT NOT NULL,
    method TEXT NOT NULL,
    account_number TEXT,
    fields TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS accounts_of_recipient ON accounts (recipient_id);
";

/// A recipient's account, as the database has it.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) id: Uuid,
    pub(crate) recipient: String,
    pub(crate) country: String,
    pub(crate) currency: String,
    pub(crate) method: TransferMethod,
    account_number: Option<String>,
    fields: String,
    created_at: i64,
}

const COLUMNS: &str = "accounts.id, recipient_id, accounts.country, accounts.currency,
    accounts.method, account_number, accounts.fields, accounts.created_at";

impl Account {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let id: String = row.get(0)?;
        let method: String = row.get(4)?;
        Ok(Self {
            id: Uuid::try_parse(&id).unwrap_or_default(),
            recipient: row.get(1)?,
            country: row.get(2)?,
            currency: row.get(3)?,
            method: TransferMethod::parse(&method).unwrap_or(TransferMethod::BankAccount),
            account_number: row.get(5)?,
            fields: row.get(6)?,
            created_at: row.get(7)?,
        })
    }

    /// Whether this account is for money that takes a certain way.
    pub(crate) fn fits(&self, route: Route) -> bool {
        self.country == route.corridor.country.iso3_code
            && self.currency == route.destination.iso3_code
            && self.method == route.corridor.method
    }

    /// The card behind a PUSH_TO_CARD account.
    pub(crate) fn card_id(&self) -> Result<Option<String>, ApiError> {
        Ok(Values::from_json(&self.fields)?.text("CARD_ID").map(str::to_owned))
    }

    /// The account record. Account numbers show their last four characters.
    pub(crate) fn record(&self) -> Result<Value, ApiError> {
        let values = Values::from_json(&self.fields)?;
        let route = country::by_iso3(&self.country)
            .and_then(|country| corridor::find(country, currency::by_iso3(&self.currency)?, self.method));
        let sets = route.map(|route| account_sets(route, "")).unwrap_or_default();
        let mut record = json!({
            "recipientAccountId": self.id,
            "recipientId": self.recipient,
            "dstCountryIso3Code": self.country,
            "dstCurrencyIso3Code": self.currency,
            "transferMethod": self.method,
            "createdAt": iso(self.created_at),
            "fields": values.record(&sets, "BANK_ACCOUNT_NUMBER"),
        });
        let number = self.account_number.as_deref().or(values.text("BANK_ACCOUNT_NUMBER"));
        if let (Some(record), Some(number)) = (record.as_object_mut(), number) {
            record.insert("accountNumber".into(), json!(crate::fields::masked(number)));
        }
        Ok(record)
    }
}

/// Finds an account of a recipient.
pub(crate) fn find(connection: &Connection, recipient: &Recipient, id: Uuid) -> Result<Account, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts WHERE id = ?1 AND recipient_id = ?2 AND deleted = 0"
        ))?
        .query_row(params![id.to_string(), recipient.id.to_string()], Account::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::RecipientAccountNotFound.into())
}

/// Finds an account of any recipient of a sender.
pub(crate) fn find_of_sender(
    connection: &Connection,
    sender: &Sender,
    id: Uuid,
) -> Result<Account, ApiError> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM accounts JOIN recipients ON recipients.id = recipient_id
             WHERE accounts.id = ?1 AND sender_id = ?2
             AND accounts.deleted = 0 AND recipients.deleted = 0"
        ))?
        .query_row(params![id.to_string(), sender.id.to_string()], Account::from_row)
        .optional()?
        .ok_or_else(|| ErrorCode::RecipientAccountNotFound.into())
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/recipients/{recipient}/accounts", get(list).post(create))
        .route("/v1/recipients/{recipient}/accounts/{account}", get(read).put(replace).delete(delete))
}

/// Reads the second identifier in the path.
fn path_ids(recipient: &str, account: &str) -> Result<(Uuid, Uuid), ApiError> {
    let recipient = recipient::path_id(recipient)?;
    let account = parse_uuid(account).ok_or_else(|| -> ApiError {
        Problem::new(ErrorCode::InvalidRecipientAccountId)
            .at("recipientAccountId")
            .because("recipientAccountId has to be a GUID")
            .into()
    })?;
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
    let method = match body.0.get("transferMethod") {
        None | Some(Value::Null) => TransferMethod::BankAccount,
        Some(_) => {
            body.transfer_method("transferMethod", &mut problems).unwrap_or(TransferMethod::BankAccount)
        }
    };
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
        let route = corridor::from_request(&named, Problems::default())?;
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
            let mut records = Vec::new();
            for account in rows {
                records.push(account?.record()?);
            }
            Ok(records)
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

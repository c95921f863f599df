//! Recipient accounts (interface, parts 4 and 7).

use crate::card;
use crate::corridor::{RequestedRoute, Route};
use crate::endpoint::*;
use crate::fields::{Form, Subject, Values, check, masked};
use crate::input::Input;
use crate::recipient::{self, Recipient};
use crate::sender::Sender;
use crate::transfer_method::TransferMethod;
use crate::world::World;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    pub(crate) id: Uuid,
    recipient: Uuid,
    pub(crate) route: Route,
    account_number: Option<String>,
    values: Values,
    created_at: i64,
}

record!(
    Account,
    "accounts",
    ", recipient TEXT NOT NULL AS (data->>'recipient') STORED",
    "CREATE INDEX IF NOT EXISTS accounts_of_recipient ON accounts (recipient);"
);

impl Account {
    pub(crate) fn all_of(db: &Connection, recipient: &Recipient) -> Result<Vec<Self>> {
        Self::list(db, "WHERE recipient = ?1 ORDER BY number", [recipient.id.to_string()])
    }

    pub(crate) fn card_id(&self) -> Option<&str> {
        self.values.text("CARD_ID")
    }

    pub(crate) fn check_route(&self, route: &Route) -> Result {
        if self.route == *route {
            return Ok(());
        }
        Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
            .at("recipientAccountId")
            .because("the account belongs to another corridor")
            .into())
    }

    /// Returns the wire record. Account numbers are masked.
    pub(crate) fn to_wire(&self, world: &World) -> Value {
        let sets = Form::new(world, Subject::Account, self.created_at).in_corridor(&self.route).sets();
        let mut account = json!({
            "recipientAccountId": self.id, "recipientId": self.recipient,
            "dstCountryIso3Code": self.route.country,
            "dstCurrencyIso3Code": self.route.destination,
            "transferMethod": self.route.method, "createdAt": iso(self.created_at),
            "fields": self.values.to_wire(&sets, "BANK_ACCOUNT_NUMBER"),
        });
        let number = self.account_number.as_deref().or(self.values.text("BANK_ACCOUNT_NUMBER"));
        if let (Some(account), Some(number)) = (account.as_object_mut(), number) {
            account.insert("accountNumber".into(), json!(masked(number)));
        }
        account
    }
}

pub(crate) fn find(db: &Connection, recipient: &Recipient, id: Uuid) -> Result<Account> {
    Ok(Account::get(db, id)?
        .filter(|account| account.recipient == recipient.id)
        .ok_or(ErrorCode::RecipientAccountNotFound)?)
}

/// Finds an account of any recipient of a sender.
pub(crate) fn find_of_sender(db: &Connection, sender: &Sender, id: Uuid) -> Result<Account> {
    let account = Account::get(db, id)?.ok_or(ErrorCode::RecipientAccountNotFound)?;
    recipient::find(db, sender, account.recipient).map_err(|_| ErrorCode::RecipientAccountNotFound)?;
    Ok(account)
}

pub(crate) const RESOURCE: Resource =
    Resource { file: file!(), routes, tables: Account::SQL, document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    const OK: StatusCode = StatusCode::OK;
    let all = get(read(list)).post(write(StatusCode::CREATED, create));
    let one = get(read(get_one)).put(write(OK, replace)).delete(write(OK, delete));
    Router::new()
        .route("/v1/recipients/{recipientId}/accounts", all)
        .route("/v1/recipients/{recipientId}/accounts/{accId}", one)
}

/// The body of POST and PUT. Absent members follow from the recipient or are defaults.
struct AccountRequest {
    country: Option<String>,
    currency: Option<String>,
    method: TransferMethod,
    account_number: Option<String>,
    sender: Option<Uuid>,
    values: Values,
}

impl AccountRequest {
    fn read(call: &Call) -> Result<Self> {
        call.body(|body| Self {
            country: body.optional("dstCountryIso3Code"),
            currency: body.optional("dstCurrencyIso3Code"),
            method: body.variant_or_default("transferMethod"),
            account_number: body.optional("accountNumber"),
            sender: body.optional_id("senderId"),
            values: Values::read(body),
        })
    }

    fn route(&self, recipient: &Recipient, world: &Arc<World>) -> Result<Route> {
        let theirs =
            recipient.route.as_ref().map(|route| (route.country.as_str(), route.destination.as_str()));
        let (country, currency) = theirs.unzip();
        let named = [
            ("dstCountryIso3Code", self.country.as_deref().or(country)),
            ("dstCurrencyIso3Code", self.currency.as_deref().or(currency)),
            ("transferMethod", Some(self.method.name())),
        ];
        let named = named.into_iter().map(|(name, text)| (name.to_owned(), json!(text))).collect();
        let route = Input::from_body(named, world).read(RequestedRoute::read)?.enabled(world)?;
        if route.method == TransferMethod::CashPickup {
            return Err(Problem::new(ErrorCode::BusinessOrDataValidationError)
                .at("transferMethod")
                .because("cash pickup needs no account; its payer is chosen in the transfer's fields")
                .into());
        }
        Ok(route)
    }

    fn check(
        self,
        db: &Connection,
        recipient: &Recipient,
        call: &Call,
    ) -> Result<(Route, Values, Option<String>)> {
        const NUMBER: &str = "BANK_ACCOUNT_NUMBER";
        let route = self.route(recipient, &call.world)?;
        let mut values = self.values;
        let form = Form::new(&call.world, Subject::Account, call.now).in_corridor(&route);
        let form = form.with_kind(recipient.kind);
        let sets = form.sets();
        let asks_for_number = sets.iter().flat_map(|set| &set.fields).any(|field| field.field_id == NUMBER);
        // The number may be given beside the fields or among them.
        if let (Some(number), true, None) = (&self.account_number, asks_for_number, values.get(NUMBER)) {
            values.set(NUMBER, json!(number));
        }
        reject_if_any(check(form, &values))?;
        if let Some(card_id) = values.text("CARD_ID") {
            card::find(db, recipient.sender, card_id)?.check_receives(&route.destination)?;
        }
        Ok((route, values.without_nulls(), self.account_number))
    }
}

fn create(call: &Call, db: &Connection) -> Reply {
    let request = AccountRequest::read(call)?;
    let recipient = recipient::find_in_path(call, db, request.sender)?;
    let (route, values, account_number) = request.check(db, &recipient, call)?;
    let account = Account {
        id: call.app.ids.uuid(),
        recipient: recipient.id,
        route,
        account_number,
        values,
        created_at: call.now,
    };
    account.insert(db)?;
    Ok(account.to_wire(&call.world))
}

fn replace(call: &Call, db: &Connection) -> Reply {
    let request = AccountRequest::read(call)?;
    let recipient = recipient::find_in_path(call, db, request.sender)?;
    let before = find(db, &recipient, call.path_id("accId")?)?;
    let (route, values, account_number) = request.check(db, &recipient, call)?;
    let account = Account { route, values, account_number, ..before };
    account.update(db)?;
    Ok(account.to_wire(&call.world))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let accounts = Account::all_of(db, &recipient::find_in_path(call, db, None)?)?;
    Ok(json!({ "accounts": accounts.iter().map(|one| one.to_wire(&call.world)).collect::<Value>() }))
}

fn find_in_path(call: &Call, db: &Connection) -> Result<Account> {
    find(db, &recipient::find_in_path(call, db, None)?, call.path_id("accId")?)
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(find_in_path(call, db)?.to_wire(&call.world))
}

fn delete(call: &Call, db: &Connection) -> Reply {
    find_in_path(call, db)?.delete(db)?;
    Ok(json!({}))
}

const DOCUMENT: &str = r##"
tag: people
paths:
  /v1/recipients/{recipientId}/accounts:
    get: { operationId: recipientAccounts, summary: Lists a recipient's accounts., x-source: assumed,
           x-error-codes: [InvalidRecipientId, RecipientNotFound, SenderNotFound],
           responses: { "200": { required: [accounts], properties: { accounts: [RecipientAccount] } } } }
    post:
      operationId: createRecipientAccount
      summary: Creates an account of a recipient.
      x-source: documented
      x-error-codes: &writeCodes
        [NotEmptyValidator, MissingRequiredField, ValueRegexFailure, BusinessOrDataValidationError,
         UnsupportedCountry, NoCorridorFoundForSpecificValues, CC404, SenderNotFound, InvalidRecipientId,
         RecipientNotFound, RecipientInvalidPhoneNumber, InvalidRecipientAccountId, RecipientAccountNotFound,
         CardProvidedCannotBeUsedForThisTransaction, BillingAndDestinationCurrencyCodeDiscrepancyError]
      requestBody: RecipientAccountRequest
      responses: { "201": RecipientAccount }

  /v1/recipients/{recipientId}/accounts/{accId}:
    get:
      operationId: getRecipientAccount
      summary: Reads an account.
      x-source: published
      x-error-codes: &readCodes
        [InvalidRecipientId, RecipientNotFound, InvalidRecipientAccountId, RecipientAccountNotFound,
         SenderNotFound]
      responses: { "200": RecipientAccount }
    put: { operationId: replaceRecipientAccount, summary: Replaces the whole record., x-source: documented,
           x-error-codes: *writeCodes, requestBody: RecipientAccountRequest,
           responses: { "200": RecipientAccount } }
    delete: { operationId: deleteRecipientAccount, summary: Deletes an account., x-source: published,
              x-error-codes: *readCodes, responses: { "200": Empty } }

schemas:
  RecipientAccountRequest:
    x-source: published
    description: Absent members follow from the recipient or are defaults.
    properties: { dstCountryIso3Code: CountryCode, dstCurrencyIso3Code: CurrencyCode,
                  transferMethod: TransferMethod, senderId: Uuid assumed,
                  accountNumber: { type: [string, "null"], description: Never a card's number. },
                  fields: { x-source: documented, type: array, items: FieldValue } }
  RecipientAccount:
    x-source: published
    required: [recipientAccountId, dstCountryIso3Code, dstCurrencyIso3Code, transferMethod, fields]
    properties: { recipientAccountId: Uuid documented, recipientId: Uuid assumed,
                  dstCountryIso3Code: CountryCode, dstCurrencyIso3Code: CurrencyCode,
                  transferMethod: TransferMethod, createdAt: Timestamp, fields: [RecordField],
                  accountNumber: { $ref: "#/components/schemas/StringOrNumber",
                                   description: May be masked. } }
"##;

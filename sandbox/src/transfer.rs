//! Transfers: made once per quote, then read (interface, parts 3 and 4).

mod create;
mod record;
mod rows;
mod wanted;

use std::sync::Arc;

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) use record::{Transfer, find, find_made, find_where, has_failed, recorded};
pub use rows::{RecordedTransfer, recorded_transfers};

use crate::access::Caller;
use crate::app::App;
use crate::error::{ApiError, ErrorCode, Problems};
use crate::input::{Named, Path, Query, path_uuid};
use crate::resource::Resource;

// `UNIQUE` is what keeps a quote from backing two transfers, whatever the code above it does.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS transfers (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    request_id TEXT NOT NULL UNIQUE,
    confirmation TEXT NOT NULL,
    client_id TEXT NOT NULL,
    sender_id TEXT NOT NULL,
    recipient_id TEXT NOT NULL,
    quote_history_id TEXT NOT NULL,
    nonce TEXT,
    method TEXT NOT NULL,
    customer_hold TEXT NOT NULL,
    system_hold_until INTEGER,
    will_fail INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    cost_cents INTEGER NOT NULL,
    debited_cents INTEGER NOT NULL,
    counts INTEGER NOT NULL DEFAULT 1,
    record TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (quote_history_id),
    UNIQUE (client_id, nonce)
);
CREATE INDEX IF NOT EXISTS transfers_of_sender ON transfers (sender_id, created_at);
CREATE INDEX IF NOT EXISTS transfers_of_recipient ON transfers (recipient_id, created_at);
CREATE TABLE IF NOT EXISTS transfer_statuses (
    transfer_id TEXT NOT NULL,
    changed_at INTEGER NOT NULL,
    status TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS statuses_of_transfer ON transfer_statuses (transfer_id, changed_at);
CREATE TABLE IF NOT EXISTS failed_submissions (
    quote_history_id TEXT PRIMARY KEY
) WITHOUT ROWID;
";

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: TABLES,
    interface: r##"
paths:
  /v1/transfers:
    get:
      operationId: transfers
      tags: [transfer]
      summary: Lists a sender's transfers, the newest first. Amounts are decimals here, not minor units.
      x-source: published
      x-error-codes: [SenderUndetermined, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/senderId" }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 500 } }
        - { name: offset, in: query, schema: { type: integer, minimum: 0, maximum: 2147483647 } }
      responses:
        "200":
          description: One page of transfers.
          content:
            application/json:
              schema:
                type: object
                required: [transfers]
                properties:
                  transfers:
                    type: array
                    items: { $ref: "#/components/schemas/ListedTransfer" }
                  totalCount: { type: integer, x-source: assumed }
    post:
      operationId: transfer
      tags: [transfer]
      summary: Executes a transfer against a quote. Money moves.
      x-source: documented
      x-error-codes:
        - NotEmptyValidator
        - MissingRequiredField
        - ValueRegexFailure
        - BusinessOrDataValidationError
        - SenderUndetermined
        - SenderNotFound
        - RecipientNotFound
        - InvalidRecipientId
        - RecipientAccountNotFound
        - InvalidRecipientAccountId
        - Max24HourSendAmountLimitReached
        - Max7DaysSendAmountLimitReached
        - Max24HourTotalCostLimitReached
        - Max7DaysTransferCountLimitReached
        - Max24HourTransferCountLimitReached
        - Max24HourSendAmountLimitReachedExceed
        - Max7DaysSendAmountLimitReachedExceed
        - Max24HourTotalCostLimitReachedExceed
        - Max24HourRecipientSendAmountLimitReached
        - Max7DaysRecipientSendAmountLimitReached
        - MaxMonthlyRecipientSendAmountLimitReached
        - Max24HourRecipientTransferCountLimitReached
        - MaxMonthlyRecipientTransferCountLimitReached
        - MinCashPayerTransactionLimitNotReached
        - MaxCashPayerTransactionLimitExceeded
        - MaxLimitOutOfRange
        - InsufficientFunds
        - InvalidAmount
        - SourceOfFundsRequired
        - SourceOfFundsInvalid
        - PurposeOfRemittanceRequired
        - SourceTransferMethodNotFound
        - SourceAccountNotSupported
        - QuoteAmountChanged
        - QuoteAmountChangedOfac
        - TransferDuplicatedByQuote
        - NonceAlreadyUsed
        - NoQuoteHistoryIdProvided
        - QuoteHistoryNotFound
        - NoCorridorFoundForSpecificValues
        - UnsupportedCountry
        - RspTransferException
        - CardProvidedCannotBeUsedForThisTransaction
        - InvalidCardIssuerCountry
        - SourceCardAndReceivingCardMustBeUnique
        - CardNotSupported
        - ExpiryDateRequired
        - InvalidCardOnboardingSession
        - MinCardholderNames
        - BillingAndDestinationCurrencyCodeDiscrepancyError
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/TransferRequest" }
      responses: &transferResponses
        "200":
          description: The transfer. A held one stays `Initiated`.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Transfer" }

  /v1/transfers/{transferId}:
    get:
      operationId: getTransfer
      tags: [transfer]
      summary: Reads a transfer.
      x-source: published
      x-error-codes: [TransferNotFound, SenderNotFound]
      parameters:
        - { $ref: "#/components/parameters/transferId" }
      responses: *transferResponses

components:
  parameters:
    transferId:
      name: transferId
      in: path
      required: true
      x-source: documented
      schema: { $ref: "#/components/schemas/Uuid" }

  schemas:
    SourceOfFunds:
      type: [string, "null"]
      x-source: documented
      x-known-values: { BUSINESS: documented, PULL_FROM_CARD: documented }
    SourceTransferMethod:
      type: [string, "null"]
      x-source: assumed
      x-known-values: { PREFUNDING: assumed, PULL_FROM_CARD: assumed }
    TransferStatus:
      type: string
      x-source: published
      x-known-values:
        Initiated: published
        Pending: published
        Failed: published
        Canceled: published
        Pending Cancelation: published
        Complete: published
        Unknown: published
    TransferRequest:
      type: object
      x-source: published
      required:
        - dstCountryIso3Code
        - dstCurrencyIso3Code
        - srcCurrencyIso3Code
        - transferMethod
        - quoteBy
        - amount
        - quoteHistoryId
        - recipientId
      properties:
        dstCountryIso3Code: { $ref: "#/components/schemas/CountryCode" }
        dstCurrencyIso3Code: { $ref: "#/components/schemas/CurrencyCode" }
        srcCurrencyIso3Code: { $ref: "#/components/schemas/CurrencyCode" }
        transferMethod: { $ref: "#/components/schemas/TransferMethod", x-source: documented }
        quoteBy: { $ref: "#/components/schemas/QuoteBy", x-source: documented }
        amount: { $ref: "#/components/schemas/MinorUnits" }
        quoteHistoryId: { $ref: "#/components/schemas/Uuid", x-source: documented, description: It backs one transfer. }
        recipientId: { $ref: "#/components/schemas/Uuid", x-source: documented }
        recipientAccountId: { $ref: "#/components/schemas/Uuid", x-source: documented, description: All but CASH_PICKUP need one. }
        customerHold: { type: boolean, default: false, description: Whether it waits until it is released. }
        nonce:
          description: From `GET /v1/nonce`.
          anyOf:
            - { $ref: "#/components/schemas/Uuid" }
            - { type: "null" }
        fields: { type: array, x-source: documented, items: { $ref: "#/components/schemas/FieldValue" } }
        senderId: { $ref: "#/components/schemas/Uuid", x-source: documented, description: Where the token names none. }
        purposeOfRemittance: { type: string, x-source: documented }
        sourceOfFunds: { $ref: "#/components/schemas/SourceOfFunds", x-source: documented }
        sourceTransferMethod: { $ref: "#/components/schemas/SourceTransferMethod", x-source: documented }
        sourceAccountId: { type: string }
    Transfer:
      type: object
      x-source: published
      required: [transferId, confirmationNumber, quote, createdAt, status]
      properties: &transferProperties
        transferId: { $ref: "#/components/schemas/Uuid", x-source: documented }
        transferRequestId: { $ref: "#/components/schemas/Uuid", x-source: assumed }
        confirmationNumber: { $ref: "#/components/schemas/Label" }
        quote: { $ref: "#/components/schemas/Quote" }
        senderDetails: { $ref: "#/components/schemas/Sender" }
        recipientDetails: { $ref: "#/components/schemas/Recipient" }
        recipientAccountDetails:
          anyOf:
            - { $ref: "#/components/schemas/RecipientAccount" }
            - { type: "null", description: Cash pickup has none. }
        disclaimers: { type: array }
        createdAt: { $ref: "#/components/schemas/Timestamp" }
        dateAvailable: { $ref: "#/components/schemas/Timestamp" }
        fields: { type: array, items: { $ref: "#/components/schemas/RecordField" } }
        status: { $ref: "#/components/schemas/TransferStatus" }
        customer:
          type: object
          properties:
            name: { type: string }
            addressLine1: { type: string }
            addressLine2: { type: string }
            addressCity: { type: string }
            addressState: { type: string }
            addressCountry: { type: string }
            addressZipCode: { type: string }
            phoneNumber: { type: string }
            website: { type: string }
    ListedTransfer:
      type: object
      x-source: published
      required: [transferId, confirmationNumber, quote, createdAt, status]
      properties:
        <<: *transferProperties
        quote: { $ref: "#/components/schemas/ListedQuote" }
"##,
};

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/transfers", get(list).post(create::create))
        .route("/v1/transfers/{transfer}", get(read))
}

/// Reads the identifier in the path.
pub(crate) fn path_id(text: &str) -> Result<Uuid, ApiError> {
    path_uuid(text, "transferId", ErrorCode::BadRequestError)
}

async fn read(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id = path_id(&id)?;
    let now = app.clock.now();
    let record = app.store.read(move |db| find(db, caller, id)?.record(db, now)).await?;
    Ok(Json(record))
}

async fn list(State(app): State<Arc<App>>, caller: Caller, query: Query) -> Result<Json<Value>, ApiError> {
    let mut problems = Problems::default();
    let named = query.optional_uuid("senderId", ErrorCode::BadRequestError, &mut problems);
    let limit = query.number("limit", 50, 1..=500, &mut problems);
    let offset = query.number("offset", 0, 0..=i64::from(i32::MAX), &mut problems);
    problems.finish()?;
    let now = app.clock.now();
    let (transfers, total) = app
        .store
        .read(move |db| {
            let sender = caller.sender(db, named)?.id.to_string();
            let total: i64 = db
                .prepare_cached("SELECT count(*) FROM transfers WHERE sender_id = ?1")?
                .query_row([&sender], |row| row.get(0))?;
            let mut records = Vec::new();
            for transfer in record::page(db, &sender, limit, offset)? {
                let mut record = transfer.record(db, now)?;
                record::amounts_as_decimals(&mut record);
                records.push(record);
            }
            Ok((records, total))
        })
        .await?;
    Ok(Json(json!({ "transfers": transfers, "totalCount": total })))
}

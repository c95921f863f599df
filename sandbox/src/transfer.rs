//! Transfers: made once per quote, then read (interface, parts 3 and 4).

mod create;
mod record;
mod rows;
mod wanted;

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde_json::{Value, json};

pub(crate) use record::{Hold, Transfer, find, find_by};
pub use rows::{RecordedTransfer, recorded_transfers};

use crate::app::App;
use crate::call::{Call, Reply, read};
use crate::records::Record;
use crate::resource::Resource;

pub(crate) const RESOURCE: Resource = Resource {
    file: file!(),
    routes,
    tables: Transfer::SQL,
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
        - senderId
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
      requestBody: TransferRequest
      responses: &transferResponses
        "200": Transfer

  /v1/transfers/{transferId}:
    get:
      operationId: getTransfer
      tags: [transfer]
      summary: Reads a transfer.
      x-source: published
      x-error-codes: [TransferNotFound, SenderNotFound]
      responses: *transferResponses

components:

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
        .route("/v1/transfers", get(read(list)).post(create::create))
        .route("/v1/transfers/{transfer}", get(read(get_one)))
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(Json(find(call, db)?.record(call.now)))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let (named, limit, offset) = call.query(|query| {
        let named = query.optional_id("senderId");
        (named, query.number("limit", 50, 1..=500), query.number("offset", 0, 0..=i64::from(i32::MAX)))
    })?;
    let sender = call.caller.sender(db, named)?.id.to_string();
    let total: i64 = db
        .prepare_cached("SELECT count(*) FROM transfers WHERE sender = ?1")?
        .query_row([&sender], |row| row.get(0))?;
    // The newest first.
    let page = "WHERE sender = ?1 ORDER BY created_at DESC, number DESC LIMIT ?2 OFFSET ?3";
    let page = Transfer::list(db, page, (sender, limit, offset))?;
    let transfers = page.iter().map(|transfer| {
        let mut record = transfer.record(call.now);
        record::amounts_as_decimals(&mut record);
        record
    });
    Ok(Json(json!({ "transfers": transfers.collect::<Value>(), "totalCount": total })))
}

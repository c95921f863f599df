//! Transfers: made once per quote, then read (interface, parts 3 and 4).

mod create;
mod hold;
mod receipt;
mod record;
mod recorded;
mod request;
mod status;

pub(crate) use record::Transfer;
pub use recorded::recorded_transfers;
pub(crate) use status::Step;

use crate::endpoint::*;
use crate::error::Shape;
use crate::quote;
use record::{Hold, find, find_by};

pub(crate) const RESOURCE: Resource =
    Resource { file: file!(), routes, tables: Transfer::SQL, document: DOCUMENT };

fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/transfers", get(read(list)).post(create::create))
        .route("/v1/transfers/{transferId}", get(read(get_one)))
        .route("/v1/transfers/{transferId}/statuses", get(read(list_statuses)))
        .route("/v1/transfers/{transferId}/receipt", get(get_receipt))
        .route("/v1/transfers/progress/{quoteHistoryId}", get(get_progress))
        .route("/transferrequests/v1/transfer-requests/{transferRequestId}", get(read(get_order)))
        .merge(hold::routes())
}

fn get_one(call: &Call, db: &Connection) -> Reply {
    Ok(find(call, db)?.to_wire(call.now))
}

fn list(call: &Call, db: &Connection) -> Reply {
    let (sender, limit, offset) = call.query(|query| {
        let sender = query.optional_id("senderId");
        (sender, query.number("limit", 50, 1..=500), query.number("offset", 0, 0..=i64::from(i32::MAX)))
    })?;
    let sender = call.caller.sender(db, sender)?.id.to_string();
    let total: i64 = db
        .prepare_cached("SELECT count(*) FROM transfers WHERE sender = ?1")?
        .query_row([&sender], |row| row.get(0))?;
    let page = "WHERE sender = ?1 ORDER BY created_at DESC, number DESC LIMIT ?2 OFFSET ?3";
    let page = Transfer::list(db, page, (sender, limit, offset))?;
    let transfers = page.iter().map(|transfer| {
        let mut transfer = transfer.to_wire(call.now);
        record::amounts_to_decimals(&mut transfer);
        transfer
    });
    Ok(json!({ "transfers": transfers.collect::<Value>(), "totalCount": total }))
}

fn list_statuses(call: &Call, db: &Connection) -> Reply {
    let transfer = find(call, db)?;
    let steps = transfer.steps.until(call.now);
    let statuses = steps.map(|step| json!({ "status": step.status, "changedDate": iso(step.at) }));
    Ok(json!({ "statuses": statuses.collect::<Value>() }))
}

/// Returns the receipt of a transfer that is neither held nor canceled.
async fn get_receipt(call: Call) -> Result<impl IntoResponse> {
    const NOT_FOUND: ErrorCode = ErrorCode::TransferReceiptNotFound;
    let store = call.app.store.clone();
    let transfer = store.read(move |db| {
        let transfer =
            find(&call, db).map_err(|error| error.replacing(ErrorCode::TransferNotFound, NOT_FOUND))?;
        if transfer.is_held(call.now) || transfer.hold == Hold::Canceled {
            return Err(NOT_FOUND.into());
        }
        Ok(transfer.to_wire(call.now))
    });
    Ok(([(header::CONTENT_TYPE, "application/pdf")], receipt::pdf(&transfer.await?)))
}

/// Returns the outcome of a submission whose reply was lost.
async fn get_progress(call: Call) -> Result<Json<Value>> {
    let id = call.path_id("quoteHistoryId")?;
    // Look this up first: a submission that ends before the query below is then in the database.
    let in_flight = call.app.in_flight.contains(id);
    let caller = call.caller;
    let progress = call.app.store.read(move |db| {
        if let Some(transfer) = find_by(db, caller, "quote", id)? {
            return Ok(json!({ "transferId": transfer.id, "transferRecordStatus": "Created" }));
        }
        let sender = caller.sender_if_any(db, None)?;
        let quote = quote::find(db, caller.client, sender.as_ref(), id)
            .map_err(|error| error.with_status_if_not_found(StatusCode::BAD_REQUEST))?;
        let status = match (in_flight, quote.has_failed) {
            (true, _) => "Initializing",
            (false, true) => "Failed",
            (false, false) => "NotInProgress",
        };
        Ok(json!({ "transferRecordStatus": status }))
    });
    Ok(Json(progress.await?))
}

/// Returns the order behind a transfer. Every transfer has one, its `transferRequestId`.
fn get_order(call: &Call, db: &Connection) -> Reply {
    let find = || {
        let found = find_by(db, call.caller, "request", call.path_id("transferRequestId")?)?;
        Ok(found.ok_or(ErrorCode::TransferRequestNotFound)?)
    };
    let transfer = find().map_err(|error: ApiError| error.shaped(Shape::Wrapped))?;
    let step = transfer.steps.latest(call.now);
    let (id, name) = match step.status.as_str() {
        "Initiated" => ("CREATED", "Created"),
        "Pending" => ("PROCESSING", "Processing"),
        "Complete" => ("PROCESSED", "Processed"),
        "Failed" => ("FAILED_TO_PROCESS", "Failed to process"),
        "Canceled" | "Pending Cancelation" => ("CANCELED", "Canceled"),
        _ => ("UNKNOWN", "Unknown"),
    };
    Ok(json!({
        "transferRequestId": transfer.request, "referenceId": transfer.confirmation.to_string(),
        "senderId": transfer.sender, "transferId": transfer.id, "status": { "id": id, "name": name },
        "createdAt": iso(transfer.created_at), "updatedAt": iso(step.at),
    }))
}

const DOCUMENT: &str = r##"
tag: transfer
paths:
  /v1/transfers:
    get:
      operationId: transfers
      summary: Lists a sender's transfers, the newest first. Amounts are decimals here, not minor units.
      x-source: published
      x-error-codes: [SenderUndetermined, SenderNotFound]
      parameters:
        - senderId
        - { name: limit, schema: { type: integer, minimum: 1, maximum: 500 } }
        - { name: offset, schema: { type: integer, minimum: 0, maximum: 2147483647 } }
      responses:
        "200":
          required: [transfers]
          properties: { transfers: [ListedTransfer], totalCount: integer assumed }
    post:
      operationId: transfer
      summary: Executes a transfer against a quote. Money moves.
      x-source: documented
      x-error-codes:
        [NotEmptyValidator, MissingRequiredField, ValueRegexFailure, BusinessOrDataValidationError,
         SenderUndetermined, SenderNotFound, RecipientNotFound, InvalidRecipientId, RecipientAccountNotFound,
         InvalidRecipientAccountId, Max24HourSendAmountLimitReached, Max7DaysSendAmountLimitReached,
         Max24HourTotalCostLimitReached, Max7DaysTransferCountLimitReached,
         Max24HourTransferCountLimitReached, Max24HourSendAmountLimitReachedExceed,
         Max7DaysSendAmountLimitReachedExceed, Max24HourTotalCostLimitReachedExceed,
         Max24HourRecipientSendAmountLimitReached, Max7DaysRecipientSendAmountLimitReached,
         MaxMonthlyRecipientSendAmountLimitReached, Max24HourRecipientTransferCountLimitReached,
         MaxMonthlyRecipientTransferCountLimitReached, MinCashPayerTransactionLimitNotReached,
         MaxCashPayerTransactionLimitExceeded, MaxLimitOutOfRange,
         InsufficientFunds, InvalidAmount, SourceOfFundsRequired, SourceOfFundsInvalid,
         PurposeOfRemittanceRequired, SourceTransferMethodNotFound, SourceAccountNotSupported,
         QuoteAmountChanged, QuoteAmountChangedOfac, TransferDuplicatedByQuote, NonceAlreadyUsed,
         NoQuoteHistoryIdProvided, QuoteHistoryNotFound, NoCorridorFoundForSpecificValues, UnsupportedCountry,
         RspTransferException, CardProvidedCannotBeUsedForThisTransaction, InvalidCardIssuerCountry,
         SourceCardAndReceivingCardMustBeUnique, CardNotSupported, ExpiryDateRequired,
         InvalidCardOnboardingSession, MinCardholderNames, BillingAndDestinationCurrencyCodeDiscrepancyError]
      requestBody: TransferRequest
      responses: { "200": Transfer }
  /v1/transfers/{transferId}:
    get: { operationId: getTransfer, summary: Reads a transfer., x-source: published,
           x-error-codes: &codes [TransferNotFound, SenderNotFound], responses: { "200": Transfer } }
  /v1/transfers/{transferId}/statuses:
    get: { operationId: transferStatuses, x-source: published, x-error-codes: *codes,
           summary: "Lists the statuses that a transfer has had, the oldest first.",
           responses: { "200": TransferStatuses } }
  /v1/transfers/{transferId}/customer-hold/release:
    post: { operationId: releaseCustomerHold, summary: Releases the customer's hold on a transfer.,
            x-source: published, responses: { "202": Empty },
            x-error-codes: [TransferNotFound, SenderNotFound, BusinessOrDataValidationError] }
  /v1/transfers/{transferId}/customer-hold/cancel:
    post: { operationId: cancelCustomerHold, summary: Cancels a transfer that the customer holds.,
            x-source: published, requestBody: HoldCancellation, responses: { "202": Empty },
            x-error-codes: [TransferNotFound, SenderNotFound, NotEmptyValidator,
                            BusinessOrDataValidationError] }
  /v1/transfers/progress/{quoteHistoryId}:
    get: { operationId: transferProgress, summary: Reads the outcome of a submission whose reply was lost.,
           x-source: published, x-error-codes: [QuoteHistoryNotFound, SenderNotFound],
           responses: { "200": TransferProgress } }
  /v1/transfers/{transferId}/receipt:
    get: { operationId: transferReceipt, summary: Reads the receipt as a document., x-source: published,
           x-error-codes: [TransferReceiptNotFound, SenderNotFound],
           responses: { "200": { description: The receipt., content: { application/pdf: {} } } } }
  /transferrequests/v1/transfer-requests/{transferRequestId}:
    get: { operationId: transferRequest, summary: Reads the order behind a transfer., x-source: published,
           x-error-codes: [TransferRequestNotFound, SenderNotFound],
           responses: { "200": TransferOrder, "4XX": ErrorsOrWrappedErrors, "5XX": ErrorsOrWrappedErrors } }

webhooks:
  transferStatus:
    post:
      operationId: transferStatusEvent
      summary: Tells the shop's backend that a transfer's status has changed.
      description: |
        Sent again after 408, 429, 5xx or no answer, and not after another 4xx. The same event may arrive more
        than once, and events in any order.
      x-source: published
      security: [{ webhookKey: [] }]
      requestBody: TransferStatusEvent
      responses:
        "2XX": { description: The event was processed. }
        "4XX": { description: The event is refused and not sent again. }
        "5XX": { description: The event is sent again. }

schemas:
  TransferStatusEvent:
    x-source: published
    required: [TransferId, Status, StatusChangedDate]
    properties:
      TransferId: Uuid
      Status: { anyOf: [TransferStatus], description: Its letter case varies. }
      StatusChangedDate: Timestamp
      CancellationReason:
        { type: [string, "null"], description: "Why it was canceled or, in the sandbox, failed." }
  SourceOfFunds:
    { type: [string, "null"], x-source: documented, x-known-values: [BUSINESS, PULL_FROM_CARD] }
  SourceTransferMethod:
    { type: [string, "null"], x-source: assumed, x-known-values: [PREFUNDING, PULL_FROM_CARD] }
  TransferStatus:
    x-source: published
    x-known-values: [Initiated, Pending, Failed, Canceled, Pending Cancelation, Complete, Unknown]
  TransferStatuses:
    x-source: published
    required: [statuses]
    properties:
      statuses:
        - { required: [status, changedDate], properties: { status: TransferStatus, changedDate: Timestamp } }
  HoldCancellationReason:
    x-source: published
    x-known-values: [SUSPECTED_FRAUD, CONFIRMED_FRAUD, EVALUATION_EXPIRED, CUSTOMER_REQUEST]
  HoldCancellation:
    { x-source: published, required: [reason], properties: { reason: HoldCancellationReason } }
  TransferRecordStatus:
    { x-source: published, x-known-values: [NotInProgress, Initializing, Failed, Created] }
  TransferProgress:
    x-source: published
    required: [transferRecordStatus]
    properties: { transferId: Uuid, transferRecordStatus: TransferRecordStatus }
  TransferRequest:
    x-source: published
    required: [dstCountryIso3Code, dstCurrencyIso3Code, srcCurrencyIso3Code, transferMethod, quoteBy,
               amount, quoteHistoryId, recipientId]
    properties: {
      dstCountryIso3Code: CountryCode, dstCurrencyIso3Code: CurrencyCode, srcCurrencyIso3Code: CurrencyCode,
      transferMethod: TransferMethod documented, quoteBy: QuoteBy documented, amount: MinorUnits,
      quoteHistoryId: Uuid documented, recipientId: Uuid documented,
      recipientAccountId: { $ref: "#/components/schemas/Uuid", x-source: documented,
                            description: Required except for CASH_PICKUP. },
      customerHold: { type: boolean, default: false, description: Holds the transfer until it is released. },
      nonce: { description: From `GET /v1/nonce`., anyOf: [Uuid, "null"] },
      fields: { x-source: documented, type: array, items: FieldValue },
      senderId: { $ref: "#/components/schemas/Uuid", x-source: documented,
                  description: Required with a client-level token. },
      purposeOfRemittance: string documented, sourceOfFunds: SourceOfFunds documented,
      sourceTransferMethod: SourceTransferMethod documented, sourceAccountId: string }
  Transfer:
    x-source: published
    required: &required [transferId, confirmationNumber, quote, createdAt, status]
    properties: &properties
      { transferId: Uuid documented, transferRequestId: Uuid assumed, confirmationNumber: StringOrNumber,
        quote: Quote, senderDetails: Sender, recipientDetails: Recipient,
        recipientAccountDetails: { description: Null for cash pickup., anyOf: [RecipientAccount, "null"] },
        disclaimers: array, createdAt: Timestamp, dateAvailable: Timestamp, fields: [RecordField],
        status: TransferStatus,
        customer: {
          properties: { name: string, addressLine1: string, addressLine2: string, addressCity: string,
                        addressState: string, addressCountry: string, addressZipCode: string,
                        phoneNumber: string, website: string } } }
  ListedTransfer:
    { x-source: published, required: *required, properties: { <<: *properties, quote: ListedQuote } }
  TransferOrderStatus:
    x-source: published
    x-known-values: [UNKNOWN, CREATED, PROCESSING, INVALID, FAILED_TO_PROCESS, PROCESSED, CANCELED]
  TransferOrder:
    x-source: published
    required: [transferRequestId, status]
    properties: { transferRequestId: Uuid, referenceId: StringOrNumber assumed, createdAt: Timestamp assumed,
                  senderId: StringOrNumber assumed, transferId: Uuid assumed, updatedAt: Timestamp assumed,
                  status: { required: [id, name], properties: { id: TransferOrderStatus, name: string } } }
  WrappedErrors:
    { x-source: published, required: [message, errors], properties: { message: string, errors: Errors } }
  ErrorsOrWrappedErrors:
    description: The resource's own errors have a message beside them.
    x-source: published
    anyOf: [Errors, WrappedErrors]
"##;

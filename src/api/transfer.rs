//! Money on its way (interface, parts 3 and 4: Transfers).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RecordField, TRANSFER_FIELDS};
use super::json::{Codec, Field, Shape};
use super::money::{ListedAmount, MinorUnits};
use super::opaque::opaque_debug;
use super::operation::{Operation, ReplyKind, Sending, operations};
use super::record::{open_enum, record};
use super::{
    Json, Nonce, PaymentId, Quote, QuoteBy, QuoteId, QuoteRequest, RecipientAccountId, RecipientId, SenderId,
    StringOrNumber, TransferId, TransferMethod,
};

record! {
    /// A transfer to execute. Country and currency codes are three uppercase letters.
    private TransferRequest {
        required dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient gets.
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// The currency that the sender pays in.
        required src_currency "srcCurrencyIso3Code": CurrencyCode,
        required transfer_method "transferMethod": TransferMethod,
        required quote_by "quoteBy": QuoteBy,
        /// The quoted amount: minor units of the currency on the side that `quoteBy` fixes, at least 0.
        required amount "amount": MinorUnits,
        /// The quote, which is good for one transfer.
        required quote_history_id "quoteHistoryId": QuoteId,
        required recipient_id "recipientId": RecipientId,
        /// The recipient's account; cash pickup has none.
        optional recipient_account_id "recipientAccountId": RecipientAccountId = with_recipient_account_id,
        /// Whether the service holds the transfer until it is released.
        optional customer_hold "customerHold": bool = with_customer_hold,
        /// Makes the transfer unrepeatable. Preparing the transfer fetches one by default.
        optional nonce "nonce": Nonce = with_nonce,
        /// What the page calls the payment, such as its order: any text, of at most 255 characters. Binds the
        /// attempts at one payment to each other on this device, so that no second one is sent beside one
        /// that may have been. Kept in the journal, never sent.
        optional payment_id "paymentId": PaymentId = with_payment_id,
        /// The dynamic fields, as a `FieldForm` makes them of what a customer typed.
        optional fields "fields": Vec<FieldValue> = with_fields,
        /// The sender, if the token does not name one.
        optional sender_id "senderId": SenderId = with_sender_id,
        optional purpose "purposeOfRemittance": String = with_purpose,
        optional source_of_funds "sourceOfFunds": String = with_source_of_funds,
        /// How the sender pays in.
        optional source_transfer_method "sourceTransferMethod": String = with_source_transfer_method,
        /// The account that the sender pays from.
        optional source_account_id "sourceAccountId": String = with_source_account_id,
    }
}

impl TransferRequest {
    /// Creates the request for a quoted transfer: the same route and amount, with optional members unset.
    pub fn of_quote(request: &QuoteRequest, quote: &Quote, recipient_id: RecipientId) -> Self {
        TransferRequest {
            dst_country: request.dst_country.clone(),
            dst_currency: request.dst_currency.clone(),
            src_currency: request.src_currency.clone(),
            transfer_method: request.transfer_method.clone(),
            quote_by: request.quote_by.clone(),
            amount: request.amount,
            quote_history_id: quote.quote_history_id.clone(),
            recipient_id,
            recipient_account_id: request.recipient_account_id.clone(),
            customer_hold: None,
            nonce: None,
            payment_id: None,
            fields: None,
            sender_id: None,
            purpose: None,
            source_of_funds: None,
            source_transfer_method: None,
            source_account_id: None,
        }
    }
}

/// A receipt, usually a PDF.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its media type, such as `application/pdf`.
    pub content_type: Option<String>,
}

impl Receipt {
    /// Creates a receipt.
    pub fn new(bytes: Vec<u8>, content_type: Option<String>) -> Self {
        Receipt { bytes, content_type }
    }
}

opaque_debug!([] Receipt);

open_enum! {
    /// The status of a transfer. Its letter case varies.
    TransferStatusName ("a status such as Pending", any_case) {
        /// A held transfer stays in this status.
        Initiated = "Initiated",
        Pending = "Pending",
        Failed = "Failed",
        Canceled = "Canceled",
        PendingCancelation = "Pending Cancelation",
        Complete = "Complete",
        Unknown = "Unknown",
    }
}

record! {
    /// A transfer.
    private Transfer {
        required transfer_id "transferId" as StringOrNumber: TransferId,
        /// The number that the customer can quote.
        optional confirmation_number "confirmationNumber": StringOrNumber,
        optional status "status" as String: TransferStatusName,
        /// The quote that it was executed with.
        optional quote "quote": Json,
        optional sender_details "senderDetails": Json,
        optional recipient_details "recipientDetails": Json,
        optional recipient_account_details "recipientAccountDetails": Json,
        /// Legal texts to show with the receipt. The interface does not define their shape.
        optional disclaimers "disclaimers": Json,
        /// ISO 8601.
        optional created_at "createdAt": String,
        /// When the recipient can have the money, ISO 8601.
        optional date_available "dateAvailable": String,
        optional fields "fields": Vec<RecordField>,
        /// The client that made it.
        optional customer "customer": Json,
    }
}

record! {
    /// A transfer in a list, where the service gives amounts as decimals (`29.99`) and not in minor units.
    private ListedTransfer {
        required transfer_id "transferId" as StringOrNumber: TransferId,
        optional confirmation_number "confirmationNumber": StringOrNumber,
        optional status "status" as String: TransferStatusName,
        optional quote "quote": ListedQuote,
        /// ISO 8601.
        optional created_at "createdAt": String,
    }
}

record! {
    /// The amounts of a listed transfer, as in a [`Quote`].
    ListedQuote {
        optional send_amount "sendAmount": ListedAmount,
        optional receive_amount "receiveAmount": ListedAmount,
        optional total_cost "totalCost": ListedAmount,
        /// Fees and rebates.
        optional adjustments "adjustments": Vec<ListedAdjustment>,
    }
}

record! {
    /// A part of the price of a listed transfer. Its id and label would cost the first load 41 bytes.
    ListedAdjustment {
        /// Negative if it is in the sender's favor.
        optional amount "amount": ListedAmount,
    } unread ["id", "label"]
}

record! {
    /// Which transfers to list.
    #[derive(Default)]
    TransferFilter {
        /// The sender, if the token does not name one.
        optional sender_id "senderId": SenderId = with_sender_id,
        /// How many to return at most.
        optional limit "limit": i64 = with_limit,
        /// How many to skip.
        optional offset "offset": i64 = with_offset,
    }
}

record! {
    /// A step in the life of a transfer.
    TransferStatus {
        required status "status" as String: TransferStatusName,
        /// ISO 8601.
        optional changed_date "changedDate": String,
    }
}

record! {
    /// The status history of a transfer.
    TransferStatuses {
        required statuses "statuses": Vec<TransferStatus>,
    }
}

open_enum! {
    /// The state of a quote's transfer.
    TransferRecordStatus ("a status such as Created") {
        /// No transfer is in progress.
        NotInProgress = "NotInProgress",
        /// The service is creating the transfer.
        Initializing = "Initializing",
        Failed = "Failed",
        Created = "Created",
    }
}

record! {
    /// Whether a transfer was made with a quote.
    TransferProgress {
        /// The transfer, once created.
        optional transfer_id "transferId" as StringOrNumber: TransferId,
        required status "transferRecordStatus": TransferRecordStatus,
    }
}

record! {
    /// Why to cancel a held transfer.
    HoldCancellation {
        required reason "reason": HoldCancellationReason,
    }
}

impl HoldCancellation {
    /// Creates the request.
    pub fn new(reason: HoldCancellationReason) -> Self {
        HoldCancellation { reason }
    }
}

open_enum! {
    /// Why a held transfer is canceled.
    HoldCancellationReason ("a reason such as CUSTOMER_REQUEST") {
        SuspectedFraud = "SUSPECTED_FRAUD",
        ConfirmedFraud = "CONFIRMED_FRAUD",
        /// No decision was made in time.
        EvaluationExpired = "EVALUATION_EXPIRED",
        CustomerRequest = "CUSTOMER_REQUEST",
    }
}

const NEW_NONCE: &Shape = &Shape::Record(&[Field { name: "nonce", shape: Nonce::SHAPE, required: true }]);

operations!(
    NONCE = Operation::get("nonce", "/v1/nonce", NEW_NONCE),
    // Only a `TransferAttempt` sends it.
    CREATE_TRANSFER = Operation::post("transfer", "/v1/transfers", Sending::Transfer)
        .with_body(TransferRequest::SHAPE)
        .with_reply(Transfer::SHAPE)
        .after(&TRANSFER_FIELDS),
    GET_TRANSFER = Operation::get("getTransfer", "/v1/transfers/{transferId}", Transfer::SHAPE),
    LIST_TRANSFERS =
        Operation::get("transfers", "/v1/transfers", &Shape::Wrapped("transfers", ListedTransfer::SHAPE))
            .with_query(TransferFilter::SHAPE),
    TRANSFER_STATUSES =
        Operation::get("transferStatuses", "/v1/transfers/{transferId}/statuses", TransferStatuses::SHAPE),
    TRANSFER_PROGRESS = Operation::get(
        "transferProgress",
        "/v1/transfers/progress/{quoteHistoryId}",
        TransferProgress::SHAPE
    ),
    TRANSFER_RECEIPT = Operation {
        reply: ReplyKind::Bytes,
        ..Operation::get("transferReceipt", "/v1/transfers/{transferId}/receipt", &Shape::Any)
    },
    RELEASE_CUSTOMER_HOLD = Operation::post(
        "releaseCustomerHold",
        "/v1/transfers/{transferId}/customer-hold/release",
        Sending::EndHold,
    ),
    CANCEL_CUSTOMER_HOLD = Operation::post(
        "cancelCustomerHold",
        "/v1/transfers/{transferId}/customer-hold/cancel",
        Sending::EndHold,
    )
    .with_body(HoldCancellation::SHAPE),
);

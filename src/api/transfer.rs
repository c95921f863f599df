//! Money on its way (interface, parts 3 and 4: Transfers).

use super::currency::{CountryCode, CurrencyCode};
use super::fields::{FieldValue, RecordField};
use super::json::{Codec, Shape};
use super::money::{ListedAmount, MinorUnits};
use super::operation::{Input, Method, Operation, Preceding, ReplyKind, Sending};
use super::record::{open_enum, record};
use super::{
    Json, Quote, QuoteBy, QuoteRequest, RecipientAccountId, RecipientId, StringOrNumber, TransferMethod,
    Uuid, fields,
};

record! {
    /// A transfer to execute.
    private TransferRequest {
        /// Where the money goes.
        required dst_country "dstCountryIso3Code": CountryCode,
        /// The currency that the recipient gets.
        required dst_currency "dstCurrencyIso3Code": CurrencyCode,
        /// The currency that the sender pays in.
        required src_currency "srcCurrencyIso3Code": CurrencyCode,
        /// How the money is paid out.
        required transfer_method "transferMethod": TransferMethod,
        /// Which side the amount fixes.
        required quote_by "quoteBy": QuoteBy,
        /// Minor units of the currency on the side that `quote_by` fixes.
        required amount "amount": MinorUnits,
        /// The quote, which can back one transfer.
        required quote_history_id "quoteHistoryId": Uuid,
        /// Who receives.
        required recipient_id "recipientId": RecipientId,
        /// The account; cash pickup has none.
        optional recipient_account_id "recipientAccountId": RecipientAccountId,
        /// Whether it shall be held until it is released.
        optional customer_hold "customerHold": bool,
        /// From `GET /nonce`. [`prepare`](crate::client::Client::prepare_transfer) takes one where none is
        /// given.
        optional nonce "nonce": Uuid,
        /// The dynamic fields.
        optional fields "fields": Vec<FieldValue>,
        /// The sender, where the token does not name one.
        optional sender_id "senderId": Uuid,
        /// What the money is for.
        optional purpose "purposeOfRemittance": String,
        /// Where the money comes from.
        optional source_of_funds "sourceOfFunds": String,
        /// How the sender pays in.
        optional source_transfer_method "sourceTransferMethod": String,
        /// The account that the sender pays from.
        optional source_account_id "sourceAccountId": String,
    }
}

impl TransferRequest {
    /// The transfer that was quoted: the same route and amount, by the quote. What else it needs is set
    /// afterwards.
    #[must_use]
    pub fn of_quote(request: &QuoteRequest, quote: &Quote, recipient_id: RecipientId) -> Self {
        let QuoteRequest { transfer_method, quote_by, dst_country, src_currency, dst_currency, .. } =
            request.clone();
        TransferRequest {
            dst_country,
            dst_currency,
            src_currency,
            transfer_method,
            quote_by,
            amount: request.amount,
            quote_history_id: quote.quote_history_id.clone(),
            recipient_id,
            recipient_account_id: request.recipient_account_id.clone(),
            customer_hold: None,
            nonce: None,
            fields: None,
            sender_id: None,
            purpose: None,
            source_of_funds: None,
            source_transfer_method: None,
            source_account_id: None,
        }
    }
}

/// A receipt as the service draws it up: mostly a PDF.
#[derive(Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its media type, such as `application/pdf`.
    pub content_type: Option<String>,
}

impl std::fmt::Debug for Receipt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Receipt { .. }")
    }
}

record! {
    /// A transfer. A held one stays `Initiated`.
    private Transfer {
        /// Its id.
        required transfer_id "transferId": StringOrNumber,
        /// The number that the customer can quote, published as string or number.
        optional confirmation_number "confirmationNumber": StringOrNumber,
        /// Initiated, Pending, Failed, Canceled, Pending Cancelation, Complete or Unknown; casing varies.
        optional status "status": String,
        /// The quote that it was executed against.
        optional quote "quote": Json,
        /// Who sends.
        optional sender_details "senderDetails": Json,
        /// Who receives.
        optional recipient_details "recipientDetails": Json,
        /// The account that receives.
        optional recipient_account_details "recipientAccountDetails": Json,
        /// Texts that the customer must be shown.
        optional disclaimers "disclaimers": Json,
        /// When it was created, ISO 8601.
        optional created_at "createdAt": String,
        /// When the money is there, ISO 8601.
        optional date_available "dateAvailable": String,
        /// The dynamic fields.
        optional fields "fields": Vec<RecordField>,
        /// The client it was made for.
        optional customer "customer": Json,
    }
}

record! {
    /// A transfer in a list, where amounts are decimals and not minor units.
    private ListedTransfer {
        /// Its id.
        required transfer_id "transferId": StringOrNumber,
        /// The number that the customer can quote.
        optional confirmation_number "confirmationNumber": StringOrNumber,
        /// The status, as in [`Transfer`].
        optional status "status": String,
        /// The amounts.
        optional quote "quote": ListedQuote,
        /// When it was created, ISO 8601.
        optional created_at "createdAt": String,
    }
}

record! {
    /// The amounts of a transfer in a list, which are decimals there.
    ListedQuote {
        /// What the sender paid in.
        optional send_amount "sendAmount": ListedAmount,
        /// What the recipient gets.
        optional receive_amount "receiveAmount": ListedAmount,
        /// What the sender paid in all.
        optional total_cost "totalCost": ListedAmount,
        /// Fees and rebates.
        optional adjustments "adjustments": Vec<ListedAdjustment>,
    }
}

record! {
    /// A part of the price of a transfer in a list. To name its id and label too would cost the first load 41
    /// bytes.
    ListedAdjustment {
        /// How much; negative if it was in the sender's favour.
        optional amount "amount": ListedAmount,
    }
}

record! {
    /// Which transfers to list.
    #[derive(Default)]
    TransferFilter {
        /// The sender, where the token does not name one.
        optional sender_id "senderId": Uuid,
        /// How many at most.
        optional limit "limit": i64,
        /// How many to pass over.
        optional offset "offset": i64,
    }
}

record! {
    /// A step in the life of a transfer.
    TransferStatus {
        /// The status, as in [`Transfer`].
        required status "status": String,
        /// Since when, ISO 8601.
        optional changed_date "changedDate": String,
    }
}

record! {
    /// The life of a transfer.
    TransferStatuses {
        /// Its steps.
        required statuses "statuses": Vec<TransferStatus>,
    }
}

open_enum! {
    /// The state of a quote's transfer.
    TransferRecordStatus ("a status such as Created") {
        /// No transfer is on its way.
        NotInProgress = "NotInProgress",
        /// It is being made.
        Initializing = "Initializing",
        /// It could not be made.
        Failed = "Failed",
        /// It was made.
        Created = "Created",
    }
}

record! {
    /// The state of a quote's transfer, which also settles a lost answer.
    TransferProgress {
        /// The transfer, once it was made.
        optional transfer_id "transferId": StringOrNumber,
        /// How far it is.
        required status "transferRecordStatus": TransferRecordStatus,
    }
}

record! {
    /// Why a held transfer is cancelled: SUSPECTED_FRAUD, CONFIRMED_FRAUD, EVALUATION_EXPIRED or
    /// CUSTOMER_REQUEST.
    HoldCancellation {
        /// The reason.
        required reason "reason": HoldCancellationReason,
    }
}

open_enum! {
    /// Why a held transfer is cancelled.
    HoldCancellationReason ("a reason such as CUSTOMER_REQUEST") {
        /// Fraud is suspected.
        SuspectedFraud = "SUSPECTED_FRAUD",
        /// It was fraud.
        ConfirmedFraud = "CONFIRMED_FRAUD",
        /// It was not decided in time.
        EvaluationExpired = "EVALUATION_EXPIRED",
        /// The customer asked for it.
        CustomerRequest = "CUSTOMER_REQUEST",
    }
}

/// `POST /v1/transfers`. Sent by a [`TransferAttempt`](crate::client::TransferAttempt) alone.
pub static CREATE_TRANSFER: Operation = Operation {
    name: "transfer",
    method: Method::Post,
    path: "/v1/transfers",
    input: Input::Body(TransferRequest::SHAPE),
    reply: ReplyKind::Json(Transfer::SHAPE),
    sending: Sending::Transfer,
    localized: false,
    preceded_by: Some(Preceding {
        operation: &fields::TRANSFER_FIELDS,
        query: &[
            ("dstCountryIso3Code", "dstCountryIso3Code"),
            ("dstCurrencyIso3Code", "dstCurrencyIso3Code"),
            ("transferMethod", "transferMethod"),
        ],
    }),
};

/// `GET /v1/transfers/{transferId}`.
pub static GET_TRANSFER: Operation = Operation {
    name: "getTransfer",
    method: Method::Get,
    path: "/v1/transfers/{transferId}",
    input: Input::None,
    sending: Sending::Read,
    preceded_by: None,
    ..CREATE_TRANSFER
};

/// `GET /v1/transfers`.
pub static LIST_TRANSFERS: Operation = Operation {
    name: "transfers",
    path: "/v1/transfers",
    input: Input::Query(TransferFilter::SHAPE),
    reply: ReplyKind::Json(&Shape::Wrapped("transfers", ListedTransfer::SHAPE)),
    ..GET_TRANSFER
};

/// `GET /v1/transfers/{transferId}/statuses`.
pub static TRANSFER_STATUSES: Operation = Operation {
    name: "transferStatuses",
    path: "/v1/transfers/{transferId}/statuses",
    reply: ReplyKind::Json(TransferStatuses::SHAPE),
    ..GET_TRANSFER
};

/// `GET /v1/transfers/progress/{quoteHistoryId}`.
pub static TRANSFER_PROGRESS: Operation = Operation {
    name: "transferProgress",
    path: "/v1/transfers/progress/{quoteHistoryId}",
    reply: ReplyKind::Json(TransferProgress::SHAPE),
    ..GET_TRANSFER
};

/// `GET /v1/transfers/{transferId}/receipt`, a PDF.
pub static TRANSFER_RECEIPT: Operation = Operation {
    name: "transferReceipt",
    path: "/v1/transfers/{transferId}/receipt",
    reply: ReplyKind::Bytes,
    ..GET_TRANSFER
};

/// `POST /v1/transfers/{transferId}/customer-hold/release`.
pub static RELEASE_CUSTOMER_HOLD: Operation = Operation {
    name: "releaseCustomerHold",
    method: Method::Post,
    path: "/v1/transfers/{transferId}/customer-hold/release",
    reply: ReplyKind::Nothing,
    sending: Sending::EndHold,
    ..GET_TRANSFER
};

/// `POST /v1/transfers/{transferId}/customer-hold/cancel`.
pub static CANCEL_CUSTOMER_HOLD: Operation = Operation {
    name: "cancelCustomerHold",
    path: "/v1/transfers/{transferId}/customer-hold/cancel",
    input: Input::Body(HoldCancellation::SHAPE),
    ..RELEASE_CUSTOMER_HOLD
};

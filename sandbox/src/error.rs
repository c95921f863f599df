//! Error codes and the shapes of error replies (interface, part 7).

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Declares the codes, each with its HTTP status and its message for the end user.
macro_rules! codes {
    ($($name:ident $status:literal $message:literal,)*) => {
        /// Every code that the service can answer with. The interface documents the first 67.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum ErrorCode {
            $(#[doc = $message] $name,)*
        }

        impl ErrorCode {
            /// All codes, in the order of the interface.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$name,)*];

            /// Returns the code as it is on the wire.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// Returns the HTTP status of a reply with this code.
            pub fn status(self) -> StatusCode {
                let status = match self { $(Self::$name => $status,)* };
                StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            }

            /// Returns a message that may be shown to the end user.
            pub fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }
        }
    };
}

codes! {
    SenderUndetermined 400 "It is not clear who is sending the money.",
    SenderNotFound 404 "The sender was not found.",
    InvalidSenderName 400 "The sender's name is missing or not valid.",
    SenderNotCreated 400 "The sender could not be registered.",
    SenderNotUpdated 400 "The sender's details could not be changed.",
    InvalidTypeOfId 400 "This type of identification is not accepted for the sender.",
    SenderInvalidTypeOfIdLength 400 "The sender's identification number does not fit its type.",
    SenderInvalidDateOfBirthUnder18 400 "The sender has to be at least 18 years old.",

    RecipientNotFound 404 "The recipient was not found.",
    InvalidRecipientId 400 "The recipient's identifier is not valid.",
    InvalidRecipientName 400 "The recipient's name is missing or not valid.",
    RecipientInvalidTypeOfIdLength 400 "The recipient's identification number does not fit its type.",
    RecipientInvalidPhoneNumber 400 "The recipient's phone number is not valid.",
    RecipientAccountNotFound 404 "The recipient's account was not found.",
    InvalidRecipientAccountId 400 "The identifier of the recipient's account is not valid.",

    Max24HourSendAmountLimitReached 400 "You have reached the amount that you can send in 24 hours.",
    Max7DaysSendAmountLimitReached 400 "You have reached the amount that you can send in 7 days.",
    Max24HourTotalCostLimitReached 400 "You have reached the total cost that is allowed in 24 hours.",
    Max7DaysTransferCountLimitReached 400 "You have reached the number of transfers that is allowed in 7 days.",
    Max24HourTransferCountLimitReached 400 "You have reached the number of transfers that is allowed in 24 hours.",
    Max24HourSendAmountLimitReachedExceed 400 "This transfer would exceed the amount that you can send in 24 hours.",
    Max7DaysSendAmountLimitReachedExceed 400 "This transfer would exceed the amount that you can send in 7 days.",
    Max24HourTotalCostLimitReachedExceed 400 "This transfer would exceed the total cost that is allowed in 24 hours.",
    Max24HourRecipientSendAmountLimitReached 400 "The recipient has reached the amount that can be received in 24 hours.",
    Max7DaysRecipientSendAmountLimitReached 400 "The recipient has reached the amount that can be received in 7 days.",
    MaxMonthlyRecipientSendAmountLimitReached 400 "The recipient has reached the amount that can be received in a month.",
    Max24HourRecipientTransferCountLimitReached 400 "The recipient has reached the number of transfers that can be received in 24 hours.",
    MaxMonthlyRecipientTransferCountLimitReached 400 "The recipient has reached the number of transfers that can be received in a month.",
    MinCashPayerTransactionLimitNotReached 400 "The amount is below the minimum of this pickup location.",
    MaxCashPayerTransactionLimitExceeded 400 "The amount is above the maximum of this pickup location.",
    MaxLimitOutOfRange 400 "The amount is above the maximum for one transfer.",

    TransferNotFound 404 "The transfer was not found.",
    TransferReceiptNotFound 404 "There is no receipt for this transfer.",
    TransferRequestNotFound 404 "The transfer request was not found.",
    InsufficientFunds 400 "The account's balance does not cover this transfer.",
    InvalidAmount 400 "The amount is not valid.",
    SourceOfFundsRequired 400 "Please state where the money comes from.",
    SourceOfFundsInvalid 400 "The source of the money is not valid for this sender.",
    PurposeOfRemittanceRequired 400 "Please state the purpose of this transfer.",
    SourceTransferMethodNotFound 400 "This way of paying for the transfer is not known.",
    SourceAccountNotSupported 400 "Paying by card is not enabled for this account.",
    QuoteAmountChanged 400 "The rate or the fee has changed. Please look at the new quote.",
    QuoteAmountChangedOfac 400 "The amounts have changed. Please look at the new quote.",
    TransferDuplicatedByQuote 400 "A transfer was already sent with this quote.",
    NoQuoteHistoryIdProvided 400 "The quote for this transfer is missing.",
    QuoteHistoryNotFound 404 "The quote was not found.",
    ErrorGettingQuote 500 "The quote could not be made. Please try again.",
    QuoteByReceiveNotSupported 400 "A quote by the received amount is not available from this provider.",
    QuoteByReceiveNotEnabled 400 "A quote by the received amount is not enabled for this account.",
    QuoteByReceiveForTransferMethodNotEnabled 400 "A quote by the received amount is not available for this way of receiving money.",
    NoCorridorFoundForSpecificValues 400 "Sending money this way to this country and currency is not possible.",
    CC404 404 "Sending money this way was not found.",
    UnsupportedCountry 400 "The destination country is not valid.",
    RspTransferException 400 "The provider could not take the transfer.",

    CardProvidedCannotBeUsedForThisTransaction 400 "This card can't be used for this transfer.",
    InvalidCardIssuerCountry 400 "The card has to be a debit card issued in the United States.",
    SourceCardAndReceivingCardMustBeUnique 400 "The paying card and the receiving card have to be different.",
    CardNotSupported 400 "This card is not supported. Please use a debit card that is not prepaid.",
    ExpiryDateRequired 400 "The card's expiry date is missing.",
    InvalidCardOnboardingSession 400 "The card entry is no longer active. Please start again.",
    MinCardholderNames 400 "Please give the cardholder's first and last name.",
    BillingAndDestinationCurrencyCodeDiscrepancyError 400 "The card's currency differs from the currency of the transfer.",

    NotEmptyValidator 400 "A required entry is empty.",
    MissingRequiredField 400 "A required entry is missing.",
    ValueRegexFailure 400 "An entry does not have the expected form.",
    BadRequestError 400 "The request is not valid.",
    BusinessOrDataValidationError 400 "The details do not fit together.",

    NonceAlreadyUsed 400 "This transfer was already submitted.",
    Unauthorized 401 "Please sign in again.",
    AccessDenied 403 "This is not allowed.",
    NotFound 404 "There is nothing at this address.",
    MethodNotAllowed 405 "This address does not take such requests.",
    PayloadTooLarge 413 "The request is too large.",
    UnsupportedMediaType 415 "The request is not JSON.",
    TooManyRequests 429 "Too many requests. Please wait a moment.",
    InternalError 500 "Something went wrong. Please try again.",
    ServiceUnavailable 503 "The service is not available right now. Please try again.",
}

/// How many of [`ErrorCode::ALL`] the interface documents.
pub const DOCUMENTED_CODES: usize = 67;

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Problem {
    pub(crate) code: ErrorCode,
    pub(crate) message: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<String>,
    #[serde(rename = "fieldId", skip_serializing_if = "Option::is_none")]
    pub(crate) field_id: Option<String>,
}

impl Problem {
    pub(crate) fn new(code: ErrorCode) -> Self {
        Self { code, message: code.message().into(), description: None, field_id: None }
    }

    /// Names the parameter, property or field.
    pub(crate) fn at(mut self, field: impl Into<String>) -> Self {
        self.field_id = Some(field.into());
        self
    }

    /// Adds a description for developers. It must never contain a value that a person entered.
    pub(crate) fn because(mut self, description: impl Into<String>) -> Self {
        let description = description.into();
        // The interface says that the message of these two tells the reason.
        if matches!(self.code, ErrorCode::SenderNotCreated | ErrorCode::SenderNotUpdated) {
            self.message = format!("{}: {description}.", self.message.trim_end_matches('.')).into();
        }
        self.description = Some(description);
        self
    }
}

pub(crate) fn reject_if_any(problems: impl IntoIterator<Item = Problem>) -> Result {
    let problems: Vec<Problem> = problems.into_iter().collect();
    let Some(first) = problems.first() else { return Ok(()) };
    Err(ApiError { status: first.code.status(), problems, shape: Shape::List, cause: None })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `[{code, message, …}]`, the usual one.
    List,
    /// `{code, message, …}`, of card onboarding sessions.
    Single,
    /// `{message, errors: […]}`, of transfer requests.
    Wrapped,
}

pub(crate) type Result<T = (), E = ApiError> = std::result::Result<T, E>;

#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    problems: Vec<Problem>,
    shape: Shape,
    /// The internal cause, printed to the terminal and never sent.
    cause: Option<String>,
}

impl ApiError {
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Self {
        Self { cause: Some(cause.to_string()), ..ErrorCode::InternalError.into() }
    }

    /// Nothing was done; a retry may succeed.
    pub(crate) fn unavailable(cause: impl std::fmt::Display) -> Self {
        Self { cause: Some(cause.to_string()), ..ErrorCode::ServiceUnavailable.into() }
    }

    pub(crate) fn shaped(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }

    pub(crate) fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub(crate) fn with_status_if_not_found(self, status: StatusCode) -> Self {
        if self.status == StatusCode::NOT_FOUND { self.with_status(status) } else { self }
    }

    pub(crate) fn replacing(self, code: ErrorCode, by: ErrorCode) -> Self {
        if self.codes() == [code] { by.into() } else { self }
    }

    pub(crate) fn codes(&self) -> Vec<ErrorCode> {
        self.problems.iter().map(|problem| problem.code).collect()
    }
}

impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> Self {
        Problem::new(code).into()
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self { status: problem.code.status(), problems: vec![problem], shape: Shape::List, cause: None }
    }
}

impl From<rusqlite::Error> for ApiError {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(format!("database: {error}"))
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(format!("stored data: {error}"))
    }
}

/// Response extension: the error codes of a reply, for the request log.
#[derive(Clone, Debug)]
pub(crate) struct AnsweredCodes(pub(crate) Vec<ErrorCode>);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if let Some(cause) = &self.cause {
            eprintln!("remitkit-sandbox: {cause}");
        }
        let body = match (self.shape, self.problems.first()) {
            (Shape::Single, Some(first)) => json!(first),
            (Shape::Wrapped, Some(first)) => json!({ "message": first.message, "errors": self.problems }),
            _ => json!(self.problems),
        };
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(AnsweredCodes(self.codes()));
        response
    }
}

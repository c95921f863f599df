//! How testers get each error code: one table, which the service obeys, `GET /sandbox/triggers` returns, and
//! the tests run through.
//!
//! Most codes arise from their documented condition; these entries say what to do. Codes that would take many
//! steps have a trigger value that the service recognises: an amount, a name or a card.

use serde::Serialize;

use crate::error::{ApiError, ErrorCode, Problem, Result};
use crate::fields::Values;

/// The operation that a trigger applies to, by the name of the SDK's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each is the name of a method")]
pub enum Operation {
    Quote,
    RecipientFields,
    CreateSender,
    UpdateSender,
    CreateRecipient,
    CreateRecipientAccount,
    Transfer,
    GetTransfer,
    TransferReceipt,
    TransferRequest,
    CardForm,
}

/// What a tester does to get the code, in a request that is otherwise valid.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Means {
    /// Sends this amount.
    Amount {
        /// The value of `amount`, in minor units.
        amount: i64,
    },
    /// Sends the code itself as last name or company name.
    Name,
    /// Enters this card in the card form.
    Card {
        /// The card's number.
        number: &'static str,
    },
    /// Sets a property, a parameter or a part of the path.
    Property {
        /// Its name.
        name: &'static str,
        /// Its value; an empty one means to leave it out.
        value: &'static str,
    },
    /// Sets a field.
    Field {
        /// The field's identifier.
        id: &'static str,
        /// Its value; an empty one means to leave it out.
        value: &'static str,
    },
    /// Follows an instruction.
    Rule {
        /// The instruction.
        rule: &'static str,
    },
}

/// One way to get one error code.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Trigger {
    /// The resulting code.
    pub code: ErrorCode,
    /// The operation that fails.
    pub operation: Operation,
    /// What to do.
    pub means: Means,
}

const fn trigger(operation: Operation, code: ErrorCode, means: Means) -> Trigger {
    Trigger { code, operation, means }
}

const fn amount(operation: Operation, code: ErrorCode, amount: i64) -> Trigger {
    trigger(operation, code, Means::Amount { amount })
}

const fn name(operation: Operation, code: ErrorCode) -> Trigger {
    trigger(operation, code, Means::Name)
}

const fn card(code: ErrorCode, number: &'static str) -> Trigger {
    trigger(CardForm, code, Means::Card { number })
}

const fn property(operation: Operation, code: ErrorCode, name: &'static str, value: &'static str) -> Trigger {
    trigger(operation, code, Means::Property { name, value })
}

const fn field(operation: Operation, code: ErrorCode, id: &'static str, value: &'static str) -> Trigger {
    trigger(operation, code, Means::Field { id, value })
}

const fn rule(operation: Operation, code: ErrorCode, rule: &'static str) -> Trigger {
    trigger(operation, code, Means::Rule { rule })
}

/// A UUID that identifies nothing.
const UNKNOWN_ID: &str = "00000000-0000-4000-8000-000000000000";

use ErrorCode as C;
use Operation::{
    CardForm, CreateRecipient, CreateRecipientAccount, CreateSender, GetTransfer, Quote, RecipientFields,
    Transfer, TransferReceipt, TransferRequest, UpdateSender,
};

/// The amount of a transfer that is created and then gets the status Failed.
pub const FAILING_TRANSFER_AMOUNT: i64 = 990_099;

/// All triggers.
pub static TRIGGERS: &[Trigger] = &[
    // Sender
    rule(Transfer, C::SenderUndetermined, "Use a client-level token and name no senderId."),
    property(Transfer, C::SenderNotFound, "senderId", UNKNOWN_ID),
    field(CreateSender, C::InvalidSenderName, "lastName", ""),
    field(UpdateSender, C::InvalidSenderName, "lastName", "4711"),
    name(CreateSender, C::SenderNotCreated),
    property(CreateSender, C::SenderNotCreated, "senderGroupId", UNKNOWN_ID),
    name(UpdateSender, C::SenderNotUpdated),
    property(UpdateSender, C::SenderNotUpdated, "senderGroupId", UNKNOWN_ID),
    field(CreateSender, C::InvalidTypeOfId, "ID_TYPE", "TIN"),
    rule(
        CreateSender,
        C::SenderInvalidTypeOfIdLength,
        "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters.",
    ),
    field(CreateSender, C::SenderInvalidDateOfBirthUnder18, "DATE_OF_BIRTH", "2020-01-01"),
    // Recipient and recipient account
    property(Transfer, C::RecipientNotFound, "recipientId", UNKNOWN_ID),
    property(Transfer, C::InvalidRecipientId, "recipientId", "4711"),
    field(CreateRecipient, C::InvalidRecipientName, "lastName", ""),
    rule(
        CreateRecipient,
        C::RecipientInvalidTypeOfIdLength,
        "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters, and name no corridor.",
    ),
    field(CreateRecipient, C::RecipientInvalidPhoneNumber, "PHONE_NUMBER", "4711"),
    property(Transfer, C::RecipientAccountNotFound, "recipientAccountId", UNKNOWN_ID),
    property(Transfer, C::InvalidRecipientAccountId, "recipientAccountId", "4711"),
    // Limits
    amount(Transfer, C::Max24HourSendAmountLimitReached, 990_001),
    amount(Transfer, C::Max7DaysSendAmountLimitReached, 990_002),
    amount(Transfer, C::Max24HourTotalCostLimitReached, 990_003),
    amount(Transfer, C::Max7DaysTransferCountLimitReached, 990_004),
    amount(Transfer, C::Max24HourTransferCountLimitReached, 990_005),
    amount(Transfer, C::Max24HourSendAmountLimitReachedExceed, 990_006),
    amount(Transfer, C::Max7DaysSendAmountLimitReachedExceed, 990_007),
    amount(Transfer, C::Max24HourTotalCostLimitReachedExceed, 990_008),
    amount(Transfer, C::Max24HourRecipientSendAmountLimitReached, 990_009),
    amount(Transfer, C::Max7DaysRecipientSendAmountLimitReached, 990_010),
    amount(Transfer, C::MaxMonthlyRecipientSendAmountLimitReached, 990_011),
    amount(Transfer, C::Max24HourRecipientTransferCountLimitReached, 990_012),
    amount(Transfer, C::MaxMonthlyRecipientTransferCountLimitReached, 990_013),
    amount(Transfer, C::MinCashPayerTransactionLimitNotReached, 990_014),
    amount(Transfer, C::MaxCashPayerTransactionLimitExceeded, 990_015),
    rule(Transfer, C::MinCashPayerTransactionLimitNotReached, "Send 5 US dollars to a Corner Pay."),
    rule(Transfer, C::MaxCashPayerTransactionLimitExceeded, "Send 600 US dollars to a Corner Pay."),
    rule(
        Transfer,
        C::Max24HourSendAmountLimitReached,
        "Lower the sender's limits with POST /sandbox/limits; the same goes for the other limits.",
    ),
    amount(Transfer, C::MaxLimitOutOfRange, 1_000_001),
    // Transfer, quote and funding
    property(GetTransfer, C::TransferNotFound, "transferId", UNKNOWN_ID),
    rule(TransferReceipt, C::TransferReceiptNotFound, "Ask for the receipt of a held transfer."),
    property(TransferRequest, C::TransferRequestNotFound, "transferRequestId", UNKNOWN_ID),
    amount(Transfer, C::InsufficientFunds, 990_020),
    rule(Transfer, C::InsufficientFunds, "Lower the balance with POST /sandbox/balance."),
    property(Quote, C::InvalidAmount, "amount", "12.50"),
    rule(Transfer, C::SourceOfFundsRequired, "Send as a BUSINESS and give no sourceOfFunds."),
    property(Transfer, C::SourceOfFundsInvalid, "sourceOfFunds", "LOTTERY"),
    rule(Transfer, C::PurposeOfRemittanceRequired, "Send to India and give no REMITTANCE_PURPOSE."),
    property(Transfer, C::SourceTransferMethodNotFound, "sourceTransferMethod", "BARTER"),
    property(Transfer, C::SourceAccountNotSupported, "sourceOfFunds", "PULL_FROM_CARD"),
    amount(Transfer, C::QuoteAmountChanged, 990_030),
    rule(
        Transfer,
        C::QuoteAmountChanged,
        "Move the rate with POST /sandbox/rates, the fee with POST /sandbox/fees, or the clock by 15 minutes with POST /sandbox/clock, which moves all rates but those of a currency to itself.",
    ),
    amount(Transfer, C::QuoteAmountChangedOfac, 990_031),
    rule(Transfer, C::TransferDuplicatedByQuote, "Send twice with one quote."),
    property(Transfer, C::NoQuoteHistoryIdProvided, "quoteHistoryId", ""),
    property(Transfer, C::QuoteHistoryNotFound, "quoteHistoryId", UNKNOWN_ID),
    amount(Quote, C::ErrorGettingQuote, 990_040),
    rule(Quote, C::QuoteByReceiveNotSupported, "Quote by RECEIVE_AMOUNT to Chile."),
    rule(Quote, C::QuoteByReceiveNotEnabled, "Quote by RECEIVE_AMOUNT as other-client."),
    rule(Quote, C::QuoteByReceiveForTransferMethodNotEnabled, "Quote by RECEIVE_AMOUNT for CASH_PICKUP."),
    amount(Quote, C::QuoteByReceiveNotSupported, 990_041),
    amount(Quote, C::QuoteByReceiveNotEnabled, 990_042),
    amount(Quote, C::QuoteByReceiveForTransferMethodNotEnabled, 990_043),
    property(Quote, C::NoCorridorFoundForSpecificValues, "dstCountryIso3Code", "DEU"),
    property(RecipientFields, C::CC404, "dstCountryIso3Code", "DEU"),
    property(Quote, C::UnsupportedCountry, "dstCountryIso3Code", "XXX"),
    amount(Transfer, C::RspTransferException, 990_050),
    // Cards
    card(C::CardProvidedCannotBeUsedForThisTransaction, "4000000000000002"),
    field(CreateRecipientAccount, C::CardProvidedCannotBeUsedForThisTransaction, "CARD_ID", "4711"),
    card(C::CardNotSupported, "4000000000000010"),
    rule(
        Transfer,
        C::InvalidCardIssuerCountry,
        "As other-client, pay with PULL_FROM_CARD and the card 4000000000000028 as sourceAccountId.",
    ),
    rule(
        Transfer,
        C::SourceCardAndReceivingCardMustBeUnique,
        "As other-client, pay with PULL_FROM_CARD and the recipient's card as sourceAccountId.",
    ),
    amount(Transfer, C::SourceCardAndReceivingCardMustBeUnique, 990_060),
    rule(CardForm, C::ExpiryDateRequired, "Verify a card without its expiry date."),
    amount(Transfer, C::ExpiryDateRequired, 990_061),
    rule(CardForm, C::InvalidCardOnboardingSession, "Open the form with a session that is not."),
    amount(Transfer, C::InvalidCardOnboardingSession, 990_062),
    rule(CardForm, C::MinCardholderNames, "Verify a card with one name only."),
    amount(Transfer, C::MinCardholderNames, 990_063),
    rule(
        CreateRecipientAccount,
        C::BillingAndDestinationCurrencyCodeDiscrepancyError,
        "Use the card 4000000000000051, which takes US dollars only, in another currency.",
    ),
    amount(Transfer, C::BillingAndDestinationCurrencyCodeDiscrepancyError, 990_064),
    amount(Transfer, C::CardProvidedCannotBeUsedForThisTransaction, 990_065),
    amount(Transfer, C::CardNotSupported, 990_066),
    amount(Transfer, C::InvalidCardIssuerCountry, 990_067),
    // Generic
    property(Transfer, C::NotEmptyValidator, "recipientId", ""),
    field(CreateRecipientAccount, C::MissingRequiredField, "CARD_ID", ""),
    field(CreateSender, C::ValueRegexFailure, "ADDRESS_ZIP", "ABCDE"),
    property(Transfer, C::BadRequestError, "nonce", "4711"),
    field(CreateSender, C::BusinessOrDataValidationError, "ADDRESS_STATE", "ZZ"),
];

/// Fails if the amount is a trigger of the operation.
pub(crate) fn by_amount(operation: Operation, given: i64) -> Result {
    // Most amounts need no search.
    if !(990_000..=1_000_001).contains(&given) {
        return Ok(());
    }
    check(operation, "amount", |trigger| matches!(trigger.means, Means::Amount { amount } if amount == given))
        .map_err(|problem| problem.at("amount").into())
}

/// Fails if a last name or company name is a trigger of the operation.
pub(crate) fn by_name(operation: Operation, values: &Values) -> Result {
    let name = values.text("lastName").or(values.text("companyName"));
    let is_given =
        |trigger: &Trigger| matches!(trigger.means, Means::Name) && name == Some(trigger.code.name());
    check(operation, "name", is_given).map_err(ApiError::from)
}

fn check(operation: Operation, what: &str, is_given: impl Fn(&Trigger) -> bool) -> Result<(), Problem> {
    match TRIGGERS.iter().find(|trigger| trigger.operation == operation && is_given(trigger)) {
        None => Ok(()),
        Some(trigger) => Err(Problem::new(trigger.code)
            .because(format!("this {what} is a trigger of the sandbox; see GET /sandbox/triggers"))),
    }
}

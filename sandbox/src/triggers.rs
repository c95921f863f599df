//! How a tester gets each error code: the one table that the service obeys, that documents it
//! (`GET /sandbox/triggers`), and that the tests run through.
//!
//! Most codes arise from the condition that the interface states; their entries say what to do. What
//! depends on others, and what would take many steps, has an entry that the service recognises: an
//! amount, a name, a card.

use serde::Serialize;

use crate::error::{ApiError, ErrorCode, Problem};
use crate::fields::Values;

/// What a trigger is part of. The names are those of the SDK's calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Operation {
    /// GET /v1/quote
    Quote,
    /// GET /v1/recipient-fields and its three siblings
    RecipientFields,
    /// POST /v1/senders
    CreateSender,
    /// PUT and PATCH /v1/senders/{senderId}
    UpdateSender,
    /// POST /v1/recipients
    CreateRecipient,
    /// POST /v1/recipients/{recipientId}/accounts
    CreateRecipientAccount,
    /// POST /v1/transfers
    Transfer,
    /// GET /v1/transfers/{transferId}
    GetTransfer,
    /// GET /v1/transfers/{transferId}/receipt
    TransferReceipt,
    /// GET /transferrequests/v1/transfer-requests/{id}
    TransferRequest,
    /// The hosted card form
    CardForm,
}

/// What a tester does to get the code.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Means {
    /// Give this amount, in minor units.
    Amount {
        /// The value of the parameter or property `amount`.
        amount: i64,
    },
    /// Give the code itself as last name or company name.
    Name,
    /// Enter this card in the card form.
    Card {
        /// The card's number.
        number: &'static str,
    },
    /// Give this value to a property, parameter or part of the path of a request that is good
    /// otherwise.
    Property {
        /// Its name.
        name: &'static str,
        /// Its value; an empty one means: leave it out.
        value: &'static str,
    },
    /// Give this value to a field of a request that is good otherwise.
    Field {
        /// The field's identifier.
        id: &'static str,
        /// Its value; an empty one means: leave it out.
        value: &'static str,
    },
    /// Do what the words say.
    Rule {
        /// What to do.
        rule: &'static str,
    },
}

/// One way to one error code.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Trigger {
    /// The code that the service answers.
    pub code: ErrorCode,
    /// The call that is answered so.
    pub operation: Operation,
    /// How.
    pub means: Means,
}

const fn amount(operation: Operation, code: ErrorCode, amount: i64) -> Trigger {
    Trigger { code, operation, means: Means::Amount { amount } }
}

const fn name(operation: Operation, code: ErrorCode) -> Trigger {
    Trigger { code, operation, means: Means::Name }
}

const fn card(code: ErrorCode, number: &'static str) -> Trigger {
    Trigger { code, operation: Operation::CardForm, means: Means::Card { number } }
}

const fn property(operation: Operation, code: ErrorCode, name: &'static str, value: &'static str) -> Trigger {
    Trigger { code, operation, means: Means::Property { name, value } }
}

const fn field(operation: Operation, code: ErrorCode, id: &'static str, value: &'static str) -> Trigger {
    Trigger { code, operation, means: Means::Field { id, value } }
}

const fn rule(operation: Operation, code: ErrorCode, rule: &'static str) -> Trigger {
    Trigger { code, operation, means: Means::Rule { rule } }
}

/// A UUID that nothing has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

use ErrorCode as C;
use Operation::{
    CardForm, CreateRecipient, CreateRecipientAccount, CreateSender, GetTransfer, Quote, RecipientFields,
    Transfer, TransferReceipt, TransferRequest, UpdateSender,
};

/// An amount that makes a transfer whose status becomes Failed.
pub const FAILING_TRANSFER_AMOUNT: i64 = 990_099;

/// Every trigger and every rule.
pub static TRIGGERS: &[Trigger] = &[
    // Sender
    rule(Transfer, C::SenderUndetermined, "Use a client-level token and name no senderId."),
    property(Transfer, C::SenderNotFound, "senderId", NOBODY),
    field(CreateSender, C::InvalidSenderName, "lastName", ""),
    field(UpdateSender, C::InvalidSenderName, "lastName", "4711"),
    name(CreateSender, C::SenderNotCreated),
    property(CreateSender, C::SenderNotCreated, "senderGroupId", NOBODY),
    name(UpdateSender, C::SenderNotUpdated),
    property(UpdateSender, C::SenderNotUpdated, "senderGroupId", NOBODY),
    field(CreateSender, C::InvalidTypeOfId, "ID_TYPE", "TIN"),
    rule(
        CreateSender,
        C::SenderInvalidTypeOfIdLength,
        "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters.",
    ),
    field(CreateSender, C::SenderInvalidDateOfBirthUnder18, "DATE_OF_BIRTH", "2020-01-01"),
    // Recipient and recipient account
    property(Transfer, C::RecipientNotFound, "recipientId", NOBODY),
    property(Transfer, C::InvalidRecipientId, "recipientId", "4711"),
    field(CreateRecipient, C::InvalidRecipientName, "lastName", ""),
    rule(
        CreateRecipient,
        C::RecipientInvalidTypeOfIdLength,
        "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters, and name no corridor.",
    ),
    field(CreateRecipient, C::RecipientInvalidPhoneNumber, "PHONE_NUMBER", "4711"),
    property(Transfer, C::RecipientAccountNotFound, "recipientAccountId", NOBODY),
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
    property(GetTransfer, C::TransferNotFound, "transferId", NOBODY),
    rule(TransferReceipt, C::TransferReceiptNotFound, "Ask for the receipt of a held transfer."),
    property(TransferRequest, C::TransferRequestNotFound, "transferRequestId", NOBODY),
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
    property(Transfer, C::QuoteHistoryNotFound, "quoteHistoryId", NOBODY),
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

/// Fails where the amount of an operation is one that the table names.
pub(crate) fn by_amount(operation: Operation, given: i64) -> Result<(), ApiError> {
    if !(990_000..=1_000_001).contains(&given) {
        return Ok(());
    }
    pull(operation, "amount", |trigger| matches!(trigger.means, Means::Amount { amount } if amount == given))
        .map_err(|problem| problem.at("amount").into())
}

/// Fails where a last name or company name is the code that an operation is to be answered with.
pub(crate) fn by_name(operation: Operation, values: &Values) -> Result<(), ApiError> {
    let name = values.text("lastName").or(values.text("companyName"));
    pull(operation, "name", |trigger| {
        matches!(trigger.means, Means::Name) && name == Some(trigger.code.name())
    })
    .map_err(ApiError::from)
}

fn pull(operation: Operation, what: &str, is_given: impl Fn(&Trigger) -> bool) -> Result<(), Problem> {
    match TRIGGERS.iter().find(|trigger| trigger.operation == operation && is_given(trigger)) {
        None => Ok(()),
        Some(trigger) => Err(Problem::new(trigger.code)
            .because(format!("this {what} is a trigger of the sandbox; see GET /sandbox/triggers"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DOCUMENTED_CODES;
    use std::collections::HashSet;

    #[test]
    fn every_documented_code_has_a_way() {
        for code in ErrorCode::ALL.iter().take(DOCUMENTED_CODES) {
            assert!(TRIGGERS.iter().any(|trigger| trigger.code == *code), "{}", code.name());
        }
    }

    #[test]
    fn no_amount_means_two_things() {
        let mut seen = HashSet::new();
        for trigger in TRIGGERS {
            if let Means::Amount { amount } = trigger.means {
                assert!(seen.insert(amount), "{amount}");
                assert_ne!(amount, FAILING_TRANSFER_AMOUNT);
            }
        }
    }
}

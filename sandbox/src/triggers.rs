//! How testers get each error code: one table, which the service obeys, `GET /sandbox/triggers` returns, and
//! the tests run through.
//!
//! Most codes arise from their documented condition; these entries say what to do. Codes that would take many
//! steps have a trigger value that the service recognises: an amount, a name or a card.

use serde::Serialize;

use crate::error::{ApiError, ErrorCode, Problem, Result};
use crate::fields::Values;

/// The operation that a trigger applies to, by the name of the SDK's method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Operation {
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

/// What a tester does to get the code, in a request that is otherwise valid. An empty value means to leave
/// the property or field out.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub(crate) enum Means {
    /// The value of `amount`, in minor units.
    Amount {
        amount: i64,
    },
    /// The code itself as last name or company name.
    Name,
    Card {
        number: &'static str,
    },
    /// Sets a property, a parameter or a part of the path.
    Property {
        name: &'static str,
        value: &'static str,
    },
    Field {
        id: &'static str,
        value: &'static str,
    },
    Rule {
        rule: &'static str,
    },
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Trigger {
    code: ErrorCode,
    operation: Operation,
    means: Means,
}

/// Declares triggers, a row each: `Operation Code: means;`
macro_rules! triggers {
    ($($operation:ident $code:ident: $means:ident $($first:literal)? $(= $value:expr)?;)*) => {
        &[$(Trigger {
            code: ErrorCode::$code,
            operation: Operation::$operation,
            means: triggers!(@$means $($first)? $(= $value)?),
        },)*]
    };
    (@amount $amount:literal) => { Means::Amount { amount: $amount } };
    (@name) => { Means::Name };
    (@card $number:literal) => { Means::Card { number: $number } };
    (@property $name:literal = $value:expr) => { Means::Property { name: $name, value: $value } };
    (@field $id:literal = $value:expr) => { Means::Field { id: $id, value: $value } };
    (@rule $rule:literal) => { Means::Rule { rule: $rule } };
}

/// A UUID that identifies nothing.
const UNKNOWN_ID: &str = "00000000-0000-4000-8000-000000000000";

/// The amount of a transfer that is created and then gets the status Failed.
pub(crate) const FAILING_TRANSFER_AMOUNT: i64 = 990_099;

pub(crate) static TRIGGERS: &[Trigger] = triggers! {
    // Sender
    Transfer SenderUndetermined: rule "Use a client-level token and name no senderId.";
    Transfer SenderNotFound: property "senderId" = UNKNOWN_ID;
    CreateSender InvalidSenderName: field "lastName" = "";
    UpdateSender InvalidSenderName: field "lastName" = "4711";
    CreateSender SenderNotCreated: name;
    CreateSender SenderNotCreated: property "senderGroupId" = UNKNOWN_ID;
    UpdateSender SenderNotUpdated: name;
    UpdateSender SenderNotUpdated: property "senderGroupId" = UNKNOWN_ID;
    CreateSender InvalidTypeOfId: field "ID_TYPE" = "TIN";
    CreateSender SenderInvalidTypeOfIdLength:
        rule "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters.";
    CreateSender SenderInvalidDateOfBirthUnder18: field "DATE_OF_BIRTH" = "2020-01-01";
    // Recipient and recipient account
    Transfer RecipientNotFound: property "recipientId" = UNKNOWN_ID;
    Transfer InvalidRecipientId: property "recipientId" = "4711";
    CreateRecipient InvalidRecipientName: field "lastName" = "";
    CreateRecipient RecipientInvalidTypeOfIdLength:
        rule "Give ID_TYPE SSN and an ID_NUMBER that has not 9 characters, and name no corridor.";
    CreateRecipient RecipientInvalidPhoneNumber: field "PHONE_NUMBER" = "4711";
    Transfer RecipientAccountNotFound: property "recipientAccountId" = UNKNOWN_ID;
    Transfer InvalidRecipientAccountId: property "recipientAccountId" = "4711";
    // Limits
    Transfer Max24HourSendAmountLimitReached: amount 990_001;
    Transfer Max7DaysSendAmountLimitReached: amount 990_002;
    Transfer Max24HourTotalCostLimitReached: amount 990_003;
    Transfer Max7DaysTransferCountLimitReached: amount 990_004;
    Transfer Max24HourTransferCountLimitReached: amount 990_005;
    Transfer Max24HourSendAmountLimitReachedExceed: amount 990_006;
    Transfer Max7DaysSendAmountLimitReachedExceed: amount 990_007;
    Transfer Max24HourTotalCostLimitReachedExceed: amount 990_008;
    Transfer Max24HourRecipientSendAmountLimitReached: amount 990_009;
    Transfer Max7DaysRecipientSendAmountLimitReached: amount 990_010;
    Transfer MaxMonthlyRecipientSendAmountLimitReached: amount 990_011;
    Transfer Max24HourRecipientTransferCountLimitReached: amount 990_012;
    Transfer MaxMonthlyRecipientTransferCountLimitReached: amount 990_013;
    Transfer MinCashPayerTransactionLimitNotReached: amount 990_014;
    Transfer MaxCashPayerTransactionLimitExceeded: amount 990_015;
    Transfer MinCashPayerTransactionLimitNotReached: rule "Send 5 US dollars to a Corner Pay.";
    Transfer MaxCashPayerTransactionLimitExceeded: rule "Send 600 US dollars to a Corner Pay.";
    Transfer Max24HourSendAmountLimitReached:
        rule "Lower the sender's limits with POST /sandbox/limits; the same goes for the other limits.";
    Transfer MaxLimitOutOfRange: amount 1_000_001;
    // Transfer, quote and funding
    GetTransfer TransferNotFound: property "transferId" = UNKNOWN_ID;
    TransferReceipt TransferReceiptNotFound: rule "Ask for the receipt of a held transfer.";
    TransferRequest TransferRequestNotFound: property "transferRequestId" = UNKNOWN_ID;
    Transfer InsufficientFunds: amount 990_020;
    Transfer InsufficientFunds: rule "Lower the balance with POST /sandbox/balance.";
    Quote InvalidAmount: property "amount" = "12.50";
    Transfer SourceOfFundsRequired: rule "Send as a BUSINESS and give no sourceOfFunds.";
    Transfer SourceOfFundsInvalid: property "sourceOfFunds" = "LOTTERY";
    Transfer PurposeOfRemittanceRequired: rule "Send to India and give no REMITTANCE_PURPOSE.";
    Transfer SourceTransferMethodNotFound: property "sourceTransferMethod" = "BARTER";
    Transfer SourceAccountNotSupported: property "sourceOfFunds" = "PULL_FROM_CARD";
    Transfer QuoteAmountChanged: amount 990_030;
    Transfer QuoteAmountChanged:
        rule "Move the rate with POST /sandbox/rates, the fee with POST /sandbox/fees, or the clock by 15 \
              minutes with POST /sandbox/clock, which moves all rates but those of a currency to itself.";
    Transfer QuoteAmountChangedOfac: amount 990_031;
    Transfer TransferDuplicatedByQuote: rule "Send twice with one quote.";
    Transfer NoQuoteHistoryIdProvided: property "quoteHistoryId" = "";
    Transfer QuoteHistoryNotFound: property "quoteHistoryId" = UNKNOWN_ID;
    Quote ErrorGettingQuote: amount 990_040;
    Quote QuoteByReceiveNotSupported: rule "Quote by RECEIVE_AMOUNT to Chile.";
    Quote QuoteByReceiveNotEnabled: rule "Quote by RECEIVE_AMOUNT as other-client.";
    Quote QuoteByReceiveForTransferMethodNotEnabled: rule "Quote by RECEIVE_AMOUNT for CASH_PICKUP.";
    Quote QuoteByReceiveNotSupported: amount 990_041;
    Quote QuoteByReceiveNotEnabled: amount 990_042;
    Quote QuoteByReceiveForTransferMethodNotEnabled: amount 990_043;
    Quote NoCorridorFoundForSpecificValues: property "dstCountryIso3Code" = "DEU";
    RecipientFields CC404: property "dstCountryIso3Code" = "DEU";
    Quote UnsupportedCountry: property "dstCountryIso3Code" = "XXX";
    Transfer RspTransferException: amount 990_050;
    // Cards
    CardForm CardProvidedCannotBeUsedForThisTransaction: card "4000000000000002";
    CreateRecipientAccount CardProvidedCannotBeUsedForThisTransaction: field "CARD_ID" = "4711";
    CardForm CardNotSupported: card "4000000000000010";
    Transfer InvalidCardIssuerCountry:
        rule "As other-client, pay with PULL_FROM_CARD and the card 4000000000000028 as sourceAccountId.";
    Transfer SourceCardAndReceivingCardMustBeUnique:
        rule "As other-client, pay with PULL_FROM_CARD and the recipient's card as sourceAccountId.";
    Transfer SourceCardAndReceivingCardMustBeUnique: amount 990_060;
    CardForm ExpiryDateRequired: rule "Verify a card without its expiry date.";
    Transfer ExpiryDateRequired: amount 990_061;
    CardForm InvalidCardOnboardingSession: rule "Open the form with a session that is not.";
    Transfer InvalidCardOnboardingSession: amount 990_062;
    CardForm MinCardholderNames: rule "Verify a card with one name only.";
    Transfer MinCardholderNames: amount 990_063;
    CreateRecipientAccount BillingAndDestinationCurrencyCodeDiscrepancyError:
        rule "Use the card 4000000000000051, which takes US dollars only, in another currency.";
    Transfer BillingAndDestinationCurrencyCodeDiscrepancyError: amount 990_064;
    Transfer CardProvidedCannotBeUsedForThisTransaction: amount 990_065;
    Transfer CardNotSupported: amount 990_066;
    Transfer InvalidCardIssuerCountry: amount 990_067;
    // Generic
    Transfer NotEmptyValidator: property "recipientId" = "";
    CreateRecipientAccount MissingRequiredField: field "CARD_ID" = "";
    CreateSender ValueRegexFailure: field "ADDRESS_ZIP" = "ABCDE";
    Transfer BadRequestError: property "nonce" = "4711";
    CreateSender BusinessOrDataValidationError: field "ADDRESS_STATE" = "ZZ";
};

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

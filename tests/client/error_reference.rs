//! `pkg-template/docs/errors.md`, made from the table of codes and the sandbox's table of triggers.
//! `REMITKIT_WRITE_DOCS=1 cargo test --test client error_reference` writes it.

use std::fmt::Write;

use remitkit::api::{Code, Resolution};
use remitkit_sandbox::{Means, TRIGGERS, Trigger};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pkg-template/docs/errors.md");

const HEAD: &str = r#"# Errors

Every code that a `RemitError` can carry: what has happened, what the customer can be shown, what the page does about it, and how to bring it about with the [sandbox](testing.md). The texts are those that RemitKit uses where the
service sends none of its own; they are there in Spanish too.

A page branches on `error.kind`, which is a closed set, and on `error.resolution` and `error.code` where one case needs more. A code that is not listed here is one that the service has added since: it has a
`kind` all the same, and the service's text. A call in the sandbox's entries is a method of the kit; `withTrigger(request, triggers.RecipientNotFound)` of `remitkit/testing` makes such a request, whatever amount
its quote was made for.

"#;

/// The documented codes by what they are about: the first of each group, and its heading.
const GROUPS: [(Code, &str); 6] = [
    (Code::NotEmptyValidator, "Fields and requests"),
    (Code::SenderUndetermined, "Sender"),
    (Code::RecipientNotFound, "Recipient and account"),
    (Code::Max24HourSendAmountLimitReached, "Limits"),
    (Code::TransferNotFound, "Transfer, quote and funding"),
    (Code::CardProvidedCannotBeUsedForThisTransaction, "Cards"),
];

/// What has happened. A code of RemitKit's own also has how to bring it about.
const MEANINGS: &[(Code, &str)] = &[
    (Code::SenderUndetermined, "Neither the token nor the request names a sender."),
    (Code::SenderNotFound, "The token or the request names a sender that the service does not know."),
    (Code::InvalidSenderName, "A person needs `firstName` and `lastName`, a business `companyName`."),
    (Code::SenderNotCreated, "The service did not register the sender; its message tells why."),
    (Code::SenderNotUpdated, "The service did not change the sender; its message tells why."),
    (
        Code::InvalidTypeOfId,
        "`ID_TYPE` is not one for this type of sender: SSN, PASSPORT, DRIVERS_LICENSE or GID for a person, TIN for a business.",
    ),
    (
        Code::SenderInvalidTypeOfIdLength,
        "The sender's `ID_NUMBER` does not fit its `ID_TYPE`; an SSN or TID has 9 characters.",
    ),
    (Code::SenderInvalidDateOfBirthUnder18, "By the date of birth the sender is under 18."),
    (Code::RecipientNotFound, "This sender has no such recipient."),
    (Code::InvalidRecipientId, "`recipientId` is no UUID. RemitKit finds this before anything is sent."),
    (Code::InvalidRecipientName, "A person needs `firstName` and `lastName`, a business `companyName`."),
    (
        Code::RecipientInvalidTypeOfIdLength,
        "The recipient's `ID_NUMBER` does not fit its `ID_TYPE`; an SSN or TID has 9 characters.",
    ),
    (Code::RecipientInvalidPhoneNumber, "The recipient's phone number does not have the form of one."),
    (Code::RecipientAccountNotFound, "The recipient has no such account."),
    (
        Code::InvalidRecipientAccountId,
        "`recipientAccountId` is no UUID. RemitKit finds this before anything is sent.",
    ),
    (Code::Max24HourSendAmountLimitReached, "The sender has sent as much as is allowed in 24 hours."),
    (Code::Max7DaysSendAmountLimitReached, "The sender has sent as much as is allowed in 7 days."),
    (
        Code::Max24HourTotalCostLimitReached,
        "The sender has paid, with fees, as much as is allowed in 24 hours.",
    ),
    (
        Code::Max7DaysTransferCountLimitReached,
        "The sender has made as many transfers as are allowed in 7 days.",
    ),
    (
        Code::Max24HourTransferCountLimitReached,
        "The sender has made as many transfers as are allowed in 24 hours.",
    ),
    (
        Code::Max24HourSendAmountLimitReachedExceed,
        "Less than this amount is left of what the sender may send in 24 hours. A smaller amount may pass.",
    ),
    (
        Code::Max7DaysSendAmountLimitReachedExceed,
        "Less than this amount is left of what the sender may send in 7 days. A smaller amount may pass.",
    ),
    (
        Code::Max24HourTotalCostLimitReachedExceed,
        "Less than this total is left of what the sender may pay in 24 hours. A smaller amount may pass.",
    ),
    (
        Code::Max24HourRecipientSendAmountLimitReached,
        "The recipient has been sent as much as is allowed in 24 hours.",
    ),
    (
        Code::Max7DaysRecipientSendAmountLimitReached,
        "The recipient has been sent as much as is allowed in 7 days.",
    ),
    (
        Code::MaxMonthlyRecipientSendAmountLimitReached,
        "The recipient has been sent as much as is allowed in a month.",
    ),
    (
        Code::Max24HourRecipientTransferCountLimitReached,
        "The recipient has been sent as many transfers as are allowed in 24 hours.",
    ),
    (
        Code::MaxMonthlyRecipientTransferCountLimitReached,
        "The recipient has been sent as many transfers as are allowed in a month.",
    ),
    (
        Code::MinCashPayerTransactionLimitNotReached,
        "The pickup location pays out no amount as small as this.",
    ),
    (Code::MaxCashPayerTransactionLimitExceeded, "The pickup location pays out no amount as large as this."),
    (Code::MaxLimitOutOfRange, "The amount is above the maximum for one transfer."),
    (Code::TransferNotFound, "This sender has made no such transfer."),
    (Code::TransferReceiptNotFound, "The transfer has no receipt, or none yet."),
    (Code::TransferRequestNotFound, "There is no transfer request of this id."),
    (
        Code::InsufficientFunds,
        "The transfer costs more than the settlement account of your business holds. The customer can do nothing about it.",
    ),
    (
        Code::InvalidAmount,
        "The amount is no whole number of the currency's minor units. RemitKit finds this before anything is sent.",
    ),
    (Code::SourceOfFundsRequired, "`sourceOfFunds` is missing, and this sender has to give it."),
    (Code::SourceOfFundsInvalid, "`sourceOfFunds` has a value that is not taken; it should be BUSINESS."),
    (
        Code::PurposeOfRemittanceRequired,
        "`purposeOfRemittance` is missing, and this transfer has to have one.",
    ),
    (Code::SourceTransferMethodNotFound, "`sourceTransferMethod` is not known."),
    (
        Code::SourceAccountNotSupported,
        "Paying by card (`PULL_FROM_CARD`) is not enabled for the account of your business.",
    ),
    (
        Code::QuoteAmountChanged,
        "Rate or fee have changed since the quote was made. Nothing was sent; `error.quote` is a fresh quote, `error.difference` what differs.",
    ),
    (Code::QuoteAmountChangedOfac, "The same as `QuoteAmountChanged`."),
    (
        Code::TransferDuplicatedByQuote,
        "Another transfer has been made with this quote. RemitKit asks whether that is this attempt's own, and tells this only if it is not.",
    ),
    (
        Code::NoQuoteHistoryIdProvided,
        "`quoteHistoryId` is missing. RemitKit finds this before anything is sent.",
    ),
    (Code::QuoteHistoryNotFound, "This sender has no such quote."),
    (Code::ErrorGettingQuote, "The service could not make the quote."),
    (Code::QuoteByReceiveNotSupported, "The paying partner takes no quote by `RECEIVE_AMOUNT`."),
    (
        Code::QuoteByReceiveNotEnabled,
        "Quotes by `RECEIVE_AMOUNT` are not enabled for the account of your business.",
    ),
    (
        Code::QuoteByReceiveForTransferMethodNotEnabled,
        "This transfer method takes no quote by `RECEIVE_AMOUNT`.",
    ),
    (
        Code::NoCorridorFoundForSpecificValues,
        "No corridor is enabled for this country, currency and transfer method.",
    ),
    (Code::CC404, "No corridor was found for these fields."),
    (
        Code::UnsupportedCountry,
        "The destination country is no ISO 3166-1 code of three letters that the service knows.",
    ),
    (Code::RspTransferException, "The paying partner did not take the transfer."),
    (Code::CardProvidedCannotBeUsedForThisTransaction, "The card is invalid or inactive."),
    (
        Code::InvalidCardIssuerCountry,
        "The card that pays has to be a debit card issued in the United States, of a supported network.",
    ),
    (Code::SourceCardAndReceivingCardMustBeUnique, "The card that pays is the card that is paid to."),
    (
        Code::CardNotSupported,
        "The card takes no remittances: it has to be a debit card of a supported network, and not prepaid.",
    ),
    (Code::ExpiryDateRequired, "The card's expiry date is missing."),
    (Code::InvalidCardOnboardingSession, "The session of the card form is over, or is none."),
    (Code::MinCardholderNames, "The cardholder's name has fewer than two parts."),
    (
        Code::BillingAndDestinationCurrencyCodeDiscrepancyError,
        "The card's currency is not that of the transfer.",
    ),
    (Code::NotEmptyValidator, "Something required is empty or missing."),
    (
        Code::MissingRequiredField,
        "A field that the fields endpoint asks for is missing. RemitKit finds this before anything is sent.",
    ),
    (
        Code::ValueRegexFailure,
        "A field's value does not match the pattern that the fields endpoint gave. RemitKit finds this before anything is sent.",
    ),
    (Code::BadRequestError, "The request is malformed: ids are UUIDs, dates ISO 8601."),
    (
        Code::BusinessOrDataValidationError,
        "The service did not take the data. `error.problems` names the fields where it says so.",
    ),
];

/// The same for RemitKit's own codes, each with how to bring it about.
const OWN: &[(Code, &str, &str)] = &[
    (
        Code::InvalidConfiguration,
        "An option cannot work: `error.option` names it, and the message says what is expected.",
        "`createRemitKit({ ...options, baseUrl: \"/api\" })`",
    ),
    (
        Code::InvalidRequest,
        "An argument cannot work: `error.option` names it, and the message says what is expected. Nothing was sent.",
        "`quote({ ...request, amuont: 1 })`",
    ),
    (
        Code::TokenUnavailable,
        "The token source failed, or gave no token. `error.cause` has what it threw.",
        "Let `token` throw.",
    ),
    (
        Code::Unauthorized,
        "The service refused the token, and a second one too.",
        "Fault `status` with 401, `count` 2.",
    ),
    (Code::AccessDenied, "The token may not do this.", "Fault `status` with 403."),
    (
        Code::NetworkFailure,
        "There was no answer: no connection, a blocker, a policy, or the service's address is wrong.",
        "Fault `drop` with `count` 3.",
    ),
    (
        Code::ServiceUnavailable,
        "The service answered 5xx, after what RemitKit tries again by itself.",
        "Fault `status` with 503, `count` 3.",
    ),
    (
        Code::TooManyRequests,
        "The service asks for fewer requests; `error.retryAfterMs` says for how long to wait.",
        "Fault `status` with 429, `count` 3.",
    ),
    (
        Code::Timeout,
        "There was no answer within `timeoutMs`.",
        "Fault `latency` with a `delayMilliseconds` above `timeoutMs`, `count` 3.",
    ),
    (Code::Aborted, "The call's `signal` has ended it.", "Abort the signal."),
    (
        Code::UnreadableReply,
        "The answer is not what the interface says.",
        "Fault `nonJson` with `status` 200, `count` 3.",
    ),
    (
        Code::OutcomeUnknown,
        "Something was sent, and whether it was done could not be learnt. It may still happen: never send it again. `error.attempt` is the transfer, if it is one.",
        "Fault `drop` with `when: \"after\"` for `POST /v1/recipients`.",
    ),
    (
        Code::CardFormLoadFailed,
        "The card form did not load; the event `LOAD_FAILED` says why. `completed` tells of it only with `loadError: \"never\"`.",
        "A `cardUrl` where nothing listens, with `loadError: \"never\"`.",
    ),
    (Code::CardFormDestroyed, "The page has removed the form before a card was entered.", "`form.destroy()`"),
    (
        Code::QuoteExpired,
        "The quote's time is over. Nothing was sent; `error.quote` is a fresh quote.",
        "See [Time](testing.md#time).",
    ),
    (
        Code::TransferFailed,
        "The service says that the transfer failed for good. No money was moved by it.",
        "None; let a `fakeRemitKit` reject with it.",
    ),
    (
        Code::NonceAlreadyUsed,
        "A transfer was made with this nonce. RemitKit asks whether that is this attempt's own, and tells this only if it is not.",
        "Send two transfers with one `nonce` of your own.",
    ),
    (
        Code::NotFound,
        "The service has nothing at this address.",
        "`request({ method: \"GET\", path: \"/v1/nothing\" })`",
    ),
    (Code::Destroyed, "The kit was destroyed before the call, or during it.", "`await remit.destroy()`"),
    (
        Code::Internal,
        "RemitKit has met a fault of its own. Make another kit; what was sent is in the journal.",
        "None.",
    ),
];

fn what_to_do(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::CorrectInput => {
            "Let the customer, or the call, correct what was given, and send it again."
        }
        Resolution::CompleteFields => {
            "Fetch the fields again, show those that are missing, and send it again."
        }
        Resolution::FetchNewQuote => "Show a new quote, and go on once the customer agrees to it.",
        Resolution::WaitForReset => "Offer a smaller amount where some is left, or a later day.",
        Resolution::StartNewCardSession => "Begin another session: `form.renew()`.",
        Resolution::UseAnotherCard => "Ask for another card.",
        Resolution::ChooseAnotherCorridor => "Offer what `corridors()` lists.",
        Resolution::QuoteBySendAmount => "Quote by `SEND_AMOUNT`, and leave the other field out.",
        Resolution::NameTheSender => {
            "Get a sender-level token for the customer who is signed in, or let them sign in again."
        }
        Resolution::FundAccount => {
            "Fund the settlement account of your business; show the customer another way to pay meanwhile."
        }
        Resolution::TryAgainLater => {
            "Let the customer try again, after `error.retryAfterMs` where there is one."
        }
        Resolution::ResumeAttempt => {
            "Call `error.attempt.resume()`; for what is no transfer, read what exists before it is sent again."
        }
        Resolution::ReadTheTransfer => {
            "Show the transfer that was made: `transferProgress(quoteHistoryId)`, then `getTransfer`."
        }
        Resolution::ContactSupport => {
            "Nothing helps on the page. Quote `error.requestId` to the service's support."
        }
    }
}

fn how(trigger: &Trigger) -> String {
    let call = serde_json::to_value(trigger.operation).unwrap();
    let call = call.as_str().unwrap();
    match trigger.means {
        Means::Amount { amount } => format!("`{call}` with `amount` {amount}"),
        Means::Name => format!("`{call}` with the code as last name or company name"),
        Means::Card { number } => format!("card {number} in the card form"),
        Means::Property { name, value: "" } => format!("`{call}` without `{name}`"),
        Means::Property { name, value } => format!("`{call}` with `{name}` `{value}`"),
        Means::Field { id, value: "" } => format!("`{call}` without the field `{id}`"),
        Means::Field { id, value } => format!("`{call}` with the field `{id}` `{value}`"),
        Means::Rule { rule } => format!("`{call}`: {}", rule.trim_end_matches('.')),
    }
}

fn entry(text: &mut String, code: &Code, meaning: &str, sandbox: &str) {
    let resolution = code.resolution().unwrap();
    writeln!(text, "### {}\n\n{meaning}\n", code.as_str()).unwrap();
    writeln!(text, "- Show: “{}”", code.message()).unwrap();
    writeln!(text, "- Do: {} (`{}`)", what_to_do(resolution), resolution.as_str()).unwrap();
    writeln!(text, "- `kind`: `{}`", code.kind().as_str()).unwrap();
    writeln!(text, "- Sandbox: {sandbox}\n").unwrap();
}

fn document() -> String {
    let mut text = String::from(HEAD);
    for code in Code::DOCUMENTED {
        if let Some((_, title)) = GROUPS.iter().find(|(first, _)| first == code) {
            writeln!(text, "## {title}\n").unwrap();
        }
        let (_, meaning) = MEANINGS.iter().find(|(of, _)| of == code).unwrap();
        let ways: Vec<String> =
            TRIGGERS.iter().filter(|trigger| trigger.code.name() == code.as_str()).map(how).collect();
        assert!(!ways.is_empty(), "the sandbox cannot make {code:?}");
        entry(&mut text, code, meaning, &format!("{}.", ways.join("; ")));
    }
    text.push_str("## RemitKit's own\n\n");
    for code in Code::OWN {
        let (_, meaning, sandbox) = OWN.iter().find(|(of, ..)| of == code).unwrap();
        entry(&mut text, code, meaning, sandbox);
    }
    text.trim_end().to_owned() + "\n"
}

#[test]
fn the_error_reference_says_what_the_tables_say() {
    if std::env::var_os("REMITKIT_WRITE_DOCS").is_some() {
        std::fs::write(PATH, document()).unwrap();
    }
    let written = std::fs::read_to_string(PATH).unwrap();
    assert!(written == document(), "run REMITKIT_WRITE_DOCS=1 cargo test --test client error_reference");
}

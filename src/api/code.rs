//! Every error code with its kind, what to do about it, and a message for the end user
//! (interface, part 7).

use super::json::View;

/// What sort of thing went wrong; code that reacts to errors branches on this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The call is at fault: an argument, an id, an amount.
    InvalidRequest,
    /// The token is missing, refused, or may not do this.
    Authentication,
    /// What was asked for does not exist for this sender.
    NotFound,
    /// A limit of amount or count.
    Limit,
    /// The quote or its corridor.
    Quote,
    /// The card or its session.
    Card,
    /// Dynamic fields; [`problems`](super::Error::problems) names them.
    Field,
    /// It was done already, by this call or another.
    Conflict,
    /// The network or the service did not answer as it should; later it may.
    Unavailable,
    /// No answer in time.
    Timeout,
    /// The caller's signal ended it.
    Aborted,
    /// A transfer was sent and its outcome could not be learnt. Resume the attempt.
    OutcomeUnknown,
    /// The SDK was set up in a way that cannot work.
    Configuration,
    /// The card frame could not be shown.
    Frame,
    /// A fault of the SDK itself.
    Internal,
}

impl Kind {
    /// The name that JavaScript sees.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::InvalidRequest => "invalid_request",
            Kind::Authentication => "authentication",
            Kind::NotFound => "not_found",
            Kind::Limit => "limit",
            Kind::Quote => "quote",
            Kind::Card => "card",
            Kind::Field => "field",
            Kind::Conflict => "conflict",
            Kind::Unavailable => "unavailable",
            Kind::Timeout => "timeout",
            Kind::Aborted => "aborted",
            Kind::OutcomeUnknown => "outcome_unknown",
            Kind::Configuration => "configuration",
            Kind::Frame => "frame",
            Kind::Internal => "internal",
        }
    }
}

/// What the interface says to do about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Correct what was entered and send again.
    CorrectInput,
    /// Fetch the fields again, and fill in what they ask for.
    CompleteFields,
    /// Fetch a new quote and let the customer confirm it.
    FetchNewQuote,
    /// Wait until the period of the limit is over, or send less.
    WaitForReset,
    /// Create a new card session and show the form again.
    StartNewCardSession,
    /// Ask for another card.
    UseAnotherCard,
    /// Choose a corridor that `corridors()` lists.
    ChooseAnotherCorridor,
    /// Quote by send amount.
    QuoteBySendAmount,
    /// Use a token or a body that names the sender.
    NameTheSender,
    /// Fund the settlement account.
    FundAccount,
    /// Try again later.
    TryAgainLater,
    /// Resume the transfer attempt; never start another one for it.
    ResumeAttempt,
    /// The transfer exists already; read it.
    ReadTheTransfer,
    /// Nothing that the page can do: ask the service's support.
    ContactSupport,
}

impl Resolution {
    /// The name that JavaScript sees.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Resolution::CorrectInput => "correct_input",
            Resolution::CompleteFields => "complete_fields",
            Resolution::FetchNewQuote => "fetch_new_quote",
            Resolution::WaitForReset => "wait_for_reset",
            Resolution::StartNewCardSession => "start_new_card_session",
            Resolution::UseAnotherCard => "use_another_card",
            Resolution::ChooseAnotherCorridor => "choose_another_corridor",
            Resolution::QuoteBySendAmount => "quote_by_send_amount",
            Resolution::NameTheSender => "name_the_sender",
            Resolution::FundAccount => "fund_account",
            Resolution::TryAgainLater => "try_again_later",
            Resolution::ResumeAttempt => "resume_attempt",
            Resolution::ReadTheTransfer => "read_the_transfer",
            Resolution::ContactSupport => "contact_support",
        }
    }
}

macro_rules! codes {
    (
        documented { $( $Code:ident $Kind:ident $Resolution:ident $message:literal )* }
        own { $( $Own:ident $OwnKind:ident $OwnResolution:ident $own_message:literal )* }
    ) => {
        /// An error code: one that the interface documents, one of the SDK's own, or one that came later.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each says what its message says")]
        pub enum Code {
            $( #[doc = $message] $Code, )*
            $( #[doc = $own_message] $Own, )*
            /// A code that came later than this version.
            Other(String),
        }

        impl Code {
            /// The codes that the interface documents.
            pub const DOCUMENTED: &'static [Code] = &[$( Code::$Code, )*];

            /// The codes of the SDK itself.
            pub const OWN: &'static [Code] = &[$( Code::$Own, )*];

            /// The name of the code.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $( Code::$Code => stringify!($Code), )*
                    $( Code::$Own => stringify!($Own), )*
                    Code::Other(name) => name,
                }
            }

            /// The kind that the code belongs to.
            #[must_use]
            pub fn kind(&self) -> Kind {
                match self {
                    $( Code::$Code => Kind::$Kind, )*
                    $( Code::$Own => Kind::$OwnKind, )*
                    Code::Other(_) => Kind::InvalidRequest,
                }
            }

            /// What to do about it.
            #[must_use]
            pub fn resolution(&self) -> Option<Resolution> {
                match self {
                    $( Code::$Code => Some(Resolution::$Resolution), )*
                    $( Code::$Own => Some(Resolution::$OwnResolution), )*
                    Code::Other(_) => None,
                }
            }

            /// A message for the end user, for where the service sends none.
            #[must_use]
            pub fn message(&self) -> &'static str {
                match self {
                    $( Code::$Code => $message, )*
                    $( Code::$Own => $own_message, )*
                    Code::Other(_) => "The service refused the request.",
                }
            }
        }

        impl From<&str> for Code {
            fn from(name: &str) -> Self {
                match name {
                    $( stringify!($Code) => Code::$Code, )*
                    $( stringify!($Own) => Code::$Own, )*
                    other => Code::Other(other.to_owned()),
                }
            }
        }
    };
}

codes! {
    documented {
        SenderUndetermined Authentication NameTheSender "We could not tell who is sending. Sign in again."
        SenderNotFound NotFound NameTheSender "The sender was not found."
        InvalidSenderName Field CorrectInput "Enter the sender's full name."
        SenderNotCreated InvalidRequest CorrectInput "The sender could not be registered."
        SenderNotUpdated InvalidRequest CorrectInput "The sender's data could not be changed."
        InvalidTypeOfId Field CorrectInput "This type of identification is not accepted for the sender."
        SenderInvalidTypeOfIdLength Field CorrectInput "The sender's identification number does not have the right length."
        SenderInvalidDateOfBirthUnder18 Field CorrectInput "The sender must be at least 18 years old."

        RecipientNotFound NotFound CorrectInput "The recipient was not found."
        InvalidRecipientId InvalidRequest CorrectInput "The recipient's id is not valid."
        InvalidRecipientName Field CorrectInput "Enter the recipient's full name."
        RecipientInvalidTypeOfIdLength Field CorrectInput "The recipient's identification number does not have the right length."
        RecipientInvalidPhoneNumber Field CorrectInput "The recipient's phone number is not valid."
        RecipientAccountNotFound NotFound CorrectInput "The recipient's account was not found."
        InvalidRecipientAccountId InvalidRequest CorrectInput "The recipient account's id is not valid."

        Max24HourSendAmountLimitReached Limit WaitForReset "You have reached the amount you can send in 24 hours."
        Max7DaysSendAmountLimitReached Limit WaitForReset "You have reached the amount you can send in 7 days."
        Max24HourTotalCostLimitReached Limit WaitForReset "You have reached the total you can spend in 24 hours."
        Max7DaysTransferCountLimitReached Limit WaitForReset "You have reached the number of transfers you can make in 7 days."
        Max24HourTransferCountLimitReached Limit WaitForReset "You have reached the number of transfers you can make in 24 hours."
        Max24HourSendAmountLimitReachedExceed Limit WaitForReset "This transfer would go over the amount you can send in 24 hours."
        Max7DaysSendAmountLimitReachedExceed Limit WaitForReset "This transfer would go over the amount you can send in 7 days."
        Max24HourTotalCostLimitReachedExceed Limit WaitForReset "This transfer would go over the total you can spend in 24 hours."
        Max24HourRecipientSendAmountLimitReached Limit WaitForReset "The recipient has reached the amount they can receive in 24 hours."
        Max7DaysRecipientSendAmountLimitReached Limit WaitForReset "The recipient has reached the amount they can receive in 7 days."
        MaxMonthlyRecipientSendAmountLimitReached Limit WaitForReset "The recipient has reached the amount they can receive in a month."
        Max24HourRecipientTransferCountLimitReached Limit WaitForReset "The recipient has reached the number of transfers they can receive in 24 hours."
        MaxMonthlyRecipientTransferCountLimitReached Limit WaitForReset "The recipient has reached the number of transfers they can receive in a month."
        MinCashPayerTransactionLimitNotReached Limit CorrectInput "The amount is below the minimum of this cash pickup location."
        MaxCashPayerTransactionLimitExceeded Limit CorrectInput "The amount is above the maximum of this cash pickup location."
        MaxLimitOutOfRange Limit CorrectInput "The amount is above the maximum for one transfer."

        TransferNotFound NotFound CorrectInput "The transfer was not found."
        TransferReceiptNotFound NotFound TryAgainLater "There is no receipt for this transfer."
        TransferRequestNotFound NotFound CorrectInput "The transfer request was not found."
        InsufficientFunds InvalidRequest FundAccount "The transfer cannot be made right now."
        InvalidAmount InvalidRequest CorrectInput "Enter a valid amount."
        SourceOfFundsRequired Field CorrectInput "Tell us where the money comes from."
        SourceOfFundsInvalid Field CorrectInput "The source of funds is not valid."
        PurposeOfRemittanceRequired Field CorrectInput "Tell us what the money is for."
        SourceTransferMethodNotFound InvalidRequest CorrectInput "The way of paying is not known."
        SourceAccountNotSupported InvalidRequest ContactSupport "Paying by card is not available."
        QuoteAmountChanged Quote FetchNewQuote "The rate or the fee has changed. Check the new amounts."
        QuoteAmountChangedOfac Quote FetchNewQuote "The rate or the fee has changed. Check the new amounts."
        TransferDuplicatedByQuote Conflict ReadTheTransfer "This transfer has been submitted already."
        NoQuoteHistoryIdProvided Quote FetchNewQuote "A quote is needed before the transfer."
        QuoteHistoryNotFound Quote FetchNewQuote "The quote was not found. Get a new one."
        ErrorGettingQuote Quote TryAgainLater "The quote could not be made. Try again."
        QuoteByReceiveNotSupported Quote QuoteBySendAmount "Enter the amount to send; the receiving amount cannot be chosen here."
        QuoteByReceiveNotEnabled Quote QuoteBySendAmount "Enter the amount to send; the receiving amount cannot be chosen here."
        QuoteByReceiveForTransferMethodNotEnabled Quote QuoteBySendAmount "Enter the amount to send; the receiving amount cannot be chosen for this way of paying out."
        NoCorridorFoundForSpecificValues Quote ChooseAnotherCorridor "Sending to this country in this currency is not available this way."
        CC404 Quote ChooseAnotherCorridor "Sending to this country in this currency is not available this way."
        UnsupportedCountry Quote ChooseAnotherCorridor "Sending to this country is not available."
        RspTransferException Unavailable ContactSupport "The transfer could not be handed to the paying partner."

        CardProvidedCannotBeUsedForThisTransaction Card UseAnotherCard "This card cannot be used. Use another card."
        InvalidCardIssuerCountry Card UseAnotherCard "Use a debit card issued in the United States."
        SourceCardAndReceivingCardMustBeUnique Card UseAnotherCard "The paying card and the receiving card must be different."
        CardNotSupported Card UseAnotherCard "This card cannot receive transfers. Use a debit card that is not prepaid."
        ExpiryDateRequired Card CorrectInput "Enter the card's expiry date."
        InvalidCardOnboardingSession Card StartNewCardSession "The card form has expired. Start again."
        MinCardholderNames Card CorrectInput "Enter the cardholder's first and last name."
        BillingAndDestinationCurrencyCodeDiscrepancyError Card UseAnotherCard "The card's currency differs from the currency of the transfer."

        NotEmptyValidator Field CompleteFields "This field must be filled in."
        MissingRequiredField Field CompleteFields "This field must be filled in."
        ValueRegexFailure Field CorrectInput "This value does not have the expected form."
        BadRequestError InvalidRequest CorrectInput "The request is incomplete or not well-formed."
        BusinessOrDataValidationError InvalidRequest CorrectInput "The service could not accept the data."
    }
    own {
        InvalidConfiguration Configuration CorrectInput "RemitKit is not set up correctly."
        InvalidRequest InvalidRequest CorrectInput "The request is not valid."
        TokenUnavailable Authentication NameTheSender "We could not sign you in. Try again."
        Unauthorized Authentication NameTheSender "Your session is over. Sign in again."
        AccessDenied Authentication NameTheSender "This is not allowed for your account."
        NetworkFailure Unavailable TryAgainLater "The service cannot be reached. Check your connection."
        ServiceUnavailable Unavailable TryAgainLater "The service is not available right now. Try again later."
        TooManyRequests Unavailable TryAgainLater "Too many requests. Try again in a moment."
        Timeout Timeout TryAgainLater "The service did not answer in time. Try again."
        Aborted Aborted TryAgainLater "Cancelled."
        UnreadableReply Unavailable TryAgainLater "The service gave an answer that could not be understood."
        OutcomeUnknown OutcomeUnknown ResumeAttempt "We do not know yet whether this went through. Do not send it again: check its status first."
        CardFormLoadFailed Frame StartNewCardSession "The card form could not be shown. Try again."
        CardFormDestroyed Aborted StartNewCardSession "The card form was closed."
        QuoteExpired Quote FetchNewQuote "The quote has expired. Check the new amounts."
        TransferFailed Unavailable FetchNewQuote "The transfer could not be made. No money was sent."
        NonceAlreadyUsed Conflict ReadTheTransfer "This transfer has been submitted already."
        NotFound NotFound CorrectInput "It was not found."
        Destroyed Configuration CorrectInput "This RemitKit has been destroyed. Create a new one."
        Internal Internal ContactSupport "Something went wrong in RemitKit."
    }
}

/// Kept apart, so that a module which does not ask for it does not carry it. The npm package loads the same file when it needs it.
const SPANISH: &str = include_str!("messages_es.json");

impl Code {
    /// The message in Spanish, for where the service sends none.
    #[must_use]
    pub fn message_in_spanish(&self) -> Option<String> {
        View::new(SPANISH).text_of(self.as_str()).map(std::borrow::Cow::into_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_message_in_both_languages() {
        let spanish = View::new(SPANISH);
        for (name, text) in spanish.members() {
            assert!(!matches!(Code::from(&*name), Code::Other(_)), "{name} is no code");
            assert!(text.text().unwrap().ends_with('.'), "{name}");
        }
        let all: Vec<_> = Code::DOCUMENTED.iter().chain(Code::OWN).collect();
        assert_eq!(spanish.members().count(), all.len());
        for code in all {
            assert!(code.message_in_spanish().is_some(), "{}", code.as_str());
        }
    }

    #[test]
    fn the_67_documented_codes_are_known_by_name_and_unknown_ones_are_kept() {
        assert_eq!(Code::DOCUMENTED.len(), 67);
        for code in Code::DOCUMENTED {
            assert_eq!(&Code::from(code.as_str()), code);
            assert!(code.resolution().is_some() && code.message().ends_with('.'));
        }
        assert_eq!(Code::from("ComesLater").as_str(), "ComesLater");
    }
}

//! The error codes, each with its kind, resolution and message for the end user (interface, part 7).

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use super::json::JsonRef;
use super::{Kind, Resolution};

/// An error code: documented by the interface, the SDK's own, or newer than this version and known by name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Code(u8, Option<Arc<str>>);

/// What is known of a code.
struct Known {
    name: &'static str,
    kind: Kind,
    resolution: Resolution,
    /// Empty if it is among the [`LATER_MESSAGES`].
    message: &'static str,
}

/// A message that the first load of the npm package does without.
struct LaterMessage {
    index: u8,
    text: &'static str,
}

/// Declares the codes, each with its kind, its resolution, `later` if only transfers, accounts and people raise
/// it, its message, and in brackets the places of [`Code::places`].
macro_rules! codes {
    (documented { $($documented:tt)* } own { $($own:tt)* }) => {
        codes! { $($documented)* $($own)* }
    };
    ($( $Code:ident $Kind:ident $Resolution:ident $($later:ident)? $message:literal
        $([$( $place:ident )*])? )*) => {
        // The codes that forms use most come first: one is found by its name.
        static KNOWN: &[Known] = &[$( Known {
            name: stringify!($Code),
            kind: Kind::$Kind,
            resolution: Resolution::$Resolution,
            message: codes!(@first $($later)? $message),
        }, )*];

        static LATER_MESSAGES: &[LaterMessage] =
            &[$( $( LaterMessage { index: Index::$Code as u8, text: codes!(@text $later $message) }, )? )*];

        enum Index {
            $( $Code, )*
        }

        #[allow(non_upper_case_globals, reason = "the names are the interface's")]
        impl Code {
            $( #[doc = $message] pub const $Code: Code = Code(Index::$Code as u8, None); )*

            const ALL: (&'static [Code], &'static [Code]) =
                [$( Code::$Code, )*].as_slice().split_at(Index::InvalidConfiguration as usize);

            /// Returns where the npm package's JavaScript raises the code itself: `page`, whose kit translates
            /// it, `without_kit`, also where no kit is there to translate it, and `server`, in
            /// `remitkit/server`.
            #[doc(hidden)]
            pub fn places(&self) -> &'static [&'static str] {
                match *self {
                    $( Code::$Code => &[$($( stringify!($place), )*)?], )*
                    _ => &[],
                }
            }
        }
    };
    (@first $message:literal) => { $message };
    (@first later $message:literal) => { "" };
    (@text later $message:literal) => { $message };
}

thread_local! {
    static LATER: Cell<&'static [LaterMessage]> =
        const { Cell::new(if cfg!(remitkit_parts) { &[] } else { LATER_MESSAGES }) };
}

impl Code {
    /// The codes that the interface documents.
    pub const DOCUMENTED: &'static [Code] = Self::ALL.0;

    /// The codes of the SDK itself.
    pub const OWN: &'static [Code] = Self::ALL.1;

    fn known(&self) -> Option<&'static Known> {
        KNOWN.get(usize::from(self.0))
    }

    /// Returns whether this version knows the code.
    pub fn is_known(&self) -> bool {
        self.1.is_none()
    }

    /// Returns the name of the code.
    pub fn as_str(&self) -> &str {
        self.1.as_deref().or_else(|| Some(self.known()?.name)).unwrap_or_default()
    }

    /// Returns the kind of the code.
    pub fn kind(&self) -> Kind {
        self.known().map_or(Kind::InvalidRequest, |known| known.kind)
    }

    /// Returns what to do about the error.
    pub fn resolution(&self) -> Option<Resolution> {
        self.known().map(|known| known.resolution)
    }

    /// Returns a message for the end user, for errors without a message of the service.
    pub fn message(&self) -> &'static str {
        let later = || LATER.get().iter().find(|later| later.index == self.0).map(|later| later.text);
        let message = self.known().map(|known| known.message).filter(|message| !message.is_empty());
        message.or_else(later).unwrap_or("The service refused the request.")
    }

    /// Loads the messages about transfers, accounts and people together with the part of the module that
    /// makes such calls. Until then these codes have a general message, which saves a first quote 1.1 kB of
    /// brotli.
    #[cfg(feature = "js")]
    pub(crate) fn load_later_messages() {
        LATER.set(LATER_MESSAGES);
    }
}

impl From<&str> for Code {
    fn from(name: &str) -> Self {
        match KNOWN.iter().position(|known| known.name == name).and_then(|index| u8::try_from(index).ok()) {
            Some(index) => Code(index, None),
            None => Code(u8::MAX, Some(name.into())),
        }
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|name| Code::from(&*name))
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

codes! {
    documented {
        NotEmptyValidator Field CompleteFields "This field must be filled in."
        MissingRequiredField Field CompleteFields "This field must be filled in."
        ValueRegexFailure Field CorrectInput "This value does not have the expected form."
        BadRequestError InvalidRequest CorrectInput "The request is incomplete or not well-formed."
        BusinessOrDataValidationError InvalidRequest CorrectInput "The service could not accept the data."

        SenderUndetermined Authentication NameTheSender "We could not tell who is sending. Sign in again."
        SenderNotFound NotFound NameTheSender later "The sender was not found." [server]
        InvalidSenderName Field CorrectInput later "Enter the sender's full name."
        SenderNotCreated InvalidRequest CorrectInput later "The sender could not be registered."
        SenderNotUpdated InvalidRequest CorrectInput later "The sender's data could not be changed."
        InvalidTypeOfId Field CorrectInput later "This type of identification is not accepted for the sender."
        SenderInvalidTypeOfIdLength Field CorrectInput later "The sender's identification number does not have the right length."
        SenderInvalidDateOfBirthUnder18 Field CorrectInput later "The sender must be at least 18 years old."

        RecipientNotFound NotFound CorrectInput later "The recipient was not found."
        InvalidRecipientId InvalidRequest CorrectInput later "The recipient's id is not valid." [page]
        InvalidRecipientName Field CorrectInput later "Enter the recipient's full name."
        RecipientInvalidTypeOfIdLength Field CorrectInput later "The recipient's identification number does not have the right length."
        RecipientInvalidPhoneNumber Field CorrectInput later "The recipient's phone number is not valid."
        RecipientAccountNotFound NotFound CorrectInput later "The recipient's account was not found."
        InvalidRecipientAccountId InvalidRequest CorrectInput "The recipient account's id is not valid." [page]

        Max24HourSendAmountLimitReached Limit WaitForReset later "You have reached the amount you can send in 24 hours."
        Max7DaysSendAmountLimitReached Limit WaitForReset later "You have reached the amount you can send in 7 days."
        Max24HourTotalCostLimitReached Limit WaitForReset later "You have reached the total you can spend in 24 hours."
        Max7DaysTransferCountLimitReached Limit WaitForReset later "You have reached the number of transfers you can make in 7 days."
        Max24HourTransferCountLimitReached Limit WaitForReset later "You have reached the number of transfers you can make in 24 hours."
        Max24HourSendAmountLimitReachedExceed Limit WaitForReset later "This transfer would go over the amount you can send in 24 hours."
        Max7DaysSendAmountLimitReachedExceed Limit WaitForReset later "This transfer would go over the amount you can send in 7 days."
        Max24HourTotalCostLimitReachedExceed Limit WaitForReset later "This transfer would go over the total you can spend in 24 hours."
        Max24HourRecipientSendAmountLimitReached Limit WaitForReset later "The recipient has reached the amount they can receive in 24 hours."
        Max7DaysRecipientSendAmountLimitReached Limit WaitForReset later "The recipient has reached the amount they can receive in 7 days."
        MaxMonthlyRecipientSendAmountLimitReached Limit WaitForReset later "The recipient has reached the amount they can receive in a month."
        Max24HourRecipientTransferCountLimitReached Limit WaitForReset later "The recipient has reached the number of transfers they can receive in 24 hours."
        MaxMonthlyRecipientTransferCountLimitReached Limit WaitForReset later "The recipient has reached the number of transfers they can receive in a month."
        MinCashPayerTransactionLimitNotReached Limit CorrectInput later "The amount is below the minimum of this cash pickup location."
        MaxCashPayerTransactionLimitExceeded Limit CorrectInput later "The amount is above the maximum of this cash pickup location."
        MaxLimitOutOfRange Limit CorrectInput "The amount is above the maximum for one transfer."

        TransferNotFound NotFound CorrectInput later "The transfer was not found."
        TransferReceiptNotFound NotFound TryAgainLater later "There is no receipt for this transfer."
        TransferRequestNotFound NotFound CorrectInput later "The transfer request was not found."
        InsufficientFunds InvalidRequest FundAccount later "The transfer cannot be made right now."
        InvalidAmount InvalidRequest CorrectInput "Enter a valid amount." [without_kit]
        SourceOfFundsRequired Field CorrectInput later "Tell us where the money comes from."
        SourceOfFundsInvalid Field CorrectInput later "The source of funds is not valid."
        PurposeOfRemittanceRequired Field CorrectInput later "Tell us what the money is for."
        SourceTransferMethodNotFound InvalidRequest CorrectInput later "This payment method is not recognized."
        SourceAccountNotSupported InvalidRequest ContactSupport later "Paying by card is not available."
        QuoteAmountChanged Quote FetchNewQuote later "The rate or the fee has changed. Check the new amounts."
        QuoteAmountChangedOfac Quote FetchNewQuote later "The rate or the fee has changed. Check the new amounts."
        TransferDuplicatedByQuote Conflict ReadTheTransfer later "This quote was already used. Check your transfers before you send another one."
        NoQuoteHistoryIdProvided Quote FetchNewQuote later "A quote is needed before the transfer."
        QuoteHistoryNotFound Quote FetchNewQuote later "The quote was not found. Get a new one."
        ErrorGettingQuote Quote TryAgainLater "The quote could not be made. Try again."
        QuoteByReceiveNotSupported Quote QuoteBySendAmount "Enter the amount to send; the receiving amount cannot be chosen here."
        QuoteByReceiveNotEnabled Quote QuoteBySendAmount "Enter the amount to send; the receiving amount cannot be chosen here."
        QuoteByReceiveForTransferMethodNotEnabled Quote QuoteBySendAmount "Enter the amount to send; the receiving amount cannot be chosen for this way of paying out."
        NoCorridorFoundForSpecificValues Quote ChooseAnotherCorridor "Sending to this country in this currency is not available this way." [without_kit]
        CC404 Quote ChooseAnotherCorridor "Sending to this country in this currency is not available this way."
        UnsupportedCountry Quote ChooseAnotherCorridor "Sending to this country is not available."
        RspTransferException Unavailable ContactSupport later "The transfer could not be passed to the payout partner."

        CardProvidedCannotBeUsedForThisTransaction Card UseAnotherCard later "This card cannot be used. Use another card."
        InvalidCardIssuerCountry Card UseAnotherCard later "Use a debit card issued in the United States."
        SourceCardAndReceivingCardMustBeUnique Card UseAnotherCard later "The paying card and the receiving card must be different."
        CardNotSupported Card UseAnotherCard later "This card cannot receive transfers. Use a debit card that is not prepaid."
        ExpiryDateRequired Card CorrectInput later "Enter the card's expiry date."
        InvalidCardOnboardingSession Card StartNewCardSession "The card form has expired. Start again."
        MinCardholderNames Card CorrectInput later "Enter the cardholder's first and last name."
        BillingAndDestinationCurrencyCodeDiscrepancyError Card UseAnotherCard later "The card's currency differs from the currency of the transfer."
    }
    own {
        InvalidConfiguration Configuration CorrectInput "Something went wrong on this page. Reload it and try again." [page]
        InvalidRequest InvalidRequest CorrectInput "Something went wrong on this page. Reload it and try again." [page]
        WebAssemblyUnavailable Configuration UseAnotherBrowser later "This browser cannot run this page. Turn off Lockdown Mode for it, or use another browser." [without_kit]
        LoadFailed Unavailable TryAgainLater later "Not all of this page has loaded. Check your connection and try again." [without_kit]
        TokenUnavailable Authentication TryAgainLater "We could not sign you in. Try again." [server]
        Unauthorized Authentication NameTheSender "Your session is over. Sign in again." [server]
        AccessDenied Authentication NameTheSender "This is not allowed for your account." [server]
        NetworkFailure Unavailable TryAgainLater "The service cannot be reached. Check your connection." [page server]
        ServiceUnavailable Unavailable TryAgainLater "The service is not available right now. Try again later." [server]
        TooManyRequests Unavailable TryAgainLater "Too many requests. Try again in a moment." [server]
        Timeout Timeout TryAgainLater "The service did not answer in time. Try again." [server]
        Aborted Aborted TryAgainLater "Cancelled." [page]
        UnreadableReply Unavailable TryAgainLater "The service gave an answer that could not be understood." [server]
        OutcomeUnknown OutcomeUnknown ResumeAttempt later "We do not know yet whether this went through. Do not send it again: check its status first." [page]
        JournalUnavailable Unavailable TryAgainLater later "This browser could not read or store your transfer just now. Try again."
        CardFormLoadFailed Frame StartNewCardSession "The card form could not be shown. Try again."
        CardFormRemoved Frame StartNewCardSession "The card form was removed from the page. Start again."
        CardFormDestroyed Aborted StartNewCardSession "The card form was closed." [page]
        QuoteExpired Quote FetchNewQuote later "The quote has expired. Check the new amounts."
        TransferFailed Unavailable FetchNewQuote later "The transfer could not be made. No money was sent."
        PaymentInProgress Conflict ResumeAttempt later "This payment was already started, and its outcome is not known yet. Do not pay again: check its status first."
        PaymentAlreadyMade Conflict ReadTheTransfer later "This payment was already made. Do not pay again."
        NonceAlreadyUsed Conflict ReadTheTransfer later "This transfer was not made: its number was used before. Check your transfers before you send another one."
        CheckDigitMismatch Field CorrectInput later "Check this number: it seems to have a typing mistake."
        UnusualPhoneNumber Field CorrectInput later "Check this number: phone numbers of its country have another length."
        NotFound NotFound CorrectInput "It was not found."
        Destroyed Configuration CorrectInput "Something went wrong on this page. Reload it and try again." [page]
        Internal Internal ContactSupport "Something went wrong on this page. Reload it and try again." [page]
    }
}

/// A separate file, so that a module that does not use it does not contain it. The npm package loads it on
/// demand.
const SPANISH: &str = include_str!("messages_es.json");

impl Code {
    /// Returns the Spanish message for the end user.
    pub fn message_in_spanish(&self) -> Option<String> {
        JsonRef::new(SPANISH).text_of(self.as_str()).map(std::borrow::Cow::into_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_name_and_a_message_in_both_languages() {
        assert_eq!(Code::DOCUMENTED.len(), 67);
        for code in Code::DOCUMENTED.iter().chain(Code::OWN) {
            assert!(code.resolution().is_some());
            assert!(
                code.places().iter().all(|place| ["page", "without_kit", "server"].contains(place)),
                "{code:?}"
            );
            assert_eq!(&Code::from(code.as_str()), code);
            for message in [code.message(), &code.message_in_spanish().unwrap()] {
                assert!(message.ends_with('.'), "{code:?}: {message}");
            }
        }
        assert_eq!(JsonRef::new(SPANISH).members().count(), Code::DOCUMENTED.len() + Code::OWN.len());
        assert_eq!(Code::from("ComesLater").as_str(), "ComesLater");
    }
}

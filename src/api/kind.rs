//! What kind of error a code is, and what the interface says to do about it (interface, part 7).

/// Declares an enum with JavaScript names.
macro_rules! named {
    ($(#[$meta:meta])* $Name:ident { $( $(#[$variant_meta:meta])* $Variant:ident = $name:literal ),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $Name {
            $( $(#[$variant_meta])* #[doc = concat!("\n\nIn JavaScript: `", $name, "`.")] $Variant, )*
        }

        impl $Name {
            /// Returns the name in JavaScript.
            pub fn as_str(self) -> &'static str {
                match self {
                    $( $Name::$Variant => $name, )*
                }
            }
        }
    };
}

named! {
    /// The category of an error, which code that handles errors branches on.
    Kind {
        /// An argument, id or amount of the call is invalid.
        InvalidRequest = "invalid_request",
        /// The token is missing, refused or not authorized.
        Authentication = "authentication",
        /// The record does not exist for this sender.
        NotFound = "not_found",
        /// A limit of amount or count.
        Limit = "limit",
        /// The quote or its corridor.
        Quote = "quote",
        /// The card or its session.
        Card = "card",
        /// Dynamic fields; [`problems`](super::Error::problems) names them.
        Field = "field",
        /// This call or another one has already done it.
        Conflict = "conflict",
        /// The network or the service failed, perhaps temporarily.
        Unavailable = "unavailable",
        Timeout = "timeout",
        /// The caller aborted the call.
        Aborted = "aborted",
        /// The outcome of a sent request is unknown. Resume the attempt.
        OutcomeUnknown = "outcome_unknown",
        Configuration = "configuration",
        /// The card form could not be shown.
        Frame = "frame",
        /// A bug in the SDK.
        Internal = "internal",
    }
}

named! {
    /// What the interface says to do about an error.
    Resolution {
        /// Correct the input and send again.
        CorrectInput = "correct_input",
        /// Fetch the fields again and complete them.
        CompleteFields = "complete_fields",
        /// Fetch a new quote and let the customer confirm it.
        FetchNewQuote = "fetch_new_quote",
        /// Wait until the limit resets, or send less.
        WaitForReset = "wait_for_reset",
        /// Create a new card session and show the form again.
        StartNewCardSession = "start_new_card_session",
        UseAnotherCard = "use_another_card",
        /// Choose a corridor that `corridors()` lists.
        ChooseAnotherCorridor = "choose_another_corridor",
        QuoteBySendAmount = "quote_by_send_amount",
        /// Name the sender in the token or the body.
        NameTheSender = "name_the_sender",
        /// Fund the settlement account.
        FundAccount = "fund_account",
        TryAgainLater = "try_again_later",
        /// Resume the transfer attempt; never start another one.
        ResumeAttempt = "resume_attempt",
        /// Read the transfer, which already exists.
        ReadTheTransfer = "read_the_transfer",
        /// Offer another browser, or another setting of this one.
        UseAnotherBrowser = "use_another_browser",
        /// Contact the service's support; the page can do nothing.
        ContactSupport = "contact_support",
    }
}

//! A session in which a customer enters a card in the hosted form
//! (interface, parts 2 and 4: Card onboarding session).

use super::json::Codec;
use super::operation::{Operation, Sending, operations};
use super::record::{open_enum, record};
use super::{Code, Error, SessionId, StringOrNumber};

open_enum! {
    /// Whose card the customer enters.
    EntityMode ("RECIPIENT, or SENDER") {
        /// The card that money is pushed to.
        Recipient = "RECIPIENT",
        /// The card that money is pulled from.
        Sender = "SENDER",
    }
}

open_enum! {
    /// The state of a session.
    CardSessionStatus ("a status such as INCOMPLETE") {
        /// No card has been verified yet.
        Incomplete = "INCOMPLETE",
        /// A card has been verified; `card_id` names it.
        Succeeded = "SUCCEEDED",
        Expired = "EXPIRED",
    }
}

record! {
    /// What a session is for: the card that receives the money (`RECIPIENT`), or the one that pays
    /// (`SENDER`).
    CardSessionRequest {
        required entity_mode "entityMode": EntityMode,
    }
}

impl CardSessionRequest {
    /// Creates the request for the card of the recipient or of the sender.
    pub fn new(entity_mode: EntityMode) -> Self {
        CardSessionRequest { entity_mode }
    }
}

impl Default for CardSessionRequest {
    /// The recipient's card.
    fn default() -> Self {
        Self::new(EntityMode::Recipient)
    }
}

record! {
    /// A session in which a customer enters one card in the hosted form.
    CardSession {
        required id "id": SessionId,
        required status "status": CardSessionStatus,
        /// When the session ends, ISO 8601.
        required expiration_date "expirationDate": String,
        /// The card's id, once the card is verified.
        optional card_id "cardId": StringOrNumber,
    }
}

impl CardSession {
    /// Creates the error of a form that reports a success of which the session knows nothing.
    #[doc(hidden)]
    pub fn unconfirmed() -> Error {
        Error::new(Code::InvalidCardOnboardingSession).with_developer_message(
            "The card form reported a success that the service does not know of. Start again.",
        )
    }
}

operations!(
    CREATE_CARD_SESSION =
        Operation::post("createCardSession", "/v1/card-onboarding-sessions", Sending::CardSession)
            .with_body(CardSessionRequest::SHAPE)
            .with_reply(CardSession::SHAPE),
    GET_CARD_SESSION =
        Operation::get("getCardSession", "/v1/card-onboarding-sessions/{sessionId}", CardSession::SHAPE),
);

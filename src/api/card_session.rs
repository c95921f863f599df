//! A session in which a customer enters a card in the hosted form
//! (interface, parts 2 and 4: Card onboarding session).

use super::json::Codec;
use super::operation::{Input, Method, Operation, ReplyKind, Sending};
use super::record::{open_enum, record};
use super::{StringOrNumber, Uuid};

open_enum! {
    /// Whose card it is.
    EntityMode ("RECIPIENT, or SENDER") {
        /// The card that money is pushed to.
        Recipient = "RECIPIENT",
        /// The card that money is pulled from.
        Sender = "SENDER",
    }
}

open_enum! {
    /// How far a session is.
    CardSessionStatus ("a status such as INCOMPLETE") {
        /// No card has been verified yet.
        Incomplete = "INCOMPLETE",
        /// A card has been verified, and `card_id` is there.
        Succeeded = "SUCCEEDED",
        /// It no longer works.
        Expired = "EXPIRED",
    }
}

record! {
    /// What a session is for.
    CardSessionRequest {
        /// Whose card it is.
        required entity_mode "entityMode": EntityMode,
    }
}

impl Default for CardSessionRequest {
    /// The card that money is pushed to.
    fn default() -> Self {
        CardSessionRequest { entity_mode: EntityMode::Recipient }
    }
}

record! {
    /// A card onboarding session.
    CardSession {
        /// Names it in the address of the form.
        required id "id": Uuid,
        /// How far it is.
        required status "status": CardSessionStatus,
        /// When it ends, ISO 8601.
        required expiration_date "expirationDate": String,
        /// The card, once it has been verified.
        optional card_id "cardId": StringOrNumber,
    }
}

/// `POST /v1/card-onboarding-sessions`.
pub static CREATE_CARD_SESSION: Operation = Operation {
    name: "createCardSession",
    method: Method::Post,
    path: "/v1/card-onboarding-sessions",
    input: Input::Body(CardSessionRequest::SHAPE),
    reply: ReplyKind::Json(CardSession::SHAPE),
    sending: Sending::CardSession,
    localized: false,
    preceded_by: None,
};

/// `GET /v1/card-onboarding-sessions/{sessionId}`.
pub static GET_CARD_SESSION: Operation = Operation {
    name: "getCardSession",
    method: Method::Get,
    path: "/v1/card-onboarding-sessions/{sessionId}",
    input: Input::None,
    sending: Sending::Read,
    ..CREATE_CARD_SESSION
};

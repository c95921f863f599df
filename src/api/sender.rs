//! Who sends (interface, part 4: Senders).

use super::fields::{FieldValue, RecordField, SENDER_FIELDS};
use super::json::{Codec, Shape};
use super::operation::{Operation, Preceding, Sending};
use super::record::record;
use super::{PartyType, SenderGroupId, Uuid};

record! {
    /// A sender to create, change or replace.
    private SenderRequest {
        required sender_type "senderType": PartyType,
        /// The dynamic fields; for PATCH only those to change.
        required fields "fields": Vec<FieldValue>,
        /// If absent, the default group on creation, and unchanged on update.
        optional sender_group_id "senderGroupId": SenderGroupId,
    }
}

record! {
    /// A sender.
    private Sender {
        required sender_id "senderId": Uuid,
        optional sender_type "senderType": PartyType,
        optional first_name "firstName": String,
        optional last_name "lastName": String,
        optional company_name "companyName": String,
        /// The state of the identity check.
        optional kyc_status "kycStatus": String,
        /// ISO 8601.
        optional created_at "createdAt": String,
        /// Whether the sender can no longer send.
        optional is_deactivated "isDeactivated": bool,
        optional fields "fields": Vec<RecordField>,
    }
}

record! {
    /// The sender that the token stands for.
    SenderId {
        required sender_id "senderId": Uuid,
    }
}

const FIELDS_FIRST: Preceding =
    Preceding { operation: &SENDER_FIELDS, query: &[("senderType", "senderType")] };

/// The reply to a change, which may leave out the id that the path names.
const CHANGED: &Shape = match Sender::SHAPE {
    Shape::Record([_, others @ ..]) => &Shape::Record(others),
    other => other,
};

/// `POST /v1/senders`.
#[doc(hidden)]
pub static CREATE_SENDER: Operation = Operation::post("createSender", "/v1/senders", Sending::CreateOnce)
    .with_body(SenderRequest::SHAPE)
    .with_reply(Sender::SHAPE)
    .after(FIELDS_FIRST);

/// `PATCH /v1/senders/{senderId}`: changes only what the body includes.
#[doc(hidden)]
pub static UPDATE_SENDER: Operation = Operation::patch("updateSender", "/v1/senders/{senderId}")
    .with_body(SenderRequest::SHAPE)
    .with_reply(CHANGED)
    .after(FIELDS_FIRST);

/// `PUT /v1/senders/{senderId}`: replaces the whole record.
#[doc(hidden)]
pub static REPLACE_SENDER: Operation = Operation::put("replaceSender", "/v1/senders/{senderId}")
    .with_body(SenderRequest::SHAPE)
    .with_reply(CHANGED)
    .after(FIELDS_FIRST);

/// `GET /v1/senders/{senderId}`.
#[doc(hidden)]
pub static GET_SENDER: Operation = Operation::get("getSender", "/v1/senders/{senderId}", Sender::SHAPE);

/// `DELETE /v1/senders/{senderId}`.
#[doc(hidden)]
pub static DELETE_SENDER: Operation = Operation::delete("deleteSender", "/v1/senders/{senderId}");

/// `GET /v1/sender-id`.
#[doc(hidden)]
pub static SENDER_ID: Operation = Operation::get("senderId", "/v1/sender-id", SenderId::SHAPE);

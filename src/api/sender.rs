//! Who sends (interface, part 4: Senders).

use super::fields::{FieldValue, RecordField, SENDER_FIELDS};
use super::json::{Codec, Field, Shape};
use super::operation::{Operation, Preceding, Sending};
use super::record::{open_enum, record};
use super::{PartyType, SenderGroupId, SenderId};

record! {
    /// A sender to create, change or replace.
    private SenderRequest {
        required sender_type "senderType": PartyType,
        /// The dynamic fields; for PATCH only those to change.
        required fields "fields": Vec<FieldValue>,
        /// If absent, the default group on creation, and unchanged on update.
        optional sender_group_id "senderGroupId": SenderGroupId = with_sender_group_id,
    }
}

impl SenderRequest {
    /// Creates the request.
    pub fn new(sender_type: PartyType, fields: Vec<FieldValue>) -> Self {
        SenderRequest { sender_type, fields, sender_group_id: None }
    }
}

open_enum! {
    /// The state of a sender's identity check.
    KycStatus ("a status such as PASSED") {
        Unknown = "UNKNOWN",
        Skipped = "SKIPPED",
        Passed = "PASSED",
        /// The sender must show a document.
        IdRequired = "ID_REQUIRED",
        Failed = "FAILED",
        Pending = "PENDING",
        /// The check could not be made.
        RequestFailed = "REQUEST_FAILED",
    }
}

record! {
    /// A sender.
    private Sender {
        required sender_id "senderId": SenderId,
        optional sender_type "senderType": PartyType,
        optional first_name "firstName": String,
        optional last_name "lastName": String,
        optional company_name "companyName": String,
        optional kyc_status "kycStatus" as String: KycStatus,
        /// ISO 8601.
        optional created_at "createdAt": String,
        /// Whether the sender can no longer send.
        optional is_deactivated "isDeactivated": bool,
        optional fields "fields": Vec<RecordField>,
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

/// The sender that the token stands for.
const OF_TOKEN: &Shape =
    &Shape::Record(&[Field { name: "senderId", shape: SenderId::SHAPE, required: true }]);

/// `GET /v1/sender-id`.
#[doc(hidden)]
pub static SENDER_ID: Operation = Operation::get("senderId", "/v1/sender-id", OF_TOKEN);

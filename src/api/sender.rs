//! Who sends (interface, part 4: Senders).

use super::fields::{FieldValue, RecordField, SENDER_FIELDS};
use super::json::{Codec, Field, Shape};
use super::operation::{Operation, Sending, operations};
use super::record::{open_enum, record};
use super::{PartyType, SenderGroupId, SenderId};

record! {
    /// A sender to create, update or replace.
    private SenderRequest {
        required sender_type "senderType": PartyType,
        /// The dynamic fields, as a `FieldForm` makes them of what a customer typed; for an update only
        /// those to change.
        required fields "fields": Vec<FieldValue>,
        /// If absent, `null` or empty: the default group on creation, and unchanged on update.
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

/// The reply to a change, which may leave out the id that the path names.
const CHANGED: &Shape = match Sender::SHAPE {
    Shape::Record([_, others @ ..]) => &Shape::Record(others),
    other => other,
};

/// The sender that the token stands for.
const OF_TOKEN: &Shape =
    &Shape::Record(&[Field { name: "senderId", shape: SenderId::SHAPE, required: true }]);

operations!(
    CREATE_SENDER = Operation::post("createSender", "/v1/senders", Sending::CreateOnce)
        .with_body(SenderRequest::SHAPE)
        .with_reply(Sender::SHAPE)
        .after(&SENDER_FIELDS),
    UPDATE_SENDER = Operation::patch("updateSender", "/v1/senders/{senderId}")
        .with_body(SenderRequest::SHAPE)
        .with_reply(CHANGED)
        .after(&SENDER_FIELDS),
    REPLACE_SENDER = Operation::put("replaceSender", "/v1/senders/{senderId}")
        .with_body(SenderRequest::SHAPE)
        .with_reply(CHANGED)
        .after(&SENDER_FIELDS),
    GET_SENDER = Operation::get("getSender", "/v1/senders/{senderId}", Sender::SHAPE),
    DELETE_SENDER = Operation::delete("deleteSender", "/v1/senders/{senderId}"),
    SENDER_ID = Operation::get("senderId", "/v1/sender-id", OF_TOKEN),
);

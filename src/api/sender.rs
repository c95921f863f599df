//! Who sends (interface, part 4: Senders).

use super::fields::{FieldValue, RecordField};
use super::json::{Codec, Shape};
use super::operation::{Input, Method, Operation, Preceding, ReplyKind, Sending};
use super::record::record;
use super::{PartyType, SenderGroupId, Uuid, fields};

record! {
    /// A sender to create, change or replace.
    private SenderRequest {
        /// A person or a business.
        required sender_type "senderType": PartyType,
        /// The dynamic fields; with PATCH only those to change.
        required fields "fields": Vec<FieldValue>,
        /// The group; the default one on creation, unchanged on update when absent.
        optional sender_group_id "senderGroupId": SenderGroupId,
    }
}

record! {
    /// A sender.
    private Sender {
        /// Its id.
        required sender_id "senderId": Uuid,
        /// A person or a business.
        optional sender_type "senderType": PartyType,
        /// A person's first name.
        optional first_name "firstName": String,
        /// A person's last name.
        optional last_name "lastName": String,
        /// A business's name.
        optional company_name "companyName": String,
        /// How far the identity check is.
        optional kyc_status "kycStatus": String,
        /// When it was created, ISO 8601.
        optional created_at "createdAt": String,
        /// Whether it can no longer send.
        optional is_deactivated "isDeactivated": bool,
        /// The dynamic fields.
        optional fields "fields": Vec<RecordField>,
    }
}

record! {
    /// The sender that the token stands for.
    SenderId {
        /// The id.
        required sender_id "senderId": Uuid,
    }
}

const FIELDS_FIRST: Option<Preceding> =
    Some(Preceding { operation: &fields::SENDER_FIELDS, query: &[("senderType", "senderType")] });

/// `POST /v1/senders`.
pub static CREATE_SENDER: Operation = Operation {
    name: "createSender",
    method: Method::Post,
    path: "/v1/senders",
    input: Input::Body(SenderRequest::SHAPE),
    reply: ReplyKind::Json(Sender::SHAPE),
    sending: Sending::CreateOnce,
    localized: false,
    preceded_by: FIELDS_FIRST,
};

/// What a change is answered with: the path has said whose record it is.
const CHANGED: &Shape = match Sender::SHAPE {
    Shape::Record([_, others @ ..]) => &Shape::Record(others),
    other => other,
};

/// `PATCH /v1/senders/{senderId}`: only what is included changes.
pub static UPDATE_SENDER: Operation = Operation {
    name: "updateSender",
    method: Method::Patch,
    path: "/v1/senders/{senderId}",
    reply: ReplyKind::Json(CHANGED),
    sending: Sending::Replace,
    preceded_by: FIELDS_FIRST,
    ..CREATE_SENDER
};

/// `PUT /v1/senders/{senderId}`: the whole record is replaced.
pub static REPLACE_SENDER: Operation =
    Operation { name: "replaceSender", method: Method::Put, preceded_by: FIELDS_FIRST, ..UPDATE_SENDER };

/// `GET /v1/senders/{senderId}`.
pub static GET_SENDER: Operation = Operation {
    name: "getSender",
    method: Method::Get,
    input: Input::None,
    reply: ReplyKind::Json(Sender::SHAPE),
    sending: Sending::Read,
    preceded_by: None,
    ..UPDATE_SENDER
};

/// `DELETE /v1/senders/{senderId}`.
pub static DELETE_SENDER: Operation = Operation {
    name: "deleteSender",
    method: Method::Delete,
    input: Input::None,
    reply: ReplyKind::Nothing,
    preceded_by: None,
    ..UPDATE_SENDER
};

/// `GET /v1/sender-id`.
pub static SENDER_ID: Operation = Operation {
    name: "senderId",
    method: Method::Get,
    path: "/v1/sender-id",
    input: Input::None,
    reply: ReplyKind::Json(SenderId::SHAPE),
    sending: Sending::Read,
    localized: false,
    preceded_by: None,
};

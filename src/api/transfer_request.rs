//! How far the service is with a request for a transfer.

use super::json::Codec;
use super::operation::{Input, Method, Operation, ReplyKind, Sending};
use super::record::record;
use super::{StringOrNumber, Uuid};

record! {
    /// The state of a transfer request.
    TransferRequestStatus {
        /// Names the state.
        optional id "id": StringOrNumber,
        /// UNKNOWN, CREATED, PROCESSING, INVALID, FAILED_TO_PROCESS, PROCESSED or CANCELED.
        optional name "name": String,
    }
}

record! {
    /// A request for a transfer.
    TransferRequestRecord {
        /// Its id.
        optional transfer_request_id "transferRequestId": Uuid,
        /// Its state.
        optional status "status": TransferRequestStatus,
    }
}

/// `GET /transferrequests/v1/transfer-requests/{transferRequestId}`.
pub static TRANSFER_REQUEST: Operation = Operation {
    name: "transferRequest",
    method: Method::Get,
    path: "/transferrequests/v1/transfer-requests/{transferRequestId}",
    input: Input::None,
    reply: ReplyKind::Json(TransferRequestRecord::SHAPE),
    sending: Sending::Read,
    localized: false,
    preceded_by: None,
};

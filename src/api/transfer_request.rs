//! The state of a transfer request.

use super::json::Codec;
use super::operation::Operation;
use super::record::record;
use super::{StringOrNumber, Uuid};

record! {
    /// The state of a transfer request.
    TransferRequestStatus {
        optional id "id": StringOrNumber,
        /// UNKNOWN, CREATED, PROCESSING, INVALID, FAILED_TO_PROCESS, PROCESSED or CANCELED.
        optional name "name": String,
    }
}

record! {
    /// A transfer request.
    TransferRequestRecord {
        optional transfer_request_id "transferRequestId": Uuid,
        optional status "status": TransferRequestStatus,
    }
}

/// `GET /transferrequests/v1/transfer-requests/{transferRequestId}`.
#[doc(hidden)]
pub static TRANSFER_REQUEST: Operation = Operation::get(
    "transferRequest",
    "/transferrequests/v1/transfer-requests/{transferRequestId}",
    TransferRequestRecord::SHAPE,
);

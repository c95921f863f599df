//! The state of a transfer request.

use super::json::Codec;
use super::operation::{Operation, operations};
use super::record::{open_enum, record};
use super::{StringOrNumber, TransferRequestId};

open_enum! {
    /// The name of a transfer request's state.
    TransferRequestStatusName ("a state such as PROCESSED") {
        Unknown = "UNKNOWN",
        Created = "CREATED",
        Processing = "PROCESSING",
        Invalid = "INVALID",
        FailedToProcess = "FAILED_TO_PROCESS",
        Processed = "PROCESSED",
        Canceled = "CANCELED",
    }
}

record! {
    /// The state of a transfer request.
    TransferRequestStatus {
        optional id "id": StringOrNumber,
        optional name "name" as String: TransferRequestStatusName,
    }
}

record! {
    /// The processing state of a transfer request.
    TransferRequestRecord {
        optional transfer_request_id "transferRequestId": TransferRequestId,
        optional status "status": TransferRequestStatus,
    }
}

operations!(
    TRANSFER_REQUEST = Operation::get(
        "transferRequest",
        "/transferrequests/v1/transfer-requests/{transferRequestId}",
        TransferRequestRecord::SHAPE,
    ),
);

//! What the service's answers mean for an attempt.

use super::Reply;
use crate::api::{Code, Error, Kind, TransferId, TransferProgress, TransferRecordStatus};

/// The result of a POST of the attempt.
#[derive(Debug)]
pub(super) enum Posted {
    /// The transfer was made.
    Created,
    /// The service refused the transfer.
    Refused(Error),
    /// The quote or the nonce was used before, maybe by this very attempt: a browser may itself repeat a
    /// POST.
    Duplicate(Error),
    /// The service is too busy.
    Busy(Error),
    /// The token was not valid, or the request was not sent; this says nothing about the transfer.
    NotProcessed(Error),
    /// There was no conclusive answer; the service may still process the request.
    NoResponse,
}

impl Posted {
    /// Classifies an answer that is no success.
    pub(super) fn of(error: Error) -> Self {
        match (error.http_status(), error.code()) {
            (Some(_), Code::TransferDuplicatedByQuote | Code::NonceAlreadyUsed) => Posted::Duplicate(error),
            (Some(429), _) => Posted::Busy(error),
            (Some(401), _) => Posted::NotProcessed(error),
            (Some(403), _) if error.is_of_service() => Posted::NotProcessed(error),
            (Some(400..=407 | 410..=499), _) if error.is_of_service() => Posted::Refused(error),
            // The service may still process it, or a gateway answered in its place.
            _ => Posted::NoResponse,
        }
    }
}

/// The answer of `/transfers/progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgressStatus {
    Created,
    Failed,
    Initializing,
    NotInProgress,
    /// The service does not know the quote, which proves nothing about what was sent.
    UnknownQuote,
    /// There was no valid token.
    SignedOut,
    /// There was no answer, or no conclusive one.
    Unanswered,
}

impl ProgressStatus {
    /// Classifies a progress, and returns its transfer if there is one.
    pub(super) fn of(progress: Result<Reply, Error>) -> (Self, Option<TransferId>) {
        match progress.and_then(|reply| reply.read::<TransferProgress>()) {
            Ok(progress) => {
                let status = match progress.status {
                    TransferRecordStatus::Created => ProgressStatus::Created,
                    TransferRecordStatus::Failed => ProgressStatus::Failed,
                    TransferRecordStatus::Initializing => ProgressStatus::Initializing,
                    TransferRecordStatus::NotInProgress => ProgressStatus::NotInProgress,
                    TransferRecordStatus::Other(_) => ProgressStatus::Unanswered,
                };
                (status, progress.transfer_id)
            }
            Err(error) if error.code() == Code::QuoteHistoryNotFound => (ProgressStatus::UnknownQuote, None),
            Err(error) if error.kind() == Kind::Authentication => (ProgressStatus::SignedOut, None),
            Err(_) => (ProgressStatus::Unanswered, None),
        }
    }
}

//! What the service has said of an attempt, in the words of its settlement.

use super::Reply;
use crate::api::{Code, Error, Kind, StringOrNumber, TransferProgress, TransferRecordStatus};

/// What a POST of the attempt led to.
#[derive(Debug)]
pub enum Posted {
    /// The transfer was made.
    Created,
    /// The service refused it for a reason of its own.
    Refused(Error),
    /// The service says that its quote or nonce was used already. That can mean this very attempt, as a
    /// browser may itself repeat a POST.
    Duplicate(Error),
    /// The service has no time for it now.
    Busy(Error),
    /// It had no valid token, or was not sent after all, which says nothing of the transfer.
    NotProcessed(Error),
    /// There was no answer, or none that decides, or the service may still be at work on it.
    NoResponse,
}

impl Posted {
    /// What an answer that is no success means for the attempt.
    pub(super) fn of(error: Error) -> Self {
        match (error.http_status(), error.code()) {
            (Some(_), Code::TransferDuplicatedByQuote | Code::NonceAlreadyUsed) => Posted::Duplicate(error),
            (Some(429), _) => Posted::Busy(error),
            (Some(401), _) => Posted::NotProcessed(error),
            (Some(403), _) if error.is_of_service() => Posted::NotProcessed(error),
            (Some(400..=407 | 410..=499), _) if error.is_of_service() => Posted::Refused(error),
            // The service may still be at work on it, or anything on the way may have answered in its place.
            _ => Posted::NoResponse,
        }
    }
}

/// What `/transfers/progress` told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressStatus {
    /// The transfer was made.
    Created,
    /// It could not be made.
    Failed,
    /// It is being made.
    Initializing,
    /// There is none.
    NotInProgress,
    /// The service does not know the quote, which proves nothing of what was sent.
    UnknownQuote,
    /// Nothing was told for want of a valid token.
    SignedOut,
    /// No answer, or one that says nothing.
    Unanswered,
}

impl ProgressStatus {
    /// What the answer tells, and which transfer once it was made.
    pub(super) fn of(
        progress: Result<Reply, Error>,
        believes_unknown: bool,
    ) -> (Self, Option<StringOrNumber>) {
        match progress.and_then(|received| received.read::<TransferProgress>()) {
            Ok(progress) => {
                let asked = match progress.status {
                    TransferRecordStatus::Created => ProgressStatus::Created,
                    TransferRecordStatus::Failed => ProgressStatus::Failed,
                    TransferRecordStatus::Initializing => ProgressStatus::Initializing,
                    TransferRecordStatus::NotInProgress => ProgressStatus::NotInProgress,
                    TransferRecordStatus::Other(_) => ProgressStatus::Unanswered,
                };
                (asked, progress.transfer_id)
            }
            Err(error) if error.code() == Code::QuoteHistoryNotFound && believes_unknown => {
                (ProgressStatus::NotInProgress, None)
            }
            Err(error) if error.code() == Code::QuoteHistoryNotFound => (ProgressStatus::UnknownQuote, None),
            Err(error) if error.kind() == Kind::Authentication => (ProgressStatus::SignedOut, None),
            Err(_) => (ProgressStatus::Unanswered, None),
        }
    }
}

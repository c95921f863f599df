//! Ending a hold: the transfer's status decides, not an answer that may be to a copy of the request.

use super::Reply;
use super::call_context::CallContext;
use super::exchange::SendOutcome;
use super::records::may_follow_commit;
use crate::api::{CANCEL_CUSTOMER_HOLD, Code, Error, GET_TRANSFER, Operation, Request};

/// The state of a hold, by its transfer's status.
#[derive(Clone, Copy, PartialEq)]
enum Hold {
    /// Ended by the operation.
    Ended,
    Held,
    /// Ended by another operation.
    EndedOtherwise,
    /// The status is unknown or was not read.
    Unknown,
}

impl CallContext {
    pub(super) async fn end_hold(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let mut outcome = self.send(operation, request.clone()).await;
        // A service that knows no such transfer has ended no hold of it.
        let is_not_found =
            |error: &Error| error.code() == Code::TransferNotFound && !may_follow_commit(error);
        if matches!(&outcome, SendOutcome::Refused(error) if is_not_found(error)) {
            return outcome.into_result();
        }
        let is_cancel = operation.name == CANCEL_CUSTOMER_HOLD.name;
        let mut hold = self.read_hold(&outcome, is_cancel, &request).await;
        let mut is_repeated = false;
        // A new token allows one more request: ending a hold is idempotent.
        if hold == Hold::Held
            && matches!(&outcome, SendOutcome::Refused(error) if error.http_status() == Some(401))
        {
            is_repeated = true;
            outcome = self.send(operation, request.clone()).await;
            hold = self.read_hold(&outcome, is_cancel, &request).await;
        }
        // A hold of the system keeps a released transfer in the status that the customer's hold gave it.
        let is_open = is_repeated || hold == Hold::Unknown || hold == Hold::Held && !is_cancel;
        match outcome {
            SendOutcome::Refused(_) | SendOutcome::Lost(_) if hold == Hold::Ended => {
                Ok(Reply::of(String::new()))
            }
            SendOutcome::Lost(error) => Err(Error::new(Code::OutcomeUnknown).with_status_of(&error)),
            SendOutcome::Refused(error) if is_open || may_follow_commit(&error) => {
                Err(Error::new(Code::OutcomeUnknown).with_status_of(&error))
            }
            outcome => outcome.into_result(),
        }
    }

    /// Reads the state of the hold if the outcome leaves it open.
    async fn read_hold(&self, outcome: &SendOutcome, is_cancel: bool, request: &Request) -> Hold {
        if !matches!(outcome, SendOutcome::Refused(_) | SendOutcome::Lost(_)) {
            return Hold::Unknown;
        }
        // The part before `/customer-hold/release`. Searching for that text would add 1.5 kB of code.
        let path = request.path.rsplitn(3, '/').nth(2).unwrap_or_default();
        let read =
            Request { method: GET_TRANSFER.method, path: path.to_owned(), body: None, ..request.clone() };
        let SendOutcome::Reply(transfer) = self.send(&GET_TRANSFER, read).await else {
            return Hold::Unknown;
        };
        let Some(status) = transfer.view().text_of("status") else { return Hold::Unknown };
        let status = status.to_ascii_lowercase();
        let is_cancelled = status.ends_with("canceled") || status.ends_with("cancelation");
        let is_released = matches!(status.as_str(), "pending" | "complete" | "failed");
        match if is_cancel { is_cancelled } else { is_released } {
            true => Hold::Ended,
            false if is_cancelled || is_released => Hold::EndedOtherwise,
            false => Hold::Held,
        }
    }
}

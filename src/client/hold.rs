//! Ending a hold: what the transfer's status says counts, and not an answer that may be about a copy of the
//! request.

use super::Reply;
use super::create::may_be_done;
use super::exchange::SendOutcome;
use super::flow::FlowContext;
use super::safeguards::Safeguard;
use crate::api::{CANCEL_CUSTOMER_HOLD, Code, Error, GET_TRANSFER, Operation, Request};

/// Where a transfer is found whose hold was to end.
#[derive(Clone, Copy, PartialEq)]
enum Found {
    /// Where the operation takes it.
    Ended,
    /// Where a hold keeps it.
    Held,
    /// Where another operation has taken it.
    Elsewhere,
    /// The service does not tell.
    Untold,
}

impl FlowContext {
    pub(super) async fn end_hold(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let mut ended = self.send(operation, request.clone()).await;
        if self.core.is_disabled(Safeguard::Hold) {
            return ended.into_result();
        }
        let is_cancel = operation.name == CANCEL_CUSTOMER_HOLD.name;
        let mut found = self.find_held(&ended, is_cancel, &request).await;
        let mut is_repeated = false;
        // With a new token it may go once more: to end a hold twice does what once does.
        if found == Found::Held
            && matches!(&ended, SendOutcome::Refused(error) if error.http_status() == Some(401))
        {
            is_repeated = true;
            ended = self.send(operation, request.clone()).await;
            found = self.find_held(&ended, is_cancel, &request).await;
        }
        // The system's hold keeps a transfer where the customer's has kept it until then.
        let is_open = is_repeated || found == Found::Untold || found == Found::Held && !is_cancel;
        match ended {
            SendOutcome::Refused(_) | SendOutcome::Lost(_) if found == Found::Ended => {
                Ok(Reply::of(String::new()))
            }
            SendOutcome::Lost(error) => Err(Error::new(Code::OutcomeUnknown).following(&error)),
            SendOutcome::Refused(error) if is_open || may_be_done(&error) => {
                Err(Error::new(Code::OutcomeUnknown).following(&error))
            }
            ended => ended.into_result(),
        }
    }

    /// Reads the transfer where the answer leaves a doubt.
    async fn find_held(&self, ended: &SendOutcome, is_cancel: bool, request: &Request) -> Found {
        if !matches!(ended, SendOutcome::Refused(_) | SendOutcome::Lost(_)) {
            return Found::Untold;
        }
        // Before `/customer-hold/release`. A search for a text would bring 1.5 kB of code along, for this
        // alone.
        let path = request.path.rsplitn(3, '/').nth(2).unwrap_or_default();
        let question =
            Request { method: GET_TRANSFER.method, path: path.to_owned(), body: None, ..request.clone() };
        let SendOutcome::Reply(transfer) = self.send(&GET_TRANSFER, question).await else {
            return Found::Untold;
        };
        let Some(status) = transfer.view().text_of("status") else { return Found::Untold };
        let status = status.to_ascii_lowercase();
        let is_cancelled = status.ends_with("canceled") || status.ends_with("cancelation");
        let is_released = matches!(status.as_str(), "pending" | "complete" | "failed");
        match if is_cancel { is_cancelled } else { is_released } {
            true => Found::Ended,
            false if is_cancelled || is_released => Found::Elsewhere,
            false => Found::Held,
        }
    }
}

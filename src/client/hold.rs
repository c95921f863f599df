//! Ending a hold: what the transfer's status says counts, and not an answer that may be about a copy of the
//! request.

use super::Reply;
use super::create::may_be_done;
use super::exchange::SendOutcome;
use super::flow::FlowContext;
use super::weakness::Weakness;
use crate::api::{CANCEL_CUSTOMER_HOLD, Code, Error, GET_TRANSFER, Operation, Request};

impl FlowContext {
    pub(super) async fn end_hold(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let mut ended = self.send(operation, request.clone()).await;
        if self.core.lacks(Weakness::Hold) {
            return ended.into_result();
        }
        let mut is_done = None;
        let mut is_repeated = false;
        if matches!(&ended, SendOutcome::Refused(_) | SendOutcome::Lost(_)) {
            is_done = self.has_ended_hold(operation, &request).await;
        }
        // With a new token it may go once more: to end a hold twice does what once does.
        if is_done == Some(false)
            && matches!(&ended, SendOutcome::Refused(error) if error.http_status() == Some(401))
        {
            is_repeated = true;
            ended = self.send(operation, request.clone()).await;
            if matches!(&ended, SendOutcome::Refused(_) | SendOutcome::Lost(_)) {
                is_done = self.has_ended_hold(operation, &request).await;
            }
        }
        match ended {
            SendOutcome::Refused(_) | SendOutcome::Lost(_) if is_done == Some(true) => {
                Ok(Reply::of(String::new()))
            }
            SendOutcome::Lost(error) => Err(Error::new(Code::OutcomeUnknown).following(&error)),
            SendOutcome::Refused(error) if is_repeated || is_done.is_none() || may_be_done(&error) => {
                Err(Error::new(Code::OutcomeUnknown).following(&error))
            }
            ended => ended.into_result(),
        }
    }

    /// Whether the transfer is where this operation takes it; nothing where the service does not tell.
    async fn has_ended_hold(&self, operation: &Operation, request: &Request) -> Option<bool> {
        // Before `/customer-hold/release`. A search for a text would bring 1.5 kB of code along, for this
        // alone.
        let path = request.path.rsplitn(3, '/').nth(2)?;
        let question =
            Request { method: GET_TRANSFER.method, path: path.to_owned(), body: None, ..request.clone() };
        let SendOutcome::Reply(transfer) = self.send(&GET_TRANSFER, question).await else { return None };
        let status = transfer.view().text_of("status")?.to_ascii_lowercase();
        let is_cancelled = status.ends_with("canceled") || status.ends_with("cancelation");
        Some(match operation.name == CANCEL_CUSTOMER_HOLD.name {
            true => is_cancelled,
            false => matches!(status.as_str(), "pending" | "complete" | "failed"),
        })
    }
}

//! Deletion of a record. A record that is gone is no error: an earlier call may have deleted it unanswered.

use super::Reply;
use super::create::may_be_done;
use super::exchange::{SendOutcome, is_gone};
use super::flow::FlowContext;
use crate::api::{Error, Kind, Operation, Request};

impl FlowContext {
    pub(super) async fn delete(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let path = request.path.clone();
        let ended = self.send(operation, request).await;
        let mut open = self.core.0.open_deletions.borrow_mut();
        let was_open = open.contains(&path);
        let is_open = match &ended {
            SendOutcome::Reply(_) => false,
            SendOutcome::Refused(error) if was_open && error.kind() == Kind::NotFound => {
                !is_gone(operation, error)
            }
            SendOutcome::Refused(error) => was_open || may_be_done(error),
            SendOutcome::Lost(_) => true,
            SendOutcome::NotSent(_) => was_open,
        };
        if is_open && !was_open {
            open.push(path);
        } else if was_open && !is_open {
            open.retain(|one| *one != path);
            if let SendOutcome::Refused(_) = ended {
                return Ok(Reply::of(String::new()));
            }
        }
        ended.into_result()
    }
}

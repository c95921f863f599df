//! Deleting a record. A record that is gone is no error if an earlier deletion had no answer.

use super::Reply;
use super::create::may_follow_commit;
use super::exchange::{SendOutcome, is_gone};
use super::flow::FlowContext;
use crate::api::{Error, Kind, Operation, Request};

impl FlowContext {
    pub(super) async fn delete(&self, operation: &Operation, request: Request) -> Result<Reply, Error> {
        let path = request.path.clone();
        let outcome = self.send(operation, request).await;
        let mut open = self.core.0.open_deletions.borrow_mut();
        let was_open = open.contains(&path);
        let is_open = match &outcome {
            SendOutcome::Reply(_) => false,
            SendOutcome::Refused(error) if was_open && error.kind() == Kind::NotFound => {
                !is_gone(operation, error)
            }
            SendOutcome::Refused(error) => was_open || may_follow_commit(error),
            SendOutcome::Lost(_) => true,
            SendOutcome::NotSent(_) => was_open,
        };
        if is_open && !was_open {
            open.push(path);
        } else if was_open && !is_open {
            open.retain(|one| *one != path);
            if let SendOutcome::Refused(_) = outcome {
                return Ok(Reply::of(String::new()));
            }
        }
        outcome.into_result()
    }
}

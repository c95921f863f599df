//! A transfer that was made leaves the journal once its customer knows.

use super::AttemptState;
use super::flow::FlowContext;
use super::kept::Kept;
use super::submission::unknown;
use crate::api::{Code, Error};

/// How long a transfer that was made stays in the journal, so that a page which goes away in this very moment
/// finds it again.
const SHOWN_AFTER_MS: u32 = 5_000;

impl FlowContext {
    /// Lets the journal forget a transfer that was made, once the page has had the time to show it.
    pub(super) async fn forget(&self, quote_history_id: &str, nonce: &str) -> Result<(), Error> {
        self.wait(SHOWN_AFTER_MS).await;
        self.acknowledge(quote_history_id, nonce).await
    }

    /// Lets the journal forget a transfer that was made, as its customer has been told of it.
    pub(super) async fn acknowledge(&self, quote_history_id: &str, nonce: &str) -> Result<(), Error> {
        // Under the lock, so that a removal which takes long erases no later attempt with the quote.
        self.require_lock(quote_history_id).await?;
        let state = self.known(quote_history_id, nonce).map(|known| known.state);
        let entry = match self.load(quote_history_id).await? {
            Kept::Entry(entry) if entry.is_of(quote_history_id, nonce) => entry,
            _ if state == Some(AttemptState::Sent) => return Err(unknown(quote_history_id)),
            _ => return Ok(()),
        };
        match entry.state {
            AttemptState::Prepared if state != Some(AttemptState::Created) => {
                Err(Error::invalid(Code::InvalidRequest, "attempt", "submitted before"))
            }
            // The journal may have failed to note that it was made.
            AttemptState::Sent if state != Some(AttemptState::Created) => Err(unknown(quote_history_id)),
            _ => self.remove(&entry).await,
        }
    }
}

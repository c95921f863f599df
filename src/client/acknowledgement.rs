//! Acknowledgement: a made transfer leaves the journal once its customer knows of it.

use super::AttemptState;
use super::flow::FlowContext;
use super::journal::AttemptId;
use super::stored_attempts::Stored;
use super::submission::unknown;
use crate::api::{Code, Error};

/// How long a made transfer stays in the journal, so that a page that is closed just now finds it again.
const SHOWN_AFTER_MS: u32 = 5_000;

impl FlowContext {
    /// Removes a made transfer from the journal once the page has had time to show it.
    pub(super) async fn forget(&self, id: &AttemptId) -> Result<(), Error> {
        self.wait(SHOWN_AFTER_MS).await;
        self.acknowledge(id).await
    }

    /// Removes a made transfer from the journal.
    pub(super) async fn acknowledge(&self, id: &AttemptId) -> Result<(), Error> {
        let quote_history_id = &*id.quote_history_id;
        // Under the lock, so that a slow removal erases no later attempt with the quote.
        self.require_lock(quote_history_id).await?;
        let state = self.known(id).map(|known| known.state);
        let entry = match self.load(quote_history_id).await? {
            Stored::Entry(entry) if entry.is_of(id) => entry,
            _ if state == Some(AttemptState::Sent) => return Err(unknown(quote_history_id)),
            _ => return Ok(()),
        };
        match entry.state {
            AttemptState::Prepared if state != Some(AttemptState::Created) => {
                Err(Error::invalid(Code::InvalidRequest, "attempt", "submitted before"))
            }
            // The journal may have failed to save that it was made.
            AttemptState::Sent if state != Some(AttemptState::Created) => Err(unknown(quote_history_id)),
            _ => self.remove(&entry).await,
        }
    }
}

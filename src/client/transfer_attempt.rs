use std::rc::Rc;

use super::journal::Entry;
use super::{Client, Environment, Task, TransferOutcome};
use crate::api::Error;

/// A transfer that is about to happen, bound to one quote, one nonce and one body. It may be submitted any number of
/// times, by any page that finds it in the journal: the transfer happens once.
pub struct TransferAttempt<E: Environment> {
    pub(super) client: Client<E>,
    pub(super) entry: Box<Entry>,
}

impl<E: Environment> TransferAttempt<E> {
    /// The quote that the attempt is bound to, which names it.
    #[must_use]
    pub fn quote_history_id(&self) -> &str {
        self.entry.quote_history_id.as_str()
    }

    /// What may be known of it, as JSON text: `{quoteHistoryId, nonce, createdAt, state, expiresAt?, transferId?, details?}`. The details are
    /// amount, route and recipient of the request, and the quote's `sendAmount?`, `receiveAmount?` and `totalCost?`; a whole number beyond 2^53
    /// is a string of its digits and a mark.
    #[must_use]
    pub fn summary(&self) -> String {
        self.entry.summary()
    }

    /// Brings the attempt to its outcome: posts it, or first asks what became of it. While it runs, whoever submits
    /// it too waits for the same outcome, in another tab too.
    ///
    /// # Errors
    /// The service's refusal, after which no transfer was made; `outcome_unknown`, after which it can be submitted again to learn more;
    /// anything else before it was sent.
    pub async fn submit(&self, signal: &E::Signal) -> Result<Rc<TransferOutcome>, Error> {
        self.client.submit_transfer(self.quote_history_id(), self.entry.nonce.as_str(), signal).await
    }

    /// Drops an attempt of which nothing was sent, so that nobody resumes it.
    ///
    /// # Errors
    /// `outcome_unknown` if it was sent, `conflict` if the transfer was made: then it stays.
    pub async fn discard(&self, signal: &E::Signal) -> Result<(), Error> {
        self.client.discard_transfer(self.quote_history_id(), self.entry.nonce.as_str(), signal).await
    }

    /// Lets the journal forget a transfer that was made, once the customer has been told of it. Otherwise it is there for a page that
    /// loads within 5 seconds of the outcome, until that page has submitted it again.
    ///
    /// # Errors
    /// `outcome_unknown` while the outcome is open, `invalid_request` if nothing was sent: then it stays.
    pub async fn acknowledge(&self, signal: &E::Signal) -> Result<(), Error> {
        let nonce = self.entry.nonce.as_str().to_owned();
        let task = Task::Acknowledge(self.quote_history_id().to_owned(), nonce);
        self.client.run(task, signal).await.map(drop)
    }
}

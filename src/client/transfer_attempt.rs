use serde::{Serialize, Serializer};

use super::journal::{AttemptState, Entry, TransferDetails};
use super::submission::unknown;
use super::{Client, Environment, Outcome, PendingCall, Task};
use crate::api::json::{Codec, JsonRef, serialize_json_ref};
use crate::api::{StringOrNumber, Transfer, Uuid};

/// A transfer that is about to happen, bound to one quote, one nonce and one body. It may be submitted any
/// number of times, by any page that finds it in the journal: the transfer happens once.
///
/// Serialized it is `{quoteHistoryId, nonce, createdAt, state, expiresAt?, transferId?, details?}`, times in
/// milliseconds since 1970.
pub struct TransferAttempt<E: Environment> {
    pub(super) client: Client<E>,
    pub(super) entry: Box<Entry>,
}

/// A transfer that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletedTransfer {
    /// The transfer as the service shows it.
    pub transfer: Transfer,
    /// Whether the first answer was lost, and the transfer was found to have been made.
    pub recovered: bool,
}

impl<E: Environment> TransferAttempt<E> {
    /// The attempt that a client's [`Outcome`] tells of.
    #[must_use]
    pub fn of_entry(client: &Client<E>, entry: Box<Entry>) -> Self {
        TransferAttempt { client: client.clone(), entry }
    }

    /// The quote that the attempt is bound to, which names it.
    #[must_use]
    pub fn quote_history_id(&self) -> &Uuid {
        &self.entry.quote_history_id
    }

    /// The nonce that it is bound to.
    #[must_use]
    pub fn nonce(&self) -> &Uuid {
        &self.entry.nonce
    }

    /// How far it is, as this page knows it.
    #[must_use]
    pub fn state(&self) -> &AttemptState {
        &self.entry.state
    }

    /// When it was prepared, in milliseconds since 1970.
    #[must_use]
    pub fn created_at_ms(&self) -> i64 {
        self.entry.created_at_ms
    }

    /// When its quote ends by this page's clock, in milliseconds since 1970, where the service said so.
    #[must_use]
    pub fn expires_at_ms(&self) -> Option<i64> {
        self.entry.expires_at_ms
    }

    /// The transfer, once it was made.
    #[must_use]
    pub fn transfer_id(&self) -> Option<&StringOrNumber> {
        self.entry.transfer_id.as_ref()
    }

    /// What tells the customer which transfer it is.
    #[must_use]
    pub fn details(&self) -> Option<TransferDetails> {
        TransferDetails::read(self.entry.details.as_ref()?.view())
    }

    /// Brings the attempt to its outcome: posts it, or first asks for its result. While it runs, whoever
    /// submits it too waits for the same outcome, in another tab too. It ends within 60 seconds, or the time
    /// of one attempt and 30 seconds.
    ///
    /// # Errors
    /// The service's refusal, after which no transfer was made; `outcome_unknown`, after which it can be
    /// submitted again to learn more; anything else before it was sent.
    pub fn submit(&self) -> PendingCall<E, CompletedTransfer> {
        let [quote_history_id, nonce] = self.key();
        let client = self.client.clone();
        self.client.pending(async move |signal| {
            let task = Task::Submit(quote_history_id.clone(), nonce);
            // It was made, and says so: not to be told as a failure whatever it looks like.
            let unreadable = |_| unknown(&quote_history_id);
            match client.run(task, &signal).await? {
                Outcome::Transfer(told) => Ok(CompletedTransfer {
                    transfer: told.transfer.read().map_err(unreadable)?,
                    recovered: told.recovered,
                }),
                _ => Err(super::client::internal()),
            }
        })
    }

    /// Drops an attempt of which nothing was sent, so that nobody resumes it.
    ///
    /// # Errors
    /// `outcome_unknown` if it was sent, `conflict` if the transfer was made: then it stays.
    pub fn discard(&self) -> PendingCall<E, ()> {
        let [quote_history_id, nonce] = self.key();
        self.client.perform(Task::Discard(quote_history_id, nonce), |_, _| Ok(()))
    }

    /// Lets the journal forget a transfer that was made, once the customer has been told of it. Otherwise it
    /// is there for a page that loads within 5 seconds of the outcome, until that page has submitted it
    /// again.
    ///
    /// # Errors
    /// `outcome_unknown` while the outcome is open, `invalid_request` if nothing was sent: then it stays.
    pub fn acknowledge(&self) -> PendingCall<E, ()> {
        let [quote_history_id, nonce] = self.key();
        self.client.perform(Task::Acknowledge(quote_history_id, nonce), |_, _| Ok(()))
    }

    fn key(&self) -> [String; 2] {
        [&self.entry.quote_history_id, &self.entry.nonce].map(|id| id.as_str().to_owned())
    }
}

impl<E: Environment> Serialize for TransferAttempt<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_json_ref(JsonRef::new(&self.entry.summary()), serializer)
    }
}

impl Serialize for CompletedTransfer {
    /// The transfer's members, and `recovered`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (transfer, recovered) = (self.transfer.to_json(), self.recovered);
        let members = transfer.strip_suffix('}').unwrap_or("{");
        let json = format!("{members},\"recovered\":{recovered}}}");
        serialize_json_ref(JsonRef::new(&json), serializer)
    }
}

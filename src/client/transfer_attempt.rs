use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::attempt_error::unknown;
use super::journal::{AttemptState, Entry, TransferDetails};
use super::{Client, PendingCall, Platform, Reply};
use crate::api::json::{Codec, JsonRef, serialize_text};
use crate::api::opaque::opaque_debug;
use crate::api::{Error, Nonce, PaymentId, QuoteId, Transfer, TransferId};

/// A transfer to be made, bound to one quote, one nonce and one body. It may be submitted any number of
/// times, by any page that finds it in the journal: the transfer happens once.
///
/// Serializes to `{quoteHistoryId, nonce, createdAt, state, expiresAt?, paymentId?, transferId?, details?}`,
/// times in milliseconds since 1970.
pub struct TransferAttempt<P: Platform> {
    pub(super) client: Client<P>,
    pub(super) entry: Box<Entry>,
}

/// A transfer that was made, as the service shows it.
#[doc(hidden)]
pub struct MadeTransfer {
    /// The transfer.
    pub transfer: Reply,
    /// Whether the first answer was lost, and the transfer was found later.
    pub recovered: bool,
}

opaque_debug!([] MadeTransfer);

/// A transfer that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompletedTransfer {
    /// The transfer as the service shows it.
    #[serde(flatten)]
    pub transfer: Transfer,
    /// Whether the first answer was lost, and the transfer was found later.
    pub recovered: bool,
}

impl CompletedTransfer {
    /// Returns the transfer that an earlier attempt made, of the error `PaymentAlreadyMade`.
    #[must_use]
    pub fn of_payment(error: &Error) -> Option<Self> {
        let transfer = Transfer::read(JsonRef::new(error.transfer_json()?))?;
        Some(CompletedTransfer { transfer, recovered: true })
    }
}

impl<P: Platform> fmt::Debug for TransferAttempt<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TransferAttempt")
            .field("quote_history_id", self.quote_history_id())
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

impl<P: Platform> TransferAttempt<P> {
    /// Returns the client that prepared or found it.
    #[must_use]
    pub fn client(&self) -> &Client<P> {
        &self.client
    }

    #[cfg(feature = "js")]
    pub(crate) fn new(client: Client<P>, entry: Box<Entry>) -> Self {
        TransferAttempt { client, entry }
    }

    #[cfg(feature = "js")]
    pub(crate) fn id(&self) -> super::AttemptId {
        self.entry.id()
    }

    /// Returns what is known of it now, as JSON text.
    #[cfg(feature = "js")]
    pub(crate) fn summary(&self) -> String {
        self.client.latest(&self.entry).summary()
    }

    /// Returns the quote it is bound to, which identifies it.
    #[must_use]
    pub fn quote_history_id(&self) -> &QuoteId {
        &self.entry.quote_history_id
    }

    /// Returns the nonce it is bound to.
    #[must_use]
    pub fn nonce(&self) -> &Nonce {
        &self.entry.nonce
    }

    /// Returns its state now, as this page knows it.
    #[must_use]
    pub fn state(&self) -> AttemptState {
        self.client.latest(&self.entry).state
    }

    /// Returns when it was prepared, in milliseconds since 1970.
    #[must_use]
    pub fn created_at_ms(&self) -> i64 {
        self.entry.created_at_ms
    }

    /// Returns when its quote ends by the page's clock, in milliseconds since 1970, if known.
    #[must_use]
    pub fn expires_at_ms(&self) -> Option<i64> {
        self.entry.expires_at_ms
    }

    /// Returns what the page calls its payment.
    #[must_use]
    pub fn payment_id(&self) -> Option<&PaymentId> {
        self.entry.payment_id.as_ref()
    }

    /// Returns the transfer, once it was made.
    #[must_use]
    pub fn transfer_id(&self) -> Option<&TransferId> {
        self.entry.transfer_id.as_ref()
    }

    /// Returns what identifies the transfer for the customer.
    #[must_use]
    pub fn details(&self) -> Option<TransferDetails> {
        TransferDetails::read(self.entry.details.as_ref()?.view())
    }

    /// Settles the attempt: posts it, or first reads its progress. Other callers that submit it meanwhile, in
    /// other tabs too, wait for the same outcome. Ends within 60 seconds, or the timeout of one attempt and
    /// 30 seconds.
    ///
    /// # Errors
    /// The service's refusal, after which no transfer was made; `outcome_unknown`, after which it can be
    /// submitted again; `PaymentInProgress` or `PaymentAlreadyMade` if another attempt at its payment may
    /// have been sent, or was made; any other error before it was sent.
    pub fn submit(&self) -> PendingCall<P, CompletedTransfer> {
        let id = self.entry.id();
        self.client.start(async move |context| {
            let made = context.submit(&id).await?;
            // It was made: a transfer that cannot be read is no failure.
            let transfer = made.transfer.read().map_err(|_| unknown(&id.quote_history_id))?;
            Ok(CompletedTransfer { transfer, recovered: made.recovered })
        })
    }

    /// Discards an attempt that was not sent, so that no page resumes it. Asks the service first: the journal
    /// may be a copy, and the attempt have been sent from another one.
    ///
    /// # Errors
    /// `outcome_unknown` if it was sent, `conflict` if the transfer was made, `timeout` while another tab
    /// works on it, and those of the question: then it stays.
    pub fn discard(&self) -> PendingCall<P, ()> {
        let id = self.entry.id();
        self.client.start(async move |context| context.discard(&id).await)
    }

    /// Removes a made transfer from the journal, once the customer knows of it. Otherwise it stays for a page
    /// that loads within 5 seconds of the outcome, until that page has submitted it again. With a payment its
    /// ids stay for 30 days.
    ///
    /// # Errors
    /// `outcome_unknown` while the outcome is open, `invalid_request` if nothing was sent: then it stays.
    pub fn acknowledge(&self) -> PendingCall<P, ()> {
        let id = self.entry.id();
        self.client.start(async move |context| context.acknowledge(&id).await)
    }
}

impl<P: Platform> Serialize for TransferAttempt<P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_text(&self.entry.summary(), serializer)
    }
}

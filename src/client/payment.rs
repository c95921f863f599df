//! The attempts at one payment of the page, of which no second one is posted beside one that may have been.

use super::AttemptState;
use super::attempt_error::{already_made, in_progress, undecided};
use super::call_context::CallContext;
use super::journal::{Entry, key};
use super::owner::owner_of;
use super::sent_elsewhere::Sent;
use super::submission::shown_by_id;
use crate::api::{Code, Error, TransferId};

impl CallContext {
    /// Refuses an attempt beside another one at its payment that may have been sent. That one's entry may be
    /// a copy, or not yet show it: the service decides. Called once this attempt's entry shows it as sent, so
    /// that of two pages without a common lock at least one notices the other.
    ///
    /// # Errors
    /// `PaymentAlreadyMade`, `PaymentInProgress`, and those of the questions.
    pub(super) async fn require_no_other(&self, entry: &Entry) -> Result<(), Error> {
        let (mut open, mut failure) = (None, None);
        for other in self.others_of_payment(entry).await? {
            if other.state == AttemptState::Created || other.is_acknowledged() {
                return Err(self.already_made_by(&other).await);
            }
            let was_unsent = matches!(other.state, AttemptState::Prepared | AttemptState::Discarded);
            let sent = self.what_was_sent(&other).await;
            let users = match &sent {
                Ok(Sent::Made(_) | Sent::Open) if was_unsent => self.users_of_quote(&other).await,
                _ => Vec::new(),
            };
            let made = match &sent {
                Ok(Sent::Made(transfer)) => transfer.read_member::<TransferId>("transferId").ok(),
                _ => None,
            };
            match sent {
                // It is that other payment's: a quote is used once.
                _ if made.is_some() && users.iter().any(|user| user.transfer_id == made) => {}
                _ if !users.is_empty() => failure = Some(undecided()),
                Ok(Sent::Made(transfer)) => return Err(already_made(transfer.json())),
                Ok(Sent::Nothing) if was_unsent => {}
                // That the service does not know its quote proves nothing.
                Err(error) if was_unsent => {
                    let is_unknown = error.code() == Code::QuoteHistoryNotFound;
                    failure = Some(if is_unknown { undecided().with_status_of(&error) } else { error });
                }
                _ => open = Some(other),
            }
        }
        match (open, failure) {
            (Some(mut other), _) => {
                other.state = AttemptState::Sent;
                self.note_state(&other);
                Err(in_progress(other.quote_history_id.as_str()))
            }
            (None, Some(failure)) => Err(failure),
            (None, None) => Ok(()),
        }
    }

    /// Returns the error that a made attempt has paid before.
    pub(super) async fn already_made_by(&self, made: &Entry) -> Error {
        let id = made.transfer_id.as_ref();
        let transfer = self.read_back(id).await.unwrap_or_else(|_| shown_by_id(id));
        already_made(transfer.json())
    }

    /// Returns the other attempts at the payment, in the journal and in this page, but for those that were
    /// refused here. What was discarded here a duplicated tab may still have sent.
    async fn others_of_payment(&self, entry: &Entry) -> Result<Vec<Entry>, Error> {
        let Some(payment_id) = &entry.payment_id else { return Ok(Vec::new()) };
        // One with the same quote, which a later version may have saved, makes no second transfer.
        let is_other = |other: &Entry| {
            other.payment_id.as_ref() == Some(payment_id)
                && other.service == entry.service
                && key(other.quote_history_id.as_str()) != key(entry.quote_history_id.as_str())
        };
        let mut others = self.stored_attempts().await?;
        others.retain(is_other);
        // What the journal shows, or what this page knows, whichever is further.
        for other in &others {
            if other.state == AttemptState::Created || !self.has_ended(other) {
                self.note_stored(other);
            }
        }
        let mut own = Vec::new();
        for other in self.with_lost(others, is_other) {
            if other.state != AttemptState::Refused && self.is_of_sender(entry, &other).await? {
                own.push(other);
            }
        }
        Ok(own)
    }

    /// Adds those that this page knows and the journal has lost, and brings all up to date. Of another tab's
    /// attempt this page may have missed the end: it counts as unsent, about which the service is asked.
    fn with_lost(&self, mut others: Vec<Entry>, is_other: impl Fn(&Entry) -> bool) -> Vec<Entry> {
        let posted = self.own_as_sent();
        let attempts = self.core.attempts.borrow();
        others.iter_mut().for_each(|other| attempts.refresh(other));
        let is_lost = |known: &&Entry| is_other(known) && !others.iter().any(|other| other.is_same(known));
        let mut lost: Vec<_> = attempts.entries().filter(is_lost).cloned().collect();
        for known in &mut lost {
            attempts.refresh(known);
            let was_posted = || posted.iter().any(|posted| posted.is_same(known));
            if known.state == AttemptState::Sent && !was_posted() {
                known.state = AttemptState::Prepared;
            }
        }
        others.extend(lost);
        others
    }

    /// Returns what this page or another tab, of a later version too, has sent with the quote of an attempt,
    /// but for another payment.
    async fn users_of_quote(&self, other: &Entry) -> Vec<Entry> {
        let mut users = self.posted_here();
        let stored = self.stored_attempts().await.unwrap_or_default();
        users.extend(stored.into_iter().filter(|stored| stored.state != AttemptState::Prepared));
        users.retain(|user| {
            key(user.quote_history_id.as_str()) == key(other.quote_history_id.as_str())
                && user.service == other.service
                && user.payment_id != other.payment_id
        });
        users
    }

    /// Whether two attempts are of one sender. One sender's attempts are not shown to another.
    async fn is_of_sender(&self, entry: &Entry, other: &Entry) -> Result<bool, Error> {
        let mut other = other.clone();
        if other.sender_id.is_none() && entry.sender_id.is_some() {
            // The sender was unknown when it was prepared.
            self.complete_by_quote(&mut other).await?;
        }
        match (owner_of(entry), owner_of(&other)) {
            (None, Some(_)) | (Some(_), None) => Err(undecided()),
            (owner, others) => Ok(owner == others),
        }
    }
}

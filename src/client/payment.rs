//! The attempts at one payment of the page, of which no second one is posted beside one that may have been.

use super::AttemptState;
use super::attempt_error::{already_made, in_progress};
use super::call_context::CallContext;
use super::journal::Entry;
use super::owner::owner_of;
use super::sent_elsewhere::Sent;
use super::submission::shown_by_id;
use crate::api::{Code, Error};

impl CallContext {
    /// Refuses an attempt beside another one at its payment that may have been sent. That one's entry may be a
    /// copy, or not yet show it: the service decides. Called once this attempt's entry shows it as sent, so
    /// that of two pages without a common lock at least one notices the other.
    ///
    /// # Errors
    /// `PaymentAlreadyMade`, `PaymentInProgress`, and those of the questions.
    pub(super) async fn require_no_other(&self, entry: &Entry) -> Result<(), Error> {
        for other in self.others_of_payment(entry).await? {
            if other.state == AttemptState::Created {
                let id = other.transfer_id.as_ref();
                let transfer = self.read_back(id).await.unwrap_or_else(|_| shown_by_id(id));
                return Err(already_made(&transfer.json));
            }
            match self.what_was_sent(&other).await {
                Ok(Sent::Made(transfer)) => return Err(already_made(&transfer.json)),
                Ok(Sent::Nothing) if other.state == AttemptState::Prepared => {}
                // The service need not know a quote for long.
                Err(error)
                    if other.state == AttemptState::Prepared
                        && error.code() == Code::QuoteHistoryNotFound => {}
                Err(error) if other.state == AttemptState::Prepared => return Err(error),
                _ => {
                    self.core.note_attempt(&other);
                    return Err(in_progress(other.quote_history_id.as_str()));
                }
            }
        }
        Ok(())
    }

    /// Returns the other attempts at the payment, in the journal and in this page, but for those that ended here.
    async fn others_of_payment(&self, entry: &Entry) -> Result<Vec<Entry>, Error> {
        let Some(payment_id) = &entry.payment_id else { return Ok(Vec::new()) };
        let is_of_payment = |other: &Entry| {
            let (owner, others) = (owner_of(entry), owner_of(other));
            other.payment_id.as_ref() == Some(payment_id)
                && other.service == entry.service
                && (owner == others || owner.is_none() || others.is_none())
                && !other.is_same(entry)
        };
        let mut others = self.stored_attempts().await?;
        // What the journal shows, or what this page knows, whichever is further.
        others.iter().for_each(|other| self.note_stored(other));
        let attempts = self.core.attempts.borrow();
        others.iter_mut().for_each(|other| attempts.refresh(other));
        // The journal may have lost what was sent.
        let known = attempts.open_or_made().filter(|known| !others.iter().any(|other| other.is_same(known)));
        let known: Vec<_> = known.cloned().collect();
        others.extend(known);
        others.retain(|other| is_of_payment(other) && !self.has_ended(other));
        Ok(others)
    }
}

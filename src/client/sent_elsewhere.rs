//! What the service knows of an attempt that the journal shows as prepared: the journal may be a copy, as the
//! `sessionStorage` of a duplicated tab is, and the attempt have been sent from the other one.

use super::call_context::CallContext;
use super::entry_format::Stored;
use super::journal::Entry;
use super::own_transfer::is_own;
use super::owner::owner_of;
use super::settlement_input::ProgressStatus;
use super::{AttemptState, Reply};
use crate::api::json::JsonRef;
use crate::api::{Code, Error, TRANSFER_PROGRESS};

/// What was sent of an attempt.
pub(super) enum Sent {
    /// Nothing that has arrived.
    Nothing,
    /// A transfer that is being made.
    Open,
    /// A transfer that was made.
    Made(Reply),
}

impl CallContext {
    /// Asks the service whether an attempt that the journal shows as prepared has made no transfer.
    ///
    /// # Errors
    /// `conflict` if the transfer was made, `outcome_unknown` while it is, and those of the request.
    pub(super) async fn require_unsent(&self, entry: &Entry) -> Result<(), Error> {
        let code = match self.what_was_sent(entry).await? {
            Sent::Nothing => return Ok(()),
            Sent::Open => Code::OutcomeUnknown,
            Sent::Made(_) => Code::TransferDuplicatedByQuote,
        };
        self.note_sent_elsewhere(entry).await?;
        Err(Error::new(code).with_attempt(entry.quote_history_id.as_str()))
    }

    /// Asks the service what was sent of an attempt.
    pub(super) async fn what_was_sent(&self, entry: &Entry) -> Result<Sent, Error> {
        let own = self.for_sender(Some(owner_of(entry)));
        let reply = own.call(&TRANSFER_PROGRESS, &[entry.quote_history_id.as_str()], None).await;
        let failure = reply.as_ref().err().cloned();
        match ProgressStatus::of(reply) {
            (ProgressStatus::NotInProgress | ProgressStatus::Failed, _) => Ok(Sent::Nothing),
            (ProgressStatus::Created, transfer_id) => {
                let transfer = own.read_back(transfer_id.as_ref()).await?;
                match is_own(transfer.view(), JsonRef::new(&entry.body)) {
                    true => Ok(Sent::Made(transfer)),
                    false => Ok(Sent::Nothing),
                }
            }
            (ProgressStatus::Initializing, _) => Ok(Sent::Open),
            _ => Err(failure.unwrap_or_else(|| Error::new(Code::UnreadableReply))),
        }
    }

    /// Notes, also in the journal, that the attempt was sent from another tab.
    async fn note_sent_elsewhere(&self, entry: &Entry) -> Result<(), Error> {
        let mut sent = entry.clone();
        sent.state = AttemptState::Sent;
        // Another attempt may have taken the quote since this one was discarded: that one may be the sent
        // one. And another tab may have noted more meanwhile.
        let is_others = match self.load(entry.quote_history_id.as_str()).await? {
            Stored::Nothing => false,
            Stored::Entry(stored) => !stored.is_same(&sent) || stored.state == AttemptState::Created,
            Stored::Unreadable | Stored::Newer => true,
        };
        self.note_state(&sent);
        if !is_others {
            // As made, if this page has found the transfer while it asked.
            self.core.attempts.borrow().refresh(&mut sent);
            self.save(&sent).await?;
        }
        Ok(())
    }
}

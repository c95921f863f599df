//! A client that lacks one of its safeguards, for the test build in which the chaos proof shows that it would notice. No other build
//! has it: the feature `weakened` is in no default and in no published package.

use super::Posted;
use super::flow::Course;
use super::journal::Entry;
use crate::api::json::{View, Wire};
use crate::api::{Code, Error, QUOTE, QuoteRequest, TransferRequest, Uuid};

/// Which safeguard is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// A lost answer is taken for a refusal, and nobody asks what became of the transfer.
    Reconciliation,
    /// What is sent again has another quote and another nonce.
    Resend,
}

impl Course {
    pub(super) fn weakly_judged(&self, posted: Posted) -> Posted {
        match posted {
            posted if self.kit.0.options.weakness != Some(Weakness::Reconciliation) => posted,
            Posted::Lost => Posted::Refused(Error::new(Code::NetworkFailure)),
            Posted::Doubtful(error) | Posted::Used(error) => Posted::Refused(error),
            posted => posted,
        }
    }

    pub(super) async fn weakly_renewed(&self, entry: &mut Entry) -> Result<(), Error> {
        if self.kit.0.options.weakness != Some(Weakness::Resend) {
            return Ok(());
        }
        let unreadable = || Error::new(Code::UnreadableReply);
        let body = View::new(&entry.body);
        let request = QuoteRequest::read(body).ok_or_else(unreadable)?;
        let mut transfer = TransferRequest::read(body).ok_or_else(unreadable)?;
        let quote = self.call(&QUOTE, &[], Some(&request.to_json())).await?;
        let id = quote.view().member("quoteHistoryId").and_then(Uuid::read);
        transfer.quote_history_id = id.ok_or_else(unreadable)?;
        transfer.nonce = Some(self.fresh_nonce().await?);
        entry.body = transfer.to_json();
        Ok(())
    }
}

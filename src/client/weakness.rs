//! A client that lacks one of its safeguards, for the test builds in which the proofs show that they would
//! notice. No other build can lack one: the feature `weakened` is in no default and in no published package.

use super::flow::FlowContext;
use super::{Next, Settlement};
#[cfg(feature = "weakened")]
use super::{Posted, ProgressStatus, journal::Entry};
#[cfg(feature = "weakened")]
use crate::api::{Code, Error, QUOTE, QuoteRequest, TransferRequest, Uuid, json::Codec, json::JsonRef};

macro_rules! weaknesses {
    ($( $(#[$meta:meta])* $Variant:ident, )*) => {
        /// Which safeguard is missing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(not(feature = "weakened"), allow(dead_code, unreachable_pub, reason = "no other build lacks one"))]
        pub enum Weakness {
            $( $(#[$meta])* $Variant, )*
        }

        #[cfg(feature = "weakened")]
        impl Weakness {
            /// Each safeguard of the money path.
            pub const ALL: &'static [Weakness] = &[$( Weakness::$Variant, )*];

            /// Their names, in the same order: the package's build has no texts for `Debug`.
            const NAMES: &'static [&'static str] = &[$( stringify!($Variant), )*];
        }
    };
}

weaknesses! {
    /// A lost answer counts as a refusal, and nobody asks for the transfer.
    Reconciliation,
    /// What is sent again has another quote and another nonce.
    Resend,
    /// A refusal is believed without a question.
    Question,
    /// No transfer now is believed to mean none later.
    Doubt,
    /// A quote that the service does not know is believed to have no transfer.
    UnknownQuote,
    /// Any transfer with the quote is taken for the attempt's own.
    Comparison,
    /// A quote that has ended is posted.
    Expiry,
    /// Another sender's entry is taken for one's own.
    Sender,
    /// Another service's entry is taken for this one's.
    Service,
    /// Pages do not wait for each other.
    Lock,
    /// It is posted though the journal did not keep it.
    Journal,
    /// Any attempt with the quote is dropped.
    Nonce,
    /// What an abort leaves open ends as aborted.
    Abort,
    /// A 429 or 5xx is believed to have created nothing.
    Create,
    /// What a refused token left open is created again.
    Replay,
    /// A record that is gone when its deletion is sent again is an error.
    Delete,
    /// The answer to a hold's end is believed as it is.
    Hold,
}

#[cfg(feature = "weakened")]
impl std::str::FromStr for Weakness {
    type Err = ();

    /// By its name, in small letters or not.
    fn from_str(name: &str) -> Result<Self, ()> {
        let mut named = Weakness::ALL.iter().zip(Weakness::NAMES);
        named.find(|(_, found)| found.eq_ignore_ascii_case(name)).map(|(weakness, _)| *weakness).ok_or(())
    }
}

impl FlowContext {
    #[cfg(not(feature = "weakened"))]
    #[allow(clippy::unused_self, reason = "the other build asks its options")]
    pub(super) fn weakly_unasked(&self, next: Next, _: &mut Settlement) -> Next {
        next
    }

    /// Believes a refusal without the question.
    #[cfg(feature = "weakened")]
    pub(super) fn weakly_unasked(&self, next: Next, settlement: &mut Settlement) -> Next {
        match next {
            Next::Ask { after_ms: 0 }
                if self.core.lacks(Weakness::Question) || self.core.lacks(Weakness::Reconciliation) =>
            {
                settlement.asked(ProgressStatus::NotInProgress, true, || Error::new(Code::TransferFailed))
            }
            next => next,
        }
    }

    #[cfg(feature = "weakened")]
    pub(super) fn weakly_judged(&self, posted: Posted) -> Posted {
        match posted {
            posted if !self.core.lacks(Weakness::Reconciliation) => posted,
            Posted::NoResponse => Posted::Refused(Error::new(Code::NetworkFailure)),
            Posted::Busy(error) | Posted::Duplicate(error) => Posted::Refused(error),
            posted => posted,
        }
    }

    #[cfg(feature = "weakened")]
    pub(super) async fn weakly_renewed(&self, entry: &mut Entry) -> Result<(), Error> {
        if !self.core.lacks(Weakness::Resend) {
            return Ok(());
        }
        let unreadable = || Error::new(Code::UnreadableReply);
        let body = JsonRef::new(&entry.body);
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

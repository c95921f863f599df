//! The safeguards of the money path. A test build can disable each of them, so that the proofs can show that
//! they notice. Only `--cfg remitkit_optional_safeguards` compiles that in, which `cargo xtask` alone sets: a
//! feature could be enabled by any crate in the graph.

use super::call_context::CallContext;
use super::settlement::{Next, Settlement};
#[cfg(remitkit_optional_safeguards)]
use super::{
    journal::Entry,
    settlement_input::{Posted, ProgressStatus},
};
#[cfg(remitkit_optional_safeguards)]
use crate::api::{Code, Error, QUOTE, QuoteId, QuoteRequest, TransferRequest, json::Codec, json::JsonRef};

macro_rules! safeguards {
    ($( $(#[$meta:meta])* $Variant:ident, )*) => {
        /// A safeguard, documented by what the client does without it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(
            not(remitkit_optional_safeguards),
            allow(dead_code, unreachable_pub, reason = "none can be disabled")
        )]
        pub enum Safeguard {
            $( $(#[$meta])* $Variant, )*
        }

        #[cfg(remitkit_optional_safeguards)]
        impl Safeguard {
            /// All safeguards.
            pub const ALL: &'static [Safeguard] = &[$( Safeguard::$Variant, )*];

            /// Their names, in the same order: the package's build has no texts for `Debug`.
            const NAMES: &'static [&'static str] = &[$( stringify!($Variant), )*];
        }
    };
}

safeguards! {
    /// A lost answer counts as a refusal, and the progress is not read.
    Reconciliation,
    /// A resend has another quote and another nonce.
    Resend,
    /// A refusal is believed without reading the progress.
    Question,
    /// "No transfer" is believed while a POST may still arrive.
    Doubt,
    /// An unknown quote is believed to have no transfer.
    UnknownQuote,
    /// Any transfer with the quote counts as the attempt's own.
    Comparison,
    /// An attempt is posted after the end of its quote.
    Expiry,
    /// Another sender's entry counts as this sender's.
    Sender,
    /// Another service's entry counts as this service's.
    Service,
    /// Pages do not wait for each other.
    Lock,
    /// An attempt is posted though the journal failed to save it.
    Journal,
    /// Discarding an attempt discards any attempt with its quote.
    Nonce,
    /// An abort that leaves the outcome open is reported as `aborted`.
    Abort,
    /// A 429 or 5xx is believed to have created nothing.
    Create,
    /// A refused token is believed to have created nothing.
    Replay,
    /// A record that is gone when its deletion is resent is an error.
    Delete,
    /// The answer to the end of a hold is believed as it is.
    Hold,
    /// An attempt that the journal shows as prepared is believed unsent.
    Copy,
    /// An answer from a cache is believed.
    Freshness,
    /// A nonce that another attempt has is used again.
    UsedNonce,
    /// The progress is not read while another page keeps the lock.
    Unlocked,
    /// A use of the journal that failed is not repeated.
    Repeat,
}

/// The safeguard that a client lacks; always none in a published build.
#[derive(Clone, Copy, Default)]
pub(crate) struct Disabled(#[cfg(remitkit_optional_safeguards)] pub(crate) Option<Safeguard>);

impl Disabled {
    #[cfg(remitkit_optional_safeguards)]
    pub(super) fn is(self, safeguard: Safeguard) -> bool {
        self.0 == Some(safeguard)
    }

    #[cfg(not(remitkit_optional_safeguards))]
    #[allow(clippy::unused_self, reason = "the other build reads it")]
    pub(super) const fn is(self, _: Safeguard) -> bool {
        false
    }
}

#[cfg(remitkit_optional_safeguards)]
impl std::str::FromStr for Safeguard {
    type Err = ();

    /// Parses a name, in any case.
    fn from_str(name: &str) -> Result<Self, ()> {
        let mut named = Safeguard::ALL.iter().zip(Safeguard::NAMES);
        named.find(|(_, found)| found.eq_ignore_ascii_case(name)).map(|(safeguard, _)| *safeguard).ok_or(())
    }
}

impl CallContext {
    #[cfg(not(remitkit_optional_safeguards))]
    #[allow(clippy::unused_self, reason = "the other build reads its options")]
    pub(super) fn without_question(&self, next: Next, _: &mut Settlement) -> Next {
        next
    }

    /// Believes a refusal without reading the progress.
    #[cfg(remitkit_optional_safeguards)]
    pub(super) fn without_question(&self, next: Next, settlement: &mut Settlement) -> Next {
        let is_disabled =
            [Safeguard::Question, Safeguard::Reconciliation].iter().any(|of| self.core.is_disabled(*of));
        match next {
            Next::ReadProgress { after_ms: 0 } if is_disabled => {
                settlement
                    .progressed(ProgressStatus::NotInProgress, true, || Error::new(Code::TransferFailed))
            }
            next => next,
        }
    }

    #[cfg(remitkit_optional_safeguards)]
    pub(super) fn without_reconciliation(&self, posted: Posted) -> Posted {
        match posted {
            posted if !self.core.is_disabled(Safeguard::Reconciliation) => posted,
            Posted::NoResponse => Posted::Refused(Error::new(Code::NetworkFailure)),
            Posted::Busy(error) | Posted::Duplicate(error) => Posted::Refused(error),
            posted => posted,
        }
    }

    #[cfg(remitkit_optional_safeguards)]
    pub(super) async fn without_resend(&self, entry: &mut Entry) -> Result<(), Error> {
        if !self.core.is_disabled(Safeguard::Resend) {
            return Ok(());
        }
        let unreadable = || Error::new(Code::UnreadableReply);
        let body = JsonRef::new(&entry.body);
        let request = QuoteRequest::read(body).ok_or_else(unreadable)?;
        let mut transfer = TransferRequest::read(body).ok_or_else(unreadable)?;
        let quote = self.call(&QUOTE, &[], Some(&request.to_json())).await?;
        let id = quote.view().member("quoteHistoryId").and_then(QuoteId::read);
        transfer.quote_history_id = id.ok_or_else(unreadable)?;
        transfer.nonce = Some(self.fresh_nonce().await?);
        entry.body = transfer.to_json();
        Ok(())
    }
}

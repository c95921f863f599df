//! How requests are sent: tokens, retries, and transfers that happen once. Pure: each call is an `async fn`
//! over the futures of a [`Platform`].

mod attempt_error;
mod attempt_lock;
mod call;
mod call_context;
mod card_account;
mod card_session;
#[allow(clippy::module_inception, reason = "the layer is named for its one public noun")]
mod client;
mod client_builder;
mod client_core;
mod entry_format;
mod exchange;
mod fetched_form;
mod hold;
mod journal;
mod json_calls;
mod known_attempts;
mod memory_journal;
mod methods;
mod own_transfer;
mod owner;
mod payment;
mod pending_call;
mod platform;
mod preparation;
mod push_to_card;
mod quotes;
mod records;
mod reply;
#[doc(hidden)]
pub mod retry;
mod sent_elsewhere;
mod settlement;
mod settlement_input;
mod stored_attempts;
mod submission;
mod submission_run;
mod tokens;
mod transfer_attempt;

/// Lets a [`Platform`] be implemented by `async fn`s: `#[async_trait(?Send)]`.
pub use async_trait::async_trait;
#[cfg(feature = "js")]
pub(crate) use call_context::CallContext;
pub use client::Client;
pub use client_builder::ClientBuilder;
#[cfg(feature = "js")]
pub(crate) use client_builder::{DEFAULT_TIMEOUT_MS, TIMEOUTS_MS, language_tag};
use client_core::ClientCore;
pub(crate) use client_core::Options;
pub use fetched_form::FetchedForm;
pub use journal::{AttemptId, AttemptState, Entry, Journal, TransferDetails};
pub use memory_journal::MemoryJournal;
#[cfg(feature = "js")]
pub(crate) use methods::calls;
#[doc(hidden)]
pub use methods::{CALLS, FIELD_CALLS};
pub use pending_call::PendingCall;
pub use platform::{Answer, Lock, Platform, SendFailure, SendResult, TimeLimits, Trace};
pub use push_to_card::{PushToCard, PushToCardStep};
#[cfg(feature = "js")]
pub(crate) use push_to_card::{RawStep, Stage};
#[doc(hidden)]
pub use quotes::MAX_LEFT_MS;
#[doc(hidden)]
pub use reply::Reply;
#[doc(hidden)]
pub use transfer_attempt::{CompletedTransfer, MadeTransfer, TransferAttempt};

//! How requests are sent: tokens, retries, and transfers that happen once. Pure: a flow yields one effect at
//! a time, which the driver has run by its runner. That of a [`Client`] is the futures of an
//! [`Environment`].

mod call;
mod card_session;
#[allow(clippy::module_inception, reason = "the layer is named for its one public noun")]
mod client;
mod client_builder;
mod client_core;
mod driver;
mod effect;
mod environment;
mod exchange;
mod fetched_form;
mod flow;
mod hold;
mod journal;
mod known_attempts;
mod memory_journal;
mod methods;
mod own_transfer;
mod owner;
mod pending_call;
mod preparation;
mod quotes;
mod records;
mod reply;
pub mod retry;
mod safeguards;
mod settlement;
mod settlement_input;
mod stored_attempts;
mod submission;
mod tasks;
mod tokens;
mod transfer_attempt;

pub use client::Client;
pub use client_builder::ClientBuilder;
#[cfg(feature = "js")]
pub(crate) use client_builder::{DEFAULT_TIMEOUT_MS, TIMEOUTS_MS, language_tag};
#[cfg(feature = "js")]
pub(crate) use client_core::date_of;
pub(crate) use client_core::{ClientCore, Options};
#[cfg(feature = "js")]
pub(crate) use driver::{Driver, EffectRunner};
#[cfg(feature = "js")]
pub(crate) use effect::{Awaited, Effect, EffectResult, Outgoing, SOURCE_TIMEOUT_MS};
pub use environment::{Answer, Environment, Host, SendFailure, SendResult, Trace};
pub use fetched_form::FetchedForm;
pub use flow::{Outcome, Task, TransferOutcome};
pub use journal::{AttemptId, AttemptState, Entry, Journal, TransferDetails};
pub use memory_journal::MemoryJournal;
pub use pending_call::PendingCall;
pub use reply::{Reply, ReplyParts};
#[cfg(feature = "optional-safeguards")]
pub use safeguards::Safeguard;
pub use transfer_attempt::{CompletedTransfer, TransferAttempt};

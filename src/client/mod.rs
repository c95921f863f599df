//! How requests are sent: tokens, retries, and transfers that happen once. Pure: what it needs of
//! its surroundings it asks of an [`Environment`].

#[allow(clippy::module_inception, reason = "the room is named for its one public noun")]
mod client;
mod environment;
mod fresh_quote;
mod journal;
mod methods;
pub mod retry;
mod seen_quotes;
mod settlement;
mod shared;
mod submission;
mod tokens;
mod transfer_attempt;
#[cfg(feature = "weakened")]
mod weakness;

pub use client::{Client, Options, Received};
pub use environment::{Answer, Environment, SendFailure, Trace};
pub use journal::{AttemptState, Journal};
pub use settlement::{Asked, Next, Posted, Settlement};
pub use submission::TransferOutcome;
pub use transfer_attempt::TransferAttempt;
#[cfg(feature = "weakened")]
pub use weakness::Weakness;

//! How requests are sent: tokens, retries, and transfers that happen once. Pure: a [`Flow`] asks for one thing at a time, and whoever drives it
//! does that. A [`Client`] drives flows with what it is given as an [`Environment`].

mod call;
mod card_session;
#[allow(clippy::module_inception, reason = "the room is named for its one public noun")]
mod client;
mod create;
mod environment;
mod exchange;
mod flow;
mod fresh_quote;
mod hold;
mod journal;
mod kit;
mod known_attempts;
mod methods;
mod own_transfer;
mod owner;
mod preparation;
mod received;
pub mod retry;
mod seen_quotes;
mod settlement;
mod shared;
mod submission;
mod tokens;
mod transfer_attempt;
mod waiting;
mod weakness;

pub use client::Client;
#[cfg(feature = "js")]
pub(crate) use client::token_too_late;
pub use environment::{Answer, Environment, SendFailure, Trace};
pub use flow::{Effect, Event, Flow, Outcome, Outgoing, Step, Task};
pub use journal::{AttemptState, Entry, Journal};
pub use kit::{Host, Kit, Options};
pub use received::{Parts, Received};
pub use settlement::{Asked, Next, Posted, Settlement};
pub use submission::TransferOutcome;
#[cfg(feature = "js")]
pub(crate) use submission::longest_submission_ms;
pub use tokens::Token;
pub use transfer_attempt::TransferAttempt;
#[cfg(feature = "weakened")]
pub use weakness::Weakness;

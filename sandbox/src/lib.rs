//! The remittance service on one's own machine.
//!
//! Every endpoint of the service's interface, the hosted card form on an origin of its own, a clock
//! that can be moved, and faults at will. Nothing here moves money.
//!
//! Each resource (`quote`, `transfer`, `sender`, …) has its table, its rules, and its endpoints with their part
//! of the interface's document, in one file or in a file `endpoints.rs` of its own; `resources` lists them.
//! A handler is a function of the `call`, and of the database where it reads or writes; rows are `records`.
//! Handlers share the state, `app`, which knows none of them: `store` (the database), `clock`, `ids`, and what
//! `log`, `faults` and `contract` keep. `sandbox` puts all together; testers steer with `control`.

mod access;
mod app;
mod call;
mod card;
mod card_form;
mod card_session;
mod client;
mod clock;
mod config;
mod contract;
mod control;
mod corridor;
mod country;
mod currency;
mod error;
mod faults;
mod fields;
mod guard;
mod ids;
mod in_flight;
mod input;
mod lifetimes;
mod limits;
mod line;
mod log;
mod meta;
mod nonce;
mod open_error;
mod options;
mod outdated;
mod page;
mod price;
mod progress;
mod quote;
mod rates;
mod receipt;
mod recipient;
mod recipient_account;
mod records;
mod resource;
mod resources;
mod sandbox;
mod seal;
mod seed;
mod sender;
mod serve;
mod store;
mod test_cards;
mod token;
mod transfer;
mod transfer_hold;
mod transfer_request;
mod transfer_status;
mod triggers;

pub use config::Config;
#[cfg(feature = "contract")]
pub use contract::interface;
pub use contract::violations::Violation;
pub use control::known;
pub use error::{DOCUMENTED_CODES, ErrorCode};
pub use open_error::OpenError;
pub use sandbox::Sandbox;
pub use serve::Servers;
pub use test_cards::{CardOutcome, TEST_CARDS, TestCard};
pub use transfer::{RecordedTransfer, recorded_transfers};
pub use triggers::{FAILING_TRANSFER_AMOUNT, Means, Operation, TRIGGERS, Trigger};

//! The remittance service on one's own machine.
//!
//! Every endpoint of the service's interface, the hosted card form on an origin of its own, a clock
//! that can be moved, and faults at will. Nothing here moves money.
//!
//! The rooms: each resource (`quote`, `transfer`, `sender`, …) has its table, its rules, and its endpoints
//! with their part of the interface's document, in one file or in a file `endpoints.rs` of its own;
//! `RESOURCES` lists them. Below them are `store` (the database), `clock`, `ids`, `error`, `input` and
//! `fields`. `log` and `faults` lie around all of them; `control` is what testers steer with.

mod access;
mod app;
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
mod fresh;
mod guard;
mod ids;
mod input;
mod lifetimes;
mod limits;
mod line;
mod log;
mod meta;
mod nonce;
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
mod resource;
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

pub use app::{OpenError, Sandbox};
pub use config::Config;
pub use contract::Violation;
#[cfg(feature = "contract")]
pub use contract::interface;
pub use control::known;
pub use error::{DOCUMENTED_CODES, ErrorCode};
pub use serve::Servers;
pub use test_cards::{CardOutcome, TEST_CARDS, TestCard};
pub use transfer::{RecordedTransfer, recorded_transfers};
pub use triggers::{FAILING_TRANSFER_AMOUNT, Means, Operation, TRIGGERS, Trigger};

/// What the service has, in the order in which its document tells of it.
static RESOURCES: [resource::Resource; 16] = [
    token::RESOURCE,
    corridor::RESOURCE,
    quote::RESOURCE,
    fields::RESOURCE,
    options::RESOURCE,
    sender::RESOURCE,
    recipient::RESOURCE,
    recipient_account::RESOURCE,
    nonce::RESOURCE,
    card_session::RESOURCE,
    transfer::RESOURCE,
    transfer_status::RESOURCE,
    transfer_hold::RESOURCE,
    progress::RESOURCE,
    receipt::RESOURCE,
    transfer_request::RESOURCE,
];

//! The remittance service on your own machine.
//!
//! Implements the whole interface, the hosted card form on an origin of its own, a clock that can be
//! advanced, and fault injection. No money moves.
//!
//! Each resource (`quote`, `transfer`, `sender`, …) has its table, its rules, and its endpoints with their
//! part of the OpenAPI document; `resources` lists them. A handler is a function of a `call::Call`, and of
//! the database connection where it needs one. Rows are `records`. All handlers share the state, `app::App`,
//! which knows no resource. `sandbox` puts everything together; testers use the endpoints of `control`.

mod access;
mod additions;
mod app;
mod call;
mod card;
mod card_form;
mod card_session;
mod client;
mod clock;
mod config;
mod connection;
mod contract;
mod control;
mod controls;
mod corridor;
mod country;
mod currency;
mod disclosures;
mod endpoint;
mod error;
mod faults;
mod fields;
mod fixtures;
mod guard;
mod ids;
mod in_flight;
mod input;
mod limits;
mod locks;
mod log;
mod meta;
mod nonce;
mod options;
mod page;
mod price;
mod quote;
mod rates;
mod recipient;
mod recipient_account;
mod records;
mod resources;
mod retention;
mod sandbox;
mod sender;
mod sender_limits;
mod serve;
mod signer;
mod snapshot;
mod store;
mod test_cards;
mod token;
mod transfer;
mod transfer_method;
mod trigger;
mod triggers;
mod validation;
mod webhooks;
mod world;

pub use config::{Config, WebhookTarget};
pub use contract::coverage::interface;
pub use control::known;
pub use control::parse_time;
pub use error::{DOCUMENTED_CODES, ErrorCode};
pub use sandbox::Sandbox;
pub use serve::Servers;
pub use transfer::recorded_transfers;
pub use webhooks::delivery::is_webhook_url;

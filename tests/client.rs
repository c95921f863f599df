//! The whole client, natively: against a scripted service for faults on the way, and against the sandbox's
//! router for the service's behaviour. Time is virtual, so nothing here waits.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::type_complexity
)]

#[path = "client/calls.rs"]
mod calls;
#[path = "client/card_sessions.rs"]
mod card_sessions;
#[path = "client/creates.rs"]
mod creates;
#[path = "client/direct.rs"]
mod direct;
#[path = "client/driver.rs"]
mod driver;
#[path = "client/late.rs"]
mod late;
#[path = "client/leniency.rs"]
mod leniency;
#[path = "client/owners.rs"]
mod owners;
#[path = "client/pending.rs"]
mod pending;
#[path = "client/quotes.rs"]
mod quotes;
#[path = "client/reconciliation.rs"]
mod reconciliation;
#[path = "client/sandbox.rs"]
mod sandbox;
#[path = "client/support.rs"]
mod support;
#[path = "client/tabs.rs"]
mod tabs;
#[path = "client/tokens.rs"]
mod tokens;
#[path = "client/transfers.rs"]
mod transfers;

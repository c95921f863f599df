//! The whole client, natively: against a scripted service for faults on the way, and against the sandbox's
//! router for the service's behavior. Time is virtual, so nothing here waits.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

mod caches;
mod calls;
mod cancellation;
mod card_accounts;
mod copies;
mod creates;
mod direct;
mod formats;
mod input;
mod owners;
mod payments;
mod pending;
mod push_to_card;
mod quotes;
mod reconciliation;
mod sandbox;
mod script;
mod scripted;
mod server_side;
mod service;
mod tabs;
mod tokens;
mod transfers;

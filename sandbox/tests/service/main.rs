//! The sandbox as its callers see it: in this process through the routers, or by connections where these end
//! early. The tests of database files also start the program.

#![allow(unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing
)]

mod cards;
mod connections;
mod control;
mod database;
mod document;
mod errors;
mod faults;
mod fields;
mod guard;
mod harness;
mod limits;
mod quotes;
mod recipients;
mod senders;
mod tokens;
mod transfers;
mod webhooks;
mod world;

//! The sandbox as its callers see it: mostly in this process through the routers; the tests of connections
//! and database files start the program.

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
mod program;
mod quotes;
mod recipients;
mod senders;
mod tokens;
mod transfers;

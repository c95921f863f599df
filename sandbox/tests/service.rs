//! The sandbox as its callers see it: most of it in one process through the routers, what concerns
//! connections over real loopback sockets.

#![allow(unreachable_pub)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing
)]

#[path = "service/bench.rs"]
mod bench;
#[path = "service/callers.rs"]
mod callers;
#[path = "service/cards.rs"]
mod cards;
#[path = "service/catalogue.rs"]
mod catalogue;
#[path = "service/deliveries.rs"]
mod deliveries;
#[path = "service/docs.rs"]
mod docs;
#[path = "service/errors.rs"]
mod errors;
#[path = "service/faults.rs"]
mod faults;
#[path = "service/interface.rs"]
mod interface;
#[path = "service/junk.rs"]
mod junk;
#[path = "service/kills.rs"]
mod kills;
#[path = "service/limits.rs"]
mod limits;
#[path = "service/live.rs"]
mod live;
#[path = "service/network.rs"]
mod network;
#[path = "service/people.rs"]
mod people;
#[path = "service/process.rs"]
mod process;
#[path = "service/program.rs"]
mod program;
#[path = "service/quotes.rs"]
mod quotes;
#[path = "service/races.rs"]
mod races;
#[path = "service/testers.rs"]
mod testers;
#[path = "service/tokens.rs"]
mod tokens;
#[path = "service/transfers.rs"]
mod transfers;

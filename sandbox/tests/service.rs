//! The sandbox as its callers see it: most of it in one process through the routers, what concerns
//! connections over real loopback sockets.

#![allow(unreachable_pub)]

#[path = "service/bench.rs"]
mod bench;
#[path = "service/cards.rs"]
mod cards;
#[path = "service/catalogue.rs"]
mod catalogue;
#[path = "service/errors.rs"]
mod errors;
#[path = "service/limits.rs"]
mod limits;
#[path = "service/network.rs"]
mod network;
#[path = "service/people.rs"]
mod people;
#[path = "service/quotes.rs"]
mod quotes;
#[path = "service/testers.rs"]
mod testers;
#[path = "service/tokens.rs"]
mod tokens;
#[path = "service/transfers.rs"]
mod transfers;

//! Histories of pages, networks and services in virtual time, with a verdict on each.

mod customer;
mod generate;
pub(crate) mod history;
mod locks;
mod page;
mod page_load;
mod rng;
mod services;
mod shrink;
mod simulator;
mod verdict;
pub(crate) mod world;

pub(crate) use generate::generate;
pub(crate) use shrink::shrink;
pub(crate) use simulator::Simulator;
pub(crate) use world::Finding;

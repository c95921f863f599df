//! Histories of pages, networks and services in virtual time, with a verdict on each.

mod chance;
mod customer;
mod generate;
pub(crate) mod history;
mod life;
mod locks;
mod page;
mod run;
mod safeguard;
mod shrink;
mod stage;
mod verdict;
mod world;

pub(crate) use generate::generate;
pub(crate) use run::Theatre;
pub(crate) use safeguard::{Weakness, name_of};
pub(crate) use shrink::shrink;
pub(crate) use world::Finding;

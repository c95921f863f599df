//! RemitKit: sending money abroad from a web checkout.
//!
//! Five layers, and imports only downward: [`api`] and [`card`] at the bottom, [`client`] above them,
//! then `browser`, then `js`. The first three are pure: they know no browser, and are tested
//! natively.

pub mod api;
#[cfg(all(target_arch = "wasm32", feature = "browser"))]
pub mod browser;
pub mod card;
pub mod client;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub mod js;

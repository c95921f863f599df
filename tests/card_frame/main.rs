//! The card frame in a real browser, against a card form of a foreign origin.
//!
//! `SANDBOX_CARD_URL` says at build time where the sandbox serves the card form, as `http://127.0.0.1:<port>`.
//! Its page `/test/say?messages=A,B` posts these strings to the page that embeds it while it loads, and from then on sends
//! back whatever it is sent: so a test makes a genuine sender say anything.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod engine;
mod fixture;
mod forged;
mod genuine;
mod life;
mod policy;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

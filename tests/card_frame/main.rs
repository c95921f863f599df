//! The card frame in a real browser, against a card form of a foreign origin.
//!
//! The test runner serves the repository's files at `127.0.0.1`, and `localhost` is another
//! origin to a browser, so `say.html` is the form: while it loads it posts the strings of
//! `?messages=A,B` to the page that embeds it, and from then on it echoes whatever it receives.
//! This lets a test make a genuine sender say anything.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod engine;
mod fixture;
mod forged;
mod genuine;
mod life;
mod policy;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

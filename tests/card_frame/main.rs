//! The card frame in a real browser, against a card form of a foreign origin.
//!
//! The test runner serves the repository's files at `127.0.0.1`, and `localhost` is another origin to a
//! browser. `say.html` is the form: while it loads it posts the strings of `?messages=A,B` to the page that
//! embeds it, and then it echoes what it receives. So a test can make a genuine sender say anything.

#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod engine;
mod events;
mod fixture;
mod lifecycle;
mod messages;
mod policy;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

//! A scripted platform: a page's logic runs natively in `cargo test`, without a browser and a service.
//!
//! Enable the feature `testing` in `[dev-dependencies]` alone. [`ScriptedPlatform::replying`] answers by
//! operation, under the names of the [`Client`](crate::client::Client)'s methods. [`run`] makes time virtual:
//! back-off, timeouts and the 60 seconds of a settlement cost nothing. `#[tokio::test(start_paused = true)]`
//! does the same.
//!
//! ```
//! use remitkit::prelude::*;
//! use remitkit::testing::{self, ScriptedPlatform, refusal, reply};
//!
//! // The page's logic is generic over its platform.
//! async fn limits_of<P: Platform>(client: &Client<P>) -> &'static str {
//!     match client.corridors(&CorridorFilter::default()).await {
//!         Ok(corridors) if corridors.is_empty() => "nowhere to send to",
//!         Ok(_) => "ready",
//!         Err(error) if error.retryable() => "try again",
//!         Err(_) => "call us",
//!     }
//! }
//!
//! testing::run(async {
//!     let failing = || ("corridors", reply(503, ""));
//!     // The client tries three times.
//!     let platform = ScriptedPlatform::replying([failing(), failing(), failing(), ("corridors", reply(200, "[]"))]);
//!     let client = platform.client();
//!     assert_eq!(limits_of(&client).await, "try again");
//!     assert_eq!(limits_of(&client).await, "nowhere to send to");
//!     assert_eq!(client.platform().sent.borrow().len(), 4);
//!
//!     let blocked = ScriptedPlatform::replying([("corridors", refusal(403, "AccessDenied"))]).client();
//!     assert_eq!(limits_of(&blocked).await, "call us");
//! });
//! ```
//!
//! The card form needs a browser; [`Client::read_card`](crate::client::Client::read_card) reads its session's
//! card from a reply of `get_card_session`.

#![allow(clippy::panic, clippy::expect_used, reason = "a wrong script fails its test")]

mod replies;
mod scripted_journal;
mod scripted_platform;

pub use replies::{refusal, reply};
pub use scripted_journal::ScriptedJournal;
pub use scripted_platform::{BASE_URL, CARD_URL, SENDER_ID, ScriptedPlatform, SentRequest};

/// Runs a test in virtual time: a wait ends as soon as nothing else can happen before it.
///
/// # Panics
/// If the test does, or within another runtime.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().expect("a runtime for the test").block_on(test)
}

//! What only a browser has: fetch, clock, storage, the card frame and its messages.

mod card_form;
mod card_frame;
mod color;
mod environment;
mod journal;
mod lock;
mod policy_watch;
mod timer;

pub use card_form::{CardForm, CardFormEvent, CardFormOptions};
pub use card_frame::{CardFrame, FrameEvent, FrameOptions};
pub use color::is_color;
pub use environment::{Browser, Signal, TokenSource, Watcher};
pub use journal::{MemoryJournal, SessionJournal};
pub use lock::Lock;
pub use timer::Timer;

#[cfg(feature = "js")]
pub(crate) use journal::failed as journal_failed;

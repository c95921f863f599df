//! What only a browser has: fetch, clock, storage, the card frame and its messages.

mod card_form;
mod card_frame;
mod engine;
mod journal;
mod mounted_form;
mod platform;

pub use crate::card::FrameEvent;
pub use crate::client::MemoryJournal;
pub use card_form::CardForm;
pub use card_frame::{CardFrame, FrameOptions};
pub use engine::Lock;
pub use journal::SessionJournal;
pub use mounted_form::{CardFormEvent, CardFormOptions};
pub use platform::{Browser, Signal, is_color};

#[cfg(feature = "js")]
pub(crate) use journal::failed as journal_failed;
#[cfg(feature = "js")]
pub(crate) use mounted_form::{FormHost, MountedForm};
#[cfg(feature = "js")]
pub(crate) use platform::{answer_of, elapsed_ms, now_ms, parse_time_ms, text_of};

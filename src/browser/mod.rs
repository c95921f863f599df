//! What only a browser has: fetch, clock, storage, the card frame and its messages.

mod card_form;
mod card_form_event;
mod card_form_options;
mod card_frame;
mod cause;
mod color;
mod fetch;
mod global;
mod iframe;
mod journal;
mod listener;
mod lock;
mod mounted_form;
mod platform;
mod time;
mod timer;

pub use crate::card::FrameEvent;
pub use crate::client::MemoryJournal;
pub use card_form::CardForm;
pub use card_form_event::CardFormEvent;
pub use card_form_options::CardFormOptions;
pub use card_frame::{CardFrame, FrameOptions};
pub use color::is_color;
#[cfg(feature = "js")]
pub(crate) use journal::JsStore;
pub use journal::{LocalJournal, SessionJournal};
pub use platform::{Browser, Signal};

#[cfg(feature = "js")]
pub(crate) use cause::{future_to_promise, take_cause};
#[cfg(feature = "js")]
pub(crate) use mounted_form::{MountedForm, Shown};
#[cfg(feature = "js")]
pub(crate) use platform::{matches_pattern, open_session_journal};
#[cfg(feature = "js")]
pub(crate) use time::now_ms;

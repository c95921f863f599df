//! The hosted card form in an embedding page: its address, theme, loading and messages (interface, parts 4
//! and 6). Pure.

#[doc(hidden)]
pub mod event_names;
mod form_address;
#[doc(hidden)]
pub mod form_defaults;
mod frame_watch;
mod load_failure;
mod protocol;
mod theme;

pub use form_address::card_form_url;
#[cfg(feature = "browser")]
pub(crate) use form_address::form_url;
pub use frame_watch::FrameEvent;
#[doc(hidden)]
pub use frame_watch::{Alarm, FrameInput, FrameOutput, FrameWatch, has_origin};
pub use load_failure::LoadFailure;
#[doc(hidden)]
pub use protocol::Message;
pub use protocol::{CardEvent, Refusals};
pub use theme::{Color, FontFamily, IsColor, Language, Picture, Radius, Spacing, TextCase, Theme};

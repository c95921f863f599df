//! The hosted card form as seen from the page that embeds it: its address, its theme, and which of its
//! messages are believed (interface, parts 4 and 6). Pure.

mod event_stream;
mod form_address;
mod frame_watch;
mod kind;
mod loading;
mod protocol;
mod theme;

pub use event_stream::{EventSink, EventStream, event_stream};
pub use form_address::card_form_url;
#[cfg(all(target_arch = "wasm32", feature = "browser"))]
pub(crate) use form_address::form_url;
pub use frame_watch::{FrameEvent, FrameInput, FrameOutput, FrameWatch, is_of};
pub use kind::IsColor;
pub use loading::{LoadFailure, LoadSignal, Loading};
pub use protocol::{CardEvent, Message, Protocol, Refusal, Refusals};
pub use theme::{Theme, Value};

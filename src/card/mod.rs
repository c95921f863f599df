//! The hosted card form as seen from the page that embeds it: its address, its theme, and which of its
//! messages are believed (interface, parts 4 and 6). Pure.

mod form_address;
mod kind;
mod loading;
mod protocol;
mod theme;

pub use form_address::card_form_url;
pub use kind::IsColor;
pub use loading::{LoadFailure, LoadSignal, Loading};
pub use protocol::{CardEvent, Message, Protocol, Refusal, Refusals};
pub use theme::{Theme, Value};

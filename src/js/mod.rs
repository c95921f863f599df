//! What JavaScript sees of the wasm: a few classes that take and give plain data as JSON text. No
//! decisions here. The package's façade (`pkg-template`) gives them the shape of the public API.

mod answer;
mod core;
mod field_form;
mod frame_watch;
mod heap;
mod options;
mod page;

pub use self::core::Core;
pub use field_form::FieldFormCore;
pub use frame_watch::FrameWatchCore;
pub use page::PageHands;

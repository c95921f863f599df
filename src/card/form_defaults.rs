//! What a card form has unless its options say otherwise. `package-tables` reads them for the npm package,
//! whose components reserve the height before the module is there.

/// The accessible name of the frame.
pub const TITLE: &str = "Card details";
/// The height in CSS pixels, which the form needs at a width of 320.
pub const HEIGHT: u32 = 620;
/// The timeout of the frame's load.
pub const LOAD_TIMEOUT_MS: u32 = 20_000;

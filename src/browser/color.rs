/// Whether the engine takes the text for a CSS colour (see [`IsColor`](crate::card::IsColor)).
#[must_use]
pub fn is_color(text: &str) -> bool {
    web_sys::css::supports_with_value("color", text).unwrap_or(false)
}

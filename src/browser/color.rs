use web_sys::css::supports_with_value;

/// Whether the text is a CSS color for the browser (see [`IsColor`](crate::card::IsColor)); without
/// `CSS.supports`, as on a server, whether it may be one.
#[must_use]
pub fn is_color(text: &str) -> bool {
    supports_with_value("color", text).unwrap_or_else(|_| match text.trim_ascii().as_bytes() {
        [b'#', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        [first, ..] => first.is_ascii_alphabetic(),
        [] => false,
    })
}

use super::Trace;

/// What flows read of their surroundings without waiting.
pub trait Host {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Milliseconds since any time, by a clock that nobody sets.
    fn elapsed_ms(&self) -> u64;
    /// From 0 to 1.
    fn random(&self) -> f64;
    /// Whether the text matches the service's pattern; `None` if that cannot be told.
    fn matches(&self, pattern: &str, text: &str) -> Option<bool>;
    /// Milliseconds since 1970 of a time in ISO 8601.
    fn parse_time_ms(&self, iso: &str) -> Option<u64>;
    /// Takes notice of what was sent. Holds no token, no body and no query.
    fn trace(&self, entry: Trace<'_>);
}

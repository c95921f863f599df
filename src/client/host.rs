use std::rc::Rc;

use super::Trace;

/// What a flow reads of its surroundings without waiting.
pub trait Host: 'static {
    /// Returns the milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Returns the milliseconds since any moment, by a monotonic clock.
    fn elapsed_ms(&self) -> u64;
    /// Returns a random number from 0 to 1.
    fn random(&self) -> f64;
    /// Whether the text matches the service's pattern; `None` if that cannot be determined.
    fn matches(&self, pattern: &str, text: &str) -> Option<bool>;
    /// Parses a time in ISO 8601 to milliseconds since 1970.
    fn parse_time_ms(&self, iso: &str) -> Option<u64>;
    /// Takes an entry of the trace. It contains no token, no body and no query.
    fn trace(&self, _entry: Trace<'_>) {}
}

// Boxed in the core: `Rc<dyn Host>` would cost 0.1 kB more.
impl<H: Host> Host for Rc<H> {
    fn now_ms(&self) -> u64 {
        (**self).now_ms()
    }
    fn elapsed_ms(&self) -> u64 {
        (**self).elapsed_ms()
    }
    fn random(&self) -> f64 {
        (**self).random()
    }
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        (**self).matches(pattern, text)
    }
    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        (**self).parse_time_ms(iso)
    }
    fn trace(&self, entry: Trace<'_>) {
        (**self).trace(entry);
    }
}

//! What the npm package calls the events of a card form. `package-tables` reads them for its scripts.

use super::CardEvent;

/// The frame has loaded.
pub const READY: &str = "READY";
/// The frame failed to load.
pub const LOAD_FAILED: &str = "LOAD_FAILED";

/// Returns the names of the messages that the form itself sends.
pub fn of_messages() -> impl Iterator<Item = &'static str> {
    CardEvent::ALL.into_iter().map(CardEvent::as_str)
}

/// Returns the names of all events of a form that is on a page.
pub fn all() -> impl Iterator<Item = &'static str> {
    [READY, LOAD_FAILED].into_iter().chain(of_messages())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_are_the_documented_messages_and_two_of_the_page() {
        let messages = [
            "CARD_VALIDATION_START",
            "CARD_VALIDATION_STOP_SUCCESS",
            "CARD_VALIDATION_STOP_FAIL",
            "CARD_VALIDATION_STOP_EXPIRED",
        ];
        assert_eq!(of_messages().collect::<Vec<_>>(), messages);
        assert_eq!(all().collect::<Vec<_>>(), [&["READY", "LOAD_FAILED"][..], &messages].concat());
    }
}

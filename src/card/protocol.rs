use crate::api::CardSessionStatus;

/// A message of the hosted form (interface, part 6). On the wire it is a plain string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CardEvent {
    /// The customer submitted the card for verification.
    Start,
    /// The card was verified. Only a hint: reading the session back confirms it.
    Success,
    /// The card was not verified; the customer may try another one.
    Fail,
    /// The session has expired.
    Expired,
}

impl CardEvent {
    pub(super) const ALL: [CardEvent; 4] =
        [CardEvent::Start, CardEvent::Success, CardEvent::Fail, CardEvent::Expired];

    /// The length of the longest message in UTF-16 code units.
    pub const LONGEST: u32 = 28;

    /// Returns the string on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            CardEvent::Start => "CARD_VALIDATION_START",
            CardEvent::Success => "CARD_VALIDATION_STOP_SUCCESS",
            CardEvent::Fail => "CARD_VALIDATION_STOP_FAIL",
            CardEvent::Expired => "CARD_VALIDATION_STOP_EXPIRED",
        }
    }

    /// Returns how a session of this status has ended, if it has.
    pub fn ending(status: &str, has_card: bool) -> Option<Self> {
        if has_card {
            Some(CardEvent::Success)
        } else {
            (status == CardSessionStatus::Expired.as_str()).then_some(CardEvent::Expired)
        }
    }

    fn from_data(data: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == data)
    }
}

/// A message event of the page.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Whether the browser dispatched it (`event.isTrusted`).
    pub trusted: bool,
    /// Whether the form's frame sent it (`event.source`).
    pub from_this_frame: bool,
    /// The sender's origin (`event.origin`).
    pub origin: &'a str,
    /// The data, if it is a string.
    pub data: Option<&'a str>,
}

/// How many messages were refused, each counted for the first check that it failed. Their contents are kept
/// nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refusals {
    /// Dispatched by a script.
    pub untrusted: u32,
    /// Sent by another window.
    pub source: u32,
    /// Sent by the frame while it showed a page of another origin.
    pub origin: u32,
    /// Not one of the documented strings.
    pub data: u32,
    /// Impossible after the messages before it.
    pub order: u32,
}

impl Refusals {
    /// Returns the number of all refused messages.
    pub fn total(self) -> u32 {
        [self.untrusted, self.source, self.origin, self.data, self.order]
            .into_iter()
            .fold(0, u32::saturating_add)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Idle,
    /// A page that has loaded since the start may be the form's first one, an intermediate one of the
    /// verification, or the reloaded form, which has forgotten the start.
    Verifying {
        has_loaded: bool,
    },
    Verified,
    Expired,
}

impl Step {
    /// Returns the step after an event, `None` if the event is impossible.
    fn after(self, event: CardEvent) -> Option<Step> {
        match (self, event) {
            (Step::Idle | Step::Verifying { has_loaded: true }, CardEvent::Start) => {
                Some(Step::Verifying { has_loaded: false })
            }
            (Step::Verifying { .. }, CardEvent::Success) => Some(Step::Verified),
            (Step::Verifying { .. }, CardEvent::Fail) => Some(Step::Idle),
            (Step::Idle | Step::Verifying { .. }, CardEvent::Expired) => Some(Step::Expired),
            _ => None,
        }
    }
}

/// Decides which messages come from the form.
///
/// A message is believed if the browser dispatched it, this frame's window sent it from exactly the card
/// form's origin, and it is one of the four documented strings in a possible order: a start, then a success
/// or a failure; another start after a failure, or if a page has loaded since the start; the expiry at any
/// time; nothing after a success or the expiry.
#[derive(Clone, Debug)]
pub(super) struct Protocol {
    origin: String,
    step: Step,
    refusals: Refusals,
}

impl Protocol {
    /// Creates a protocol for the origin of the form, as a browser writes it.
    pub(super) fn new(origin: String) -> Self {
        Protocol { origin, step: Step::Idle, refusals: Refusals::default() }
    }

    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the event of a believed message; counts any other message.
    pub(super) fn receive(&mut self, message: Message<'_>) -> Option<CardEvent> {
        let refusals = &mut self.refusals;
        let counter = if !message.trusted {
            &mut refusals.untrusted
        } else if !message.from_this_frame {
            &mut refusals.source
        } else if message.origin != self.origin {
            &mut refusals.origin
        } else if let Some(event) = message.data.and_then(CardEvent::from_data) {
            if let Some(step) = self.step.after(event) {
                self.step = step;
                return Some(event);
            }
            &mut refusals.order
        } else {
            &mut refusals.data
        };
        *counter = counter.saturating_add(1);
        None
    }

    /// Returns an event that the form's session shows, unless a message has told of it or of another end.
    pub(super) fn conclude(&mut self, event: CardEvent) -> Option<CardEvent> {
        if matches!(self.step, Step::Verified | Step::Expired) {
            return None;
        }
        self.step = if event == CardEvent::Success { Step::Verified } else { Step::Expired };
        Some(event)
    }

    /// Notes that the frame has loaded a page, perhaps not the first one. This ends no verification.
    pub(super) fn loaded(&mut self) {
        if let Step::Verifying { has_loaded } = &mut self.step {
            *has_loaded = true;
        }
    }

    /// Notes that the frame gets another address, for another session or theme.
    pub(super) fn restart(&mut self) {
        self.step = Step::Idle;
    }

    pub(super) fn refusals(&self) -> Refusals {
        self.refusals
    }
}

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::CardEvent::{Expired, Fail, Start, Success};
    use super::*;
    use proptest::prelude::*;
    use proptest::sample::select;

    const ORIGIN: &str = "https://card.example.com";

    const fn genuine(data: &'static str) -> Message<'static> {
        Message { trusted: true, from_this_frame: true, origin: ORIGIN, data: Some(data) }
    }

    fn protocol() -> Protocol {
        Protocol::new(ORIGIN.to_owned())
    }

    #[test]
    fn the_longest_message_has_the_declared_length() {
        let longest = CardEvent::ALL.iter().map(|event| event.as_str().len()).max();
        assert_eq!(longest, Some(CardEvent::LONGEST as usize));
    }

    const GOOD: Message<'_> = genuine("CARD_VALIDATION_START");

    /// Messages that the form did not send, in the order of the checks that they fail.
    const FORGED: [Message<'_>; 14] = [
        Message { trusted: false, ..GOOD },
        Message { trusted: false, from_this_frame: false, origin: "null", data: None },
        Message { from_this_frame: false, ..GOOD },
        Message { origin: "https://card.example.com.evil.com", ..GOOD },
        Message { origin: "https://card.example.com:444", ..GOOD },
        Message { origin: "http://card.example.com", ..GOOD },
        Message { origin: "https://card.example.com/", ..GOOD },
        Message { origin: "null", ..GOOD },
        Message { data: None, ..GOOD },
        genuine(""),
        genuine("card_validation_start"),
        genuine("CARD_VALIDATION_START "),
        genuine("\"CARD_VALIDATION_START\""),
        genuine("CARD_VALIDATION_STOP"),
    ];

    #[test]
    fn each_check_alone_refuses_a_message() {
        let impossible = [Success, Fail].map(|event| genuine(event.as_str()));
        let mut total = Refusals::default();
        for message in FORGED.into_iter().chain(impossible) {
            let mut protocol = protocol();
            assert_eq!(protocol.receive(message), None, "{message:?}");
            let refusals = protocol.refusals();
            assert_eq!(refusals.total(), 1);
            assert_eq!(protocol.receive(GOOD), Some(Start), "a refused message changes nothing");
            total.untrusted += refusals.untrusted;
            total.source += refusals.source;
            total.origin += refusals.origin;
            total.data += refusals.data;
            total.order += refusals.order;
        }
        assert_eq!(total, Refusals { untrusted: 2, source: 1, origin: 5, data: 6, order: 2 });
    }

    #[derive(Clone, Debug)]
    enum Input {
        Genuine(CardEvent),
        Forged(Message<'static>),
        Loaded,
        Restart,
    }

    fn input() -> impl Strategy<Value = Input> {
        prop_oneof![
            6 => select(&CardEvent::ALL).prop_map(Input::Genuine),
            3 => select(&FORGED).prop_map(Input::Forged),
            1 => Just(Input::Loaded),
            1 => Just(Input::Restart),
        ]
    }

    /// Returns whether an event is possible, judged by the events since the restart instead of by a state.
    fn is_possible(events: &[CardEvent], has_loaded: bool, event: CardEvent) -> bool {
        let is_over = events.iter().any(|event| matches!(event, Success | Expired));
        let is_verifying = events.last() == Some(&Start);
        !is_over
            && match event {
                Start => !is_verifying || has_loaded,
                Success | Fail => is_verifying,
                Expired => true,
            }
    }

    proptest! {
        #[test]
        fn the_protocol_behaves_like_the_model(inputs in proptest::collection::vec(input(), 0..60)) {
            let mut protocol = protocol();
            let (mut events, mut has_loaded, mut refused) = (Vec::new(), false, 0);
            for input in &inputs {
                match input {
                    Input::Genuine(event) if is_possible(&events, has_loaded, *event) => {
                        prop_assert_eq!(protocol.receive(genuine(event.as_str())), Some(*event));
                        events.push(*event);
                        has_loaded = false;
                    }
                    Input::Genuine(event) => {
                        prop_assert_eq!(protocol.receive(genuine(event.as_str())), None);
                        refused += 1;
                    }
                    Input::Forged(message) => {
                        prop_assert_eq!(protocol.receive(*message), None);
                        refused += 1;
                    }
                    Input::Loaded => {
                        protocol.loaded();
                        has_loaded = true;
                    }
                    Input::Restart => {
                        protocol.restart();
                        events.clear();
                    }
                }
                prop_assert_eq!(protocol.refusals().total(), refused);
            }
        }
    }
}

/// A message of the hosted form (interface, part 6). On the wire each is a plain string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardEvent {
    /// The customer asked for the card to be verified.
    Start,
    /// The card was verified. A hint only: what counts is the session, read back.
    Success,
    /// The card was not verified; the customer may try another.
    Fail,
    /// The session is over.
    Expired,
}

impl CardEvent {
    const ALL: [CardEvent; 4] = [CardEvent::Start, CardEvent::Success, CardEvent::Fail, CardEvent::Expired];

    /// No message is longer, in UTF-16 code units; what is longer need not be looked at.
    pub const LONGEST: u32 = 28;

    /// The string on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            CardEvent::Start => "CARD_VALIDATION_START",
            CardEvent::Success => "CARD_VALIDATION_STOP_SUCCESS",
            CardEvent::Fail => "CARD_VALIDATION_STOP_FAIL",
            CardEvent::Expired => "CARD_VALIDATION_STOP_EXPIRED",
        }
    }

    fn from_data(data: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str() == data)
    }
}

/// What a browser knows of a message that reached the page.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    /// Whether the browser itself dispatched it (`event.isTrusted`).
    pub trusted: bool,
    /// Whether it came from the window of the form's frame (`event.source`).
    pub from_this_frame: bool,
    /// The origin of the sender (`event.origin`).
    pub origin: &'a str,
    /// The data, if it is a string.
    pub data: Option<&'a str>,
}

/// Why a message was not believed. Of several reasons the first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A script made it up.
    Untrusted,
    /// Another window sent it.
    Source,
    /// The frame sent it while it showed a page of another origin.
    Origin,
    /// It is none of the documented strings.
    Data,
    /// It says what cannot have happened now.
    Order,
}

/// How many messages were not believed. Their contents are kept nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named for its refusal")]
pub struct Refusals {
    pub untrusted: u32,
    pub source: u32,
    pub origin: u32,
    pub data: u32,
    pub order: u32,
}

impl Refusals {
    /// All of them.
    #[must_use]
    pub fn total(self) -> u32 {
        [self.untrusted, self.source, self.origin, self.data, self.order]
            .into_iter()
            .fold(0, u32::saturating_add)
    }

    fn count(&mut self, refusal: Refusal) {
        let counter = match refusal {
            Refusal::Untrusted => &mut self.untrusted,
            Refusal::Source => &mut self.source,
            Refusal::Origin => &mut self.origin,
            Refusal::Data => &mut self.data,
            Refusal::Order => &mut self.order,
        };
        *counter = counter.saturating_add(1);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Idle,
    /// Where a page has loaded since the start, it may be the form's first, or one on the way to the end,
    /// which is still to come; or the form anew, which has forgotten the start.
    Verifying {
        has_loaded: bool,
    },
    Verified,
    Expired,
}

impl Step {
    /// Where an event leads; `None` where it cannot have happened.
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

/// Decides which messages are the form's own.
///
/// A message is believed if the browser dispatched it, this frame's window sent it, from exactly the card
/// form's origin, and it is one of the four documented strings in an order in which the form can say them: a
/// start, then a success or a failure; after a failure, or where a page has loaded since the start, another
/// start; the end of the session at any time; after a success or the end nothing.
#[derive(Clone, Debug)]
pub struct Protocol {
    origin: String,
    step: Step,
    refusals: Refusals,
}

impl Protocol {
    /// Believes messages of this origin, written as a browser writes it.
    #[must_use]
    pub fn new(origin: &str) -> Self {
        Protocol { origin: origin.to_owned(), step: Step::Idle, refusals: Refusals::default() }
    }

    /// Takes a message, or says why not.
    ///
    /// # Errors
    /// [`Refusal`]. It has been counted.
    pub fn receive(&mut self, message: Message<'_>) -> Result<CardEvent, Refusal> {
        let taken = self.check(message);
        match taken {
            Ok((event, step)) => {
                self.step = step;
                Ok(event)
            }
            Err(refusal) => {
                self.refusals.count(refusal);
                Err(refusal)
            }
        }
    }

    /// The frame has loaded a page, perhaps again. It ends no verification.
    pub fn loaded(&mut self) {
        if let Step::Verifying { has_loaded } = &mut self.step {
            *has_loaded = true;
        }
    }

    /// The frame is given another address, for another session or theme.
    pub fn restart(&mut self) {
        self.step = Step::Idle;
    }

    /// What was not believed since the frame was mounted.
    #[must_use]
    pub fn refusals(&self) -> Refusals {
        self.refusals
    }

    fn check(&self, message: Message<'_>) -> Result<(CardEvent, Step), Refusal> {
        if !message.trusted {
            return Err(Refusal::Untrusted);
        }
        if !message.from_this_frame {
            return Err(Refusal::Source);
        }
        if message.origin != self.origin {
            return Err(Refusal::Origin);
        }
        let event = message.data.and_then(CardEvent::from_data).ok_or(Refusal::Data)?;
        let step = self.step.after(event).ok_or(Refusal::Order)?;
        Ok((event, step))
    }
}

// Natively alone: proptest draws on the system's randomness.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORIGIN: &str = "https://card.example.com";

    fn genuine(event: CardEvent) -> Message<'static> {
        Message { trusted: true, from_this_frame: true, origin: ORIGIN, data: Some(event.as_str()) }
    }

    fn protocol() -> Protocol {
        Protocol::new(ORIGIN)
    }

    #[test]
    fn the_longest_message_is_known() {
        let longest = CardEvent::ALL.iter().map(|event| event.as_str().len()).max();
        assert_eq!(longest, Some(CardEvent::LONGEST as usize));
    }

    #[test]
    fn each_check_alone_keeps_a_message_out() {
        let good = genuine(CardEvent::Start);
        assert_eq!(protocol().receive(good), Ok(CardEvent::Start));
        for (message, refusal) in [
            (Message { trusted: false, ..good }, Refusal::Untrusted),
            (Message { from_this_frame: false, ..good }, Refusal::Source),
            (Message { origin: "https://card.example.com.evil.com", ..good }, Refusal::Origin),
            (Message { origin: "https://card.example.com:444", ..good }, Refusal::Origin),
            (Message { origin: "http://card.example.com", ..good }, Refusal::Origin),
            (Message { origin: "https://card.example.com/", ..good }, Refusal::Origin),
            (Message { origin: "null", ..good }, Refusal::Origin),
            (Message { origin: "", ..good }, Refusal::Origin),
            (Message { data: None, ..good }, Refusal::Data),
            (Message { data: Some(""), ..good }, Refusal::Data),
            (Message { data: Some("card_validation_start"), ..good }, Refusal::Data),
            (Message { data: Some("CARD_VALIDATION_START "), ..good }, Refusal::Data),
            (Message { data: Some("\"CARD_VALIDATION_START\""), ..good }, Refusal::Data),
            (Message { data: Some("CARD_VALIDATION_STOP"), ..good }, Refusal::Data),
            (Message { data: Some("READY"), ..good }, Refusal::Data),
            (genuine(CardEvent::Success), Refusal::Order),
            (genuine(CardEvent::Fail), Refusal::Order),
        ] {
            let mut protocol = protocol();
            assert_eq!(protocol.receive(message), Err(refusal), "{message:?}");
            assert_eq!(protocol.refusals().total(), 1);
            assert_eq!(protocol.receive(good), Ok(CardEvent::Start), "a refused message changes nothing");
        }
    }

    #[test]
    fn a_page_that_loads_between_start_and_end_ends_no_verification() {
        for end in [CardEvent::Success, CardEvent::Fail, CardEvent::Expired] {
            let mut protocol = protocol();
            protocol.receive(genuine(CardEvent::Start)).unwrap();
            protocol.loaded();
            protocol.loaded();
            assert_eq!(protocol.receive(genuine(end)), Ok(end));
            assert_eq!(protocol.receive(genuine(CardEvent::Success)), Err(Refusal::Order));
        }
    }

    #[test]
    fn a_frame_that_loads_again_may_begin_again_but_an_end_stays_one() {
        let mut reloaded = protocol();
        reloaded.receive(genuine(CardEvent::Start)).unwrap();
        assert_eq!(reloaded.receive(genuine(CardEvent::Start)), Err(Refusal::Order));
        reloaded.loaded();
        assert_eq!(reloaded.receive(genuine(CardEvent::Start)), Ok(CardEvent::Start));
        assert_eq!(reloaded.receive(genuine(CardEvent::Start)), Err(Refusal::Order));
        reloaded.receive(genuine(CardEvent::Success)).unwrap();
        reloaded.loaded();
        assert_eq!(reloaded.receive(genuine(CardEvent::Start)), Err(Refusal::Order));
        reloaded.restart();
        assert_eq!(reloaded.receive(genuine(CardEvent::Start)), Ok(CardEvent::Start));
        assert_eq!(reloaded.refusals(), Refusals { order: 3, ..Refusals::default() });
    }

    #[test]
    fn another_session_takes_nothing_from_the_one_that_was_verifying() {
        let mut renewed = protocol();
        renewed.receive(genuine(CardEvent::Start)).unwrap();
        renewed.restart();
        renewed.loaded();
        assert_eq!(renewed.receive(genuine(CardEvent::Success)), Err(Refusal::Order));
        assert_eq!(renewed.receive(genuine(CardEvent::Start)), Ok(CardEvent::Start));
        assert_eq!(renewed.receive(genuine(CardEvent::Success)), Ok(CardEvent::Success));
    }

    fn event() -> impl Strategy<Value = CardEvent> {
        proptest::sample::select(CardEvent::ALL.to_vec())
    }

    /// The strings that the form sends in one session: failures, and then an end if it comes to one.
    fn session() -> impl Strategy<Value = Vec<CardEvent>> {
        let endings = [
            &[][..],
            &[CardEvent::Start],
            &[CardEvent::Start, CardEvent::Success],
            &[CardEvent::Start, CardEvent::Expired],
            &[CardEvent::Expired],
        ];
        (0usize..6, proptest::sample::select(endings.to_vec())).prop_map(|(failures, ending)| {
            [[CardEvent::Start, CardEvent::Fail].repeat(failures), ending.to_vec()].concat()
        })
    }

    #[derive(Clone, Debug)]
    struct Forgery {
        trusted: bool,
        from_this_frame: bool,
        origin: String,
        data: Option<String>,
    }

    impl Forgery {
        fn message(&self) -> Message<'_> {
            Message {
                trusted: self.trusted,
                from_this_frame: self.from_this_frame,
                origin: &self.origin,
                data: self.data.as_deref(),
            }
        }
    }

    /// At least one thing is wrong with it beside its order.
    fn forgery() -> impl Strategy<Value = Forgery> {
        let origin = prop_oneof![Just(ORIGIN.to_owned()), "https://card.example.co[a-z:/.]{0,3}", ".{0,20}"];
        let data = prop_oneof![
            event().prop_map(|event| Some(event.as_str().to_owned())),
            Just(None),
            "(CARD_VALIDATION_|STOP_|START|SUCCESS|[ \"a-z]){0,4}".prop_map(Some),
        ];
        (any::<bool>(), any::<bool>(), origin, data)
            .prop_map(|(trusted, from_this_frame, origin, data)| Forgery {
                trusted,
                from_this_frame,
                origin,
                data,
            })
            .prop_filter("it is genuine", |forgery| {
                let documented =
                    forgery.data.as_deref().is_some_and(|data| CardEvent::from_data(data).is_some());
                !(forgery.trusted && forgery.from_this_frame && forgery.origin == ORIGIN && documented)
            })
    }

    #[derive(Clone, Debug)]
    enum Input {
        Genuine(CardEvent),
        Forged(Forgery),
        Loaded,
        Restart,
    }

    fn input() -> impl Strategy<Value = Input> {
        prop_oneof![
            6 => event().prop_map(Input::Genuine),
            3 => forgery().prop_map(Input::Forged),
            1 => Just(Input::Loaded),
            1 => Just(Input::Restart),
        ]
    }

    /// What may come next, told by what was said so far and not by a state: the other way to write the same
    /// rule.
    fn may_follow(said: &[CardEvent], has_loaded: bool, event: CardEvent) -> bool {
        let is_over = said.iter().any(|event| matches!(event, CardEvent::Success | CardEvent::Expired));
        let is_verifying = said.last() == Some(&CardEvent::Start);
        !is_over
            && match event {
                CardEvent::Start => !is_verifying || has_loaded,
                CardEvent::Success | CardEvent::Fail => is_verifying,
                CardEvent::Expired => true,
            }
    }

    proptest! {
        #[test]
        fn no_sequence_of_forged_messages_yields_an_event(forgeries in proptest::collection::vec(forgery(), 0..40)) {
            let mut protocol = protocol();
            for forgery in &forgeries {
                prop_assert!(protocol.receive(forgery.message()).is_err(), "{:?}", forgery);
            }
            prop_assert_eq!(protocol.refusals().total() as usize, forgeries.len());
            prop_assert_eq!(protocol.refusals().order, 0);
        }

        #[test]
        fn what_the_form_says_arrives_in_order_whatever_is_forged_between(
            session in session(), forgeries in proptest::collection::vec((0usize..20, forgery()), 0..20),
        ) {
            let mut protocol = protocol();
            let mut arrived = Vec::new();
            for (i, event) in session.iter().enumerate() {
                for (_, forgery) in forgeries.iter().filter(|(at, _)| *at == i) {
                    arrived.extend(protocol.receive(forgery.message()).ok());
                }
                arrived.extend(protocol.receive(genuine(*event)).ok());
            }
            prop_assert_eq!(arrived, session);
        }

        #[test]
        fn it_behaves_as_the_model(inputs in proptest::collection::vec(input(), 0..60)) {
            let mut protocol = protocol();
            let mut said = Vec::new();
            let mut has_loaded = false;
            let mut refused = 0;
            for input in &inputs {
                match input {
                    Input::Genuine(event) => {
                        let expected = if may_follow(&said, has_loaded, *event) { Ok(*event) } else { Err(Refusal::Order) };
                        prop_assert_eq!(protocol.receive(genuine(*event)), expected);
                        if expected.is_ok() {
                            said.push(*event);
                            has_loaded = false;
                        } else {
                            refused += 1;
                        }
                    }
                    Input::Forged(forgery) => {
                        prop_assert!(protocol.receive(forgery.message()).is_err());
                        refused += 1;
                    }
                    Input::Loaded => {
                        protocol.loaded();
                        has_loaded = true;
                    }
                    Input::Restart => {
                        protocol.restart();
                        said.clear();
                    }
                }
                prop_assert_eq!(protocol.refusals().total(), refused);
            }
        }
    }
}

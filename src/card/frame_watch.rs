use super::{CardEvent, LoadFailure, LoadSignal, Loading, Message, Protocol, Refusals};

/// An engine tells of a violation of the policy at most so long after the frame's `load` or `error`, or after
/// a request has failed.
const DIRECTIVE_WITHIN_MS: i32 = 300;
/// Firefox and WebKit tell of their error page by no event: a form that has not loaded for so long is asked
/// for.
const ASK_AFTER_MS: i32 = 2000;
/// A server that has sent a page but no answer for so long is believed to be there.
const REACHED_WITHIN_MS: i32 = 5000;
/// The directives of a policy that can keep a frame out. Engines differ in whether they name the one that
/// decided or the one that it stands for.
const FRAME_DIRECTIVES: [&str; 3] = ["frame-src", "child-src", "default-src"];

/// What happens in the frame of a card form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameEvent {
    /// Something has loaded (see [`Loading`]). Once for each address.
    Ready,
    /// It did not load. Once at most, and before it is ready; after a timeout it may still become ready.
    LoadFailed(LoadFailure),
    /// The form said so.
    Card(CardEvent),
}

/// What a page notices of the frame.
#[derive(Clone, Copy, Debug)]
pub enum FrameInput<'a> {
    /// A message reached the page.
    Message(Message<'a>),
    /// The frame's `load` event.
    Load {
        /// Whether the page can look into its document.
        is_readable: bool,
        /// Whether the browser has a connection.
        is_online: bool,
    },
    /// The result of the request for the form's address.
    Asked {
        /// Whether there was an answer, which may be any.
        is_answered: bool,
        /// Whether the browser has a connection.
        is_online: bool,
    },
    /// The frame's `error` event.
    Error {
        /// Whether the browser has a connection.
        is_online: bool,
    },
    /// The page's policy, which is enforced, kept something out.
    Violation {
        /// The directive that decided.
        directive: &'a str,
        /// The address that was kept out.
        blocked: &'a str,
    },
    /// The time of the alarm has come.
    Alarm {
        /// Whether the page is hidden.
        is_hidden: bool,
        /// Whether the browser has a connection.
        is_online: bool,
    },
}

/// What follows from an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameOutput {
    /// What to tell, in this order.
    pub events: [Option<FrameEvent>; 2],
    /// When to give an alarm, in milliseconds from now, in place of any earlier one; below 0 not at all.
    pub alarm_ms: Option<i32>,
    /// Whether to ask the form's server for its address.
    pub asks: bool,
}

/// Whether the form was asked for before anything had loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EarlyAsk {
    Due,
    Made,
    /// The page may not ask, or it is too late to.
    Unheard,
}

/// Judges what is noticed of the frame of a card form: which messages are believed, whether it loads.
#[derive(Debug)]
pub struct FrameWatch {
    origin: String,
    load_timeout_ms: i32,
    protocol: Protocol,
    loading: Loading,
    /// Whether something has loaded, which is the form if its server answers.
    has_loaded: bool,
    early_ask: EarlyAsk,
    /// What the alarm says, unless it is that patience is at its end.
    failure: Option<LoadFailure>,
}

impl FrameWatch {
    /// A watch over a frame of this origin, as [`Address::origin`](crate::api::Address::origin) gives it.
    #[must_use]
    pub fn new(origin: String, load_timeout_ms: u32) -> Self {
        FrameWatch {
            protocol: Protocol::new(&origin),
            origin,
            load_timeout_ms: i32::try_from(load_timeout_ms).unwrap_or(i32::MAX),
            loading: Loading::default(),
            has_loaded: false,
            early_ask: EarlyAsk::Due,
            failure: None,
        }
    }

    /// The origin that is believed.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// How many messages were not believed.
    #[must_use]
    pub fn refusals(&self) -> Refusals {
        self.protocol.refusals()
    }

    /// The frame begins to load an address. Returns when to give the first alarm, in milliseconds.
    pub fn restart(&mut self) -> i32 {
        self.protocol.restart();
        self.loading = Loading::default();
        self.has_loaded = false;
        self.early_ask = if self.load_timeout_ms > ASK_AFTER_MS { EarlyAsk::Due } else { EarlyAsk::Unheard };
        self.failure = None;
        self.load_timeout_ms.min(ASK_AFTER_MS)
    }

    /// Judges what was noticed.
    pub fn notice(&mut self, notice: FrameInput<'_>) -> FrameOutput {
        match notice {
            FrameInput::Message(message) => match self.protocol.receive(message) {
                Ok(event) => {
                    let mut output = self.change(Loading::heard);
                    let [ready, rest] = &mut output.events;
                    *(if ready.is_some() { rest } else { ready }) = Some(FrameEvent::Card(event));
                    output
                }
                Err(_) => FrameOutput::default(),
            },
            FrameInput::Load { is_readable, is_online } => {
                self.protocol.loaded();
                // A document that the page can look into is not the form: the browser put an empty one in its
                // place.
                if is_readable {
                    self.fail_soon(LoadFailure::Blocked(None))
                } else if self.is_offline(is_online) {
                    self.change(|loading| loading.failed(LoadFailure::Offline))
                } else if self.has_loaded || matches!(self.loading, Loading::Ready | Loading::Blocked) {
                    FrameOutput::default()
                } else {
                    self.has_loaded = true;
                    self.failure = None;
                    FrameOutput { alarm_ms: Some(REACHED_WITHIN_MS), asks: true, ..FrameOutput::default() }
                }
            }
            FrameInput::Asked { is_answered, .. }
                if !self.has_loaded && (is_answered || self.early_ask != EarlyAsk::Made) =>
            {
                FrameOutput::default()
            }
            FrameInput::Asked { is_answered: true, .. } => self.change(Loading::loaded),
            FrameInput::Asked { is_online, .. } | FrameInput::Error { is_online } => {
                let failure = self.or_offline(LoadFailure::Unreachable, is_online);
                self.fail_soon(failure)
            }
            FrameInput::Violation { directive, blocked } => {
                let known = FRAME_DIRECTIVES.into_iter().find(|known| *known == directive);
                if blocked != self.origin && !is_of(blocked, &self.origin) {
                    FrameOutput::default()
                } else if known.is_some() {
                    self.change(|loading| loading.failed(LoadFailure::Blocked(known)))
                } else if directive == "connect-src" && self.has_loaded {
                    // The page may show the form, but not ask for it: what has loaded is all that there is to
                    // know.
                    self.change(Loading::loaded)
                } else if directive == "connect-src" && self.early_ask == EarlyAsk::Made {
                    self.early_ask = EarlyAsk::Unheard;
                    match self.failure {
                        Some(LoadFailure::Unreachable | LoadFailure::Offline) => {
                            self.failure = None;
                            self.wait_on()
                        }
                        _ => FrameOutput::default(),
                    }
                } else {
                    FrameOutput::default()
                }
            }
            FrameInput::Alarm { is_hidden, is_online } => match self.failure.take() {
                Some(failure) => {
                    self.has_loaded = false;
                    self.change(|loading| loading.failed(failure))
                }
                None if self.has_loaded => self.change(Loading::loaded),
                // A hidden page loads slowly or not at all, and nobody waits for it.
                None if is_hidden => {
                    FrameOutput { alarm_ms: Some(self.load_timeout_ms), ..FrameOutput::default() }
                }
                None if self.early_ask == EarlyAsk::Due && self.loading == Loading::Waiting => {
                    self.early_ask = EarlyAsk::Made;
                    FrameOutput { asks: true, ..self.wait_on() }
                }
                None => {
                    let failure = self.or_offline(LoadFailure::Timeout, is_online);
                    self.change(|loading| loading.failed(failure))
                }
            },
        }
    }

    /// Waits for what is left of the patience once the form has been asked for.
    fn wait_on(&self) -> FrameOutput {
        FrameOutput { alarm_ms: Some(self.load_timeout_ms - ASK_AFTER_MS), ..FrameOutput::default() }
    }

    /// WebKit loads the empty document, and Firefox may report the error, before the violation is told that
    /// names the directive.
    fn fail_soon(&mut self, failure: LoadFailure) -> FrameOutput {
        if self.loading == Loading::Ready {
            return FrameOutput::default();
        }
        self.failure = Some(failure);
        FrameOutput { alarm_ms: Some(DIRECTIVE_WITHIN_MS), ..FrameOutput::default() }
    }

    fn or_offline(&self, failure: LoadFailure, is_online: bool) -> LoadFailure {
        if self.is_offline(is_online) { LoadFailure::Offline } else { failure }
    }

    /// A form served by this machine itself needs no connection.
    fn is_offline(&self, is_online: bool) -> bool {
        !is_online && self.origin.starts_with("https:")
    }

    fn change(&mut self, change: impl FnOnce(&mut Loading) -> Option<LoadSignal>) -> FrameOutput {
        let Some(signal) = change(&mut self.loading) else { return FrameOutput::default() };
        self.failure = None;
        let event = match signal {
            LoadSignal::Ready => FrameEvent::Ready,
            LoadSignal::Failed(failure) => FrameEvent::LoadFailed(failure),
        };
        FrameOutput { events: [Some(event), None], alarm_ms: Some(-1), asks: false }
    }
}

/// Whether an address is of this origin.
#[must_use]
pub fn is_of(url: &str, origin: &str) -> bool {
    url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "https://card.example.com";

    fn watch() -> FrameWatch {
        FrameWatch::new(ORIGIN.to_owned(), 20_000)
    }

    fn says(data: &str) -> FrameInput<'_> {
        FrameInput::Message(Message {
            trusted: true,
            from_this_frame: true,
            origin: ORIGIN,
            data: Some(data),
        })
    }

    fn events(output: &FrameOutput) -> Vec<FrameEvent> {
        output.events.iter().flatten().copied().collect()
    }

    const LOADED: FrameInput<'_> = FrameInput::Load { is_readable: false, is_online: true };
    const ANSWERED: FrameInput<'_> = FrameInput::Asked { is_answered: true, is_online: true };
    const UNANSWERED: FrameInput<'_> = FrameInput::Asked { is_answered: false, is_online: true };
    const ALARM: FrameInput<'_> = FrameInput::Alarm { is_hidden: false, is_online: true };

    #[test]
    fn what_has_loaded_is_the_form_if_its_server_answers() {
        let mut watch = watch();
        assert_eq!(watch.notice(ANSWERED), FrameOutput::default(), "of an address that is shown no more");
        let loaded = watch.notice(LOADED);
        assert_eq!((events(&loaded), loaded.alarm_ms, loaded.asks), (vec![], Some(REACHED_WITHIN_MS), true));
        let answered = watch.notice(ANSWERED);
        assert_eq!((events(&answered), answered.alarm_ms), (vec![FrameEvent::Ready], Some(-1)));
        assert_eq!(watch.notice(LOADED), FrameOutput::default());
        assert_eq!(watch.notice(UNANSWERED), FrameOutput::default());
    }

    #[test]
    fn an_error_page_of_the_browser_is_not_the_form() {
        for (is_online, failure) in [(true, LoadFailure::Unreachable), (false, LoadFailure::Offline)] {
            let mut watch = watch();
            watch.notice(LOADED);
            let unanswered = watch.notice(FrameInput::Asked { is_answered: false, is_online });
            assert_eq!((events(&unanswered), unanswered.alarm_ms), (vec![], Some(DIRECTIVE_WITHIN_MS)));
            assert_eq!(events(&watch.notice(ALARM)), [FrameEvent::LoadFailed(failure)]);
            assert_eq!(watch.notice(ALARM), FrameOutput::default());
            // Whatever kept the request back, a form that speaks is there.
            let said = watch.notice(says("CARD_VALIDATION_START"));
            assert_eq!(events(&said), [FrameEvent::Ready, FrameEvent::Card(CardEvent::Start)]);
            watch.restart();
            watch.notice(LOADED);
            assert_eq!(events(&watch.notice(ANSWERED)), [FrameEvent::Ready]);
        }
    }

    #[test]
    fn a_server_that_is_gone_is_noticed_without_any_event() {
        for (is_online, failure) in [(true, LoadFailure::Unreachable), (false, LoadFailure::Offline)] {
            let mut watch = watch();
            assert_eq!(watch.restart(), ASK_AFTER_MS);
            let first = watch.notice(ALARM);
            assert_eq!((events(&first), first.alarm_ms, first.asks), (vec![], Some(18_000), true));
            let unanswered = watch.notice(FrameInput::Asked { is_answered: false, is_online });
            assert_eq!((events(&unanswered), unanswered.alarm_ms), (vec![], Some(DIRECTIVE_WITHIN_MS)));
            assert_eq!(events(&watch.notice(ALARM)), [FrameEvent::LoadFailed(failure)]);
            watch.notice(LOADED);
            assert_eq!(events(&watch.notice(ANSWERED)), [FrameEvent::Ready]);
        }
    }

    #[test]
    fn a_slow_form_is_waited_for_while_its_server_answers_or_may_not_be_asked() {
        let forbidden = FrameInput::Violation { directive: "connect-src", blocked: ORIGIN };
        for notices in [&[ANSWERED][..], &[forbidden, UNANSWERED], &[UNANSWERED, forbidden, UNANSWERED]] {
            let mut watch = watch();
            watch.restart();
            watch.notice(ALARM);
            let mut alarm_ms = Some(18_000);
            for notice in notices {
                let told = watch.notice(*notice);
                assert_eq!(events(&told), []);
                alarm_ms = told.alarm_ms.or(alarm_ms);
            }
            assert_eq!(alarm_ms, Some(18_000), "{notices:?}");
            assert_eq!(events(&watch.notice(ALARM)), [FrameEvent::LoadFailed(LoadFailure::Timeout)]);
        }
    }

    #[test]
    fn a_form_that_loads_just_as_its_server_seemed_to_be_gone_is_asked_for_again() {
        let mut watch = watch();
        watch.restart();
        watch.notice(ALARM);
        watch.notice(UNANSWERED);
        let loaded = watch.notice(LOADED);
        assert_eq!((loaded.alarm_ms, loaded.asks), (Some(REACHED_WITHIN_MS), true));
        assert_eq!(events(&watch.notice(ALARM)), [FrameEvent::Ready]);
    }

    #[test]
    fn who_has_little_patience_is_not_told_of_a_question() {
        for patience_ms in [1500, ASK_AFTER_MS] {
            let mut watch = FrameWatch::new(ORIGIN.to_owned(), patience_ms.unsigned_abs());
            assert_eq!(watch.restart(), patience_ms);
            assert_eq!(events(&watch.notice(ALARM)), [FrameEvent::LoadFailed(LoadFailure::Timeout)]);
        }
    }

    #[test]
    fn an_error_page_that_comes_too_late_is_no_form_either() {
        let mut watch = watch();
        watch.notice(ALARM);
        watch.notice(ALARM);
        watch.notice(LOADED);
        watch.notice(UNANSWERED);
        assert_eq!(watch.notice(ALARM), FrameOutput::default());
    }

    #[test]
    fn where_the_server_may_not_be_asked_or_never_answers_a_load_is_all_there_is() {
        let forbidden = FrameInput::Violation { directive: "connect-src", blocked: ORIGIN };
        for silent in [&[forbidden][..], &[UNANSWERED, forbidden], &[ALARM]] {
            let mut watch = watch();
            assert_eq!(
                watch.notice(forbidden),
                FrameOutput::default(),
                "what the page itself may not ask for"
            );
            watch.notice(LOADED);
            let told: Vec<_> = silent.iter().flat_map(|notice| events(&watch.notice(*notice))).collect();
            assert_eq!(told, [FrameEvent::Ready], "{silent:?}");
            assert_eq!(watch.notice(UNANSWERED), FrameOutput::default());
        }
    }

    #[test]
    fn a_form_that_speaks_before_it_has_loaded_is_ready_first() {
        let mut watch = watch();
        let heard = watch.notice(says("CARD_VALIDATION_START"));
        assert_eq!(events(&heard), [FrameEvent::Ready, FrameEvent::Card(CardEvent::Start)]);
        assert_eq!(heard.alarm_ms, Some(-1));
        // Its first load comes late, where a picture is slow, and ends no verification.
        assert_eq!(watch.notice(LOADED), FrameOutput::default());
        assert_eq!(
            events(&watch.notice(says("CARD_VALIDATION_STOP_SUCCESS"))),
            [FrameEvent::Card(CardEvent::Success)]
        );
    }

    #[test]
    fn an_empty_document_waits_for_the_directive_that_kept_the_form_out() {
        let empty = FrameInput::Load { is_readable: true, is_online: true };
        let alarm = FrameInput::Alarm { is_hidden: false, is_online: true };
        let mut watch = watch();
        assert_eq!(watch.notice(empty).alarm_ms, Some(DIRECTIVE_WITHIN_MS));
        let told = watch.notice(FrameInput::Violation { directive: "frame-src", blocked: ORIGIN });
        assert_eq!(events(&told), [FrameEvent::LoadFailed(LoadFailure::Blocked(Some("frame-src")))]);
        assert_eq!(watch.notice(LOADED), FrameOutput::default(), "nobody is asked for what is kept out");
        watch.restart();
        watch.notice(empty);
        assert_eq!(events(&watch.notice(alarm)), [FrameEvent::LoadFailed(LoadFailure::Blocked(None))]);
    }

    #[test]
    fn patience_waits_while_the_page_is_hidden_and_ends_with_a_reason() {
        let mut watch = watch();
        let hidden = watch.notice(FrameInput::Alarm { is_hidden: true, is_online: true });
        assert_eq!((events(&hidden), hidden.alarm_ms), (vec![], Some(20_000)));
        watch.notice(ALARM);
        let ended = watch.notice(FrameInput::Alarm { is_hidden: false, is_online: true });
        assert_eq!(events(&ended), [FrameEvent::LoadFailed(LoadFailure::Timeout)]);
        watch.restart();
        watch.notice(ALARM);
        let offline = watch.notice(FrameInput::Alarm { is_hidden: false, is_online: false });
        assert_eq!(events(&offline), [FrameEvent::LoadFailed(LoadFailure::Offline)]);
        // It comes late, and is welcome.
        watch.notice(LOADED);
        assert_eq!(events(&watch.notice(ANSWERED)), [FrameEvent::Ready]);
    }

    #[test]
    fn what_another_address_or_directive_keeps_out_is_no_word_on_the_form() {
        let mut watch = watch();
        for (directive, blocked) in [
            ("frame-src", "https://card.example.com.evil.example/"),
            ("frame-src", "https://other.example"),
            ("img-src", ORIGIN),
        ] {
            assert_eq!(watch.notice(FrameInput::Violation { directive, blocked }), FrameOutput::default());
        }
        let picture = FrameInput::Violation { directive: "img-src", blocked: ORIGIN };
        let request = FrameInput::Violation { directive: "connect-src", blocked: ORIGIN };
        assert_eq!(watch.notice(request), FrameOutput::default(), "nothing of the form's was asked for yet");
        assert!(watch.notice(ALARM).asks);
        watch.notice(UNANSWERED);
        assert_eq!(watch.notice(picture), FrameOutput::default());
        assert_eq!(events(&watch.notice(ALARM)), [FrameEvent::LoadFailed(LoadFailure::Unreachable)]);
    }

    #[test]
    fn a_watch_tells_its_patience_its_origin_and_what_it_refused() {
        let mut watch = watch();
        assert_eq!((watch.origin(), watch.load_timeout_ms), (ORIGIN, 20_000));
        assert_eq!(FrameWatch::new(ORIGIN.to_owned(), u32::MAX).load_timeout_ms, i32::MAX);
        assert!(is_of("https://card.example.com/v2/add-card/1", ORIGIN));
        assert!(!is_of("https://card.example.com.evil.example/", ORIGIN));
        let forged = Message { trusted: false, from_this_frame: true, origin: ORIGIN, data: None };
        watch.notice(FrameInput::Message(forged));
        assert_eq!(watch.refusals(), Refusals { untrusted: 1, ..Refusals::default() });
    }
}

use super::protocol::Protocol;
use super::{CardEvent, LoadFailure, Message, Refusals};

/// Browsers report a policy violation at most this long after the frame's `load` or `error` or a failed
/// request.
const VIOLATION_DELAY_MS: i32 = 300;
/// When to probe the server of a form that has not loaded: Firefox and WebKit fire no event for their error
/// page.
const SERVER_PROBE_MS: i32 = 2000;
/// A server that has sent a page but does not respond to the probe for this long counts as reachable.
const SERVER_RESPONSE_MS: i32 = 5000;
/// The policy directives that can block a frame. Engines name either the one that decided or the one that it
/// defaults from.
const FRAME_DIRECTIVES: [&str; 3] = ["frame-src", "child-src", "default-src"];

/// An event of the frame of a card form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameEvent {
    /// The form has loaded: the frame fired `load` and the server responds, or the form sent a message. At
    /// most once for each address.
    Ready,
    /// The form did not load. Before [`Ready`](Self::Ready), which may follow a failure; at most once, and
    /// once more if the frame has loaded a page meanwhile.
    LoadFailed(LoadFailure),
    /// The form sent a message, or its session shows what such a message would say.
    Card(CardEvent),
    /// A script of the page has removed the frame, and not put it back within a second or two. If it puts it
    /// back later, the form loads again.
    Removed,
    /// The customer has returned to the page, or the time of [`CardFrame::read_session_in`] has come: a
    /// script of the page may keep the form's messages from arriving, so read its session.
    ///
    /// [`CardFrame::read_session_in`]: ../browser/struct.CardFrame.html#method.read_session_in
    SessionDue,
}

/// What the page observes of the frame. `is_online` is whether the browser has a connection.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the variants document their members")]
pub enum FrameInput<'a> {
    /// A message reached the page.
    Message(Message<'a>),
    /// The frame fired `load`. The page may be able to read its document.
    Load { is_readable: bool },
    /// The probe of the form's server ended, with a response of any status or without one.
    ProbeFinished { is_answered: bool, is_online: bool },
    /// The frame fired `error`.
    Error { is_online: bool },
    /// The page's policy blocked an address; with the effective directive.
    Violation { directive: &'a str, blocked: &'a str },
    /// The page's embedder policy (COEP) kept the form out, or only the probe of its server.
    Isolated { is_probe: bool },
    /// The form's session shows that this has happened.
    Concluded(CardEvent),
    /// The frame was removed from the page.
    Removed,
    /// The alarm went off while the page was hidden or visible.
    Alarm { is_hidden: bool, is_online: bool },
}

/// What becomes of the only alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alarm {
    /// It is set, in place of an earlier one.
    In {
        /// The milliseconds from now.
        ms: i32,
    },
    /// It is cleared.
    Cleared,
}

/// What the page must do after an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameOutput {
    /// The events to deliver, in this order.
    pub events: [Option<FrameEvent>; 2],
    /// What to do with the alarm; `None` leaves it.
    pub alarm: Option<Alarm>,
    /// Whether to probe the form's server.
    pub probe_server: bool,
}

/// What is known about the frame's current address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoadState {
    Waiting,
    /// The form may still load.
    Failed,
    /// The frame has loaded a page, but the form's server does not respond to the probe: the form, if a
    /// content blocker stops the probe, or the browser's error page.
    Unconfirmed,
    /// The page's policy blocked the form, so a `load` is that of the browser's error page.
    Blocked,
    Ready,
}

/// The probe of the form's server before a `load`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EarlyProbe {
    Due,
    Made,
    /// The page's policy forbids it, or there is no time for it.
    Skipped,
}

/// Decides which messages of a card form are believed and whether the form has loaded.
#[derive(Debug)]
pub struct FrameWatch {
    load_timeout_ms: i32,
    protocol: Protocol,
    state: LoadState,
    /// Whether a page has loaded, which is the form if its server responds.
    has_loaded: bool,
    early_probe: EarlyProbe,
    /// The failure to report when the alarm goes off, instead of a timeout.
    failure: Option<LoadFailure>,
}

impl FrameWatch {
    /// Creates a watch for a form of this origin, as [`Address::origin`](crate::api::Address::origin) returns
    /// it.
    pub fn new(origin: String, load_timeout_ms: u32) -> Self {
        FrameWatch {
            load_timeout_ms: i32::try_from(load_timeout_ms).unwrap_or(i32::MAX),
            protocol: Protocol::new(origin),
            state: LoadState::Waiting,
            has_loaded: false,
            early_probe: EarlyProbe::Due,
            failure: None,
        }
    }

    /// Returns the form's origin.
    pub fn origin(&self) -> &str {
        self.protocol.origin()
    }

    /// Returns how many messages were refused.
    pub fn refusals(&self) -> Refusals {
        self.protocol.refusals()
    }

    /// Resets the watch when the frame begins to load an address. Returns when to set the alarm, in
    /// milliseconds.
    pub fn restart(&mut self) -> i32 {
        self.protocol.restart();
        self.state = LoadState::Waiting;
        self.has_loaded = false;
        self.early_probe =
            if self.load_timeout_ms > SERVER_PROBE_MS { EarlyProbe::Due } else { EarlyProbe::Skipped };
        self.failure = None;
        self.load_timeout_ms.min(SERVER_PROBE_MS)
    }

    /// Processes an input.
    pub fn notice(&mut self, input: FrameInput<'_>) -> FrameOutput {
        match input {
            FrameInput::Message(message) => {
                let Some(event) = self.protocol.receive(message) else { return FrameOutput::default() };
                let mut output = self.ready();
                let [first, second] = &mut output.events;
                *(if first.is_some() { second } else { first }) = Some(FrameEvent::Card(event));
                output
            }
            FrameInput::Load { is_readable } => {
                self.protocol.loaded();
                if is_readable {
                    // The page cannot read the form: the browser loaded an empty document in its place.
                    self.fail_after_violation(LoadFailure::Blocked(None))
                } else if self.has_loaded || matches!(self.state, LoadState::Ready | LoadState::Blocked) {
                    FrameOutput::default()
                } else {
                    self.has_loaded = true;
                    self.failure = None;
                    FrameOutput {
                        alarm: Some(Alarm::In { ms: SERVER_RESPONSE_MS }),
                        probe_server: true,
                        ..FrameOutput::default()
                    }
                }
            }
            FrameInput::ProbeFinished { is_answered, .. }
                if !self.has_loaded && (is_answered || self.early_probe != EarlyProbe::Made) =>
            {
                FrameOutput::default()
            }
            FrameInput::ProbeFinished { is_answered: true, .. } => self.loaded(),
            FrameInput::ProbeFinished { is_online, .. } | FrameInput::Error { is_online } => {
                let has_loaded = self.has_loaded;
                let failure = self.or_offline(LoadFailure::Unreachable { has_loaded }, is_online);
                self.fail_after_violation(failure)
            }
            FrameInput::Violation { blocked, .. }
                if blocked != self.origin() && !has_origin(blocked, self.origin()) =>
            {
                FrameOutput::default()
            }
            FrameInput::Violation { directive, .. } => {
                match FRAME_DIRECTIVES.into_iter().find(|known| *known == directive) {
                    Some(directive) => self.failed(LoadFailure::Blocked(Some(directive))),
                    None if directive == "connect-src" => self.probe_blocked(),
                    None => FrameOutput::default(),
                }
            }
            FrameInput::Isolated { is_probe: true } => self.probe_blocked(),
            FrameInput::Isolated { is_probe: false } => self.failed(LoadFailure::Blocked(None)),
            FrameInput::Concluded(event) => {
                let event = self.protocol.conclude(event).map(FrameEvent::Card);
                FrameOutput { events: [event, None], ..FrameOutput::default() }
            }
            FrameInput::Removed => {
                self.restart();
                FrameOutput {
                    events: [Some(FrameEvent::Removed), None],
                    alarm: Some(Alarm::Cleared),
                    probe_server: false,
                }
            }
            FrameInput::Alarm { is_hidden, is_online } => match self.failure.take() {
                Some(failure) => {
                    let output = self.failed(failure);
                    // The next page may be another one.
                    self.has_loaded = false;
                    output
                }
                None if self.has_loaded => self.loaded(),
                // A hidden page loads slowly or not at all, and no customer waits for it.
                None if is_hidden => FrameOutput {
                    alarm: Some(Alarm::In { ms: self.load_timeout_ms }),
                    ..FrameOutput::default()
                },
                None if self.early_probe == EarlyProbe::Due && self.state == LoadState::Waiting => {
                    self.early_probe = EarlyProbe::Made;
                    FrameOutput { probe_server: true, ..self.wait_for_timeout() }
                }
                None => {
                    let failure = self.or_offline(LoadFailure::Timeout, is_online);
                    self.failed(failure)
                }
            },
        }
    }

    /// The page may show the form but not probe its server, so a load has to suffice.
    fn probe_blocked(&mut self) -> FrameOutput {
        if self.has_loaded {
            return self.loaded();
        }
        if self.early_probe == EarlyProbe::Made {
            self.early_probe = EarlyProbe::Skipped;
            if let Some(LoadFailure::Unreachable { .. } | LoadFailure::Offline { .. }) = self.failure {
                self.failure = None;
                return self.wait_for_timeout();
            }
        }
        FrameOutput::default()
    }

    /// Waits for the rest of the timeout after the early probe.
    fn wait_for_timeout(&self) -> FrameOutput {
        FrameOutput {
            alarm: Some(Alarm::In { ms: self.load_timeout_ms - SERVER_PROBE_MS }),
            ..FrameOutput::default()
        }
    }

    /// Fails when the alarm goes off: WebKit loads the empty document, and Firefox may report the error,
    /// before the violation that names the directive.
    fn fail_after_violation(&mut self, failure: LoadFailure) -> FrameOutput {
        if self.state == LoadState::Ready {
            return FrameOutput::default();
        }
        self.failure = Some(failure);
        FrameOutput { alarm: Some(Alarm::In { ms: VIOLATION_DELAY_MS }), ..FrameOutput::default() }
    }

    /// Adds the browser's word that it is offline to a failure that was seen; alone it proves nothing, as it
    /// is wrong under some VPNs and web views. A loopback server needs no connection.
    fn or_offline(&self, failure: LoadFailure, is_online: bool) -> LoadFailure {
        let is_offline = !is_online && self.origin().starts_with("https:");
        if is_offline { LoadFailure::Offline { has_loaded: self.has_loaded } } else { failure }
    }

    fn loaded(&mut self) -> FrameOutput {
        if self.state == LoadState::Blocked { FrameOutput::default() } else { self.ready() }
    }

    fn ready(&mut self) -> FrameOutput {
        match self.state {
            LoadState::Ready => FrameOutput::default(),
            _ => self.settle(LoadState::Ready, FrameEvent::Ready),
        }
    }

    fn failed(&mut self, failure: LoadFailure) -> FrameOutput {
        match (self.state, failure) {
            (LoadState::Waiting, LoadFailure::Blocked(_)) => {
                self.settle(LoadState::Blocked, FrameEvent::LoadFailed(failure))
            }
            (LoadState::Waiting | LoadState::Failed, _) if failure.has_loaded() => {
                self.settle(LoadState::Unconfirmed, FrameEvent::LoadFailed(failure))
            }
            (LoadState::Waiting, _) => self.settle(LoadState::Failed, FrameEvent::LoadFailed(failure)),
            _ => FrameOutput::default(),
        }
    }

    fn settle(&mut self, state: LoadState, event: FrameEvent) -> FrameOutput {
        self.state = state;
        self.failure = None;
        FrameOutput { events: [Some(event), None], alarm: Some(Alarm::Cleared), probe_server: false }
    }
}

/// Returns whether an address has this origin.
pub fn has_origin(url: &str, origin: &str) -> bool {
    url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'))
}

// proptest needs the system's randomness, which wasm lacks.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*, sample::select};

    const ORIGIN: &str = "https://card.example.com";

    const fn message(data: &'static str) -> FrameInput<'static> {
        FrameInput::Message(Message {
            trusted: true,
            from_this_frame: true,
            origin: ORIGIN,
            data: Some(data),
        })
    }

    const fn violation(directive: &'static str, blocked: &'static str) -> FrameInput<'static> {
        FrameInput::Violation { directive, blocked }
    }

    const LOADED: FrameInput<'_> = FrameInput::Load { is_readable: false };
    const EMPTY: FrameInput<'_> = FrameInput::Load { is_readable: true };
    const ANSWERED: FrameInput<'_> = FrameInput::ProbeFinished { is_answered: true, is_online: true };
    const UNANSWERED: FrameInput<'_> = FrameInput::ProbeFinished { is_answered: false, is_online: true };
    const UNANSWERED_OFFLINE: FrameInput<'_> =
        FrameInput::ProbeFinished { is_answered: false, is_online: false };
    const ERROR: FrameInput<'_> = FrameInput::Error { is_online: true };
    const ALARM: FrameInput<'_> = FrameInput::Alarm { is_hidden: false, is_online: true };
    const ALARM_OFFLINE: FrameInput<'_> = FrameInput::Alarm { is_hidden: false, is_online: false };
    const ALARM_HIDDEN: FrameInput<'_> = FrameInput::Alarm { is_hidden: true, is_online: true };
    const START: FrameInput<'_> = message("CARD_VALIDATION_START");
    const SUCCESS: FrameInput<'_> = message("CARD_VALIDATION_STOP_SUCCESS");
    const FRAME_BLOCKED: FrameInput<'_> = violation("frame-src", ORIGIN);
    const PROBE_BLOCKED: FrameInput<'_> = violation("connect-src", ORIGIN);
    const ISOLATED: FrameInput<'_> = FrameInput::Isolated { is_probe: false };
    const PROBE_ISOLATED: FrameInput<'_> = FrameInput::Isolated { is_probe: true };

    #[rustfmt::skip]
    const INPUTS: [FrameInput<'_>; 15] = [
        LOADED, EMPTY, ANSWERED, UNANSWERED, UNANSWERED_OFFLINE, ERROR, ALARM, ALARM_OFFLINE, ALARM_HIDDEN,
        START, SUCCESS, FRAME_BLOCKED, PROBE_BLOCKED, ISOLATED, PROBE_ISOLATED,
    ];

    const READY: FrameEvent = FrameEvent::Ready;
    const TIMEOUT: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Timeout);
    const OFFLINE: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Offline { has_loaded: false });
    const UNREACHABLE: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Unreachable { has_loaded: false });
    /// The failed probe of the server of a frame that has loaded a page.
    const UNCONFIRMED: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Unreachable { has_loaded: true });
    const UNCONFIRMED_OFFLINE: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Offline { has_loaded: true });
    const BLOCKED: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Blocked(Some("frame-src")));
    const BLOCKED_BY_BROWSER: FrameEvent = FrameEvent::LoadFailed(LoadFailure::Blocked(None));

    /// The events of a history, the last alarm, and how often the server was probed.
    type Outcome<'a> = (&'a [FrameEvent], Alarm, u32);

    const CLEARED: Alarm = Alarm::Cleared;

    const fn within(ms: i32) -> Alarm {
        Alarm::In { ms }
    }

    #[track_caller]
    fn assert_outcome(watch: &mut FrameWatch, history: &[FrameInput<'_>], expected: Outcome<'_>) {
        let (mut events, mut alarm, mut probes) = (Vec::new(), within(watch.restart()), 0);
        for input in history {
            let output = watch.notice(*input);
            events.extend(output.events.into_iter().flatten());
            alarm = output.alarm.unwrap_or(alarm);
            probes += u32::from(output.probe_server);
        }
        assert_eq!((&*events, alarm, probes), expected, "{history:?}");
    }

    #[test]
    fn each_history_has_its_events_alarm_and_server_probes() {
        let mut watch = FrameWatch::new(ORIGIN.to_owned(), 20_000);
        let started = FrameEvent::Card(CardEvent::Start);
        let succeeded = FrameEvent::Card(CardEvent::Success);
        let histories: &[(&[FrameInput<'_>], Outcome<'_>)] = &[
            (&[], (&[], within(2000), 0)),
            // A page that has loaded is the form if its server responds, or never finishes a response.
            (&[ANSWERED], (&[], within(2000), 0)),
            (&[LOADED], (&[], within(5000), 1)),
            (&[LOADED, ANSWERED], (&[READY], CLEARED, 1)),
            (&[LOADED, ANSWERED, LOADED, UNANSWERED], (&[READY], CLEARED, 1)),
            (&[LOADED, ALARM], (&[READY], CLEARED, 1)),
            // Otherwise it is an error page of the browser, or a form whose server a blocker keeps from
            // being probed. A form that sends a message is there all the same.
            (&[LOADED, UNANSWERED], (&[], within(300), 1)),
            (&[LOADED, UNANSWERED, ALARM, ALARM], (&[UNCONFIRMED], CLEARED, 1)),
            (&[LOADED, UNANSWERED_OFFLINE, ALARM], (&[UNCONFIRMED_OFFLINE], CLEARED, 1)),
            (&[LOADED, UNANSWERED, ALARM, START], (&[UNCONFIRMED, READY, started], CLEARED, 1)),
            (&[LOADED, UNANSWERED, ALARM, LOADED, UNANSWERED, ALARM], (&[UNCONFIRMED], within(300), 2)),
            (&[LOADED, UNANSWERED, ALARM, LOADED, ANSWERED], (&[UNCONFIRMED, READY], CLEARED, 2)),
            (&[ERROR], (&[], within(300), 0)),
            (&[ERROR, ALARM], (&[UNREACHABLE], CLEARED, 0)),
            // Without any event of the frame, the early probe finds out whether the server is gone.
            (&[UNANSWERED], (&[], within(2000), 0)),
            (&[ALARM], (&[], within(18_000), 1)),
            (&[ALARM, UNANSWERED], (&[], within(300), 1)),
            (&[ALARM, UNANSWERED, ALARM], (&[UNREACHABLE], CLEARED, 1)),
            (&[ALARM, UNANSWERED_OFFLINE, ALARM], (&[OFFLINE], CLEARED, 1)),
            (&[ALARM, UNANSWERED, ALARM, LOADED, ANSWERED], (&[UNREACHABLE, READY], CLEARED, 2)),
            (&[ALARM, UNANSWERED, LOADED], (&[], within(5000), 2)),
            (&[ALARM, UNANSWERED, LOADED, ALARM], (&[READY], CLEARED, 2)),
            // A slow form gets the whole timeout if its server responds or the policy forbids the probe.
            (&[ALARM, ANSWERED], (&[], within(18_000), 1)),
            (&[ALARM, ANSWERED, ALARM], (&[TIMEOUT], CLEARED, 1)),
            (&[ALARM, PROBE_BLOCKED, UNANSWERED], (&[], within(18_000), 1)),
            (&[ALARM, PROBE_BLOCKED, UNANSWERED, ALARM], (&[TIMEOUT], CLEARED, 1)),
            (&[ALARM, UNANSWERED, PROBE_BLOCKED, UNANSWERED], (&[], within(18_000), 1)),
            (&[ALARM, EMPTY, PROBE_BLOCKED, ALARM], (&[BLOCKED_BY_BROWSER], CLEARED, 1)),
            (&[ALARM, ALARM_OFFLINE], (&[OFFLINE], CLEARED, 1)),
            (&[ALARM, ALARM_OFFLINE, LOADED, ANSWERED], (&[OFFLINE, READY], CLEARED, 2)),
            // A form that loads late must be seen, also if the probe fails again.
            (&[ALARM, ALARM, LOADED, UNANSWERED, ALARM], (&[TIMEOUT, UNCONFIRMED], CLEARED, 2)),
            (
                &[ALARM, UNANSWERED, ALARM, LOADED, UNANSWERED, ALARM],
                (&[UNREACHABLE, UNCONFIRMED], CLEARED, 2),
            ),
            (&[ALARM_HIDDEN], (&[], within(20_000), 0)),
            (&[ALARM_HIDDEN, ALARM, ALARM], (&[TIMEOUT], CLEARED, 1)),
            // A load suffices if the policy forbids the probe, which the page itself may have violated
            // before.
            (&[PROBE_BLOCKED], (&[], within(2000), 0)),
            (&[LOADED, PROBE_BLOCKED, UNANSWERED], (&[READY], CLEARED, 1)),
            (&[LOADED, UNANSWERED, PROBE_BLOCKED], (&[READY], CLEARED, 1)),
            // A form may send messages before it has loaded.
            (&[START], (&[READY, started], CLEARED, 0)),
            (&[START, LOADED, SUCCESS], (&[READY, started, succeeded], CLEARED, 0)),
            (&[START, EMPTY, ERROR, ALARM], (&[READY, started], CLEARED, 0)),
            // The directive that blocked the form may be reported after an empty document.
            (&[EMPTY], (&[], within(300), 0)),
            (&[EMPTY, FRAME_BLOCKED], (&[BLOCKED], CLEARED, 0)),
            (&[EMPTY, ALARM], (&[BLOCKED_BY_BROWSER], CLEARED, 0)),
            (&[FRAME_BLOCKED, LOADED, ANSWERED], (&[BLOCKED], CLEARED, 0)),
            (&[LOADED, FRAME_BLOCKED, ANSWERED], (&[BLOCKED], CLEARED, 1)),
            (&[violation("frame-src", "https://card.example.com/v2")], (&[BLOCKED], CLEARED, 0)),
            // A page's embedder policy blocks the form, or only the probe.
            (&[ISOLATED, LOADED, ANSWERED], (&[BLOCKED_BY_BROWSER], CLEARED, 0)),
            (&[LOADED, PROBE_ISOLATED, UNANSWERED], (&[READY], CLEARED, 1)),
            (&[LOADED, UNANSWERED, PROBE_ISOLATED], (&[READY], CLEARED, 1)),
            (&[ALARM, PROBE_ISOLATED, UNANSWERED], (&[], within(18_000), 1)),
            // What the session shows counts like the message that did not arrive, once.
            (&[LOADED, FrameInput::Concluded(CardEvent::Success), SUCCESS], (&[succeeded], within(5000), 1)),
            (
                &[START, SUCCESS, FrameInput::Concluded(CardEvent::Success)],
                (&[READY, started, succeeded], CLEARED, 0),
            ),
            // A frame that was removed starts anew once it is put back.
            (&[LOADED, ANSWERED, FrameInput::Removed], (&[READY, FrameEvent::Removed], CLEARED, 1)),
            (
                &[LOADED, ANSWERED, FrameInput::Removed, LOADED, ANSWERED],
                (&[READY, FrameEvent::Removed, READY], CLEARED, 2),
            ),
            // Violations of other addresses and directives do not matter.
            (&[violation("frame-src", "https://card.example.com.evil.example/")], (&[], within(2000), 0)),
            (&[violation("frame-src", "https://other.example")], (&[], within(2000), 0)),
            (&[ALARM, UNANSWERED, violation("img-src", ORIGIN), ALARM], (&[UNREACHABLE], CLEARED, 1)),
        ];
        for (history, expected) in histories {
            assert_outcome(&mut watch, history, *expected);
        }
    }

    #[test]
    fn a_short_timeout_leaves_no_time_for_the_early_probe() {
        for timeout_ms in [1500i32, 2000] {
            let mut watch = FrameWatch::new(ORIGIN.to_owned(), timeout_ms.unsigned_abs());
            assert_outcome(&mut watch, &[], (&[], within(timeout_ms), 0));
            assert_outcome(&mut watch, &[ALARM], (&[TIMEOUT], CLEARED, 0));
        }
        assert_eq!(FrameWatch::new(ORIGIN.to_owned(), u32::MAX).load_timeout_ms, i32::MAX);
    }

    #[test]
    fn a_loopback_form_needs_no_connection() {
        let mut watch = FrameWatch::new("http://127.0.0.1:4101".to_owned(), 20_000);
        assert_outcome(&mut watch, &[LOADED, UNANSWERED_OFFLINE, ALARM], (&[UNCONFIRMED], CLEARED, 1));
        assert_outcome(&mut watch, &[ALARM, ALARM_OFFLINE], (&[TIMEOUT], CLEARED, 1));
    }

    #[test]
    fn a_watch_knows_its_origin_and_counts_refused_messages() {
        let mut watch = FrameWatch::new(ORIGIN.to_owned(), 20_000);
        let forged = Message { trusted: false, from_this_frame: true, origin: ORIGIN, data: None };
        assert_eq!(watch.notice(FrameInput::Message(forged)), FrameOutput::default());
        assert_eq!((watch.origin(), watch.refusals().untrusted), (ORIGIN, 1));
        assert!(has_origin("https://card.example.com/v2/add-card/1", ORIGIN));
        assert!(!has_origin("https://card.example.com.evil.example/", ORIGIN));
    }

    #[test]
    fn each_failure_has_a_reason_and_an_error() {
        for (event, reason, message) in [
            (TIMEOUT, "timeout", "in time"),
            (OFFLINE, "offline", "no connection"),
            (UNREACHABLE, "unreachable", "could not be reached"),
            (BLOCKED_BY_BROWSER, "blocked", "by the browser"),
            (BLOCKED, "blocked", "must allow https://card.example.com in frame-src."),
        ] {
            let FrameEvent::LoadFailed(failure) = event else { panic!("{event:?}") };
            assert_eq!((failure.reason(), failure.directive().is_some()), (reason, event == BLOCKED));
            assert!(failure.error(ORIGIN).message().contains(message), "{failure:?}");
        }
    }

    proptest! {
        #[test]
        fn a_form_is_ready_once_and_before_that_fails_once_or_again_with_a_loaded_page(inputs in vec(select(&INPUTS), 0..30)) {
            let mut watch = FrameWatch::new(ORIGIN.to_owned(), 20_000);
            watch.restart();
            let outputs = inputs.into_iter().map(|input| watch.notice(input));
            let events: Vec<_> = outputs.flat_map(|output| output.events.into_iter().flatten()).collect();
            let ready = events.iter().position(|event| *event == READY).unwrap_or(events.len());
            let (before, after) = events.split_at(ready);
            let has_loaded: Vec<_> = before
                .iter()
                .map(|event| matches!(event, FrameEvent::LoadFailed(failure) if failure.has_loaded()))
                .collect();
            prop_assert!(matches!(&*has_loaded, [] | [_] | [false, true]), "{:?}", events);
            prop_assert!(before.iter().all(|event| matches!(event, FrameEvent::LoadFailed(_))), "{:?}", events);
            prop_assert!(after.iter().skip(1).all(|event| matches!(event, FrameEvent::Card(_))), "{:?}", events);
        }
    }
}

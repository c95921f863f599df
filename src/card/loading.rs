use crate::api::{Code, Error};

/// How far the frame is in showing something.
///
/// Before the form speaks there are but two signs: the frame's own `load` event, which browsers fire for
/// their error pages too, and that its server answers a request beside the frame. Ready means both, where the
/// page may ask; the first message proves that it is the form. Whatever happens, a frame is ready once at
/// most, and fails once at most, and that before it is ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Loading {
    /// Nothing is known yet.
    #[default]
    Waiting,
    /// It did not load in time, or could not. What loads late is still welcome.
    Failed,
    /// The page's own policy keeps it out, so that a `load` is that of the browser's error page.
    Blocked,
    /// It has loaded.
    Ready,
}

/// Why a frame shows nothing, as far as the page around it can know.
///
/// It cannot know more: a refused connection, an unknown host and a bad certificate each fail a request as
/// they fail the frame, without a word why; and a form that refuses to be framed ends in an error page of the
/// browser though its server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadFailure {
    /// It took too long.
    Timeout,
    /// There is no connection.
    Offline,
    /// The page's content security policy kept the form out, by this directive; or the browser did, which
    /// names none.
    Blocked(Option<&'static str>),
    /// Its server does not answer; the browser says no more than that.
    Unreachable,
}

impl LoadFailure {
    /// The reason as events name it.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            LoadFailure::Timeout => "timeout",
            LoadFailure::Offline => "offline",
            LoadFailure::Blocked(_) => "blocked",
            LoadFailure::Unreachable => "unreachable",
        }
    }

    /// The directive of the page's policy that must allow the form's origin.
    #[must_use]
    pub fn directive(self) -> Option<&'static str> {
        if let LoadFailure::Blocked(directive) = self { directive } else { None }
    }

    /// The error for whoever waits for a card; `origin` is the form's.
    #[must_use]
    pub fn error(self, origin: &str) -> Error {
        let error = Error::new(Code::CardFormLoadFailed);
        match self {
            LoadFailure::Offline => error.saying("The card form could not be shown: there is no connection."),
            LoadFailure::Blocked(Some(directive)) => error.saying(
                [
                    "The card form was blocked: the page's content security policy must allow ",
                    origin,
                    " in ",
                    directive,
                    ".",
                ]
                .concat(),
            ),
            LoadFailure::Blocked(None) => error.saying("The card form was kept out by the browser."),
            LoadFailure::Unreachable => error.saying("The card form could not be reached. Try again."),
            LoadFailure::Timeout => error.saying("The card form did not load in time."),
        }
    }
}

/// The result of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadSignal {
    /// The frame is ready now.
    Ready,
    /// It has failed now, for this reason.
    Failed(LoadFailure),
}

impl Loading {
    /// The frame's `load` event, of what must be the form as far as can be known.
    pub fn loaded(&mut self) -> Option<LoadSignal> {
        if *self == Loading::Blocked { None } else { self.heard() }
    }

    /// A message of the form's own, which it can send before its page has loaded to the end.
    pub fn heard(&mut self) -> Option<LoadSignal> {
        let was = std::mem::replace(self, Loading::Ready);
        (was != Loading::Ready).then_some(LoadSignal::Ready)
    }

    /// It could not load, or did not in time.
    pub fn failed(&mut self, failure: LoadFailure) -> Option<LoadSignal> {
        if *self != Loading::Waiting {
            return None;
        }
        *self = if let LoadFailure::Blocked(_) = failure { Loading::Blocked } else { Loading::Failed };
        Some(LoadSignal::Failed(failure))
    }
}

// Natively alone: proptest draws on the system's randomness.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_late_load_is_welcome_but_not_the_error_page_of_a_blocked_frame() {
        let mut late = Loading::default();
        assert_eq!(late.failed(LoadFailure::Timeout), Some(LoadSignal::Failed(LoadFailure::Timeout)));
        assert_eq!(late.loaded(), Some(LoadSignal::Ready));

        let mut blocked = Loading::default();
        let by_policy = LoadFailure::Blocked(Some("frame-src"));
        assert_eq!(blocked.failed(by_policy), Some(LoadSignal::Failed(by_policy)));
        assert_eq!((by_policy.reason(), by_policy.directive()), ("blocked", Some("frame-src")));
        assert_eq!(blocked.loaded(), None);
        assert_eq!(blocked.heard(), Some(LoadSignal::Ready));
    }

    proptest! {
        #[test]
        fn ready_once_failed_once_and_in_that_order_never(events in proptest::collection::vec(0u8..5, 0..20)) {
            let mut loading = Loading::default();
            let signals: Vec<_> = events.iter().filter_map(|event| match event {
                0 => loading.loaded(),
                1 => loading.heard(),
                2 => loading.failed(LoadFailure::Timeout),
                3 => loading.failed(LoadFailure::Offline),
                _ => loading.failed(LoadFailure::Blocked(None)),
            }).collect();
            let at = |ready: bool| signals.iter().position(|signal| (*signal == LoadSignal::Ready) == ready);
            prop_assert!(signals.len() <= 2);
            prop_assert!(signals.len() < 2 || at(false) < at(true) && at(false).is_some());
            prop_assert_eq!(loading == Loading::Ready, at(true).is_some());
            prop_assert!(events.is_empty() || !signals.is_empty());
        }
    }
}

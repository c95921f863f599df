/// How far the frame is in showing something.
///
/// A frame's own `load` event is the only sign there is before the form speaks, and browsers fire it for their
/// error pages too: ready means that something has loaded, and the first message proves that it is the form.
/// Whatever happens, a frame is ready once at most, and fails once at most, and that before it is ready.
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

/// What a [`Loading`] comes to with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadSignal {
    /// The frame is ready now.
    Ready,
    /// It has failed now, for this reason.
    Failed(&'static str),
}

impl Loading {
    /// The reason where it took too long.
    pub const TIMEOUT: &'static str = "timeout";
    /// The reason where there is no connection.
    pub const OFFLINE: &'static str = "offline";
    /// The reason where the page's content security policy, or the browser, kept the form out.
    pub const BLOCKED: &'static str = "blocked";
    /// The reason where the browser says no more than that it could not.
    pub const UNREACHABLE: &'static str = "unreachable";

    /// The frame's `load` event.
    pub fn loaded(&mut self) -> Option<LoadSignal> {
        if *self == Loading::Blocked { None } else { self.heard() }
    }

    /// A message of the form's own, which it can send before its page has loaded to the end.
    pub fn heard(&mut self) -> Option<LoadSignal> {
        let was = std::mem::replace(self, Loading::Ready);
        (was != Loading::Ready).then_some(LoadSignal::Ready)
    }

    /// It could not load, or did not in time.
    pub fn failed(&mut self, reason: &'static str) -> Option<LoadSignal> {
        if *self != Loading::Waiting {
            return None;
        }
        *self = if reason == Self::BLOCKED { Loading::Blocked } else { Loading::Failed };
        Some(LoadSignal::Failed(reason))
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
        assert_eq!(late.failed(Loading::TIMEOUT), Some(LoadSignal::Failed("timeout")));
        assert_eq!(late.loaded(), Some(LoadSignal::Ready));

        let mut blocked = Loading::default();
        assert_eq!(blocked.failed(Loading::BLOCKED), Some(LoadSignal::Failed("blocked")));
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
                2 => loading.failed(Loading::TIMEOUT),
                3 => loading.failed(Loading::OFFLINE),
                _ => loading.failed(Loading::BLOCKED),
            }).collect();
            let at = |ready: bool| signals.iter().position(|signal| (*signal == LoadSignal::Ready) == ready);
            prop_assert!(signals.len() <= 2);
            prop_assert!(signals.len() < 2 || at(false) < at(true) && at(false).is_some());
            prop_assert_eq!(loading == Loading::Ready, at(true).is_some());
            prop_assert!(events.is_empty() || !signals.is_empty());
        }
    }
}

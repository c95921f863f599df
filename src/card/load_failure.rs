use crate::api::{Code, Error};

/// Why a frame shows no form, as far as the page around it can tell.
///
/// A refused connection, an unknown host and a bad certificate all fail a request without a reason, as they
/// fail the frame. A form that refuses to be framed ends in an error page of the browser although its server
/// responds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadFailure {
    /// The form did not load in time.
    Timeout,
    /// The browser has no connection, as it says.
    Offline {
        /// As in [`Unreachable`](Self::Unreachable).
        has_loaded: bool,
    },
    /// This directive of the page's content security policy blocked the form; or the browser did, which names
    /// none.
    Blocked(Option<&'static str>),
    /// The form's server does not respond.
    Unreachable {
        /// Whether the frame has loaded a page: the form, if a content blocker or a firewall stops only the
        /// check of its server, or the browser's error page. Such a frame must stay usable.
        has_loaded: bool,
    },
}

impl LoadFailure {
    /// A failure of each reason.
    #[doc(hidden)]
    pub const OF_EACH_REASON: [LoadFailure; 4] = [
        LoadFailure::Timeout,
        LoadFailure::Offline { has_loaded: false },
        LoadFailure::Blocked(None),
        LoadFailure::Unreachable { has_loaded: false },
    ];

    /// Returns the reason as events name it.
    pub fn reason(self) -> &'static str {
        match self {
            LoadFailure::Timeout => "timeout",
            LoadFailure::Offline { .. } => "offline",
            LoadFailure::Blocked(_) => "blocked",
            LoadFailure::Unreachable { .. } => "unreachable",
        }
    }

    /// Returns whether the frame has loaded a page, which may be the form.
    pub fn has_loaded(self) -> bool {
        matches!(
            self,
            LoadFailure::Offline { has_loaded: true } | LoadFailure::Unreachable { has_loaded: true }
        )
    }

    /// Returns the directive that must allow the form's origin.
    pub fn directive(self) -> Option<&'static str> {
        if let LoadFailure::Blocked(directive) = self { directive } else { None }
    }

    /// Creates the error for callers that wait for a card; `origin` is the form's.
    pub fn error(self, origin: &str) -> Error {
        let message = match self {
            LoadFailure::Offline { .. } => "The card form could not be shown: there is no connection.",
            LoadFailure::Blocked(Some(directive)) => {
                let cause = "The card form was blocked: the page's content security policy must allow ";
                let message = [cause, origin, " in ", directive, "."].concat();
                return Error::new(Code::CardFormLoadFailed).with_developer_message(message);
            }
            LoadFailure::Blocked(None) => {
                "The card form was kept out by the browser: by an extension, or by the page's \
                 Cross-Origin-Embedder-Policy."
            }
            LoadFailure::Unreachable { .. } => "The card form could not be reached. Try again.",
            LoadFailure::Timeout => "The card form did not load in time.",
        };
        Error::new(Code::CardFormLoadFailed).with_developer_message(message)
    }
}

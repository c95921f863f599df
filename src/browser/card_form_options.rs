use std::time::Duration;

use crate::api::SessionId;
use crate::card::{Theme, form_defaults};

/// The options of a card form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CardFormOptions {
    /// An existing session; by default a new one is created.
    pub session_id: Option<SessionId>,
    /// The theme.
    pub theme: Theme,
    /// The accessible name of the frame.
    pub title: String,
    /// The height reserved for the frame, in CSS pixels.
    pub height: u32,
    /// The timeout of the frame's load.
    pub(crate) load_timeout_ms: u32,
}

impl CardFormOptions {
    /// Sets an existing session.
    #[must_use]
    pub fn with_session_id(self, session_id: SessionId) -> Self {
        CardFormOptions { session_id: Some(session_id), ..self }
    }

    /// Sets the theme.
    #[must_use]
    pub fn with_theme(self, theme: Theme) -> Self {
        CardFormOptions { theme, ..self }
    }

    /// Sets the accessible name of the frame.
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        CardFormOptions { title: title.into(), ..self }
    }

    /// Sets the height reserved for the frame, in CSS pixels.
    #[must_use]
    pub fn with_height(self, height: u32) -> Self {
        CardFormOptions { height, ..self }
    }

    /// Sets the timeout of the frame's load, at most 49 days.
    #[must_use]
    pub fn with_load_timeout(self, timeout: Duration) -> Self {
        let load_timeout_ms = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
        CardFormOptions { load_timeout_ms, ..self }
    }
}

impl Default for CardFormOptions {
    /// A new session, the form's own theme, the title `Card details`, 620 pixels, which the form needs at a
    /// width of 320, and 20 seconds.
    fn default() -> Self {
        CardFormOptions {
            session_id: None,
            theme: Theme::default(),
            title: form_defaults::TITLE.to_owned(),
            height: form_defaults::HEIGHT,
            load_timeout_ms: form_defaults::LOAD_TIMEOUT_MS,
        }
    }
}

//! Whether someone is a human being.

use serde::Serialize;

use crate::error::{ErrorCode, Problem, Problems};
use crate::input::Named;

/// Whether a sender or a recipient is a human being.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Kind {
    Person,
    Business,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Person => "PERSON",
            Self::Business => "BUSINESS",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        [Self::Person, Self::Business].into_iter().find(|kind| kind.name() == text)
    }

    /// Reads the type of a sender or recipient.
    pub(crate) fn read(named: &impl Named, name: &str, problems: &mut Problems) -> Option<Self> {
        let text = named.required(name, problems)?;
        let found = Self::parse(text);
        if found.is_none() {
            problems.add(
                Problem::new(ErrorCode::BadRequestError).at(name).because("expected PERSON or BUSINESS"),
            );
        }
        found
    }

    /// The same where it may be left out.
    pub(crate) fn read_or_default(named: &impl Named, name: &str, problems: &mut Problems) -> Option<Self> {
        match named.text(name) {
            Ok(None) => Some(Self::Person),
            _ => Self::read(named, name, problems),
        }
    }
}

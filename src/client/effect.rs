//! What a flow asks its host to do, and what comes back.

use std::rc::Rc;

use super::tokens::Token;
use super::{Answer, SendFailure};
use crate::api::{Code, Error, Request};

/// An effect that a flow yields.
pub enum Effect {
    /// Sends a request once, and waits no longer than `timeout_ms` for the whole reply:
    /// [`EffectResult::Answer`].
    Send {
        /// What to send, and where.
        outgoing: Rc<Outgoing>,
        /// The bearer token.
        token: Rc<Token>,
        /// How long one attempt may take.
        timeout_ms: u32,
    },
    /// Asks the token source, or joins another flow that has asked it: [`EffectResult::Text`] with JSON text.
    Token,
    /// Waits: [`EffectResult::Done`].
    Wait {
        /// How long.
        ms: u32,
    },
    /// Reads a key of the journal: [`EffectResult::Text`].
    Load(String),
    /// Writes a text under a key: [`EffectResult::Text`] without one.
    Save(String, String),
    /// Removes a key: [`EffectResult::Text`] without one.
    Remove(String),
    /// Lists the keys of the journal: [`EffectResult::Keys`].
    Keys,
    /// To hold this name until the flow has ended, as one page at a time may, and to wait for it no longer
    /// than this: [`EffectResult::Done`], or [`EffectResult::Late`].
    Lock {
        /// The name.
        name: String,
        /// How long to wait for it.
        ms: u32,
    },
}

/// How long a token source or a journal may take. One that never answers would block every call.
pub const SOURCE_TIMEOUT_MS: u32 = 30_000;

/// The kind of result a flow waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The reply to a request.
    Answer,
    /// A token.
    Token,
    /// What the journal keeps.
    Journal,
    /// The keys of the journal.
    Keys,
    /// A time, or a lock.
    Turn,
}

impl Effect {
    /// The kind of result the flow waits for.
    #[must_use]
    pub fn awaited(&self) -> Awaited {
        match self {
            Effect::Send { .. } => Awaited::Answer,
            Effect::Token => Awaited::Token,
            Effect::Wait { .. } | Effect::Lock { .. } => Awaited::Turn,
            Effect::Load(_) | Effect::Save(..) | Effect::Remove(_) => Awaited::Journal,
            Effect::Keys => Awaited::Keys,
        }
    }
}

impl Awaited {
    /// The result that stands in where the caller gives up; none where the flow waits regardless.
    pub(super) fn given_up(self) -> Option<EffectResult> {
        match self {
            Awaited::Answer => Some(EffectResult::Answer(Err(SendFailure::Aborted))),
            Awaited::Token => Some(EffectResult::Text(Err(Error::new(Code::Aborted)))),
            Awaited::Turn => Some(EffectResult::Late),
            Awaited::Journal | Awaited::Keys => None,
        }
    }
}

/// A request to send.
pub struct Outgoing {
    /// The whole address.
    pub url: String,
    /// What to send.
    pub request: Request,
}

/// The result of an [`Effect`].
pub enum EffectResult {
    /// The flow begins, has waited, or has the lock.
    Done,
    /// The lock was not granted in time, or the token source or the journal did not answer within
    /// [`SOURCE_TIMEOUT_MS`].
    Late,
    /// The answer to a request, or why there is none.
    Answer(Result<Box<Answer>, SendFailure>),
    /// The text of the token source or the journal.
    Text(Result<Option<String>, Error>),
    /// The keys of the journal.
    Keys(Result<Vec<String>, Error>),
}

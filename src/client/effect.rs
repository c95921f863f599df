//! The effects that a flow asks its host to run, and their results.

use std::rc::Rc;

use super::tokens::Token;
use super::{Answer, SendFailure};
use crate::api::{Code, Error, Request};

/// An effect that a flow yields.
pub(crate) enum Effect {
    /// Sends a request once, and waits at most `timeout_ms` for the whole reply: [`EffectResult::Answer`].
    Send { outgoing: Rc<Outgoing>, token: Rc<Token>, timeout_ms: u32 },
    /// Asks the token source, or joins another flow that has asked it: [`EffectResult::Text`] with JSON text.
    Token,
    /// Waits: [`EffectResult::Done`].
    Wait { ms: u32 },
    /// Reads a key of the journal: [`EffectResult::Text`].
    Load(String),
    /// Writes a text under a key: [`EffectResult::Text`] without one.
    Save(String, String),
    /// Removes a key: [`EffectResult::Text`] without one.
    Remove(String),
    /// Lists the keys of the journal: [`EffectResult::Keys`].
    Keys,
    /// Holds a name, as one page at a time may, until the flow has ended: [`EffectResult::Done`], or
    /// [`EffectResult::TimedOut`].
    Lock { name: String, ms: u32 },
}

/// How long a token source or a journal may take. One that never answers would block every call.
pub(crate) const SOURCE_TIMEOUT_MS: u32 = 30_000;

/// The kind of result a flow waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    Answer,
    Token,
    Journal,
    Keys,
    /// A timer, or a lock.
    Turn,
}

impl Effect {
    pub(crate) fn awaited(&self) -> Awaited {
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
    /// Returns the result if the caller aborts; `None` if the flow waits regardless.
    pub(super) fn aborted(self) -> Option<EffectResult> {
        match self {
            Awaited::Answer => Some(EffectResult::Answer(Err(SendFailure::Aborted))),
            Awaited::Token => Some(EffectResult::Text(Err(Error::new(Code::Aborted)))),
            Awaited::Turn => Some(EffectResult::TimedOut),
            Awaited::Journal | Awaited::Keys => None,
        }
    }
}

pub(crate) struct Outgoing {
    pub(crate) url: String,
    pub(crate) request: Request,
}

/// The result of an [`Effect`].
pub(crate) enum EffectResult {
    /// The wait is over, or the lock is held; also begins a flow.
    Done,
    /// The lock was not granted in time, or the token source or the journal did not answer within
    /// [`SOURCE_TIMEOUT_MS`].
    TimedOut,
    Answer(Result<Box<Answer>, SendFailure>),
    Text(Result<Option<String>, Error>),
    Keys(Result<Vec<String>, Error>),
}

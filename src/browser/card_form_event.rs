use crate::api::{Error, SessionId};
use crate::card::{CardEvent, LoadFailure};

/// An event of a card form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CardFormEvent {
    /// The frame has loaded.
    Ready,
    /// The frame failed to load.
    LoadFailed(LoadFailure),
    /// A message of the form.
    Card(CardEvent),
    /// The card was verified, and its session was read.
    Completed {
        /// The card, for the field `CARD_ID`.
        card_id: String,
        /// The session in which it was entered.
        session_id: SessionId,
    },
    /// There will be no card.
    Failed(Error),
}

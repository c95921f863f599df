//! One call on its way: it asks its surroundings for one thing at a time, and goes on with what it is told. So that the same flows run under any
//! driver, they know neither futures of the host nor its signals.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::journal::Entry;
use super::owner::Owner;
use super::tokens::Token;
use super::{Answer, Kit, Received, SendFailure, TransferOutcome};
use crate::api::{Code, Error, FieldForm, Operation, Request, Uuid};

/// What a flow asks for.
pub enum Effect {
    /// To send a request once, and wait at most so long for the whole reply. Told as [`Event::Answer`].
    Send {
        /// What to send, and where.
        outgoing: Rc<Outgoing>,
        /// The bearer token.
        token: Rc<Token>,
        /// How long one attempt may take.
        timeout_ms: u32,
    },
    /// To ask the token source, or to wait for its answer where another flow has asked it: [`Event::Text`] with JSON text.
    Token,
    /// To wait: [`Event::Done`].
    Wait {
        /// How long.
        ms: u32,
    },
    /// To read what the journal keeps under a key: [`Event::Text`].
    Load(String),
    /// To keep a text under a key: [`Event::Text`] without one.
    Save(String, String),
    /// To forget a key: [`Event::Text`] without one.
    Remove(String),
    /// All keys of the journal: [`Event::Keys`].
    Keys,
    /// To hold this name until the flow has ended, as one page at a time may, and to wait for it no longer than this: [`Event::Done`], or
    /// [`Event::Late`].
    Lock {
        /// The name.
        name: String,
        /// How long to wait for it.
        ms: u32,
    },
}

/// A token source gets this long, and a journal: what does not answer would hold every call up for ever.
pub const SOURCE_TIMEOUT_MS: u32 = 30_000;

/// What a flow waits for.
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
    /// What the flow waits for meanwhile.
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
    /// What a flow is told where it is given up; nothing where it is waited for all the same.
    pub(super) fn given_up(self) -> Option<Event> {
        match self {
            Awaited::Answer => Some(Event::Answer(Err(SendFailure::Aborted))),
            Awaited::Token => Some(Event::Text(Err(Error::new(Code::Aborted)))),
            Awaited::Turn => Some(Event::Late),
            Awaited::Journal | Awaited::Keys => None,
        }
    }
}

/// A request on its way.
pub struct Outgoing {
    /// The whole address.
    pub url: String,
    /// What to send.
    pub request: Request,
}

/// What a flow is told.
pub enum Event {
    /// It begins, has waited, or has the lock.
    Done,
    /// It did not get the lock, or the token source or the journal did not answer within [`SOURCE_TIMEOUT_MS`].
    Late,
    /// What became of a request.
    Answer(Result<Box<Answer>, SendFailure>),
    /// What the token source or the journal gave.
    Text(Result<Option<String>, Error>),
    /// The keys of the journal.
    Keys(Result<Vec<String>, Error>),
}

/// What there is to do.
pub enum Task {
    /// An operation with its ids and its input as JSON text.
    Call(&'static Operation, Vec<String>, Option<String>),
    /// A request by its parts, as JSON text.
    Request(String),
    /// The form for a query, as JSON text.
    Fields(&'static Operation, String),
    /// The choices of a dropdown of a form, given the values so far.
    Options(FieldForm, String, String),
    /// A transfer to be prepared, as JSON text.
    Prepare(String),
    /// A prepared transfer to be brought to its outcome: its quote and nonce.
    Submit(String, String),
    /// A prepared transfer to be dropped: its quote and nonce.
    Discard(String, String),
    /// The transfers that the journal holds.
    Pending,
    /// A transfer that was made, to be forgotten once the page has had the time to show it: its quote and nonce.
    Forget(String, String),
    /// A transfer that was made, to be forgotten now, as its customer has been told: its quote and nonce.
    Acknowledge(String, String),
    /// The session of a card form: this one, or a new one.
    OpenCard(Option<Uuid>),
    /// The card that was entered in a session.
    ReadCard(Uuid),
}

/// What a flow came to.
pub enum Outcome {
    /// Nothing to tell.
    Nothing,
    /// A reply.
    Received(Received),
    /// A form, and the reply that it was made of.
    Form(FieldForm, Received),
    /// An attempt.
    Attempt(Box<Entry>),
    /// Attempts, the oldest first.
    Attempts(Vec<Entry>),
    /// A transfer.
    Transfer(Rc<TransferOutcome>),
    /// The id of a card.
    Card(String),
}

/// What a flow comes to next.
pub enum Step {
    /// To do this and tell it; whether the caller's signal ends it early.
    Do(Effect, bool),
    /// It has ended.
    Ended(Result<Outcome, Error>),
}

/// A flow that is under way.
pub struct Flow {
    work: Pin<Box<dyn Future<Output = Result<Outcome, Error>>>>,
    channel: Rc<Channel>,
}

/// Between a flow and its driver.
#[derive(Default)]
pub(super) struct Channel {
    asked: RefCell<Option<(Effect, bool)>>,
    told: RefCell<Option<Event>>,
    is_aborted: Cell<bool>,
}

impl Flow {
    pub(super) fn new(kit: Kit, task: Task) -> Self {
        let channel = Rc::<Channel>::default();
        let course = Course {
            kit,
            channel: Rc::clone(&channel),
            heeds_signal: true,
            ends_at_ms: u64::MAX,
            sender: None,
        };
        Flow { work: Box::pin(async move { course.run(task).await }), channel }
    }

    /// Goes on with what was asked for, first with [`Event::Done`]; `is_aborted` says whether the caller's signal has ended the call.
    pub fn resume(&mut self, told: Event, is_aborted: bool) -> Step {
        self.channel.is_aborted.set(is_aborted);
        self.channel.told.replace(Some(told));
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => Step::Ended(outcome),
            Poll::Pending => {
                let (effect, heeds_signal) =
                    self.channel.asked.take().unwrap_or((Effect::Wait { ms: 0 }, false));
                Step::Do(effect, heeds_signal)
            }
        }
    }
}

/// What a flow works with.
#[derive(Clone)]
pub(super) struct Course {
    pub(super) kit: Kit,
    channel: Rc<Channel>,
    heeds_signal: bool,
    /// Until when to go on, by the clock that nobody sets.
    ends_at_ms: u64,
    /// Whose tokens are to be used; anybody's where this is not said.
    pub(super) sender: Option<Owner>,
}

impl Course {
    /// The same, with this sender's tokens alone.
    pub(super) fn bound_to(&self, sender: Option<Owner>) -> Self {
        Course { sender, ..self.clone() }
    }

    /// The same, ended by no signal.
    pub(super) fn uncancellable(&self) -> Self {
        Course { heeds_signal: false, ..self.clone() }
    }

    /// The same with an upper bound: what is waited for last, the token source or the journal, has 30 seconds more.
    fn in_time(&self) -> Self {
        let ends_at_ms = self.kit.elapsed_ms() + u64::from(self.kit.timeout_ms().max(30_000));
        Course { ends_at_ms, ..self.clone() }
    }

    /// An end that was the bound's, and not the caller's.
    fn late(&self, error: Error) -> Error {
        let is_late = error.code() == Code::Aborted && !self.is_given_up();
        if is_late { Error::new(Code::Timeout) } else { error }
    }

    /// Whether the caller has ended the call.
    pub(super) fn is_given_up(&self) -> bool {
        self.heeds_signal && self.channel.is_aborted.get()
    }

    /// Whether the caller, or the bound, has ended the call.
    #[inline(never)]
    pub(super) fn is_aborted(&self) -> bool {
        self.is_given_up() || self.within(u32::MAX) == 0
    }

    /// So long, but no longer than the bound.
    #[inline(never)]
    pub(super) fn within(&self, ms: u32) -> u32 {
        let left_ms = self.ends_at_ms.saturating_sub(self.kit.elapsed_ms());
        u32::try_from(left_ms).map_or(ms, |left_ms| left_ms.min(ms))
    }

    async fn ask(&self, effect: Effect) -> Event {
        self.channel.told.take();
        self.channel.asked.replace(Some((effect, self.heeds_signal)));
        poll_fn(|_| match self.channel.told.take() {
            Some(told) => Poll::Ready(told),
            None => Poll::Pending,
        })
        .await
    }

    /// Asks, and gives the text that is told.
    pub(super) async fn text(&self, effect: Effect) -> Result<Option<String>, Error> {
        let awaited = effect.awaited();
        match self.ask(effect).await {
            Event::Text(told) => told,
            Event::Late if awaited == Awaited::Token => Err(Error::new(Code::TokenUnavailable)
                .of_option("token")
                .saying("The token source did not answer in time.")),
            Event::Late => Err(journal_late()),
            _ => Ok(None),
        }
    }

    pub(super) async fn keys(&self) -> Result<Vec<String>, Error> {
        match self.ask(Effect::Keys).await {
            Event::Keys(told) => told,
            Event::Late => Err(journal_late()),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) async fn answer(&self, effect: Effect) -> Result<Box<Answer>, SendFailure> {
        match self.ask(effect).await {
            Event::Answer(told) => told,
            _ => Err(SendFailure::Network),
        }
    }

    pub(super) async fn wait(&self, ms: u32) {
        self.ask(Effect::Wait { ms: self.within(ms) }).await;
    }

    /// Whether the lock is held now.
    pub(super) async fn lock(&self, name: String, ms: u32) -> bool {
        matches!(self.ask(Effect::Lock { name, ms: self.within(ms) }).await, Event::Done)
    }

    async fn run(&self, task: Task) -> Result<Outcome, Error> {
        Ok(match task {
            Task::Call(operation, ids, input) => {
                Outcome::Received(self.call(operation, &ids, input.as_deref()).await?)
            }
            Task::Request(raw) => Outcome::Received(self.request(&raw).await?),
            Task::Fields(operation, query) => {
                let (form, received) = self.field_form(operation, &query).await?;
                Outcome::Form(form, received)
            }
            Task::Options(form, field_id, values) => {
                Outcome::Received(self.field_options(&form, &field_id, &values).await?)
            }
            Task::Prepare(request) => {
                Outcome::Attempt(self.in_time().prepare(&request).await.map_err(|error| self.late(error))?)
            }
            Task::Submit(quote_history_id, nonce) => {
                Outcome::Transfer(Rc::new(self.submit(&quote_history_id, &nonce).await?))
            }
            Task::Discard(quote_history_id, nonce) => {
                self.discard(&quote_history_id, &nonce).await?;
                Outcome::Nothing
            }
            Task::Pending => Outcome::Attempts(self.pending().await?),
            Task::Forget(quote_history_id, nonce) => {
                self.forget(&quote_history_id, &nonce).await?;
                Outcome::Nothing
            }
            Task::Acknowledge(quote_history_id, nonce) => {
                self.acknowledge(&quote_history_id, &nonce).await?;
                Outcome::Nothing
            }
            Task::OpenCard(session_id) => Outcome::Received(self.open_card(session_id).await?),
            Task::ReadCard(session_id) => Outcome::Card(self.read_card(&session_id).await?),
        })
    }
}

fn journal_late() -> Error {
    Error::configuration("journal", "a store that answers in time")
}

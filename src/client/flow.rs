//! One call in progress, sans-IO: it yields one effect at a time and resumes with the result. It knows
//! neither the host's futures nor its signals, so any driver can run it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::effect::{Awaited, Effect, EffectResult};
use super::journal::Entry;
use super::tokens::Owner;
use super::{Answer, ClientCore, Reply, SendFailure};
use crate::api::part::part;
use crate::api::{Code, Error, FieldForm, Operation, Uuid};

/// What a flow does.
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
    /// A transfer that was made, to be forgotten once the page has had the time to show it: its quote and
    /// nonce.
    Forget(String, String),
    /// A transfer that was made, to be forgotten now, as its customer has been told: its quote and nonce.
    Acknowledge(String, String),
    /// The session of a card form: this one, or a new one.
    OpenCard(Option<Uuid>),
    /// The card that was entered in a session.
    ReadCard(Uuid),
}

/// The result of a flow.
pub enum Outcome {
    /// Nothing.
    Nothing,
    /// A reply.
    Reply(Reply),
    /// A form, and the reply it was made from.
    Form(FieldForm, Reply),
    /// An attempt.
    Attempt(Box<Entry>),
    /// Attempts, the oldest first.
    Attempts(Vec<Entry>),
    /// A transfer.
    Transfer(Rc<TransferOutcome>),
    /// The id of a card.
    Card(String),
}

/// How an attempt ended well.
pub struct TransferOutcome {
    /// The transfer.
    pub transfer: Reply,
    /// Whether the first answer was lost, and the transfer was found to have been made.
    pub recovered: bool,
}

/// What a flow yields next.
pub enum Step {
    /// An effect to run; whether the caller's signal ends it early.
    Do(Effect, bool),
    /// The result: the flow has ended.
    Ended(Result<Outcome, Error>),
}

type Work = Pin<Box<dyn Future<Output = Result<Outcome, Error>>>>;

/// A flow in progress.
pub struct Flow {
    work: Work,
    channel: Rc<Channel>,
}

/// What a flow and its driver exchange.
#[derive(Default)]
pub(super) struct Channel {
    effect: RefCell<Option<(Effect, bool)>>,
    result: RefCell<Option<EffectResult>>,
    is_aborted: Cell<bool>,
}

impl ClientCore {
    /// Begins a flow. Nothing happens before it is resumed.
    #[must_use]
    pub fn begin(&self, task: Task) -> Flow {
        Flow::new(self.clone(), task)
    }
}

impl Flow {
    fn new(core: ClientCore, task: Task) -> Self {
        let channel = Rc::<Channel>::default();
        let context = FlowContext {
            core,
            channel: Rc::clone(&channel),
            heeds_signal: true,
            ends_at_ms: u64::MAX,
            sender: None,
        };
        let work: Work = match task {
            Task::Call(operation, ids, input) if operation.is_plain() => Box::pin(async move {
                Ok(Outcome::Reply(context.plain_call(operation, &ids, input.as_deref()).await?))
            }),
            Task::OpenCard(_) | Task::ReadCard(_) => (card_flows().run)(context, task),
            task => (later_flows().run)(context, task),
        };
        Flow { work, channel }
    }

    /// Resumes with the result of the effect, first with [`EffectResult::Done`]; `is_aborted` says whether
    /// the caller's signal has ended the call.
    pub fn resume(&mut self, result: EffectResult, is_aborted: bool) -> Step {
        self.channel.is_aborted.set(is_aborted);
        self.channel.result.replace(Some(result));
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => Step::Ended(outcome),
            Poll::Pending => {
                let (effect, heeds_signal) =
                    self.channel.effect.take().unwrap_or((Effect::Wait { ms: 0 }, false));
                Step::Do(effect, heeds_signal)
            }
        }
    }
}

/// What begins the flows of a part.
struct Flows {
    run: fn(FlowContext, Task) -> Work,
}

part! {
    "card", "0f10",
    fn card_flows() -> Flows { Flows { run: |context, task| Box::pin(async move { context.run_card(task).await }) } }
}

part! {
    "transfer", "1035",
    fn later_flows() -> Flows { Flows { run: |context, task| Box::pin(async move { context.run(task).await }) } }
}

/// What a flow runs with.
#[derive(Clone)]
pub(super) struct FlowContext {
    pub(super) core: ClientCore,
    channel: Rc<Channel>,
    heeds_signal: bool,
    /// When the flow has to end, by the monotonic clock.
    ends_at_ms: u64,
    /// Whose tokens to use; anybody's where this is `None`.
    pub(super) sender: Option<Owner>,
}

impl FlowContext {
    /// The same, with this sender's tokens alone.
    pub(super) fn bound_to(&self, sender: Option<Owner>) -> Self {
        FlowContext { sender, ..self.clone() }
    }

    /// The same, ended by no signal.
    pub(super) fn uncancellable(&self) -> Self {
        FlowContext { heeds_signal: false, ..self.clone() }
    }

    /// The same with an upper bound: what is waited for last, the token source or the journal, has 30 seconds
    /// more.
    fn in_time(&self) -> Self {
        let ends_at_ms = self.core.elapsed_ms() + u64::from(self.core.timeout_ms().max(30_000));
        FlowContext { ends_at_ms, ..self.clone() }
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
        let left_ms = self.ends_at_ms.saturating_sub(self.core.elapsed_ms());
        u32::try_from(left_ms).map_or(ms, |left_ms| left_ms.min(ms))
    }

    async fn run_effect(&self, effect: Effect) -> EffectResult {
        self.channel.result.take();
        self.channel.effect.replace(Some((effect, self.heeds_signal)));
        poll_fn(|_| match self.channel.result.take() {
            Some(result) => Poll::Ready(result),
            None => Poll::Pending,
        })
        .await
    }

    /// Runs an effect whose result is a text.
    pub(super) async fn text(&self, effect: Effect) -> Result<Option<String>, Error> {
        let awaited = effect.awaited();
        match self.run_effect(effect).await {
            EffectResult::Text(text) => text,
            EffectResult::Late if awaited == Awaited::Token => Err(Error::new(Code::TokenUnavailable)
                .of_option("token")
                .saying("The token source did not answer in time.")),
            EffectResult::Late => Err(journal_late()),
            _ => Ok(None),
        }
    }

    pub(super) async fn keys(&self) -> Result<Vec<String>, Error> {
        match self.run_effect(Effect::Keys).await {
            EffectResult::Keys(keys) => keys,
            EffectResult::Late => Err(journal_late()),
            _ => Ok(Vec::new()),
        }
    }

    pub(super) async fn answer(&self, effect: Effect) -> Result<Box<Answer>, SendFailure> {
        match self.run_effect(effect).await {
            EffectResult::Answer(answer) => answer,
            _ => Err(SendFailure::Network),
        }
    }

    pub(super) async fn wait(&self, ms: u32) {
        self.run_effect(Effect::Wait { ms: self.within(ms) }).await;
    }

    /// Whether the lock is held now.
    pub(super) async fn lock(&self, name: String, ms: u32) -> bool {
        matches!(self.run_effect(Effect::Lock { name, ms: self.within(ms) }).await, EffectResult::Done)
    }

    async fn run(&self, task: Task) -> Result<Outcome, Error> {
        Ok(match task {
            Task::Call(operation, ids, input) => {
                Outcome::Reply(self.call(operation, &ids, input.as_deref()).await?)
            }
            Task::Request(raw) => Outcome::Reply(self.request(&raw).await?),
            Task::Fields(operation, query) => {
                let (form, received) = self.field_form(operation, &query).await?;
                Outcome::Form(form, received)
            }
            Task::Options(form, field_id, values) => {
                Outcome::Reply(self.field_options(&form, &field_id, &values).await?)
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
            // Of the card form's part.
            Task::OpenCard(_) | Task::ReadCard(_) => Outcome::Nothing,
        })
    }

    async fn run_card(&self, task: Task) -> Result<Outcome, Error> {
        Ok(match task {
            Task::OpenCard(session_id) => Outcome::Reply(self.open_card(session_id).await?),
            Task::ReadCard(session_id) => Outcome::Card(self.read_card(&session_id).await?),
            _ => Outcome::Nothing,
        })
    }
}

fn journal_late() -> Error {
    Error::configuration("journal", "a store that answers in time")
}

//! One call in progress, sans-IO: it yields one effect at a time and resumes with the result. It knows
//! neither the host's futures nor its signals, so any driver can run it.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::effect::{Awaited, Effect, EffectResult};
use super::journal::{AttemptId, AttemptState, Entry};
use super::tokens::Owner;
use super::{Answer, ClientCore, Reply, SendFailure};
use crate::api::part::part;
use crate::api::{Code, Error, FieldForm, Operation, Uuid};

/// What a call does.
pub enum Task {
    /// Calls an operation with its ids and its input as JSON text.
    Call(&'static Operation, Vec<String>, Option<String>),
    /// Sends a request that is given by its parts, as JSON text.
    Request(String),
    /// Fetches the form for a query, as JSON text.
    Fields(&'static Operation, String),
    /// Fetches the options of a dropdown, given its form and the values so far.
    Options(FieldForm, String, String),
    /// Prepares a transfer, given as JSON text.
    Prepare(String),
    /// Submits a prepared transfer.
    Submit(AttemptId),
    /// Discards a prepared transfer.
    Discard(AttemptId),
    /// Lists the transfers in the journal.
    Pending,
    /// Removes a made transfer from the journal once the page has had time to show it.
    Forget(AttemptId),
    /// Removes a made transfer from the journal, as its customer knows of it.
    Acknowledge(AttemptId),
    /// Returns the state of a transfer as this client knows it.
    State(AttemptId),
    /// Opens this session of a card form, or a new one.
    OpenCard(Option<Uuid>),
    /// Reads the card that was entered in a session.
    ReadCard(Uuid),
}

/// The result of a call.
pub enum Outcome {
    /// No value.
    Nothing,
    /// A reply.
    Reply(Reply),
    /// A form, and the reply that it was made from.
    Form(FieldForm, Reply),
    /// An attempt.
    Attempt(Box<Entry>),
    /// Attempts, the oldest first.
    Attempts(Vec<Entry>),
    /// A transfer.
    Transfer(Rc<TransferOutcome>),
    /// The id of a card.
    Card(String),
    /// The state of an attempt; `None` if this client does not know it.
    State(Option<AttemptState>),
}

/// A transfer that was made.
pub struct TransferOutcome {
    /// The transfer.
    pub transfer: Reply,
    /// Whether the first answer was lost, and the transfer was found later.
    pub recovered: bool,
}

/// What a flow yields next.
pub(super) enum Step {
    /// An effect to run, and whether the caller's signal ends it early.
    Run(Effect, bool),
    Done(Result<Outcome, Error>),
}

type Work = Pin<Box<dyn Future<Output = Result<Outcome, Error>>>>;

/// A call in progress.
pub(super) struct Flow {
    work: Work,
    channel: Rc<Channel>,
}

/// What a flow and its driver exchange.
#[derive(Default)]
struct Channel {
    effect: RefCell<Option<(Effect, bool)>>,
    result: RefCell<Option<EffectResult>>,
    is_aborted: Cell<bool>,
}

impl Flow {
    /// Creates a flow, which does nothing before it is resumed.
    pub(super) fn new(core: ClientCore, task: Task) -> Self {
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

    /// Resumes with the result of the effect, first with [`EffectResult::Done`].
    pub(super) fn resume(&mut self, result: EffectResult, is_aborted: bool) -> Step {
        self.channel.is_aborted.set(is_aborted);
        self.channel.result.replace(Some(result));
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => Step::Done(outcome),
            Poll::Pending => {
                let (effect, heeds_signal) =
                    self.channel.effect.take().unwrap_or((Effect::Wait { ms: 0 }, false));
                Step::Run(effect, heeds_signal)
            }
        }
    }
}

/// The entry point into the flows of a part of the module.
struct Flows {
    run: fn(FlowContext, Task) -> Work,
}

part! {
    "card", "0f10",
    fn card_flows() -> Flows {
        Flows { run: |context, task| Box::pin(async move { context.run_card(task).await }) }
    }
}

part! {
    "transfer", "1035",
    fn later_flows() -> Flows {
        Flows { run: |context, task| Box::pin(async move { context.run(task).await }) }
    }
}

/// The context of a flow: its core, its bounds, and the sender whose tokens it uses.
#[derive(Clone)]
pub(super) struct FlowContext {
    pub(super) core: ClientCore,
    channel: Rc<Channel>,
    heeds_signal: bool,
    /// When the flow has to end, by the monotonic clock.
    ends_at_ms: u64,
    /// The sender whose tokens to use; `None` allows any.
    pub(super) sender: Option<Owner>,
}

impl FlowContext {
    /// Returns a context that uses this sender's tokens alone.
    pub(super) fn bound_to(&self, sender: Option<Owner>) -> Self {
        FlowContext { sender, ..self.clone() }
    }

    /// Returns a context that no signal ends.
    pub(super) fn uncancellable(&self) -> Self {
        FlowContext { heeds_signal: false, ..self.clone() }
    }

    /// Returns a context with an upper bound. A last wait for the token source or the journal may exceed it
    /// by 30 seconds.
    fn bounded(&self) -> Self {
        let ends_at_ms = self.core.elapsed_ms() + u64::from(self.core.timeout_ms().max(30_000));
        FlowContext { ends_at_ms, ..self.clone() }
    }

    /// Whether the caller has aborted.
    pub(super) fn is_given_up(&self) -> bool {
        self.heeds_signal && self.channel.is_aborted.get()
    }

    /// Whether the caller has aborted, or the bound is reached.
    #[inline(never)]
    pub(super) fn is_aborted(&self) -> bool {
        self.is_given_up() || self.within_bound(u32::MAX) == 0
    }

    /// Cuts a duration to what is left until the bound.
    #[inline(never)]
    pub(super) fn within_bound(&self, ms: u32) -> u32 {
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
            EffectResult::TimedOut if awaited == Awaited::Token => Err(Error::new(Code::TokenUnavailable)
                .of_option("token")
                .saying("The token source did not answer in time.")),
            EffectResult::TimedOut => Err(journal_timed_out()),
            _ => Ok(None),
        }
    }

    pub(super) async fn keys(&self) -> Result<Vec<String>, Error> {
        match self.run_effect(Effect::Keys).await {
            EffectResult::Keys(keys) => keys,
            EffectResult::TimedOut => Err(journal_timed_out()),
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
        self.run_effect(Effect::Wait { ms: self.within_bound(ms) }).await;
    }

    /// Acquires a lock; false if that takes too long.
    pub(super) async fn lock(&self, name: String, ms: u32) -> bool {
        let ms = self.within_bound(ms);
        matches!(self.run_effect(Effect::Lock { name, ms }).await, EffectResult::Done)
    }

    async fn run(&self, task: Task) -> Result<Outcome, Error> {
        Ok(match task {
            Task::Call(operation, ids, input) => {
                Outcome::Reply(self.call(operation, &ids, input.as_deref()).await?)
            }
            Task::Request(raw) => Outcome::Reply(self.request(&raw).await?),
            Task::Fields(operation, query) => {
                let (form, reply) = self.field_form(operation, &query).await?;
                Outcome::Form(form, reply)
            }
            Task::Options(form, field_id, values) => {
                Outcome::Reply(self.field_options(&form, &field_id, &values).await?)
            }
            Task::Prepare(request) => {
                Outcome::Attempt(self.bounded().prepare(&request).await.map_err(|error| {
                    let is_bound = error.code() == Code::Aborted && !self.is_given_up();
                    if is_bound { Error::new(Code::Timeout) } else { error }
                })?)
            }
            Task::Submit(id) => Outcome::Transfer(Rc::new(self.submit(&id).await?)),
            Task::Discard(id) => self.discard(&id).await.map(|()| Outcome::Nothing)?,
            Task::Pending => Outcome::Attempts(self.pending().await?),
            Task::Forget(id) => self.forget(&id).await.map(|()| Outcome::Nothing)?,
            Task::Acknowledge(id) => self.acknowledge(&id).await.map(|()| Outcome::Nothing)?,
            Task::State(id) => Outcome::State(self.core.state_of(&id)),
            // In the part of the card form.
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

fn journal_timed_out() -> Error {
    Error::new(Code::JournalUnavailable).of_option("journal").saying("The journal did not answer in time.")
}

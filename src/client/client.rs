use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::environment::until_aborted;
use super::flow::{Effect, Event, Flow, Outcome, Outgoing, Step, Task};
use super::shared::Shared;
use super::submission::{ABORT_GRACE_MS, longest_submission_ms, unknown};
use super::waiting::Waiting;
use super::weakness::Weakness;
use super::{
    Environment, Host, Kit, Options, Received, SendFailure, Trace, TransferAttempt, TransferOutcome,
};
use crate::api::{Code, Error, FieldForm, Operation, Uuid, list_of};

/// A token source gets this long, and a journal.
const SOURCE_TIMEOUT_MS: u32 = 30_000;

/// Calls the service: drives flows with what an [`Environment`] can do. Cheap to clone; clones share tokens and attempts.
pub struct Client<E: Environment>(Rc<Inner<E>>);

struct Inner<E> {
    environment: Rc<E>,
    kit: Kit,
    /// What the token source was asked and has not answered yet.
    asked: RefCell<Option<Shared<Told>>>,
    submissions: RefCell<Vec<Submission>>,
}

type Told = Result<Option<String>, Error>;
type Submitted = Result<Rc<TransferOutcome>, Error>;

/// A run of an attempt that is under way.
#[derive(Clone)]
struct Submission {
    quote_history_id: String,
    nonce: String,
    outcome: Shared<Submitted>,
    waiting: Rc<Waiting>,
}

impl Submission {
    /// Another attempt may have taken the place of one that was dropped: its outcome is its own.
    fn is_of(&self, quote_history_id: &str, nonce: &str) -> bool {
        self.quote_history_id == quote_history_id && self.nonce == nonce
    }
}

struct HostOf<E>(Rc<E>);

impl<E: Environment> Host for HostOf<E> {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }
    fn elapsed_ms(&self) -> u64 {
        self.0.elapsed_ms()
    }
    fn random(&self) -> f64 {
        self.0.random()
    }
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        self.0.matches(pattern, text)
    }
    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        self.0.parse_time_ms(iso)
    }
    fn trace(&self, entry: Trace<'_>) {
        self.0.trace(entry);
    }
}

impl<E: Environment> Clone for Client<E> {
    fn clone(&self) -> Self {
        Client(Rc::clone(&self.0))
    }
}

impl<E: Environment> Client<E> {
    /// A client of the service.
    #[must_use]
    pub fn new(environment: E, options: Options) -> Self {
        let environment = Rc::new(environment);
        let kit = Kit::new(Box::new(HostOf(Rc::clone(&environment))), options);
        Client(Rc::new(Inner {
            environment,
            kit,
            asked: RefCell::default(),
            submissions: RefCell::default(),
        }))
    }

    /// What the client runs in.
    #[must_use]
    pub fn environment(&self) -> &E {
        &self.0.environment
    }

    /// Calls an operation with these ids and this input, as JSON text. What the interface says must be asked before is asked, and
    /// the input held to it.
    ///
    /// # Errors
    /// Any [`Kind`](crate::api::Kind). Nothing was sent if it is `invalid_request`, `field` or `configuration` without an HTTP status.
    pub async fn call(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<&str>,
        signal: &E::Signal,
    ) -> Result<Received, Error> {
        let ids = list_of(ids.iter().map(|id| (*id).to_owned()));
        self.receive(Task::Call(operation, ids, input.map(str::to_owned)), signal).await
    }

    /// Sends a request that is given by its parts, `{ method, path, query?, body? }` as JSON text.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn request(&self, raw: &str, signal: &E::Signal) -> Result<Received, Error> {
        self.receive(Task::Request(raw.to_owned()), signal).await
    }

    /// Fetches the fields that this query, as JSON text, asks for: each time anew.
    ///
    /// # Errors
    /// As [`Client::call`].
    pub async fn field_form(
        &self,
        operation: &'static Operation,
        query: &str,
        signal: &E::Signal,
    ) -> Result<(FieldForm, Received), Error> {
        match self.run(Task::Fields(operation, query.to_owned()), signal).await? {
            Outcome::Form(form, received) => Ok((form, received)),
            _ => Err(internal()),
        }
    }

    /// The choices of a dropdown, given what is chosen so far: an object from field id to value as JSON text. Those that are not in the
    /// definition are asked of the service, each time anew; there are none while a field that they depend on is empty. Read it as a list of
    /// [`FieldOption`](crate::api::FieldOption).
    ///
    /// # Errors
    /// Those of [`FieldForm::options`], and of the call.
    pub async fn field_options(
        &self,
        form: &FieldForm,
        field_id: &str,
        values: &str,
        signal: &E::Signal,
    ) -> Result<Received, Error> {
        self.receive(Task::Options(form.clone(), field_id.to_owned(), values.to_owned()), signal).await
    }

    /// Today, as `YYYY-MM-DD` in UTC.
    #[must_use]
    pub fn today(&self) -> String {
        self.0.kit.today()
    }

    /// Binds a transfer to its quote, a nonce and its body, and keeps it in the journal. Asks for the transfer fields and holds
    /// the request to them. Nothing is sent that moves money.
    ///
    /// # Errors
    /// `invalid_request` or `field` that name what is at fault; `conflict` if another transfer was prepared with this quote;
    /// `quote` with a fresh one if this quote has expired.
    pub async fn prepare_transfer(
        &self,
        request: &str,
        signal: &E::Signal,
    ) -> Result<TransferAttempt<E>, Error> {
        match self.run(Task::Prepare(request.to_owned()), signal).await? {
            Outcome::Attempt(entry) => Ok(TransferAttempt { client: self.clone(), entry }),
            _ => Err(internal()),
        }
    }

    /// The attempts that the journal holds, the oldest first: prepared, sent without a certain outcome, or made so lately that the
    /// page may not have shown it.
    ///
    /// # Errors
    /// Those of the journal.
    pub async fn pending_transfers(&self) -> Result<Vec<TransferAttempt<E>>, Error> {
        match self.run(Task::Pending, &self.environment().never()).await? {
            Outcome::Attempts(entries) => Ok(list_of(
                entries
                    .into_iter()
                    .map(|entry| TransferAttempt { client: self.clone(), entry: Box::new(entry) }),
            )),
            _ => Err(internal()),
        }
    }

    /// Drops a prepared attempt, as [`TransferAttempt::discard`].
    ///
    /// # Errors
    /// As there.
    pub async fn discard_transfer(
        &self,
        quote_history_id: &str,
        nonce: &str,
        signal: &E::Signal,
    ) -> Result<(), Error> {
        self.run(Task::Discard(quote_history_id.to_owned(), nonce.to_owned()), signal).await.map(drop)
    }

    /// Brings the prepared attempt with this quote and nonce to its outcome, as [`TransferAttempt::submit`]. The signal ends this caller's
    /// waiting alone; so does the time of 60 seconds, or the time of one attempt and 30 seconds.
    ///
    /// # Errors
    /// As there.
    pub async fn submit_transfer(
        &self,
        quote_history_id: &str,
        nonce: &str,
        signal: &E::Signal,
    ) -> Result<Rc<TransferOutcome>, Error> {
        let environment = self.environment();
        let longest_ms = longest_submission_ms(self.0.kit.timeout_ms()) - ABORT_GRACE_MS;
        let mut given_up = pin!(async {
            select(pin!(environment.aborted(signal)), pin!(environment.sleep(longest_ms))).await;
        });
        let running = loop {
            let found = {
                let submissions = self.0.submissions.borrow();
                submissions.iter().find(|running| running.is_of(quote_history_id, nonce)).cloned()
            };
            match found {
                None => break self.begin_submission(quote_history_id, nonce),
                Some(running) if !running.waiting.has_ended() => break running,
                // Given up by those who waited for it, it sends nothing more.
                Some(running) => match select(running.outcome, given_up.as_mut()).await {
                    Either::Left((Ok(outcome), _)) => return self.told(Ok(outcome), quote_history_id, nonce),
                    Either::Left(_) => {}
                    Either::Right(_) => return Err(unknown(quote_history_id)),
                },
            }
        };
        let seat = running.waiting.enter();
        // Looked at first: a call that was given up before it began begins nothing.
        if let Either::Right((outcome, _)) = select(given_up.as_mut(), running.outcome.clone()).await {
            return self.told(outcome, quote_history_id, nonce);
        }
        // What is certain by now is told.
        drop(seat);
        match select(running.outcome, pin!(environment.sleep(ABORT_GRACE_MS))).await {
            // It was not this caller's signal, but the bound.
            Either::Left((Err(error), _))
                if error.code() == Code::Aborted && !environment.is_aborted(signal) =>
            {
                Err(Error::new(Code::Timeout))
            }
            Either::Left((outcome, _)) => self.told(outcome, quote_history_id, nonce),
            Either::Right(_) if self.0.kit.lacks(Weakness::Abort) => Err(Error::new(Code::Aborted)),
            Either::Right(_) => Err(unknown(quote_history_id)),
        }
    }

    fn begin_submission(&self, quote_history_id: &str, nonce: &str) -> Submission {
        let (quote_history_id, nonce) = (quote_history_id.to_owned(), nonce.to_owned());
        let waiting = Rc::<Waiting>::default();
        let work = self.clone().submit_alone(quote_history_id.clone(), nonce.clone(), Rc::clone(&waiting));
        let outcome = Shared::new(work.boxed_local());
        // It goes on though nobody waits for it: half done, it would keep the lock and have no outcome.
        self.environment().spawn(outcome.clone().map(drop).boxed_local());
        let submission = Submission { quote_history_id, nonce, outcome, waiting };
        self.0.submissions.borrow_mut().push(submission.clone());
        submission
    }

    async fn submit_alone(self, quote_history_id: String, nonce: String, waiting: Rc<Waiting>) -> Submitted {
        let task = Task::Submit(quote_history_id.clone(), nonce.clone());
        let outcome = self.run_until(task, &self.environment().never(), Some(&waiting)).await;
        self.0.submissions.borrow_mut().retain(|running| !running.is_of(&quote_history_id, &nonce));
        match outcome? {
            Outcome::Transfer(transfer) => Ok(Rc::new(transfer)),
            _ => Err(internal()),
        }
    }

    /// Lets the journal forget a transfer that somebody was told of. One that nobody was told of stays for the next page.
    fn told(&self, outcome: Submitted, quote_history_id: &str, nonce: &str) -> Submitted {
        if outcome.is_ok() {
            let (client, task) = (self.clone(), Task::Forget(quote_history_id.to_owned(), nonce.to_owned()));
            let forget = async move {
                let _ = client.run(task, &client.environment().never()).await;
            };
            self.environment().spawn(forget.boxed_local());
        }
        outcome
    }

    /// The session of a card form: the given one if it is not over, or a new one. Read it as a [`CardSession`](crate::api::CardSession).
    ///
    /// # Errors
    /// As [`Client::call`]; `card` if the given session is over.
    pub async fn open_card(&self, session_id: Option<Uuid>, signal: &E::Signal) -> Result<Received, Error> {
        self.receive(Task::OpenCard(session_id), signal).await
    }

    /// The id of the card that was entered in a session, after the form has told of a success.
    ///
    /// # Errors
    /// As [`Client::call`]; `card` if the session tells of no card.
    pub async fn read_card(&self, session_id: Uuid, signal: &E::Signal) -> Result<String, Error> {
        match self.run(Task::ReadCard(session_id), signal).await? {
            Outcome::Card(card_id) => Ok(card_id),
            _ => Err(internal()),
        }
    }

    async fn receive(&self, task: Task, signal: &E::Signal) -> Result<Received, Error> {
        match self.run(task, signal).await? {
            Outcome::Received(received) => Ok(received),
            _ => Err(internal()),
        }
    }

    async fn run(&self, task: Task, signal: &E::Signal) -> Result<Outcome, Error> {
        self.run_until(task, signal, None).await
    }

    /// Runs a flow that the signal ends early, and so does the last of those who wait for it.
    async fn run_until(
        &self,
        task: Task,
        signal: &E::Signal,
        waiting: Option<&Waiting>,
    ) -> Result<Outcome, Error> {
        let environment = self.environment();
        let never = environment.never();
        let mut flow: Flow = self.0.kit.begin(task);
        let mut told = Event::Done;
        // Held until the flow has ended.
        let mut lock = None;
        loop {
            let is_aborted = environment.is_aborted(signal) || waiting.is_some_and(Waiting::has_ended);
            let (effect, heeds_signal) = match flow.resume(told, is_aborted) {
                Step::Ended(outcome) => {
                    drop(lock);
                    return outcome;
                }
                Step::Do(effect, heeds_signal) => (effect, heeds_signal),
            };
            let signal = if heeds_signal { signal } else { &never };
            let given_up = given_up(&effect);
            let work = self.act(effect, signal, &mut lock);
            told = match (waiting.filter(|_| heeds_signal), given_up) {
                (Some(waiting), Some(given_up)) => match select(pin!(work), pin!(waiting.ended())).await {
                    Either::Left((told, _)) => told,
                    Either::Right(_) => given_up,
                },
                _ => work.await,
            };
        }
    }

    async fn act(&self, effect: Effect, signal: &E::Signal, lock: &mut Option<E::Lock>) -> Event {
        let environment = self.environment();
        let journal = environment.journal();
        match effect {
            Effect::Send { outgoing, token, timeout_ms } => {
                let Outgoing { url, request } = &*outgoing;
                let answer = environment.send(url, request, &token.bearer, timeout_ms, signal).await;
                Event::Answer(answer.map(Box::new))
            }
            Effect::Token => Event::Text(self.token(signal).await),
            Effect::Wait { ms } => {
                environment.wait(ms, signal).await;
                Event::Done
            }
            Effect::Load(key) => Event::Text(self.in_time(journal.load(&key)).await),
            Effect::Save(key, text) => {
                Event::Text(self.in_time(journal.save(&key, &text)).await.map(|()| None))
            }
            Effect::Remove(key) => Event::Text(self.in_time(journal.remove(&key)).await.map(|()| None)),
            Effect::Keys => Event::Keys(self.in_time(journal.keys()).await),
            Effect::Lock { name, ms } => {
                match select(pin!(environment.lock(&name)), pin!(environment.wait(ms, signal))).await {
                    Either::Left((held, _)) => {
                        *lock = Some(held);
                        Event::Done
                    }
                    Either::Right(_) => Event::Withheld,
                }
            }
        }
    }

    /// What the journal answers: one that does not would hold every call up for ever.
    async fn in_time<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        match select(pin!(work), pin!(self.environment().sleep(SOURCE_TIMEOUT_MS))).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(Error::configuration("journal", "a store that answers in time")),
        }
    }

    /// Asks the token source once for all who wait.
    async fn token(&self, signal: &E::Signal) -> Told {
        let running = self.0.asked.borrow().clone();
        let asked = running.unwrap_or_else(|| {
            let environment = Rc::clone(&self.0.environment);
            // The client holds this work, which nobody drives on once all have given up: it must not hold the client in turn.
            let client = Rc::downgrade(&self.0);
            let work = async move {
                let answer = ask_source(&*environment).await;
                if let Some(client) = client.upgrade() {
                    client.asked.take();
                }
                answer
            };
            let asked = Shared::new(work.boxed_local());
            self.0.asked.replace(Some(asked.clone()));
            asked
        });
        until_aborted(self.environment(), asked, signal).await?
    }
}

/// What a flow is told of what was given up; nothing where it is waited for all the same.
fn given_up(effect: &Effect) -> Option<Event> {
    match effect {
        Effect::Send { .. } => Some(Event::Answer(Err(SendFailure::Aborted))),
        Effect::Token => Some(Event::Text(Err(Error::new(Code::Aborted)))),
        Effect::Wait { .. } => Some(Event::Done),
        Effect::Lock { .. } => Some(Event::Withheld),
        _ => None,
    }
}

async fn ask_source<E: Environment>(environment: &E) -> Told {
    match select(pin!(environment.token()), pin!(environment.sleep(SOURCE_TIMEOUT_MS))).await {
        Either::Left((answer, _)) => answer.map(Some),
        Either::Right(_) => Err(token_too_late()),
    }
}

/// A token source did not answer in time.
pub(crate) fn token_too_late() -> Error {
    Error::new(Code::TokenUnavailable).of_option("token").saying("The token source did not answer in time.")
}

fn internal() -> Error {
    Error::new(Code::Internal)
}

use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::driver::Driver;
use super::flow::{Outcome, Task};
use super::tasks::{HostOf, Tasks};
use super::{Environment, Kit, Options, Received, TransferAttempt, TransferOutcome};
use crate::api::{Code, Error, FieldForm, Operation, Uuid, list_of};

/// Calls the service: a [`Driver`] over what an [`Environment`] can do. Cheap to clone; clones share tokens and attempts.
pub struct Client<E: Environment>(Rc<Inner<E>>);

struct Inner<E: Environment> {
    driver: Driver<Tasks<E>>,
    newest: Cell<u32>,
}

/// A call that is waited for. Dropped, it is given up.
struct Call<E: Environment> {
    client: Client<E>,
    id: u32,
}

impl<E: Environment> Call<E> {
    async fn ended(&self) -> Result<Outcome, Error> {
        self.client.poll_until(|tasks| tasks.take_ended(self.id)).await
    }
}

impl<E: Environment> Drop for Call<E> {
    fn drop(&mut self) {
        let driver = &self.client.0.driver;
        driver.leave(self.id);
        driver.hands().wake();
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
        Client(Rc::new(Inner { driver: Driver::new(kit, Tasks::new(environment)), newest: Cell::new(0) }))
    }

    /// What the client runs in.
    #[must_use]
    pub fn environment(&self) -> &E {
        &self.0.driver.hands().environment
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
        self.0.driver.kit().today()
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
    /// Those of the journal; those of the question whose the token is, [retryable](Error::retryable) where the service does not tell it
    /// and an attempt was sent that may be this sender's.
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
        let task = Task::Submit(quote_history_id.to_owned(), nonce.to_owned());
        match self.run(task, signal).await? {
            Outcome::Transfer(transfer) => Ok(transfer),
            _ => Err(internal()),
        }
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

    pub(super) async fn run(&self, task: Task, signal: &E::Signal) -> Result<Outcome, Error> {
        let Inner { driver, newest } = &*self.0;
        newest.set(newest.get() + 1);
        let call = Call { client: self.clone(), id: newest.get() };
        let goes_on = matches!(task, Task::Submit(..));
        driver.begin(call.id, task, self.environment().is_aborted(signal));
        if goes_on {
            let client = self.clone();
            let rest = async move { client.poll_until(|_| client.0.driver.is_idle().then_some(())).await };
            self.environment().spawn(rest.boxed_local());
        }
        // The signal first: who gives up in the very moment of an answer has given up.
        match select(pin!(self.environment().aborted(signal)), pin!(call.ended())).await {
            Either::Left(_) => driver.abort(call.id),
            Either::Right((outcome, _)) => return outcome,
        }
        call.ended().await
    }

    /// Drives on what is under way until there is what is waited for.
    async fn poll_until<T>(&self, mut find: impl FnMut(&Tasks<E>) -> Option<T>) -> T {
        let driver = &self.0.driver;
        let mut poll = |context: &mut Context<'_>| {
            loop {
                if let Some(found) = find(driver.hands()) {
                    return Poll::Ready(found);
                }
                match driver.hands().poll(context) {
                    Some((id, event)) => driver.tell(id, |_| event),
                    None => return Poll::Pending,
                }
            }
        };
        poll_fn(&mut poll).await
    }
}

fn internal() -> Error {
    Error::new(Code::Internal)
}

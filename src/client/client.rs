use std::cell::Cell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use super::driver::Driver;
use super::flow::{Outcome, Task};
use super::tasks::Tasks;
use super::{ClientCore, Environment, Options, PendingCall, Reply};
use crate::api::{Address, Code, Error, Json, Uuid, content_security_policy};
use crate::card::{Theme, card_form_url};

/// A client of the service in an [`Environment`]. Built by [`Client::builder`]. Cheap to
/// clone; clones share tokens and attempts.
///
/// Each operation is a method that returns a [`PendingCall`], which `.await` begins.
pub struct Client<E: Environment>(Rc<Inner<E>>);

struct Inner<E: Environment> {
    driver: Driver<Tasks<E>>,
    card_url: Address,
    last_call: Cell<u32>,
}

/// A call in progress; dropping it cancels the call.
struct Call<E: Environment> {
    client: Client<E>,
    id: u32,
}

impl<E: Environment> Call<E> {
    async fn outcome(&self) -> Result<Outcome, Error> {
        self.client.poll_until(|tasks| tasks.take_outcome(self.id)).await
    }
}

impl<E: Environment> Drop for Call<E> {
    fn drop(&mut self) {
        let driver = &self.client.0.driver;
        driver.leave(self.id);
        driver.runner().wake();
    }
}

impl<E: Environment> Clone for Client<E> {
    fn clone(&self) -> Self {
        Client(Rc::clone(&self.0))
    }
}

impl<E: Environment> Client<E> {
    pub(super) fn new(environment: E, options: Options, card_url: Address) -> Self {
        let environment = Rc::new(environment);
        let core = ClientCore::new(Box::new(Rc::clone(&environment)), options);
        let driver = Driver::new(core, Tasks::new(environment));
        Client(Rc::new(Inner { driver, card_url, last_call: Cell::new(0) }))
    }

    /// Returns the environment.
    #[must_use]
    pub fn environment(&self) -> &E {
        &self.0.driver.runner().environment
    }

    /// Returns the address of the card form.
    #[must_use]
    pub fn card_url(&self) -> &Address {
        &self.0.card_url
    }

    /// Returns the URL of the card form for a session, in this theme.
    ///
    /// # Errors
    /// None for a session that the service made.
    pub fn card_form_url(&self, session_id: &Uuid, theme: &Theme) -> Result<String, Error> {
        card_form_url(&self.0.card_url, session_id.as_str(), theme)
    }

    /// Returns the directives of the content security policy that a page with these addresses needs, each
    /// with its sources.
    #[must_use]
    pub fn content_security_policy(&self) -> Json {
        Json::new(content_security_policy(&self.core().0.options.base_url, &self.0.card_url))
    }

    /// Returns today's date, `YYYY-MM-DD` in UTC.
    #[must_use]
    pub fn today(&self) -> String {
        self.core().today()
    }

    pub(super) fn core(&self) -> &ClientCore {
        self.0.driver.core()
    }

    /// Performs a task whose texts are JSON; the typed calls are built on it.
    ///
    /// # Errors
    /// Any [`Kind`](crate::api::Kind). Nothing was sent if it is `invalid_request`, `field` or
    /// `configuration` without an HTTP status.
    pub fn perform_task(&self, task: Task) -> PendingCall<E, Outcome> {
        self.perform(task, |_, outcome| Ok(outcome))
    }

    pub(super) fn perform<T: 'static>(
        &self,
        task: Task,
        read: impl FnOnce(Self, Outcome) -> Result<T, Error> + 'static,
    ) -> PendingCall<E, T> {
        let client = self.clone();
        self.pending(async move |signal| {
            let outcome = client.run(task, &signal).await?;
            read(client, outcome)
        })
    }

    pub(super) fn pending<T: 'static, F: Future<Output = Result<T, Error>> + 'static>(
        &self,
        work: impl FnOnce(E::Signal) -> F + 'static,
    ) -> PendingCall<E, T> {
        PendingCall::new(work)
    }

    pub(super) fn receive<T: 'static>(
        &self,
        task: Task,
        read: impl FnOnce(&Reply) -> Result<T, Error> + 'static,
    ) -> PendingCall<E, T> {
        self.perform(task, |_, outcome| match outcome {
            Outcome::Reply(reply) => read(&reply),
            _ => Err(internal()),
        })
    }

    pub(super) async fn run(&self, task: Task, signal: &E::Signal) -> Result<Outcome, Error> {
        let Inner { driver, last_call, .. } = &*self.0;
        last_call.set(last_call.get() + 1);
        let call = Call { client: self.clone(), id: last_call.get() };
        let outlives_caller = matches!(task, Task::Submit(_));
        driver.begin(call.id, task, self.environment().is_aborted(signal));
        if outlives_caller {
            let client = self.clone();
            let rest = async move { client.poll_until(|_| client.0.driver.is_idle().then_some(())).await };
            self.environment().spawn(rest.boxed_local());
        }
        // The signal first: an abort at the moment of the outcome counts.
        match select(pin!(self.environment().aborted(signal)), pin!(call.outcome())).await {
            Either::Left(_) => driver.abort(call.id),
            Either::Right((outcome, _)) => return outcome,
        }
        call.outcome().await
    }

    /// Polls all tasks until `find` finds something.
    async fn poll_until<T>(&self, mut find: impl FnMut(&Tasks<E>) -> Option<T>) -> T {
        let driver = &self.0.driver;
        let mut poll = |context: &mut Context<'_>| {
            loop {
                if let Some(found) = find(driver.runner()) {
                    return Poll::Ready(found);
                }
                match driver.runner().poll(context) {
                    Some((id, result)) => driver.complete(id, |_| result),
                    None => return Poll::Pending,
                }
            }
        };
        poll_fn(&mut poll).await
    }
}

pub(super) fn internal() -> Error {
    Error::new(Code::Internal)
}

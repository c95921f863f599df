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
use super::{ClientCore, Environment, Options, PendingCall, Reply};
use crate::api::{Address, Code, Error, Json, Uuid, content_security_policy};
use crate::card::{Theme, card_form_url};

/// Calls the service, and knows where its card form is: a [`Driver`] over what an [`Environment`] can do.
/// Made by [`Client::builder`]. Cheap to clone; clones share tokens and attempts.
///
/// Each call of the interface is a method that gives a [`PendingCall`], which `.await` begins.
pub struct Client<E: Environment>(Rc<Inner<E>>);

struct Inner<E: Environment> {
    driver: Driver<Tasks<E>>,
    card_url: Address,
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
    pub(super) fn new(environment: E, options: Options, card_url: Address) -> Self {
        let environment = Rc::new(environment);
        let core = ClientCore::new(Box::new(HostOf(Rc::clone(&environment))), options);
        let driver = Driver::new(core, Tasks::new(environment));
        Client(Rc::new(Inner { driver, card_url, newest: Cell::new(0) }))
    }

    /// What the client runs in.
    #[must_use]
    pub fn environment(&self) -> &E {
        &self.0.driver.hands().environment
    }

    /// Where the card form is.
    #[must_use]
    pub fn card_url(&self) -> &Address {
        &self.0.card_url
    }

    /// The address of the card form of a session, in this theme.
    ///
    /// # Errors
    /// None for a session that the service made.
    pub fn card_form_url(&self, session_id: &Uuid, theme: &Theme) -> Result<String, Error> {
        card_form_url(&self.0.card_url, session_id.as_str(), theme)
    }

    /// The directives of a content security policy that a page with these addresses needs: each with its
    /// sources.
    #[must_use]
    pub fn content_security_policy(&self) -> Json {
        Json::new(content_security_policy(&self.core().0.options.base_url, &self.0.card_url))
    }

    /// Today, as `YYYY-MM-DD` in UTC.
    #[must_use]
    pub fn today(&self) -> String {
        self.core().today()
    }

    pub(super) fn core(&self) -> &ClientCore {
        self.0.driver.core()
    }

    /// Carries a task out whose texts are the wire's JSON: what the typed calls are made of.
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
        PendingCall::new(self.environment().never(), work)
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
        let Inner { driver, newest, .. } = &*self.0;
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

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, pending, ready};
use remitkit::api::{Error, FieldForm, Method, Operation, Request};
use remitkit::client::{
    Answer, Client, ClientBuilder, Environment, Journal, Outcome, Reply, SendFailure, Task, Trace,
    TransferAttempt,
};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Whose the tokens are.
pub(crate) const SENDER: &str = "55555555-4f89-41d3-9a0c-0305e82c3301";
pub(crate) const ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

/// A scripted service: `answer` decides on each request, given its number from 0.
pub(crate) struct Script<F> {
    answer: F,
    pub(crate) sent: Rc<RefCell<Vec<Sent>>>,
    pub(crate) tokens: Rc<Cell<u32>>,
    pub(crate) token: Rc<dyn Fn(u32) -> Result<String, Error>>,
    pub(crate) token_delay_ms: u64,
    /// Whose a token is, as `GET /sender-id` answers it. Not among what was sent.
    pub(crate) owner: Rc<dyn Fn(&str) -> Result<Answer, SendFailure>>,
    pub(crate) store: Rc<Store>,
    /// What works on behind the calls: to be awaited by the test.
    pub(crate) spawned: Rc<RefCell<Vec<LocalBoxFuture<'static, ()>>>>,
    pub(crate) started: tokio::time::Instant,
    /// The trace ids that a watcher is told.
    pub(crate) traced: Rc<RefCell<Vec<Option<String>>>>,
    /// What is said of a pattern of the service's.
    pub(crate) matches: Option<bool>,
    pub(crate) random: f64,
}

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: Option<String>,
    pub(crate) bearer: String,
    pub(crate) at_ms: u64,
}

/// A signal that ends a call at a time; 0 never does.
pub(crate) type Signal = u64;

impl<F: Fn(usize, &Sent) -> Result<Answer, SendFailure> + 'static> Script<F> {
    pub(crate) fn new(answer: F) -> Self {
        Script {
            answer,
            sent: Rc::default(),
            tokens: Rc::default(),
            token: Rc::new(|n| {
                Ok(format!(r#"{{"access_token":"token-{n}","expires_in":3600,"token_type":"Bearer"}}"#))
            }),
            token_delay_ms: 5,
            owner: Rc::new(|_| self::answer(200, &format!(r#"{{"senderId":"{SENDER}"}}"#))),
            store: Rc::default(),
            spawned: Rc::default(),
            started: tokio::time::Instant::now(),
            traced: Rc::default(),
            matches: None,
            random: 1.0,
        }
    }

    pub(crate) fn client(self) -> Client<Self> {
        self.builder("https://api.example.com").locale("es-MX").build().unwrap()
    }

    pub(crate) fn builder(self, base_url: &str) -> ClientBuilder<Self> {
        Client::builder(self, base_url, "https://cards.example.com")
    }
}

impl<F: Fn(usize, &Sent) -> Result<Answer, SendFailure> + 'static> Environment for Script<F> {
    type Signal = Signal;

    async fn send(
        &self,
        url: &str,
        request: &Request,
        bearer: &str,
        timeout_ms: u32,
    ) -> Result<Answer, SendFailure> {
        assert!(request.method != Method::Get || request.body.is_none(), "fetch sends no GET with a body");
        let path = url.strip_prefix("https://api.example.com").unwrap().to_owned();
        let sent = Sent {
            method: request.method.as_str().to_owned(),
            path,
            body: request.body.clone(),
            bearer: bearer.to_owned(),
            at_ms: self.now_ms(),
        };
        if sent.path == "/v1/sender-id" {
            tokio::time::sleep(Duration::from_millis(10)).await;
            return (self.owner)(bearer);
        }
        let number = self.sent.borrow().len();
        self.sent.borrow_mut().push(sent.clone());
        let answer = (self.answer)(number, &sent);
        let wait = match answer {
            Err(SendFailure::Timeout) => u64::from(timeout_ms),
            _ => 10,
        };
        tokio::time::sleep(Duration::from_millis(wait)).await;
        answer
    }

    async fn token(&self) -> Result<String, Error> {
        let number = self.tokens.get();
        self.tokens.set(number + 1);
        tokio::time::sleep(Duration::from_millis(self.token_delay_ms)).await;
        (self.token)(number)
    }

    async fn sleep(&self, ms: u32) {
        tokio::time::sleep(Duration::from_millis(u64::from(ms))).await;
    }

    async fn aborted(&self, signal: &Signal) {
        match *signal {
            0 => std::future::pending().await,
            at => tokio::time::sleep_until(self.started + Duration::from_millis(at)).await,
        }
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        *signal != 0 && self.now_ms() >= *signal
    }

    fn never(&self) -> Signal {
        0
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap()
    }

    fn elapsed_ms(&self) -> u64 {
        self.now_ms()
    }

    fn random(&self) -> f64 {
        self.random
    }

    type Lock = OwnedMutexGuard<()>;

    async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        let lock = self.store.locks.borrow_mut().entry(name.to_owned()).or_default().clone();
        lock.lock_owned().await
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        self.spawned.borrow_mut().push(work);
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        iso.parse().ok()
    }

    fn matches(&self, _pattern: &str, _text: &str) -> Option<bool> {
        self.matches
    }

    fn trace(&self, entry: Trace<'_>) {
        self.traced.borrow_mut().push(entry.request_id.map(str::to_owned));
    }

    fn journal(&self) -> &dyn Journal {
        &*self.store
    }
}

/// A journal that can fail.
#[derive(Default)]
pub(crate) struct Store {
    pub(crate) entries: RefCell<BTreeMap<String, String>>,
    pub(crate) broken: Cell<bool>,
    /// How many of the next texts it fails to keep.
    pub(crate) refused_saves: Cell<u32>,
    /// Whether it never answers.
    pub(crate) hangs: Cell<bool>,
    /// How long it takes to keep a text.
    pub(crate) lag: Cell<Duration>,
    /// The locks of all tabs.
    pub(crate) locks: RefCell<BTreeMap<String, Arc<Mutex<()>>>>,
}

impl Store {
    fn answer<T: 'static>(&self, value: T) -> LocalBoxFuture<'_, Result<T, Error>> {
        if self.hangs.get() {
            return pending().boxed_local();
        }
        let broken = self.broken.get();
        ready(if broken { Err(Error::configuration("journal", "a store that works")) } else { Ok(value) })
            .boxed_local()
    }
}

impl Journal for Store {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        self.answer(self.entries.borrow().get(key).cloned())
    }
    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        async move {
            if !self.lag.get().is_zero() {
                tokio::time::sleep(self.lag.get()).await;
            }
            if let Some(left) = self.refused_saves.get().checked_sub(1) {
                self.refused_saves.set(left);
                return Err(Error::configuration("journal", "a store with room"));
            }
            if !self.broken.get() {
                self.entries.borrow_mut().insert(key.to_owned(), text.to_owned());
            }
            self.answer(()).await
        }
        .boxed_local()
    }
    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        self.entries.borrow_mut().remove(key);
        self.answer(())
    }
    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        self.answer(self.entries.borrow().keys().cloned().collect())
    }
}

pub(crate) fn answer(status: u16, text: &str) -> Result<Answer, SendFailure> {
    Ok(Answer {
        status,
        request_id: Some("r-1".into()),
        retry_after_s: None,
        text: text.to_owned(),
        bytes: Vec::new(),
        content_type: None,
    })
}

pub(crate) fn nonce() -> Result<Answer, SendFailure> {
    answer(200, &format!(r#"{{"nonce":"{ID}"}}"#))
}

/// Calls by texts, as a page may give them, and with a signal that may end them.
pub(crate) trait TextCalls<E: Environment> {
    async fn perform(&self, task: Task, signal: &E::Signal) -> Result<Outcome, Error>;
    async fn prepare(&self, request: &str, signal: &E::Signal) -> Result<TransferAttempt<E>, Error>;

    async fn receive(&self, task: Task, signal: &E::Signal) -> Result<Reply, Error> {
        match self.perform(task, signal).await? {
            Outcome::Reply(reply) => Ok(reply),
            _ => panic!("no reply"),
        }
    }

    async fn call(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<&str>,
        signal: &E::Signal,
    ) -> Result<Reply, Error> {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        self.receive(Task::Call(operation, ids, input.map(str::to_owned)), signal).await
    }

    async fn request_text(&self, raw: &str, signal: &E::Signal) -> Result<Reply, Error> {
        self.receive(Task::Request(raw.to_owned()), signal).await
    }

    async fn field_form(
        &self,
        operation: &'static Operation,
        query: &str,
        signal: &E::Signal,
    ) -> Result<(FieldForm, Reply), Error> {
        match self.perform(Task::Fields(operation, query.to_owned()), signal).await? {
            Outcome::Form(form, reply) => Ok((form, reply)),
            _ => panic!("no form"),
        }
    }
}

impl<E: Environment> TextCalls<E> for Client<E> {
    async fn perform(&self, task: Task, signal: &E::Signal) -> Result<Outcome, Error> {
        self.perform_task(task).with_signal(signal).await
    }

    async fn prepare(&self, request: &str, signal: &E::Signal) -> Result<TransferAttempt<E>, Error> {
        match self.perform(Task::Prepare(request.to_owned()), signal).await? {
            Outcome::Attempt(entry) => Ok(TransferAttempt::of_entry(self, entry)),
            _ => panic!("no attempt"),
        }
    }
}

/// What an attempt tells of itself, as JSON text.
pub(crate) fn summary<E: Environment>(attempt: &TransferAttempt<E>) -> String {
    serde_json::to_string(attempt).unwrap()
}

// A scripted service as the platform of a client, and calls with JSON texts.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use remitkit::api::{Error, Kind, Method, Operation, Request};
use remitkit::client::{
    Answer, Client, ClientBuilder, Journal, Outcome, Platform, Reply, SendFailure, SendResult, Task, Trace,
    TransferAttempt,
};
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::journal::Store;

/// The sender of all tokens, unless a test says otherwise.
pub(crate) const SENDER: &str = "55555555-4f89-41d3-9a0c-0305e82c3301";
pub(crate) const BASE_URL: &str = "https://api.example.com";
pub(crate) const CARD_URL: &str = "https://cards.example.com";
pub(crate) const ID: &str = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
pub(crate) const NO_FIELDS: &str = r#"{"fieldSets":[]}"#;

type Respond = Box<dyn Fn(usize, &Sent) -> SendResult>;

/// A scripted service: `answer` decides on each request, given its number from 0.
pub(crate) struct Script {
    answer: Respond,
    pub(crate) sent: RefCell<Vec<Sent>>,
    /// The number of token requests.
    pub(crate) token_requests: Cell<u32>,
    pub(crate) token: Box<dyn Fn(u32) -> Result<String, Error>>,
    pub(crate) token_delay_ms: u64,
    /// Answers `GET /sender-id` for a token; these requests are not in `sent`.
    pub(crate) owner: Box<dyn Fn(&str) -> SendResult>,
    pub(crate) store: Rc<Store>,
    /// What works on behind the calls, for the test to await.
    pub(crate) spawned: RefCell<Vec<LocalBoxFuture<'static, ()>>>,
    pub(crate) started: Instant,
    /// The request ids in the trace.
    pub(crate) traced: RefCell<Vec<Option<String>>>,
    /// Whether a text matches a pattern.
    pub(crate) matches: Option<bool>,
    pub(crate) random: f64,
    /// The service worker of the page, if it has one.
    pub(crate) worker: Option<Rc<Worker>>,
}

/// A service worker that answers reads from its cache when the network fails.
#[derive(Default)]
pub(crate) struct Worker {
    /// Whether its cache ignores queries.
    pub(crate) ignores_queries: bool,
    /// The answers by their addresses.
    pub(crate) cache: RefCell<BTreeMap<String, Answer>>,
}

impl Worker {
    fn answer(&self, path: &str, answer: SendResult) -> SendResult {
        let found = match &answer {
            Ok(answer) if answer.status == 200 => {
                self.cache.borrow_mut().insert(path.to_owned(), answer.clone());
                None
            }
            Ok(_) => None,
            Err(_) => {
                let route = |path: &str| path.split('?').next().unwrap().to_owned();
                let cache = self.cache.borrow();
                let mut entries = cache.iter();
                let is_this = |of: &str| of == path || self.ignores_queries && route(of) == route(path);
                let found = entries.find(|(of, _)| is_this(of));
                found.map(|(of, answer)| Answer { url: Some([BASE_URL, of].concat()), ..answer.clone() })
            }
        };
        found.map_or(answer, Ok)
    }
}

/// A request as it arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) body: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) bearer: String,
    pub(crate) at_ms: u64,
}

impl Sent {
    /// Returns the method, and the path without the query.
    pub(crate) fn route(&self) -> (&'static str, &str) {
        (self.method, self.path.split('?').next().unwrap())
    }
}

/// When a call is aborted, on the client's clock; 0 is never.
type Signal = u64;

impl Script {
    pub(crate) fn new(answer: impl Fn(usize, &Sent) -> SendResult + 'static) -> Self {
        Script {
            answer: Box::new(answer),
            sent: RefCell::default(),
            token_requests: Cell::default(),
            token: Box::new(|n| Ok(format!(r#"{{"access_token":"token-{n}","expires_in":3600}}"#))),
            token_delay_ms: 5,
            owner: Box::new(|_| owned_by(SENDER)),
            store: Rc::default(),
            spawned: RefCell::default(),
            started: Instant::now(),
            traced: RefCell::default(),
            matches: None,
            random: 1.0,
            worker: None,
        }
    }

    pub(crate) fn client(self) -> Client<Self> {
        self.builder().build().unwrap()
    }

    pub(crate) fn builder(self) -> ClientBuilder<Self> {
        Client::builder(self, BASE_URL, CARD_URL).locale("es-MX")
    }
}

impl Platform for Script {
    type Signal = Signal;
    type Lock = OwnedMutexGuard<()>;

    async fn fetch(&self, url: &str, request: &Request, bearer: &str, timeout_ms: u32) -> SendResult {
        assert!(request.method != Method::Get || request.body.is_none(), "fetch sends no GET with a body");
        let sent = Sent {
            method: request.method.as_str(),
            path: url.strip_prefix(BASE_URL).unwrap().to_owned(),
            body: request.body.clone(),
            language: request.language.clone(),
            bearer: bearer.to_owned(),
            at_ms: self.now_ms(),
        };
        let mut answer = if sent.route().1 == "/v1/sender-id" {
            (self.owner)(bearer)
        } else {
            let number = self.sent.borrow().len();
            self.sent.borrow_mut().push(sent.clone());
            (self.answer)(number, &sent)
        };
        if let Some(worker) = self.worker.as_ref().filter(|_| request.method == Method::Get) {
            answer = worker.answer(&sent.path, answer);
        }
        let is_late = matches!(answer, Err(SendFailure::Timeout));
        self.sleep(if is_late { timeout_ms } else { 10 }).await;
        answer
    }

    async fn token(&self) -> Result<String, Error> {
        let number = self.token_requests.replace(self.token_requests.get() + 1);
        tokio::time::sleep(Duration::from_millis(self.token_delay_ms)).await;
        (self.token)(number)
    }

    async fn sleep(&self, ms: u32) {
        tokio::time::sleep(Duration::from_millis(ms.into())).await;
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

    async fn lock(&self, name: &str) -> OwnedMutexGuard<()> {
        self.store.lock(name).await
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        self.spawned.borrow_mut().push(work);
    }

    fn journal(&self) -> &dyn Journal {
        &*self.store
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

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        iso.parse().ok()
    }

    fn matches(&self, _pattern: &str, _text: &str) -> Option<bool> {
        self.matches
    }

    fn may_be_cached(&self) -> bool {
        self.worker.is_some()
    }

    fn trace(&self, entry: Trace<'_>) {
        self.traced.borrow_mut().push(entry.request_id.map(str::to_owned));
    }
}

pub(crate) fn answer(status: u16, text: &str) -> SendResult {
    Ok(Answer {
        status,
        request_id: Some("r-1".into()),
        retry_after_s: None,
        text: text.to_owned(),
        bytes: Vec::new(),
        content_type: None,
        url: None,
    })
}

/// Returns a refusal as the service writes it.
pub(crate) fn refusal(status: u16, code: &str) -> SendResult {
    answer(status, &format!(r#"[{{"code":"{code}","message":"No"}}]"#))
}

pub(crate) fn nonce() -> SendResult {
    answer(200, &format!(r#"{{"nonce":"{ID}"}}"#))
}

/// Returns the answer to `GET /sender-id`.
pub(crate) fn owned_by(sender: &str) -> SendResult {
    answer(200, &format!(r#"{{"senderId":"{sender}"}}"#))
}

/// Calls with JSON texts, as a page may give them, and a look at what the platform recorded.
pub(crate) trait ScriptedClient {
    fn client(&self) -> &Client<Script>;

    fn now_ms(&self) -> u64 {
        self.client().platform().now_ms()
    }

    fn sent(&self) -> Vec<Sent> {
        self.client().platform().sent.borrow().clone()
    }

    /// Returns how many requests of a method were sent.
    fn count(&self, method: &str) -> usize {
        self.sent().iter().filter(|sent| sent.method == method).count()
    }

    /// Returns the spawned work, so that it ends or goes on as the test wants.
    fn take_spawned(&self) -> Vec<LocalBoxFuture<'static, ()>> {
        self.client().platform().spawned.take()
    }

    async fn receive(&self, task: Task) -> Result<Reply, Error> {
        match self.client().perform_task(task).await? {
            Outcome::Reply(reply) => Ok(reply),
            _ => panic!("no reply"),
        }
    }

    async fn call(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<&str>,
    ) -> Result<Reply, Error> {
        let ids = ids.iter().map(|id| (*id).to_owned()).collect();
        self.receive(Task::Call(operation, ids, input.map(str::to_owned))).await
    }

    async fn request_text(&self, raw: &str) -> Result<Reply, Error> {
        self.receive(Task::Request(raw.to_owned())).await
    }

    async fn fetch_fields(&self, operation: &'static Operation, query: &str) {
        self.client().perform_task(Task::Fields(operation, query.to_owned())).await.map(drop).unwrap();
    }

    async fn prepare(&self, request: &str) -> Result<TransferAttempt<Script>, Error> {
        match self.client().perform_task(Task::Prepare(request.to_owned())).await? {
            Outcome::Attempt(entry) => Ok(TransferAttempt::of_entry(self.client(), entry)),
            _ => panic!("no attempt"),
        }
    }
}

impl ScriptedClient for Client<Script> {
    fn client(&self) -> &Client<Script> {
        self
    }
}

#[track_caller]
pub(crate) fn error<T>(result: Result<T, Error>) -> Error {
    result.err().expect("an error")
}

#[track_caller]
pub(crate) fn kind<T>(result: Result<T, Error>) -> Kind {
    error(result).kind()
}

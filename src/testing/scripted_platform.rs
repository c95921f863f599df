use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::{LocalBoxFuture, pending};
use tokio::time::Instant;

use super::replies::{Replies, reply};
use super::scripted_journal::ScriptedJournal;
use crate::api::opaque::opaque_debug;
use crate::api::{Error, Method, Request};
use crate::client::{
    Client, ClientBuilder, Journal, Lock, Platform, SendFailure, SendResult, TimeLimits, Trace,
};

/// The sender of all tokens, unless a test says otherwise.
pub const SENDER_ID: &str = "55555555-4f89-41d3-9a0c-0305e82c3301";
/// The address of the scripted service.
pub const BASE_URL: &str = "https://api.example.com";
/// The address of the card form.
pub const CARD_URL: &str = "https://cards.example.com";
/// How long a request takes.
const LATENCY_MS: u32 = 10;

type Respond = Box<dyn Fn(usize, &SentRequest) -> SendResult>;
type ServiceWorker = Box<dyn Fn(&SentRequest, SendResult) -> SendResult>;

/// A platform whose service is a script. A failure is one that the script returns:
/// `Err(SendFailure::Timeout)` comes after the timeout of the attempt, the others after 10 milliseconds.
pub struct ScriptedPlatform {
    answer: Respond,
    /// The requests so far, without `GET /sender-id`.
    pub sent: RefCell<Vec<SentRequest>>,
    /// The number of token requests so far.
    pub token_requests: Cell<u32>,
    /// Returns the reply of the token source, given the number of the request, from 0.
    pub token: Box<dyn Fn(u32) -> Result<String, Error>>,
    /// How long the token source takes.
    pub token_delay_ms: u64,
    /// Answers `GET /sender-id`, given the token.
    pub owner: Box<dyn Fn(&str) -> SendResult>,
    /// The journal; pages share it by `Rc::clone`.
    pub journal: Rc<ScriptedJournal>,
    /// What the client left running in the background; the test awaits it or drops it.
    pub spawned: RefCell<Vec<LocalBoxFuture<'static, ()>>>,
    /// The moment 0 of its clock. A time in a reply is a number of milliseconds since, as text.
    pub started: Instant,
    /// The request ids in the trace.
    pub traced: RefCell<Vec<Option<String>>>,
    /// Whether a text matches the service's pattern.
    pub matches: Option<bool>,
    /// Every random number.
    pub random: f64,
    /// The page's service worker, if it has one: it takes a read and its answer, and returns another.
    pub service_worker: Option<ServiceWorker>,
}

/// A request as it arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SentRequest {
    /// The HTTP method.
    pub method: &'static str,
    /// The path and the query.
    pub path: String,
    /// The JSON body.
    pub body: Option<String>,
    /// The `Accept-Language`.
    pub language: Option<String>,
    /// The token.
    pub bearer: String,
    /// When it was sent, by the platform's clock.
    pub at_ms: u64,
}

impl SentRequest {
    /// Returns the method, and the path without the query.
    #[must_use]
    pub fn route(&self) -> (&'static str, &str) {
        (self.method, self.path.split('?').next().unwrap_or_default())
    }
}

opaque_debug!([] ScriptedPlatform);

impl ScriptedPlatform {
    /// Creates a platform whose service answers each request by this function, which is given the number of
    /// the request, from 0, and the request.
    pub fn new(answer: impl Fn(usize, &SentRequest) -> SendResult + 'static) -> Self {
        ScriptedPlatform {
            answer: Box::new(answer),
            sent: RefCell::default(),
            token_requests: Cell::default(),
            token: Box::new(|n| Ok(format!(r#"{{"access_token":"token-{n}","expires_in":3600}}"#))),
            token_delay_ms: 5,
            owner: Box::new(|_| reply(200, &format!(r#"{{"senderId":"{SENDER_ID}"}}"#))),
            journal: Rc::default(),
            spawned: RefCell::default(),
            started: Instant::now(),
            traced: RefCell::default(),
            matches: None,
            random: 1.0,
            service_worker: None,
        }
    }

    /// Creates a platform whose service has these replies, each under the name of the client's method, such as
    /// `create_recipient`; `transfer` is the POST of a transfer. Several replies under a name are used in
    /// order, and the last one is repeated. Unless scripted, no fields are required, and a nonce is given.
    ///
    /// # Panics
    /// If there is no method of a name; when a request has no reply.
    pub fn replying<'a>(replies: impl IntoIterator<Item = (&'a str, SendResult)>) -> Self {
        let replies = Replies::new(replies);
        Self::new(move |_, sent| replies.next(sent))
    }

    /// Returns a client on this platform.
    pub fn client(self) -> Client<Self> {
        self.builder().build().expect("the addresses are valid")
    }

    /// Begins to build a client on this platform.
    pub fn builder(self) -> ClientBuilder<Self> {
        Client::builder(self).base_url(BASE_URL).card_url(CARD_URL)
    }
}

#[async_trait(?Send)]
impl Platform for ScriptedPlatform {
    /// When a call is aborted, by the platform's clock; 0 is never.
    type Signal = u64;

    async fn fetch(&self, url: &str, request: &Request, bearer: &str, limits: TimeLimits) -> SendResult {
        assert!(request.method != Method::Get || request.body.is_none(), "fetch sends no GET with a body");
        let sent = SentRequest {
            method: request.method.as_str(),
            path: url.strip_prefix(BASE_URL).unwrap_or(url).to_owned(),
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
        if let Some(worker) = self.service_worker.as_ref().filter(|_| request.method == Method::Get) {
            answer = worker(&sent, answer);
        }
        let is_late = matches!(answer, Err(SendFailure::Timeout));
        self.sleep(if is_late { limits.idle_ms } else { LATENCY_MS }).await;
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

    async fn aborted(&self, signal: &u64) {
        match *signal {
            0 => pending().await,
            at => tokio::time::sleep_until(self.started + Duration::from_millis(at)).await,
        }
    }

    fn is_aborted(&self, signal: &u64) -> bool {
        *signal != 0 && self.now_ms() >= *signal
    }

    async fn lock(&self, name: &str) -> Lock {
        Lock::new(self.journal.lock(name).await)
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        self.spawned.borrow_mut().push(work);
    }

    fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
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
        self.service_worker.is_some()
    }

    fn trace(&self, entry: Trace<'_>) {
        self.traced.borrow_mut().push(entry.request_id.map(str::to_owned));
    }
}

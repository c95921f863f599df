//! The world of one history: pages and their journals, the network between them and the services, and a
//! record of what each call returned and of what reached a service.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::time::Duration;

use remitkit::api::json::JsonRef;
use remitkit::client::{Answer, SendFailure, SendResult};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::history::{History, NetFault, Target, Worker};
use super::locks::Locks;
use super::page::PageState;
use super::page_load::{PageLoad, PageTask};
use super::rng::Rng;
use super::services::{Services, answer};

/// When a history begins, in milliseconds since 1970; the services' clock starts there too.
pub(crate) const START_MS: u64 = 1_767_614_400_000;

pub(crate) struct World {
    pub(crate) services: Rc<Services>,
    pub(crate) history: Rc<History>,
    started: Instant,
    rng: RefCell<Rng>,
    pub(crate) pages: Vec<Rc<PageState>>,
    pub(crate) loads: RefCell<Vec<Rc<PageLoad>>>,
    pub(crate) journals: Vec<Rc<Storage>>,
    pub(crate) locks: Vec<Rc<Locks>>,
    pub(crate) has_stopped_failing: Cell<bool>,
    /// The number of requests in flight.
    pub(crate) in_flight: Cell<usize>,
    pub(crate) attempts: RefCell<Vec<Attempt>>,
    pub(crate) calls: RefCell<Vec<Call>>,
    pub(crate) commits: RefCell<Vec<Commit>>,
    pub(crate) findings: RefCell<Vec<Finding>>,
    /// A line for each event, if the history is traced.
    pub(crate) trace: RefCell<Option<Vec<String>>>,
    /// The number in the next record that a page creates.
    pub(crate) next_marker: Cell<u32>,
    pub(crate) quotes: RefCell<Vec<Quote>>,
    /// The writes that were begun, each of which a customer begins once.
    pub(crate) begun: RefCell<HashSet<String>>,
    /// The calls whose repeated deletion of a recipient was answered "not found" without reaching a service.
    pub(crate) false_not_found: RefCell<HashSet<usize>>,
    failed_quotes: RefCell<HashSet<String>>,
    /// The answers in the service worker's cache, with their addresses, the oldest first.
    cache: RefCell<Vec<(String, Answer)>>,
    /// The last answer with a nonce of each page load.
    nonces: RefCell<HashMap<usize, Answer>>,
    /// Replies that never come.
    unanswered: RefCell<Vec<ReplySender>>,
    /// From when on a service refuses a token.
    pub(crate) ended_tokens: RefCell<HashMap<String, u64>>,
    /// Since when an entry of a journal has a later format.
    pub(crate) newer_entries: RefCell<HashMap<(u8, String), u64>>,
}

/// The content of a journal.
pub(crate) type Storage = RefCell<BTreeMap<String, String>>;

#[derive(Default)]
pub(crate) struct Attempt {
    /// See `key_of`.
    pub(crate) key: String,
    pub(crate) quote: String,
    pub(crate) intent: usize,
    pub(crate) customer: u8,
    pub(crate) journal: u8,
    /// When its quote ends, if the page that prepared it knew.
    pub(crate) expires_ms: Option<u64>,
    /// When a POST of it left a page, or a journal showed it as sent, for the first time.
    pub(crate) sent_ms: Option<u64>,
    /// The page load that erased or overwrote its entry.
    pub(crate) taken_by: Option<usize>,
    /// Whether a page with a later version has written its entry.
    pub(crate) was_newer: bool,
}

/// A quote that a page received.
#[derive(Clone)]
pub(crate) struct Quote {
    pub(crate) id: String,
    pub(crate) intent: usize,
    pub(crate) load: usize,
    pub(crate) expires_ms: Option<u64>,
}

/// The result of a call, as its page received it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallResult {
    /// With the id of what was made, if any.
    Success(String),
    /// With the error code.
    Failure(String),
    /// `outcome_unknown`.
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallKind {
    Pending,
    Read,
    Prepare(usize),
    Submit(usize),
    Discard(usize),
    /// With a marker that its request contains: a name, a number, a path.
    Write(Target, String),
}

/// A call of a page.
pub(crate) struct Call {
    pub(crate) page: usize,
    pub(crate) load: usize,
    pub(crate) kind: CallKind,
    pub(crate) started_ms: u64,
    /// When its signal is aborted, even if that is after its end.
    pub(crate) abort_ms: Option<u64>,
    pub(crate) ended_ms: Option<u64>,
    pub(crate) result: Option<CallResult>,
    /// Whether a request of it has left the page.
    pub(crate) has_sent: bool,
    /// Whether it failed, and left its attempt prepared, as its page then shows.
    pub(crate) left_prepared: bool,
}

impl Call {
    /// Returns when its signal was aborted, if it had not ended before.
    pub(crate) fn aborted_ms(&self) -> Option<u64> {
        self.abort_ms.filter(|abort_ms| self.ended_ms.is_none_or(|ended_ms| *abort_ms <= ended_ms))
    }

    /// Whether it works on this attempt.
    pub(crate) fn is_on(&self, attempt: usize) -> bool {
        matches!(self.kind, CallKind::Submit(of) | CallKind::Discard(of) if of == attempt)
    }
}

/// A request as it left a page.
#[derive(Clone, Default)]
pub(crate) struct SentRequest {
    pub(crate) service: usize,
    pub(crate) target: Target,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) bearer: String,
    pub(crate) body: Option<String>,
    /// The call that it belongs to.
    pub(crate) call: Option<usize>,
    /// Whether that call has sent another before.
    pub(crate) is_repeat: bool,
    pub(crate) sent_ms: u64,
}

/// A write that a service has committed.
#[derive(Default)]
pub(crate) struct Commit {
    pub(crate) request: SentRequest,
    pub(crate) at_ms: u64,
    /// The key of the attempt, if it is a transfer.
    pub(crate) key: Option<String>,
    pub(crate) id: String,
    /// Whether the request was a copy that the network made.
    pub(crate) is_copy: bool,
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    pub(crate) detail: String,
}

/// Takes the reply to a request; `None` is a network error.
pub(crate) type ReplySender = oneshot::Sender<Option<Answer>>;

impl World {
    pub(crate) fn new(services: &Rc<Services>, history: &History) -> Rc<World> {
        services.rewind(history);
        let numbered = (0..).zip(&history.pages);
        Rc::new(World {
            services: Rc::clone(services),
            history: Rc::new(history.clone()),
            started: Instant::now(),
            rng: RefCell::new(Rng::new(history.seed ^ 0x5151)),
            pages: numbered.map(|(at, page)| Rc::new(PageState::new(at, *page))).collect(),
            loads: RefCell::default(),
            // As many as there can be.
            journals: history.pages.iter().map(|_| Rc::default()).collect(),
            locks: history.pages.iter().map(|_| Rc::default()).collect(),
            has_stopped_failing: Cell::new(false),
            in_flight: Cell::new(0),
            attempts: RefCell::default(),
            calls: RefCell::default(),
            commits: RefCell::default(),
            findings: RefCell::default(),
            trace: RefCell::default(),
            next_marker: Cell::new(100),
            quotes: RefCell::default(),
            begun: RefCell::default(),
            false_not_found: RefCell::default(),
            failed_quotes: RefCell::default(),
            cache: RefCell::default(),
            nonces: RefCell::default(),
            unanswered: RefCell::default(),
            ended_tokens: RefCell::default(),
            newer_entries: RefCell::default(),
        })
    }

    /// Returns the milliseconds since the history began.
    pub(crate) fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    pub(crate) fn report(&self, rule: &'static str, detail: impl Into<String>) {
        let detail = detail.into();
        self.trace(|| format!("FOUND: {rule}: {detail}"));
        self.findings.borrow_mut().push(Finding { rule, detail });
    }

    pub(crate) fn trace(&self, text: impl FnOnce() -> String) {
        if let Some(trace) = &mut *self.trace.borrow_mut() {
            trace.push(format!("{:>10} {}", self.now_ms(), text()));
        }
    }

    pub(crate) fn random_below(&self, end: u64) -> u64 {
        self.rng.borrow_mut().below(end)
    }

    pub(crate) fn open_load(&self, page: &Rc<PageState>, customer: u8) -> Rc<PageLoad> {
        let mut loads = self.loads.borrow_mut();
        let load = PageLoad::new(loads.len(), page, customer);
        loads.push(Rc::clone(&load));
        load
    }

    pub(crate) fn end_load(&self, load: &PageLoad) {
        load.end();
        self.locks.iter().for_each(|locks| locks.release_all(load.number));
    }

    /// Whether the call has not ended, and its page still waits for it.
    pub(crate) fn is_running(&self, call: &Call) -> bool {
        call.ended_ms.is_none() && self.loads.borrow()[call.load].is_alive()
    }

    pub(crate) fn spawn(load: &Rc<PageLoad>, work: impl Future<Output = ()> + 'static) {
        tokio::task::spawn_local(PageTask { load: Rc::clone(load), work: Box::pin(work) });
    }

    pub(crate) fn attempt_by_key(&self, key: &str) -> Option<usize> {
        self.attempts.borrow().iter().position(|attempt| attempt.key == key)
    }

    /// Sends a request on its way.
    pub(crate) fn send(
        self: &Rc<Self>,
        request: SentRequest,
        fault: Option<NetFault>,
        reply: ReplySender,
        load: usize,
    ) {
        let world = Rc::clone(self);
        self.in_flight.set(self.in_flight.get() + 1);
        let (there_ms, back_ms) = (2 + self.random_below(40), 2 + self.random_below(40));
        tokio::task::spawn_local(async move {
            sleep(there_ms).await;
            let replayed = world.replayed(load).filter(|_| fault == Some(NetFault::Replay));
            match replayed {
                Some(answer) => _ = reply.send(Some(answer)),
                None => world.carry(request, fault, reply, back_ms, load).await,
            }
            world.in_flight.set(world.in_flight.get() - 1);
        });
    }

    async fn carry(
        &self,
        request: SentRequest,
        fault: Option<NetFault>,
        reply: ReplySender,
        mut back_ms: u64,
        load: usize,
    ) {
        match fault {
            Some(NetFault::LoseRequest) => return drop(reply.send(None)),
            Some(NetFault::Late { ms, fails }) => {
                if fails {
                    let _ = reply.send(None);
                } else {
                    self.unanswered.borrow_mut().push(reply);
                }
                sleep(ms.into()).await;
                self.deliver(&request, false).await;
                return;
            }
            Some(NetFault::During { ms }) if request.target == Target::Transfer => {
                self.services.0[request.service].wait_during_next(ms).await;
            }
            Some(NetFault::Slow { ms } | NetFault::During { ms }) => sleep(ms.into()).await,
            _ => {}
        }
        let answer = match fault {
            Some(NetFault::Answer { status, code, commit, retry_after_s }) => {
                if commit {
                    self.deliver(&request, false).await;
                } else if request.is_repeat && request.target == Target::Delete && code == "RecipientNotFound"
                {
                    self.false_not_found.borrow_mut().extend(request.call);
                }
                Some(Answer { retry_after_s, ..refusal(status, code) })
            }
            Some(NetFault::ProviderFails) => {
                let quote = request.body.as_deref().and_then(|body| text_of(body, "quoteHistoryId"));
                self.failed_quotes.borrow_mut().extend(quote);
                Some(refusal(400, "RspTransferException"))
            }
            Some(NetFault::Twice { gap_ms, second }) => {
                self.deliver(&request, false).await;
                sleep(gap_ms.into()).await;
                Some(match second {
                    Some((status, code)) => refusal(status, code),
                    None => self.deliver(&request, true).await,
                })
            }
            _ => {
                let mut answer = self.deliver(&request, false).await;
                match fault {
                    Some(NetFault::Garbled) => answer.text.truncate(answer.text.len() / 2),
                    Some(NetFault::SlowAnswer { ms } | NetFault::Trickle { ms }) => back_ms = ms.into(),
                    _ => {}
                }
                Some(answer).filter(|_| fault != Some(NetFault::LoseAnswer))
            }
        };
        if let (Target::Nonce, Some(answer)) = (request.target, &answer) {
            self.nonces.borrow_mut().insert(load, answer.clone());
        }
        sleep(back_ms).await;
        let _ = reply.send(answer);
        if let Some(NetFault::Again { ms }) = fault {
            sleep(ms.into()).await;
            self.deliver(&request, true).await;
        }
    }

    /// Returns the last nonce of a page load.
    fn replayed(&self, load: usize) -> Option<Answer> {
        self.nonces.borrow().get(&load).cloned()
    }

    /// Answers a read in the place of a service worker.
    pub(crate) fn cached(&self, worker: Worker, url: &str, answer: SendResult) -> SendResult {
        let mut cache = self.cache.borrow_mut();
        let route = |url: &str| url.split('?').next().unwrap_or_default().to_owned();
        match &answer {
            _ if worker == Worker::None => {}
            Ok(fresh) if fresh.status == 200 => {
                cache.retain(|(cached, _)| cached != url);
                cache.push((url.to_owned(), fresh.clone()));
            }
            Err(SendFailure::Network) => {
                let is_found = |cached: &str| {
                    cached == url || worker == Worker::IgnoresQueries && route(cached) == route(url)
                };
                if let Some((cached, old)) = cache.iter().find(|(cached, _)| is_found(cached)) {
                    self.trace(|| format!("  the cache answers with that of {cached}"));
                    return Ok(Answer { url: Some(cached.clone()), ..old.clone() });
                }
            }
            _ => {}
        }
        answer
    }

    /// Hands a request to its service.
    async fn deliver(&self, request: &SentRequest, is_copy: bool) -> Answer {
        let SentRequest { method, path, bearer, body, target, .. } = request;
        if self.ended_tokens.borrow().get(bearer).is_some_and(|at| *at <= self.now_ms()) {
            return refusal(401, "Unauthorized");
        }
        self.trace(|| format!("  arrives {method} {}", path.get(..40).unwrap_or(path)));
        let mut reply = self.services.0[request.service].exchange(method, path, bearer, body.clone()).await;
        self.trace(|| format!("  answered {} {}", reply.status, reply.text.get(..70).unwrap_or(&reply.text)));
        if (200..300).contains(&reply.status) && *method != "GET" {
            let key = body.as_deref().filter(|_| *target == Target::Transfer).and_then(key_of);
            let ids = ["transferId", "recipientAccountId", "recipientId"];
            let id = ids.iter().find_map(|id| text_of(&reply.text, id)).unwrap_or_default();
            let (request, at_ms) = (request.clone(), self.now_ms());
            self.commits.borrow_mut().push(Commit { request, at_ms, key, id, is_copy });
        }
        if *target == Target::Progress && reply.text.contains("NotInProgress") {
            let route = path.split('?').next().unwrap_or_default();
            let quote = route.rsplit('/').next().unwrap_or_default();
            if self.failed_quotes.borrow().contains(quote) {
                reply.text = reply.text.replace("NotInProgress", "Failed");
            }
        }
        reply
    }
}

/// Returns a refusal with a code of the service, or of a gateway where the code is empty.
fn refusal(status: u16, code: &str) -> Answer {
    let text = match code {
        "" => "<html><h1>gateway</h1></html>".to_owned(),
        code => format!(r#"[{{"code":"{code}","message":"no"}}]"#),
    };
    answer(status, None, text)
}

pub(crate) fn text_of(json: &str, name: &str) -> Option<String> {
    JsonRef::new(json).member(name).and_then(JsonRef::label).map(std::borrow::Cow::into_owned)
}

/// Returns what names the attempt of a transfer, a request or an entry: its nonce alone does not, as a cache
/// may give the same one twice.
pub(crate) fn key_of(json: &str) -> Option<String> {
    Some(format!("{}/{}", text_of(json, "nonce")?, text_of(json, "quoteHistoryId")?))
}

pub(crate) async fn sleep(ms: u64) {
    if ms > 0 {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

//! The world of one history: pages and their journals, the network between them and the services, and a
//! record of what every page was told and of what reached a service.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use std::time::Duration;

use remitkit::api::json::JsonRef;
use tokio::time::Instant;

use super::chance::Chance;
use super::history::{Fault, History, Net, Target, What};
use super::life::{Life, Living};
use super::locks::Locks;
use super::page::PageState;
use super::safeguard::Weakness;
use super::stage::{Reply, Stage, service_of};

/// Milliseconds since 1970 at which a history begins: the services' clock has the same start.
pub(crate) const START_MS: u64 = 1_767_614_400_000;

pub(crate) struct World {
    pub(crate) stage: Rc<Stage>,
    pub(crate) history: Rc<History>,
    #[cfg_attr(not(feature = "weakened"), allow(dead_code, reason = "nothing can be missing"))]
    pub(crate) weakness: Option<Weakness>,
    pub(crate) started: Instant,
    pub(crate) chance: RefCell<Chance>,
    pub(crate) pages: Vec<Rc<PageState>>,
    pub(crate) lives: RefCell<Vec<Rc<Life>>>,
    pub(crate) journals: Vec<Rc<Shelf>>,
    pub(crate) locks: Vec<Rc<Locks>>,
    /// Nothing fails any more.
    pub(crate) is_dry: Cell<bool>,
    pub(crate) under_way: Cell<usize>,
    pub(crate) attempts: RefCell<Vec<Attempt>>,
    pub(crate) calls: RefCell<Vec<Call>>,
    pub(crate) effects: RefCell<Vec<Effect>>,
    pub(crate) findings: RefCell<Vec<Finding>>,
    /// What happened, where somebody wants to read it.
    pub(crate) course: RefCell<Option<Vec<String>>>,
    pub(crate) markers: Cell<u32>,
    /// Quotes by id.
    pub(crate) quotes: RefCell<HashMap<String, Quoted>>,
    pub(crate) newest_quotes: RefCell<HashMap<usize, String>>,
    pub(crate) begun: RefCell<HashSet<String>>,
    /// Calls whose repeated deletion of a recipient was answered that there is none, without a look.
    pub(crate) belied: RefCell<HashSet<usize>>,
    failed_quotes: RefCell<HashSet<String>>,
    /// Answers that never come.
    unanswered: RefCell<Vec<Answering>>,
    ended_tokens: RefCell<HashMap<String, u64>>,
}

/// A journal's content.
#[derive(Default)]
pub(crate) struct Shelf(pub(crate) RefCell<BTreeMap<String, String>>);

/// An attempt as a page was given it.
pub(crate) struct Attempt {
    pub(crate) nonce: String,
    pub(crate) quote: String,
    pub(crate) intent: usize,
    pub(crate) customer: u8,
    pub(crate) journal: u8,
    /// When its quote ends, where the page that prepared it knew.
    pub(crate) expires_ms: Option<u64>,
    /// When POSTs of it left a page.
    pub(crate) posted_ms: Vec<u64>,
    pub(crate) was_noted_sent: bool,
    /// Which life of a page erased or overwrote its entry.
    pub(crate) taken_by: Option<usize>,
}

/// A quote that a page was given.
#[derive(Clone, Copy)]
pub(crate) struct Quoted {
    /// The intent that it was asked for.
    pub(crate) intent: usize,
    pub(crate) life: usize,
    pub(crate) expires_ms: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Told {
    /// With the id of what was made, where there is one.
    Success(String),
    /// The transfer, or what was to be made, is told not to be.
    Failure(String),
    Unknown,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallKind {
    Pending,
    Read,
    Prepare(usize),
    Submit(usize),
    Discard(usize),
    /// What its request carries: a name, a number, a path.
    Write(Target, String),
}

/// A call of a page.
pub(crate) struct Call {
    pub(crate) page: usize,
    pub(crate) life: usize,
    pub(crate) kind: CallKind,
    pub(crate) started_ms: u64,
    pub(crate) aborted_ms: Option<u64>,
    pub(crate) ended_ms: Option<u64>,
    pub(crate) told: Option<Told>,
    /// Whether a request of it has left the page.
    pub(crate) has_sent: bool,
}

/// A request as it left a page.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) service: usize,
    pub(crate) target: Target,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) bearer: String,
    pub(crate) body: Option<String>,
    /// The call that it is of.
    pub(crate) call: Option<usize>,
    /// Whether that call has sent one before.
    pub(crate) is_repeat: bool,
    pub(crate) sent_ms: u64,
}

/// Something that a service has committed.
pub(crate) struct Effect {
    pub(crate) sent: Sent,
    pub(crate) at_ms: u64,
    pub(crate) nonce: Option<String>,
    pub(crate) id: String,
    /// Whether it is a copy that the network made.
    pub(crate) is_copy: bool,
}

/// What should not be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) rule: &'static str,
    pub(crate) detail: String,
}

impl World {
    pub(crate) fn new(stage: &Rc<Stage>, history: &Rc<History>, weakness: Option<Weakness>) -> Rc<World> {
        stage.rewind(history);
        let journals = history.pages.iter().map(|page| page.journal + 1).max().unwrap_or(1);
        let locks = history.pages.iter().map(|page| page.locks + 1).max().unwrap_or(1);
        Rc::new(World {
            stage: Rc::clone(stage),
            history: Rc::clone(history),
            weakness,
            started: Instant::now(),
            chance: RefCell::new(Chance::new(history.seed ^ 0x5151)),
            pages: history
                .pages
                .iter()
                .enumerate()
                .map(|(at, page)| Rc::new(PageState::new(at, *page)))
                .collect(),
            lives: RefCell::default(),
            journals: (0..journals).map(|_| Rc::default()).collect(),
            locks: (0..locks).map(|_| Rc::default()).collect(),
            is_dry: Cell::new(false),
            under_way: Cell::new(0),
            attempts: RefCell::default(),
            calls: RefCell::default(),
            effects: RefCell::default(),
            findings: RefCell::default(),
            course: RefCell::default(),
            markers: Cell::new(100),
            quotes: RefCell::default(),
            newest_quotes: RefCell::default(),
            begun: RefCell::default(),
            belied: RefCell::default(),
            failed_quotes: RefCell::default(),
            unanswered: RefCell::default(),
            ended_tokens: RefCell::default(),
        })
    }

    /// Milliseconds since the history began.
    pub(crate) fn now_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    pub(crate) fn found(&self, rule: &'static str, detail: impl Into<String>) {
        let detail = detail.into();
        self.trace(|| format!("FOUND: {rule}: {detail}"));
        self.findings.borrow_mut().push(Finding { rule, detail });
    }

    pub(crate) fn trace(&self, text: impl FnOnce() -> String) {
        if let Some(course) = &mut *self.course.borrow_mut() {
            course.push(format!("{:>10} {}", self.now_ms(), text()));
        }
    }

    pub(crate) fn below(&self, end: u64) -> u64 {
        self.chance.borrow_mut().below(end)
    }

    /// The fault that this occasion of a page meets.
    pub(crate) fn fault(&self, page: usize, nth: u32, is_meant: impl Fn(&What) -> bool) -> Option<What> {
        if self.is_dry.get() {
            return None;
        }
        let is_due = |fault: &&Fault| {
            usize::from(fault.page) == page && u32::from(fault.nth) == nth && is_meant(&fault.what)
        };
        self.history.faults.iter().find(is_due).map(|fault| fault.what)
    }

    pub(crate) fn open_life(&self) -> Rc<Life> {
        let mut lives = self.lives.borrow_mut();
        let life = Life::new(lives.len());
        lives.push(Rc::clone(&life));
        life
    }

    pub(crate) fn end_life(&self, life: &Life) {
        life.end();
        self.locks.iter().for_each(|locks| locks.release_all(life.number));
    }

    pub(crate) fn spawn(life: &Rc<Life>, work: impl Future<Output = ()> + 'static) {
        tokio::task::spawn_local(Living { life: Rc::clone(life), work: Box::pin(work) });
    }

    pub(crate) fn attempt_by_nonce(&self, nonce: &str) -> Option<usize> {
        self.attempts.borrow().iter().position(|attempt| attempt.nonce == nonce)
    }

    pub(crate) fn end_token(&self, bearer: &str, at_ms: u64) {
        self.ended_tokens.borrow_mut().insert(bearer.to_owned(), at_ms);
    }

    /// Sends a request on its way. What comes of it for the page is told through `answer`.
    pub(crate) fn send(self: &Rc<Self>, sent: Sent, fault: Option<Net>, answer: Answering) {
        let world = Rc::clone(self);
        self.under_way.set(self.under_way.get() + 1);
        let (there, back) = (2 + self.below(40), 2 + self.below(40));
        tokio::task::spawn_local(async move {
            world.travel(sent, fault, answer, there, back).await;
            world.under_way.set(world.under_way.get() - 1);
        });
    }

    async fn travel(
        self: &Rc<Self>,
        sent: Sent,
        fault: Option<Net>,
        answer: Answering,
        there: u64,
        back: u64,
    ) {
        sleep(there).await;
        match fault {
            None => {
                let reply = self.deliver(&sent, false).await;
                sleep(back).await;
                answer.tell(Some(Heard::of(reply)));
            }
            Some(Net::LoseRequest) => answer.tell(None),
            Some(Net::LoseAnswer) => {
                self.deliver(&sent, false).await;
                sleep(back).await;
                answer.tell(None);
            }
            Some(Net::Late { ms, told }) => {
                if told {
                    answer.tell(None);
                } else {
                    self.unanswered.borrow_mut().push(answer);
                }
                sleep(ms.into()).await;
                self.deliver(&sent, false).await;
            }
            Some(Net::Slow { ms }) => {
                sleep(ms.into()).await;
                let reply = self.deliver(&sent, false).await;
                sleep(back).await;
                answer.tell(Some(Heard::of(reply)));
            }
            Some(Net::SlowAnswer { ms }) => {
                let reply = self.deliver(&sent, false).await;
                sleep(ms.into()).await;
                answer.tell(Some(Heard::of(reply)));
            }
            Some(Net::During { ms }) => {
                if sent.target == Target::Transfer {
                    self.stage.services[sent.service].wait_during_next(ms).await;
                } else {
                    sleep(ms.into()).await;
                }
                let reply = self.deliver(&sent, false).await;
                sleep(back).await;
                answer.tell(Some(Heard::of(reply)));
            }
            Some(Net::Twice { gap_ms, second }) => {
                self.deliver(&sent, false).await;
                sleep(gap_ms.into()).await;
                let heard = match second {
                    Some((status, code)) => Heard::instead(status, code, None),
                    None => Heard::of(self.deliver(&sent, true).await),
                };
                sleep(back).await;
                answer.tell(Some(heard));
            }
            Some(Net::Again { ms }) => {
                let reply = self.deliver(&sent, false).await;
                sleep(back).await;
                answer.tell(Some(Heard::of(reply)));
                sleep(ms.into()).await;
                self.deliver(&sent, true).await;
            }
            Some(Net::Answer { status, code, commit, retry_after_s }) => {
                if commit {
                    self.deliver(&sent, false).await;
                } else if sent.is_repeat && sent.target == Target::Delete && code == "RecipientNotFound" {
                    self.belied.borrow_mut().extend(sent.call);
                }
                sleep(back).await;
                answer.tell(Some(Heard::instead(status, code, retry_after_s)));
            }
            Some(Net::Garbled) => {
                let mut reply = self.deliver(&sent, false).await;
                reply.text.truncate(reply.text.len() / 2);
                sleep(back).await;
                answer.tell(Some(Heard::of(reply)));
            }
            Some(Net::ProviderFails) => {
                let quote = sent.body.as_deref().and_then(|body| text_of(body, "quoteHistoryId"));
                self.failed_quotes.borrow_mut().extend(quote);
                sleep(back).await;
                answer.tell(Some(Heard::instead(400, "RspTransferException", None)));
            }
        }
    }

    /// A request reaches its service.
    async fn deliver(self: &Rc<Self>, sent: &Sent, is_copy: bool) -> Reply {
        let service = &self.stage.services[sent.service];
        let has_ended = self.ended_tokens.borrow().get(&sent.bearer).is_some_and(|at| *at <= self.now_ms());
        if has_ended {
            let Heard { status, text, .. } = Heard::instead(401, "Unauthorized", None);
            return Reply { status, request_id: None, text };
        }
        self.trace(|| format!("  arrives {} {}", sent.method, sent.path.get(..40).unwrap_or(&sent.path)));
        let mut reply = service.exchange(sent.method, &sent.path, &sent.bearer, sent.body.clone()).await;
        self.trace(|| format!("  answered {} {}", reply.status, reply.text.get(..70).unwrap_or(&reply.text)));
        if (200..300).contains(&reply.status) && sent.method != "GET" {
            let nonce = sent.body.as_deref().and_then(|body| text_of(body, "nonce"));
            let id = ["transferId", "recipientAccountId", "recipientId"];
            let id = id.iter().find_map(|id| text_of(&reply.text, id)).unwrap_or_default();
            let (sent, at_ms) = (sent.clone(), self.now_ms());
            let nonce = nonce.filter(|_| sent.target == Target::Transfer);
            self.effects.borrow_mut().push(Effect { sent, at_ms, nonce, id, is_copy });
        }
        if sent.target == Target::Progress && reply.text.contains("NotInProgress") {
            let quote = sent.path.rsplit('/').next().unwrap_or_default();
            if self.failed_quotes.borrow().contains(quote) {
                reply.text = reply.text.replace("NotInProgress", "Failed");
            }
        }
        reply
    }

    /// The service of a customer, and its token source.
    pub(crate) async fn token(&self, customer: u8) -> String {
        let sender = &self.stage.customer(customer).sender_id;
        self.stage.services[service_of(customer)].token_json(sender).await
    }
}

/// Where the answer goes.
pub(crate) struct Answering(pub(crate) tokio::sync::oneshot::Sender<Option<Heard>>);

impl Answering {
    fn tell(self, heard: Option<Heard>) {
        let _ = self.0.send(heard);
    }
}

/// What a page hears; a lost answer is nothing.
pub(crate) struct Heard {
    pub(crate) status: u16,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after_s: Option<u32>,
    pub(crate) text: String,
}

impl Heard {
    fn of(reply: Reply) -> Self {
        Heard { status: reply.status, request_id: reply.request_id, retry_after_s: None, text: reply.text }
    }

    fn instead(status: u16, code: &str, retry_after_s: Option<u32>) -> Self {
        let text = match code {
            "" => "<html><h1>gateway</h1></html>".to_owned(),
            code => format!(r#"[{{"code":"{code}","message":"no"}}]"#),
        };
        Heard { status, request_id: None, retry_after_s, text }
    }
}

pub(crate) fn text_of(json: &str, name: &str) -> Option<String> {
    JsonRef::new(json).member(name).and_then(JsonRef::label).map(std::borrow::Cow::into_owned)
}

pub(crate) async fn sleep(ms: u64) {
    if ms > 0 {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

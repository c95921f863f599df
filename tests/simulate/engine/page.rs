//! A page: the platform of its client, its journal, its clock.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, pending, select};
use remitkit::api::{Code, Error, Method, Request, SenderId};
use remitkit::client::{Client, Journal, Lock, Platform, SendFailure, SendResult, TimeLimits};
use tokio::sync::oneshot;

use super::customer::Tab;
use super::history::{
    Fault, FaultKind, JournalFault, JournalOp, NetFault, Operation, Page, Target, TokenFault, Version, Worker,
};
use super::page_load::{PageLoad, PageTask};
use super::services::{ORIGINS, service_of};
use super::world::{Attempt, CallKind, START_MS, SentRequest, Storage, World, key_of, sleep, text_of};

/// What outlives the reloads of a page.
#[derive(Default)]
pub(crate) struct PageState {
    pub(crate) index: usize,
    pub(crate) page: Page,
    pub(crate) off_by_ms: Cell<i64>,
    /// Whether its clock was ever wrong.
    pub(crate) was_off: Cell<bool>,
    tab: RefCell<Option<Tab>>,
    pub(crate) operations: RefCell<Vec<Operation>>,
}

impl PageState {
    pub(crate) fn new(index: usize, page: Page) -> Self {
        PageState { index, page, ..PageState::default() }
    }

    /// Opens the page for this customer.
    pub(crate) fn open(self: &Rc<Self>, world: &Rc<World>, customer: u8) {
        self.close();
        let load = world.open_load(self, customer);
        let storage = Rc::clone(&world.journals[usize::from(self.page.journal)]);
        let platform = Env { world: Rc::clone(world), load: Rc::clone(&load), storage };
        let mut builder = Client::builder(platform)
            .base_url(ORIGINS[service_of(customer)])
            .card_url("https://cards.example.com");
        if self.page.knows_sender {
            builder = builder.sender_id(SenderId::new(&world.services.customer(customer).sender_id).unwrap());
        }
        let client = builder.build().unwrap();
        self.tab.replace(Some(Tab { world: Rc::clone(world), load, client }));
    }

    pub(crate) fn close(&self) {
        if let Some(tab) = self.tab.take() {
            tab.world.end_load(&tab.load);
            tab.load.held.take();
        }
    }

    /// Returns the open page.
    pub(crate) fn tab(&self) -> Option<Tab> {
        self.tab.borrow().clone().filter(|tab| tab.load.is_alive())
    }
}

/// What the client of one page load runs in: its journal too.
pub(crate) struct Env {
    world: Rc<World>,
    load: Rc<PageLoad>,
    storage: Rc<Storage>,
}

const OWN_FORMAT: &str = r#""format":3,"#;
const LATER_FORMAT: &str = r#""format":4,"#;
const OWN_REQUEST: &str = r#","request":"#;
const LATER_REQUEST: &str = r#","requests":"#;

/// The moment of an abort, in milliseconds since the history began.
pub(crate) type Signal = Option<u64>;

#[async_trait(?Send)]
impl Platform for Env {
    type Signal = Signal;

    async fn fetch(&self, url: &str, request: &Request, bearer: &str, limits: TimeLimits) -> SendResult {
        self.at_await().await;
        let (sent, fault) = self.outgoing(url, request, bearer);
        self.trace(|| format!("sends {} {}", sent.method, sent.path.get(..50).unwrap_or(&sent.path)));
        let (reply, received) = oneshot::channel();
        self.world.send(sent, fault, reply, self.load.number);
        let received = async { received.await.ok().flatten().ok_or(SendFailure::Network) };
        let is_arriving = matches!(fault, Some(NetFault::Trickle { .. }));
        let timeout_ms = if is_arriving { limits.total_ms } else { limits.idle_ms };
        let timeout = sleep(u64::from(timeout_ms).max(1));
        let mut answer = match select(pin!(received), pin!(timeout)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(SendFailure::Timeout),
        };
        if request.method == Method::Get {
            answer = self.world.cached(self.load.page.page.worker, url, answer);
        }
        self.trace(|| format!("receives {:?}", answer.as_ref().map(|answer| answer.status)));
        self.at_await().await;
        answer
    }

    async fn token(&self) -> Result<String, Error> {
        self.at_await().await;
        let fault = self.next_fault(Operation::Token);
        let fault = if let Some(FaultKind::Token(fault)) = fault { Some(fault) } else { None };
        let work = async {
            sleep(5 + self.world.random_below(50)).await;
            match fault {
                Some(TokenFault::Rejects) => return Err(Error::new(Code::TokenUnavailable)),
                Some(TokenFault::Stalls) => pending().await,
                Some(TokenFault::Delays { ms }) => sleep(ms.into()).await,
                _ => {}
            }
            let token = self.world.services.token(self.load.customer).await;
            let bearer = text_of(&token, "access_token").unwrap_or_default();
            if let Some(TokenFault::EndsAfter { ms }) = fault {
                let at_ms = self.world.now_ms() + u64::from(ms);
                self.world.ended_tokens.borrow_mut().insert(bearer, at_ms);
            }
            Ok(token)
        };
        let done = work.await;
        self.at_await().await;
        done
    }

    async fn sleep(&self, ms: u32) {
        self.trace(|| format!("waits {ms}"));
        sleep(ms.into()).await;
        self.at_await().await;
    }

    async fn aborted(&self, signal: &Signal) {
        let Some(at_ms) = signal else { return pending().await };
        sleep(at_ms.saturating_sub(self.world.now_ms())).await;
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        signal.is_some_and(|at_ms| at_ms <= self.world.now_ms())
    }

    fn journal(&self) -> &dyn Journal {
        self
    }

    async fn lock(&self, name: &str) -> Lock {
        self.at_await().await;
        let locks = Rc::clone(&self.world.locks[usize::from(self.load.page.page.locks)]);
        Lock::new(locks.acquire(name.to_owned(), self.load.number).await)
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(PageTask { load: Rc::clone(&self.load), work });
    }

    fn now_ms(&self) -> u64 {
        (START_MS + self.world.now_ms()).saturating_add_signed(self.load.page.off_by_ms.get())
    }

    fn elapsed_ms(&self) -> u64 {
        self.world.now_ms() + 1_000_000
    }

    fn random(&self) -> f64 {
        self.world.random_below(1 << 20) as f64 / f64::from(1 << 20)
    }

    fn may_be_cached(&self) -> bool {
        self.load.page.page.worker != Worker::None
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        let time: jiff::Timestamp = iso.parse().ok()?;
        u64::try_from(time.as_millisecond()).ok()
    }
}

impl Env {
    fn trace(&self, text: impl FnOnce() -> String) {
        self.world.trace(|| format!("{} {}", self.load.name(), text()));
    }

    /// Returns the fault that hits the page's next operation of this kind.
    fn next_fault(&self, operation: Operation) -> Option<FaultKind> {
        let (index, mut before) = (self.load.page.index, self.load.page.operations.borrow_mut());
        let nth = before.iter().filter(|other| **other == operation).count();
        before.push(operation);
        let is_due = |fault: &&Fault| {
            let is_next = (usize::from(fault.page), usize::from(fault.nth)) == (index, nth);
            is_next && fault.kind.operation() == operation && !self.world.has_stopped_failing.get()
        };
        let fault = self.world.history.faults.iter().find(is_due).map(|fault| fault.kind);
        self.trace(|| {
            format!("{operation:?} {nth} {}", fault.map_or(String::new(), |kind| format!("{kind:?}")))
        });
        fault
    }

    /// Marks an await, at which the page may die.
    async fn at_await(&self) {
        let load = &self.load;
        let Some(left) = load.awaits_left.get() else { return };
        load.awaits_left.set(left.checked_sub(1));
        if left == 0 && load.is_alive() {
            if load.freezes.get() {
                load.end();
            } else {
                self.world.end_load(load);
            }
            pending::<()>().await;
        }
    }

    fn outgoing(&self, url: &str, request: &Request, bearer: &str) -> (SentRequest, Option<NetFault>) {
        let world = &self.world;
        let service = usize::from(!url.starts_with(ORIGINS[0]));
        let path = url.get(ORIGINS[service].len()..).unwrap_or_default().to_owned();
        let method = request.method.as_str();
        let target = target(method, &path);
        let fault = self.next_fault(Operation::Net(target));
        let fault = if let Some(FaultKind::Net(_, fault)) = fault { Some(fault) } else { None };
        let body = request.body.clone();
        let transfer = body.as_deref().filter(|_| target == Target::Transfer);
        let attempt = transfer.and_then(key_of).and_then(|key| world.attempt_by_key(&key));
        if let Some(attempt) = attempt {
            self.note_post(attempt);
        }
        let is_of = |kind: &CallKind| match (kind, attempt) {
            (CallKind::Submit(of), Some(attempt)) => *of == attempt,
            (CallKind::Write(of, marker), None) => {
                *of == target
                    && (path.contains(marker) || body.as_ref().is_some_and(|body| body.contains(marker)))
            }
            _ => false,
        };
        let mut calls = world.calls.borrow_mut();
        let call = calls.iter().rposition(|call| call.load == self.load.number && is_of(&call.kind));
        let is_repeat = call.is_some_and(|call| std::mem::replace(&mut calls[call].has_sent, true));
        let (bearer, sent_ms) = (bearer.to_owned(), world.now_ms());
        (SentRequest { service, target, method, path, bearer, body, call, is_repeat, sent_ms }, fault)
    }

    fn note_post(&self, number: usize) {
        let world = &self.world;
        let now_ms = world.now_ms();
        let mut attempts = world.attempts.borrow_mut();
        let attempt = &mut attempts[number];
        attempt.sent_ms.get_or_insert(now_ms);
        if attempt.customer != self.load.customer {
            let detail = format!("{} by {}", attempt.customer, self.load.customer);
            world.report("another's attempt is posted", detail);
        }
        let is_over = attempt.expires_ms.is_some_and(|expires_ms| expires_ms + 2_000 < now_ms);
        if is_over && !world.pages.iter().any(|page| page.was_off.get()) {
            world.report("posted after the quote's end", format!("{:?} {now_ms}", attempt.expires_ms));
        }
    }

    async fn journal_op<T>(&self, op: JournalOp, effect: impl Fn() -> T) -> Result<T, Error> {
        self.at_await().await;
        let fault = self.next_fault(Operation::Journal(op));
        let fault = if let Some(FaultKind::Journal(_, fault)) = fault { Some(fault) } else { None };
        let failed = || Error::new(Code::JournalUnavailable);
        let work = async {
            sleep(self.world.random_below(4)).await;
            match fault {
                Some(JournalFault::Fails) => return Err(failed()),
                Some(JournalFault::FailsAfter) => {
                    effect();
                    return Err(failed());
                }
                Some(JournalFault::Hangs) => pending().await,
                Some(JournalFault::Lags { ms, effect_first }) => {
                    let early = effect_first.then(&effect);
                    sleep(ms.into()).await;
                    return Ok(early.unwrap_or_else(&effect));
                }
                None => {}
            }
            Ok(effect())
        };
        let done = work.await;
        self.at_await().await;
        done
    }

    /// Records an attempt when a journal first shows it.
    fn note_attempt(&self, text: &str) -> Option<()> {
        let world = &self.world;
        let (key, quote_id) = (key_of(text)?, text_of(text, "quoteHistoryId")?);
        let body = text_of(text, "request")?;
        if world.attempt_by_key(&key).is_some() {
            return None;
        }
        let quote = world.quotes.borrow().iter().find(|quote| quote.id == quote_id).cloned()?;
        let recipient = text_of(&body, "recipientId");
        let is_meant = |at: &usize| {
            let intent = world.history.intents[*at];
            let root = intent.quote_of.map_or(*at, usize::from);
            let meant = &world.services.customer(intent.customer).recipients[usize::from(intent.recipient)];
            root == quote.intent && recipient.as_ref() == Some(&meant.id)
        };
        let intent = (0..world.history.intents.len()).find(is_meant)?;
        world.attempts.borrow_mut().push(Attempt {
            key,
            quote: quote_id,
            intent,
            customer: self.load.customer,
            journal: self.load.page.page.journal,
            expires_ms: quote.expires_ms.filter(|_| quote.load == self.load.number),
            sent_ms: None,
            taken_by: None,
            was_newer: false,
        });
        Some(())
    }

    /// Returns an entry as this page's version writes it.
    fn written(&self, text: &str) -> String {
        match self.load.page.page.version {
            Version::Current => text.to_owned(),
            Version::Newer => text.replacen(OWN_FORMAT, LATER_FORMAT, 1),
            Version::NewerUnreadable => {
                text.replacen(OWN_FORMAT, LATER_FORMAT, 1).replacen(OWN_REQUEST, LATER_REQUEST, 1)
            }
        }
    }

    /// Returns an entry as this page's version reads it: all formats of its own and before.
    fn read(&self, text: &str) -> String {
        match self.load.page.page.version {
            Version::Current => text.to_owned(),
            _ => text.replacen(LATER_FORMAT, OWN_FORMAT, 1).replacen(LATER_REQUEST, OWN_REQUEST, 1),
        }
    }

    /// Notes that an entry has a later format now, or reports that a page has changed one which it does not
    /// know. Without a common lock, or by a write that comes late, it may do so unknowingly.
    fn note_format(&self, key: &str, with: Option<&str>, begun_ms: u64) {
        let Page { journal, version, .. } = self.load.page.page;
        let mut newer = self.world.newer_entries.borrow_mut();
        let place = (journal, key.to_owned());
        match (version, with) {
            (Version::Current, _) => {
                let is_unknown = newer.remove(&place).is_some_and(|since_ms| begun_ms >= since_ms);
                if is_unknown && self.shares_locks() {
                    self.world
                        .report("an entry of a later version is changed", format!("{key} at {begun_ms}"));
                }
            }
            (_, None) => _ = newer.remove(&place),
            (_, Some(text)) => {
                newer.entry(place).or_insert(self.world.now_ms());
                if let Some(number) = key_of(text).and_then(|key| self.world.attempt_by_key(&key)) {
                    self.world.attempts.borrow_mut()[number].was_newer = true;
                }
            }
        }
    }

    /// Whether the entry under a key was never sent, and this page load neither submits nor discards it nor
    /// lists stale attempts.
    fn is_untouched(&self, key: &str, number: usize) -> bool {
        let is_prepared = self.storage.borrow().get(key).is_some_and(|text| text.contains("PREPARED"));
        let may_remove = |call: &super::world::Call| {
            call.is_on(number) || call.kind == CallKind::Pending && call.ended_ms.is_none()
        };
        let calls = self.world.calls.borrow();
        is_prepared && !calls.iter().any(|call| call.load == self.load.number && may_remove(call))
    }

    /// Whether all pages with this journal share their locks.
    fn shares_locks(&self) -> bool {
        let Page { journal, locks, .. } = self.load.page.page;
        self.world.history.pages.iter().all(|page| page.journal != journal || page.locks == locks)
    }

    /// Reports a change of the journal, begun at this time, that none but the entry's owner may make.
    fn note_change(&self, key: &str, with: Option<&str>, begun_ms: u64) {
        if let Some(text) = with {
            self.note_attempt(text);
        }
        self.note_format(key, with, begun_ms);
        if let Some(key) = with.filter(|text| text.contains("SENT")).and_then(key_of)
            && let Some(number) = self.world.attempt_by_key(&key)
        {
            self.world.attempts.borrow_mut()[number].sent_ms.get_or_insert(self.world.now_ms());
        }
        let before = self.storage.borrow().get(key).and_then(|text| key_of(text));
        let Some(number) = before.as_ref().and_then(|key| self.world.attempt_by_key(key)) else {
            return;
        };
        let is_same = with.is_none_or(|with| key_of(with) == before);
        let (owner, sent_ms) = {
            let attempt = &mut self.world.attempts.borrow_mut()[number];
            if with.is_none() || !is_same {
                attempt.taken_by = Some(self.load.number);
            }
            (attempt.customer, attempt.sent_ms)
        };
        if with.is_none() && self.is_untouched(key, number) {
            self.world.report("an attempt is erased that was not discarded", format!("attempt {number}"));
        }
        // Without a common lock two tabs that prepare with the same quote can overwrite each other: a journal
        // has no compare-and-set, and the service accepts a quote once. So the overwritten attempt was not
        // sent when the read began on which the write was decided, either of which may be late, or cannot be
        // made any more, as the other tab's was.
        let read_from_ms = self.load.read_from_ms.borrow().get(key).copied();
        let decided_ms = read_from_ms.map_or(begun_ms, |read_from_ms| read_from_ms.min(begun_ms));
        let is_harmless = sent_ms.is_none_or(|sent_ms| decided_ms <= sent_ms)
            || with.is_some_and(|text| text.contains("CREATED"));
        let is_race = owner == self.load.customer && is_harmless && !self.shares_locks();
        if owner != self.load.customer || !is_same && !is_race {
            let rule =
                if with.is_some() { "another's entry is overwritten" } else { "another's entry is erased" };
            self.world.report(rule, format!("attempt {number} of {owner} by {}", self.load.customer));
        }
    }
}

fn target(method: &str, path: &str) -> Target {
    let route = path.split('?').next().unwrap_or_default();
    match (method, route) {
        ("POST", "/v1/transfers") => Target::Transfer,
        ("GET", _) if route.starts_with("/v1/transfers/progress/") => Target::Progress,
        ("GET", "/v1/nonce") => Target::Nonce,
        ("GET", _) if route.starts_with("/v1/quote") => Target::Quote,
        ("GET", _) if route.ends_with("-fields") => Target::Fields,
        ("GET", _) if route.starts_with("/v1/transfers") => Target::ReadTransfer,
        ("POST", _) if route.contains("/customer-hold/") => Target::Hold,
        ("POST", _) => Target::Create,
        ("DELETE", _) => Target::Delete,
        _ => Target::Other,
    }
}

impl Journal for Env {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        let effect = move || {
            let storage = self.storage.borrow();
            let text = storage.get(key)?;
            if let Some(attempt) = key_of(text) {
                self.load.last_read.borrow_mut().insert(key.to_owned(), attempt);
            }
            Some(self.read(text))
        };
        self.load.read_from_ms.borrow_mut().insert(key.to_owned(), self.world.now_ms());
        self.journal_op(JournalOp::Load, effect).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let begun_ms = self.world.now_ms();
        let effect = move || {
            self.note_change(key, Some(text), begun_ms);
            self.storage.borrow_mut().insert(key.to_owned(), self.written(text));
        };
        self.journal_op(JournalOp::Save, effect).boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let begun_ms = self.world.now_ms();
        let effect = move || {
            self.note_change(key, None, begun_ms);
            self.storage.borrow_mut().remove(key);
        };
        self.journal_op(JournalOp::Remove, effect).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        self.journal_op(JournalOp::Keys, || self.storage.borrow().keys().cloned().collect()).boxed_local()
    }
}

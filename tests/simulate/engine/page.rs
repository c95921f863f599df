//! A page: the environment of its client, its journal, its clock.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, pending, select};
use remitkit::api::{Code, Error, Request, Uuid};
use remitkit::client::{Client, Environment, Host, Journal, SendFailure, SendResult, TransferAttempt};
use tokio::sync::oneshot;

use super::history::{FaultKind, JournalFault, JournalOp, NetFault, Page, Target, TokenFault};
use super::locks::LockGuard;
use super::page_load::{PageLoad, PageTask};
use super::services::{ORIGINS, service_of};
use super::world::{Attempt, CallKind, START_MS, SentRequest, Storage, World, sleep, text_of};

/// What outlives the reloads of a page.
#[derive(Default)]
pub(crate) struct PageState {
    pub(crate) index: usize,
    pub(crate) page: Page,
    pub(crate) customer: Cell<u8>,
    pub(crate) off_by_ms: Cell<i64>,
    /// Whether its clock was ever wrong.
    pub(crate) was_off: Cell<bool>,
    load: RefCell<Option<Rc<PageLoad>>>,
    pub(crate) client: RefCell<Option<Client<Env>>>,
    /// The attempts that it holds, with their numbers.
    pub(crate) held: RefCell<Vec<(usize, Rc<TransferAttempt<Env>>)>>,
    requests: RefCell<Vec<Target>>,
    journal_ops: RefCell<Vec<JournalOp>>,
    tokens: Cell<u32>,
}

impl PageState {
    pub(crate) fn new(index: usize, page: Page) -> Self {
        PageState { index, page, customer: Cell::new(page.customer), ..PageState::default() }
    }

    /// Opens the page for this customer.
    pub(crate) fn open(self: &Rc<Self>, world: &Rc<World>, customer: u8) {
        self.close(world);
        let load = world.open_load();
        self.customer.set(customer);
        let storage = Rc::clone(&world.journals[usize::from(self.page.journal)]);
        let (page, shared_load) = (Rc::clone(self), Rc::clone(&load));
        let environment = Env { world: Rc::clone(world), page, load: shared_load, customer, storage };
        let mut builder =
            Client::builder(environment, ORIGINS[service_of(customer)], "https://cards.example.com");
        if self.page.knows_sender {
            builder = builder.sender_id(Uuid::new(&world.services.customer(customer).sender_id).unwrap());
        }
        #[cfg(feature = "optional-safeguards")]
        let builder = builder.disable(world.disabled);
        self.client.replace(Some(builder.build().unwrap()));
        self.load.replace(Some(load));
    }

    pub(crate) fn close(&self, world: &World) {
        if let Some(load) = self.load.take() {
            world.end_load(&load);
        }
        self.held.take();
        self.client.take();
    }

    /// Returns the name in traces; the visits at the end of a history have no number.
    pub(crate) fn name(&self) -> String {
        let customer = self.customer.get();
        match self.index {
            usize::MAX => format!("visit of {customer}"),
            index => format!("page {index} of {customer}"),
        }
    }

    pub(crate) fn alive(&self) -> Option<Rc<PageLoad>> {
        self.load.borrow().clone().filter(|load| load.is_alive())
    }

    /// Counts an operation; returns how many of its kind there were before.
    fn count<K: PartialEq>(seen: &RefCell<Vec<K>>, kind: K) -> u32 {
        let mut seen = seen.borrow_mut();
        let before = seen.iter().filter(|other| **other == kind).count();
        seen.push(kind);
        before as u32
    }
}

/// What the client of one page load runs in: its journal too.
pub(crate) struct Env {
    world: Rc<World>,
    page: Rc<PageState>,
    load: Rc<PageLoad>,
    customer: u8,
    storage: Rc<Storage>,
}

/// An abort signal; without a state it never aborts.
#[derive(Clone, Default)]
pub(crate) struct Signal(Option<Rc<SignalState>>);

#[derive(Default)]
struct SignalState {
    is_aborted: Cell<bool>,
    notify: tokio::sync::Notify,
}

impl Signal {
    pub(crate) fn new() -> Self {
        Signal(Some(Rc::default()))
    }

    pub(crate) fn abort(&self) {
        if let Some(state) = &self.0 {
            state.is_aborted.set(true);
            state.notify.notify_waiters();
        }
    }
}

impl Environment for Env {
    type Signal = Signal;
    type Lock = LockGuard;

    async fn send(&self, url: &str, request: &Request, bearer: &str, timeout_ms: u32) -> SendResult {
        self.at_await().await;
        let (request, fault) = self.outgoing(url, request, bearer);
        let path = request.path.get(..50).unwrap_or(&request.path);
        self.trace(|| format!("sends {} {path} {fault:?}", request.method));
        let (reply, received) = oneshot::channel();
        self.world.send(request, fault, reply);
        let received = async { received.await.ok().flatten().ok_or(SendFailure::Network) };
        let timeout = sleep(u64::from(timeout_ms).max(1));
        let answer = match select(pin!(received), pin!(timeout)).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(SendFailure::Timeout),
        };
        self.trace(|| format!("receives {:?}", answer.as_ref().map(|answer| answer.status)));
        self.at_await().await;
        answer
    }

    async fn token(&self) -> Result<String, Error> {
        self.at_await().await;
        let nth = self.page.tokens.replace(self.page.tokens.get() + 1);
        let fault = self.world.fault(self.page.index, nth, |kind| match kind {
            FaultKind::Token(fault) => Some(fault),
            _ => None,
        });
        let unavailable = || Error::new(Code::TokenUnavailable);
        let answer = async {
            sleep(5 + self.world.random_below(50)).await;
            match fault {
                Some(TokenFault::Rejects) => return Err(unavailable()),
                Some(TokenFault::Stalls) => pending().await,
                Some(TokenFault::Delays { ms }) => sleep(ms.into()).await,
                _ => {}
            }
            let token = self.world.services.token(self.customer).await;
            let bearer = text_of(&token, "access_token").unwrap_or_default();
            match fault {
                Some(TokenFault::Ended) => self.world.end_token(&bearer, 0),
                Some(TokenFault::EndsAfter { ms }) => {
                    self.world.end_token(&bearer, self.world.now_ms() + u64::from(ms));
                }
                _ => {}
            }
            Ok(token)
        };
        let answer = answer.await;
        self.at_await().await;
        answer
    }

    async fn sleep(&self, ms: u32) {
        self.trace(|| format!("waits {ms}"));
        sleep(ms.into()).await;
        self.at_await().await;
    }

    async fn aborted(&self, signal: &Signal) {
        let Some(state) = &signal.0 else { return pending().await };
        while !state.is_aborted.get() {
            state.notify.notified().await;
        }
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        signal.0.as_ref().is_some_and(|state| state.is_aborted.get())
    }

    fn journal(&self) -> &dyn Journal {
        self
    }

    async fn lock(&self, name: &str) -> LockGuard {
        self.at_await().await;
        let locks = Rc::clone(&self.world.locks[usize::from(self.page.page.locks)]);
        locks.acquire(name.to_owned(), self.load.number).await
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(PageTask { load: Rc::clone(&self.load), work });
    }
}

impl Host for Env {
    fn now_ms(&self) -> u64 {
        (START_MS + self.world.now_ms()).saturating_add_signed(self.page.off_by_ms.get())
    }

    fn elapsed_ms(&self) -> u64 {
        self.world.now_ms() + 1_000_000
    }

    fn random(&self) -> f64 {
        self.world.random_below(1 << 20) as f64 / f64::from(1 << 20)
    }

    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        let time: jiff::Timestamp = iso.parse().ok()?;
        u64::try_from(time.as_millisecond()).ok()
    }
}

impl Env {
    fn trace(&self, text: impl FnOnce() -> String) {
        self.world.trace(|| format!("{} {}", self.page.name(), text()));
    }

    /// Marks an await, at which the page may die.
    async fn at_await(&self) {
        let load = &self.load;
        let Some(left) = load.awaits_left.get() else { return };
        load.awaits_left.set(left.checked_sub(1));
        if left == 0 && load.is_alive() {
            self.world.end_load(load);
            pending::<()>().await;
        }
    }

    fn outgoing(&self, url: &str, request: &Request, bearer: &str) -> (SentRequest, Option<NetFault>) {
        let world = &self.world;
        let service = usize::from(!url.starts_with(ORIGINS[0]));
        let path = url.get(ORIGINS[service].len()..).unwrap_or_default().to_owned();
        let method = request.method.as_str();
        let target = target(method, &path);
        let nth = PageState::count(&self.page.requests, target);
        let fault = world.fault(self.page.index, nth, |kind| match kind {
            FaultKind::Net(of, fault) if of == target => Some(fault),
            _ => None,
        });
        let body = request.body.clone();
        let transfer = body.as_deref().filter(|_| target == Target::Transfer);
        let nonce = transfer.and_then(|body| text_of(body, "nonce"));
        let attempt = nonce.and_then(|nonce| world.attempt_by_nonce(&nonce));
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
        attempt.posted_ms.push(now_ms);
        if attempt.customer != self.customer {
            world.report("another's attempt is posted", format!("{} by {}", attempt.customer, self.customer));
        }
        let is_over = attempt.expires_ms.is_some_and(|expires_ms| expires_ms + 2_000 < now_ms);
        if is_over && !world.pages.iter().any(|page| page.was_off.get()) {
            world.report("posted after the quote's end", format!("{:?} {now_ms}", attempt.expires_ms));
        }
    }

    async fn journal_op<T>(&self, op: JournalOp, effect: impl Fn() -> T) -> Result<T, Error> {
        self.at_await().await;
        let nth = PageState::count(&self.page.journal_ops, op);
        self.trace(|| format!("journal {op:?} {nth}"));
        let fault = self.world.fault(self.page.index, nth, |kind| match kind {
            FaultKind::Journal(of, fault) if of == op => Some(fault),
            _ => None,
        });
        let failed = || Error::configuration("journal", "a store that works");
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
        let (nonce, quote_id) = (text_of(text, "nonce")?, text_of(text, "quoteHistoryId")?);
        let body = text_of(text, "body")?;
        if world.attempt_by_nonce(&nonce).is_some() {
            return None;
        }
        let quote = world.quotes.borrow().get(&quote_id).copied()?;
        let recipient = text_of(&body, "recipientId");
        let is_meant = |at: &usize| {
            let intent = world.history.intents[*at];
            let root = intent.quote_of.map_or(*at, usize::from);
            let meant = &world.services.customer(intent.customer).recipients[usize::from(intent.recipient)];
            root == quote.intent && recipient.as_ref() == Some(&meant.id)
        };
        let intent = (0..world.history.intents.len()).find(is_meant)?;
        world.attempts.borrow_mut().push(Attempt {
            nonce,
            quote: quote_id,
            intent,
            customer: self.customer,
            journal: self.page.page.journal,
            expires_ms: quote.expires_ms.filter(|_| quote.load == self.load.number),
            posted_ms: Vec::new(),
            was_sent: false,
            taken_by: None,
        });
        Some(())
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
        let Page { journal, locks, .. } = self.page.page;
        self.world.history.pages.iter().all(|page| page.journal != journal || page.locks == locks)
    }

    /// Reports a change of the journal that none but the entry's owner may make.
    fn note_change(&self, key: &str, with: Option<&str>) {
        let nonce = |text: &str| text_of(text, "nonce");
        if let Some(text) = with {
            self.note_attempt(text);
        }
        if let Some(nonce) = with.filter(|text| text.contains("SENT")).and_then(nonce)
            && let Some(number) = self.world.attempt_by_nonce(&nonce)
        {
            self.world.attempts.borrow_mut()[number].was_sent = true;
        }
        let before = self.storage.borrow().get(key).and_then(|text| nonce(text));
        let Some(number) = before.as_ref().and_then(|nonce| self.world.attempt_by_nonce(nonce)) else {
            return;
        };
        let is_same = with.is_none_or(|with| nonce(with) == before);
        let (owner, was_sent) = {
            let attempt = &mut self.world.attempts.borrow_mut()[number];
            if with.is_none() || !is_same {
                attempt.taken_by = Some(self.load.number);
            }
            (attempt.customer, attempt.was_sent || !attempt.posted_ms.is_empty())
        };
        if with.is_none() && self.is_untouched(key, number) {
            self.world.report("an attempt is erased that was not discarded", format!("attempt {number}"));
        }
        // Without a common lock two tabs that prepare with the same quote can overwrite each other: a journal
        // has no compare-and-set, and the service accepts a quote once. So the overwritten attempt was not
        // sent, or cannot be made any more, as the other tab's was.
        let is_harmless = !was_sent || with.is_some_and(|text| text.contains("CREATED"));
        let is_race = owner == self.customer && is_harmless && !self.shares_locks();
        if owner != self.customer || !is_same && !is_race {
            let rule =
                if with.is_some() { "another's entry is overwritten" } else { "another's entry is erased" };
            self.world.report(rule, format!("attempt {number} of {owner} by {}", self.customer));
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
        self.journal_op(JournalOp::Load, || self.storage.borrow().get(key).cloned()).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let effect = || {
            self.note_change(key, Some(text));
            self.storage.borrow_mut().insert(key.to_owned(), text.to_owned());
        };
        self.journal_op(JournalOp::Save, effect).boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let effect = || {
            self.note_change(key, None);
            self.storage.borrow_mut().remove(key);
        };
        self.journal_op(JournalOp::Remove, effect).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        self.journal_op(JournalOp::Keys, || self.storage.borrow().keys().cloned().collect()).boxed_local()
    }
}

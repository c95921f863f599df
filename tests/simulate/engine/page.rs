//! A page: the environment of its client, its journal, its clock.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{Either, LocalBoxFuture, select};
use remitkit::api::{Error, Request, Uuid};
use remitkit::client::{Answer, Client, Environment, Journal, SendFailure, TransferAttempt};

use super::history::{Disk, Net, Op, Page, Source, Target, What};
use super::life::{Life, Living};
use super::locks::{Held, Locks};
use super::stage::{ORIGINS, service_of};
use super::world::{Answering, Attempt, CallKind, START_MS, Sent, Shelf, World, sleep, text_of};

/// What is kept of a page through its reloads.
pub(crate) struct PageState {
    pub(crate) index: usize,
    pub(crate) page: Page,
    pub(crate) customer: Cell<u8>,
    pub(crate) off_by_ms: Cell<i64>,
    /// Whether its clock was ever wrong.
    pub(crate) was_off: Cell<bool>,
    pub(crate) life: RefCell<Option<Rc<Life>>>,
    pub(crate) client: RefCell<Option<Client<Env>>>,
    /// The attempts that it holds, with their numbers.
    pub(crate) held: RefCell<Vec<(usize, Rc<TransferAttempt<Env>>)>>,
    requests: RefCell<Vec<(Target, u32)>>,
    steps: RefCell<Vec<(Op, u32)>>,
    tokens: Cell<u32>,
}

impl PageState {
    pub(crate) fn new(index: usize, page: Page) -> Self {
        PageState {
            index,
            page,
            customer: Cell::new(page.customer),
            off_by_ms: Cell::new(0),
            was_off: Cell::new(false),
            life: RefCell::default(),
            client: RefCell::default(),
            held: RefCell::default(),
            requests: RefCell::default(),
            steps: RefCell::default(),
            tokens: Cell::new(0),
        }
    }

    /// Opens the page, as this customer's.
    pub(crate) fn open(self: &Rc<Self>, world: &Rc<World>, customer: u8) {
        self.close(world);
        let life = world.open_life();
        self.customer.set(customer);
        let environment = Env {
            world: Rc::clone(world),
            page: Rc::clone(self),
            life: Rc::clone(&life),
            customer,
            disk: DiskJournal {
                shelf: Rc::clone(&world.journals[usize::from(self.page.journal)]),
                world: Rc::clone(world),
                page: Rc::clone(self),
                life: Rc::clone(&life),
                customer,
            },
        };
        let mut builder =
            Client::builder(environment, ORIGINS[service_of(customer)], "https://cards.example.com");
        if self.page.tells_sender {
            builder = builder.sender_id(Uuid::new(&world.stage.customer(customer).sender_id).unwrap());
        }
        #[cfg(feature = "weakened")]
        let builder = builder.weakness(world.weakness);
        let client = builder.build().unwrap();
        self.client.replace(Some(client));
        self.life.replace(Some(life));
    }

    pub(crate) fn close(&self, world: &World) {
        if let Some(life) = self.life.take() {
            world.end_life(&life);
        }
        self.held.take();
        self.client.take();
    }

    /// Who visits at the end has no number.
    pub(crate) fn name(&self) -> String {
        let customer = self.customer.get();
        match self.index {
            usize::MAX => format!("visit of {customer}"),
            index => format!("page {index} of {customer}"),
        }
    }

    pub(crate) fn alive(&self) -> Option<Rc<Life>> {
        self.life.borrow().clone().filter(|life| life.is_alive())
    }

    fn count<K: PartialEq + Copy>(counts: &RefCell<Vec<(K, u32)>>, kind: K) -> u32 {
        let mut counts = counts.borrow_mut();
        match counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => {
                *count += 1;
                *count - 1
            }
            None => {
                counts.push((kind, 1));
                0
            }
        }
    }
}

pub(crate) struct Env {
    pub(crate) world: Rc<World>,
    pub(crate) page: Rc<PageState>,
    pub(crate) life: Rc<Life>,
    pub(crate) customer: u8,
    disk: DiskJournal,
}

/// What a caller ends a call with.
#[derive(Clone, Default)]
pub(crate) struct Signal(Option<Rc<SignalState>>);

#[derive(Default)]
pub(crate) struct SignalState {
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

/// One await of a page, at which it may die.
async fn at_await(world: &World, life: &Rc<Life>) {
    let Some(left) = life.awaits_left.get() else { return };
    life.awaits_left.set(left.checked_sub(1));
    if left == 0 && life.is_alive() && !life.is_run_out() {
        world.end_life(life);
        life.while_on(std::future::pending::<()>()).await;
    }
}

impl Environment for Env {
    type Signal = Signal;

    async fn send(
        &self,
        url: &str,
        request: &Request,
        bearer: &str,
        timeout_ms: u32,
    ) -> Result<Answer, SendFailure> {
        at_await(&self.world, &self.life).await;
        if self.life.is_run_out() {
            return Err(SendFailure::Aborted);
        }
        let (sent, fault) = self.outgoing(url, request, bearer);
        self.world.trace(|| {
            format!(
                "{} sends {} {} {fault:?}",
                self.page.name(),
                sent.method,
                sent.path.get(..50).unwrap_or(&sent.path)
            )
        });
        let (answer, answered) = tokio::sync::oneshot::channel();
        self.world.send(sent, fault, Answering(answer));
        let ended = async { answered.await.ok().flatten().ok_or(SendFailure::Network) };
        let heard: Result<super::world::Heard, SendFailure> =
            match self.life.while_on(select(pin!(ended), pin!(sleep(u64::from(timeout_ms).max(1))))).await {
                Some(Either::Left((heard, _))) => heard,
                Some(Either::Right(_)) => Err(SendFailure::Timeout),
                None => Err(SendFailure::Aborted),
            };
        self.world
            .trace(|| format!("{} hears {:?}", self.page.name(), heard.as_ref().map(|heard| heard.status)));
        at_await(&self.world, &self.life).await;
        heard.map(|heard| Answer {
            status: heard.status,
            request_id: heard.request_id,
            retry_after_s: heard.retry_after_s,
            text: heard.text,
            bytes: Vec::new(),
            content_type: None,
        })
    }

    async fn token(&self) -> Result<String, Error> {
        at_await(&self.world, &self.life).await;
        let nth = self.page.tokens.replace(self.page.tokens.get() + 1);
        let fault = self.world.fault(self.page.index, nth, |what| matches!(what, What::Source(_)));
        let answer = async {
            sleep(5 + self.world.below(50)).await;
            match fault {
                Some(What::Source(Source::Rejects)) => {
                    return Err(Error::new(remitkit::api::Code::TokenUnavailable));
                }
                Some(What::Source(Source::Stalls)) => std::future::pending::<()>().await,
                Some(What::Source(Source::Delays { ms })) => sleep(ms.into()).await,
                _ => {}
            }
            let token = self.world.token(self.customer).await;
            let bearer = text_of(&token, "access_token").unwrap_or_default();
            match fault {
                Some(What::Source(Source::Ended)) => self.world.end_token(&bearer, 0),
                Some(What::Source(Source::EndsAfter { ms })) => {
                    self.world.end_token(&bearer, self.world.now_ms() + u64::from(ms));
                }
                _ => {}
            }
            Ok(token)
        };
        let answer = self.life.while_on(answer).await;
        at_await(&self.world, &self.life).await;
        answer.unwrap_or_else(|| Err(Error::new(remitkit::api::Code::TokenUnavailable)))
    }

    async fn sleep(&self, ms: u32) {
        self.world.trace(|| format!("{} waits {ms}", self.page.name()));
        self.life.while_on(sleep(ms.into())).await;
        at_await(&self.world, &self.life).await;
    }

    async fn aborted(&self, signal: &Signal) {
        let Some(state) = &signal.0 else {
            self.life.while_on(std::future::pending::<()>()).await;
            return;
        };
        while !state.is_aborted.get() {
            if self.life.while_on(state.notify.notified()).await.is_none() {
                return;
            }
        }
    }

    fn is_aborted(&self, signal: &Signal) -> bool {
        self.life.is_run_out() || signal.0.as_ref().is_some_and(|state| state.is_aborted.get())
    }

    fn never(&self) -> Signal {
        Signal(None)
    }

    fn now_ms(&self) -> u64 {
        (START_MS + self.world.now_ms()).saturating_add_signed(self.page.off_by_ms.get())
    }

    fn elapsed_ms(&self) -> u64 {
        self.world.now_ms() + 1_000_000
    }

    fn random(&self) -> f64 {
        self.world.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    fn matches(&self, _: &str, _: &str) -> Option<bool> {
        None
    }

    fn journal(&self) -> &dyn Journal {
        &self.disk
    }

    type Lock = Option<Held>;

    async fn lock(&self, name: &str) -> Option<Held> {
        at_await(&self.world, &self.life).await;
        let locks: Rc<Locks> = Rc::clone(&self.world.locks[usize::from(self.page.page.locks)]);
        self.life.while_on(locks.acquire(name.to_owned(), self.life.number)).await
    }

    fn spawn(&self, work: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(Living { life: Rc::clone(&self.life), work });
    }

    /// `2026-01-31T09:05:07.1234560Z`
    fn parse_time_ms(&self, iso: &str) -> Option<u64> {
        let number = |from: usize, to: usize| iso.get(from..to)?.parse::<i64>().ok();
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let year = if month <= 2 { year - 1 } else { year };
        let of_era = year.rem_euclid(400);
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
        let days =
            year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        let seconds = ((days * 24 + number(11, 13)?) * 60 + number(14, 16)?) * 60 + number(17, 19)?;
        u64::try_from(seconds * 1000 + number(20, 23)?).ok()
    }
}

impl Env {
    fn outgoing(&self, url: &str, request: &Request, bearer: &str) -> (Sent, Option<Net>) {
        let world = &self.world;
        let service = usize::from(!url.starts_with(ORIGINS[0]));
        let path = url.get(ORIGINS[service].len()..).unwrap_or_default().to_owned();
        let method = request.method.as_str();
        let target = target(method, &path);
        let nth = PageState::count(&self.page.requests, target);
        let fault =
            world.fault(self.page.index, nth, |what| matches!(what, What::Net(meant, _) if *meant == target));
        let fault = fault.map(|what| match what {
            What::Net(_, net) => net,
            _ => Net::LoseRequest,
        });
        let body = request.body.clone();
        let nonce =
            body.as_deref().filter(|_| target == Target::Transfer).and_then(|body| text_of(body, "nonce"));
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
        let call = calls.iter().rposition(|call| call.life == self.life.number && is_of(&call.kind));
        let is_repeat = call.is_some_and(|call| std::mem::replace(&mut calls[call].has_sent, true));
        let method = match method {
            "GET" => "GET",
            "POST" => "POST",
            "PUT" => "PUT",
            "PATCH" => "PATCH",
            _ => "DELETE",
        };
        drop(calls);
        let (bearer, sent_ms) = (bearer.to_owned(), world.now_ms());
        (Sent { service, target, method, path, bearer, body, call, is_repeat, sent_ms }, fault)
    }

    fn note_post(&self, number: usize) {
        let world = &self.world;
        let now_ms = world.now_ms();
        let mut attempts = world.attempts.borrow_mut();
        let attempt = &mut attempts[number];
        attempt.posted_ms.push(now_ms);
        if attempt.customer != self.customer {
            world.found("another's attempt is posted", format!("{} by {}", attempt.customer, self.customer));
        }
        let is_over = attempt.expires_ms.is_some_and(|expires_ms| expires_ms + 2_000 < now_ms);
        if is_over && !world.pages.iter().any(|page| page.was_off.get()) {
            world.found("posted after the quote's end", format!("{:?} {now_ms}", attempt.expires_ms));
        }
    }
}

pub(crate) fn target(method: &str, path: &str) -> Target {
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

pub(crate) struct DiskJournal {
    shelf: Rc<Shelf>,
    world: Rc<World>,
    page: Rc<PageState>,
    life: Rc<Life>,
    customer: u8,
}

impl DiskJournal {
    async fn step<T>(&self, op: Op, effect: impl Fn() -> T) -> Result<T, Error> {
        at_await(&self.world, &self.life).await;
        let nth = PageState::count(&self.page.steps, op);
        self.world.trace(|| format!("{} journal {op:?} {nth}", self.page.name()));
        let fault =
            self.world.fault(self.page.index, nth, |what| matches!(what, What::Disk(of, _) if *of == op));
        let failed = || Error::configuration("journal", "a store that works");
        let work = async {
            let pause = self.world.below(4);
            sleep(pause).await;
            match fault {
                Some(What::Disk(_, Disk::Fails)) => return Err(failed()),
                Some(What::Disk(_, Disk::FailsAfter)) => {
                    effect();
                    return Err(failed());
                }
                Some(What::Disk(_, Disk::Hangs)) => std::future::pending::<()>().await,
                Some(What::Disk(_, Disk::Lags { ms, effect_first })) => {
                    let early = effect_first.then(&effect);
                    sleep(ms.into()).await;
                    return Ok(early.unwrap_or_else(&effect));
                }
                _ => {}
            }
            Ok(effect())
        };
        let done = self.life.while_on(work).await.unwrap_or_else(|| Err(failed()));
        at_await(&self.world, &self.life).await;
        done
    }

    /// An attempt is known from the first time that it stands in a journal.
    fn note_attempt(&self, text: &str) {
        let world = &self.world;
        let (Some(nonce), Some(quote), Some(body)) =
            (text_of(text, "nonce"), text_of(text, "quoteHistoryId"), text_of(text, "body"))
        else {
            return;
        };
        if world.attempt_by_nonce(&nonce).is_some() {
            return;
        }
        let Some(quoted) = world.quotes.borrow().get(&quote).copied() else { return };
        let recipient = text_of(&body, "recipientId");
        let is_meant = |at: &usize| {
            let intent = world.history.intents[*at];
            let root = intent.quote_of.map_or(*at, usize::from);
            let meant = &world.stage.customer(intent.customer).recipients[usize::from(intent.recipient)];
            root == quoted.intent && recipient.as_ref() == Some(&meant.id)
        };
        let Some(intent) = (0..world.history.intents.len()).find(is_meant) else { return };
        let expires_ms = quoted.expires_ms.filter(|_| quoted.life == self.life.number);
        world.attempts.borrow_mut().push(Attempt {
            nonce,
            quote,
            intent,
            customer: self.customer,
            journal: self.page.page.journal,
            expires_ms,
            posted_ms: Vec::new(),
            was_noted_sent: false,
            taken_by: None,
        });
    }

    /// Whether nothing was sent of the attempt under a key, and this page neither
    /// submits nor drops it, nor lists stale attempts.
    fn is_untouched(&self, key: &str, number: usize) -> bool {
        let is_prepared = self.shelf.0.borrow().get(key).is_some_and(|text| text.contains("PREPARED"));
        is_prepared
            && !self.world.calls.borrow().iter().any(|call| {
                call.life == self.life.number
                    && match call.kind {
                        CallKind::Submit(of) | CallKind::Discard(of) => of == number,
                        CallKind::Pending => call.ended_ms.is_none(),
                        _ => false,
                    }
            })
    }

    /// Whether all pages with this journal wait for each other.
    fn shares_locks(&self) -> bool {
        let Page { journal, locks, .. } = self.page.page;
        self.world.history.pages.iter().all(|page| page.journal != journal || page.locks == locks)
    }

    /// What stands under a key may be changed by its owner alone.
    fn note_change(&self, key: &str, with: Option<&str>) {
        let nonce = |text: &str| text_of(text, "nonce");
        if let Some(text) = with {
            self.note_attempt(text);
        }
        if let Some(nonce) = with.filter(|text| text.contains("SENT")).and_then(nonce)
            && let Some(number) = self.world.attempt_by_nonce(&nonce)
        {
            self.world.attempts.borrow_mut()[number].was_noted_sent = true;
        }
        let before = self.shelf.0.borrow().get(key).and_then(|text| nonce(text));
        let Some(number) = before.as_ref().and_then(|nonce| self.world.attempt_by_nonce(nonce)) else {
            return;
        };
        let is_same = with.is_none_or(|with| nonce(with) == before);
        let (owner, was_sent) = {
            let attempt = &mut self.world.attempts.borrow_mut()[number];
            if with.is_none() || !is_same {
                attempt.taken_by = Some(self.life.number);
            }
            (attempt.customer, attempt.was_noted_sent || !attempt.posted_ms.is_empty())
        };
        if with.is_none() && self.is_untouched(key, number) {
            self.world.found("an attempt is erased that nobody dropped", format!("attempt {number}"));
        }
        // Without a common lock two tabs that prepare with the same quote at the same
        // moment can overwrite each other: a journal has no compare-and-set. Nothing was
        // sent, and the service accepts a quote once.
        let is_race = owner == self.customer && !was_sent && !self.shares_locks();
        if owner != self.customer || !is_same && !is_race {
            let rule =
                if with.is_some() { "another's entry is overwritten" } else { "another's entry is erased" };
            self.world.found(rule, format!("attempt {number} of {owner} by {}", self.customer));
        }
    }
}

impl Journal for DiskJournal {
    fn load<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<Option<String>, Error>> {
        self.step(Op::Load, || self.shelf.0.borrow().get(key).cloned()).boxed_local()
    }

    fn save<'a>(&'a self, key: &'a str, text: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let effect = || {
            self.note_change(key, Some(text));
            self.shelf.0.borrow_mut().insert(key.to_owned(), text.to_owned());
        };
        self.step(Op::Save, effect).boxed_local()
    }

    fn remove<'a>(&'a self, key: &'a str) -> LocalBoxFuture<'a, Result<(), Error>> {
        let effect = || {
            self.note_change(key, None);
            self.shelf.0.borrow_mut().remove(key);
        };
        self.step(Op::Remove, effect).boxed_local()
    }

    fn keys(&self) -> LocalBoxFuture<'_, Result<Vec<String>, Error>> {
        self.step(Op::Keys, || self.shelf.0.borrow().keys().cloned().collect()).boxed_local()
    }
}

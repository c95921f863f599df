//! What customers do, step by step, and what they are told.

use std::rc::Rc;

use remitkit::api::json::{Codec, JsonRef};
use remitkit::api::{
    CANCEL_CUSTOMER_HOLD, CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, Code, DELETE_RECIPIENT,
    DELETE_RECIPIENT_ACCOUNT, Error, Operation, QUOTE, RELEASE_CUSTOMER_HOLD, TransferRequest,
};
use remitkit::client::{Client, CompletedTransfer, Outcome, Task, TransferAttempt};

use super::history::{Act, Target};
use super::life::Life;
use super::page::{Env, PageState, Signal};
use super::stage::{CORRIDOR, Recipient, account_body, iban, recipient_body};
use super::world::{Call, CallKind, Quoted, Told, World, sleep, text_of};

type Held = Rc<TransferAttempt<Env>>;

/// A page that is open, and what works on it.
#[derive(Clone)]
pub(crate) struct Tab {
    pub(crate) world: Rc<World>,
    pub(crate) page: Rc<PageState>,
    pub(crate) life: Rc<Life>,
    pub(crate) client: Client<Env>,
}

impl Tab {
    pub(crate) fn of(world: &Rc<World>, page: &Rc<PageState>) -> Option<Tab> {
        let (life, client) = (page.alive()?, page.client.borrow().clone()?);
        Some(Tab { world: Rc::clone(world), page: Rc::clone(page), life, client })
    }

    fn customer(&self) -> u8 {
        self.page.customer.get()
    }

    /// Makes a call, and notes what is told.
    async fn call<T>(
        &self,
        kind: CallKind,
        abort: Option<u32>,
        work: impl AsyncFnOnce(&Client<Env>, &Signal) -> Result<T, Error>,
        tell: impl Fn(&T) -> String,
    ) -> Result<T, Error> {
        let world = &self.world;
        let number = {
            let mut calls = world.calls.borrow_mut();
            calls.push(Call {
                page: self.page.index,
                life: self.life.number,
                kind: kind.clone(),
                started_ms: world.now_ms(),
                aborted_ms: None,
                ended_ms: None,
                told: None,
                has_sent: false,
            });
            calls.len() - 1
        };
        let signal = abort.map_or(Signal::default(), |_| Signal::new());
        if let Some(after_ms) = abort {
            let (signal, world) = (signal.clone(), Rc::clone(world));
            World::spawn(&self.life, async move {
                sleep(after_ms.into()).await;
                signal.abort();
                let mut calls = world.calls.borrow_mut();
                if calls[number].ended_ms.is_none() {
                    calls[number].aborted_ms = Some(world.now_ms());
                }
            });
        }
        world.trace(|| format!("{} calls {kind:?}", self.page.name()));
        let outcome = work(&self.client, &signal).await;
        world.trace(|| {
            format!(
                "{} is told {:?} of {kind:?}",
                self.page.name(),
                outcome.as_ref().map(|_| ()).map_err(Error::code)
            )
        });
        if self.life.is_run_out() {
            return outcome;
        }
        let told = match &outcome {
            Ok(done) => Told::Success(tell(done)),
            Err(error) if error.code() == Code::OutcomeUnknown => Told::Unknown,
            Err(error) => Told::Failure(format!("{:?}", error.code())),
        };
        let mut calls = world.calls.borrow_mut();
        calls[number].ended_ms = Some(world.now_ms());
        calls[number].told = Some(told.clone());
        drop(calls);
        world.judge_call(number);
        outcome
    }

    pub(crate) async fn pending(&self) -> Option<Vec<(usize, Held)>> {
        let listed = self.call(
            CallKind::Pending,
            None,
            async |client, _| client.pending_transfers().await,
            |_| String::new(),
        );
        let mut attempts = Vec::new();
        for attempt in listed.await.ok()? {
            let Some(number) = self.number_of(&attempt) else { continue };
            let owner = self.world.attempts.borrow()[number].customer;
            if owner != self.customer() {
                self.world.found("another's attempt is listed", format!("attempt {number} of {owner}"));
            }
            attempts.push((number, Rc::new(attempt)));
        }
        Some(attempts)
    }

    fn number_of(&self, attempt: &TransferAttempt<Env>) -> Option<usize> {
        self.world.attempt_by_nonce(attempt.nonce().as_str())
    }

    pub(crate) async fn submit(&self, number: usize, attempt: &Held, abort: Option<u32>) {
        let work = async |_: &Client<Env>, signal: &Signal| attempt.submit().with_signal(signal).await;
        let tell = |outcome: &CompletedTransfer| outcome.transfer.transfer_id.as_str().to_owned();
        let _ = self.call(CallKind::Submit(number), abort, work, tell).await;
    }

    pub(crate) async fn discard(&self, number: usize, attempt: &Held) {
        let work = async |_: &Client<Env>, signal: &Signal| attempt.discard().with_signal(signal).await;
        let _ = self.call(CallKind::Discard(number), None, work, |()| String::new()).await;
    }

    fn hold(&self, number: usize, attempt: Held) -> Held {
        let mut held = self.page.held.borrow_mut();
        held.retain(|(known, _)| *known != number);
        held.push((number, Rc::clone(&attempt)));
        attempt
    }

    /// The attempts at an intent that this page holds, the newest first.
    fn held(&self, intent: usize) -> Vec<(usize, Held)> {
        let attempts = self.world.attempts.borrow();
        let held = self.page.held.borrow();
        held.iter().rev().filter(|(number, _)| attempts[*number].intent == intent).cloned().collect()
    }

    async fn prepare(&self, intent: usize) -> Option<(usize, Held)> {
        let world = &self.world;
        let meant = world.history.intents[intent];
        let Recipient { id, account_id } =
            world.stage.customer(meant.customer).recipients[usize::from(meant.recipient)].clone();
        let amount = world.history.amount(intent);
        let quote_id = match meant.quote_of {
            Some(root) => world.latest_quote(usize::from(root))?,
            None => {
                let request = format!(
                    r#"{{{CORRIDOR},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":{amount}}}"#
                );
                let quoted = self.read(&QUOTE, &[], Some(request)).await.ok()?;
                let id = text_of(&quoted, "quoteHistoryId")?;
                let end = text_of(&quoted, "expirationDate");
                let end = end.and_then(|end| {
                    remitkit::client::Environment::parse_time_ms(self.client.environment(), &end)
                });
                let quoted = Quoted {
                    intent,
                    life: self.life.number,
                    expires_ms: end.map(|end| end.saturating_sub(super::world::START_MS)),
                };
                world.quotes.borrow_mut().insert(id.clone(), quoted);
                world.newest_quotes.borrow_mut().insert(intent, id.clone());
                id
            }
        };
        let hold = if meant.hold { r#","customerHold":true"# } else { "" };
        let request = format!(
            r#"{{{CORRIDOR},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":{amount},"quoteHistoryId":"{quote_id}","recipientId":"{id}","recipientAccountId":"{account_id}"{hold},"fields":[]}}"#
        );
        let request = TransferRequest::read(JsonRef::new(&request))?;
        let work = async |client: &Client<Env>, signal: &Signal| {
            client.prepare_transfer(&request).with_signal(signal).await
        };
        let attempt = self.call(CallKind::Prepare(intent), None, work, |_| String::new()).await.ok()?;
        let number = self.number_of(&attempt)?;
        Some((number, self.hold(number, Rc::new(attempt))))
    }

    async fn read(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<String>,
    ) -> Result<String, Error> {
        let work = async |client: &Client<Env>, signal: &Signal| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            match client.perform_task(Task::Call(operation, ids, input.clone())).with_signal(signal).await? {
                Outcome::Reply(reply) => Ok(reply.json.clone()),
                _ => Err(Error::new(Code::Internal)),
            }
        };
        self.call(CallKind::Read, None, work, |_| String::new()).await
    }

    async fn write(
        &self,
        operation: &'static Operation,
        ids: &[&str],
        input: Option<String>,
        target: Target,
        marker: String,
        abort: Option<u32>,
    ) {
        let work = async |client: &Client<Env>, signal: &Signal| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            match client.perform_task(Task::Call(operation, ids, input.clone())).with_signal(signal).await? {
                Outcome::Reply(reply) => Ok(reply.json.clone()),
                _ => Err(Error::new(Code::Internal)),
            }
        };
        let tell = |reply: &String| {
            let id = ["recipientAccountId", "recipientId"].iter().find_map(|id| text_of(reply, id));
            id.unwrap_or_default()
        };
        let _ = self.call(CallKind::Write(target, marker), abort, work, tell).await;
    }

    /// Pays as the documentation says: resumes what is pending, and makes a transfer only if nothing is.
    async fn pay(&self, intent: usize, abort: Option<u32>) {
        let world = &self.world;
        if world.history.intents[intent].customer != self.customer() || world.is_satisfied(intent) {
            return;
        }
        match world.worked_on(intent, self.page.index) {
            Elsewhere => return,
            // A second click.
            Here => {
                if let Some((number, attempt)) = self.held(intent).into_iter().next()
                    && !world.has_rival(intent, number)
                {
                    self.submit(number, &attempt, abort).await;
                }
                return;
            }
            Nowhere => {}
        }
        // A list is as old as its read of the journal. If another tab has reported an open
        // attempt since the list was requested, its customer looks again: an attempt missing from
        // an older list has not necessarily ended.
        let listed = loop {
            let open_before = world.open_attempts(intent);
            let Some(listed) = self.pending().await else { return };
            if world.worked_on(intent, self.page.index) != Nowhere || world.is_satisfied(intent) {
                return;
            }
            if world.open_attempts(intent).iter().all(|number| open_before.contains(number)) {
                break listed;
            }
        };
        let is_meant = |number: usize| world.attempts.borrow()[number].intent == intent;
        if let Some((number, attempt)) = listed.into_iter().find(|(number, _)| is_meant(*number)) {
            if !world.has_rival(intent, number) {
                let attempt = self.hold(number, attempt);
                self.submit(number, &attempt, abort).await;
            }
            return;
        }
        let open = world.open_attempts(intent);
        for number in &open {
            if let Some((_, attempt)) = self.held(intent).into_iter().find(|(held, _)| held == number) {
                self.submit(*number, &attempt, abort).await;
                return;
            }
            // An attempt in another journal is invisible; one missing
            // from this journal has ended, for the page.
            if world.attempts.borrow()[*number].journal != self.page.page.journal {
                return;
            }
        }
        if let Some((number, attempt)) = self.prepare(intent).await
            && world.worked_on(intent, self.page.index) == Nowhere
            && !world.is_satisfied(intent)
            && world.open_attempts(intent).iter().all(|other| *other == number || open.contains(other))
        {
            self.submit(number, &attempt, abort).await;
        }
    }

    async fn resume(&self, abort: Option<u32>) {
        let Some(listed) = self.pending().await else { return };
        for (number, attempt) in listed {
            let intent = self.world.attempts.borrow()[number].intent;
            if !self.world.has_rival(intent, number) {
                let attempt = self.hold(number, attempt);
                self.submit(number, &attempt, abort).await;
            }
        }
    }

    pub(crate) async fn act(self, act: Act) {
        let world = Rc::clone(&self.world);
        let is_mine = |intent: u8| world.history.intents[usize::from(intent)].customer == self.customer();
        match act {
            Act::Pay { intent, abort } => self.pay(usize::from(intent), abort).await,
            Act::Prepare { intent } => {
                let intent = usize::from(intent);
                if world.history.intents[intent].customer == self.customer()
                    && !world.is_satisfied(intent)
                    && world.open_attempts(intent).is_empty()
                {
                    self.prepare(intent).await;
                }
            }
            Act::Submit { intent, abort } if is_mine(intent) => {
                let held = self.held(usize::from(intent)).into_iter().next();
                let Some((number, attempt)) = held else { return };
                if !world.has_rival(usize::from(intent), number) {
                    self.submit(number, &attempt, abort).await;
                }
            }
            Act::Discard { intent } if is_mine(intent) => {
                if let Some((number, attempt)) = self.held(usize::from(intent)).into_iter().next() {
                    self.discard(number, &attempt).await;
                }
            }
            Act::Resume { abort } => self.resume(abort).await,
            Act::CreateRecipient { abort } => {
                let name = format!("Marked {}", letters(world.mark()));
                let body = recipient_body(&name);
                self.write(&CREATE_RECIPIENT, &[], Some(body), Target::Create, name, abort).await;
            }
            Act::CreateAccount { abort } => {
                let number = world.mark();
                let recipient = &world.stage.customer(self.customer()).recipients[0].id;
                let body = Some(account_body(number));
                let operation = &CREATE_RECIPIENT_ACCOUNT;
                self.write(operation, &[recipient], body, Target::Create, iban(number), abort).await;
            }
            Act::DeleteRecipient { recipient, abort } => {
                let recipient = &world.stage.customer(self.customer()).recipients[usize::from(recipient)];
                let marker = format!("/v1/recipients/{}", recipient.id);
                if world.begin_once(&marker) {
                    self.write(&DELETE_RECIPIENT, &[&recipient.id], None, Target::Delete, marker, abort)
                        .await;
                }
            }
            Act::DeleteAccount { recipient, abort } => {
                let recipient = &world.stage.customer(self.customer()).recipients[usize::from(recipient)];
                let marker = format!("/accounts/{}", recipient.account_id);
                let ids = [recipient.id.as_str(), recipient.account_id.as_str()];
                if world.begin_once(&marker) {
                    self.write(&DELETE_RECIPIENT_ACCOUNT, &ids, None, Target::Delete, marker, abort).await;
                }
            }
            Act::Release { intent, abort } | Act::Cancel { intent, abort } if is_mine(intent) => {
                let Some(id) = world.told_transfer(usize::from(intent)) else { return };
                let is_release = matches!(act, Act::Release { .. });
                let marker = format!("/v1/transfers/{id}/customer-hold/");
                if !world.begin_once(&format!("{marker}{is_release}")) {
                    return;
                }
                if is_release {
                    let operation = &RELEASE_CUSTOMER_HOLD;
                    self.write(operation, &[&id], None, Target::Hold, format!("{marker}release"), abort)
                        .await;
                } else {
                    let body = Some(r#"{"reason":"CUSTOMER_REQUEST"}"#.to_owned());
                    let operation = &CANCEL_CUSTOMER_HOLD;
                    self.write(operation, &[&id], body, Target::Hold, format!("{marker}cancel"), abort).await;
                }
            }
            _ => {}
        }
    }
}

/// A name has no digits.
fn letters(number: u32) -> String {
    number.to_string().bytes().map(|digit| char::from(b'A' + digit - b'0')).collect()
}

/// Where an intent is worked on at this moment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkedOn {
    Nowhere,
    Here,
    Elsewhere,
}
use WorkedOn::{Elsewhere, Here, Nowhere};

impl World {
    pub(crate) fn mark(&self) -> u32 {
        self.markers.replace(self.markers.get() + 1)
    }

    /// Whether this has not been begun before.
    fn begin_once(&self, what: &str) -> bool {
        self.begun.borrow_mut().insert(what.to_owned())
    }

    fn latest_quote(&self, intent: usize) -> Option<String> {
        self.newest_quotes.borrow().get(&intent).cloned()
    }

    /// The transfer that a customer was told of.
    fn told_transfer(&self, intent: usize) -> Option<String> {
        let attempts = self.attempts.borrow();
        self.calls.borrow().iter().find_map(|call| match (&call.kind, &call.told) {
            (CallKind::Submit(number), Some(Told::Success(id))) if attempts[*number].intent == intent => {
                Some(id.clone())
            }
            _ => None,
        })
    }

    fn is_satisfied(&self, intent: usize) -> bool {
        self.told_transfer(intent).is_some()
    }

    fn intent_of(&self, kind: &CallKind) -> Option<usize> {
        match kind {
            CallKind::Prepare(intent) => Some(*intent),
            CallKind::Submit(number) | CallKind::Discard(number) => {
                Some(self.attempts.borrow()[*number].intent)
            }
            _ => None,
        }
    }

    fn worked_on(&self, intent: usize, page: usize) -> WorkedOn {
        let mut found = Nowhere;
        for call in self.calls.borrow().iter().filter(|call| call.ended_ms.is_none()) {
            let is_alive = self.lives.borrow()[call.life].is_alive();
            if is_alive && self.intent_of(&call.kind) == Some(intent) {
                if call.page != page {
                    return Elsewhere;
                }
                found = Here;
            }
        }
        found
    }

    /// Returns what the customer last learnt of an attempt: `None` if
    /// not submitted, `Some(None)` if no answer.
    pub(crate) fn last_word(&self, number: usize) -> Option<Option<Told>> {
        let calls = self.calls.borrow();
        let of_it =
            |call: &&Call| matches!(call.kind, CallKind::Submit(of) | CallKind::Discard(of) if of == number);
        let mut last = None;
        let mut sending_until_ms = 0;
        for call in calls.iter().filter(of_it) {
            let word = match (&call.kind, &call.told) {
                (CallKind::Submit(_), told) => told.clone(),
                (_, Some(Told::Success(_))) => Some(Told::Failure("discarded".into())),
                _ => continue,
            };
            match word {
                // Without a common lock a refusal says nothing of what another tab sends meanwhile.
                Some(Told::Failure(_)) if call.started_ms < sending_until_ms => continue,
                Some(Told::Failure(_)) => {}
                _ if call.ended_ms.is_none() && self.lives.borrow()[call.life].is_alive() => {
                    sending_until_ms = u64::MAX;
                }
                _ => sending_until_ms = sending_until_ms.max(call.ended_ms.unwrap_or(0)),
            }
            last = Some(word);
        }
        last
    }

    /// The attempts at an intent that were submitted and whose outcome nobody was told.
    fn open_attempts(&self, intent: usize) -> Vec<usize> {
        let numbers = 0..self.attempts.borrow().len();
        let is_open = |number: &usize| {
            self.attempts.borrow()[*number].intent == intent
                && matches!(self.last_word(*number), Some(None | Some(Told::Unknown)))
        };
        numbers.filter(is_open).collect()
    }

    /// Whether another attempt at the same intent has succeeded or is open: nobody submits both.
    pub(crate) fn has_rival(&self, intent: usize, number: usize) -> bool {
        let count = self.attempts.borrow().len();
        (0..count).any(|other| {
            other != number
                && self.attempts.borrow()[other].intent == intent
                && matches!(self.last_word(other), Some(None | Some(Told::Unknown | Told::Success(_))))
        })
    }
}

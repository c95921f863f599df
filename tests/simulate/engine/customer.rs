//! The steps of customers, and the results that they get.

use std::collections::BTreeSet;
use std::rc::Rc;

use remitkit::api::json::{Codec, JsonRef};
use remitkit::api::{
    CANCEL_CUSTOMER_HOLD, CREATE_RECIPIENT, CREATE_RECIPIENT_ACCOUNT, Code, DELETE_RECIPIENT,
    DELETE_RECIPIENT_ACCOUNT, Error, Operation, QUOTE, RELEASE_CUSTOMER_HOLD, TransferRequest,
};
use remitkit::client::{AttemptState, Client, CompletedTransfer, Platform, Reply, TransferAttempt};

use super::history::{Action, Page, Step, Target};
use super::page::{Env, Signal};
use super::page_load::PageLoad;
use super::services::{CORRIDOR, Recipient, account_body, iban, recipient_body};
use super::world::{
    Attempt as WorldAttempt, Call, CallKind, CallResult, Quote, START_MS, World, key_of, text_of,
};

type Attempt = Rc<TransferAttempt<Env>>;

/// An open page with its client.
#[derive(Clone)]
pub(crate) struct Tab {
    pub(crate) world: Rc<World>,
    pub(crate) load: Rc<PageLoad>,
    pub(crate) client: Client<Env>,
}

impl Tab {
    fn recipient(&self, number: u8) -> &Recipient {
        &self.world.services.customer(self.load.customer).recipients[usize::from(number)]
    }

    /// Makes a call and records its result; `id_of` returns the id of what was made.
    async fn call<T>(
        &self,
        kind: CallKind,
        abort: Option<u32>,
        work: impl AsyncFnOnce(&Client<Env>, &Signal) -> Result<T, Error>,
        id_of: impl Fn(&T) -> String,
    ) -> Result<T, Error> {
        let world = &self.world;
        let number = world.calls.borrow().len();
        let started_ms = world.now_ms();
        let abort_ms = abort.map(|after_ms| started_ms + u64::from(after_ms));
        world.calls.borrow_mut().push(Call {
            page: self.load.page.index,
            load: self.load.number,
            kind: kind.clone(),
            started_ms,
            abort_ms,
            ended_ms: None,
            result: None,
            has_sent: false,
            left_prepared: false,
        });
        let name = self.load.name();
        world.trace(|| format!("{name} calls {kind:?}"));
        let outcome = work(&self.client, &abort_ms).await;
        let code = outcome.as_ref().map(drop).map_err(Error::code);
        world.trace(|| format!("{name} gets {code:?} of {kind:?}"));
        let result = match &outcome {
            Ok(done) => CallResult::Success(id_of(done)),
            Err(error) if error.code() == Code::OutcomeUnknown => CallResult::Unknown,
            Err(error) => CallResult::Failure(format!("{:?}", error.code())),
        };
        let ended_ms = Some(world.now_ms());
        let mut calls = world.calls.borrow_mut();
        (calls[number].ended_ms, calls[number].result) = (ended_ms, Some(result));
        drop(calls);
        world.judge_call(number);
        outcome
    }

    pub(crate) async fn pending(&self) -> Option<Vec<(usize, Attempt)>> {
        let list = async |client: &Client<Env>, _: &Signal| client.pending_transfers().await;
        let listed = self.call(CallKind::Pending, None, list, |_| String::new()).await.ok()?;
        let mut attempts = Vec::new();
        for attempt in listed {
            let Some(number) = self.number_of(&attempt) else { continue };
            let owner = self.world.attempts.borrow()[number].customer;
            if owner != self.load.customer {
                self.world.report("another's attempt is listed", format!("attempt {number} of {owner}"));
            }
            attempts.push((number, Rc::new(attempt)));
        }
        Some(attempts)
    }

    fn number_of(&self, attempt: &TransferAttempt<Env>) -> Option<usize> {
        let (nonce, quote) = (attempt.nonce().as_str(), attempt.quote_history_id().as_str());
        let known = self.world.attempt_by_key(&format!("{nonce}/{quote}"));
        // Of an entry that it cannot read the page knows the quote alone.
        let unread = || {
            let read = self.load.last_read.borrow();
            self.world.attempt_by_key(read.get(&format!("remitkit.attempt.{quote}"))?)
        };
        known.or_else(|| unread().filter(|_| nonce == quote))
    }

    /// Whether the payment has a name, and this page's journal shows all attempts at it: the SDK then makes
    /// no second transfer of it, however careless the customer is. A duplicated tab may send at the same
    /// moment, unless the tabs have common locks; what it has sent and has not arrived no other tab can know;
    /// nor can it know, while it submits an attempt, what another tab prepares meanwhile.
    pub(crate) fn is_guarded(&self, intent: usize) -> bool {
        let world = &self.world;
        let Page { journal, locks, .. } = self.load.page.page;
        let is_copied = world.history.has_copies();
        let shares_locks = world.history.pages.iter().all(|page| page.locks == locks);
        let shown = world.journals[usize::from(journal)].borrow();
        let is_submitted = |number: usize| {
            let calls = world.calls.borrow();
            calls.iter().any(|call| call.kind == CallKind::Submit(number) && world.is_running(call))
        };
        let is_shown = |(number, attempt): (usize, &WorldAttempt)| {
            let text = || shown.get(&format!("remitkit.attempt.{}", attempt.quote));
            let is_copied_here = || text().and_then(|text| key_of(text)).as_ref() == Some(&attempt.key);
            let has_arrived = || {
                let commits = world.commits.borrow();
                attempt.sent_ms.is_none()
                    || commits.iter().any(|commit| commit.key.as_ref() == Some(&attempt.key))
            };
            attempt.journal == journal && !is_copied
                || shares_locks && is_copied_here() && has_arrived() && !is_submitted(number)
        };
        let attempts = world.attempts.borrow();
        let mut of_intent = attempts.iter().enumerate().filter(|(_, attempt)| attempt.intent == intent);
        world.history.intents[intent].is_named && of_intent.all(is_shown)
    }

    /// Pays once more, whatever was paid before.
    async fn pay_carelessly(&self, intent: usize, abort: Option<u32>) {
        if let Some((number, attempt)) = self.prepare(intent).await
            && self.is_guarded(intent)
        {
            self.submit(number, &attempt, abort).await;
        }
    }

    /// Whether the customer knows of another attempt that forbids this one.
    fn has_rival(&self, intent: usize, number: usize) -> bool {
        !self.is_guarded(intent) && self.world.has_rival(intent, number)
    }

    pub(crate) async fn submit(&self, number: usize, attempt: &Attempt, abort: Option<u32>) {
        let work = async |_: &Client<Env>, signal: &Signal| attempt.submit().with_signal(*signal).await;
        let id_of = |outcome: &CompletedTransfer| outcome.transfer.transfer_id.as_str().to_owned();
        let place = self.world.calls.borrow().len();
        let outcome = self.call(CallKind::Submit(number), abort, work, id_of).await;
        self.world.calls.borrow_mut()[place].left_prepared =
            outcome.is_err() && attempt.state() == AttemptState::Prepared;
    }

    pub(crate) async fn discard(&self, number: usize, attempt: &Attempt) {
        let work = async |_: &Client<Env>, signal: &Signal| attempt.discard().with_signal(*signal).await;
        let _ = self.call(CallKind::Discard(number), None, work, |()| String::new()).await;
    }

    fn hold(&self, number: usize, attempt: Attempt) -> Attempt {
        let mut held = self.load.held.borrow_mut();
        held.retain(|(known, _)| *known != number);
        held.push((number, Rc::clone(&attempt)));
        attempt
    }

    /// Returns the attempts at an intent that this page holds, the newest first.
    fn held(&self, intent: usize) -> Vec<(usize, Attempt)> {
        let held = self.load.held.borrow();
        held.iter().rev().filter(|(number, _)| self.world.intent_of(*number) == intent).cloned().collect()
    }

    /// Submits the newest attempt that this page holds, unless another one is open or made.
    async fn submit_held(&self, intent: usize, abort: Option<u32>) {
        if let Some((number, attempt)) = self.held(intent).first()
            && !self.has_rival(intent, *number)
        {
            self.submit(*number, attempt, abort).await;
        }
    }

    async fn quote(&self, intent: usize, price: &str) -> Option<String> {
        let world = &self.world;
        if let Some(root) = world.history.intents[intent].quote_of {
            let quotes = world.quotes.borrow();
            let newest = quotes.iter().rev().find(|quote| quote.intent == usize::from(root));
            return newest.map(|quote| quote.id.clone());
        }
        let request = Some(format!("{{{price}}}"));
        let quoted = self.perform(CallKind::Read, &QUOTE, Vec::new(), request, None).await.ok()?;
        let id = text_of(&quoted, "quoteHistoryId")?;
        let end = text_of(&quoted, "expirationDate");
        let end = end.and_then(|end| self.client.platform().parse_time_ms(&end));
        let expires_ms = end.map(|end| end.saturating_sub(START_MS));
        let quote = Quote { id: id.clone(), intent, load: self.load.number, expires_ms };
        world.quotes.borrow_mut().push(quote);
        Some(id)
    }

    async fn prepare(&self, intent: usize) -> Option<(usize, Attempt)> {
        let meant = self.world.history.intents[intent];
        let Recipient { id, account_id } =
            &self.world.services.customer(meant.customer).recipients[usize::from(meant.recipient)];
        let amount = self.world.history.amount(intent);
        let price =
            format!(r#"{CORRIDOR},"srcCurrencyIso3Code":"USD","quoteBy":"SEND_AMOUNT","amount":{amount}"#);
        let quote_id = self.quote(intent, &price).await?;
        let recipient = format!(r#""recipientId":"{id}","recipientAccountId":"{account_id}","fields":[]"#);
        let hold = if meant.hold { r#","customerHold":true"# } else { "" };
        let payment =
            if meant.is_named { format!(r#","paymentId":"intent {intent}""#) } else { String::new() };
        let request = format!(r#"{{{price},"quoteHistoryId":"{quote_id}",{recipient}{hold}{payment}}}"#);
        let request = TransferRequest::read(JsonRef::new(&request))?;
        let work = async |client: &Client<Env>, signal: &Signal| {
            client.prepare_transfer(&request).with_signal(*signal).await
        };
        let attempt = self.call(CallKind::Prepare(intent), None, work, |_| String::new()).await.ok()?;
        let number = self.number_of(&attempt)?;
        Some((number, self.hold(number, Rc::new(attempt))))
    }

    async fn perform(
        &self,
        kind: CallKind,
        operation: &'static Operation,
        ids: Vec<String>,
        input: Option<String>,
        abort: Option<u32>,
    ) -> Result<String, Error> {
        let work = async |client: &Client<Env>, signal: &Signal| {
            client.call_json(operation, ids, input).with_signal(*signal).await.map(Reply::into_json)
        };
        let id_of = |reply: &String| {
            let id = ["recipientAccountId", "recipientId"].iter().find_map(|id| text_of(reply, id));
            id.unwrap_or_default()
        };
        self.call(kind, abort, work, id_of).await
    }

    /// Pays as the documentation says: resumes what is pending, and makes a transfer only if nothing is.
    async fn pay(&self, intent: usize, abort: Option<u32>) {
        let world = &self.world;
        if !self.is_own(intent) {
            return;
        }
        if self.is_guarded(intent) && world.random_below(2) == 0 {
            return self.pay_carelessly(intent, abort).await;
        }
        if world.is_satisfied(intent) {
            return;
        }
        match world.worked_on(intent, self.load.page.index) {
            Elsewhere => return,
            // A second click.
            Here => return self.submit_held(intent, abort).await,
            Nowhere => {}
        }
        // A list is as old as its read of the journal. If another tab has reported an open attempt since the
        // list was requested, its customer looks again: an attempt missing from an older list has not
        // necessarily ended.
        let listed = loop {
            let open_before = world.open_attempts(intent);
            let Some(listed) = self.pending().await else { return };
            if world.worked_on(intent, self.load.page.index) != Nowhere || world.is_satisfied(intent) {
                return;
            }
            if world.open_attempts(intent).iter().all(|number| open_before.contains(number)) {
                break listed;
            }
        };
        if let Some((number, attempt)) =
            listed.into_iter().find(|(number, _)| world.intent_of(*number) == intent)
        {
            if !self.has_rival(intent, number) {
                let attempt = self.hold(number, attempt);
                self.submit(number, &attempt, abort).await;
            }
            return;
        }
        let open = world.open_attempts(intent);
        for number in &open {
            if let Some((_, attempt)) = self.held(intent).into_iter().find(|(held, _)| held == number) {
                return self.submit(*number, &attempt, abort).await;
            }
            // An attempt in another journal is invisible; one missing from this journal has ended, for the
            // page.
            if world.history.has_copies()
                || world.attempts.borrow()[*number].journal != self.load.page.page.journal
            {
                return;
            }
        }
        if let Some((number, attempt)) = self.prepare(intent).await
            && world.worked_on(intent, self.load.page.index) == Nowhere
            && !world.is_satisfied(intent)
            && world.open_attempts(intent).iter().all(|other| *other == number || open.contains(other))
        {
            self.submit(number, &attempt, abort).await;
        }
    }

    async fn resume(&self, abort: Option<u32>) {
        let Some(listed) = self.pending().await else { return };
        for (number, attempt) in listed {
            if !self.has_rival(self.world.intent_of(number), number) {
                let attempt = self.hold(number, attempt);
                self.submit(number, &attempt, abort).await;
            }
        }
    }

    fn is_own(&self, intent: usize) -> bool {
        self.world.history.intents[intent].customer == self.load.customer
    }

    pub(crate) async fn act(self, step: Step) {
        let (world, intent, abort) = (&self.world, usize::from(step.intent), step.abort);
        match step.action {
            Action::Pay => self.pay(intent, abort).await,
            Action::Prepare => {
                if self.is_own(intent)
                    && !world.is_satisfied(intent)
                    && world.open_attempts(intent).is_empty()
                {
                    self.prepare(intent).await;
                }
            }
            Action::Submit if self.is_own(intent) => self.submit_held(intent, abort).await,
            Action::Discard if self.is_own(intent) => {
                if let Some((number, attempt)) = self.held(intent).first() {
                    self.discard(*number, attempt).await;
                }
            }
            Action::HoldListed => {
                for (number, attempt) in self.pending().await.unwrap_or_default() {
                    self.hold(number, attempt);
                }
            }
            Action::Resume => self.resume(abort).await,
            action => self.write(action, intent, abort).await,
        }
    }

    /// Creates or deletes a record, or ends a hold.
    async fn write(&self, action: Action, intent: usize, abort: Option<u32>) {
        let world = &self.world;
        let hold_of = |id: &str, end: &str| format!("/v1/transfers/{id}/customer-hold/{end}");
        let (target, operation, marker, ids, body): (_, &'static Operation, _, _, _) = match action {
            Action::CreateRecipient => {
                let name = format!("Marked {}", letters(world.mark()));
                let body = Some(recipient_body(&name));
                (Target::Create, &CREATE_RECIPIENT, name, vec![], body)
            }
            Action::CreateAccount => {
                let (number, ids) = (world.mark(), vec![self.recipient(0).id.clone()]);
                let body = Some(account_body(number));
                (Target::Create, &CREATE_RECIPIENT_ACCOUNT, iban(number), ids, body)
            }
            Action::DeleteRecipient { recipient } => {
                let id = self.recipient(recipient).id.clone();
                (Target::Delete, &DELETE_RECIPIENT, format!("/v1/recipients/{id}"), vec![id], None)
            }
            Action::DeleteAccount { recipient } => {
                let Recipient { id, account_id } = self.recipient(recipient).clone();
                let marker = format!("/accounts/{account_id}");
                (Target::Delete, &DELETE_RECIPIENT_ACCOUNT, marker, vec![id, account_id], None)
            }
            Action::Release | Action::Cancel if self.is_own(intent) => {
                let Some(id) = world.reported_transfer(intent) else { return };
                if action == Action::Release {
                    (Target::Hold, &RELEASE_CUSTOMER_HOLD, hold_of(&id, "release"), vec![id], None)
                } else {
                    let reason = Some(r#"{"reason":"CUSTOMER_REQUEST"}"#.to_owned());
                    (Target::Hold, &CANCEL_CUSTOMER_HOLD, hold_of(&id, "cancel"), vec![id], reason)
                }
            }
            _ => return,
        };
        // A customer deletes a record and ends a hold once.
        if target == Target::Create || world.begun.borrow_mut().insert(marker.clone()) {
            let _ = self.perform(CallKind::Write(target, marker), operation, ids, body, abort).await;
        }
    }
}

/// Spells a number in letters, as a name has no digits.
fn letters(number: u32) -> String {
    number.to_string().bytes().map(|digit| char::from(b'A' + digit - b'0')).collect()
}

/// Where calls for an intent are running.
#[derive(PartialEq)]
enum WorkedOn {
    Nowhere,
    Here,
    Elsewhere,
}
use WorkedOn::{Elsewhere, Here, Nowhere};

impl World {
    fn mark(&self) -> u32 {
        self.next_marker.replace(self.next_marker.get() + 1)
    }

    pub(crate) fn intent_of(&self, attempt: usize) -> usize {
        self.attempts.borrow()[attempt].intent
    }

    /// Returns the transfer at an intent that was reported to its customer.
    fn reported_transfer(&self, intent: usize) -> Option<String> {
        self.calls.borrow().iter().find_map(|call| match (&call.kind, &call.result) {
            (CallKind::Submit(number), Some(CallResult::Success(id)))
                if self.intent_of(*number) == intent =>
            {
                Some(id.clone())
            }
            _ => None,
        })
    }

    fn is_satisfied(&self, intent: usize) -> bool {
        self.reported_transfer(intent).is_some()
    }

    fn worked_on(&self, intent: usize, page: usize) -> WorkedOn {
        let calls = self.calls.borrow();
        let is_for_it = |call: &&Call| {
            let of = match call.kind {
                CallKind::Prepare(intent) => intent,
                CallKind::Submit(number) | CallKind::Discard(number) => self.intent_of(number),
                _ => return false,
            };
            of == intent && self.is_running(call)
        };
        let running: Vec<usize> = calls.iter().filter(is_for_it).map(|call| call.page).collect();
        match running.iter().all(|of| *of == page) {
            _ if running.is_empty() => Nowhere,
            true => Here,
            false => Elsewhere,
        }
    }

    /// Returns the last result of an attempt that its customer got: `None` if it was not submitted,
    /// `Some(None)` if there is no result yet.
    pub(crate) fn last_result(&self, attempt: usize) -> Option<Option<CallResult>> {
        let calls = self.calls.borrow();
        let mut last = None;
        let mut waiting = BTreeSet::new();
        let mut sending_until_ms = 0;
        let is_copied = self.history.has_copies();
        for call in calls.iter().filter(|call| call.is_on(attempt)) {
            let result = match (&call.kind, &call.result) {
                // It says nothing of the attempt, which can be submitted again.
                (_, Some(CallResult::Failure(_))) if call.left_prepared => continue,
                (CallKind::Submit(_), result) => result.clone(),
                (_, Some(CallResult::Success(_))) => Some(CallResult::Failure("discarded".into())),
                _ => continue,
            };
            let is_failure = matches!(result, Some(CallResult::Failure(_)));
            // What one tab was told of a copy says nothing of what another one still waits for.
            let is_open = waiting.iter().any(|page| *page != call.page);
            let is_settled = matches!(last, Some(Some(CallResult::Success(_))));
            if is_copied && (is_settled || is_open && is_failure) {
                continue;
            }
            // Without a common lock a refusal says nothing of what another tab sends meanwhile.
            if is_failure && call.started_ms < sending_until_ms {
                continue;
            }
            match result {
                None | Some(CallResult::Unknown) => waiting.insert(call.page),
                Some(_) => waiting.remove(&call.page),
            };
            if self.is_running(call) {
                sending_until_ms = u64::MAX;
            } else if !is_failure {
                sending_until_ms = sending_until_ms.max(call.ended_ms.unwrap_or(0));
            }
            last = Some(result);
        }
        last
    }

    /// Returns the submitted attempts at an intent whose outcome no page has received.
    fn open_attempts(&self, intent: usize) -> Vec<usize> {
        let is_open = |number: &usize| {
            let result = self.last_result(*number);
            self.intent_of(*number) == intent && matches!(result, Some(None | Some(CallResult::Unknown)))
        };
        (0..self.attempts.borrow().len()).filter(is_open).collect()
    }

    /// Whether an attempt was made or is open, as far as its customer was told.
    fn is_alive(&self, attempt: usize) -> bool {
        let result = self.last_result(attempt);
        matches!(result, Some(None | Some(CallResult::Unknown | CallResult::Success(_))))
    }

    /// Whether another attempt at the same intent has succeeded or is open; no customer submits both.
    fn has_rival(&self, intent: usize, number: usize) -> bool {
        let mut others = (0..self.attempts.borrow().len()).filter(|other| *other != number);
        others.any(|other| self.intent_of(other) == intent && self.is_alive(other))
    }

    /// Whether only a duplicated tab's copy of the journal shows an attempt as open: its customer was told that
    /// no transfer was made of it, as none was, and has paid with another one, prepared for the same payment. No
    /// client can know better than to list it there. The copy shows as sent what its page saved in vain, or what
    /// the service refused afterwards.
    pub(crate) fn is_left_in_copy(&self, number: usize) -> bool {
        let attempts = self.attempts.borrow();
        let key = &attempts[number].key;
        let is_made = || self.commits.borrow().iter().any(|commit| commit.key.as_ref() == Some(key));
        self.history.has_copies()
            && self.is_satisfied(attempts[number].intent)
            && !self.is_alive(number)
            && !is_made()
    }
}

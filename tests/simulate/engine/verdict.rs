//! What the pages were told, held against what the services did.

use serde_json::Value;

use super::history::{Target, What};
use super::stage::service_of;
use super::world::{CallKind, Effect, Sent, Told, World};

/// How long a call may take. The longest that the documentation allows.
const CALL_BOUND_MS: u64 = 300_000;
const SUBMIT_BOUND_MS: u64 = 60_000 + ABORT_BOUND_MS;
/// How long a call goes on after its signal has ended it.
const ABORT_BOUND_MS: u64 = 1_000;
/// What rounding and the events of one moment come to.
const SLACK_MS: u64 = 100;

impl World {
    /// What can be said as soon as a call has ended.
    pub(crate) fn judge_call(&self, number: usize) {
        let calls = self.calls.borrow();
        let call = &calls[number];
        let (Some(ended_ms), Some(told)) = (call.ended_ms, &call.told) else { return };
        let bound_ms = match call.kind {
            CallKind::Submit(_) => SUBMIT_BOUND_MS,
            _ => CALL_BOUND_MS,
        };
        let took_ms = ended_ms - call.started_ms;
        if took_ms > bound_ms + SLACK_MS {
            self.found("a call takes too long", format!("{:?} took {took_ms} ms: {told:?}", call.kind));
        }
        if let Some(aborted_ms) = call.aborted_ms
            && ended_ms - aborted_ms > ABORT_BOUND_MS + SLACK_MS
        {
            let late_ms = ended_ms - aborted_ms;
            self.found(
                "an abort does not end the waiting",
                format!("{:?} ended {late_ms} ms after it", call.kind),
            );
        }
        let is_aborted = *told == Told::Failure("Aborted".into());
        if is_aborted && call.aborted_ms.is_none() {
            self.found("a call ends with another's abort", format!("{:?}", call.kind));
        }
        if let (CallKind::Submit(of), Told::Unknown) = (&call.kind, told) {
            let attempts = self.attempts.borrow();
            let attempt = &attempts[*of];
            let is_worked_on = calls.iter().enumerate().any(|(other, call)| {
                other != number
                    && (call.ended_ms.is_none() || call.life != calls[number].life)
                    && matches!(call.kind, CallKind::Submit(o) | CallKind::Discard(o) if o == *of)
            });
            // A journal that does not answer leaves open what it will keep.
            let is_disk_bad = self.history.faults.iter().any(|fault| matches!(fault.what, What::Disk(..)));
            // Nor can a page tell why another has taken the attempt out of the journal.
            let is_taken = attempt.taken_by.is_some_and(|life| life != calls[number].life);
            let is_open = !attempt.posted_ms.is_empty()
                || attempt.was_noted_sent
                || is_worked_on
                || is_disk_bad
                || is_taken;
            if !is_open && call.aborted_ms.is_none() {
                self.found("unknown is told of what was never sent", format!("attempt {of}"));
            }
        }
    }

    /// What can be said once nothing is under way any more.
    pub(crate) async fn judge(&self) {
        let mut transfers = Vec::new();
        for service in &self.stage.services {
            transfers.push(service.transfers().await);
        }
        self.judge_submissions(&transfers);
        self.judge_writes(&transfers);
        self.judge_intents(&transfers);
        for call in self.calls.borrow().iter() {
            if call.ended_ms.is_none() && self.lives.borrow()[call.life].is_alive() {
                self.found("a call never ends", format!("{:?} of page {}", call.kind, call.page));
            }
        }
    }

    fn judge_submissions(&self, transfers: &[Vec<Value>]) {
        let calls = self.calls.borrow();
        let attempts = self.attempts.borrow();
        let effects = self.effects.borrow();
        for (place, call) in calls.iter().enumerate() {
            let (number, Some(told), Some(ended_ms)) = (
                match call.kind {
                    CallKind::Submit(number) | CallKind::Discard(number) => number,
                    _ => continue,
                },
                &call.told,
                call.ended_ms,
            ) else {
                continue;
            };
            let attempt = &attempts[number];
            let made = || effects.iter().filter(|effect| effect.nonce.as_ref() == Some(&attempt.nonce));
            match (&call.kind, told) {
                (CallKind::Discard(_), Told::Success(_)) => {
                    if let Some(effect) = made().next() {
                        let detail =
                            format!("attempt {number} discarded at {ended_ms}, made at {}", effect.at_ms);
                        self.found("a discarded attempt is made", detail);
                    }
                }
                (CallKind::Submit(_), Told::Failure(code)) => {
                    // What another call sends of the same attempt afterwards is that call's own result. This
                    // call releases the lock at the very moment it ends, so whatever is sent then comes from
                    // the next holder. Tabs without a common lock work on it at once, as the documentation
                    // says, and each has its own result, which the page that received it repeats.
                    let was_at_it = |by: usize, sent_ms: u64| {
                        calls[..=place].iter().any(|other| {
                            other.kind == call.kind
                                && other.life == call.life
                                && matches!(other.told, Some(Told::Failure(_)))
                                && other.started_ms <= sent_ms
                                && other.ended_ms.is_some_and(|ended_ms| calls[by].started_ms < ended_ms)
                        })
                    };
                    let is_denied = |effect: &&Effect| {
                        let Sent { call: by, sent_ms, .. } = effect.sent;
                        let is_excused = by.is_some_and(|by| {
                            !self.share_locks(call.page, calls[by].page) && was_at_it(by, sent_ms)
                        });
                        by == Some(place) || sent_ms < ended_ms && !is_excused
                    };
                    if let Some(effect) = made().find(is_denied) {
                        let detail =
                            format!("attempt {number}: {code} told at {ended_ms}, made at {}", effect.at_ms);
                        let rule = if effect.at_ms > ended_ms {
                            "a failure is told of a transfer that is made later"
                        } else {
                            "a failure is told of a transfer that was made"
                        };
                        self.found(rule, detail);
                    }
                }
                (CallKind::Submit(_), Told::Success(id)) => {
                    let service = service_of(attempt.customer);
                    let found =
                        transfers[service].iter().find(|transfer| transfer["transferId"] == id.as_str());
                    let Some(transfer) = found else {
                        self.found("a success is told of no transfer", format!("attempt {number}: {id:?}"));
                        continue;
                    };
                    if !self.is_of(transfer, attempt.intent)
                        || transfer["quoteHistoryId"] != attempt.quote.as_str()
                    {
                        let detail = format!("attempt {number} of intent {}: {id}", attempt.intent);
                        self.found("a success is told of another's transfer", detail);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether two pages wait for each other. Who visits in the end is alone.
    fn share_locks(&self, one: usize, other: usize) -> bool {
        let locks_of = |page: usize| self.pages.get(page).map(|page| page.page.locks);
        match (locks_of(one), locks_of(other)) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        }
    }

    /// Whether a transfer in the database is what an intent was about.
    fn is_of(&self, transfer: &Value, intent: usize) -> bool {
        let meant = self.history.intents[intent];
        let customer = self.stage.customer(meant.customer);
        transfer["senderId"] == customer.sender_id.as_str()
            && transfer["recipientId"] == customer.recipients[usize::from(meant.recipient)].id.as_str()
            && transfer["sendAmount"]["value"].as_i64() == Some(self.history.amount(intent))
    }

    /// Whether the account that a marker names is one of the recipient at this path.
    fn is_account_of(&self, marker: &str, path: &str) -> bool {
        let customers = self.stage.services.iter().flat_map(|service| &service.customers);
        let mut recipients = customers.flat_map(|customer| &customer.recipients);
        recipients.any(|recipient| marker.ends_with(&recipient.account_id) && path.ends_with(&recipient.id))
    }

    fn judge_intents(&self, transfers: &[Vec<Value>]) {
        for (intent, meant) in self.history.intents.iter().enumerate() {
            let made =
                transfers[service_of(meant.customer)].iter().filter(|transfer| self.is_of(transfer, intent));
            if made.clone().count() > 1 {
                let quotes: Vec<&str> =
                    made.filter_map(|transfer| transfer["quoteHistoryId"].as_str()).collect();
                self.found("two transfers for one intent", format!("intent {intent}: quotes {quotes:?}"));
            }
        }
        let (attempts, calls) = (self.attempts.borrow(), self.calls.borrow());
        for transfer in transfers.iter().flatten() {
            let is_its = |nonce: &str| transfer["nonce"] == nonce;
            let Some(number) = attempts.iter().position(|attempt| is_its(&attempt.nonce)) else {
                self.found("a transfer is made that nobody prepared", transfer["transferId"].to_string());
                continue;
            };
            let is_told = calls.iter().any(|call| {
                matches!(call.kind, CallKind::Submit(of) if attempts[of].intent == attempts[number].intent)
                    && matches!(&call.told, Some(Told::Success(id)) if transfer["transferId"] == id.as_str())
            });
            if !is_told {
                self.found("a transfer is made that nobody is told of", format!("attempt {number}"));
            }
        }
    }

    fn judge_writes(&self, transfers: &[Vec<Value>]) {
        let holds = |marker: &str| -> Option<String> {
            let id = marker.split('/').nth(3)?;
            let transfer = transfers.iter().flatten().find(|transfer| transfer["transferId"] == id)?;
            transfer["customerHold"].as_str().map(str::to_owned)
        };
        let effects = self.effects.borrow();
        for (number, call) in self.calls.borrow().iter().enumerate() {
            let CallKind::Write(target, marker) = &call.kind else { continue };
            let made: Vec<&Effect> =
                effects.iter().filter(|effect| effect.sent.call == Some(number)).collect();
            let rule = |of_create, of_delete, of_hold| match target {
                Target::Create => of_create,
                Target::Delete => of_delete,
                _ => of_hold,
            };
            match &call.told {
                Some(Told::Success(id)) => {
                    let is_made = match target {
                        Target::Create => made.iter().any(|effect| effect.id == *id),
                        // After a deletion whose answer it does not know, no client can tell a false "no such
                        // recipient" of the service from a true one.
                        Target::Delete
                            if marker.starts_with("/v1/recipients/")
                                && self.belied.borrow().contains(&number) =>
                        {
                            true
                        }
                        // With a recipient its accounts go.
                        Target::Delete => effects.iter().any(|effect| {
                            effect.sent.target == Target::Delete
                                && (effect.sent.path.contains(marker.as_str())
                                    || self.is_account_of(marker, &effect.sent.path))
                        }),
                        // One that was never held is as good as released.
                        _ => match holds(marker).as_deref() {
                            Some("RELEASED" | "NONE") => marker.ends_with("release"),
                            Some("CANCELED") => marker.ends_with("cancel"),
                            _ => false,
                        },
                    };
                    if !is_made {
                        let rule = rule(
                            "a success is told of what is not created",
                            "a success is told of what is not deleted",
                            "a success is told of a hold that did not change",
                        );
                        self.found(rule, marker.clone());
                    }
                }
                // To delete once more does what once does: after any other failure the caller may repeat it.
                Some(Told::Failure(code)) if *target == Target::Delete && !code.ends_with("NotFound") => {}
                Some(Told::Failure(code)) if !made.is_empty() => {
                    let rule = rule(
                        "a failure is told of what is created",
                        "a failure is told of what is deleted",
                        "a failure is told of a hold that changed",
                    );
                    self.found(rule, format!("{code}: {marker}"));
                }
                _ => {}
            }
            if *target == Target::Create && made.iter().filter(|effect| !effect.is_copy).count() > 1 {
                self.found("something is created twice", marker.clone());
            }
        }
    }
}

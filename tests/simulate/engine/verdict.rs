//! The rules: what the calls returned is compared with what the services did.

use serde_json::Value;

use super::history::{Action, Fault, FaultKind, JournalFault, Target};
use super::services::service_of;
use super::world::{Attempt, Call, CallKind, CallResult, Commit, World, key_of};

/// The longest duration of a call that the documentation allows.
const CALL_BOUND_MS: u64 = 300_000;
const SUBMIT_BOUND_MS: u64 = 60_000 + ABORT_BOUND_MS;
/// The longest duration of a call after its signal was aborted.
const ABORT_BOUND_MS: u64 = 1_000;
/// How long a read of the progress waits for an answer.
const QUESTION_MS: u64 = 10_000;
/// Tolerance for rounding and for several events at one moment.
const SLACK_MS: u64 = 100;

impl World {
    /// Applies the rules that concern one call, when it has ended.
    pub(crate) fn judge_call(&self, number: usize) {
        let calls = self.calls.borrow();
        let call = &calls[number];
        let (Some(ended_ms), Some(result)) = (call.ended_ms, &call.result) else { return };
        let bound_ms = match call.kind {
            CallKind::Submit(_) => SUBMIT_BOUND_MS,
            _ => CALL_BOUND_MS,
        };
        let took_ms = ended_ms - call.started_ms;
        if took_ms > bound_ms + SLACK_MS {
            self.report("a call takes too long", format!("{:?} took {took_ms} ms: {result:?}", call.kind));
        }
        let late_ms = call.aborted_ms().map_or(0, |aborted_ms| ended_ms - aborted_ms);
        if late_ms > ABORT_BOUND_MS + SLACK_MS {
            let detail = format!("{:?} ended {late_ms} ms after it", call.kind);
            self.report("an abort does not end the waiting", detail);
        }
        if *result == CallResult::Failure("Aborted".into()) && call.aborted_ms().is_none() {
            self.report("a call ends with another's abort", format!("{:?}", call.kind));
        }
        self.judge_journal(call, result);
        self.judge_unknown(call, result);
        if let (CallKind::Submit(of), CallResult::Unknown) = (&call.kind, result) {
            let attempts = self.attempts.borrow();
            let attempt = &attempts[*of];
            // A call of this page may keep the lock until this one has time for nothing but a last question,
            // which fails: whoever keeps the lock may send.
            let ends_too_late = |running: &Call| {
                running
                    .ended_ms
                    .is_none_or(|other_ms| other_ms + QUESTION_MS > ended_ms && self.is_disturbed(call.page))
            };
            // Attempts with one quote have one lock.
            let has_its_lock = |running: &Call| {
                let mut all = attempts.iter().enumerate();
                all.any(|(at, other)| other.quote == attempt.quote && running.is_on(at))
            };
            let is_worked_on = calls.iter().enumerate().any(|(other, running)| {
                other != number
                    && has_its_lock(running)
                    && (running.load != call.load || ends_too_late(running))
            });
            // The service makes a transfer with its quote, for another attempt that has taken that: whose it is
            // shows once it is made.
            let is_in_process = attempts.iter().enumerate().any(|(other, taker)| {
                let is_open = |call: &Call| {
                    matches!(call.kind, CallKind::Submit(of) if of == other)
                        && matches!(call.result, None | Some(CallResult::Unknown))
                };
                other != *of && taker.quote == attempt.quote && calls.iter().any(is_open)
            });
            // The client cannot know what a faulty journal keeps, nor why another page removed the entry.
            let mut faults = self.history.faults.iter();
            let may_be_unknown = attempt.sent_ms.is_some()
                || is_worked_on
                || is_in_process
                || faults.any(|fault| matches!(fault.kind, FaultKind::Journal(..)))
                || attempt.taken_by.is_some_and(|load| load != call.load)
                // A later version may have sent it.
                || attempt.was_newer
                // A frozen page keeps the lock, and may have sent it.
                || self.history.steps.iter().any(|step| matches!(step.action, Action::Freeze { .. }))
                // The end of a quote is no refusal before the service has answered. What was discarded here, a
                // duplicated tab's copy of the journal may still have.
                || (self.pages.iter().any(|page| page.was_off.get())
                    || attempt.expires_ms.is_none_or(|expires_ms| expires_ms <= ended_ms)
                    || attempt.taken_by.is_some())
                    && self.is_disturbed(call.page);
            if !may_be_unknown && call.aborted_ms().is_none() {
                self.report("an unsent attempt is reported as unknown", format!("attempt {of}"));
            }
        }
    }

    /// Whether a page's questions for the progress fail, for the transfer that it names, or those for the
    /// token and the sender that they need.
    fn is_disturbed(&self, page: usize) -> bool {
        const QUESTIONS: [Target; 3] = [Target::Progress, Target::ReadTransfer, Target::Other];
        let is_question = |kind| match kind {
            FaultKind::Net(target, _) => QUESTIONS.contains(&target),
            FaultKind::Token(_) => true,
            FaultKind::Journal(..) => false,
        };
        let mut faults = self.history.faults.iter();
        faults.any(|fault| usize::from(fault.page) == page && is_question(fault.kind))
    }

    /// Reports a call that fails by its journal though that failed once.
    fn judge_journal(&self, call: &Call, result: &CallResult) {
        let faults = self.history.faults.iter().filter(|fault| usize::from(fault.page) == call.page);
        let mut of_journal = faults.filter(|fault| matches!(fault.kind, FaultKind::Journal(..)));
        let failed_once = match (of_journal.next(), of_journal.next()) {
            (Some(Fault { kind: FaultKind::Journal(_, fault), .. }), None) => {
                matches!(fault, JournalFault::Fails | JournalFault::FailsAfter)
            }
            _ => false,
        };
        if failed_once && *result == CallResult::Failure("JournalUnavailable".into()) {
            self.report("a call fails though its journal failed once", format!("{:?}", call.kind));
        }
    }

    /// Reports an outcome that stays unknown though the transfer was made before and nothing kept the page
    /// from asking.
    fn judge_unknown(&self, call: &Call, result: &CallResult) {
        let (CallKind::Submit(of), CallResult::Unknown, None) = (&call.kind, result, call.aborted_ms())
        else {
            return;
        };
        let is_write = |fault: &&Fault| matches!(fault.kind, FaultKind::Net(Target::Transfer, _));
        let is_undisturbed = self.history.faults.iter().all(|fault| is_write(&fault));
        let (attempts, commits) = (self.attempts.borrow(), self.commits.borrow());
        let is_made = commits
            .iter()
            .any(|commit| commit.key.as_ref() == Some(&attempts[*of].key) && commit.at_ms < call.started_ms);
        let is_own =
            self.loads.borrow().get(call.load).is_some_and(|load| load.customer == attempts[*of].customer);
        if is_undisturbed && is_made && is_own {
            self.report("a made transfer is not found", format!("attempt {of}"));
        }
    }

    /// Reports the calls that have not ended though their pages still wait.
    pub(crate) fn judge_ends(&self) {
        for call in self.calls.borrow().iter().filter(|call| self.is_running(call)) {
            self.report("a call never ends", format!("{:?} of page {}", call.kind, call.page));
        }
    }

    /// Applies all other rules, once no request is in flight.
    pub(crate) async fn judge(&self) {
        let mut transfers = Vec::new();
        for service in &self.services.0 {
            transfers.push(service.transfers().await);
        }
        self.judge_transfers(&transfers);
    }

    /// Compares the transfers of each service with what the calls returned.
    pub(crate) fn judge_transfers(&self, transfers: &[Vec<Value>]) {
        self.judge_submissions(transfers);
        self.judge_writes(transfers);
        self.judge_intents(transfers);
    }

    fn judge_submissions(&self, transfers: &[Vec<Value>]) {
        let calls = self.calls.borrow();
        let attempts = self.attempts.borrow();
        let commits = self.commits.borrow();
        for (place, call) in calls.iter().enumerate() {
            let (CallKind::Submit(number) | CallKind::Discard(number)) = call.kind else { continue };
            let (Some(result), Some(ended_ms)) = (&call.result, call.ended_ms) else { continue };
            let attempt = &attempts[number];
            let mut made = commits.iter().filter(|commit| commit.key.as_ref() == Some(&attempt.key));
            self.judge_nonce(call, number, &attempts, &calls[..place]);
            self.judge_payment(call, number, &attempts, &commits);
            match (&call.kind, result) {
                (CallKind::Discard(_), CallResult::Success(_)) => {
                    let is_hidden = |commit: &&Commit| {
                        let by = commit.request.call.map(|by| &calls[by]);
                        by.is_some_and(|by| self.is_hidden(call, by, commit.at_ms))
                    };
                    if let Some(commit) = made.find(|commit| !is_hidden(commit)) {
                        let detail =
                            format!("attempt {number} discarded at {ended_ms}, made at {}", commit.at_ms);
                        self.report("a discarded attempt is made", detail);
                    }
                }
                (CallKind::Submit(_), CallResult::Failure(code)) => {
                    // What another call sends of the same attempt afterwards is that call's own result. This
                    // call releases the lock at the very moment it ends, so whatever is sent then comes from
                    // the next holder. Tabs without a common lock work on it at once, as the documentation
                    // says, and each has its own result, which the page that received it repeats.
                    let overlaps = |by: usize, sent_ms: u64| {
                        calls[..=place].iter().any(|other| {
                            other.kind == call.kind
                                && other.load == call.load
                                && matches!(other.result, Some(CallResult::Failure(_)))
                                && other.started_ms <= sent_ms
                                && other.ended_ms.is_some_and(|ended_ms| calls[by].started_ms < ended_ms)
                        })
                    };
                    let is_denied = |commit: &&Commit| {
                        let (by, sent_ms) = (commit.request.call, commit.request.sent_ms);
                        let is_excused = by.is_some_and(|by| {
                            !self.share_locks(call.page, calls[by].page) && overlaps(by, sent_ms)
                                || self.is_hidden(call, &calls[by], commit.at_ms)
                                || self.is_posted_after_end(&calls[by], attempt, sent_ms)
                        });
                        // Nobody expects a copy of what the service has refused before.
                        !commit.is_copy && (by == Some(place) || sent_ms < ended_ms && !is_excused)
                    };
                    if let Some(commit) = made.find(is_denied) {
                        let detail = format!(
                            "attempt {number}: {code} reported at {ended_ms}, made at {}",
                            commit.at_ms
                        );
                        let rule = if commit.at_ms > ended_ms {
                            "a failure is reported, and the transfer is made later"
                        } else {
                            "a failure is reported for a made transfer"
                        };
                        self.report(rule, detail);
                    }
                }
                (CallKind::Submit(_), CallResult::Success(id)) => {
                    let mut made = transfers[service_of(attempt.customer)].iter();
                    let Some(transfer) = made.find(|transfer| transfer["transferId"] == id.as_str()) else {
                        self.report(
                            "a success is reported without a transfer",
                            format!("attempt {number}: {id:?}"),
                        );
                        continue;
                    };
                    // Of an entry that it cannot read, a page knows no more than quote and sender.
                    let sender_id = self.services.customer(attempt.customer).sender_id.as_str();
                    let is_own = attempt.was_newer && transfer["senderId"] == sender_id
                        || self.is_of(transfer, attempt.intent);
                    if !is_own || transfer["quoteHistoryId"] != attempt.quote.as_str() {
                        let detail = format!("attempt {number} of intent {}: {id}", attempt.intent);
                        self.report("a success is reported with another's transfer", detail);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether a call could not know what another one had sent: from a copy of its journal, and still under
    /// way; or its own journal failed, and it says that the attempt is as it was.
    fn is_hidden(&self, call: &Call, by: &Call, made_at_ms: u64) -> bool {
        let journal_of = |call: &Call| self.pages.get(call.page).map(|page| page.page.journal);
        let is_visit = call.page == usize::MAX && call.load != by.load;
        let is_copy = self.history.has_copies() && (is_visit || journal_of(call) != journal_of(by));
        let has_failed = call.result == Some(CallResult::Failure("JournalUnavailable".into()));
        is_copy && (call.left_prepared || made_at_ms >= call.started_ms)
            || has_failed && call.left_prepared && call.load != by.load
    }

    /// Whether a page has posted an attempt after its quote's end, as its clock was set: another page has waited
    /// for what may be in flight, and no longer.
    fn is_posted_after_end(&self, by: &Call, attempt: &Attempt, sent_ms: u64) -> bool {
        let was_off = self.pages.get(by.page).is_some_and(|page| page.was_off.get());
        was_off && attempt.expires_ms.is_some_and(|expires_ms| sent_ms > expires_ms)
    }

    /// Whether two pages share their locks. A visit at the end of a history is alone.
    fn share_locks(&self, one: usize, other: usize) -> bool {
        let locks_of = |page: usize| self.pages.get(page).map(|page| page.page.locks);
        let (one, other) = (locks_of(one), locks_of(other));
        one.is_none() || other.is_none() || one == other
    }

    /// Whether a transfer in the database is the one that an intent describes.
    fn is_of(&self, transfer: &Value, intent: usize) -> bool {
        let meant = self.history.intents[intent];
        let customer = self.services.customer(meant.customer);
        transfer["senderId"] == customer.sender_id.as_str()
            && transfer["recipientId"] == customer.recipients[usize::from(meant.recipient)].id.as_str()
            && transfer["sendAmount"]["value"].as_i64() == Some(self.history.amount(intent))
    }

    /// A page must not send a second attempt with a nonce that it has sent: the customer would be told of a
    /// transfer that was not made.
    fn judge_nonce(&self, call: &Call, number: usize, attempts: &[Attempt], before: &[Call]) {
        let nonce = |of: usize| attempts[of].key.split('/').next();
        let is_first = |earlier: &Call| match earlier.kind {
            CallKind::Submit(of) => of != number && earlier.load == call.load && nonce(of) == nonce(number),
            _ => false,
        };
        if call.result == Some(CallResult::Failure("NonceAlreadyUsed".to_owned()))
            && before.iter().any(is_first)
        {
            self.report("a page uses a nonce twice", format!("attempt {number}"));
        }
    }

    /// Another attempt at the payment was made, or may have been sent, before a call says so.
    fn judge_payment(&self, call: &Call, number: usize, attempts: &[Attempt], commits: &[Commit]) {
        let (Some(CallResult::Failure(code)), Some(ended_ms)) = (&call.result, call.ended_ms) else { return };
        let intent = attempts[number].intent;
        let mut others =
            attempts.iter().enumerate().filter(|(at, other)| *at != number && other.intent == intent);
        let is_made = |other: &Attempt| {
            commits.iter().any(|commit| commit.key.as_ref() == Some(&other.key) && commit.at_ms <= ended_ms)
        };
        let is_sent = |other: &Attempt| other.sent_ms.is_some_and(|sent_ms| sent_ms <= ended_ms);
        // Of a later version's entry a copy knows no more than quote and payment.
        let is_copy = |other: &Attempt| other.was_newer && self.history.has_copies();
        let is_used = |other: &Attempt, has_used: &dyn Fn(&Attempt) -> bool| {
            self.is_quote_used_elsewhere(call, other, attempts, has_used)
        };
        let is_true = match code.as_str() {
            "PaymentAlreadyMade" => {
                others.any(|(_, other)| is_made(other) || is_copy(other) && is_used(other, &is_made))
            }
            "PaymentInProgress" => {
                others.any(|(_, other)| other.was_newer || is_sent(other) || is_used(other, &is_sent))
            }
            _ => true,
        };
        if !is_true {
            self.report("another attempt at a payment is reported that is not", format!("{number}: {code}"));
        }
    }

    /// Whether a tab with another journal has used the quote of an attempt for another payment.
    fn is_quote_used_elsewhere(
        &self,
        call: &Call,
        of: &Attempt,
        attempts: &[Attempt],
        has_used: &dyn Fn(&Attempt) -> bool,
    ) -> bool {
        let is_elsewhere =
            |user: &Attempt| self.pages.get(call.page).is_none_or(|page| page.page.journal != user.journal);
        attempts.iter().any(|user| {
            user.quote == of.quote && user.intent != of.intent && is_elsewhere(user) && has_used(user)
        })
    }

    fn judge_intents(&self, transfers: &[Vec<Value>]) {
        for (intent, meant) in self.history.intents.iter().enumerate() {
            let of_service = transfers[service_of(meant.customer)].iter();
            let quotes: Vec<&str> = of_service
                .filter(|transfer| self.is_of(transfer, intent))
                .filter_map(|transfer| transfer["quoteHistoryId"].as_str())
                .collect();
            if quotes.len() > 1 {
                self.report("two transfers for one intent", format!("intent {intent}: quotes {quotes:?}"));
            }
        }
        let (attempts, calls) = (self.attempts.borrow(), self.calls.borrow());
        for transfer in transfers.iter().flatten() {
            let key = key_of(&transfer.to_string()).unwrap_or_default();
            let Some(number) = self.attempt_by_key(&key) else {
                let detail = transfer["transferId"].to_string();
                self.report("a transfer is made without an attempt", detail);
                continue;
            };
            let mut successes = calls.iter().filter_map(|call| match (&call.kind, &call.result) {
                (CallKind::Submit(of), Some(CallResult::Success(id))) => Some((*of, id)),
                _ => None,
            });
            let is_reported = |(of, id): (usize, &String)| {
                let (of, made) = (&attempts[of], &attempts[number]);
                let is_same = of.intent == made.intent || of.was_newer && of.quote == made.quote;
                is_same && transfer["transferId"] == id.as_str()
            };
            let is_late = |commit: &Commit| {
                let is_posted_late = |by: usize| {
                    self.is_posted_after_end(&calls[by], &attempts[number], commit.request.sent_ms)
                };
                commit.key.as_ref() == Some(&attempts[number].key)
                    && (commit.is_copy || commit.request.call.is_some_and(is_posted_late))
            };
            if !successes.any(is_reported) && !self.commits.borrow().iter().any(is_late) {
                self.report("a transfer is made and never reported", format!("attempt {number}"));
            }
        }
    }

    fn judge_writes(&self, transfers: &[Vec<Value>]) {
        let commits = self.commits.borrow();
        for (number, call) in self.calls.borrow().iter().enumerate() {
            let CallKind::Write(target, marker) = &call.kind else { continue };
            let made: Vec<&Commit> =
                commits.iter().filter(|commit| commit.request.call == Some(number)).collect();
            let detail = |result: &str| format!("{result}: {target:?} {marker}");
            match &call.result {
                Some(CallResult::Success(id)) => {
                    let is_made = match target {
                        Target::Create => made.iter().any(|commit| commit.id == *id),
                        Target::Delete => self.is_deleted(number, marker),
                        _ => is_ended(marker, transfers),
                    };
                    if !is_made {
                        self.report("a success is reported for a write that is not made", detail("success"));
                    }
                }
                // Deletion is idempotent: after any other failure the caller may repeat it.
                Some(CallResult::Failure(code))
                    if *target == Target::Delete && !code.ends_with("NotFound") => {}
                Some(CallResult::Failure(code)) if !made.is_empty() => {
                    self.report("a failure is reported for a write that is made", detail(code));
                }
                _ => {}
            }
            if *target == Target::Create && made.iter().filter(|commit| !commit.is_copy).count() > 1 {
                self.report("a record is created twice", marker.clone());
            }
        }
    }

    /// Whether the record of a marker was deleted, or the client cannot know better.
    fn is_deleted(&self, call: usize, marker: &str) -> bool {
        // After a deletion whose answer was lost, no client can tell a false "no such recipient" of the
        // service from a true one.
        let is_excused =
            marker.starts_with("/v1/recipients/") && self.false_not_found.borrow().contains(&call);
        // The accounts of a recipient are deleted with it.
        let customers = self.services.0.iter().flat_map(|service| &service.customers);
        let recipients: Vec<_> = customers.flat_map(|customer| &customer.recipients).collect();
        let includes = |path: &str| {
            recipients.iter().any(|of| marker.ends_with(&of.account_id) && path.ends_with(&of.id))
        };
        is_excused
            || self.commits.borrow().iter().any(|commit| {
                let path = &commit.request.path;
                commit.request.target == Target::Delete && (path.contains(marker) || includes(path))
            })
    }
}

/// Whether the hold of a marker, the path that ends it, is in the state that its call requested.
fn is_ended(marker: &str, transfers: &[Vec<Value>]) -> bool {
    let id = marker.split('/').nth(3).unwrap_or_default();
    let transfer = transfers.iter().flatten().find(|transfer| transfer["transferId"] == id);
    match transfer.and_then(|transfer| transfer["customerHold"].as_str()) {
        // A transfer that was never held counts as released.
        Some("RELEASED" | "NONE") => marker.ends_with("release"),
        Some("CANCELED") => marker.ends_with("cancel"),
        _ => false,
    }
}

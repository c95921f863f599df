//! Plays one history, from its first step until the network is idle and everything is settled.

use std::rc::Rc;
use std::time::Duration;

use remitkit::client::AttemptState;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

use super::customer::Tab;
use super::history::{Action, History, Page};
use super::page::PageState;
use super::services::Services;
use super::world::{Attempt, Call, CallResult, Commit, Finding, World, sleep};

/// Longer than any request is in flight and any call may take.
const IDLE_WITHIN_MS: u64 = 3_600_000;

/// A thread's runtime in virtual time, with its services.
pub(crate) struct Simulator {
    runtime: Runtime,
    services: Rc<Services>,
}

impl Simulator {
    pub(crate) fn open() -> Self {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let services = Rc::new(runtime.block_on(Services::open()));
        Simulator { runtime, services }
    }

    /// Returns the rules that the history breaks.
    pub(crate) fn run(&self, history: &History) -> Vec<Finding> {
        self.play(history, None).0
    }

    /// Returns a line for each event of the history.
    pub(crate) fn trace(&self, history: &History) -> Vec<String> {
        self.play(history, Some(Vec::new())).1.unwrap_or_default()
    }

    /// Returns the rules that a made-up call of the first page breaks, where its attempt has an empty nonce and
    /// the service has made transfers for the first intent with these nonces.
    #[allow(dead_code, reason = "for found.rs")]
    pub(crate) fn judge(&self, history: &History, call: Call, nonces: &[&str]) -> Vec<Finding> {
        LocalSet::new().block_on(&self.runtime, async {
            let world = World::new(&self.services, history);
            world.pages[0].open(&world, 0);
            world.attempts.borrow_mut().push(Attempt { key: "/".to_owned(), ..Attempt::default() });
            world.calls.borrow_mut().push(call);
            let transfer = |nonce: &&str| {
                world
                    .commits
                    .borrow_mut()
                    .push(Commit { key: Some(format!("{nonce}/")), ..Commit::default() });
                let sender = self.services.customer(0);
                json!({
                    "nonce": nonce,
                    "quoteHistoryId": "",
                    "senderId": sender.sender_id,
                    "recipientId": sender.recipients[0].id,
                    "sendAmount": { "value": history.amount(0) },
                })
            };
            let transfers = [nonces.iter().map(transfer).collect(), Vec::new()];
            world.judge_call(0);
            world.judge_ends();
            world.judge_transfers(&transfers);
            world.pages[0].close();
            world.findings.take()
        })
    }

    fn play(&self, history: &History, trace: Option<Vec<String>>) -> (Vec<Finding>, Option<Vec<String>>) {
        LocalSet::new().block_on(&self.runtime, async {
            let world = World::new(&self.services, history);
            world.trace.replace(trace);
            play(&world).await;
            settle(&world).await;
            world.judge().await;
            (world.findings.take(), world.trace.take())
        })
    }
}

async fn play(world: &Rc<World>) {
    for page in &world.pages {
        page.open(world, page.page.customer);
    }
    for step in &world.history.clone().steps {
        sleep(step.at_ms.saturating_sub(world.now_ms())).await;
        let page = &world.pages[usize::from(step.page)];
        match step.action {
            Action::Reload { customer } => page.open(world, customer),
            Action::Die { awaits } => {
                if let Some(tab) = page.tab() {
                    tab.load.awaits_left.set(Some(awaits));
                }
            }
            Action::Freeze { awaits } => {
                if let Some(tab) = page.tab() {
                    tab.load.freezes.set(true);
                    tab.load.awaits_left.set(Some(awaits));
                }
            }
            Action::Duplicate { to } => {
                let Some(copy) = world.pages.get(usize::from(to)) else { continue };
                let [from, to] = [page, copy].map(|page| &world.journals[usize::from(page.page.journal)]);
                // It opens as a new tab.
                let number = copy.index;
                let is_new =
                    to.borrow().is_empty() && world.calls.borrow().iter().all(|call| call.page != number);
                if is_new && !Rc::ptr_eq(from, to) {
                    let entries = from.borrow().clone();
                    to.replace(entries);
                    copy.open(world, page.tab().map_or(page.page.customer, |tab| tab.load.customer));
                }
            }
            Action::Clock { off_by_s } => {
                page.off_by_ms.set(off_by_s * 1000);
                page.was_off.set(true);
            }
            _ => {
                if let Some(tab) = page.tab() {
                    World::spawn(&tab.load.clone(), tab.act(*step));
                }
            }
        }
    }
    // Until every call has ended and every request has arrived.
    let limit_ms = world.now_ms() + IDLE_WITHIN_MS;
    sleep(1).await;
    let is_busy =
        || world.in_flight.get() > 0 || world.calls.borrow().iter().any(|call| world.is_running(call));
    while is_busy() && world.now_ms() < limit_ms {
        sleep(5_000).await;
    }
    // What no caller waits for goes on in the page, or ends with it.
    sleep(if world.history.seed.is_multiple_of(2) { 6_000 } else { 300_000 }).await;
}

/// Stops the faults, then visits every journal as each of its customers and settles what is open.
async fn settle(world: &Rc<World>) {
    world.has_stopped_failing.set(true);
    world.judge_ends();
    world.pages.iter().for_each(|page| page.close());
    let mut visits: Vec<(u8, u8)> = Vec::new();
    for attempt in world.attempts.borrow().iter() {
        if !visits.contains(&(attempt.journal, attempt.customer)) {
            visits.push((attempt.journal, attempt.customer));
        }
    }
    // The copies of a journal have the same attempts.
    if world.history.has_copies() {
        for page in &world.pages {
            for customer in visits.iter().map(|(_, customer)| *customer).collect::<Vec<_>>() {
                if !visits.contains(&(page.page.journal, customer)) {
                    visits.push((page.page.journal, customer));
                }
            }
        }
    }
    for (journal, customer) in visits {
        // In the end each tab has the latest version, or a customer has kept one open for very long.
        let versions = world.history.pages.iter().map(|page| page.version);
        let latest = versions.max().filter(|_| world.history.seed.is_multiple_of(2));
        let version = latest.unwrap_or_default();
        let page = Page { journal, customer, version, ..Page::default() };
        let page = Rc::new(PageState::new(usize::MAX, page));
        page.open(world, customer);
        let Some(tab) = page.tab() else { continue };
        let (done, ended) = tokio::sync::oneshot::channel();
        World::spawn(&tab.load.clone(), async move {
            visit(&tab).await;
            let _ = done.send(());
        });
        let limit = Duration::from_millis(1_000 * IDLE_WITHIN_MS);
        if tokio::time::timeout(limit, ended).await.is_err() {
            world.judge_ends();
        }
        page.close();
    }
    while world.in_flight.get() > 0 {
        sleep(5_000).await;
    }
}

async fn visit(tab: &Tab) {
    let world = &tab.world;
    for (number, attempt) in tab.pending().await.unwrap_or_default() {
        if attempt.state() == AttemptState::Prepared {
            tab.discard(number, &attempt).await;
        }
        let is_open = matches!(attempt.state(), AttemptState::Sent | AttemptState::Created);
        let is_guarded = tab.is_guarded(world.intent_of(number));
        if !is_open || world.is_left_in_copy(number) && !is_guarded {
            continue;
        }
        // What may still be in flight is certain once its quote has ended, and after a day at the latest, by
        // a clock that may have been days ahead.
        for later_ms in [0, 20 * 60_000, 10 * 60_000, 26 * 3_600_000, 60 * 3_600_000, 10 * 60_000] {
            sleep(later_ms).await;
            tab.submit(number, &attempt, None).await;
            if world.last_result(number) != Some(Some(CallResult::Unknown)) {
                break;
            }
        }
    }
    sleep(6_000).await;
    let mut listed = tab.pending().await.unwrap_or_default();
    listed.retain(|(number, _)| !world.is_left_in_copy(*number));
    for (number, _) in listed {
        world.report("what is open is not settled once faults stop", format!("attempt {number}"));
    }
}

//! One history, from its first step until the network is dry and everything is settled.

use std::rc::Rc;

use tokio::task::LocalSet;

use super::customer::Tab;
use super::history::{Act, History, Page};
use super::page::PageState;
use super::safeguard::Weakness;
use super::stage::Stage;
use super::world::{Finding, Told, World, sleep};

/// Longer than anything is under way or a call may take.
const RUN_DRY_MS: u64 = 3_600_000;

/// The two services of this thread.
pub(crate) struct Theatre {
    runtime: tokio::runtime::Runtime,
    stage: Rc<Stage>,
}

impl Theatre {
    pub(crate) fn open() -> Self {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let stage = Rc::new(runtime.block_on(Stage::open()));
        Theatre { runtime, stage }
    }

    /// What should not be in this history.
    pub(crate) fn run(&self, history: &History, weakness: Option<Weakness>) -> Vec<Finding> {
        self.play(history, weakness, None).0
    }

    /// The course of a history, a line for each thing that happens.
    pub(crate) fn course(&self, history: &History, weakness: Option<Weakness>) -> Vec<String> {
        self.play(history, weakness, Some(Vec::new())).1.unwrap_or_default()
    }

    fn play(
        &self,
        history: &History,
        weakness: Option<Weakness>,
        course: Option<Vec<String>>,
    ) -> (Vec<Finding>, Option<Vec<String>>) {
        let local = LocalSet::new();
        let history = Rc::new(history.clone());
        let played = local.block_on(&self.runtime, async {
            let world = World::new(&self.stage, &history, weakness);
            world.course.replace(course);
            play(&world).await;
            settle(&world).await;
            world.judge().await;
            let played = (world.findings.take(), world.course.take());
            run_out(&world).await;
            played
        });
        drop(local);
        played
    }
}

async fn play(world: &Rc<World>) {
    for page in &world.pages {
        page.open(world, page.page.customer);
    }
    for step in &world.history.clone().steps {
        sleep(step.at_ms.saturating_sub(world.now_ms())).await;
        let page = &world.pages[usize::from(step.page)];
        match step.act {
            Act::Reload { customer } => page.open(world, customer),
            Act::Die { awaits } => {
                if let Some(life) = page.alive() {
                    life.awaits_left.set(Some(awaits));
                }
            }
            Act::Clock { off_by_s } => {
                page.off_by_ms.set(off_by_s * 1000);
                page.was_off.set(true);
            }
            act => {
                if let Some(tab) = Tab::of(world, page) {
                    let life = Rc::clone(&tab.life);
                    World::spawn(&life, tab.act(act));
                }
            }
        }
    }
    // Until every call has ended and everything sent has arrived.
    let limit_ms = world.now_ms() + RUN_DRY_MS;
    sleep(1).await;
    while (is_busy(world) || world.under_way.get() > 0) && world.now_ms() < limit_ms {
        sleep(5_000).await;
    }
    // What nobody waits for any more goes on in the page, or ends with it.
    sleep(if world.history.seed.is_multiple_of(2) { 6_000 } else { 300_000 }).await;
}

fn is_busy(world: &World) -> bool {
    let lives = world.lives.borrow();
    world.calls.borrow().iter().any(|call| call.ended_ms.is_none() && lives[call.life].is_alive())
}

/// Nothing fails any more: every customer comes back to every journal, and settles what is open.
async fn settle(world: &Rc<World>) {
    world.is_dry.set(true);
    for page in &world.pages {
        // A call that never ends is told of before its page is closed.
        if let Some(life) = page.alive() {
            for call in world.calls.borrow().iter().filter(|call| call.life == life.number) {
                if call.ended_ms.is_none() {
                    world.found("a call never ends", format!("{:?} of page {}", call.kind, call.page));
                }
            }
        }
        page.close(world);
    }
    let mut visits: Vec<(u8, u8)> = Vec::new();
    for attempt in world.attempts.borrow().iter() {
        if !visits.contains(&(attempt.journal, attempt.customer)) {
            visits.push((attempt.journal, attempt.customer));
        }
    }
    for (journal, customer) in visits {
        let page = Page { journal, locks: 0, customer, tells_sender: false };
        let page = Rc::new(PageState::new(usize::MAX, page));
        page.open(world, customer);
        let Some(tab) = Tab::of(world, &page) else { continue };
        let life = Rc::clone(&tab.life);
        let (done, ended) = tokio::sync::oneshot::channel();
        World::spawn(&life, async move {
            visit(&tab).await;
            let _ = done.send(());
        });
        let _ = tokio::time::timeout(std::time::Duration::from_millis(1_000 * RUN_DRY_MS), ended).await;
        page.close(world);
    }
    while world.under_way.get() > 0 {
        sleep(5_000).await;
    }
}

async fn visit(tab: &Tab) {
    let world = &tab.world;
    for (number, attempt) in tab.pending().await.unwrap_or_default() {
        let intent = world.attempts.borrow()[number].intent;
        let is_prepared = *attempt.state() == remitkit::client::AttemptState::Prepared;
        if is_prepared {
            tab.discard(number, &attempt).await;
        } else if !world.has_rival(intent, number) || world.last_word(number).is_some() {
            // What may still be under way is certain once its quote has ended, and after a day at the latest,
            // by a clock that may have been days ahead.
            for later_ms in [0, 20 * 60_000, 10 * 60_000, 26 * 3_600_000, 60 * 3_600_000, 10 * 60_000] {
                sleep(later_ms).await;
                tab.submit(number, &attempt, None).await;
                if world.last_word(number) != Some(Some(Told::Unknown)) {
                    break;
                }
            }
        }
    }
    sleep(6_000).await;
    for (number, _) in tab.pending().await.unwrap_or_default() {
        world.found("what is open is not settled once faults stop", format!("attempt {number}"));
    }
}

async fn run_out(world: &Rc<World>) {
    let lives = world.lives.borrow().clone();
    lives.iter().for_each(|life| life.run_out());
    for page in &world.pages {
        page.held.take();
        page.client.take();
    }
    for _ in 0..40 {
        tokio::task::yield_now().await;
    }
    sleep(1).await;
}

//! `test`: the layers of tests, from the pure rules to the shop in a browser.

mod attempt;
mod browser;
mod history;
mod kept;
mod layer_name;
mod layers;
mod node;
mod repeat;
mod seeds;
mod units;
mod verdict;

use std::collections::BTreeSet;
use std::iter;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::check;
use crate::repo::{Repo, fresh_folder};
use crate::report::{self, Report};
use crate::say::{self, Progress, say, say_part, seconds};
use crate::setup::{Part, set_up_all};
use history::History;
use kept::Kept;
pub(crate) use layer_name::LayerName;
use layers::{Context, parts};
use repeat::{Judged, repeat};
use units::{Failed, Selection, Units};

/// The layers whose traffic with the sandbox is recorded.
pub(crate) const WITH_TRAFFIC: [LayerName; 3] = [LayerName::Sdk, LayerName::Sandbox, LayerName::Shop];
/// The layers that test the tarball, whose tests are listed by name.
const OF_PACKAGE: [LayerName; 3] = [LayerName::Package, LayerName::Frontends, LayerName::Matrix];

#[derive(clap::Args, Default)]
pub(crate) struct Options {
    pub(crate) layers: Vec<LayerName>,
    #[command(flatten)]
    selection: Selection,
    /// Leaves out what passed in an earlier run, and has not changed since
    #[arg(long, conflicts_with_all = ["file", "name"])]
    resume: bool,
}

/// Returns the folder of a layer's traffic: files with one JSON line for each exchange.
pub(crate) fn traffic_folder(repo: &Repo, layer: LayerName) -> PathBuf {
    repo.target.join("traffic").join(layer.name())
}

/// `package-test`: the layers that test the tarball, with a result for each test.
pub(crate) fn run_package(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let outcome = run_layers(repo, &OF_PACKAGE, report);
    let cells = report.get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let failed = cells.iter().filter(|cell| cell["ok"] == json!(false)).count();
    say::result(&format!("package-test: {} cells, {failed} failed", cells.len()));
    outcome
}

pub(crate) fn run_layers(repo: &Repo, layers: &[LayerName], report: &mut Report) -> anyhow::Result<()> {
    run(repo, &Options { layers: layers.to_vec(), ..Options::default() }, report)
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let wanted = &options.layers;
    let is_wanted = |layer: &LayerName| wanted.contains(layer) || wanted.is_empty() && layer.is_default();
    let layers: Vec<LayerName> = LayerName::value_variants().iter().copied().filter(is_wanted).collect();
    if wanted.is_empty() {
        check::gate(repo, report)?;
    }
    let lock = repo.lock()?;
    // For all layers first: what the person must install is named before any layer runs.
    let parts: BTreeSet<Part> = layers.iter().flat_map(|layer| parts(*layer)).collect();
    set_up_all(repo, &parts.into_iter().collect::<Vec<_>>())?;
    drop(lock);
    fresh_folder(&repo.target.join("test/failures"))?;
    let (kept, mut history) = (Kept::of(repo, options.resume)?, History::of(repo)?);
    let context = Context { repo, package: Mutex::default() };
    let run = Run { context: &context, options, kept: &kept };
    let (mut ended, failed) = run.in_parallel(layers);
    // What a resumed run leaves out has not run again.
    let is_counted = |ended: &&Ended| options.selection.is_whole() && ended.from_before == 0;
    history.count(ended.iter().filter(is_counted).map(|ended| ended.layer))?;
    let judged = repeat(repo, failed, &history)?;
    for one in &judged {
        let ended = ended.iter_mut().find(|ended| ended.layer == one.layer);
        ended.into_iter().for_each(|ended| ended.count(one));
    }
    conclude(&ended, &judged, options, report)
}

/// Says and reports how everything ended; fails if anything has failed.
fn conclude(
    ended: &[Ended],
    judged: &[Judged],
    options: &Options,
    report: &mut Report,
) -> anyhow::Result<()> {
    let (unstable, failed): (Vec<&Judged>, Vec<&Judged>) =
        judged.iter().partition(|one| one.verdict.passes());
    for (title, some) in [("FAILED", &failed), ("UNSTABLE", &unstable)] {
        if !some.is_empty() {
            say(&format!("\n══ {title} ══"));
            some.iter().for_each(|one| say(&one.described()));
        }
    }
    say(&ended.iter().map(Ended::line).collect::<String>());
    if options.resume {
        say("\nThis run has left out what passed before: `cargo xtask test` runs everything.");
    }
    report.set("layers", ended.iter().map(Ended::entry).collect::<Vec<_>>());
    report.set("failed", failed.iter().map(|one| one.entry()).collect::<Vec<_>>());
    report.set("unstable", unstable.iter().map(|one| one.entry()).collect::<Vec<_>>());
    let of_package = ended.iter().filter(|ended| OF_PACKAGE.contains(&ended.layer));
    report.set("cells", of_package.flat_map(|ended| ended.cells.clone()).collect::<Vec<_>>());
    let failed: Vec<String> =
        ended.iter().filter(|ended| ended.has_failed()).map(|ended| ended.layer.name()).collect();
    ensure!(failed.is_empty(), "the tests of {} failed", failed.join(", "));
    Ok(())
}

struct Ended {
    layer: LayerName,
    /// Why the layer could not run to its end.
    outcome: anyhow::Result<()>,
    passed: usize,
    from_before: usize,
    failed: usize,
    unstable: usize,
    cells: Vec<Value>,
    time: Duration,
}

impl Ended {
    fn count(&mut self, judged: &Judged) {
        *(if judged.verdict.passes() { &mut self.unstable } else { &mut self.failed }) += 1;
        self.cells.extend(judged.cells.iter().cloned());
    }

    fn has_failed(&self) -> bool {
        self.outcome.is_err() || self.failed > 0
    }

    fn line(&self) -> String {
        let state = if self.has_failed() { "FAILED".to_owned() } else { format!("{} passed", self.passed) };
        let mut line = format!("\n{:<14}{state:<14}{:>12}", self.layer.name(), seconds(self.time));
        for (count, what) in [(self.unstable, "UNSTABLE"), (self.from_before, "from an earlier run")] {
            if count > 0 {
                line += &format!("   {count} {what}");
            }
        }
        line
    }

    fn entry(&self) -> Value {
        let failed = anyhow::anyhow!("{} of its files failed", self.failed);
        let failure = self.outcome.as_ref().err().or((self.failed > 0).then_some(&failed));
        let mut entry = report::part(&self.layer.name(), failure, self.time);
        let counts = [("passed", self.passed), ("unstable", self.unstable), ("fromBefore", self.from_before)];
        counts.iter().for_each(|(name, count)| entry.set(name, *count));
        entry.into()
    }
}

struct Run<'c> {
    context: &'c Context<'c>,
    options: &'c Options,
    kept: &'c Kept,
}

impl<'c> Run<'c> {
    /// Runs two layers at a time, as each spends much of its time waiting; a third lane saves nothing on two
    /// cores. One lane begins with the last layer, which is the longest. A failed layer stops no other, so
    /// that one run reports all failures. Returns what failed, too.
    fn in_parallel(&self, mut layers: Vec<LayerName>) -> (Vec<Ended>, Vec<Failed<'c>>) {
        let is_alone = layers.len() == 1;
        layers.rotate_right(1);
        let waiting = Mutex::new(layers.into_iter());
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let lane = || iter::from_fn(next).map(|layer| self.layer(layer, is_alone)).collect::<Vec<_>>();
        let mut ended: Vec<(Ended, Vec<Failed<'c>>)> = thread::scope(|scope| {
            let other = scope.spawn(lane);
            let ended = lane();
            let others = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            [ended, others].into_iter().flatten().collect()
        });
        ended.sort_by_key(|(ended, _)| ended.layer);
        let (ended, failed): (Vec<Ended>, Vec<_>) = ended.into_iter().unzip();
        (ended, failed.into_iter().flatten().collect())
    }

    /// Runs a layer. Its progress is shown at its end, unless it runs alone.
    fn layer(&self, layer: LayerName, is_alone: bool) -> (Ended, Vec<Failed<'c>>) {
        let start = Instant::now();
        let head = format!("\n── {}: {} ──\n", layer.name(), layer.description());
        let mut units = Units::new(self.context.repo, layer, &self.options.selection, self.kept);
        let outcome = if is_alone {
            say_part(&head);
            self.units(layer, &mut units)
        } else {
            say(&format!("{} begins", layer.name()));
            let progress = Progress::buffered();
            let outcome = progress.during(|| self.units(layer, &mut units));
            Progress::default().write(&[head.into_bytes(), progress.take()].concat());
            outcome
        };
        if let Err(error) = &outcome {
            say(&format!("{} failed: {error:#}", layer.name()));
        }
        for failed in &units.failed {
            say(&format!("{}: {} failed", layer.name(), failed.unit));
        }
        let Units { passed, from_before, failed, cells, .. } = units;
        let time = start.elapsed();
        (Ended { layer, outcome, passed, from_before, failed: 0, unstable: 0, cells, time }, failed)
    }

    /// Runs a layer's units and keeps their results.
    fn units(&self, layer: LayerName, units: &mut Units<'c>) -> anyhow::Result<()> {
        if !self.options.selection.is_whole() {
            return self.context.run(layer, units);
        }
        self.kept.begin(layer);
        let outcome = self.context.run(layer, units);
        self.kept.save(self.context.repo, layer, &units.clean)?;
        outcome
    }
}

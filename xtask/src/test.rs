//! `test`: the layers of tests, from the pure rules to the shop in a browser.

mod browser;
mod layer_name;
mod layers;
mod node;

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

use crate::repo::Repo;
use crate::report::{self, Report};
use crate::say::{self, Progress, say, say_part, seconds};
use crate::setup::{Part, set_up_all};
pub(crate) use layer_name::LayerName;
use layers::{Context, parts};

/// The layers whose traffic with the sandbox is recorded.
pub(crate) const WITH_TRAFFIC: [LayerName; 3] = [LayerName::Sdk, LayerName::Sandbox, LayerName::Shop];

/// Returns the folder of a layer's traffic: files with one JSON line for each exchange.
pub(crate) fn traffic_folder(repo: &Repo, layer: LayerName) -> PathBuf {
    repo.target.join("traffic").join(layer.name())
}

/// `package-test`: the layers that test the tarball, with a result for each test.
pub(crate) fn run_package(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let outcome = run(repo, &[LayerName::Package, LayerName::Frontends, LayerName::Matrix], report);
    let cells = report.get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let failed = cells.iter().filter(|cell| cell["ok"] == json!(false)).count();
    say::result(&format!("package-test: {} cells, {failed} failed", cells.len()));
    outcome
}

pub(crate) fn run(repo: &Repo, wanted: &[LayerName], report: &mut Report) -> anyhow::Result<()> {
    let is_wanted = |layer: &LayerName| wanted.contains(layer) || wanted.is_empty() && layer.is_default();
    let layers: Vec<LayerName> = LayerName::value_variants().iter().copied().filter(is_wanted).collect();
    let lock = repo.lock()?;
    // For all layers first: what the person must install is named before any layer runs.
    let parts: BTreeSet<Part> = layers.iter().flat_map(|layer| parts(*layer)).collect();
    set_up_all(repo, &parts.into_iter().collect::<Vec<_>>())?;
    drop(lock);
    let context = Context { repo, package: Mutex::default(), cells: Mutex::default() };
    let ended = run_in_parallel(&context, layers);
    let mut table = String::new();
    for Ended { layer, passed, time } in &ended {
        let state = passed.as_ref().map_or_else(|_| "FAILED".to_owned(), |passed| format!("{passed} passed"));
        table += &format!("\n{:<12}{state:<14}{:>12}", layer.name(), seconds(*time));
    }
    say(&table);
    report.set("layers", ended.iter().map(Ended::entry).collect::<Vec<_>>());
    report.set("cells", context.cells.into_inner().unwrap_or_default());
    let failed: Vec<String> =
        ended.iter().filter(|ended| ended.passed.is_err()).map(|ended| ended.layer.name()).collect();
    ensure!(failed.is_empty(), "the tests of {} failed", failed.join(", "));
    Ok(())
}

struct Ended {
    layer: LayerName,
    passed: anyhow::Result<usize>,
    time: Duration,
}

impl Ended {
    fn entry(&self) -> Value {
        let mut entry = report::part(&self.layer.name(), self.passed.as_ref().err(), self.time);
        if let Ok(passed) = self.passed {
            entry.set("passed", passed);
        }
        entry.into()
    }
}

/// Runs two layers at a time, as each spends much of its time waiting; a third lane saves nothing on two
/// cores. One lane begins with the last layer, which is the longest. A failed layer stops no other, so that
/// one run reports all failures.
fn run_in_parallel(context: &Context<'_>, mut layers: Vec<LayerName>) -> Vec<Ended> {
    let is_alone = layers.len() == 1;
    layers.rotate_right(1);
    let waiting = Mutex::new(layers.into_iter());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let lane = || iter::from_fn(next).map(|layer| run_layer(context, layer, is_alone)).collect::<Vec<_>>();
    let mut ended: Vec<Ended> = thread::scope(|scope| {
        let other = scope.spawn(lane);
        let ended = lane();
        [ended, other.join().unwrap_or_else(|panic| resume_unwind(panic))].into_iter().flatten().collect()
    });
    ended.sort_by_key(|ended| ended.layer);
    ended
}

/// Runs a layer. Its progress is shown at its end, unless it runs alone.
fn run_layer(context: &Context<'_>, layer: LayerName, is_alone: bool) -> Ended {
    let start = Instant::now();
    let head = format!("\n── {}: {} ──\n", layer.name(), layer.description());
    let passed = if is_alone {
        say_part(&head);
        context.run(layer)
    } else {
        say(&format!("{} begins", layer.name()));
        let progress = Progress::buffered();
        let passed = progress.during(|| context.run(layer));
        Progress::default().write(&[head.into_bytes(), progress.take()].concat());
        passed
    };
    if let Err(error) = &passed {
        say(&format!("{} failed: {error:#}", layer.name()));
    }
    Ended { layer, passed, time: start.elapsed() }
}

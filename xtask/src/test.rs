//! `test`: every layer of tests, from the pure rules to the shop in a browser.

mod browser;
mod layer_name;
mod layers;
mod node;
mod shop;

use std::collections::BTreeSet;
use std::time::Instant;

use anyhow::ensure;
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::repo::Repo;
use crate::report::{self, Report};
use crate::say::{self, say, seconds};
use crate::setup::set_up;
use crate::traffic::Traffic;
pub(crate) use layer_name::LayerName;
use layers::{Context, parts};

/// The layers that talk to a sandbox whose traffic is recorded.
pub(crate) const WITH_TRAFFIC: [LayerName; 3] = [LayerName::Sdk, LayerName::Sandbox, LayerName::Shop];

/// `package-test`: the layers that try the tarball, test by test.
pub(crate) fn run_package(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let outcome = run(repo, &[LayerName::Package, LayerName::Frontends, LayerName::Matrix], report);
    let cells = report.get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let failed = cells.iter().filter(|cell| cell["ok"] == json!(false)).count();
    say::result(&format!("package-test: {} cells, {failed} failed", cells.len()));
    outcome
}

/// Runs the layers that are wanted; without any, the usual ones.
pub(crate) fn run(repo: &Repo, wanted: &[LayerName], report: &mut Report) -> anyhow::Result<()> {
    let is_wanted = |layer: &LayerName| wanted.contains(layer) || wanted.is_empty() && layer.is_usual();
    let layers: Vec<LayerName> = LayerName::value_variants().iter().copied().filter(is_wanted).collect();
    let lock = repo.lock()?;
    // Of all of them, so that what the person has to install is said before the first runs.
    for part in layers.iter().flat_map(|layer| parts(*layer)).collect::<BTreeSet<_>>() {
        set_up(repo, part)?;
    }
    drop(lock);
    let mut context = Context { repo, package: None, cells: Vec::new() };
    let mut entries: Vec<Value> = Vec::new();
    let mut table = String::new();
    let mut failed: Vec<String> = Vec::new();
    // Also after one has failed, so that a run tells of all that do.
    for layer in layers {
        let name = layer.name();
        say(&format!("\n── {name}: {} ──", layer.what()));
        let start = Instant::now();
        let passed = recorded(repo, layer, &mut context);
        let mut entry = report::part(&name, passed.as_ref().err(), start.elapsed());
        let state = match passed {
            Ok(passed) => {
                entry.set("passed", passed);
                format!("{passed} passed")
            }
            Err(error) => {
                say(&format!("{name} failed: {error:#}"));
                failed.push(name.clone());
                "FAILED".to_owned()
            }
        };
        table += &format!("\n{name:<12}{state:<14}{:>12}", seconds(start.elapsed()));
        entries.push(entry.into());
    }
    say(&table);
    ensure!(!entries.is_empty(), "no layer of tests was run");
    report.set("layers", entries);
    report.set("cells", context.cells);
    ensure!(failed.is_empty(), "the tests of {} failed", failed.join(", "));
    Ok(())
}

/// Runs a layer, and keeps the record of its traffic if it leaves one and all went well.
fn recorded(repo: &Repo, layer: LayerName, context: &mut Context) -> anyhow::Result<usize> {
    let traffic = Traffic::of(repo, &layer.name());
    let stamp = if WITH_TRAFFIC.contains(&layer) { traffic.begin(repo)? } else { None };
    let passed = context.run(layer, &traffic)?;
    stamp.map_or(Ok(()), |stamp| stamp.set())?;
    Ok(passed)
}

//! `test`: every layer of tests, from the pure rules to the shop in a browser.

mod browser;
mod context;
mod counts;
mod layer_name;
mod layers;
mod shop;

use std::time::{Duration, Instant};

use anyhow::bail;
use serde_json::{Value, json};

use crate::coverage::Record;
use crate::repo::Repo;
use crate::report::{self, Report};
use crate::say::{self, say, seconds};
use context::Context;
use counts::Cell;
pub(crate) use layer_name::LayerName;

/// How a layer ended.
struct Outcome {
    layer: LayerName,
    passed: anyhow::Result<usize>,
    time: Duration,
}

/// `package-test`: the layers that try the tarball, test by test.
pub(crate) fn run_package(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let outcome = run(repo, &[LayerName::Package, LayerName::Frontends, LayerName::Matrix], report);
    let cells = report.get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let failed = cells.iter().filter(|cell| cell["ok"] == json!(false)).count();
    say::result(&format!("package-test: {} cells, {failed} failed", cells.len()));
    outcome
}

pub(crate) fn run(repo: &Repo, wanted: &[LayerName], report: &mut Report) -> anyhow::Result<()> {
    let is_wanted = |layer: &LayerName| {
        if wanted.is_empty() { layer.is_usual() } else { wanted.contains(layer) }
    };
    let layers: Vec<LayerName> = LayerName::ALL.iter().copied().filter(is_wanted).collect();
    let mut context = Context::set_up(repo, &layers)?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for layer in &layers {
        say(&format!("\n── {}: {} ──", layer.name(), layer.what()));
        let start = Instant::now();
        let passed = recorded(repo, *layer, |record| context.run(*layer, record));
        let failed = passed.is_err();
        outcomes.push(Outcome { layer: *layer, passed, time: start.elapsed() });
        if failed {
            break;
        }
    }
    say("");
    say(&table(&layers, &outcomes));
    report.set("layers", outcomes.iter().map(entry).collect());
    report.set("cells", context.into_cells().iter().map(Cell::entry).collect());
    for outcome in outcomes {
        if let Err(error) = outcome.passed {
            return Err(error.context(format!("the {} tests", outcome.layer.name())));
        }
    }
    if layers.is_empty() {
        bail!("no layer of tests was run");
    }
    Ok(())
}

/// Runs a layer with the record of its traffic, if it leaves one, and keeps that if all went well.
fn recorded(
    repo: &Repo,
    layer: LayerName,
    run: impl FnOnce(Option<&Record>) -> anyhow::Result<usize>,
) -> anyhow::Result<usize> {
    let record = Record::of(repo, layer);
    let stamp = record.as_ref().map(|record| record.begin(repo)).transpose()?.flatten();
    let passed = run(record.as_ref())?;
    if let Some(stamp) = stamp {
        stamp.set()?;
    }
    Ok(passed)
}

fn entry(outcome: &Outcome) -> Value {
    let mut part = report::part(outcome.layer.name(), outcome.passed.as_ref().err(), outcome.time);
    if let Ok(passed) = &outcome.passed {
        part.insert("passed".to_owned(), json!(passed));
    }
    Value::Object(part)
}

fn table(layers: &[LayerName], outcomes: &[Outcome]) -> String {
    let lines: Vec<String> = layers
        .iter()
        .map(|layer| {
            let outcome = outcomes.iter().find(|outcome| outcome.layer == *layer);
            let (state, time) = match outcome {
                None => ("not run".to_owned(), String::new()),
                Some(outcome) => {
                    let state = match &outcome.passed {
                        Ok(passed) => format!("{passed} passed"),
                        Err(_) => "FAILED".to_owned(),
                    };
                    (state, seconds(outcome.time))
                }
            };
            format!("{:<12}{state:<14}{time:>12}", layer.name())
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_what_was_not_run() {
        let outcomes = [
            Outcome { layer: LayerName::Sdk, passed: Ok(41), time: Duration::from_secs(12) },
            Outcome {
                layer: LayerName::Sandbox,
                passed: Err(anyhow::anyhow!("no")),
                time: Duration::from_millis(300),
            },
        ];
        let layers = [LayerName::Sdk, LayerName::Sandbox, LayerName::Shop];
        let table = table(&layers, &outcomes);
        let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(
            words,
            [
                vec!["sdk", "41", "passed", "12", "s"],
                vec!["sandbox", "FAILED", "0.3", "s"],
                vec!["shop", "not", "run"],
            ]
        );
    }
}

//! `coverage`: how much of the interface the tests reached, measured from the traffic that they caused.
//!
//! Nothing is declared: the sandbox writes down what it was asked and answered while the tests run, and
//! says by itself what the interface consists of.

mod record;
mod tally;

use anyhow::bail;
use serde_json::Value;

use crate::repo::Repo;
use crate::report::Report;
use crate::sandbox;
use crate::say;
use crate::test::{self, LayerName};
pub(crate) use record::Record;
use tally::{Part, Tally};

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let mut stale: Vec<LayerName> = Vec::new();
    for layer in Record::LAYERS {
        if Record::of(repo, layer).is_none_or(|record| !record.is_current(repo)) {
            stale.push(layer);
        }
    }
    if stale.is_empty() {
        say::say("the last tests left their traffic, and nothing has changed since");
    } else {
        test::run(repo, &stale, report)?;
    }
    let mut steps = repo.steps(1);
    sandbox::build(repo, &mut steps)?;
    let interface: Value = serde_json::from_str(&sandbox::interface(repo)?)?;

    let mut tally = Tally::of(&interface)?;
    for record in Record::LAYERS.into_iter().filter_map(|layer| Record::of(repo, layer)) {
        record.each_line(|line| tally.count(line))?;
    }
    for part in tally.parts() {
        report.set(part.key, part.entry());
    }
    say::result(&table(&tally));
    let short: Vec<&Part> =
        tally.parts().iter().filter(|part| part.must_be_whole && !part.is_whole()).collect();
    if !short.is_empty() {
        let names: Vec<&str> = short.iter().map(|part| part.title).collect();
        bail!("the tests did not reach every one of: {}", names.join(", "));
    }
    Ok(())
}

fn table(tally: &Tally) -> String {
    let mut lines = Vec::new();
    for part in tally.parts() {
        lines.push(format!("{:<26}{:>4} of {}", part.title, part.reached(), part.total()));
        for name in part.missing() {
            lines.push(format!("    not reached: {name}"));
        }
    }
    lines.join("\n")
}

//! `bench` (`tests/bench`): the SDK against hand-written code in real browsers, and the sandbox against a
//! mock of its document.

use std::time::Duration;

use anyhow::ensure;

use crate::engines::Engines;
use crate::pack::{self, Core, Package};
use crate::proof::{Found, Run, Seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::setup::{Part, prepare, program};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of rounds, each of which measures everything in a page
    #[arg(long, value_name = "N", default_value_t = 15)]
    rounds: u32,
    /// Number of requests over which the sandbox's memory is watched, at least 1000
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    requests: u32,
    #[command(flatten)]
    seed: Seed,
    /// Records the figures that later runs are compared with, writes those of docs/benchmark.md and draws
    /// www/screenshots/bench.svg
    #[arg(long)]
    record: bool,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    // The last one has the mock, which is large and only needed under load.
    let modules = ["tests/e2e", "tests/bench", "tests/bench/load"].map(Part::Npm);
    prepare(repo, &[&pack::PARTS[..], &[Part::Chromium], &modules].concat())?;
    let engines = Engines::set_up(repo)?;
    let missing = engines.missing.keys().cloned().collect::<Vec<_>>().join(" and ");
    ensure!(!options.record || missing.is_empty(), "--record compares each engine, and has no {missing}");
    let package = pack::build(repo, Core::Published)?;
    let sandbox = pack::sandbox::build_program(repo)?;
    drop(lock);

    report.set("missing", engines.missing.clone());
    let mut node = engines.command(repo, "node");
    node.args(["tests/bench/run.mjs", "--requests", &options.requests.to_string()]);
    node.arg("--package").arg(&package.folder).arg("--sandbox").arg(sandbox);
    engines.add_args(&mut node, &engines.all())?;
    node.args(options.record.then_some("--record"));
    bench(options.rounds, options.requests, options.seed).run(repo, &mut node)?.report(report)
}

/// Runs everything once without judging times: all variants agree, and the SDK accepts nothing malformed.
pub(crate) fn smoke(repo: &Repo, package: &Package, seed: Seed) -> anyhow::Result<Found> {
    let mut node = repo.command("node");
    node.args(["tests/bench/run.mjs", "--smoke", "--package"]).arg(&package.folder);
    node.arg("--chromium").arg(program(repo, Part::Chromium)?);
    bench(1, 0, seed).run(repo, &mut node)
}

fn bench(rounds: u32, requests: u32, seed: Seed) -> Run<'static> {
    let limit = Duration::from_secs(900) + Duration::from_millis(1) * requests;
    let (size, without) = (("--rounds", rounds), ("", None));
    Run { proof: "bench", size, seed, without, limit: (limit, Duration::from_secs(90)) }
}

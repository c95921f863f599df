//! `bench` (`tests/bench`): the SDK against hand-written code in real browsers, and the sandbox against a
//! mock of its document.

use std::time::Duration;

use crate::engines::Engines;
use crate::pack::{self, Core, Package};
use crate::proof::{Found, Run, Seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::setup::{Part, program, set_up};

/// The time limit of a run, and what each round and each request to the sandbox adds.
const LIMIT: Duration = Duration::from_secs(900);
const LIMIT_ROUND: Duration = Duration::from_secs(60);
const LIMIT_REQUEST: Duration = Duration::from_millis(1);

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
    /// Records the figures that later runs are compared with, and draws www/screenshots/bench.svg
    #[arg(long)]
    record: bool,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    let engines = Engines::set_up(repo)?;
    // The last one has the mock, which is large and only needed under load.
    for modules in ["tests/e2e", "tests/bench", "tests/bench/load"] {
        set_up(repo, Part::Npm(modules))?;
    }
    let package = pack::build(repo, Core::Published)?;
    let sandbox = pack::sandbox::build_program(repo)?;
    drop(lock);

    report.set("missing", engines.missing.clone());
    let run = Run::begin(repo, "bench", &format!("{} rounds", options.rounds), options.seed, None)?;
    let mut node = run.script(engines.command(repo, "node"));
    node.args(["--rounds", &options.rounds.to_string(), "--requests", &options.requests.to_string()]);
    node.arg("--package").arg(&package.folder).arg("--sandbox").arg(sandbox);
    engines.add_args(&mut node, &engines.all())?;
    node.args(options.record.then_some("--record"));
    let limit = LIMIT + LIMIT_ROUND * options.rounds + LIMIT_REQUEST * options.requests;
    run.finish(&mut node, limit)?.report(report)
}

/// Runs everything once without judging times: all variants agree, and the SDK accepts nothing malformed.
pub(crate) fn smoke(repo: &Repo, package: &Package, seed: Seed) -> anyhow::Result<Found> {
    let run = Run::begin(repo, "bench", "a run without times", seed, None)?;
    let mut node = run.script(repo.command("node"));
    node.arg("--smoke").arg("--package").arg(&package.folder);
    node.arg("--chromium").arg(program(repo, Part::Chromium)?);
    run.finish(&mut node, LIMIT)
}

//! `bench`: the SDK against what a shop would write by hand, in real browsers, and the sandbox against a mock
//! of its document. `tests/bench` does it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::engines::{CHROMIUM, Engines};
use crate::pack::{self, Core, Package};
use crate::proof::{Found, any_seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::say;
use crate::setup::{Part, set_up};

/// How long a run may take, whatever hangs: so much, for each round, and for each request to the sandbox.
const LIMIT: Duration = Duration::from_secs(900);
const LIMIT_EACH: Duration = Duration::from_secs(60);
const LIMIT_REQUEST: Duration = Duration::from_millis(1);

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often everything in a page is measured
    #[arg(long, value_name = "N", default_value_t = 15)]
    rounds: u32,
    /// Through how many requests the sandbox's memory is watched, at least 1000
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    requests: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    seed: Option<u32>,
    /// Makes the figures those that later runs are held to; also draws www/screenshots/bench.svg
    #[arg(long)]
    record: bool,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    let engines = Engines::set_up(repo)?;
    // The last is the mock, which is large and is started under load alone.
    for modules in ["tests/e2e", "tests/bench", "tests/bench/load"] {
        set_up(repo, Part::Npm(modules))?;
    }
    let package = pack::build(repo, Core::Real)?;
    let sandbox = pack::sandbox::build_program(repo)?;
    drop(lock);

    report.set("missing", engines.missing.clone());
    let seed = options.seed.unwrap_or_else(any_seed);
    say::say(&format!("{} rounds, seed {seed}:", options.rounds));
    let mut node = engines.command(repo, "node");
    script(repo, &mut node, &package, seed);
    node.args(["--rounds", &options.rounds.to_string(), "--requests", &options.requests.to_string()]);
    node.arg("--sandbox").arg(sandbox);
    engines.pass(&mut node, &engines.all())?;
    if options.record {
        node.arg("--record");
    }
    let limit = LIMIT + LIMIT_EACH * options.rounds + LIMIT_REQUEST * options.requests;
    Found::run("bench", &mut node, limit, &repo.target.join("bench"))?.tell(report)
}

/// Shows that everything which is measured works and agrees, and that the SDK lets nothing through; no time
/// is judged.
pub(crate) fn smoke(repo: &Repo, package: &Package, chromium: &Path, seed: u32) -> anyhow::Result<Found> {
    let mut node = repo.command("node");
    script(repo, &mut node, package, seed);
    node.arg("--smoke").arg(format!("--{CHROMIUM}")).arg(chromium);
    Found::run("bench", &mut node, LIMIT, &repo.target.join("bench"))
}

fn script(repo: &Repo, node: &mut Command, package: &Package, seed: u32) {
    node.arg("tests/bench/run.mjs").args(["--seed", &seed.to_string()]);
    node.arg("--package").arg(&package.folder).arg("--folder").arg(repo.target.join("bench"));
}

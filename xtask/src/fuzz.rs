//! `fuzz`: values that nobody would pass, calls in an order that nobody would write, and mounts without end.
//! `tests/fuzz` does it.

use std::time::Duration;

use crate::pack::{self, Core, Package};
use crate::proof::{Found, any_seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::say;
use crate::setup::{Part, program, set_up};

/// How long a run may take, whatever hangs: so much, and so much for each input.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_EACH: Duration = Duration::from_millis(3);

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many hostile values, at least 1000; one interleaving and one mount go with every hundred
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) inputs: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    set_up(repo, Part::Chromium)?;
    set_up(repo, Part::Npm("tests/e2e"))?;
    let package = pack::build(repo, Core::Real)?;
    drop(lock);
    try_out(repo, &package, options)?.tell(report)
}

pub(crate) fn try_out(repo: &Repo, package: &Package, options: &Options) -> anyhow::Result<Found> {
    let seed = options.seed.unwrap_or_else(any_seed);
    let folder = repo.target.join("fuzz");
    say::say(&format!("{} inputs, seed {seed}:", options.inputs));
    let mut node = repo.command("node");
    node.arg("tests/fuzz/run.mjs");
    node.args(["--inputs", &options.inputs.to_string(), "--seed", &seed.to_string()]);
    node.arg("--chromium").arg(program(repo, Part::Chromium)?);
    node.arg("--tarball").arg(&package.tarball).arg("--folder").arg(&folder);
    Found::run("fuzz", &mut node, LIMIT + LIMIT_EACH * options.inputs, &folder)
}

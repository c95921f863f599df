//! `fuzz` (`tests/fuzz`): hostile values, interleaved calls, and mounts by the thousand.

use std::time::Duration;

use crate::pack::Package;
use crate::proof::{Found, Run, Seed, prepare};
use crate::repo::Repo;
use crate::report::Report;
use crate::setup::{Part, program};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of hostile values, at least 1000; every hundred add one interleaving and one mount
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) inputs: u32,
    #[command(flatten)]
    pub(crate) seed: Seed,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    try_out(repo, &prepare(repo, None, false)?, options)?.report(report)
}

pub(crate) fn try_out(repo: &Repo, package: &Package, options: &Options) -> anyhow::Result<Found> {
    let mut node = repo.command("node");
    node.arg("tests/fuzz/run.mjs").arg("--chromium").arg(program(repo, Part::Chromium)?);
    let run = Run {
        proof: "fuzz",
        size: ("--inputs", options.inputs),
        seed: options.seed,
        without: ("", None),
        limit: (Duration::from_secs(300), Duration::from_millis(3)),
    };
    run.run(repo, node.arg("--tarball").arg(&package.tarball))
}

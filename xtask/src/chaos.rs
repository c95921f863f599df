//! `chaos` (`tests/chaos`): real pages make transfers while the network, the service and the customers' tabs
//! fail. What the pages reported is compared with the database.

use std::time::Duration;

use crate::pack::Package;
use crate::proof::{Found, Run, Seed, prepare};
use crate::repo::Repo;
use crate::report::Report;
use crate::sandbox;
use crate::setup::{Part, program};

/// Safeguards that the SDK can be built without: attempts survive their page, a lost answer is reconciled, a
/// resend has the same quote and nonce.
pub(crate) const SAFEGUARDS: [&str; 3] = ["journal", "reconciliation", "resend"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of transfers
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) transfers: u32,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Disables a safeguard of the SDK, which the run must notice
    #[arg(long, value_name = "NAME", value_parser = SAFEGUARDS)]
    pub(crate) weakness: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let package = prepare(repo, options.weakness.as_deref(), true)?;
    try_out(repo, &package, options)?.report(report)
}

/// Runs it once; the sandbox is built.
pub(crate) fn try_out(repo: &Repo, package: &Package, options: &Options) -> anyhow::Result<Found> {
    let mut node = repo.command("node");
    node.arg("tests/chaos/run.mjs").arg("--chromium").arg(program(repo, Part::Chromium)?);
    node.arg("--sandbox").arg(sandbox::program(repo)).arg("--package").arg(&package.folder);
    let run = Run {
        proof: "chaos",
        size: ("--transfers", options.transfers),
        seed: options.seed,
        without: ("--weakness", options.weakness.as_deref()),
        limit: (Duration::from_secs(300), Duration::from_millis(300)),
    };
    run.run(repo, &mut node)
}

//! `forge` (`tests/forge`): every known way to send a page a message that the card form did not send, in each
//! installed engine, among genuine messages.

use std::time::Duration;

use crate::engines::Engines;
use crate::pack::Package;
use crate::proof::{Found, Run, Seed, prepare};
use crate::repo::Repo;
use crate::report::Report;

/// What the SDK checks before it looks at a message's data: that the browser dispatched it, that the sender's
/// origin is the card form's, and that the sender is the form's own window.
pub(crate) const CHECKS: [&str; 3] = ["isTrusted", "origin", "source"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of forged messages in each engine
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) count: u32,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Disables a check of the SDK, which the run must notice
    #[arg(long, value_name = "CHECK", value_parser = CHECKS)]
    pub(crate) weakness: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let engines = Engines::set_up(repo)?;
    let package = prepare(repo, options.weakness.as_deref(), false)?;
    report.set("missing", engines.missing.clone());
    try_out(repo, &package, options, &engines, &engines.all())?.report(report)
}

pub(crate) fn try_out(
    repo: &Repo,
    package: &Package,
    options: &Options,
    engines: &Engines,
    some: &[&str],
) -> anyhow::Result<Found> {
    let mut node = engines.command(repo, "node");
    node.arg("tests/forge/run.mjs").arg("--package").arg(&package.folder);
    engines.add_args(&mut node, some)?;
    let engines = u32::try_from(some.len())?;
    let run = Run {
        proof: "forge",
        size: ("--count", options.count),
        seed: options.seed,
        without: ("--weakness", options.weakness.as_deref()),
        limit: (Duration::from_secs(240) * engines, Duration::from_millis(200) * engines),
    };
    run.run(repo, &mut node)
}

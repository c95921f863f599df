//! `forge` (`tests/forge`): every known way to send a page a message that the card form did not send, in each
//! installed engine, among genuine messages.

use std::time::Duration;

use crate::engines::Engines;
use crate::pack::Package;
use crate::proof::{Found, Run, Seed, prepare};
use crate::repo::Repo;
use crate::report::Report;

/// The time limit of a run in one engine, and what each message adds.
const LIMIT: Duration = Duration::from_secs(240);
const LIMIT_EACH: Duration = Duration::from_millis(200);

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
    let weakness = options.weakness.as_deref();
    let work = format!("{} forged messages", options.count);
    let run = Run::begin(repo, "forge", &work, options.seed, weakness)?;
    let mut node = run.script(engines.command(repo, "node"));
    node.args(["--count", &options.count.to_string()]).arg("--package").arg(&package.folder);
    node.args(weakness.iter().flat_map(|check| ["--weakness", check]));
    engines.add_args(&mut node, some)?;
    let limit = (LIMIT + LIMIT_EACH * options.count) * u32::try_from(some.len())?;
    run.finish(&mut node, limit)
}

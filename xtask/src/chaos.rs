//! `chaos`: transfers by real pages while the network, the service and the customers' tabs fail. What the
//! pages reported is then held against the database. `tests/chaos` does it.

use std::time::Duration;

use serde_json::Value;

use crate::pack::{self, Core, Package};
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox;
use crate::say;
use crate::setup::{Part, program, set_up};

/// How long a run may take, whatever hangs: so much, and so much for each transfer.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_EACH: Duration = Duration::from_millis(300);

/// What can be left out of the SDK, so that transfers do not happen once: attempts are forgotten with their
/// page, nobody asks what became of a lost answer, what is sent again has another quote and nonce.
pub(crate) const WEAKNESSES: [&str; 3] = ["journal", "reconciliation", "resend"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many transfers
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) transfers: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// What is left out of the SDK, which must be found
    #[arg(long, value_name = "NAME", value_parser = WEAKNESSES)]
    pub(crate) weakness: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    set_up(repo, Part::Chromium)?;
    set_up(repo, Part::Npm("tests/e2e"))?;
    let package = pack::build(repo, Core::weakened_if(options.weakness.is_some()))?;
    sandbox::build(repo)?;
    drop(lock);
    try_out(repo, &package, options)?.tell(report)
}

/// Runs it once with a sandbox that is built.
pub(crate) fn try_out(repo: &Repo, package: &Package, options: &Options) -> anyhow::Result<Found> {
    let seed = options.seed.unwrap_or_else(any_seed);
    let weakness = options.weakness.as_deref();
    let folder = repo.target.join("chaos").join(weakness.unwrap_or("whole"));
    fresh_folder(&folder)?;
    say::say(&format!("{} transfers, seed {seed}:", options.transfers));
    let mut node = repo.command("node");
    node.arg("tests/chaos/run.mjs")
        .args(["--transfers", &options.transfers.to_string(), "--seed", &seed.to_string()])
        .args(weakness.map(|name| ["--weakness", name]).into_iter().flatten());
    node.arg("--chromium").arg(program(repo, Part::Chromium)?).arg("--sandbox").arg(sandbox::program(repo));
    node.arg("--package").arg(&package.folder).arg("--folder").arg(&folder);
    Found::run("chaos", &mut node, LIMIT + LIMIT_EACH * options.transfers, &folder)
}

/// Fails if a run did not notice what was left out.
pub(crate) fn must_have_found(found: &Found, weakness: &str) -> anyhow::Result<()> {
    let is_found = ["duplicates", "wrong"]
        .iter()
        .any(|name| found.figures.get(*name).and_then(Value::as_u64).is_some_and(|count| count > 0));
    found.must_have_found(weakness, is_found)
}

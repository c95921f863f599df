//! `simulate` (`tests/simulate`): histories of transfers, natively and in virtual time. What each page was
//! told is compared with the services' databases.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::pack::{OPTIONAL_SAFEGUARDS, with_flags};
use crate::proof::{self, Found, Run, Seed};
use crate::repo::Repo;
use crate::report::Report;

const HISTORIES: u32 = 20_000;
/// The number of histories within which a missing safeguard must be noticed.
const NOTICED_WITHIN: u32 = 100_000;

#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Number of histories [default: 20000, or up to 100000 where a safeguard is missing]
    #[arg(long, value_name = "N")]
    pub(crate) histories: Option<u32>,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Disables a safeguard of the client, which the run must notice; `all` for each in turn
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    build(repo)?;
    drop(lock);
    match options.without.as_deref() {
        None => try_out(repo, options)?.report(report),
        Some(named) => {
            report.set("safeguards", run_without(repo, named, options)?);
            Ok(())
        }
    }
}

pub(crate) fn build(repo: &Repo) -> anyhow::Result<()> {
    repo.step("simulation", |step| step.run(cargo(repo).arg("--no-run")))
}

/// Runs it without the named safeguard, or without each in turn; returns a row for each.
pub(crate) fn run_without(repo: &Repo, named: &str, options: &Options) -> anyhow::Result<Vec<Value>> {
    let seed = options.seed.chosen();
    proof::run_without(named, cargo(repo).args(["--", "--safeguards"]), |safeguard| {
        let without = Some(safeguard.to_owned());
        try_out(repo, &Options { histories: options.histories, seed, without })
    })
}

/// One build for all runs, as another one takes minutes: the safeguards of this client can be disabled, but are
/// on.
fn cargo(repo: &Repo) -> Command {
    let mut cargo = repo.cargo();
    cargo.args(["test", "--quiet", "--profile", "simulate", "--package", "remitkit", "--test", "simulate"]);
    with_flags(&mut cargo, &[OPTIONAL_SAFEGUARDS.to_owned()]);
    cargo
}

/// Runs it once, as it was built.
pub(crate) fn try_out(repo: &Repo, options: &Options) -> anyhow::Result<Found> {
    let without = options.without.as_deref();
    let default = if without.is_some() { NOTICED_WITHIN } else { HISTORIES };
    let run = Run {
        proof: "simulate",
        size: ("--histories", options.histories.unwrap_or(default)),
        seed: options.seed,
        without: ("--without", without),
        limit: (Duration::from_secs(300), Duration::from_millis(20)),
    };
    run.run(repo, cargo(repo).arg("--"))
}

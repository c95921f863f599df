//! `simulate` (`tests/simulate`): histories of transfers, natively and in virtual time. What each page was
//! told is compared with the services' databases.

use std::process::Command;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use serde_json::Value;

use crate::proof::{self, Found, Run, Seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::safeguards;

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
    #[arg(long, value_name = "NAME", value_parser = names())]
    pub(crate) without: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    build(repo, options.without.is_some())?;
    match options.without.as_deref() {
        None => try_out(repo, options)?.report(report),
        Some(named) => {
            report.set("safeguards", run_without(repo, named, options)?);
            Ok(())
        }
    }
}

/// Returns the names that `--without` takes.
fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(safeguards::of_client().into_iter().chain([proof::ALL]))
}

/// Builds it, and also with a client that can lack a safeguard.
pub(crate) fn build(repo: &Repo, with_optional_safeguards: bool) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    repo.step("simulation", |step| step.run(built_by(repo.cargo()).arg("--no-run")))?;
    if with_optional_safeguards {
        repo.step("simulation, optional safeguards", |step| {
            step.run(built_by(safeguards::cargo(repo)?).arg("--no-run"))
        })?;
    }
    Ok(())
}

fn built_by(mut cargo: Command) -> Command {
    cargo.args(["test", "--quiet", "--profile", "simulate", "--package", "remitkit", "--test", "simulate"]);
    cargo
}

/// Runs it without the named safeguard, or without each in turn; returns a row for each.
pub(crate) fn run_without(repo: &Repo, named: &str, options: &Options) -> anyhow::Result<Vec<Value>> {
    let seed = options.seed.chosen();
    proof::run_without(named, &safeguards::of_client().join("\n"), |safeguard| {
        let without = Some(safeguard.to_owned());
        let found = try_out(repo, &Options { histories: options.histories, seed, without })?;
        if let Some(after) = found.found_after() {
            // A history that the whole client fails, too, would say nothing about the safeguard.
            let whole = Options { histories: Some(1), seed: seed.plus(after - 1), without: None };
            try_out(repo, &whole)?.must_be_clean()?;
        }
        Ok(found)
    })
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
    let cargo = if without.is_some() { safeguards::cargo(repo)? } else { repo.cargo() };
    run.run(repo, built_by(cargo).arg("--"))
}

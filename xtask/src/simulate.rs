//! `simulate`: every history that could happen to transfers, natively and in virtual time. What each page was
//! told is then held against the services' databases. `tests/simulate` does it.

use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::proof::{self, Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::say;

const HISTORIES: u64 = 20_000;
/// How many histories a missing safeguard has to be found within.
const FOUND_WITHIN: u64 = 100_000;
/// How long a run may take, whatever hangs: so much, and so much for each history.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_EACH: Duration = Duration::from_millis(20);

#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// How many: 20000, or 100000 at most where a safeguard is missing
    #[arg(long, value_name = "N")]
    pub(crate) histories: Option<u64>,
    /// The seed of the first history, the next one has the next; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// The safeguard that is left out of the client, which must be found; `all` for each in turn
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    build(repo, options.without.is_some())?;
    drop(lock);
    match options.without.as_deref() {
        None => try_out(repo, options)?.tell(report),
        Some(named) => {
            report.set("safeguards", without(repo, named, options)?);
            Ok(())
        }
    }
}

/// Builds it with the client that is published, or with one that can lack a safeguard.
pub(crate) fn build(repo: &Repo, is_weakened: bool) -> anyhow::Result<()> {
    repo.step("simulation", |step| step.run(cargo(repo, is_weakened).arg("--no-run")))
}

/// Takes out the safeguard that is named, or each in turn: a row each.
pub(crate) fn without(repo: &Repo, named: &str, options: &Options) -> anyhow::Result<Vec<Value>> {
    let seed = Some(options.seed.unwrap_or_else(any_seed));
    proof::without(named, cargo(repo, true).args(["--", "--safeguards"]), |safeguard| {
        let without = Some(safeguard.to_owned());
        try_out(repo, &Options { histories: options.histories, seed, without })
    })
}

fn cargo(repo: &Repo, is_weakened: bool) -> Command {
    let mut cargo = repo.cargo();
    cargo.args(["test", "--quiet", "--profile", "simulate", "--package", "remitkit", "--test", "simulate"]);
    if is_weakened {
        cargo.args(["--features", "weakened"]);
    }
    cargo
}

/// Runs it once, as it was built.
pub(crate) fn try_out(repo: &Repo, options: &Options) -> anyhow::Result<Found> {
    let seed = options.seed.unwrap_or_else(any_seed);
    let without = options.without.as_deref();
    let usual = if without.is_some() { FOUND_WITHIN } else { HISTORIES };
    let histories = options.histories.unwrap_or(usual);
    let folder = repo.target.join("simulate").join(without.unwrap_or("whole"));
    fresh_folder(&folder)?;
    let missing = without.map_or(String::new(), |safeguard| format!(" without {safeguard}"));
    say::say(&format!("{histories} histories{missing}, seed {seed}:"));
    let mut cargo = cargo(repo, without.is_some());
    cargo
        .args(["--", "--histories", &histories.to_string(), "--seed", &seed.to_string()])
        .args(without.map(|safeguard| ["--without", safeguard]).into_iter().flatten());
    let limit = LIMIT + LIMIT_EACH * u32::try_from(histories).unwrap_or(u32::MAX);
    Found::run("simulate", cargo.arg("--folder").arg(&folder), limit, &folder)
}

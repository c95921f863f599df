//! `simulate`: every history that could happen to transfers, natively and in virtual time. What each page was told is then held against the
//! services' databases. `tests/simulate` does it.

use std::process::Command;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};

use crate::command;
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::say;
use crate::steps::Steps;

/// How many histories a missing safeguard has to be found within.
const FOUND_WITHIN: u64 = 100_000;
/// How long a run may take, whatever hangs: so much, and so much for each history.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_EACH: Duration = Duration::from_millis(20);

#[derive(Args, Default)]
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

impl Options {
    /// How many histories the layer of tests runs.
    const HISTORIES: u64 = 20_000;
}

/// Every safeguard, one after another.
const ALL: &str = "all";

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let mut steps = repo.steps(1);
    let lock = repo.lock()?;
    let build = if options.without.is_some() { Build::Weakened } else { Build::Real };
    build.make(repo, &mut steps)?;
    drop(lock);
    match options.without.as_deref() {
        None => Simulation { repo, build }.run(options)?.tell(report),
        Some(ALL) => {
            report.set("safeguards", json!(table(repo, options)?));
            Ok(())
        }
        Some(safeguard) => {
            let found = Simulation { repo, build }.run(options)?;
            report.set("safeguards", json!([row(safeguard, &found)]));
            say::result(&found.line);
            must_have_found(&found, safeguard)
        }
    }
}

/// Takes out each safeguard in turn, and says after how many histories that was found.
pub(crate) fn table(repo: &Repo, options: &Options) -> anyhow::Result<Vec<Value>> {
    let seed = Some(options.seed.unwrap_or_else(any_seed));
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    let mut outcome = Ok(());
    for safeguard in safeguards(repo)? {
        let of_one = Options { histories: options.histories, seed, without: Some(safeguard.clone()) };
        let found = Simulation { repo, build: Build::Weakened }.run(&of_one)?;
        outcome = outcome.and(must_have_found(&found, &safeguard));
        let after = found.figures.get("foundAfter").and_then(Value::as_u64);
        let after = after.map_or("never".to_owned(), |after| after.to_string());
        lines.push(format!("{safeguard:>16} {after:>7}  {}", rules(&found).join("; ")));
        rows.push(row(&safeguard, &found));
    }
    lines.iter().for_each(|line| say::result(line));
    outcome.map(|()| rows)
}

/// What was found.
fn rules(found: &Found) -> Vec<&str> {
    let rules = found.figures.get("rules").and_then(Value::as_array);
    rules.into_iter().flatten().filter_map(|rule| rule.get("rule")?.as_str()).collect()
}

fn row(safeguard: &str, found: &Found) -> Value {
    json!({ "safeguard": safeguard, "foundAfter": found.figures.get("foundAfter"), "rules": rules(found) })
}

/// The names of the safeguards that a run can do without.
fn safeguards(repo: &Repo) -> anyhow::Result<Vec<String>> {
    let names = command::output(Build::Weakened.cargo(repo).args(["--", "--safeguards"]))?;
    Ok(names.lines().map(str::to_owned).collect())
}

/// Which build of the client.
#[derive(Clone, Copy)]
pub(crate) enum Build {
    Real,
    /// One that can lack a safeguard.
    Weakened,
}

impl Build {
    pub(crate) fn make(self, repo: &Repo, steps: &mut Steps) -> anyhow::Result<()> {
        steps.run("simulation", |step| step.run(self.cargo(repo).arg("--no-run")))
    }

    fn cargo(self, repo: &Repo) -> Command {
        let mut cargo = repo.cargo();
        cargo.args([
            "test",
            "--quiet",
            "--profile",
            "simulate",
            "--package",
            "remitkit",
            "--test",
            "simulate",
        ]);
        if let Build::Weakened = self {
            cargo.args(["--features", "weakened"]);
        }
        cargo
    }
}

pub(crate) struct Simulation<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) build: Build,
}

impl Simulation<'_> {
    pub(crate) fn run(&self, options: &Options) -> anyhow::Result<Found> {
        let repo = self.repo;
        let seed = options.seed.unwrap_or_else(any_seed);
        let usual = if options.without.is_some() { FOUND_WITHIN } else { Options::HISTORIES };
        let histories = options.histories.unwrap_or(usual);
        let without = options.without.as_deref();
        let folder = repo.target.join("simulate").join(without.unwrap_or("whole"));
        fresh_folder(&folder)?;
        let missing = without.map_or(String::new(), |safeguard| format!(" without {safeguard}"));
        say::say(&format!("{histories} histories{missing}, seed {seed}:"));
        let mut cargo = self.build.cargo(repo);
        cargo
            .args(["--", "--histories", &histories.to_string(), "--seed", &seed.to_string()])
            .arg("--folder")
            .arg(&folder);
        if let Some(safeguard) = without {
            cargo.args(["--without", safeguard]);
        }
        let limit = LIMIT + LIMIT_EACH * u32::try_from(histories).unwrap_or(u32::MAX);
        Found::run("simulate", &mut cargo, limit, &folder)
    }
}

/// Fails if a run did not notice what was left out.
fn must_have_found(found: &Found, safeguard: &str) -> anyhow::Result<()> {
    if found.figures.get("foundAfter").is_some_and(Value::is_number) {
        return Ok(());
    }
    bail!("that the safeguard `{safeguard}` is missing was not found: {}", found.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_safeguard_has_to_be_found() {
        assert!(must_have_found(&Found::of(json!({ "foundAfter": 3 }), false), "lock").is_ok());
        let error = must_have_found(&Found::of(json!({ "foundAfter": null }), true), "lock");
        assert!(error.is_err_and(|error| error.to_string().contains("`lock`")));
    }
}

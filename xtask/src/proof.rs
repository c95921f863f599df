//! What the long proofs share: a script that ends with one line of figures and writes them to a file, a seed,
//! and runs without a safeguard, which the proof must notice.

use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{bail, ensure};
use serde_json::{Map, Value, json};

use crate::pack::{self, Core, Package};
use crate::process::run_shown;
use crate::repo::{Repo, fresh_folder, read_json};
use crate::report::Report;
use crate::setup::{self, Part};
use crate::{sandbox, say};

#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct Seed {
    /// Seed of everything random, as the line of an earlier run names it; a run of several histories or walks
    /// gives the next one the next seed [default: a random one]
    #[arg(long)]
    seed: Option<u32>,
}

impl Seed {
    pub(crate) fn of(seed: u32) -> Seed {
        Seed { seed: Some(seed) }
    }

    /// Returns the seed of the history that comes this many after the first.
    pub(crate) fn plus(self, histories: u64) -> Seed {
        Seed { seed: self.seed.map(|seed| seed.wrapping_add(histories as u32)) }
    }

    /// Returns itself, or a random seed where none is given.
    pub(crate) fn chosen(self) -> Seed {
        let random = || u32::try_from(RandomState::new().hash_one(0_u8) >> 32).unwrap_or_default();
        Seed::of(self.seed.unwrap_or_else(random))
    }
}

/// Sets up and builds what a proof in Chromium needs, while no other command builds.
pub(crate) fn prepare(repo: &Repo, without: Option<&str>, with_sandbox: bool) -> anyhow::Result<Package> {
    let _lock = repo.lock()?;
    setup::prepare(repo, &[&pack::PARTS[..], &[Part::Chromium, Part::Npm("tests/e2e")]].concat())?;
    let core = without.map_or(Core::Published, |_| Core::OptionalSafeguards);
    let package = pack::build(repo, core)?;
    if with_sandbox {
        sandbox::build(repo)?;
    }
    Ok(package)
}

/// A run of a proof, in an empty folder of its own.
pub(crate) struct Run<'a> {
    pub(crate) proof: &'static str,
    /// The proof's option for the size of the run, such as `--transfers`, and the size.
    pub(crate) size: (&'static str, u32),
    pub(crate) seed: Seed,
    /// The proof's option that disables a safeguard, and the safeguard if one is disabled.
    pub(crate) without: (&'static str, Option<&'a str>),
    /// The time limit, and what each unit of the size adds to it.
    pub(crate) limit: (Duration, Duration),
}

impl Run<'_> {
    /// Runs the proof's script, which leaves `figures.json` in the folder and ends with a line that begins
    /// with the proof's name.
    pub(crate) fn run(self, repo: &Repo, script: &mut Command) -> anyhow::Result<Found> {
        let (option, size) = self.size;
        script.args([option, &size.to_string()]);
        let (option, safeguard) = self.without;
        script.args(safeguard.iter().flat_map(|safeguard| [option, safeguard]));
        let folder = repo.target.join(self.proof).join(safeguard.unwrap_or("whole"));
        fresh_folder(&folder)?;
        let seed = self.seed.chosen().seed.unwrap_or_default();
        script.args(["--seed", &seed.to_string(), "--folder"]).arg(&folder);
        let without = safeguard.map_or(String::new(), |safeguard| format!(" without {safeguard}"));
        say::say(&format!("{} {} {size}{without}, seed {seed}:", self.proof, self.size.0));

        let (text, outcome) = run_shown(script, self.limit.0 + self.limit.1 * size)?;
        let prefix = format!("{}: ", self.proof);
        let Some(line) = text.lines().last().filter(|line| line.starts_with(&prefix)) else {
            outcome?;
            bail!("the run ended without figures");
        };
        let figures = read_json(&folder.join("figures.json"))?;
        let mut figures = figures.as_object().cloned().unwrap_or_default();
        // The exit status may be that of xvfb-run, so some scripts write the verdict, too.
        let is_clean = figures.remove("clean").map_or(outcome.is_ok(), |clean| clean == json!(true));
        let is_certain = figures.remove("broken").is_none_or(|broken| broken == json!(true));
        Ok(Found { line: line.to_owned(), figures, is_clean, is_certain, folder })
    }
}

#[derive(Default)]
pub(crate) struct Found {
    line: String,
    pub(crate) figures: Map<String, Value>,
    is_clean: bool,
    /// Whether what was found is the subject's fault, whatever the machine did meanwhile: scripts that meet
    /// real time say whether a rule was `broken`.
    is_certain: bool,
    folder: PathBuf,
}

impl Found {
    /// Prints and reports the figures, and fails unless the run was clean.
    pub(crate) fn report(&self, report: &mut Report) -> anyhow::Result<()> {
        for (name, figure) in &self.figures {
            report.set(name, figure.clone());
        }
        say::result(&self.line);
        self.must_be_clean()
    }

    pub(crate) fn is_certain(&self) -> bool {
        self.is_certain
    }

    pub(crate) fn must_be_clean(&self) -> anyhow::Result<()> {
        let folder = self.folder.display();
        ensure!(
            self.is_clean,
            "{}; not every figure that must be zero is: see the files in {folder}",
            self.line
        );
        Ok(())
    }

    /// Fails if a run did not notice the missing safeguard: its figures are `noticed`, or after how many
    /// histories or walks it did.
    pub(crate) fn must_have_noticed(&self, missing: &str) -> anyhow::Result<()> {
        let has_noticed = self.figures.get("noticed") == Some(&json!(true)) || self.found_after().is_some();
        ensure!(has_noticed, "the run did not notice that `{missing}` is missing: {}", self.line);
        Ok(())
    }

    pub(crate) fn found_after(&self) -> Option<u64> {
        self.figures.get("foundAfter")?.as_u64()
    }
}

/// The name that stands for each safeguard in turn.
pub(crate) const ALL: &str = "all";

/// Runs without the named safeguard, or without each one of the lines of `all`. Returns a row for each, with the
/// number of histories or walks until the run noticed: `{"safeguard", "foundAfter", "rules"}`. Fails if a run
/// did not.
pub(crate) fn run_without(
    named: &str,
    all: &str,
    run: impl Fn(&str) -> anyhow::Result<Found>,
) -> anyhow::Result<Vec<Value>> {
    let names = if named == ALL { all } else { named };
    let (mut rows, mut lines, mut outcome) = (Vec::new(), Vec::new(), Ok(()));
    for safeguard in names.lines() {
        let found = run(safeguard)?;
        let after = found.found_after();
        let rules = found.figures.get("rules").and_then(Value::as_array).into_iter().flatten();
        let rules: Vec<&str> = rules.filter_map(|rule| rule.get("rule")?.as_str()).collect();
        outcome = outcome.and(found.must_have_noticed(safeguard));
        let shown = after.map_or("never".to_owned(), |after| after.to_string());
        lines.push(format!("{safeguard:>16} {shown:>7}  {}", rules.join("; ")));
        rows.push(json!({ "safeguard": safeguard, "foundAfter": after, "rules": rules }));
    }
    lines.iter().for_each(|line| say::result(line));
    outcome.map(|()| rows)
}

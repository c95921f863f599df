//! `walks`: customers who do anything at all at the demo shop while the service fails (`tests/walks`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use crate::command;
use crate::pack::{self, Core};
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox;
use crate::say;
use crate::setup::{Part, headless_chromium, set_up};
use crate::shop;

/// How long a run may take, whatever hangs: so much, and so much for each walk.
const LIMIT: Duration = Duration::from_secs(600);
const LIMIT_EACH: Duration = Duration::from_secs(10);

#[derive(Args, Clone)]
pub(crate) struct Options {
    /// How many walks; the first has the seed, the next one the seed after it
    #[arg(long, value_name = "N", default_value_t = Options::default().walks)]
    pub(crate) walks: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// After how long no other walk begins
    #[arg(long, value_name = "N")]
    pub(crate) minutes: Option<u32>,
    /// How many are walked side by side in one browser
    #[arg(long, value_name = "N", default_value_t = Options::default().lanes)]
    pub(crate) lanes: u32,
    /// The steps of a finding, which are walked in the place of random ones
    #[arg(long, value_name = "FILE")]
    pub(crate) steps: Option<PathBuf>,
    /// The safeguard that is left out of the shop, which must be found; `all` for each in turn
    #[arg(long, value_name = "NAME")]
    pub(crate) without: Option<String>,
}

/// Safeguards of which a few walks find that they are missing, with a seed from which on that is soon.
pub(crate) const SOON_FOUND: [(&str, u32); 3] = [("wait", 40), ("another", 4), ("remember", 5)];

/// Every safeguard, one after another.
const ALL: &str = "all";

impl Default for Options {
    fn default() -> Self {
        Options { walks: 100, seed: None, minutes: None, lanes: 8, steps: None, without: None }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    let chromium = headless_chromium(repo)?;
    set_up(repo, Part::Npm("tests/e2e"))?;
    let package = pack::build(repo, Core::Real)?;
    sandbox::build(repo)?;
    shop::build(repo, &package)?;
    drop(lock);

    let walks = Walks { repo, chromium: &chromium };
    match options.without.as_deref() {
        None => walks.run(options)?.tell(report),
        Some(ALL) => {
            report.set("safeguards", json!(walks.table(options)?));
            Ok(())
        }
        Some(safeguard) => {
            let found = walks.run(options)?;
            report.set("safeguards", json!([row(safeguard, &found)]));
            say::result(&found.line);
            must_have_found(&found, safeguard)
        }
    }
}

fn row(safeguard: &str, found: &Found) -> Value {
    let figure = |name: &str| found.figures.get(name);
    json!({ "safeguard": safeguard, "foundAfter": figure("foundAfter"), "rules": figure("rules") })
}

/// Fails if a run did not notice what was left out.
pub(crate) fn must_have_found(found: &Found, safeguard: &str) -> anyhow::Result<()> {
    found.must_have_found(safeguard, found.found_after().is_some())
}

/// What a run needs beside the built shop.
pub(crate) struct Walks<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) chromium: &'a Path,
}

impl Walks<'_> {
    pub(crate) fn run(&self, options: &Options) -> anyhow::Result<Found> {
        let repo = self.repo;
        let seed = options.seed.unwrap_or_else(any_seed);
        let without = options.without.as_deref();
        let folder = repo.target.join("walks").join(without.unwrap_or("whole"));
        fresh_folder(&folder)?;
        let missing = without.map_or(String::new(), |safeguard| format!(" without {safeguard}"));
        say::say(&format!("{} walks{missing}, seed {seed}:", options.walks));
        let mut node = repo.command("node");
        node.arg("tests/walks/run.mjs")
            .args(["--walks", &options.walks.to_string(), "--seed", &seed.to_string()])
            .args(["--lanes", &options.lanes.to_string()])
            .arg("--chromium")
            .arg(self.chromium)
            .arg("--sandbox")
            .arg(sandbox::program(repo))
            .arg("--folder")
            .arg(&folder);
        if let Some(file) = &options.steps {
            node.arg("--steps").arg(file);
        }
        if let Some(minutes) = options.minutes {
            node.args(["--minutes", &minutes.to_string()]);
        }
        if let Some(safeguard) = without {
            node.args(["--without", safeguard]);
        }
        Found::run("walks", &mut node, LIMIT + LIMIT_EACH * options.walks, &folder)
    }

    /// Takes out each safeguard in turn, and says after how many walks that was found.
    pub(crate) fn table(&self, options: &Options) -> anyhow::Result<Vec<Value>> {
        let seed = Some(options.seed.unwrap_or_else(any_seed));
        let mut rows = Vec::new();
        let mut lines = Vec::new();
        let mut outcome = Ok(());
        for safeguard in self.safeguards()? {
            let of_one = Options { seed, without: Some(safeguard.clone()), ..options.clone() };
            let found = self.run(&of_one)?;
            outcome = outcome.and(must_have_found(&found, &safeguard));
            let after = found.found_after().map_or("never".to_owned(), |after| after.to_string());
            let rules = found.figures.get("rules").and_then(Value::as_object);
            let rules: Vec<_> = rules.into_iter().flatten().map(|(rule, _)| rule.as_str()).collect();
            lines.push(format!("{safeguard:>10} {after:>5}  {}", rules.join("; ")));
            rows.push(row(&safeguard, &found));
        }
        lines.iter().for_each(|line| say::result(line));
        outcome.map(|()| rows)
    }

    /// The names of the safeguards that a shop can do without.
    fn safeguards(&self) -> anyhow::Result<Vec<String>> {
        let names = command::output(self.repo.command("node").args(["tests/walks/run.mjs", "--safeguards"]))?;
        Ok(names.lines().map(str::to_owned).collect())
    }
}

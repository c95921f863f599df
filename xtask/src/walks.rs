//! `walks`: customers who do anything at all at the demo shop while the service fails (`tests/walks`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use crate::pack::{self, Core};
use crate::proof::{self, Found, any_seed};
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
        Some(named) => {
            report.set("safeguards", walks.without(named, options)?);
            Ok(())
        }
    }
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

    /// Takes out the safeguard that is named, or each in turn: a row each.
    pub(crate) fn without(&self, named: &str, options: &Options) -> anyhow::Result<Vec<Value>> {
        let seed = Some(options.seed.unwrap_or_else(any_seed));
        let known = &mut self.repo.command("node");
        proof::without(named, known.args(["tests/walks/run.mjs", "--safeguards"]), |safeguard| {
            self.run(&Options { seed, without: Some(safeguard.to_owned()), ..options.clone() })
        })
    }
}

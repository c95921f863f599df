//! `walks`: customers who do anything at all at the demo shop, while the service fails them. `tests/walks` does it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use crate::pack::{self, Core};
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox;
use crate::say;
use crate::setup::{self, Browser, NodeModules};
use crate::shop;

/// How long a run may take, whatever hangs: so much, and so much for each walk.
const LIMIT: Duration = Duration::from_secs(600);
const LIMIT_EACH: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(crate) struct Options {
    /// How many walks; the first has the seed, the next one the seed after it
    #[arg(long, value_name = "N", default_value_t = Options::default().walks)]
    pub(crate) walks: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// How many are walked side by side in one browser
    #[arg(long, value_name = "N", default_value_t = Options::default().lanes)]
    pub(crate) lanes: u32,
    /// The steps of a finding, which are walked in the place of random ones
    #[arg(long, value_name = "FILE")]
    pub(crate) steps: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options { walks: 100, seed: None, lanes: 8, steps: None }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let mut steps =
        repo.steps(pack::SET_UP_STEPS + shop::SET_UP_STEPS + 2 + pack::BUILD_STEPS + 1 + shop::BUILD_STEPS);
    let lock = repo.lock()?;
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    shop::set_up(repo, &mut steps)?;
    let chromium = setup::set_up_program(repo, &mut steps, &Browser { with_driver: false })?;
    setup::set_up(repo, &mut steps, &NodeModules::of("tests/e2e"))?;
    let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    sandbox::build(repo, &mut steps)?;
    shop::build(repo, &mut steps, &package)?;
    drop(lock);

    Walks { repo, chromium: &chromium }.run(options)?.tell(report)
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
        let folder = repo.target.join("walks");
        fresh_folder(&folder)?;
        say::say(&format!("{} walks, seed {seed}:", options.walks));
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
        Found::run("walks", &mut node, LIMIT + LIMIT_EACH * options.walks, &folder)
    }
}

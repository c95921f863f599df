//! `fuzz`: values that nobody would pass, calls in an order that nobody would write, and mounts without end. `tests/fuzz` does it.

use std::path::Path;
use std::time::Duration;

use clap::Args;

use crate::pack::{self, Core};
use crate::proof::{Found, any_seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::say;
use crate::setup::{self, Browser, NodeModules};

/// How long a run may take, whatever hangs: so much, and so much for each input.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_EACH: Duration = Duration::from_millis(3);

#[derive(Args)]
pub(crate) struct Options {
    /// How many hostile values, at least 1000; one interleaving and one mount go with every hundred
    #[arg(long, value_name = "N", default_value_t = Options::default().inputs)]
    pub(crate) inputs: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        Options { inputs: 20_000, seed: None }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let steps = pack::SET_UP_STEPS + 2 + pack::BUILD_STEPS;
    let mut steps = repo.steps(steps);
    let lock = repo.lock()?;
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let chromium = setup::set_up_program(repo, &mut steps, &Browser { with_driver: false })?;
    setup::set_up(repo, &mut steps, &NodeModules::of("tests/e2e"))?;
    let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    drop(lock);

    Fuzz { repo, chromium: &chromium }.run(&package.tarball, options)?.tell(report)
}

/// What a run needs beside the package.
pub(crate) struct Fuzz<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) chromium: &'a Path,
}

impl Fuzz<'_> {
    pub(crate) fn run(&self, tarball: &Path, options: &Options) -> anyhow::Result<Found> {
        let repo = self.repo;
        let seed = options.seed.unwrap_or_else(any_seed);
        let folder = repo.target.join("fuzz");
        say::say(&format!("{} inputs, seed {seed}:", options.inputs));
        let mut node = repo.command("node");
        node.arg("tests/fuzz/run.mjs")
            .args(["--inputs", &options.inputs.to_string(), "--seed", &seed.to_string()])
            .arg("--chromium")
            .arg(self.chromium)
            .arg("--tarball")
            .arg(tarball)
            .arg("--folder")
            .arg(&folder);
        Found::run("fuzz", &mut node, LIMIT + LIMIT_EACH * options.inputs, &folder)
    }
}

//! `chaos`: transfers by real pages while the network, the service and the customers' tabs fail. What the pages
//! reported is then held against the database. `tests/chaos` does it.

use std::path::Path;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::pack::{self, Core};
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox;
use crate::say;
use crate::setup::{self, Browser, NodeModules};

/// How long a run may take, whatever hangs: so much, and so much for each transfer.
const LIMIT: Duration = Duration::from_secs(300);
const LIMIT_EACH: Duration = Duration::from_millis(300);

#[derive(Args)]
pub(crate) struct Options {
    /// How many transfers
    #[arg(long, value_name = "N", default_value_t = Options::default().transfers)]
    pub(crate) transfers: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// What is left out of the SDK, which must be found
    #[arg(long, value_name = "NAME")]
    pub(crate) weakness: Option<Weakness>,
}

impl Default for Options {
    fn default() -> Self {
        Options { transfers: 300, seed: None, weakness: None }
    }
}

/// What is left out of the SDK, so that transfers do not happen once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Weakness {
    /// Attempts are forgotten with their page
    Journal,
    /// Nobody asks what became of a lost answer
    Reconciliation,
    /// What is sent again has another quote and nonce
    Resend,
}

impl Weakness {
    pub(crate) const ALL: [Weakness; 3] = [Weakness::Journal, Weakness::Reconciliation, Weakness::Resend];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Weakness::Journal => "journal",
            Weakness::Reconciliation => "reconciliation",
            Weakness::Resend => "resend",
        }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let mut steps = repo.steps(pack::SET_UP_STEPS + 2 + pack::BUILD_STEPS + 1);
    let lock = repo.lock()?;
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let chromium = setup::set_up_program(repo, &mut steps, &Browser { with_driver: false })?;
    setup::set_up(repo, &mut steps, &NodeModules::of("tests/e2e"))?;
    let core = if options.weakness.is_some() { Core::Weakened } else { Core::Real };
    let package = pack::build(repo, &mut steps, &wasm_bindgen, core)?;
    sandbox::build(repo, &mut steps)?;
    drop(lock);

    Chaos { repo, chromium: &chromium }.run(&package.folder, options)?.tell(report)
}

/// What a run needs beside the package.
pub(crate) struct Chaos<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) chromium: &'a Path,
}

impl Chaos<'_> {
    pub(crate) fn run(&self, package: &Path, options: &Options) -> anyhow::Result<Found> {
        let repo = self.repo;
        let seed = options.seed.unwrap_or_else(any_seed);
        let name = options.weakness.map_or("whole", Weakness::name);
        let folder = repo.target.join("chaos").join(name);
        fresh_folder(&folder)?;
        say::say(&format!("{} transfers, seed {seed}:", options.transfers));
        let mut node = repo.command("node");
        node.arg("tests/chaos/run.mjs")
            .args(["--transfers", &options.transfers.to_string(), "--seed", &seed.to_string()])
            .arg("--chromium")
            .arg(self.chromium)
            .arg("--sandbox")
            .arg(sandbox::program(repo))
            .arg("--package")
            .arg(package)
            .arg("--folder")
            .arg(&folder);
        if let Some(weakness) = options.weakness {
            node.args(["--weakness", weakness.name()]);
        }
        Found::run("chaos", &mut node, LIMIT + LIMIT_EACH * options.transfers, &folder)
    }
}

/// Fails if a run did not notice what was left out.
pub(crate) fn must_have_found(found: &Found, weakness: Weakness) -> anyhow::Result<()> {
    let count = |name: &str| found.figures.get(name).and_then(Value::as_u64).unwrap_or(0);
    if count("duplicates") + count("wrong") > 0 {
        return Ok(());
    }
    bail!("the weakness `{}` was not found: {}", weakness.name(), found.line)
}

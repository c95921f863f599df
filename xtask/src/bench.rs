//! `bench`: the SDK against what a shop would write by hand, in real browsers, and the sandbox against a mock of its document.
//! `tests/bench` does it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde_json::Value;

use crate::engines::{Engine, Engines};
use crate::pack::{self, Core};
use crate::proof::{Found, any_seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::say;
use crate::setup::{self, NodeModules};

/// What is compared with the SDK, and the bundler.
pub(crate) const MODULES: NodeModules = NodeModules::of("tests/bench");
/// The mock, which is large and is started under load alone.
const LOAD_MODULES: NodeModules = NodeModules::of("tests/bench/load");

/// How long a run may take, whatever hangs: so much, for each round, and for each request to the sandbox.
const LIMIT: Duration = Duration::from_secs(900);
const LIMIT_EACH: Duration = Duration::from_secs(60);
const LIMIT_REQUEST: Duration = Duration::from_millis(1);

#[derive(Args)]
pub(crate) struct Options {
    /// How often everything in a page is measured
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub(crate) rounds: u32,
    /// Through how many requests the sandbox's memory is watched, at least 1000
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub(crate) requests: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// Makes the figures those that later runs are held to; also draws www/screenshots/bench.svg
    #[arg(long)]
    pub(crate) record: bool,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let total = pack::SET_UP_STEPS + Engines::SET_UP_STEPS + 3 + pack::BUILD_STEPS + 1;
    let mut steps = repo.steps(total);
    let lock = repo.lock()?;
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let engines = Engines::set_up(repo, &mut steps)?;
    for modules in [NodeModules::of("tests/e2e"), MODULES, LOAD_MODULES] {
        setup::set_up(repo, &mut steps, &modules)?;
    }
    let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    let sandbox = pack::sandbox::build_program(repo, &mut steps)?;
    drop(lock);

    engines.say_what_is_missing();
    report.set("missing", Value::Object(engines.missing()));
    let bench = Bench { repo, package: &package.folder };
    bench.run(&engines, &sandbox, options)?.tell(report)
}

/// What a run needs in any case.
pub(crate) struct Bench<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) package: &'a Path,
}

impl Bench<'_> {
    fn run(&self, engines: &Engines, sandbox: &Path, options: &Options) -> anyhow::Result<Found> {
        let mut node = engines.command(self.repo, "node");
        let seed = self.script(&mut node, options.seed);
        say::say(&format!("{} rounds, seed {seed}:", options.rounds));
        node.args(["--rounds", &options.rounds.to_string()])
            .args(["--requests", &options.requests.to_string()])
            .arg("--sandbox")
            .arg(sandbox);
        for engine in [Engine::Chromium].into_iter().chain(engines.others()) {
            let program = engines.program(engine).with_context(|| format!("{} is missing", engine.name()))?;
            node.arg(format!("--{}", engine.name())).arg(program);
        }
        for engine in engines.missing().keys() {
            node.args(["--missing", engine]);
        }
        if options.record {
            node.arg("--record");
        }
        let limit = LIMIT + LIMIT_EACH * options.rounds + LIMIT_REQUEST * options.requests;
        self.found(&mut node, limit)
    }

    /// That everything which is measured works and agrees, and that the SDK lets nothing through; no time is judged.
    pub(crate) fn smoke(&self, chromium: &Path) -> anyhow::Result<Found> {
        let mut node = self.repo.command("node");
        self.script(&mut node, None);
        node.args(["--smoke", "--chromium"]).arg(chromium);
        self.found(&mut node, LIMIT)
    }

    fn script(&self, node: &mut Command, seed: Option<u32>) -> u32 {
        let seed = seed.unwrap_or_else(any_seed);
        node.arg("tests/bench/run.mjs").args(["--seed", &seed.to_string()]);
        node.arg("--package").arg(self.package).arg("--folder").arg(self.folder());
        seed
    }

    fn found(&self, node: &mut Command, limit: Duration) -> anyhow::Result<Found> {
        let mut found = Found::run("bench", node, limit, &self.folder())?;
        // Not the exit status, which may be that of the screen.
        found.is_clean = found.figures.remove("clean") == Some(Value::Bool(true));
        Ok(found)
    }

    fn folder(&self) -> std::path::PathBuf {
        self.repo.target.join("bench")
    }
}

//! `forge`: every way that is known to send a page a message which the card form did not send, in each engine that is
//! there, and what the form does send among it. `tests/forge` does it.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::engines::{Engine, Engines};
use crate::pack::{self, Core};
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox::{self, Sandbox};
use crate::say;
use crate::setup::{self, NodeModules};

/// How long a run may take, whatever hangs: so much for each engine, and so much for each message in it.
const LIMIT: Duration = Duration::from_secs(240);
const LIMIT_EACH: Duration = Duration::from_millis(200);

#[derive(Args)]
pub(crate) struct Options {
    /// How many forged messages in each engine
    #[arg(long, value_name = "N", default_value_t = Options::default().count)]
    pub(crate) count: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// The check that is left out of the SDK, which must be found
    #[arg(long, value_name = "CHECK")]
    pub(crate) weakness: Option<Check>,
}

impl Default for Options {
    fn default() -> Self {
        Options { count: 300, seed: None, weakness: None }
    }
}

/// What the SDK looks at before it looks at a message's data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "camelCase")]
pub(crate) enum Check {
    /// Whether the browser dispatched it
    IsTrusted,
    /// Whether its sender shows a page of the card form's origin
    Origin,
    /// Whether its sender is the form's own window
    Source,
}

impl Check {
    pub(crate) const ALL: [Check; 3] = [Check::IsTrusted, Check::Origin, Check::Source];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Check::IsTrusted => "isTrusted",
            Check::Origin => "origin",
            Check::Source => "source",
        }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let total = pack::SET_UP_STEPS + Engines::SET_UP_STEPS + 1 + pack::BUILD_STEPS + 1;
    let mut steps = repo.steps(total);
    let lock = repo.lock()?;
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let engines = Engines::set_up(repo, &mut steps)?;
    setup::set_up(repo, &mut steps, &NodeModules::of("tests/e2e"))?;
    let core = if options.weakness.is_some() { Core::Weakened } else { Core::Real };
    let package = pack::build(repo, &mut steps, &wasm_bindgen, core)?;
    sandbox::build(repo, &mut steps)?;
    drop(lock);

    engines.say_what_is_missing();
    let mut all = engines.others();
    all.insert(0, Engine::Chromium);
    report.set("missing", Value::Object(engines.missing()));
    Forge { repo, engines: &engines }.run(&package.folder, options, &all)?.tell(report)
}

/// What a run needs beside the package.
pub(crate) struct Forge<'a> {
    pub(crate) repo: &'a Repo,
    pub(crate) engines: &'a Engines,
}

impl Forge<'_> {
    pub(crate) fn run(&self, package: &Path, options: &Options, engines: &[Engine]) -> anyhow::Result<Found> {
        let repo = self.repo;
        let seed = options.seed.unwrap_or_else(any_seed);
        let folder = repo.target.join("forge").join(options.weakness.map_or("whole", Check::name));
        fresh_folder(&folder)?;
        let file = folder.join("figures.json");
        let sandbox = Sandbox::start(repo, &sandbox::Options::default(), &folder.join("sandbox.log"))?;
        say::say(&format!("{} forged messages, seed {seed}:", options.count));
        let mut node = self.engines.command(repo, "node");
        node.arg("tests/forge/run.mjs")
            .args(["--count", &options.count.to_string(), "--seed", &seed.to_string()])
            .arg("--package")
            .arg(package)
            .arg("--figures")
            .arg(&file)
            .envs(sandbox.backend_env()?);
        for engine in engines {
            let program =
                self.engines.program(*engine).with_context(|| format!("{} is missing", engine.name()))?;
            node.arg(format!("--{}", engine.name())).arg(program);
        }
        for engine in self.engines.missing().keys() {
            node.args(["--missing", engine]);
        }
        if let Some(check) = options.weakness {
            node.args(["--weakness", check.name()]);
        }
        let limit = (LIMIT + LIMIT_EACH * options.count) * u32::try_from(engines.len())?;
        let mut found = Found::run("forge", &mut node, limit, &folder)?;
        sandbox.stop()?;
        // Too much for the results; what it is good for is said in the file.
        found.figures.remove("runs");
        // Not the exit status, which may be that of the screen.
        found.is_clean = found.figures.remove("clean") == Some(Value::Bool(true));
        Ok(found)
    }
}

/// Fails if a run did not notice what was left out.
pub(crate) fn must_have_found(found: &Found, check: Check) -> anyhow::Result<()> {
    let engines = found.figures.get("engines").and_then(Value::as_object).into_iter().flatten();
    let accepted: u64 =
        engines.filter_map(|(_, engine)| engine.get("accepted").and_then(Value::as_u64)).sum();
    if accepted > 0 {
        return Ok(());
    }
    bail!("nothing forged was believed without the check of `{}`: {}", check.name(), found.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_weakness_is_found_by_what_was_believed() {
        let found = |accepted: u64| {
            Found::of(json!({ "engines": { "chromium": { "accepted": accepted } } }), accepted == 0)
        };
        assert!(must_have_found(&found(1), Check::Origin).is_ok());
        assert!(found(1).must_be_clean().is_err());
        let error = must_have_found(&found(0), Check::Origin).unwrap_err().to_string();
        assert!(error.contains("`origin`"), "{error}");
    }
}

//! `forge`: every way that is known to send a page a message which the card form did not send, in each engine
//! that is there, and what the form does send among it. `tests/forge` does it.

use std::time::Duration;

use serde_json::Value;

use crate::engines::Engines;
use crate::pack::{self, Core, Package};
use crate::proof::{Found, any_seed};
use crate::repo::{Repo, fresh_folder};
use crate::report::Report;
use crate::sandbox::{self, Sandbox};
use crate::say;
use crate::setup::{Part, set_up};

/// How long a run may take, whatever hangs: so much for each engine, and so much for each message in it.
const LIMIT: Duration = Duration::from_secs(240);
const LIMIT_EACH: Duration = Duration::from_millis(200);

/// What the SDK looks at before it looks at a message's data: whether the browser dispatched it, whether its
/// sender shows a page of the card form's origin, whether its sender is the form's own window.
pub(crate) const CHECKS: [&str; 3] = ["isTrusted", "origin", "source"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many forged messages in each engine
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) count: u32,
    /// What everything random comes from, as the line of an earlier run says it; any without
    #[arg(long)]
    pub(crate) seed: Option<u32>,
    /// The check that is left out of the SDK, which must be found
    #[arg(long, value_name = "CHECK", value_parser = CHECKS)]
    pub(crate) weakness: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let lock = repo.lock()?;
    let engines = Engines::set_up(repo)?;
    set_up(repo, Part::Npm("tests/e2e"))?;
    let package = pack::build(repo, Core::weakened_if(options.weakness.is_some()))?;
    sandbox::build(repo)?;
    drop(lock);
    report.set("missing", engines.missing.clone());
    try_out(repo, &package, options, &engines, &engines.all())?.tell(report)
}

/// Runs it once in some of the engines, with a sandbox that is built.
pub(crate) fn try_out(
    repo: &Repo,
    package: &Package,
    options: &Options,
    engines: &Engines,
    some: &[&str],
) -> anyhow::Result<Found> {
    let seed = options.seed.unwrap_or_else(any_seed);
    let weakness = options.weakness.as_deref();
    let folder = repo.target.join("forge").join(weakness.unwrap_or("whole"));
    fresh_folder(&folder)?;
    let sandbox = Sandbox::start(repo, &sandbox::Options::default(), &folder.join("sandbox.log"))?;
    say::say(&format!("{} forged messages, seed {seed}:", options.count));
    let mut node = engines.command(repo, "node");
    node.arg("tests/forge/run.mjs")
        .args(["--count", &options.count.to_string(), "--seed", &seed.to_string()])
        .args(weakness.map(|check| ["--weakness", check]).into_iter().flatten());
    node.arg("--package").arg(&package.folder).arg("--figures").arg(folder.join("figures.json"));
    engines.pass(&mut node, some)?;
    let limit = (LIMIT + LIMIT_EACH * options.count) * u32::try_from(some.len())?;
    let mut found = Found::run("forge", node.envs(sandbox.backend_env()?), limit, &folder)?;
    sandbox.0.stop()?;
    // Too much for the results; what it is good for is said in the file.
    found.figures.remove("runs");
    Ok(found)
}

/// Fails if nothing forged was believed without the check.
pub(crate) fn must_have_found(found: &Found, check: &str) -> anyhow::Result<()> {
    let engines = found.figures.get("engines").and_then(Value::as_object).into_iter().flatten();
    let is_found = engines.into_iter().any(|(_, engine)| engine["accepted"].as_u64() > Some(0));
    found.must_have_found(check, is_found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_missing_check_is_found_by_what_was_believed() {
        let with = |accepted: u64| {
            let engines = json!({ "chromium": { "accepted": accepted } });
            let figures = [("engines".to_owned(), engines)].into_iter().collect();
            must_have_found(&Found { figures, ..Found::default() }, "origin")
        };
        assert!(with(1).is_ok());
        assert!(with(0).unwrap_err().to_string().contains("`origin`"));
    }
}

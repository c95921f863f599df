//! `forms` (`tests/forms`): what customers see of the forms is what is sent, whatever they and others do to a page.

use std::time::Duration;

use crate::engines::{CHROMIUM, Engines};
use crate::pack::{self, Core, Package};
use crate::proof::{ALL, Found, Run, Seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::setup::{self, Part};

/// What the forms do so that no customer sees anything else than is sent (`tests/forms/safeguards.mjs`).
pub(crate) const SAFEGUARDS: [&str; 5] = ["code", "read", "sleep", "words", "half"];
/// What its scripts import, and what bundles React's components.
pub(crate) const PARTS: [Part; 2] = [Part::Npm("tests/package"), Part::Npm("tests/e2e")];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Number of steps in each engine, half of them with React's components
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) steps: u32,
    #[command(flatten)]
    pub(crate) seed: Seed,
    /// Leaves a safeguard of the package out, or each in turn, which the run must notice
    #[arg(long, value_name = "SAFEGUARD", value_parser = names())]
    pub(crate) without: Option<String>,
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    let (engines, package) = prepare(repo)?;
    report.set("missing", engines.missing.clone());
    let Some(without) = options.without.as_deref() else {
        return try_out(repo, &package, options, &engines, &engines.all())?.report(report);
    };
    for safeguard in SAFEGUARDS.into_iter().filter(|name| [name, ALL].contains(&without)) {
        let found = notices(repo, &package, &engines, safeguard, options)?;
        for (name, figure) in found.figures {
            report.set(&format!("{safeguard}.{name}"), figure);
        }
    }
    Ok(())
}

fn names() -> clap::builder::PossibleValuesParser {
    SAFEGUARDS.into_iter().chain([ALL]).into()
}

fn prepare(repo: &Repo) -> anyhow::Result<(Engines, Package)> {
    let _lock = repo.lock()?;
    setup::prepare(repo, &[&pack::PARTS[..], &[Part::Chromium], &PARTS].concat())?;
    Ok((Engines::set_up(repo)?, pack::build(repo, Core::Published)?))
}

/// Runs it in Chromium without one safeguard, which it must notice.
pub(crate) fn notices(
    repo: &Repo,
    package: &Package,
    engines: &Engines,
    safeguard: &str,
    options: &Options,
) -> anyhow::Result<Found> {
    let without = Some(safeguard.to_owned());
    let options = Options { steps: options.steps, seed: options.seed, without };
    let found = try_out(repo, package, &options, engines, &[CHROMIUM])?;
    found.must_have_noticed(safeguard)?;
    Ok(found)
}

pub(crate) fn try_out(
    repo: &Repo,
    package: &Package,
    options: &Options,
    engines: &Engines,
    some: &[&str],
) -> anyhow::Result<Found> {
    let mut node = engines.command(repo, "node");
    node.arg("tests/forms/run.mjs").arg("--package").arg(&package.folder);
    engines.add_args(&mut node, some)?;
    let engines = u32::try_from(some.len())?;
    let run = Run {
        proof: "forms",
        size: ("--steps", options.steps),
        seed: options.seed,
        without: ("--without", options.without.as_deref()),
        limit: (Duration::from_secs(240) * engines, Duration::from_secs(1) * engines),
    };
    run.run(repo, &mut node)
}

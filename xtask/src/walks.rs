//! `walks` (`tests/walks`): customers do anything at all at the demo shop while the service fails.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::Value;

use crate::process::output;
use crate::proof::{self, Found, Run, Seed};
use crate::repo::Repo;
use crate::report::Report;
use crate::setup::{Part, headless_chromium};
use crate::{sandbox, shop};

#[derive(Args, Clone)]
pub(crate) struct Options {
    /// Number of walks
    #[arg(long, value_name = "N", default_value_t = 100)]
    walks: u32,
    #[command(flatten)]
    seed: Seed,
    /// Minutes after which no further walk begins
    #[arg(long, value_name = "N")]
    minutes: Option<u32>,
    /// Number of walks side by side in one browser
    #[arg(long, value_name = "N", default_value_t = 8)]
    lanes: u32,
    /// The steps of a finding, which are walked instead of random ones
    #[arg(long, value_name = "FILE")]
    steps: Option<PathBuf>,
    /// Disables a safeguard of the shop, which the run must notice; `all` for each in turn
    #[arg(long, value_name = "NAME")]
    without: Option<String>,
}

/// Safeguards whose absence a few walks notice, each with a seed from which on they do so soon.
pub(crate) const SOON_NOTICED: [(&str, u32); 4] =
    [("wait", 40), ("another", 4), ("remember", 5), ("accept", 28)];

impl Options {
    /// Returns the options of a short run.
    pub(crate) fn short(walks: u32, seed: Seed, lanes: u32) -> Options {
        Options { walks, seed, minutes: None, lanes, steps: None, without: None }
    }
}

pub(crate) fn run(repo: &Repo, options: &Options, report: &mut Report) -> anyhow::Result<()> {
    headless_chromium(repo)?;
    shop::build_all(repo, &[Part::Chromium, Part::Npm("tests/e2e")])?;
    match options.without.as_deref() {
        None => try_out(repo, options)?.report(report),
        Some(named) => {
            report.set("safeguards", run_without(repo, named, options)?);
            Ok(())
        }
    }
}

/// Runs it once; sandbox and shop are built.
pub(crate) fn try_out(repo: &Repo, options: &Options) -> anyhow::Result<Found> {
    let mut node = repo.command("node");
    node.args(["tests/walks/run.mjs", "--lanes", &options.lanes.to_string()]);
    node.arg("--chromium").arg(headless_chromium(repo)?).arg("--sandbox").arg(sandbox::program(repo));
    node.args(options.steps.iter().flat_map(|file| ["--steps".as_ref(), file.as_os_str()]));
    node.args(options.minutes.iter().flat_map(|minutes| ["--minutes".to_owned(), minutes.to_string()]));
    let run = Run {
        proof: "walks",
        size: ("--walks", options.walks),
        seed: options.seed,
        without: ("--without", options.without.as_deref()),
        limit: (Duration::from_secs(600), Duration::from_secs(10)),
    };
    run.run(repo, &mut node)
}

/// Runs it without the named safeguard, or without each in turn; returns a row for each.
pub(crate) fn run_without(repo: &Repo, named: &str, options: &Options) -> anyhow::Result<Vec<Value>> {
    let seed = options.seed.chosen();
    let all = output(repo.command("node").args(["tests/walks/run.mjs", "--safeguards"]))?;
    proof::run_without(named, &all, |safeguard| {
        try_out(repo, &Options { seed, without: Some(safeguard.to_owned()), ..options.clone() })
    })
}

//! Every command a person types in this repository: `cargo xtask help` lists them.
//!
//! A command first sets up what it requires (`setup`), then works in steps, and leaves no process behind
//! however it ends (`process`).

#![allow(clippy::indexing_slicing, reason = "a JSON value gives null for a missing key")]

#[cfg(not(unix))]
compile_error!("xtask ends its children by process group, which needs Unix: use WSL on Windows");

mod bench;
mod chaos;
mod check;
mod cli;
mod coverage;
mod demo;
mod docs;
mod engines;
mod forge;
mod forms;
mod fuzz;
mod pack;
mod process;
mod proof;
mod release;
mod repo;
mod report;
mod safeguards;
mod sandbox;
mod say;
mod setup;
mod shop;
mod simulate;
mod size;
mod stamp;
mod steps;
mod test;
mod walks;

use std::process::ExitCode;
use std::time::Instant;

use cli::{Action, Invocation};
use report::Report;
use say::say;

fn main() -> ExitCode {
    let invocation = cli::parse(std::env::args_os()).unwrap_or_else(|error| error.exit());
    match run(&invocation) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("\nxtask: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(invocation: &Invocation) -> anyhow::Result<()> {
    let start = Instant::now();
    let repo = repo::Repo::find()?;
    let mut report = Report::default();
    report.set("command", invocation.name.as_str());
    let outcome = match &invocation.action {
        Action::Demo { check: false } => demo::show(&repo),
        Action::Demo { check: true } => demo::check(&repo, &mut report),
        Action::Test(options) => test::run(&repo, options, &mut report),
        Action::PackageTest => test::run_package(&repo, &mut report),
        Action::Bench(options) => bench::run(&repo, options, &mut report),
        Action::Chaos(options) => chaos::run(&repo, options, &mut report),
        Action::Forge(options) => forge::run(&repo, options, &mut report),
        Action::Forms(options) => forms::run(&repo, options, &mut report),
        Action::Fuzz(options) => fuzz::run(&repo, options, &mut report),
        Action::Walks(options) => walks::run(&repo, options, &mut report),
        Action::Simulate(options) => simulate::run(&repo, options, &mut report),
        Action::Coverage => coverage::run(&repo, &mut report),
        Action::Check => check::run(&repo, &mut report),
        Action::Docs => docs::run(&repo, &mut report),
        Action::Release => release::run(&repo, &mut report),
        Action::Pack { sandbox } => pack::run(&repo, *sandbox, &mut report),
        Action::Size(options) => size::run(&repo, options, &mut report),
        Action::Sandbox { args } => sandbox::run(&repo, args),
    };
    report.finish(outcome.as_ref().err(), start.elapsed());
    if let Some(file) = &invocation.json {
        let results = serde_json::to_string_pretty(&serde_json::Value::from(report))?;
        repo::write(file, results + "\n")?;
    }
    outcome
}

//! `check`: what needs no run to be judged. All checks run, so that all that is wrong is seen at once.

mod layers;
mod licences;
mod tracked;

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::bail;
use serde_json::Value;

use crate::repo::{Repo, WASM_TARGET};
use crate::report::{self, Report};
use crate::setup::{self, RustComponents, RustTarget};
use crate::steps::Step;

/// A check finds problems, one a line; an error means that it could not look.
type Check = fn(&Repo, &Step) -> anyhow::Result<Vec<String>>;

const CHECKS: [(&str, Check); 9] = [
    ("format", format),
    ("lints, native", lints_native),
    ("lints, wasm", lints_wasm),
    ("docs, native", docs_native),
    ("docs, wasm", docs_wasm),
    ("layers of the crate", layers::problems),
    ("licences of dependencies", licences::problems),
    ("machine paths and registry hosts in tracked files", tracked::machine_traces),
    ("npm lock files without addresses", tracked::lock_addresses),
];

const WASM: [&str; 6] = ["--package", "remitkit", "--features", "js", "--target", WASM_TARGET];

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let mut steps = repo.steps(2 + CHECKS.len());
    let lock = repo.lock()?;
    setup::set_up(repo, &mut steps, &RustTarget)?;
    setup::set_up(repo, &mut steps, &RustComponents)?;
    drop(lock);
    let mut entries: Vec<Value> = Vec::new();
    let mut failed: Vec<&str> = Vec::new();
    for (name, check) in CHECKS {
        let start = Instant::now();
        let outcome = steps.run(name, |step| {
            let problems = check(repo, step)?;
            if problems.is_empty() {
                return Ok(());
            }
            bail!("{}", problems.join("\n"))
        });
        entries.push(Value::Object(report::part(name, outcome.as_ref().err(), start.elapsed())));
        if let Err(error) = outcome {
            crate::say::say(&error.root_cause().to_string());
            failed.push(name);
        }
    }
    report.set("checks", Value::Array(entries));
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join("; ")) }
}

/// A tool that prints what is wrong into the step's log, and fails.
fn tool(step: &Step, command: &mut Command) -> anyhow::Result<Vec<String>> {
    step.run(command).map(|()| Vec::new())
}

fn format(repo: &Repo, step: &Step) -> anyhow::Result<Vec<String>> {
    tool(step, repo.cargo().args(["fmt", "--all", "--check", "--", "--color=never"]))?;
    // Neither is of the workspace.
    for manifest in ["xtask/wasm-bindgen-tools/Cargo.toml", "examples/leptos/Cargo.toml"] {
        tool(step, repo.cargo().args(["fmt", "--check", "--manifest-path"]).arg(repo.path(manifest)))?;
    }
    Ok(Vec::new())
}

fn lints_native(repo: &Repo, step: &Step) -> anyhow::Result<Vec<String>> {
    let mut cargo = repo.cargo();
    cargo.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    tool(step, &mut cargo)
}

fn lints_wasm(repo: &Repo, step: &Step) -> anyhow::Result<Vec<String>> {
    let mut cargo = repo.cargo();
    cargo.arg("clippy").args(WASM);
    tool(step, cargo.args(["--all-targets", "--", "-D", "warnings"]))
}

fn docs_native(repo: &Repo, step: &Step) -> anyhow::Result<Vec<String>> {
    docs(repo, step, &["--package", "remitkit"])
}

/// The layers that only a browser has are documented for wasm alone.
fn docs_wasm(repo: &Repo, step: &Step) -> anyhow::Result<Vec<String>> {
    docs(repo, step, &WASM)
}

fn docs(repo: &Repo, step: &Step, what: &[&str]) -> anyhow::Result<Vec<String>> {
    let mut cargo = repo.cargo();
    cargo.args(["doc", "--no-deps"]).args(what);
    tool(step, cargo.env("RUSTDOCFLAGS", "-D warnings"))
}

/// The files git tracks or would track, relative to the root.
fn tracked_files(repo: &Repo) -> anyhow::Result<Vec<PathBuf>> {
    let list = crate::command::output(repo.command("git").args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))?;
    let mut files: Vec<PathBuf> = list
        .split('\0')
        .filter(|name| !name.is_empty())
        .map(PathBuf::from)
        .filter(|file| repo.root.join(file).is_file())
        .collect();
    files.sort();
    files.dedup();
    if files.is_empty() {
        bail!("git tracks no file here");
    }
    Ok(files)
}

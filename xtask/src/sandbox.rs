//! The sandbox binary: building it, and running it in the foreground.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::ensure;

use crate::process::replace_this_process;
use crate::repo::Repo;

const PROGRAM: &str = "remitkit-sandbox";

/// Replaces this process by the sandbox, so that its stdin, stdout and signals are the person's.
pub(crate) fn run(repo: &Repo, args: &[OsString]) -> anyhow::Result<()> {
    ensure!(cargo_build(repo, &["--bin", PROGRAM]).status()?.success(), "the sandbox does not build");
    replace_this_process(Command::new(program(repo)).args(args))
}

/// Builds the sandbox, and the program that writes the package's constants.
pub(crate) fn build(repo: &Repo) -> anyhow::Result<()> {
    repo.step("sandbox", |step| step.run(&mut cargo_build(repo, &["--bins"])))
}

fn cargo_build(repo: &Repo, what: &[&str]) -> Command {
    let mut cargo = repo.cargo();
    cargo.args(["build", "--package", PROGRAM]).args(what);
    cargo
}

pub(crate) fn program(repo: &Repo) -> PathBuf {
    repo.target.join("debug").join(PROGRAM)
}

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
    ensure!(cargo_build(repo).status()?.success(), "the sandbox does not build");
    replace_this_process(Command::new(program(repo)).args(args))
}

pub(crate) fn build(repo: &Repo) -> anyhow::Result<()> {
    repo.step("sandbox", |step| step.run(&mut cargo_build(repo)))
}

fn cargo_build(repo: &Repo) -> Command {
    let mut cargo = repo.cargo();
    cargo.args(["build", "--package", PROGRAM, "--bin", PROGRAM]);
    cargo
}

pub(crate) fn program(repo: &Repo) -> PathBuf {
    repo.target.join("debug").join(PROGRAM)
}

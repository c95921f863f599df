//! A program from crates.io, built once into the tools folder.

use std::path::PathBuf;
use std::process::Command;

use super::wasm_bindgen::bin;
use super::{is_program, on_path};
use crate::command::output;
use crate::repo::{Repo, fresh_folder};
use crate::steps::Step;

pub(super) struct CargoTool {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// What it is asked, so that it says its version.
    pub(super) version_args: &'static [&'static str],
}

impl CargoTool {
    pub(super) fn found(&self, repo: &Repo) -> Option<PathBuf> {
        let own = bin(repo).join(self.name);
        std::iter::once(own)
            .chain(on_path(self.name))
            .find(|program| is_program(program) && self.is_our_version(program))
    }

    pub(super) fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        let build = repo.tools().join("build");
        // Unoptimised: it only starts other programs.
        step.run(
            repo.cargo()
                .args(["install", self.name, "--version", self.version])
                .args(["--locked", "--debug", "--root"])
                .arg(repo.tools())
                .arg("--target-dir")
                .arg(&build)
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .env_remove("CARGO_BUILD_TARGET"),
        )?;
        fresh_folder(&build)
    }

    fn is_our_version(&self, program: &PathBuf) -> bool {
        output(Command::new(program).args(self.version_args))
            .is_ok_and(|text| text.split_whitespace().nth(1) == Some(self.version))
    }
}

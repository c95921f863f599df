//! wasm-pack, which runs the browser tests.

use std::path::Path;
use std::process::Command;

use super::wasm_bindgen::bin;
use super::{Found, Part, is_program, on_path};
use crate::command::output;
use crate::repo::{Repo, fresh_folder};
use crate::steps::Step;

const VERSION: &str = "0.15.1";

pub(crate) struct WasmPack;

impl Part for WasmPack {
    fn title(&self) -> String {
        format!("wasm-pack {VERSION}")
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        let own = bin(repo).join("wasm-pack");
        let found = std::iter::once(own)
            .chain(on_path("wasm-pack"))
            .find(|program| is_program(program) && is_our_version(program));
        Ok(found.map(|program| vec![program]))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        let build = repo.tools().join("build");
        // Unoptimised: it only starts other programs.
        step.run(
            repo.cargo()
                .args(["install", "wasm-pack", "--version", VERSION])
                .args(["--locked", "--debug", "--root"])
                .arg(repo.tools())
                .arg("--target-dir")
                .arg(&build)
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .env_remove("CARGO_BUILD_TARGET"),
        )?;
        fresh_folder(&build)
    }
}

fn is_our_version(program: &Path) -> bool {
    output(Command::new(program).arg("--version"))
        .is_ok_and(|text| text.split_whitespace().nth(1) == Some(VERSION))
}

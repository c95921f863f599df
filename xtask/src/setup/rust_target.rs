//! The standard library for WebAssembly.

use std::path::Path;
use std::process::Command;

use anyhow::bail;

use super::{Found, Part, on_path};
use crate::command::output;
use crate::repo::{Repo, WASM_TARGET};
use crate::steps::Step;

pub(crate) struct RustTarget;

impl Part for RustTarget {
    fn title(&self) -> String {
        format!("Rust target {WASM_TARGET}")
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        let sysroot = output(repo.command("rustc").args(["--print", "sysroot"]))?;
        let library = Path::new(sysroot.trim()).join("lib/rustlib").join(WASM_TARGET).join("lib");
        Ok(library.is_dir().then(Vec::new))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        if on_path("rustup").is_none() {
            bail!(
                "this Rust has no {WASM_TARGET}, and there is no rustup to add it: install it as \
                 your Rust was installed, or install Rust through https://rustup.rs"
            );
        }
        let mut rustup = Command::new("rustup");
        step.run(rustup.current_dir(&repo.root).args(["target", "add", WASM_TARGET]))
    }
}

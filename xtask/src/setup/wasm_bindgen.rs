//! wasm-bindgen and its test runner, at the very version that Cargo.lock names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::{Found, Part, is_program, on_path};
use crate::command::output;
use crate::repo::{Repo, fresh_folder, locked_version, read_text};
use crate::steps::Step;

const PROGRAMS: [&str; 2] = ["wasm-bindgen", "wasm-bindgen-test-runner"];
const SOURCE: &str = "xtask/wasm-bindgen-tools";

pub(crate) struct WasmBindgen {
    version: String,
}

impl WasmBindgen {
    pub(crate) fn new(repo: &Repo) -> anyhow::Result<Self> {
        let version = locked_version(&read_text(&repo.path("Cargo.lock"))?, "wasm-bindgen")?;
        Ok(WasmBindgen { version })
    }

    /// Both programs in one folder, both of our version: wasm-pack looks for the one beside the other.
    fn in_folder(&self, folder: &Path) -> Option<Found> {
        let programs: Vec<PathBuf> = PROGRAMS.iter().map(|name| folder.join(name)).collect();
        programs
            .iter()
            .all(|program| {
                is_program(program)
                    && output(Command::new(program).arg("--version"))
                        .is_ok_and(|text| text.split_whitespace().nth(1) == Some(&self.version))
            })
            .then_some(programs)
    }
}

impl Part for WasmBindgen {
    fn title(&self) -> String {
        format!("wasm-bindgen {}", self.version)
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        if let Some(found) = self.in_folder(&bin(repo)) {
            return Ok(Some(found));
        }
        let own = on_path("wasm-bindgen");
        Ok(own.and_then(|program| self.in_folder(program.parent()?)))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        let ours = locked_version(&read_text(&repo.path(SOURCE).join("Cargo.lock"))?, "wasm-bindgen-cli")?;
        if ours != self.version {
            bail!(
                "Cargo.lock has wasm-bindgen {}, but {SOURCE} builds {ours}: set both to the same",
                self.version
            );
        }
        let build = repo.tools().join("build");
        step.run(
            repo.cargo()
                .args(["build", "--locked", "--manifest-path"])
                .arg(repo.path(SOURCE).join("Cargo.toml"))
                .arg("--target-dir")
                .arg(&build)
                .env("CARGO_PROFILE_DEV_DEBUG", "0")
                .env_remove("CARGO_BUILD_TARGET"),
        )?;
        let bin = bin(repo);
        fs::create_dir_all(&bin).with_context(|| format!("cannot make {}", bin.display()))?;
        for name in PROGRAMS {
            install(&build.join("debug").join(name), &bin.join(name))?;
        }
        fresh_folder(&build)
    }
}

/// The folder of the programs that are kept for this clone.
pub(super) fn bin(repo: &Repo) -> PathBuf {
    repo.tools().join("bin")
}

/// By a rename, so that an interruption leaves no half of a program.
fn install(from: &Path, to: &Path) -> anyhow::Result<()> {
    let part = to.with_extension("part");
    fs::copy(from, &part)
        .and_then(|_| fs::rename(&part, to))
        .with_context(|| format!("cannot install {}", to.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The versions are stated twice, in lock files that cargo keeps apart.
    #[test]
    fn both_lock_files_agree() {
        let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
        let outer = read_text(&xtask.join("../Cargo.lock")).unwrap();
        let tools = read_text(&xtask.join("wasm-bindgen-tools/Cargo.lock")).unwrap();
        assert_eq!(
            locked_version(&outer, "wasm-bindgen").unwrap(),
            locked_version(&tools, "wasm-bindgen-cli").unwrap(),
        );
    }
}

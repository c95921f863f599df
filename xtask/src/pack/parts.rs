//! The module in several files: the first has what the first quote needs,
//! and the package fetches the others later.
//!
//! Reachability decides which function goes where (`src/api/part.rs`). The parts import the first file's
//! memory, table and a global, and export nothing: each fills in its own entries of the table.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};

use super::binaryen::binaryen;
use crate::repo::{Repo, fresh_folder, read, sha256};
use crate::steps::Step;

/// What the parts are called in `src`.
pub(crate) const PARTS: [&str; 2] = ["card", "transfer"];
/// The first file. `remitkit_core_bg.wasm` has all in one, for where the page hands the module over.
pub(crate) const FIRST: &str = "remitkit_first.wasm";
/// The name under which the splitter makes the parts import from the first file. The package replaces it with
/// one of the same length for each build: after a release a page may receive a part of another build, which
/// would otherwise work on a memory laid out differently.
const LINK: &str = "__wasm_split";
/// The name of a section of the first file, which holds the build's name. The whole module has none.
const MARK: &[u8] = b"parts";

pub(crate) fn file(part: &str) -> String {
    format!("remitkit_{part}.wasm")
}

/// A module that was cut up.
pub(super) struct Cut {
    pub(super) first: PathBuf,
    /// Each part by its name.
    pub(super) parts: Vec<(&'static str, PathBuf)>,
    /// Shared by several parts. It goes into the first file: a page would fetch it with any of them.
    chunks: Vec<PathBuf>,
}

pub(super) fn cut(
    repo: &Repo,
    step: &Step,
    wasm_split: &Path,
    module: &Path,
    folder: &Path,
) -> anyhow::Result<Cut> {
    fresh_folder(folder)?;
    step.run(repo.command(wasm_split).arg(module).arg(folder))?;
    let mut cut = Cut { first: folder.join("first.wasm"), parts: Vec::new(), chunks: Vec::new() };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    for name in names.iter().filter_map(|name| name.strip_suffix(".wasm")) {
        let path = folder.join(format!("{name}.wasm"));
        match name.strip_prefix("split_") {
            Some(part) => {
                let part = PARTS.iter().copied().find(|known| *known == part);
                cut.parts.push((
                    part.with_context(|| format!("src has a part that is not known here: {name}"))?,
                    path,
                ));
            }
            None if name.starts_with("chunk_") => cut.chunks.push(path),
            None => {}
        }
    }
    if cut.parts.len() != PARTS.len() {
        bail!("the module has {} parts, and not {}", cut.parts.len(), PARTS.len());
    }
    Ok(cut)
}

impl Cut {
    /// The first file, once wasm-bindgen has been over it, with what several parts share.
    pub(super) fn merge_first(
        &self,
        repo: &Repo,
        step: &Step,
        bound: &Path,
        out: &Path,
    ) -> anyhow::Result<()> {
        merge(repo, step, bound, &self.chunks, out)
    }

    /// All in one file.
    pub(super) fn merge_all(&self, repo: &Repo, step: &Step, bound: &Path, out: &Path) -> anyhow::Result<()> {
        let parts = self.parts.iter().map(|(_, path)| path.clone());
        let all: Vec<PathBuf> = self.chunks.iter().cloned().chain(parts).collect();
        merge(repo, step, bound, &all, out)
    }
}

fn merge(repo: &Repo, step: &Step, bound: &Path, others: &[PathBuf], out: &Path) -> anyhow::Result<()> {
    let mut command = binaryen(repo, "wasm-merge");
    command.arg(bound).arg(LINK);
    for (number, other) in others.iter().enumerate() {
        command.arg(other).arg(format!("part{number}"));
    }
    step.run(command.arg("--output").arg(out))
}

/// A name for what is made of this module.
pub(super) fn build_name(module: &[u8]) -> String {
    let mut name = sha256(module);
    name.truncate(LINK.len());
    name
}

/// Says in the first file that it is not the whole, and of which build.
pub(super) fn mark(module: &Path, build: &str) -> anyhow::Result<()> {
    change(module, |bytes| {
        bytes.push(0);
        bytes.push(u8::try_from(1 + MARK.len() + build.len())?);
        bytes.push(u8::try_from(MARK.len())?);
        bytes.extend(MARK);
        bytes.extend(build.as_bytes());
        Ok(())
    })
}

/// Binds a part to the first file of its build.
pub(super) fn bind_to(part: &Path, build: &str) -> anyhow::Result<()> {
    change(part, |bytes| {
        // With its length in front, which tells it from the names that begin with it.
        let name = [&[u8::try_from(LINK.len())?], LINK.as_bytes()].concat();
        let windows = bytes.windows(name.len()).enumerate();
        let places: Vec<usize> = windows.filter(|(_, part)| *part == name).map(|(at, _)| at + 1).collect();
        ensure!(
            !places.is_empty() && build.len() == LINK.len(),
            "{} imports nothing by {LINK}",
            part.display()
        );
        for at in places {
            bytes.splice(at..at + LINK.len(), build.bytes());
        }
        Ok(())
    })
}

fn change(module: &Path, work: impl FnOnce(&mut Vec<u8>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut bytes = read(module)?;
    work(&mut bytes)?;
    fs::write(module, bytes).with_context(|| format!("cannot write {}", module.display()))
}

//! The module in several files: the first contains what the first quote needs, and the package fetches the
//! others later.
//!
//! Reachability decides which function goes where (`src/js/part.rs`). The parts import the first file's
//! memory, table and a global, and export nothing: each fills in its own entries of the table.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;

use crate::repo::{Repo, files_ending, fresh_folder, read, sha256, write};
use crate::steps::Step;

/// The names of the parts in `src`.
pub(crate) const PARTS: [&str; 2] = ["card", "transfer"];
/// The first file. `remitkit_core_bg.wasm` contains everything, for pages that pass the module.
pub(crate) const FIRST: &str = "remitkit_first.wasm";
/// The name by which the splitter lets the parts import from the first file. Each build gets another one of
/// the same length: after a release a page may receive a part of another build, which would otherwise work on
/// a memory that is laid out differently.
const LINK: &str = "__wasm_split";
/// The section of the first file that holds the build's name. The whole module has none.
const SECTION: &[u8] = b"parts";
/// What the module may use; every browser since 2021 (Safari 15) has it.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

pub(super) fn binaryen(repo: &Repo, program: &str) -> Command {
    let mut node = repo.command("node");
    node.arg(repo.path("xtask/node-tools/node_modules/binaryen/bin").join(program)).args(FEATURES);
    node
}

pub(crate) fn file(part: &str) -> String {
    format!("remitkit_{part}.wasm")
}

pub(super) struct Split {
    pub(super) first: PathBuf,
    /// Each part, in the order of [`PARTS`].
    pub(super) parts: [PathBuf; 2],
    /// What several parts share. It is merged into the first file: a page would fetch it with any of them.
    pub(super) chunks: Vec<PathBuf>,
}

pub(super) fn split(
    repo: &Repo,
    step: &Step,
    wasm_split: &Path,
    module: &Path,
    folder: &Path,
) -> anyhow::Result<Split> {
    fresh_folder(folder)?;
    step.run(repo.command(wasm_split).arg(module).arg(folder))?;
    let (first, parts) =
        (folder.join("first.wasm"), PARTS.map(|part| folder.join(format!("split_{part}.wasm"))));
    let mut chunks = files_ending(folder, ".wasm")?;
    let count = chunks.len();
    chunks.retain(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("chunk_")));
    let is_whole = parts.iter().all(|part| part.exists()) && count == 1 + PARTS.len() + chunks.len();
    ensure!(is_whole, "the module's parts in src are not {PARTS:?}");
    Ok(Split { first, parts, chunks })
}

/// Merges others into the first file that wasm-bindgen has processed.
pub(super) fn merge(
    repo: &Repo,
    step: &Step,
    bound: &Path,
    others: &[PathBuf],
    out: &Path,
) -> anyhow::Result<()> {
    let mut command = binaryen(repo, "wasm-merge");
    command.arg(bound).arg(LINK);
    for (number, other) in others.iter().enumerate() {
        command.arg(other).arg(format!("part{number}"));
    }
    step.run(command.arg("--output").arg(out))
}

pub(super) fn build_name(module: &[u8]) -> String {
    let mut name = sha256(module);
    name.truncate(LINK.len());
    name
}

/// Adds a section to the first file that says it has parts, and of which build.
pub(super) fn add_section(module: &Path, build: &str) -> anyhow::Result<()> {
    let mut bytes = read(module)?;
    bytes.push(0);
    bytes.push(u8::try_from(1 + SECTION.len() + build.len())?);
    bytes.push(u8::try_from(SECTION.len())?);
    bytes.extend(SECTION);
    bytes.extend(build.as_bytes());
    write(module, bytes)
}

/// Binds a part to the first file of its build.
pub(super) fn bind_to(part: &Path, build: &str) -> anyhow::Result<()> {
    let mut bytes = read(part)?;
    // The length in front tells the name from longer ones that begin with it.
    let name = [&[u8::try_from(LINK.len())?], LINK.as_bytes()].concat();
    let windows = bytes.windows(name.len()).enumerate();
    let places: Vec<usize> = windows.filter(|(_, part)| *part == name).map(|(at, _)| at + 1).collect();
    let is_linked = !places.is_empty() && build.len() == LINK.len();
    ensure!(is_linked, "{} imports nothing by {LINK}", part.display());
    for at in places {
        bytes.splice(at..at + LINK.len(), build.bytes());
    }
    write(part, bytes)
}

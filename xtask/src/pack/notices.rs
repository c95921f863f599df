//! The licences of what is linked into a program, whose texts have to go along with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repo::{Repo, read_text};
use crate::steps::Step;

const BEGINNINGS: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
const RULE: &str = "----------------------------------------------------------------------------------------";

/// The file of a package that has them.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// Returns the notices of all crates that `package` links, each text once, below what `heading` says of it.
/// `given` says for which target and with which features.
pub(super) fn of(
    repo: &Repo,
    step: &Step,
    heading: &str,
    package: &str,
    given: &[&str],
) -> anyhow::Result<String> {
    let mut tree = repo.cargo();
    tree.args(["tree", "--package", package, "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    let linked = step.read(tree.args(["--no-dedupe", "--format", "{p}"]).args(given))?;
    // `axum v0.8.9 (…)`
    let name_and_version = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let mut linked: BTreeSet<String> = linked.lines().map(name_and_version).collect();
    linked.remove("");
    let metadata = step.read(repo.cargo().args(["metadata", "--all-features", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in metadata["packages"].as_array().into_iter().flatten() {
        let text = |key: &str| one[key].as_str().unwrap_or_default();
        let name = format!("{} v{}", text("name"), text("version"));
        // Those without a source are this repository's own.
        if !linked.remove(&name) || one["source"].is_null() {
            continue;
        }
        let folder = Path::new(text("manifest_path")).parent().context("a package without a folder")?;
        let mut found = notices_in(folder)?;
        if found.is_empty() {
            let authors = one["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let authors = authors.collect::<Vec<_>>().join(", ");
            found.push(format!("Licence: {}\nAuthors: {authors}\n", text("license")));
        }
        for notice in found {
            texts.entry(notice).or_default().insert(name.clone());
        }
    }
    ensure!(linked.is_empty(), "cargo metadata does not know what is linked: {linked:?}");
    // By the crates and not by the texts, so that a reader finds a crate.
    let mut by_names: Vec<(Vec<String>, String)> =
        texts.into_iter().map(|(text, names)| (names.into_iter().collect(), text)).collect();
    by_names.sort();
    let mut all = format!(
        "{heading}\nand with the standard library of Rust (MIT or Apache-2.0, the Rust project's contributors).\n"
    );
    for (names, text) in by_names {
        let _ = write!(all, "\n{RULE}\n{}\n{RULE}\n\n{text}", names.join("\n"));
    }
    Ok(all)
}

fn notices_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
            files.push(path);
        }
    }
    files.sort();
    files.iter().map(|file| Ok(read_text(file)?.replace("\r\n", "\n").trim_end().to_owned() + "\n")).collect()
}

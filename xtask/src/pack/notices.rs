//! The license texts of the crates that are linked into a program, which have to accompany it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repo::{Repo, files_ending, read_text};
use crate::steps::Step;

const PREFIXES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
const RULE: &str = "----------------------------------------------------------------------------------------";

pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// Returns the notices of all crates that `package` links, each text once, below `heading`. `selection` names
/// the target and the features.
pub(super) fn of(
    repo: &Repo,
    step: &Step,
    heading: &str,
    package: &str,
    selection: &[&str],
) -> anyhow::Result<String> {
    let mut tree = repo.cargo();
    tree.args(["tree", "--package", package, "--edges", "normal,no-proc-macro", "--prefix", "none"]);
    let linked = step.read(tree.args(["--no-dedupe", "--format", "{p}"]).args(selection))?;
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
        // This repository's own crates have no source.
        if !linked.remove(&name) || one["source"].is_null() {
            continue;
        }
        let folder = Path::new(text("manifest_path")).parent().context("a package without a folder")?;
        let mut notices = notices_in(folder)?;
        if notices.is_empty() {
            let authors = one["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let authors = authors.collect::<Vec<_>>().join(", ");
            notices.push(format!("License: {}\nAuthors: {authors}\n", text("license")));
        }
        for notice in notices {
            texts.entry(notice).or_default().insert(name.clone());
        }
    }
    ensure!(linked.is_empty(), "cargo metadata does not list what is linked: {linked:?}");
    // Sorted by crates, so that a reader finds one.
    let mut by_names: Vec<(BTreeSet<String>, String)> =
        texts.into_iter().map(|(text, names)| (names, text)).collect();
    by_names.sort();
    let mut all = format!(
        "{heading}\nand with the standard library of Rust (MIT or Apache-2.0, the Rust project's contributors).\n"
    );
    for (names, text) in by_names {
        let names = names.into_iter().collect::<Vec<_>>().join("\n");
        let _ = write!(all, "\n{RULE}\n{names}\n{RULE}\n\n{text}");
    }
    Ok(all)
}

fn notices_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = files_ending(folder, "")?;
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    });
    files.iter().map(|file| Ok(read_text(file)?.replace("\r\n", "\n").trim_end().to_owned() + "\n")).collect()
}

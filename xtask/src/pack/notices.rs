//! The licences of what is linked into a program, whose texts have to go along with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::repo::{Repo, read_text};
use crate::steps::Step;

const BEGINNINGS: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
const RULE: &str = "----------------------------------------------------------------------------------------";

/// The file of a package that has them.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES.txt";

/// The notices of all crates that `package` links, each text once, below what `heading` says of it. `given` says for which target and
/// with which features.
pub(super) fn of(
    repo: &Repo,
    step: &Step,
    heading: &str,
    package: &str,
    given: &[&str],
) -> anyhow::Result<String> {
    let linked = step.read(
        repo.cargo()
            .args(["tree", "--package", package, "--edges", "normal,no-proc-macro", "--prefix", "none"])
            .args(["--no-dedupe", "--format", "{p}"])
            .args(given),
    )?;
    let linked: BTreeSet<&str> = linked.lines().filter_map(name_and_version).collect();
    let listing = step.read(repo.cargo().args(["metadata", "--all-features", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&listing)?;
    let packages =
        metadata.get("packages").and_then(Value::as_array).context("cargo metadata lists no packages")?;
    let mut missing = linked.clone();
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in packages {
        let text = |key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = format!("{} v{}", text("name"), text("version"));
        missing.remove(name.as_str());
        // Those without a source are this repository's own.
        if one.get("source").is_none_or(Value::is_null) || !linked.contains(name.as_str()) {
            continue;
        }
        let folder = Path::new(text("manifest_path")).parent().context("a package without a folder")?;
        let mut found = notices_in(folder)?;
        if found.is_empty() {
            found.push(format!("Licence: {}\nAuthors: {}\n", text("license"), authors(one)));
        }
        for notice in found {
            texts.entry(notice).or_default().insert(name.clone());
        }
    }
    ensure!(missing.is_empty(), "cargo metadata does not know what is linked: {missing:?}");
    Ok(written(heading, &texts))
}

/// `axum v0.8.9` of `axum v0.8.9 (…)`.
fn name_and_version(line: &str) -> Option<&str> {
    let (at, _) = line.match_indices(' ').nth(1).unwrap_or((line.len(), ""));
    line.get(..at).filter(|text| text.contains(" v"))
}

fn authors(package: &Value) -> String {
    let authors = package.get("authors").and_then(Value::as_array).into_iter().flatten();
    authors.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
}

fn notices_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut files = Vec::new();
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

fn written(heading: &str, texts: &BTreeMap<String, BTreeSet<String>>) -> String {
    // By the crates and not by the texts, so that a reader finds a crate.
    let by_names: BTreeMap<Vec<&str>, Vec<&str>> =
        texts.iter().fold(BTreeMap::new(), |mut all, (text, names)| {
            all.entry(names.iter().map(String::as_str).collect()).or_insert_with(Vec::new).push(text);
            all
        });
    let mut all = format!(
        "{heading}\nand with the standard library of Rust (MIT or Apache-2.0, the Rust project's contributors).\n"
    );
    for (names, texts) in by_names {
        for text in texts {
            let _ = write!(all, "\n{RULE}\n{}\n{RULE}\n\n{text}", names.join("\n"));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_known_by_name_and_version() {
        assert_eq!(name_and_version("axum v0.8.9"), Some("axum v0.8.9"));
        assert_eq!(name_and_version("own v0.1.0 (/src/own)"), Some("own v0.1.0"));
        assert_eq!(name_and_version(""), None);
    }

    #[test]
    fn a_text_that_many_share_is_written_once() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let texts = BTreeMap::from([
            ("shared\n".to_owned(), names(&["a v1", "b v1"])),
            ("other\n".to_owned(), names(&["c v1"])),
        ]);
        let text = written("Made with", &texts);
        assert_eq!(text.matches("shared").count(), 1);
        assert!(text.contains("a v1\nb v1\n") && text.contains("c v1\n"));
    }
}

//! The tarball, as npm makes it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::steps::Step;

/// Makes the tarball, and refuses one that lacks a file: its `files` list and its folder must agree.
pub(super) fn tarball(
    step: &Step,
    folder: &Path,
    files: &BTreeSet<String>,
    destination: &Path,
) -> anyhow::Result<PathBuf> {
    let answer = step.read(
        Command::new("npm")
            .current_dir(folder)
            .args(["pack", "--json", "--ignore-scripts", "--pack-destination"])
            .arg(destination),
    )?;
    let (name, packed) = packed(&answer).context("reading what npm pack answered")?;
    let missing: Vec<&str> = files.difference(&packed).map(String::as_str).collect();
    if !missing.is_empty() {
        bail!("the tarball {name} lacks {}: add it to `files` in its package.json", missing.join(", "));
    }
    Ok(destination.join(name))
}

/// The tarball's name and its files. npm 10 and 11 answer with a list, npm 12 with an object by name.
fn packed(answer: &str) -> anyhow::Result<(String, BTreeSet<String>)> {
    let answer: Value = serde_json::from_str(answer)?;
    let package = match &answer {
        Value::Array(packages) => packages.first(),
        Value::Object(packages) => packages.values().next(),
        _ => None,
    }
    .context("names no package")?;
    let name = package.get("filename").and_then(Value::as_str).context("names no file")?;
    let files = package
        .get("files")
        .and_then(Value::as_array)
        .context("lists no files")?
        .iter()
        .filter_map(|file| file.get("path")?.as_str().map(str::to_owned))
        .collect();
    Ok((name.to_owned(), files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_is_understood_in_both_its_forms() {
        let package = r#"{"filename":"remitkit-0.1.0.tgz","files":[{"path":"index.js","size":1}]}"#;
        for answer in [format!("[{package}]"), format!("{{\"remitkit\":{package}}}")] {
            let (name, files) = packed(&answer).unwrap();
            assert_eq!(name, "remitkit-0.1.0.tgz");
            assert_eq!(files, BTreeSet::from(["index.js".to_owned()]));
        }
        assert!(packed("[]").is_err());
    }
}

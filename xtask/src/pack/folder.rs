//! A package's folder: made from a template, with a completed manifest, packed by npm.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use crate::repo::{self, Repo, files_ending, fresh_folder, read_json};
use crate::steps::Step;

/// Entries of a template that are for its developers, or a package of their own.
const LEFT_OUT: [&str; 5] = ["test", "tests", "node_modules", "package-lock.json", "platform"];

pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) files: BTreeSet<String>,
}

impl Folder {
    pub(super) fn from_template(repo: &Repo, template: &str, path: &Path) -> anyhow::Result<Folder> {
        fresh_folder(path)?;
        let mut folder = Folder { path: path.to_owned(), files: BTreeSet::new() };
        folder.add_all(&repo.path(template), "")?;
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            folder.copy(&repo.path(license), license)?;
        }
        Ok(folder)
    }

    /// Copies the files of a folder, with `prefix` before their names.
    pub(super) fn add_all(&mut self, from: &Path, prefix: &str) -> anyhow::Result<()> {
        for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') || name.contains(".test.") || LEFT_OUT.contains(&&*name) {
                continue;
            }
            if path.is_dir() {
                self.add_all(&path, &format!("{prefix}{name}/"))?;
            } else {
                self.copy(&path, &format!("{prefix}{name}"))?;
            }
        }
        Ok(())
    }

    /// Copies the core: its scripts into `core`, and its modules to the top, where pages preload them.
    pub(super) fn add_core(&mut self, from: &Path) -> anyhow::Result<()> {
        for path in files_ending(from, "")? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let prefix = if name.ends_with(".js") { "core/" } else { "" };
            self.copy(&path, &format!("{prefix}{name}"))?;
        }
        Ok(())
    }

    pub(super) fn copy(&mut self, from: &Path, name: &str) -> anyhow::Result<()> {
        repo::copy(from, &self.add(name)?)
    }

    pub(super) fn write(&mut self, name: &str, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
        repo::write(&self.add(name)?, content)
    }

    pub(super) fn add(&mut self, name: &str) -> anyhow::Result<PathBuf> {
        ensure!(self.files.insert(name.to_owned()), "two files of the package have the name {name}");
        let file = self.path.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&self.path))?;
        Ok(file)
    }

    /// Completes the manifest: the version, the project's address if there is one, and what `change` does.
    pub(super) fn complete_manifest(
        &self,
        repo: &Repo,
        change: impl FnOnce(&mut Value),
    ) -> anyhow::Result<()> {
        let file = self.path.join("package.json");
        let mut manifest = read_json(&file)?;
        manifest["version"] = json!(repo.version);
        change(&mut manifest);
        if let Some(address) = &repo.address {
            let address = address.trim_end_matches('/').trim_end_matches(".git");
            // As npm would normalize it, with a warning.
            manifest["repository"] = json!({ "type": "git", "url": format!("git+{address}.git") });
            manifest["bugs"] = json!({ "url": format!("{address}/issues") });
        }
        repo::write(&file, serde_json::to_string_pretty(&manifest)? + "\n")
    }

    /// Packs the tarball, and refuses one that lacks a file because the manifest's `files` does not list it.
    pub(super) fn pack(&self, step: &Step, destination: &Path) -> anyhow::Result<PathBuf> {
        let mut npm = Command::new("npm");
        npm.current_dir(&self.path).args(["pack", "--json", "--ignore-scripts", "--pack-destination"]);
        let answer: Value = serde_json::from_str(&step.read(npm.arg(destination))?)?;
        // npm 10 and 11 print a list, npm 12 an object by name.
        let package = answer.get(0).or_else(|| answer.as_object()?.values().next());
        let package = package.context("npm pack names no package")?;
        let name = package["filename"].as_str().context("npm pack names no file")?;
        let packed = package["files"].as_array().into_iter().flatten();
        let packed: BTreeSet<&str> = packed.filter_map(|file| file["path"].as_str()).collect();
        let missing: Vec<&str> =
            self.files.iter().map(String::as_str).filter(|file| !packed.contains(file)).collect();
        let list = missing.join(", ");
        ensure!(missing.is_empty(), "{name} lacks {list}: add it to `files` in its package.json");
        Ok(destination.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    #[test]
    fn a_template_is_copied_without_its_tests() {
        let root = scratch("template");
        fs::create_dir_all(root.join("from/test")).unwrap();
        for name in ["LICENSE-APACHE", "LICENSE-MIT", "from/index.js", "from/a.test.mjs", "from/test/a.js"] {
            fs::write(root.join(name), name).unwrap();
        }
        fs::write(root.join("from/package.json"), r#"{"name":"x","version":"0","exports":{}}"#).unwrap();
        let address = Some("https://git.example/kit.git/".to_owned());
        let repo = Repo { root: root.clone(), version: "1.2.3".to_owned(), address, ..Repo::default() };
        let mut folder = Folder::from_template(&repo, "from", &root.join("to")).unwrap();
        let files: Vec<_> = folder.files.iter().collect();
        assert_eq!(files, ["LICENSE-APACHE", "LICENSE-MIT", "index.js", "package.json"]);
        assert!(folder.write("index.js", "").is_err());
        folder.complete_manifest(&repo, |manifest| manifest["os"] = json!(["linux"])).unwrap();
        let manifest = read_json(&root.join("to/package.json")).unwrap();
        assert_eq!(
            manifest.to_string(),
            r#"{"name":"x","version":"1.2.3","exports":{},"os":["linux"],"repository":{"type":"git","url":"git+https://git.example/kit.git"},"bugs":{"url":"https://git.example/kit/issues"}}"#
        );
    }
}

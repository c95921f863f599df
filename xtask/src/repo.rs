//! The repository: where its files and its build results are.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;

use crate::command;
use crate::say::say;
use crate::steps::Steps;

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

pub(crate) struct Repo {
    pub(crate) root: PathBuf,
    /// Cargo's target folder, wherever the person keeps it.
    pub(crate) target: PathBuf,
    /// The version of all that is published from here.
    pub(crate) version: String,
    /// Where the project is for everyone, if that is said in Cargo.toml.
    pub(crate) address: Option<String>,
}

impl Repo {
    pub(crate) fn find() -> anyhow::Result<Repo> {
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest.parent().context("xtask lies in no repository")?.to_owned();
        let text = command::output(
            cargo().args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(&root),
        )?;
        let metadata: Value = serde_json::from_str(&text).context("reading cargo metadata")?;
        let target = metadata
            .get("target_directory")
            .and_then(Value::as_str)
            .context("cargo metadata names no target_directory")?;
        let package = metadata
            .get("packages")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .find(|package| package.get("name").and_then(Value::as_str) == Some("remitkit"))
            .context("cargo metadata knows no package remitkit")?;
        let text = |key| package.get(key).and_then(Value::as_str).map(str::to_owned);
        let version = text("version").context("the package remitkit has no version")?;
        Ok(Repo { root, target: target.into(), version, address: text("repository") })
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Where the tools live that are built or kept for this clone alone.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// The steps of a command, so many, whose logs are kept with the tools.
    pub(crate) fn steps(&self, total: usize) -> Steps {
        Steps::new(self.tools().join("logs"), total)
    }

    /// `program` run in the repository's root.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = cargo();
        cargo.current_dir(&self.root);
        cargo
    }

    pub(crate) fn rustc(&self) -> Command {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.current_dir(&self.root);
        rustc
    }

    /// Held while files in the clone are made, so that two commands do not make them at once.
    /// Given back when dropped, also by the system when the process dies.
    pub(crate) fn lock(&self) -> anyhow::Result<File> {
        let folder = self.tools();
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let file = File::create(folder.join("lock"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                say("waiting for another `cargo xtask` that is building in this clone …");
                file.lock()?;
            }
            Err(fs::TryLockError::Error(error)) => return Err(error.into()),
        }
        Ok(file)
    }
}

/// The cargo that runs us, so that one toolchain builds all.
fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

pub(crate) fn read_text(file: &Path) -> anyhow::Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// An empty folder, whatever was there before.
pub(crate) fn fresh_folder(folder: &Path) -> anyhow::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot empty {}", folder.display()));
        }
        _ => {}
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// The files of `folder` itself whose names end so, sorted. An absent folder has none.
pub(crate) fn files_ending(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_file() && path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The version of `package` in the text of a Cargo.lock. Two versions of it are an error.
pub(crate) fn locked_version(lock: &str, package: &str) -> anyhow::Result<String> {
    let wanted = format!("name = \"{package}\"");
    let mut versions = lock
        .split("[[package]]")
        .filter(|entry| entry.lines().any(|line| line == wanted))
        .filter_map(|entry| {
            let line = entry.lines().find_map(|line| line.strip_prefix("version = \""))?;
            line.strip_suffix('"')
        });
    match (versions.next(), versions.next()) {
        (Some(version), None) => Ok(version.to_owned()),
        (None, _) => bail!("Cargo.lock has no package {package}"),
        (Some(_), Some(_)) => bail!("Cargo.lock has more than one version of {package}"),
    }
}

/// An empty folder for a test, gone with the value.
#[cfg(test)]
pub(crate) struct Scratch(PathBuf);

#[cfg(test)]
pub(crate) fn scratch(name: &str) -> Scratch {
    let folder = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
    fresh_folder(&folder).unwrap();
    Scratch(folder)
}

#[cfg(test)]
impl std::ops::Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

#[cfg(test)]
impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4

[[package]]
name = "wasm-bindgen"
version = "0.2.130"
source = "registry"

[[package]]
name = "wasm-bindgen-macro"
version = "0.2.131"

[[package]]
name = "syn"
version = "1.0.0"

[[package]]
name = "syn"
version = "2.0.0"
"#;

    #[test]
    fn a_locked_version_is_read_exactly() {
        assert_eq!(locked_version(LOCK, "wasm-bindgen").unwrap(), "0.2.130");
        assert!(locked_version(LOCK, "bindgen").is_err());
        assert!(locked_version(LOCK, "syn").is_err());
    }

    #[test]
    fn files_are_found_by_their_ending() {
        let folder = scratch("ending");
        for name in ["b.test.mjs", "a.test.mjs", "help.mjs"] {
            fs::write(folder.join(name), "").unwrap();
        }
        fs::create_dir(folder.join("c.test.mjs")).unwrap();
        let found = files_ending(&folder, ".test.mjs").unwrap();
        assert_eq!(found, [folder.join("a.test.mjs"), folder.join("b.test.mjs")]);
        assert!(files_ending(&folder.join("none"), "").unwrap().is_empty());
    }
}

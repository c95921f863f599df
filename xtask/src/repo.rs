//! The repository: where its files and its build results are.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde_json::Value;
use sha2::Digest;

use crate::process::output;
use crate::say::say;

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

#[derive(Default)]
pub(crate) struct Repo {
    pub(crate) root: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
    /// The version of all published packages.
    pub(crate) version: String,
    /// The project's public address, if Cargo.toml has one as `repository`.
    pub(crate) address: Option<String>,
}

impl Repo {
    pub(crate) fn find() -> anyhow::Result<Repo> {
        let manifest = std::env::var("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest).parent().context("xtask is in no repository")?.to_owned();
        let mut repo = Repo { root, ..Repo::default() };
        let metadata = output(repo.cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        let package = packages.find(|package| package["name"] == "remitkit");
        let package = package.context("cargo metadata lists no package remitkit")?;
        repo.target = metadata["target_directory"].as_str().context("no target_directory")?.into();
        repo.version = package["version"].as_str().context("no version")?.to_owned();
        repo.address = package["repository"].as_str().map(str::to_owned);
        Ok(repo)
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns the folder of the tools that are built or kept for this clone alone.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// Returns the cargo that runs us, so that one toolchain builds everything.
    pub(crate) fn cargo(&self) -> Command {
        self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    pub(crate) fn rustc(&self) -> Command {
        self.command(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
    }

    /// Takes the lock under which files of this clone are built, so that two commands don't build them at
    /// once. The system releases it when the process dies.
    pub(crate) fn lock(&self) -> anyhow::Result<File> {
        let tools = self.tools();
        let file = fs::create_dir_all(&tools).and_then(|()| File::create(tools.join("lock")));
        let file = file.with_context(|| format!("cannot write to {}", tools.display()))?;
        if file.try_lock().is_err() {
            say("waiting for another `cargo xtask` that is building in this clone …");
            file.lock()?;
        }
        Ok(file)
    }
}

pub(crate) fn cargo_home() -> anyhow::Result<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = named.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    home.context("there is no home folder, and CARGO_HOME is not set")
}

pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

pub(crate) fn read_text(file: &Path) -> anyhow::Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

pub(crate) fn read_json(file: &Path) -> anyhow::Result<Value> {
    serde_json::from_str(&read_text(file)?).with_context(|| format!("{} is not JSON", file.display()))
}

pub(crate) fn write(file: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}

pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    let copied = fs::copy(from, to);
    copied.map(drop).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

pub(crate) fn fresh_folder(folder: &Path) -> anyhow::Result<()> {
    let gone = if folder.exists() { fs::remove_dir_all(folder) } else { Ok(()) };
    gone.and_then(|()| fs::create_dir_all(folder))
        .with_context(|| format!("cannot empty {}", folder.display()))
}

/// Returns the files of `folder` itself whose names end with `ending`, sorted.
pub(crate) fn files_ending(folder: &Path, ending: &str) -> anyhow::Result<Vec<PathBuf>> {
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

/// Returns the version of `package` in the text of a Cargo.lock; it must have exactly one.
pub(crate) fn locked_version(lock: &str, package: &str) -> anyhow::Result<String> {
    let entry = format!("name = \"{package}\"\nversion = \"");
    let versions: Vec<&str> = lock.split(&entry).skip(1).filter_map(|rest| rest.split('"').next()).collect();
    match versions.as_slice() {
        [version] => Ok((*version).to_owned()),
        others => bail!("Cargo.lock has {} versions of {package}", others.len()),
    }
}

pub(crate) fn sha256(content: &[u8]) -> String {
    sha2::Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("xtask-{}", std::process::id())).join(name);
    fresh_folder(&folder).unwrap();
    folder
}

//! Setting up what a command needs. Each part is looked for first, and made only where it is missing.

mod apt;
mod browser;
mod cargo_tool;
mod firefox;
mod node;
mod node_modules;
mod python_packages;
mod redis;
mod release_tools;
mod rust_components;
mod rust_source;
mod rust_target;
mod wasm_bindgen;
mod wasm_pack;
mod webkit;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

pub(crate) use browser::Browser;
pub(crate) use firefox::Firefox;
pub(crate) use node::Node;
pub(crate) use node_modules::NodeModules;
pub(crate) use python_packages::PythonPackages;
pub(crate) use redis::Redis;
pub(crate) use release_tools::ReleaseTool;
pub(crate) use rust_components::RustComponents;
pub(crate) use rust_source::RustSource;
pub(crate) use rust_target::RustTarget;
pub(crate) use wasm_bindgen::WasmBindgen;
pub(crate) use wasm_pack::WasmPack;
pub(crate) use webkit::WebKit;

use crate::repo::Repo;
use crate::steps::{Step, Steps};

/// Something that must be there before the work begins.
pub(crate) trait Part {
    /// Name and version, as a person reads them.
    fn title(&self) -> String;
    /// Looks for it; `None` where it must be made.
    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>>;
    /// Makes it, or says what the person must install.
    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()>;
}

/// Where programs of a part lie, if it has any: in the order in which they are asked for.
pub(crate) type Found = Vec<PathBuf>;

/// Sees to it that `part` is there.
pub(crate) fn set_up(repo: &Repo, steps: &mut Steps, part: &dyn Part) -> anyhow::Result<Found> {
    steps.run(&part.title(), |step| {
        if let Some(found) = part.found(repo)? {
            step.there();
            return Ok(found);
        }
        part.make(repo, step)?;
        part.found(repo)?.with_context(|| format!("{} is still missing after it was set up", part.title()))
    })
}

/// As [`set_up`] for a part of which one program is wanted.
pub(crate) fn set_up_program(repo: &Repo, steps: &mut Steps, part: &dyn Part) -> anyhow::Result<PathBuf> {
    let found = set_up(repo, steps, part)?;
    found.into_iter().next().with_context(|| format!("{} has no program", part.title()))
}

/// As [`set_up`] for what the command can do without. Where it cannot be had, the reason comes back.
pub(crate) fn set_up_if_possible(
    repo: &Repo,
    steps: &mut Steps,
    part: &dyn Part,
) -> anyhow::Result<Result<Found, String>> {
    let mut missing = None;
    let found = steps.run(&part.title(), |step| {
        if let Some(found) = part.found(repo)? {
            step.there();
            return Ok(found);
        }
        let made = part.make(repo, step).and_then(|()| part.found(repo));
        match made {
            Ok(Some(found)) => Ok(found),
            Ok(None) => {
                missing = Some(format!("{} is still missing after it was set up", part.title()));
                Ok(Found::new())
            }
            Err(error) => {
                missing = Some(format!("{error:#}"));
                Ok(Found::new())
            }
        }
    })?;
    Ok(missing.map_or(Ok(found), Err))
}

/// The program in the folders of PATH.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| is_program(file))
}

fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// PATH with `folder` before all others.
pub(crate) fn path_with(folder: &Path) -> anyhow::Result<OsString> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path)))
        .with_context(|| format!("{} cannot be part of PATH", folder.display()))
}

/// Major and minor in what `--version` prints.
fn version_numbers(text: &str) -> anyhow::Result<[u32; 2]> {
    let version: String = text
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let mut numbers = version.split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok([major, minor]),
        _ => bail!("no version in `{}`", text.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_what_programs_print() {
        assert_eq!(version_numbers("v20.20.2\n").unwrap(), [20, 20]);
        let chromium = "Chromium 156.0.7000.1 built on Debian 12";
        assert_eq!(version_numbers(chromium).unwrap(), [156, 0]);
        assert!(version_numbers("unknown\n").is_err());
        assert!(version_numbers("20").is_err());
    }

    #[test]
    fn programs_are_found_on_path_alone() {
        assert!(on_path("sh").is_some());
        assert!(on_path("no-such-program").is_none());
    }
}

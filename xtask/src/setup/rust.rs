//! The targets and components of rust-toolchain.toml. rustup adds them by itself only where its
//! `auto-install` is on.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::process::output;
use crate::repo::{Repo, read_text};
use crate::steps::Step;

/// What rust-toolchain.toml lists under a key, such as `targets`.
pub(super) fn listed(repo: &Repo, key: &str) -> anyhow::Result<Vec<String>> {
    let text = read_text(&repo.path("rust-toolchain.toml"))?;
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
    let line = line.with_context(|| format!("rust-toolchain.toml has no {key}"))?;
    Ok(line.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

pub(super) fn missing_targets(repo: &Repo) -> anyhow::Result<Vec<String>> {
    missing(repo, "targets", |target| format!("lib/rustlib/{target}/lib"))
}

pub(super) fn missing_components(repo: &Repo) -> anyhow::Result<Vec<String>> {
    missing(repo, "components", |component| match component {
        "rust-src" => "lib/rustlib/src/rust/library/Cargo.lock".to_owned(),
        "clippy" => "bin/cargo-clippy".to_owned(),
        program => format!("bin/{program}"),
    })
}

fn missing(repo: &Repo, key: &str, file: impl Fn(&str) -> String) -> anyhow::Result<Vec<String>> {
    let sysroot = PathBuf::from(output(repo.rustc().args(["--print", "sysroot"]))?.trim_end());
    let mut names = listed(repo, key)?;
    names.retain(|name| !sysroot.join(file(name)).exists());
    Ok(names)
}

/// Returns the toolchain, if rustup has it: rustup's `cargo`, which started us, has named it.
pub(super) fn toolchain() -> Option<String> {
    let name = std::env::var("RUSTUP_TOOLCHAIN").ok()?;
    // The name of a toolchain that was only linked may be its path.
    (!Path::new(&name).is_absolute()).then_some(name)
}

pub(super) fn install(repo: &Repo, step: &Step) -> anyhow::Result<()> {
    let toolchain = toolchain().context("there is no rustup")?;
    let lists = [("target", missing_targets(repo)?), ("component", missing_components(repo)?)];
    for (kind, names) in lists {
        if !names.is_empty() {
            let mut rustup = repo.command("rustup");
            step.run(rustup.args([kind, "add", "--toolchain", &toolchain]).args(names))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_and_component_has_a_look_up() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
        let repo = Repo { root, ..Repo::default() };
        assert_eq!(listed(&repo, "targets").unwrap(), [crate::repo::WASM_TARGET]);
        let components = listed(&repo, "components").unwrap();
        // One that is not known here would never be found, and be added in each run.
        let is_known = |name: &String| ["rust-src", "clippy", "rustfmt"].contains(&name.as_str());
        assert!(components.iter().all(is_known), "{components:?}");
        let channel = listed(&repo, "channel").unwrap();
        assert_eq!(channel.len(), 1);
    }
}

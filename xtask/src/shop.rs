//! The build of the demo shop, a consumer of the packed package.

use std::fs;

use crate::pack::{self, Core, Package};
use crate::repo::{Repo, read};
use crate::setup::{Part, look_up, set_up};
use crate::stamp::Stamp;

pub(crate) const WWW: Part = Part::Npm("www");

/// Prepares what this and the command need, and builds package, sandbox and shop, while no other command
/// builds.
pub(crate) fn build_all(repo: &Repo, parts: &[Part]) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let missing = look_up(repo, &[&pack::PARTS[..], &[WWW], parts].concat())?;
    let package = pack::build_with(repo, Core::Published, missing)?;
    build(repo, &package)
}

/// Installs the tarball as any shop would, and builds the page into www/dist.
pub(crate) fn build(repo: &Repo, package: &Package) -> anyhow::Result<()> {
    set_up(repo, WWW)?;
    let www = repo.path("www");
    let npm = || {
        let mut npm = repo.command("npm");
        npm.current_dir(&www);
        npm
    };
    repo.step("shop", |step| {
        let stamp = Stamp::new(www.join("node_modules/.xtask-remitkit"), &[&read(&package.tarball)?]);
        let installed = www.join("node_modules/remitkit");
        if !stamp.holds() || !installed.exists() {
            stamp.clear();
            // npm keeps an installed package of the same version, even if its bytes differ.
            let _ = fs::remove_dir_all(&installed);
            let mut install = npm();
            install.args(["install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit"]);
            step.run(install.args(["--no-fund", "--prefer-offline"]).arg(&package.tarball))?;
            stamp.set()?;
        }
        step.run(npm().args(["run", "build"]))
    })
}

//! The demo shop: a consumer of the packed package, its build and its backend.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::pack::Package;
use crate::repo::{Repo, read};
use crate::sandbox::Sandbox;
use crate::server::Server;
use crate::setup::{self, NodeModules};
use crate::stamp::Stamp;
use crate::steps::Steps;

/// How many steps `set_up` and `build` take.
pub(crate) const SET_UP_STEPS: usize = 1;
pub(crate) const BUILD_STEPS: usize = 1;

pub(crate) fn set_up(repo: &Repo, steps: &mut Steps) -> anyhow::Result<()> {
    setup::set_up(repo, steps, &NodeModules::SHOP).map(drop)
}

/// Installs the tarball as any shop would, and builds the page into www/dist.
pub(crate) fn build(repo: &Repo, steps: &mut Steps, package: &Package) -> anyhow::Result<()> {
    let www = repo.path("www");
    steps.run("shop", |step| {
        let tarball = read(&package.tarball)?;
        let stamp = Stamp::new(www.join("node_modules/.xtask-remitkit"), [tarball.as_slice()]);
        let installed = www.join("node_modules/remitkit");
        if !stamp.holds() || !installed.exists() {
            stamp.clear()?;
            // npm keeps a package whose version it already has, be its bytes others.
            if installed.exists() {
                fs::remove_dir_all(&installed)
                    .with_context(|| format!("cannot remove {}", installed.display()))?;
            }
            step.run(
                repo.command("npm")
                    .current_dir(&www)
                    .args(["install", "--no-save", "--no-package-lock", "--ignore-scripts"])
                    .args(["--no-audit", "--no-fund", "--prefer-offline"])
                    .arg(&package.tarball),
            )?;
            stamp.set()?;
        }
        step.run(repo.command("npm").current_dir(&www).args(["run", "build"]))
    })
}

/// The shop's backend, which also serves the page.
pub(crate) fn start_backend(repo: &Repo, sandbox: &Sandbox, log: &Path) -> anyhow::Result<Server> {
    Server::start(
        "the shop's backend",
        repo.command("node")
            .arg("www/backend/server.mjs")
            .envs(sandbox.backend_env()?)
            .env("PORT", "0")
            .env("REMITKIT_STOP_WITH_STDIN", "1"),
        log,
    )
}

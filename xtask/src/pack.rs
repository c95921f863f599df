//! The npm package: the wasm core, the files of pkg-template around it, and the tarball.
//!
//! The build is reproducible: the module names no path of the machine, and the tarball carries no times.

mod assembly;
mod folder;
mod forms;
mod glue;
mod notices;
pub(crate) mod parts;
pub(crate) mod sandbox;
pub(crate) mod types;
mod wasm_core;

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::repo::{Repo, WASM_TARGET, read, sha256};
use crate::report::Report;
use crate::say;
use crate::setup::{Downloads, Part, look_up, program};
use crate::steps::both;
pub(crate) use wasm_core::Core;

/// Its manifest names the oldest supported Node.js, which npm checks.
pub(crate) const NODE_TOOLS: Part = Part::Npm("xtask/node-tools");
pub(crate) const PARTS: [Part; 2] = [Part::PackageTools, NODE_TOOLS];
const NOTICES_HEADING: &str = "The WebAssembly module is made with the crates below, under their licenses,";

#[derive(Clone)]
pub(crate) struct Package {
    /// The unpacked package, as it is published.
    pub(crate) folder: PathBuf,
    pub(crate) tarball: PathBuf,
    /// The linked module, with the function names that the published one lacks.
    pub(crate) linked: PathBuf,
}

/// Packs the package, and the sandbox's packages if asked: the optimized sandbox takes minutes to build.
pub(crate) fn run(repo: &Repo, with_sandbox: bool, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let package = build(repo, Core::Published)?;
    let content = read(&package.tarball)?;
    let (bytes, hash) = (content.len(), sha256(&content));
    say::result(&format!("{} ({bytes} bytes)\nsha256 {hash}", package.tarball.display()));
    report.set("tarball", json!(package.tarball));
    report.set("bytes", bytes);
    report.set("sha256", hash);
    if with_sandbox {
        let sandbox = sandbox::build(repo)?;
        let mut packed = Vec::new();
        for tarball in &sandbox.tarballs {
            let bytes = fs::metadata(tarball)?.len();
            packed.push(json!({ "tarball": tarball, "bytes": bytes }));
            say::result(&format!("{} ({bytes} bytes)", tarball.display()));
        }
        let program = fs::metadata(&sandbox.program)?.len();
        report.set("sandbox", json!({ "packages": packed, "programBytes": program }));
    }
    Ok(())
}

pub(crate) fn build(repo: &Repo, core: Core) -> anyhow::Result<Package> {
    build_with(repo, core, look_up(repo, &PARTS)?)
}

/// Builds the package, and the sandbox while what is missing is downloaded.
pub(crate) fn build_with(repo: &Repo, core: Core, missing: Downloads) -> anyhow::Result<Package> {
    let (folder, title) = core.names();
    let target = repo.target.join(folder);
    let bound = target.join("core");
    // At a time, as none of them keeps all cores busy. The package takes constants from the sandbox.
    let compile = || repo.step(&format!("{title}wasm core"), |step| wasm_core::compile(repo, step, core));
    let bind = || {
        missing.fetch(repo)?;
        let (linked, wasm_bindgen) = both(compile, || program(repo, Part::PackageTools))?;
        repo.step(&format!("{title}wasm core, bound and optimized"), |step| {
            wasm_core::bind(repo, step, &wasm_bindgen, &linked, &bound)
        })?;
        Ok(linked)
    };
    let natively = || {
        crate::sandbox::build(repo)?;
        repo.step("package tables", |step| step.run(&mut assembly::package_tables(repo, "build")))
    };
    let (linked, ()) = both(bind, natively)?;
    repo.step(&format!("{title}npm package"), |step| {
        let selection = ["--target", WASM_TARGET, "--features", wasm_core::FEATURES];
        let notices = notices::of(repo, step, NOTICES_HEADING, "remitkit", &selection)?;
        let folder = assembly::assemble(repo, step, &bound, &notices, &target.join("remitkit"))?;
        let tarball = folder.pack(step, &target)?;
        Ok(Package { folder: folder.path, tarball, linked })
    })
}

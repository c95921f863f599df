//! The npm package: the wasm core, the files of pkg-template around it, and the tarball.
//!
//! The same sources give the same bytes: no path of the machine gets into the module, and the
//! tarball carries no times.

mod assembly;
mod binaryen;
mod folder;
mod forms;
mod glue;
mod names;
mod notices;
pub(crate) mod parts;
pub(crate) mod sandbox;
mod wasm_core;

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::repo::{Repo, WASM_TARGET, read, sha256};
use crate::report::Report;
use crate::say;
use crate::setup::{Part, program, set_up};
pub(crate) use wasm_core::Core;

/// What `build` needs.
pub(crate) const PARTS: [Part; 4] =
    [Part::Node, Part::Rust, Part::WasmBindgen, Part::Npm("xtask/node-tools")];
/// What the package's notices begin with.
const MADE_WITH: &str = "The WebAssembly module is made with the crates below, under their licences,";

#[derive(Clone)]
pub(crate) struct Package {
    /// Unpacked, as it is published.
    pub(crate) folder: PathBuf,
    pub(crate) tarball: PathBuf,
    /// The module as it is linked: with the names of its functions, which the published one no longer has.
    pub(crate) linked: PathBuf,
}

/// The optimised sandbox takes minutes, so it is packed only where that is asked for.
pub(crate) fn run(repo: &Repo, with_sandbox: bool, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let package = build(repo, Core::Real)?;
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
    for part in PARTS {
        set_up(repo, part)?;
    }
    let wasm_bindgen = program(repo, Part::WasmBindgen)?;
    let (place, title) = core.names();
    let place = repo.target.join(place);
    let bound = place.join("core");
    let linked = repo.step(&format!("{title}wasm core"), |step| {
        let linked = wasm_core::compile(repo, step, core)?;
        wasm_core::bind(repo, step, &wasm_bindgen, &linked, &bound)?;
        Ok(linked)
    })?;
    repo.step(&format!("{title}npm package"), |step| {
        let given = ["--target", WASM_TARGET, "--features", Core::Real.features()];
        let notices = notices::of(repo, step, MADE_WITH, "remitkit", &given)?;
        let folder = assembly::assemble(repo, step, &bound, &notices, &place.join("remitkit"))?;
        let tarball = folder.pack(step, &place)?;
        Ok(Package { folder: folder.path, tarball, linked })
    })
}

//! The npm package: the wasm core, the files of pkg-template around it, and the tarball.
//!
//! The same sources give the same bytes: no path of the machine gets into the module, and the
//! tarball carries no times.

mod address;
mod assembly;
mod copying;
mod forms;
mod glue;
mod names;
mod notices;
mod remap;
pub(crate) mod sandbox;
mod tarball;
mod wasm_core;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest, Sha256};

use crate::repo::{Repo, WASM_TARGET, read};
use crate::report::Report;
use crate::say;
use crate::setup::{self, Node, NodeModules, RustSource, RustTarget, WasmBindgen};
use crate::steps::Steps;
use assembly::assemble;
use tarball::tarball;
pub(crate) use wasm_core::{Core, MODULE};
use wasm_core::{bind, compile, symbols};

pub(crate) struct Package {
    /// Unpacked, as it is published.
    pub(crate) folder: PathBuf,
    pub(crate) tarball: PathBuf,
    /// The names of the module's functions by their numbers, which it no longer has itself: a line `7:name` each.
    pub(crate) symbols: PathBuf,
}

/// What the package's notices begin with.
const MADE_WITH: &str = "The WebAssembly module is made with the crates below, under their licences,";
/// How many steps `set_up` and `build` take.
pub(crate) const SET_UP_STEPS: usize = 5;
pub(crate) const BUILD_STEPS: usize = 2;

/// The optimised sandbox takes minutes, so it is packed only where that is asked for.
pub(crate) fn run(repo: &Repo, with_sandbox: bool, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let sandbox_steps = if with_sandbox { sandbox::BUILD_STEPS } else { 0 };
    let mut steps = repo.steps(SET_UP_STEPS + BUILD_STEPS + sandbox_steps);
    let wasm_bindgen = set_up(repo, &mut steps)?;
    let package = build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    let content = read(&package.tarball)?;
    let (bytes, sha256) = (content.len(), hex(&Sha256::digest(&content)));
    report.set("tarball", json!(package.tarball));
    report.set("bytes", json!(bytes));
    report.set("sha256", json!(sha256));
    say::result(&format!("{} ({bytes} bytes)\nsha256 {sha256}", package.tarball.display()));
    if with_sandbox {
        let sandbox = sandbox::build(repo, &mut steps)?;
        let mut packed = Vec::new();
        for tarball in &sandbox.tarballs {
            let bytes = read(tarball)?.len();
            packed.push(json!({ "tarball": tarball, "bytes": bytes }));
            say::result(&format!("{} ({bytes} bytes)", tarball.display()));
        }
        let program = fs::metadata(&sandbox.program)?.len();
        report.set("sandbox", json!({ "packages": packed, "programBytes": program }));
    }
    Ok(())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Sees to the tools of `build`, and returns where wasm-bindgen is.
pub(crate) fn set_up(repo: &Repo, steps: &mut Steps) -> anyhow::Result<PathBuf> {
    setup::set_up(repo, steps, &Node)?;
    setup::set_up(repo, steps, &RustTarget)?;
    setup::set_up(repo, steps, &RustSource)?;
    let wasm_bindgen = setup::set_up_program(repo, steps, &WasmBindgen::new(repo)?)?;
    setup::set_up(repo, steps, &NodeModules::TOOLS)?;
    Ok(wasm_bindgen)
}

pub(crate) fn build(
    repo: &Repo,
    steps: &mut Steps,
    wasm_bindgen: &Path,
    core: Core,
) -> anyhow::Result<Package> {
    let place = repo.target.join(core.folder());
    let bound = place.join("core");
    let [core_title, package_title] = core.titles();
    steps.run(core_title, |step| {
        let module = compile(repo, step, core)?;
        bind(repo, step, wasm_bindgen, &module, &bound)
    })?;
    steps.run(package_title, |step| {
        let folder = place.join("remitkit");
        let given = ["--target", WASM_TARGET, "--features", Core::Real.features()];
        let notices = notices::of(repo, step, MADE_WITH, "remitkit", &given)?;
        let files = assemble(repo, step, &bound, &notices, &folder)?;
        let tarball = tarball(step, &folder, &files, &place)?;
        Ok(Package { folder, tarball, symbols: symbols(&bound) })
    })
}

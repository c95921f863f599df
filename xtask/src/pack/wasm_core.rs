//! The wasm core: compiled for size, bound to its glue, optimised.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::remap::{encoded, remapped_paths};
use super::{glue, names};
use crate::repo::{Repo, WASM_TARGET, fresh_folder, read, read_text};
use crate::stamp::Stamp;
use crate::steps::Step;

const CORE: &str = "remitkit_core";
/// What wasm-bindgen calls the module it writes.
pub(crate) const MODULE: &str = "remitkit_core_bg.wasm";
/// What the core asks of the page, and what the package does itself: of `src/browser`, beside the glue.
const SCRIPTS: [&str; 3] = ["engine.js", "frame.js", "pattern.js"];

/// How the module is made small, in this order. A function with one caller is left by itself where it is of some size: put into its caller,
/// it repeats less that brotli knows already; for the same reason nothing is computed once for two uses, and the data keeps its zeros. And what
/// the module may use: all of it is in every browser since 2021 (Safari 15).
const WASM_OPT: [&str; 16] = [
    "--one-caller-inline-max-function-size=60",
    "--skip-pass=local-cse",
    "--skip-pass=memory-packing",
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];

/// The module's standard library is built with it, for small size and without the words of panics, which nobody would see: one ends the
/// module, and the package says so (`pkg-template/crash.js`). That takes a tenth off the module. The compiler is the stable one;
/// what it is told counts as unstable, so it is asked for by name.
const LEAN_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
/// rustc's own inliner, which works for speed alone by itself, leaves LLVM less to do; its thresholds are those that came out smallest.
const LEAN_FLAGS: [&str; 9] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    // Tried: partial redundancy elimination copies loads into branches, which brotli does not take back: 1.0 kB.
    "-Cllvm-args=-enable-pre=false",
    "-Zfmt-debug=none",
    "-Zlocation-detail=none",
    "-Zinline-mir=yes",
    "-Zinline-mir-threshold=100",
    "-Zinline-mir-hint-threshold=150",
    "-Zcross-crate-inline-threshold=yes",
];

/// Which core a package is built around.
#[derive(Clone, Copy)]
pub(crate) enum Core {
    /// The one that is published.
    Real,
    /// One that can be told to leave a safeguard out. `chaos` and `forge` show that they find out.
    Weakened,
}

impl Core {
    pub(super) fn features(self) -> &'static str {
        match self {
            Core::Real => "js",
            Core::Weakened => "js,weakened",
        }
    }

    /// In the target folder, so that one is never taken for the other.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Core::Real => "package",
            Core::Weakened => "package-weakened",
        }
    }

    pub(super) fn titles(self) -> [&'static str; 2] {
        match self {
            Core::Real => ["wasm core", "npm package"],
            Core::Weakened => ["weakened wasm core", "weakened npm package"],
        }
    }
}

pub(super) fn compile(repo: &Repo, step: &Step, core: Core) -> anyhow::Result<PathBuf> {
    let mut flags = remapped_paths(repo)?;
    flags.extend(LEAN_FLAGS.map(str::to_owned));
    step.run(
        repo.cargo()
            .args(["build", "--package", "remitkit", "--lib", "--features", core.features()])
            .args(["--profile", "wasm", "--target", WASM_TARGET])
            .args(LEAN_STD)
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", encoded(&flags))
            .env_remove("RUSTFLAGS"),
    )?;
    Ok(repo.target.join(WASM_TARGET).join("wasm/remitkit.wasm"))
}

/// Makes the glue and the optimised module in `core`, unless that is done for this very module.
pub(super) fn bind(
    repo: &Repo,
    step: &Step,
    wasm_bindgen: &Path,
    module: &Path,
    core: &Path,
) -> anyhow::Result<()> {
    let wasm_opt = repo.path("xtask/node-tools/node_modules/binaryen/bin/wasm-opt");
    let tools = read(&repo.path("xtask/node-tools/package-lock.json"))?;
    let binder = crate::command::output(Command::new(wasm_bindgen).arg("--version"))?;
    let compiled = read(module)?;
    // How it is made counts as an input too.
    let mut recipe =
        [include_str!("wasm_core.rs"), include_str!("glue.rs"), include_str!("names.rs")].concat();
    for name in SCRIPTS {
        recipe.push_str(&read_text(&repo.path("src/browser").join(name))?);
    }
    let stamp = Stamp::new(
        core.with_extension("stamp"),
        [compiled.as_slice(), &tools, binder.as_bytes(), recipe.as_bytes()],
    );
    if stamp.holds() && core.join(MODULE).exists() && symbols(core).exists() {
        return Ok(());
    }
    fresh_folder(core)?;
    stamp.clear()?;
    step.run(
        repo.command(wasm_bindgen)
            .args(["--target", "web", "--no-typescript", "--experimental-reset-state-function"])
            .args(["--out-name", CORE, "--out-dir"])
            .arg(core)
            .arg(module),
    )?;
    flatten(repo, core)?;
    let bound = core.join(MODULE);
    let optimised = core.join("optimised.wasm");
    // After all passes, so that the numbers are those of the module that is written.
    let mut symbol_map = OsString::from("--symbolmap=");
    symbol_map.push(symbols(core));
    let mapping = step.read(
        repo.command("node")
            .arg(wasm_opt)
            .args(WASM_OPT)
            .arg("--minify-imports-and-exports-and-modules")
            .arg(symbol_map)
            .arg(&bound)
            .arg("--output")
            .arg(&optimised),
    )?;
    let glue = core.join(format!("{CORE}.js"));
    fs::write(&glue, names::shortened(&glue::adapted(&read_text(&glue)?)?, &mapping)?)
        .with_context(|| format!("cannot write {}", glue.display()))?;
    fs::rename(&optimised, &bound).with_context(|| format!("cannot write {}", bound.display()))?;
    stamp.set()
}

/// Beside the folder, all of whose files go into the package.
pub(super) fn symbols(core: &Path) -> PathBuf {
    core.with_extension("symbols")
}

/// Puts the scripts that the glue imports beside it, where the package's own scripts find them too.
fn flatten(repo: &Repo, core: &Path) -> anyhow::Result<()> {
    let glue = core.join(format!("{CORE}.js"));
    let text = read_text(&glue)?;
    let imported: BTreeSet<&str> = text.split('\'').filter(|part| part.starts_with("./snippets/")).collect();
    let mut flat = text.clone();
    for path in imported {
        let name = path.rsplit('/').next().unwrap_or(path);
        ensure!(SCRIPTS.contains(&name), "the glue imports {path}, which the package does not have");
        flat = flat.replace(path, &format!("./{name}"));
    }
    for name in SCRIPTS {
        let script = repo.path("src/browser").join(name);
        fs::copy(&script, core.join(name)).with_context(|| format!("cannot copy {}", script.display()))?;
    }
    fs::remove_dir_all(core.join("snippets"))?;
    fs::write(&glue, flat).with_context(|| format!("cannot write {}", glue.display()))
}

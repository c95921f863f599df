//! The wasm core: compiled for size, bound to its glue, optimised.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::binaryen::binaryen;
use super::parts::{self, FIRST, PARTS};
use super::{glue, names};
use crate::command::output;
use crate::repo::{Repo, WASM_TARGET, copy, fresh_folder, read, read_text, write};
use crate::stamp::Stamp;
use crate::steps::Step;

const CORE: &str = "remitkit_core";
/// What wasm-bindgen calls the module it writes.
pub(super) const MODULE: &str = "remitkit_core_bg.wasm";
/// What the core asks of the page, and what the package does itself: of `src/browser`, beside the glue.
const SCRIPTS: [&str; 3] = ["engine.js", "frame.js", "pattern.js"];

/// How the module is made small, in this order. A function with one caller is left by itself where it is of
/// some size: put into its caller, it repeats less that brotli knows already; for the same reason nothing is
/// computed once for two uses, and the data keeps its zeros.
const WASM_OPT: [&str; 10] = [
    "--one-caller-inline-max-function-size=60",
    "--skip-pass=local-cse",
    "--skip-pass=memory-packing",
    "--flatten",
    "--rereloop",
    "-Oz",
    "-Oz",
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
];
/// In the whole module each place of the table is known from the beginning.
const DIRECT: [&str; 2] = ["--pass-arg=directize-initial-contents-immutable", "--directize"];
/// The module's standard library is built with it, for small size and without the words of panics, which
/// nobody would see: one ends the module, and the package says so (`pkg-template/crash.js`). That takes a
/// tenth off the module. The compiler is the stable one; what it is told counts as unstable, so it is asked
/// for by name.
const LEAN_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
/// rustc's own inliner, which works for speed alone by itself, leaves LLVM less to do; its thresholds are
/// those that came out smallest.
const LEAN_FLAGS: [&str; 10] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    // Tried: partial redundancy elimination copies loads into branches, which brotli does not take back: 1.0
    // kB.
    "-Cllvm-args=-enable-pre=false",
    "-Zfmt-debug=none",
    "-Zlocation-detail=none",
    "-Zinline-mir=yes",
    "-Zinline-mir-threshold=100",
    "-Zinline-mir-hint-threshold=150",
    "-Zcross-crate-inline-threshold=yes",
    // By them the module is cut into files.
    "-Clink-arg=--emit-relocs",
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
    pub(crate) fn weakened_if(is_weakened: bool) -> Core {
        if is_weakened { Core::Weakened } else { Core::Real }
    }

    pub(super) fn features(self) -> &'static str {
        match self {
            Core::Real => "parts",
            Core::Weakened => "parts,weakened",
        }
    }

    /// In the target folder, so that one is never taken for the other; and what the steps' titles begin with.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Core::Real => ("package", ""),
            Core::Weakened => ("package-weakened", "weakened "),
        }
    }
}

pub(super) fn compile(repo: &Repo, step: &Step, core: Core) -> anyhow::Result<PathBuf> {
    let mut flags = remapped_paths(repo)?;
    flags.extend(LEAN_FLAGS.map(str::to_owned));
    let mut cargo = repo.cargo();
    cargo
        .args(["build", "--package", "remitkit", "--lib", "--features", core.features()])
        .args(["--profile", "wasm", "--target", WASM_TARGET])
        .args(LEAN_STD)
        .env("RUSTC_BOOTSTRAP", "1");
    step.run(with_flags(&mut cargo, &flags))?;
    Ok(repo.target.join(WASM_TARGET).join("wasm/remitkit.wasm"))
}

pub(super) fn with_flags<'a>(cargo: &'a mut Command, flags: &[String]) -> &'a mut Command {
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS")
}

/// Returns flags that keep this machine's folders out of what is compiled, so that the same sources give the
/// same bytes.
pub(super) fn remapped_paths(repo: &Repo) -> anyhow::Result<Vec<String>> {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    // Where the component rust-src is installed, std names its sources there and not by the compiler's
    // commit.
    let std = repo.sysroot()?.join("lib/rustlib/src/rust");
    let version = output(repo.rustc().arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let folders = [
        (cargo_home.context("there is no home folder, and CARGO_HOME is not set")?, "/cargo".to_owned()),
        (repo.root.clone(), "/remitkit".to_owned()),
        (std, format!("/rustc/{commit}")),
    ];
    Ok(folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).into())
}

/// Makes the glue and the optimised module in `core`, unless that is done for this very module.
pub(super) fn bind(
    repo: &Repo,
    step: &Step,
    wasm_bindgen: &Path,
    module: &Path,
    core: &Path,
) -> anyhow::Result<()> {
    let tools = read(&repo.path("xtask/node-tools/package-lock.json"))?;
    let binder = output(Command::new(wasm_bindgen).arg("--version"))?;
    let compiled = read(module)?;
    // How it is made counts as an input too.
    let mut recipe = [
        include_str!("wasm_core.rs"),
        include_str!("glue.rs"),
        include_str!("names.rs"),
        include_str!("parts.rs"),
        include_str!("binaryen.rs"),
    ]
    .concat();
    for name in SCRIPTS {
        recipe.push_str(&read_text(&repo.path("src/browser").join(name))?);
    }
    let stamp = Stamp::new(
        core.with_extension("stamp"),
        [compiled.as_slice(), &tools, binder.as_bytes(), recipe.as_bytes()],
    );
    if stamp.holds() && core.join(MODULE).exists() {
        return Ok(());
    }
    fresh_folder(core)?;
    stamp.clear();
    let work = core.with_extension("cut");
    let cut = parts::cut(repo, step, &wasm_bindgen.with_file_name("wasm-split"), module, &work)?;
    step.run(
        repo.command(wasm_bindgen)
            .args([
                "--target",
                "web",
                "--no-typescript",
                "--experimental-reset-state-function",
                "--keep-lld-exports",
            ])
            .args(["--out-name", CORE, "--out-dir"])
            .arg(core)
            .arg(&cut.first),
    )?;
    flatten(repo, core)?;
    let bound = work.join("bound.wasm");
    let module = core.join(MODULE);
    fs::rename(&module, &bound).with_context(|| format!("cannot move {}", module.display()))?;
    let (first, whole) = (work.join("first_bound.wasm"), work.join("whole_bound.wasm"));
    cut.merge_first(repo, step, &bound, &first)?;
    cut.merge_all(repo, step, &bound, &whole)?;
    let mapping = optimise(repo, step, &first, core, FIRST)?;
    let build = parts::build_name(&compiled);
    parts::mark(&core.join(FIRST), &build)?;
    // One glue serves both.
    ensure!(
        mapping == optimise(repo, step, &whole, core, MODULE)?,
        "wasm-opt names the whole and its first file differently"
    );
    for (part, path) in &cut.parts {
        optimise(repo, step, path, core, &parts::file(part))?;
        parts::bind_to(&core.join(parts::file(part)), &build)?;
    }
    let glue = core.join(format!("{CORE}.js"));
    write(&glue, names::shortened(&glue::adapted(&read_text(&glue)?)?, &mapping)?)?;
    stamp.set()
}

/// Makes `core/name` of a module; what it has renamed comes back. A part keeps the names that it imports.
fn optimise(repo: &Repo, step: &Step, module: &Path, core: &Path, name: &str) -> anyhow::Result<String> {
    let is_part = PARTS.iter().any(|part| parts::file(part) == name);
    step.read(
        binaryen(repo, "wasm-opt")
            .args((name == MODULE).then_some(DIRECT).into_iter().flatten())
            .args(WASM_OPT)
            .args((!is_part).then_some("--minify-imports-and-exports-and-modules"))
            .arg(module)
            .arg("--output")
            .arg(core.join(name)),
    )
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
        copy(&repo.path("src/browser").join(name), &core.join(name))?;
    }
    fs::remove_dir_all(core.join("snippets"))?;
    write(&glue, flat)
}

//! The wasm core: compiled for size, bound to its glue, optimized.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use super::glue;
use super::parts::{self, FIRST, PARTS, binaryen};
use crate::process::output;
use crate::repo::{Repo, WASM_TARGET, cargo_home, copy, fresh_folder, read, read_text, write};
use crate::safeguards;
use crate::stamp::Stamp;
use crate::steps::Step;

const CORE: &str = "remitkit_core";
pub(super) const MODULE: &str = "remitkit_core_bg.wasm";
/// Scripts of `src` that the glue imports, under their own names in the package.
const SCRIPTS: [&str; 3] = ["browser/fetch.js", "browser/service-time.js", "js/remit-error.js"];
/// Scripts of `src` that are in a part of the package. The glue imports their functions from [`PART_IMPORTS`].
const PART_SCRIPTS: [&str; 4] =
    ["browser/frame.js", "browser/local-journal.js", "browser/lock.js", "browser/pattern.js"];
/// The script of `pkg-template/core` that has the functions of the parts once these are loaded.
const PART_IMPORTS: &str = "part-imports.js";

/// How the module is made small, in this order. A larger function with one caller is not inlined: separate,
/// it repeats more of what brotli has seen. For the same reason common subexpressions stay, and the data
/// keeps its zeros.
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
/// In the whole module every table entry is known from the start.
const DIRECT: [&str; 2] = ["--pass-arg=directize-initial-contents-immutable", "--directize"];
/// The standard library is built with the module, for size and without panic messages, which would never be
/// shown: a panic ends the module, and the package reports it (`crash.js`). This saves a tenth of the module.
/// The compiler is the stable one, so unstable options have to be allowed.
const LEAN_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];
/// No panic and no debug text is ever shown, so the module has none of their messages.
const LEAN_FLAGS: [&str; 7] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    // Partial redundancy elimination copies loads into branches, which costs 1.0 kB after brotli.
    "-Cllvm-args=-enable-pre=false",
    "-Zfmt-debug=none",
    "-Zlocation-detail=none",
    // The splitter needs them.
    "-Clink-arg=--emit-relocs",
    // No feature: no crate of a page may choose it.
    "--cfg=remitkit_parts",
];

pub(super) const FEATURES: &str = "js";

#[derive(Clone, Copy)]
pub(crate) enum Core {
    Published,
    /// One whose safeguards can be disabled, so that `chaos` and `forge` can show that they notice it.
    OptionalSafeguards,
}

impl Core {
    /// Returns its folder in the target folder, and the prefix of its steps' titles.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Core::Published => ("package", ""),
            Core::OptionalSafeguards => ("package-optional-safeguards", "optional safeguards, "),
        }
    }
}

pub(super) fn compile(repo: &Repo, step: &Step, core: Core) -> anyhow::Result<PathBuf> {
    let mut flags = remapped_paths(repo)?;
    flags.extend(LEAN_FLAGS.map(str::to_owned));
    let mut cargo = match core {
        Core::Published => repo.cargo(),
        Core::OptionalSafeguards => safeguards::cargo(repo)?,
    };
    // The module alone: with the library beside it, there is no optimization at link time.
    cargo.args(["rustc", "--package", "remitkit", "--lib", "--crate-type", "cdylib", "--features", FEATURES]);
    cargo.args(["--profile", "wasm", "--target", WASM_TARGET]).args(LEAN_STD).env("RUSTC_BOOTSTRAP", "1");
    step.run(with_flags(&mut cargo, &flags))?;
    Ok(repo.target.join(WASM_TARGET).join("wasm/remitkit.wasm"))
}

pub(super) fn with_flags<'a>(cargo: &'a mut Command, flags: &[String]) -> &'a mut Command {
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}")).env_remove("RUSTFLAGS")
}

/// Returns flags that keep this machine's paths out of the result, so that the same sources give the same
/// bytes.
pub(super) fn remapped_paths(repo: &Repo) -> anyhow::Result<Vec<String>> {
    // With the component rust-src installed, std names its sources there and not by the compiler's commit.
    let sysroot = output(repo.rustc().args(["--print", "sysroot"]))?;
    let std = Path::new(sysroot.trim()).join("lib/rustlib/src/rust");
    let version = output(repo.rustc().arg("-vV"))?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let folders = [
        (cargo_home()?, "/cargo".to_owned()),
        (repo.root.clone(), "/remitkit".to_owned()),
        (std, format!("/rustc/{commit}")),
    ];
    Ok(folders.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())).into())
}

/// Writes the glue and the optimized module to `core`, unless they are up to date.
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
    // The recipe is an input, too.
    let mut recipe =
        [include_str!("wasm_core.rs"), include_str!("glue.rs"), include_str!("parts.rs")].concat();
    for name in SCRIPTS.iter().chain(&PART_SCRIPTS) {
        recipe.push_str(&read_text(&repo.path("src").join(name))?);
    }
    let inputs = [&compiled, &tools, binder.as_bytes(), recipe.as_bytes()];
    let stamp = Stamp::new(core.with_extension("stamp"), &inputs);
    if stamp.holds() && core.join(MODULE).exists() {
        return Ok(());
    }
    fresh_folder(core)?;
    stamp.clear();
    let work = core.with_extension("split");
    let split = parts::split(repo, step, &wasm_bindgen.with_file_name("wasm-split"), module, &work)?;
    step.run(repo.command(wasm_bindgen).arg(&split.first).arg(core).arg(CORE))?;
    let bound = work.join("bound.wasm");
    let module = core.join(MODULE);
    fs::rename(&module, &bound).with_context(|| format!("cannot move {}", module.display()))?;
    let (first, whole) = (work.join("first_bound.wasm"), work.join("whole_bound.wasm"));
    parts::merge(repo, step, &bound, &split.chunks, &first)?;
    parts::merge(repo, step, &bound, &[&split.chunks[..], &split.parts].concat(), &whole)?;
    let mapping = optimize(repo, step, &first, core, FIRST)?;
    let build = parts::build_name(&compiled);
    parts::add_section(&core.join(FIRST), &build)?;
    // One glue serves both.
    let is_same = mapping == optimize(repo, step, &whole, core, MODULE)?;
    ensure!(is_same, "wasm-opt names the whole and its first file differently");
    for (part, path) in PARTS.iter().zip(&split.parts) {
        optimize(repo, step, path, core, &parts::file(part))?;
        parts::bind_to(&core.join(parts::file(part)), &build)?;
    }
    let glue = core.join(format!("{CORE}.js"));
    write(&glue, glue::adapted(&with_local_scripts(repo, core, &read_text(&glue)?)?, &mapping)?)?;
    stamp.set()
}

/// Writes the optimized module as `core/name`; returns the mapping of names. A part keeps those that it
/// imports.
fn optimize(repo: &Repo, step: &Step, module: &Path, core: &Path, name: &str) -> anyhow::Result<String> {
    let is_part = PARTS.iter().any(|part| parts::file(part) == name);
    let mut wasm_opt = binaryen(repo, "wasm-opt");
    wasm_opt.args((name == MODULE).then_some(DIRECT).into_iter().flatten()).args(WASM_OPT);
    wasm_opt.args((!is_part).then_some("--minify-imports-and-exports-and-modules"));
    step.read(wasm_opt.arg(module).arg("--output").arg(core.join(name)))
}

/// Copies the scripts that the glue imports beside it, where the package's own scripts find them too; returns
/// the glue that imports them there, or from [`PART_IMPORTS`].
fn with_local_scripts(repo: &Repo, core: &Path, glue: &str) -> anyhow::Result<String> {
    let imports = glue.lines().take_while(|line| line.starts_with("import "));
    let paths =
        imports.filter_map(|line| line.split(['\'', '"']).find(|part| part.starts_with("./snippets/")));
    // Only where it imports them: the module names its imports by these paths, too.
    let mut flat = glue.to_owned();
    for path in paths.collect::<BTreeSet<_>>() {
        let is_of = |script: &&&str| path.ends_with(&format!("/src/{script}"));
        let of_part = PART_SCRIPTS.iter().find(is_of).map(|_| PART_IMPORTS);
        let script = of_part.or_else(|| SCRIPTS.iter().find(is_of).map(|script| file_name(script)));
        let script = script.with_context(|| format!("the glue imports {path}, which is in no list"))?;
        for quote in ['\'', '"'] {
            let from = |path: &str| format!(" from {quote}{path}{quote}");
            flat = flat.replace(&from(path), &from(&format!("./{script}")));
        }
    }
    for script in SCRIPTS.iter().chain(&PART_SCRIPTS) {
        copy(&repo.path("src").join(script), &core.join(file_name(script)))?;
    }
    fs::remove_dir_all(core.join("snippets"))?;
    Ok(flat)
}

fn file_name(script: &str) -> &str {
    script.rsplit('/').next().unwrap_or(script)
}

//! `docs`: the API reference, made of the types and comments that are published.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::pack::{self, Core, Package};
use crate::repo::{Repo, WASM_TARGET, fresh_folder, read_text};
use crate::report::Report;
use crate::say;
use crate::setup::{self, NodeModules};
use crate::steps::{Step, Steps};

const TOOLS: NodeModules = NodeModules::of("xtask/docs-tools");

/// How many steps `set_up` and `build` take.
pub(crate) const STEPS: usize = 3;

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    let mut steps = repo.steps(pack::SET_UP_STEPS + pack::BUILD_STEPS + STEPS);
    let wasm_bindgen = pack::set_up(repo, &mut steps)?;
    let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
    let folder = build(repo, &mut steps, &package)?;
    report.set("folder", json!(folder));
    say::result(&format!("{}\n{}", folder.join("js/index.html").display(), folder.join("rust").display()));
    Ok(())
}

/// Gives the folder with `js`, for those who install the package, and `rust`, for those who use the crate.
pub(crate) fn build(repo: &Repo, steps: &mut Steps, package: &Package) -> anyhow::Result<PathBuf> {
    setup::set_up(repo, steps, &TOOLS)?;
    let folder = repo.target.join("docs");
    fresh_folder(&folder)?;
    steps.run("reference for JavaScript", |step| of_package(repo, step, package, &folder))?;
    steps.run("reference for Rust", |step| {
        // Of the browser's layers too, which only wasm has.
        step.run(
            repo.cargo()
                .args(["doc", "--package", "remitkit", "--no-deps", "--target", WASM_TARGET])
                .env("RUSTDOCFLAGS", "-D warnings"),
        )?;
        let made = repo.target.join(WASM_TARGET).join("doc");
        step.run(repo.command("cp").arg("-R").arg(&made).arg(folder.join("rust")))
    })?;
    Ok(folder)
}

/// A comment that typedoc cannot follow is an error: it would be wrong in an editor as well.
fn of_package(repo: &Repo, step: &Step, package: &Package, folder: &Path) -> anyhow::Result<()> {
    let tools = repo.path("xtask/docs-tools/node_modules");
    // Beside the tools, so that the types of Node and React are found.
    let work = folder.join("work");
    fs::create_dir_all(&work)?;
    std::os::unix::fs::symlink(&tools, work.join("node_modules"))?;
    step.run(repo.command("cp").arg("-R").arg(&package.folder).arg(work.join("remitkit")))?;
    let settings = json!({
        "compilerOptions": {
            "target": "es2022",
            "module": "esnext",
            "moduleResolution": "bundler",
            "lib": ["es2022", "dom", "dom.iterable"],
            "types": ["node"],
            "strict": true,
            "noEmit": true,
        },
        "include": ["remitkit/*.d.ts"],
    });
    fs::write(work.join("tsconfig.json"), settings.to_string())?;
    let mut typedoc = repo.command("node");
    typedoc.current_dir(&work).arg(tools.join("typedoc/bin/typedoc"));
    for entry in entry_points(package)? {
        typedoc.arg("--entryPoints").arg(entry);
    }
    step.run(
        typedoc
            .args(["--tsconfig", "tsconfig.json", "--readme", "remitkit/README.md", "--name", "RemitKit"])
            .args(["--disableSources", "--treatWarningsAsErrors", "--out"])
            .arg(folder.join("js")),
    )?;
    fs::remove_dir_all(&work).with_context(|| format!("cannot remove {}", work.display()))
}

/// The types of each entry point that the manifest exports, those of one that only repeats another left out.
fn entry_points(package: &Package) -> anyhow::Result<Vec<String>> {
    let manifest: Value = serde_json::from_str(&read_text(&package.folder.join("package.json"))?)?;
    let exports =
        manifest.get("exports").and_then(Value::as_object).context("package.json has no exports")?;
    let types = |entry: &Value| Some(entry.get("types")?.as_str()?.replacen("./", "remitkit/", 1));
    let found: Vec<String> = exports
        .iter()
        .filter(|(name, _)| *name != "./inline")
        .filter_map(|(_, entry)| types(entry))
        .collect();
    if found.is_empty() {
        bail!("package.json exports nothing that has types");
    }
    Ok(found)
}

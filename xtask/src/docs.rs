//! `docs`: the API reference, from the published types and comments.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::pack::{self, Core, Package};
use crate::repo::{Repo, WASM_TARGET, fresh_folder, read_json, write};
use crate::report::Report;
use crate::say;
use crate::setup::{Part, prepare, set_up};
use crate::steps::Step;

const TOOLS: Part = Part::Npm("xtask/docs-tools");

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let _lock = repo.lock()?;
    prepare(repo, &[&pack::PARTS[..], &[TOOLS]].concat())?;
    let folder = build(repo, &pack::build(repo, Core::Published)?)?;
    report.set("folder", json!(folder));
    say::result(&format!("{}\n{}", folder.join("js/index.html").display(), folder.join("rust").display()));
    Ok(())
}

/// Writes a folder with `js`, for users of the package, and `rust`, for users of the crate.
pub(crate) fn build(repo: &Repo, package: &Package) -> anyhow::Result<PathBuf> {
    set_up(repo, TOOLS)?;
    let folder = repo.target.join("docs");
    fresh_folder(&folder)?;
    repo.step("reference for JavaScript", |step| document_package(repo, step, package, &folder))?;
    repo.step("reference for Rust", |step| {
        // For wasm, as the browser's layers exist there alone.
        let mut cargo = repo.cargo();
        cargo.args(["doc", "--package", "remitkit", "--no-deps", "--target", WASM_TARGET]);
        step.run(cargo.env("RUSTDOCFLAGS", "-D warnings"))?;
        let made = repo.target.join(WASM_TARGET).join("doc");
        step.run(repo.command("cp").arg("-R").arg(&made).arg(folder.join("rust")))
    })?;
    Ok(folder)
}

/// Runs typedoc. A warning is an error: the comment would be wrong in an editor as well.
fn document_package(repo: &Repo, step: &Step, package: &Package, folder: &Path) -> anyhow::Result<()> {
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
    write(&work.join("tsconfig.json"), settings.to_string())?;
    let mut typedoc = repo.command("node");
    typedoc.current_dir(&work).arg(tools.join("typedoc/bin/typedoc"));
    for entry in entry_points(&read_json(&package.folder.join("package.json"))?) {
        typedoc.arg("--entryPoints").arg(entry);
    }
    typedoc.args(["--tsconfig", "tsconfig.json", "--readme", "remitkit/README.md", "--name", "RemitKit"]);
    // A stand-in for the DOM's own type, where a backend compiles without the DOM, and types for JSX.
    for name in ["PageElement", "EventOf", "RemitElementProps"] {
        typedoc.args(["--intentionallyNotExported", name]);
    }
    typedoc.args(["--disableSources", "--treatWarningsAsErrors", "--out"]).arg(folder.join("js"));
    step.run(&mut typedoc)?;
    Ok(fs::remove_dir_all(&work)?)
}

/// Returns the types of each exported entry point but those that repeat others, or add to a framework's.
fn entry_points(manifest: &Value) -> Vec<String> {
    let exports = manifest["exports"].as_object().into_iter().flatten();
    let is_other =
        |name: &str| name == "./inline" || name == "./remitkit.min.js" || name.starts_with("./jsx/");
    let own = exports.filter(|(name, _)| !is_other(name));
    let types = own.filter_map(|(_, entry)| entry["import"]["types"].as_str());
    types.map(|types| types.replacen("./", "remitkit/", 1)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_entry_point_of_the_package_is_documented() {
        let manifest = serde_json::from_str(include_str!("../../pkg-template/package.json")).unwrap();
        let expected = ["index", "element", "fields", "react", "server", "testing"]
            .map(|name| format!("remitkit/{name}.d.ts"));
        assert_eq!(super::entry_points(&manifest), expected);
    }
}

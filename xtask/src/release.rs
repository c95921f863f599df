//! `release`: everything but publishing. What is to be published lies in target/release-<version>, and the
//! last lines say how.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use crate::check;
use crate::command::output;
use crate::docs;
use crate::pack::{self, Core};
use crate::repo::{
    Repo, WASM_TARGET, copy, files_ending, fresh_folder, read, read_json, read_text, sha256, write,
};
use crate::report::Report;
use crate::say::{self, say};
use crate::setup::{Part, program};
use crate::steps::Step;
use crate::test::{self, LayerName};

/// The folders whose lock files name what npm installs.
const NPM_FOLDERS: [&str; 9] = [
    "tests/bench",
    "tests/bench/load",
    "tests/e2e",
    "tests/frontends",
    "tests/matrix",
    "tests/package",
    "www",
    "xtask/docs-tools",
    "xtask/node-tools",
];

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let tag = format!("v{}", repo.version);
    must_be_ready(repo, &tag)?;
    let folder = repo.target.join(format!("release-{}", repo.version));
    fresh_folder(&folder)?;
    let mut unreached = Vec::new();
    {
        let _lock = repo.lock()?;
        let deny = program(repo, Part::CargoDeny)?;
        let deny = |what: &[&str]| {
            let mut command = repo.command(&deny);
            command.arg("check").args(what);
            command
        };
        repo.step("crates: bans, licences, sources", |step| {
            step.run(&mut deny(&["bans", "licenses", "sources"]))
        })?;
        repo.step("crates: advisories", |step| {
            let outcome = step.run(&mut deny(&["advisories"]));
            // cargo-deny keeps its database as a clone, which it makes before it judges.
            let source = "https://github.com/RustSec/advisory-db";
            let ask = || output(repo.command("git").args(["ls-remote", "--exit-code", source, "HEAD"]));
            if outcome.is_err() && ask().is_err() {
                unreached.push("the advisory database of RustSec".to_owned());
                return Ok(());
            }
            outcome
        })?;
        repo.step("npm: advisories", |step| audit(repo, step, &mut unreached))?;
        let package = pack::build(repo, Core::Real)?;
        repo.step("the same bytes from a clean clone", |step| {
            let (here, there) = (sha256(&read(&package.tarball)?), packed_elsewhere(repo, step)?);
            ensure!(here == there, "the tarball of this folder and of a clean clone differ: {here}, {there}");
            Ok(())
        })?;
        let cyclonedx = program(repo, Part::CargoCyclonedx)?;
        repo.step("bill of materials", |step| bill_of_materials(repo, step, &cyclonedx, &folder))?;
        let reference = docs::build(repo, &package)?;
        output(repo.command("cp").arg("-R").arg(reference).arg(folder.join("reference")))?;
        for file in [&package.tarball, &package.folder.join("integrity.json")] {
            copy(file, &folder.join(file.file_name().context("a file without a name")?))?;
        }
    }
    check::run(repo, report)?;
    test::run(repo, &[], report)?;
    test::run(repo, &[LayerName::Matrix, LayerName::Screens, LayerName::Safeguards], report)?;
    write_sums(&folder)?;
    for name in &unreached {
        say(&format!("Not looked at, as it cannot be reached from here: {name}."));
    }
    if repo.address.is_none() {
        say(
            "The packages say neither `repository` nor `bugs`, as Cargo.toml has no `repository`: docs/publishing.md says how to give it.",
        );
    }
    report.set("folder", json!(folder));
    report.set("unreached", unreached);
    report.set("repository", repo.address.clone());
    let shown = folder.display();
    say::result(&format!(
        "All is ready in {shown}. To publish it:\n  cargo xtask pack --sandbox, on each platform, as docs/publishing.md says\n  git tag {tag} && git push origin {tag}\n  npm publish {shown}/remitkit-{}.tgz",
        repo.version
    ));
    Ok(())
}

/// A release is made of what is committed and described.
fn must_be_ready(repo: &Repo, tag: &str) -> anyhow::Result<()> {
    let changes = output(repo.command("git").args(["status", "--porcelain"]))?;
    ensure!(changes.trim().is_empty(), "commit first, as a release is made of what is committed:\n{changes}");
    let tags = output(repo.command("git").args(["tag", "--list", tag]))?;
    ensure!(tags.trim().is_empty(), "{tag} is released already: raise `version` in Cargo.toml");
    let changelog = read_text(&repo.path("CHANGELOG.md"))?;
    ensure!(
        describes(&changelog, &repo.version),
        "CHANGELOG.md has no section `## [{}]` with an entry: say there what has changed",
        repo.version
    );
    Ok(())
}

/// Whether the changelog has a section of this version that says something.
fn describes(changelog: &str, version: &str) -> bool {
    let heading = format!("## [{version}]");
    let mut lines = changelog.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
    lines.by_ref().take_while(|line| !line.starts_with("## ")).any(|line| line.starts_with("- "))
}

fn audit(repo: &Repo, step: &Step, unreached: &mut Vec<String>) -> anyhow::Result<()> {
    for folder in NPM_FOLDERS {
        let audit = repo.command("npm").current_dir(repo.path(folder)).args(["audit", "--json"]).output()?;
        let answer: Value = serde_json::from_slice(&audit.stdout).unwrap_or_default();
        match answer["metadata"]["vulnerabilities"]["total"].as_u64() {
            Some(0) => {}
            Some(count) => {
                step.run(repo.command("npm").current_dir(repo.path(folder)).arg("audit"))?;
                bail!("{folder}: npm knows of {count} vulnerabilities");
            }
            None => unreached.push(format!("npm's advisories for {folder}")),
        }
    }
    Ok(())
}

/// Returns the hash of what a clone without any build result packs.
fn packed_elsewhere(repo: &Repo, step: &Step) -> anyhow::Result<String> {
    let clone = repo.target.join("clean-clone");
    fresh_folder(&clone)?;
    step.run(repo.command("git").args(["clone", "--quiet", "--no-hardlinks", "."]).arg(&clone))?;
    let results = clone.join("target/packed.json");
    fs::create_dir_all(clone.join("target"))?;
    // The tools are those of this clone.
    let wasm_bindgen = program(repo, Part::WasmBindgen)?;
    let tools = wasm_bindgen.parent().context("wasm-bindgen lies in no folder")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools.to_owned()].into_iter().chain(std::env::split_paths(&path)))?;
    let mut cargo = repo.cargo();
    cargo.current_dir(&clone).args(["xtask", "pack", "--json"]).arg(&results).env("PATH", path);
    for of_this_run in ["CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "CARGO_MANIFEST_PATH"] {
        cargo.env_remove(of_this_run);
    }
    step.run(&mut cargo)?;
    let hash = read_json(&results)?["sha256"].as_str().map(str::to_owned);
    fs::remove_dir_all(&clone)?;
    hash.context("the clone's results name no sha256")
}

/// The crates that the wasm is made of, as CycloneDX. The package itself depends on nothing from npm.
fn bill_of_materials(repo: &Repo, step: &Step, cyclonedx: &Path, folder: &Path) -> anyhow::Result<()> {
    let date = output(repo.command("git").args(["log", "-1", "--format=%ct"]))?;
    let mut command = repo.command(cyclonedx);
    command.args(["cyclonedx", "--format", "json", "--features", "js", "--target", WASM_TARGET]);
    command.args(["--spec-version", "1.5", "--override-filename", "remitkit.cdx"]);
    command.args(["--manifest-path", "Cargo.toml"]);
    // Else it has the time and a number of its own in it.
    step.run(command.env("SOURCE_DATE_EPOCH", date.trim()))?;
    // Where it was made is nobody's business.
    let own = read_text(&repo.path("remitkit.cdx.json"))?.replace(&*repo.root.to_string_lossy(), "/remitkit");
    // It writes one for each member of the workspace.
    for member in ["", "sandbox/", "xtask/"] {
        let _ = fs::remove_file(repo.path(&format!("{member}remitkit.cdx.json")));
    }
    write(&folder.join("remitkit.cdx.json"), own)
}

/// Writes SHA256SUMS of all files beside it.
fn write_sums(folder: &Path) -> anyhow::Result<()> {
    let mut lines = String::new();
    for file in files_ending(folder, "")? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        lines += &format!("{}  {name}\n", sha256(&read(&file)?));
    }
    write(&folder.join("SHA256SUMS"), lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repo::scratch;

    #[test]
    fn a_version_is_described_by_entries_of_its_own() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n- Later.\n\n## [0.2.0]\n\n### Added\n\n- A thing.\n\n## [0.1.0]\n";
        assert!(describes(changelog, "0.2.0"));
        assert!(!describes(changelog, "0.1.0"));
        assert!(!describes(changelog, "0.3.0"));
    }

    #[test]
    fn sums_are_sorted_by_name() {
        let folder = scratch("sums");
        fs::write(folder.join("b"), "").unwrap();
        fs::write(folder.join("a"), "x").unwrap();
        write_sums(&folder).unwrap();
        let text = read_text(&folder.join("SHA256SUMS")).unwrap();
        let names: Vec<&str> = text.lines().filter_map(|line| line.split("  ").nth(1)).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("e3b0c44298fc1c149afbf4c8996fb924")));
    }
}

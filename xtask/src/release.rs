//! `release`: everything but publishing. What is to be published lies in target/release-<version>, and the last lines say how.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::check;
use crate::command::output;
use crate::docs;
use crate::pack::{self, Core, hex};
use crate::repo::{Repo, WASM_TARGET, fresh_folder, read, read_text};
use crate::report::Report;
use crate::say::{self, say};
use crate::setup::{self, ReleaseTool};
use crate::steps::{Step, Steps};
use crate::test;

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
const STEPS: usize = 7;

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let tag = format!("v{}", repo.version);
    must_be_ready(repo, &tag)?;
    let folder = repo.target.join(format!("release-{}", repo.version));
    fresh_folder(&folder)?;
    let mut unreached = Vec::new();
    {
        let _lock = repo.lock()?;
        let total = STEPS + pack::SET_UP_STEPS + pack::BUILD_STEPS + docs::STEPS;
        let mut steps = repo.steps(total);
        let deny = tool(repo, &mut steps, &ReleaseTool::DENY)?;
        let cyclonedx = tool(repo, &mut steps, &ReleaseTool::CYCLONEDX)?;
        let wasm_bindgen = pack::set_up(repo, &mut steps)?;
        steps.run("crates: bans, licences, sources", |step| {
            step.run(repo.command(&deny).args(["check", "bans", "licenses", "sources"]))
        })?;
        steps.run("crates: advisories", |step| {
            let outcome = step.run(repo.command(&deny).args(["check", "advisories"]));
            unless_unreached(
                outcome,
                "the advisory database of RustSec",
                is_deny_reached(repo),
                &mut unreached,
            )
        })?;
        steps.run("npm: advisories", |step| audit(repo, step, &mut unreached))?;
        let package = pack::build(repo, &mut steps, &wasm_bindgen, Core::Real)?;
        steps.run("the same bytes from a clean clone", |step| {
            let (here, there) = (sha256(&package.tarball)?, packed_elsewhere(repo, step, &wasm_bindgen)?);
            ensure!(here == there, "the tarball of this folder and of a clean clone differ: {here}, {there}");
            Ok(())
        })?;
        steps.run("bill of materials", |step| bill_of_materials(repo, step, &cyclonedx, &folder))?;
        let reference = docs::build(repo, &mut steps, &package)?;
        output(repo.command("cp").arg("-R").arg(reference).arg(folder.join("reference")))?;
        for file in [&package.tarball, &package.folder.join("integrity.json")] {
            let name = file.file_name().context("a file without a name")?;
            fs::copy(file, folder.join(name)).with_context(|| format!("cannot copy {}", file.display()))?;
        }
    }
    check::run(repo, report)?;
    test::run(repo, &[], report)?;
    write_sums(&folder)?;
    report.set("folder", json!(folder));
    report.set("unreached", json!(unreached));
    for name in &unreached {
        say(&format!("Not looked at, as it cannot be reached from here: {name}."));
    }
    if repo.address.is_none() {
        say(
            "The packages say neither `repository` nor `bugs`, as Cargo.toml has no `repository`: docs/publishing.md says how to give it.",
        );
    }
    report.set("repository", json!(repo.address));
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

fn tool(repo: &Repo, steps: &mut Steps, tool: &ReleaseTool) -> anyhow::Result<PathBuf> {
    setup::set_up(repo, steps, tool)?.into_iter().next().context("a tool that lies nowhere")
}

/// A failure counts, unless what was to be asked could not be reached.
fn unless_unreached(
    outcome: anyhow::Result<()>,
    what: &str,
    is_reached: bool,
    unreached: &mut Vec<String>,
) -> anyhow::Result<()> {
    if outcome.is_err() && !is_reached {
        unreached.push(what.to_owned());
        return Ok(());
    }
    outcome
}

/// cargo-deny keeps its database as a clone, which it makes before it judges.
fn is_deny_reached(repo: &Repo) -> bool {
    let source = "https://github.com/RustSec/advisory-db";
    output(repo.command("git").args(["ls-remote", "--exit-code", source, "HEAD"])).is_ok()
}

fn audit(repo: &Repo, step: &Step, unreached: &mut Vec<String>) -> anyhow::Result<()> {
    for folder in NPM_FOLDERS {
        let audit = repo.command("npm").current_dir(repo.path(folder)).args(["audit", "--json"]).output()?;
        let answer: Value = serde_json::from_slice(&audit.stdout).unwrap_or_default();
        match answer.pointer("/metadata/vulnerabilities/total").and_then(Value::as_u64) {
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

/// The hash of what a clone without any build result packs.
fn packed_elsewhere(repo: &Repo, step: &Step, wasm_bindgen: &Path) -> anyhow::Result<String> {
    let clone = repo.target.join("clean-clone");
    fresh_folder(&clone)?;
    step.run(repo.command("git").args(["clone", "--quiet", "--no-hardlinks", "."]).arg(&clone))?;
    let results = clone.join("target/packed.json");
    let tools = wasm_bindgen.parent().context("wasm-bindgen lies in no folder")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(tools.to_owned()).chain(std::env::split_paths(&path));
    fs::create_dir_all(clone.join("target"))?;
    let mut cargo = repo.cargo();
    cargo.current_dir(&clone).args(["xtask", "pack", "--json"]).arg(&results);
    for of_this_run in ["CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "CARGO_MANIFEST_PATH"] {
        cargo.env_remove(of_this_run);
    }
    step.run(cargo.env("PATH", std::env::join_paths(paths)?))?;
    let results: Value = serde_json::from_str(&read_text(&results)?)?;
    let hash = results.get("sha256").and_then(Value::as_str).context("the clone's results name no sha256")?;
    fs::remove_dir_all(&clone)?;
    Ok(hash.to_owned())
}

/// The crates that the wasm is made of, as CycloneDX. The package itself depends on nothing from npm.
fn bill_of_materials(repo: &Repo, step: &Step, cyclonedx: &Path, folder: &Path) -> anyhow::Result<()> {
    let date = output(repo.command("git").args(["log", "-1", "--format=%ct"]))?;
    step.run(
        Command::new(cyclonedx)
            .current_dir(&repo.root)
            .args(["cyclonedx", "--format", "json", "--features", "js", "--target", WASM_TARGET])
            .args([
                "--spec-version",
                "1.5",
                "--override-filename",
                "remitkit.cdx",
                "--manifest-path",
                "Cargo.toml",
            ])
            // Else it has the time and a number of its own in it.
            .env("SOURCE_DATE_EPOCH", date.trim()),
    )?;
    let mut own = None;
    for member in ["", "sandbox/", "xtask/"] {
        let made = repo.path(&format!("{member}remitkit.cdx.json"));
        if member.is_empty() {
            // Where it was made is nobody's business.
            own = Some(read_text(&made)?.replace(&*repo.root.to_string_lossy(), "/remitkit"));
        }
        // It writes one for each member of the workspace.
        let _ = fs::remove_file(made);
    }
    let own = own.context("there is no bill of materials")?;
    fs::write(folder.join("remitkit.cdx.json"), own)?;
    Ok(())
}

fn sha256(file: &Path) -> anyhow::Result<String> {
    Ok(hex(&Sha256::digest(read(file)?)))
}

/// SHA256SUMS of all files beside it.
fn write_sums(folder: &Path) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if let (true, Some(name)) = (path.is_file(), path.file_name().and_then(|name| name.to_str())) {
            lines.push(format!("{}  {name}\n", sha256(&path)?));
        }
    }
    lines.sort_by(|one, other| one.get(64..).cmp(&other.get(64..)));
    fs::write(folder.join("SHA256SUMS"), lines.concat())?;
    Ok(())
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
    fn only_what_cannot_be_reached_is_passed_over() {
        let mut unreached = Vec::new();
        let failed = || bail!("no");
        assert!(unless_unreached(failed(), "it", true, &mut unreached).is_err());
        assert!(unless_unreached(Ok(()), "it", false, &mut unreached).is_ok());
        assert!(unreached.is_empty());
        assert!(unless_unreached(failed(), "it", false, &mut unreached).is_ok());
        assert_eq!(unreached, ["it"]);
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

//! `release`: everything but publishing. The result is in target/release-<version>, and the last lines say
//! how to publish it.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use crate::pack::{self, Core};
use crate::process::output;
use crate::repo::{
    Repo, WASM_TARGET, copy, files_ending, fresh_folder, read, read_json, read_text, sha256, write,
};
use crate::report::Report;
use crate::say::{self, say};
use crate::setup::{Part, path_with, program};
use crate::steps::Step;
use crate::test::{self, LayerName};
use crate::{check, docs};

pub(crate) fn run(repo: &Repo, report: &mut Report) -> anyhow::Result<()> {
    let tag = format!("v{}", repo.version);
    must_be_ready(repo, &tag)?;
    let folder = repo.target.join(format!("release-{}", repo.version));
    fresh_folder(&folder)?;
    let mut unreached = Vec::new();
    {
        let _lock = repo.lock()?;
        audit_crates(repo, &mut unreached)?;
        repo.step("npm: advisories", |step| audit_npm(repo, step, &mut unreached))?;
        let package = pack::build(repo, Core::Published)?;
        repo.step("the same bytes from a clean clone", |step| {
            let (here, there) = (sha256(&read(&package.tarball)?), pack_in_clean_clone(repo, step)?);
            ensure!(here == there, "the tarball of this folder and of a clean clone differ: {here}, {there}");
            Ok(())
        })?;
        let cyclonedx = program(repo, Part::CargoCyclonedx)?;
        repo.step("bill of materials", |step| write_bill_of_materials(repo, step, &cyclonedx, &folder))?;
        let reference = docs::build(repo, &package)?;
        output(repo.command("cp").arg("-R").arg(reference).arg(folder.join("reference")))?;
        for file in [&package.tarball, &package.folder.join("integrity.json")] {
            copy(file, &folder.join(file.file_name().context("a file without a name")?))?;
        }
    }
    check::run(repo, report)?;
    test::run(repo, &test::Options::default(), report)?;
    test::run_layers(repo, &[LayerName::Matrix, LayerName::Screens, LayerName::Safeguards], report)?;
    write_sums(&folder)?;
    for name in &unreached {
        say(&format!("Not checked, as it cannot be reached from here: {name}."));
    }
    if repo.address.is_none() {
        say("The packages have neither `repository` nor `bugs`, as Cargo.toml has no `repository`: see \
            docs/publishing.md.");
    }
    report.set("folder", json!(folder));
    report.set("unreached", unreached);
    report.set("repository", repo.address.clone());
    let shown = folder.display();
    say::result(&format!(
        "{shown} is ready. To publish it:\n  \
         cargo xtask pack --sandbox, on each platform, as docs/publishing.md says\n  \
         git tag {tag} && git push origin {tag}\n  npm publish {shown}/remitkit-{}.tgz",
        repo.version
    ));
    Ok(())
}

/// Fails unless everything is committed, and the version is new and described.
fn must_be_ready(repo: &Repo, tag: &str) -> anyhow::Result<()> {
    let changes = output(repo.command("git").args(["status", "--porcelain"]))?;
    ensure!(changes.trim().is_empty(), "commit first, as a release is built from a commit:\n{changes}");
    let tags = output(repo.command("git").args(["tag", "--list", tag]))?;
    ensure!(tags.trim().is_empty(), "{tag} is already released: raise `version` in Cargo.toml");
    let changelog = read_text(&repo.path("CHANGELOG.md"))?;
    let version = &repo.version;
    ensure!(describes(&changelog, version), "CHANGELOG.md has no section `## [{version}]` with an entry");
    Ok(())
}

fn describes(changelog: &str, version: &str) -> bool {
    let heading = format!("## [{version}]");
    let mut lines = changelog.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
    lines.by_ref().take_while(|line| !line.starts_with("## ")).any(|line| line.starts_with("- "))
}

fn audit_crates(repo: &Repo, unreached: &mut Vec<String>) -> anyhow::Result<()> {
    let deny = program(repo, Part::CargoDeny)?;
    let deny = |step: &Step, what: &[&str]| step.run(repo.command(&deny).arg("check").args(what));
    repo.step("crates: bans, licenses, sources", |step| deny(step, &["bans", "licenses", "sources"]))?;
    repo.step("crates: advisories", |step| {
        let outcome = deny(step, &["advisories"]);
        // cargo-deny clones its database before it judges, so an unreachable one is a failure as well.
        let source = "https://github.com/RustSec/advisory-db";
        let reach = || output(repo.command("git").args(["ls-remote", "--exit-code", source, "HEAD"]));
        if outcome.is_err() && reach().is_err() {
            unreached.push("the advisory database of RustSec".to_owned());
            return Ok(());
        }
        outcome
    })
}

/// Audits every folder that has a lock file of npm, but for the competing packages of tests/size.
fn audit_npm(repo: &Repo, step: &Step, unreached: &mut Vec<String>) -> anyhow::Result<()> {
    for lock in
        step.read(repo.command("git").args(["ls-files", "*package-lock.json", ":!tests/size"]))?.lines()
    {
        let folder = lock.trim_end_matches("/package-lock.json");
        let audit = repo.command("npm").current_dir(repo.path(folder)).args(["audit", "--json"]).output()?;
        let answer: Value = serde_json::from_slice(&audit.stdout).unwrap_or_default();
        match answer["metadata"]["vulnerabilities"]["total"].as_u64() {
            Some(0) => {}
            Some(count) => {
                step.run(repo.command("npm").current_dir(repo.path(folder)).arg("audit"))?;
                bail!("{folder}: npm lists {count} vulnerabilities");
            }
            None => unreached.push(format!("npm's advisories for {folder}")),
        }
    }
    Ok(())
}

/// Returns the hash of what a clone without any build result packs.
fn pack_in_clean_clone(repo: &Repo, step: &Step) -> anyhow::Result<String> {
    let clone = repo.target.join("clean-clone");
    fresh_folder(&clone)?;
    step.run(repo.command("git").args(["clone", "--quiet", "--no-hardlinks", "."]).arg(&clone))?;
    let results = clone.join("target/packed.json");
    fs::create_dir_all(clone.join("target"))?;
    let mut cargo = repo.cargo();
    cargo.current_dir(&clone).args(["xtask", "pack", "--json"]).arg(&results);
    // With the tools of this clone.
    cargo.env("PATH", path_with(&program(repo, Part::PackageTools)?)?);
    for variable in ["CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "CARGO_MANIFEST_PATH"] {
        cargo.env_remove(variable);
    }
    step.run(&mut cargo)?;
    let hash = read_json(&results)?["sha256"].as_str().map(str::to_owned);
    fs::remove_dir_all(&clone)?;
    hash.context("the clone's results have no sha256")
}

/// Writes the crates that the wasm consists of, as CycloneDX. The package itself depends on nothing from npm.
fn write_bill_of_materials(repo: &Repo, step: &Step, cyclonedx: &Path, folder: &Path) -> anyhow::Result<()> {
    let date = output(repo.command("git").args(["log", "-1", "--format=%ct"]))?;
    let mut command = repo.command(cyclonedx);
    command.args(["cyclonedx", "--format", "json", "--features", "js", "--target", WASM_TARGET]);
    command.args(["--spec-version", "1.5", "--override-filename", "remitkit.cdx"]);
    command.args(["--manifest-path", "Cargo.toml"]);
    // Without a date it contains the current time and a random number.
    step.run(command.env("SOURCE_DATE_EPOCH", date.trim()))?;
    let own = read_text(&repo.path("remitkit.cdx.json"))?.replace(&*repo.root.to_string_lossy(), "/remitkit");
    // It writes one for each member of the workspace.
    for member in ["", "sandbox/", "xtask/"] {
        let _ = fs::remove_file(repo.path(&format!("{member}remitkit.cdx.json")));
    }
    write(&folder.join("remitkit.cdx.json"), own)
}

fn write_sums(folder: &Path) -> anyhow::Result<()> {
    let mut lines = String::new();
    for file in files_ending(folder, "")? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        lines += &format!("{}  {name}\n", sha256(&read(&file)?));
    }
    write(&folder.join("SHA256SUMS"), lines)
}

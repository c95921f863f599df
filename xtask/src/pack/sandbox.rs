//! The sandbox on npm, for people without a Rust toolchain: a package with the program for this machine's platform, and
//! the package `remitkit-sandbox`, which picks among those of all platforms.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::address::addressed;
use super::copying::{copy, copy_all};
use super::notices;
use super::remap::{encoded, remapped_paths};
use super::tarball::tarball;
use crate::repo::{Repo, fresh_folder, read, read_text};
use crate::steps::{Step, Steps};

const NAME: &str = "remitkit-sandbox";
/// What the package's notices begin with.
const MADE_WITH: &str = "The sandbox is made with the crates below, under their licences, with SQLite, which is in the public domain,";
const TEMPLATE: &str = "pkg-sandbox";
/// The part of the template that becomes the platform's package.
const PLATFORM: &str = "platform";
const PROFILE: &str = "sandbox";

pub(crate) const BUILD_STEPS: usize = 2;

/// The tarballs of both, and the program in them.
pub(crate) struct SandboxPackages {
    pub(crate) folder: PathBuf,
    pub(crate) tarballs: [PathBuf; 2],
    pub(crate) program: PathBuf,
}

/// A platform as npm names it.
#[derive(Clone, Copy)]
struct Platform {
    os: &'static str,
    cpu: &'static str,
    libc: Option<&'static str>,
}

impl Platform {
    fn host() -> anyhow::Result<Platform> {
        let os = match std::env::consts::OS {
            "linux" => "linux",
            "macos" => "darwin",
            other => bail!("there is no package of the sandbox for {other}"),
        };
        let cpu = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => bail!("there is no package of the sandbox for {other}"),
        };
        let libc = cfg!(target_env = "gnu").then_some("glibc");
        Ok(Platform { os, cpu, libc })
    }

    fn package(self) -> String {
        format!("{NAME}-{}-{}", self.os, self.cpu)
    }
}

/// Builds the program as it is published: optimised, which takes minutes.
pub(crate) fn build_program(repo: &Repo, steps: &mut Steps) -> anyhow::Result<PathBuf> {
    steps.run("sandbox, as it is published", |step| {
        step.run(
            repo.cargo()
                .args(["build", "--package", NAME, "--bins", "--profile", PROFILE])
                .env("CARGO_ENCODED_RUSTFLAGS", encoded(&remapped_paths(repo)?))
                .env_remove("RUSTFLAGS"),
        )
    })?;
    Ok(repo.target.join(PROFILE).join(NAME))
}

/// Builds the program as it is published, and packs it.
pub(crate) fn build(repo: &Repo, steps: &mut Steps) -> anyhow::Result<SandboxPackages> {
    let program = build_program(repo, steps)?;
    must_not_tell(&read(&program)?, &repo.root)?;
    steps.run("npm packages of the sandbox", |step| {
        pack(repo, step, &program, &repo.target.join("package-sandbox"))
    })
}

/// Fails for a program that names the folder in which it was built.
fn must_not_tell(program: &[u8], root: &Path) -> anyhow::Result<()> {
    let root = root.as_os_str().as_encoded_bytes();
    ensure!(!program.windows(root.len()).any(|part| part == root), "the sandbox's program names this folder");
    Ok(())
}

/// Packs a program that is there into `destination`.
pub(crate) fn pack(
    repo: &Repo,
    step: &Step,
    program: &Path,
    destination: &Path,
) -> anyhow::Result<SandboxPackages> {
    let platform = Platform::host()?;
    fresh_folder(destination)?;
    let binary = destination.join(platform.package());
    let notices = notices::of(repo, step, MADE_WITH, NAME, &[])?;
    let files = assemble_platform(repo, platform, program, &notices, &binary)?;
    let first = tarball(step, &binary, &files, destination)?;
    let chooser = destination.join(NAME);
    let files = assemble_chooser(repo, platform, &chooser)?;
    let second = tarball(step, &chooser, &files, destination)?;
    Ok(SandboxPackages {
        folder: destination.to_owned(),
        tarballs: [first, second],
        program: binary.join("bin").join(NAME),
    })
}

fn assemble_platform(
    repo: &Repo,
    platform: Platform,
    program: &Path,
    notices: &str,
    folder: &Path,
) -> anyhow::Result<BTreeSet<String>> {
    let template = repo.path(TEMPLATE).join(PLATFORM);
    let manifest = read_text(&template.join("package.json"))?;
    let mut files = begin(repo, &template, folder)?;
    write_manifest(repo, folder, &platform_manifest(&manifest, platform, &repo.version)?)?;
    write(&folder.join(notices::FILE), notices)?;
    fs::create_dir_all(folder.join("bin"))?;
    copy(program, &folder.join("bin").join(NAME))?;
    files.extend([notices::FILE.to_owned(), format!("bin/{NAME}")]);
    Ok(files)
}

fn assemble_chooser(repo: &Repo, platform: Platform, folder: &Path) -> anyhow::Result<BTreeSet<String>> {
    let template = repo.path(TEMPLATE);
    let manifest = read_text(&template.join("package.json"))?;
    let mut files = begin(repo, &template, folder)?;
    fs::remove_dir_all(folder.join(PLATFORM)).with_context(|| format!("{TEMPLATE} has no {PLATFORM}"))?;
    files.retain(|file| !file.starts_with(PLATFORM));
    write_manifest(repo, folder, &chooser_manifest(&manifest, &platform.package(), &repo.version)?)?;
    Ok(files)
}

/// Lays a template out with the licences.
fn begin(repo: &Repo, template: &Path, folder: &Path) -> anyhow::Result<BTreeSet<String>> {
    fresh_folder(folder)?;
    let mut files = BTreeSet::new();
    copy_all(template, folder, "", &mut files)?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&repo.path(licence), &folder.join(licence))?;
        files.insert(licence.to_owned());
    }
    Ok(files)
}

fn platform_manifest(manifest: &str, platform: Platform, version: &str) -> anyhow::Result<String> {
    changed(manifest, |manifest| {
        set(manifest, "name", json!(platform.package()))?;
        set(manifest, "version", json!(version))?;
        set(manifest, "os", json!([platform.os]))?;
        set(manifest, "cpu", json!([platform.cpu]))?;
        if let (Some(libc), Some(entries)) = (platform.libc, manifest.as_object_mut()) {
            entries.insert("libc".to_owned(), json!([libc]));
        }
        Ok(())
    })
}

/// Both packages have one version, and this one asks for no other of the platforms' packages.
fn chooser_manifest(manifest: &str, platform: &str, version: &str) -> anyhow::Result<String> {
    changed(manifest, |manifest| {
        set(manifest, "version", json!(version))?;
        let wanted = manifest
            .get_mut("optionalDependencies")
            .and_then(Value::as_object_mut)
            .context("has no `optionalDependencies`")?;
        if !wanted.contains_key(platform) {
            bail!("names no {platform} in its `optionalDependencies`");
        }
        wanted.values_mut().for_each(|wanted| *wanted = json!(version));
        Ok(())
    })
}

fn changed(manifest: &str, change: impl FnOnce(&mut Value) -> anyhow::Result<()>) -> anyhow::Result<String> {
    let mut manifest: Value = serde_json::from_str(manifest)?;
    change(&mut manifest).with_context(|| format!("a package.json of {TEMPLATE}"))?;
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

fn set(manifest: &mut Value, key: &str, value: Value) -> anyhow::Result<()> {
    *manifest.get_mut(key).with_context(|| format!("has no `{key}`"))? = value;
    Ok(())
}

fn write_manifest(repo: &Repo, folder: &Path, text: &str) -> anyhow::Result<()> {
    write(&folder.join("package.json"), &addressed(text, repo.address.as_deref())?)
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINUX: Platform = Platform { os: "linux", cpu: "x64", libc: Some("glibc") };

    fn template(name: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(TEMPLATE);
        read_text(&root.join(name)).unwrap()
    }

    #[test]
    fn the_package_of_a_platform_is_installed_there_alone() {
        let text = platform_manifest(&template("platform/package.json"), LINUX, "1.2.3").unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(manifest["name"], "remitkit-sandbox-linux-x64");
        assert_eq!(manifest["version"], "1.2.3");
        assert_eq!((&manifest["os"], &manifest["cpu"]), (&json!(["linux"]), &json!(["x64"])));
        assert_eq!(manifest["libc"], json!(["glibc"]));
        let darwin = Platform { os: "darwin", cpu: "arm64", libc: None };
        let text = platform_manifest(&template("platform/package.json"), darwin, "1.2.3").unwrap();
        assert!(!text.contains("libc"));
    }

    #[test]
    fn a_program_that_tells_where_it_was_built_is_refused() {
        let root = Path::new("/builds/remitkit");
        assert!(must_not_tell(b"at /remitkit/src/main.rs", root).is_ok());
        assert!(must_not_tell(b"at /builds/remitkit/src/main.rs", root).is_err());
    }

    #[test]
    fn the_chooser_asks_for_its_own_version_of_every_platform() {
        let text = chooser_manifest(&template("package.json"), &LINUX.package(), "1.2.3").unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let wanted = manifest["optionalDependencies"].as_object().unwrap();
        assert!(wanted.len() >= 5 && wanted.values().all(|version| version == "1.2.3"));
        assert!(chooser_manifest(&template("package.json"), "remitkit-sandbox-plan9-x64", "1.2.3").is_err());
    }
}

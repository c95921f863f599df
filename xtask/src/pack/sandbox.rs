//! The sandbox on npm, for users without Rust: a package with the program for this machine's platform, and
//! the package `remitkit-sandbox`, which selects among those of all platforms.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::ensure;
use serde_json::{Value, json};

use super::folder::Folder;
use super::{notices, wasm_core};
use crate::process::output;
use crate::repo::{Repo, fresh_folder, read};
use crate::steps::Step;

const NAME: &str = "remitkit-sandbox";
const NOTICES_HEADING: &str = "The sandbox is made with the crates below, under their licenses, with SQLite, which is in the public domain,";
const PROFILE: &str = "sandbox";

pub(crate) struct SandboxPackages {
    pub(crate) folder: PathBuf,
    pub(crate) tarballs: [PathBuf; 2],
    pub(crate) program: PathBuf,
}

/// Builds the program as it is published: optimized, which takes minutes; on Linux without the system's C
/// library where that can be had, as Alpine has another one.
pub(crate) fn build_program(repo: &Repo) -> anyhow::Result<PathBuf> {
    let target = static_target();
    repo.step("sandbox, as it is published", |step| {
        let mut cargo = repo.cargo();
        cargo.args(["build", "--package", NAME, "--bin", NAME, "--profile", PROFILE]);
        cargo.args(target.iter().flat_map(|target| ["--target", target]));
        step.run(wasm_core::with_flags(&mut cargo, &wasm_core::remapped_paths(repo)?))
    })?;
    Ok(repo.target.join(target.unwrap_or_default()).join(PROFILE).join(NAME))
}

/// Returns the target of a static program, if musl's compiler and Rust's library for it are there.
fn static_target() -> Option<&'static str> {
    let target = match std::env::consts::ARCH {
        "x86_64" if cfg!(target_os = "linux") => "x86_64-unknown-linux-musl",
        "aarch64" if cfg!(target_os = "linux") => "aarch64-unknown-linux-musl",
        _ => return None,
    };
    let library =
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", target])).ok()?;
    let has_compiler = output(Command::new("musl-gcc").arg("--version")).is_ok();
    (has_compiler && Path::new(library.trim()).is_dir()).then_some(target)
}

pub(crate) fn build(repo: &Repo) -> anyhow::Result<SandboxPackages> {
    let program = build_program(repo)?;
    let (content, root) = (read(&program)?, repo.root.as_os_str().as_encoded_bytes());
    let names_root = content.windows(root.len()).any(|part| part == root);
    ensure!(!names_root, "the sandbox's program contains the path of this folder");
    repo.step("npm packages of the sandbox", |step| {
        pack(repo, step, &program, &repo.target.join("package-sandbox"))
    })
}

pub(crate) fn pack(
    repo: &Repo,
    step: &Step,
    program: &Path,
    destination: &Path,
) -> anyhow::Result<SandboxPackages> {
    let os = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let cpu = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    let name = format!("{NAME}-{os}-{cpu}");
    fresh_folder(destination)?;

    let mut platform = Folder::from_template(repo, "pkg-sandbox/platform", &destination.join(&name))?;
    platform.complete_manifest(repo, |manifest| {
        manifest["name"] = json!(name);
        manifest["os"] = json!([os]);
        manifest["cpu"] = json!([cpu]);
        if cfg!(target_env = "gnu") && !program.to_string_lossy().contains("-musl") {
            manifest["libc"] = json!(["glibc"]);
        }
    })?;
    platform.write(notices::FILE, notices::of(repo, step, NOTICES_HEADING, NAME, &[])?)?;
    let packed = format!("bin/{NAME}");
    platform.copy(program, &packed)?;

    // All packages have one version, and this one accepts no other of the platforms' packages.
    let selector = Folder::from_template(repo, "pkg-sandbox", &destination.join(NAME))?;
    let mut is_listed = false;
    selector.complete_manifest(repo, |manifest| {
        let platforms = manifest["optionalDependencies"].as_object_mut();
        for (other, version) in platforms.into_iter().flatten() {
            is_listed |= *other == name;
            *version = Value::from(repo.version.as_str());
        }
    })?;
    ensure!(is_listed, "`optionalDependencies` of pkg-sandbox/package.json lacks {name}");
    let program = platform.path.join(packed);
    let tarballs = [platform.pack(step, destination)?, selector.pack(step, destination)?];
    Ok(SandboxPackages { folder: destination.to_owned(), tarballs, program })
}

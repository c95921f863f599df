//! The sandbox on npm, for people without a Rust toolchain: a package with the program for this machine's
//! platform, and the package `remitkit-sandbox`, which picks among those of all platforms.

use std::path::{Path, PathBuf};

use anyhow::ensure;
use serde_json::{Value, json};

use super::folder::Folder;
use super::{notices, wasm_core};
use crate::repo::{Repo, fresh_folder, read};
use crate::steps::Step;

const NAME: &str = "remitkit-sandbox";
/// What the package's notices begin with.
const MADE_WITH: &str = "The sandbox is made with the crates below, under their licences, with SQLite, which is in the public domain,";
const PROFILE: &str = "sandbox";

/// The tarballs of both, and the program in them.
pub(crate) struct SandboxPackages {
    pub(crate) folder: PathBuf,
    pub(crate) tarballs: [PathBuf; 2],
    pub(crate) program: PathBuf,
}

/// Builds the program as it is published: optimised, which takes minutes.
pub(crate) fn build_program(repo: &Repo) -> anyhow::Result<PathBuf> {
    repo.step("sandbox, as it is published", |step| {
        let mut cargo = repo.cargo();
        cargo.args(["build", "--package", NAME, "--bin", NAME, "--profile", PROFILE]);
        step.run(wasm_core::with_flags(&mut cargo, &wasm_core::remapped_paths(repo)?))
    })?;
    Ok(repo.target.join(PROFILE).join(NAME))
}

/// Builds the program as it is published, and packs it.
pub(crate) fn build(repo: &Repo) -> anyhow::Result<SandboxPackages> {
    let program = build_program(repo)?;
    must_not_tell(&read(&program)?, &repo.root)?;
    repo.step("npm packages of the sandbox", |step| {
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
    let os = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let cpu = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    let name = format!("{NAME}-{os}-{cpu}");
    fresh_folder(destination)?;

    let mut platform = Folder::of(repo, "pkg-sandbox/platform", &destination.join(&name))?;
    platform.fill_in(repo, |manifest| {
        manifest["name"] = json!(name);
        manifest["os"] = json!([os]);
        manifest["cpu"] = json!([cpu]);
        if cfg!(target_env = "gnu") {
            manifest["libc"] = json!(["glibc"]);
        }
    })?;
    platform.write(notices::FILE, notices::of(repo, step, MADE_WITH, NAME, &[])?)?;
    let packed = format!("bin/{NAME}");
    platform.take(program, &packed)?;

    // Both packages have one version, and this one asks for no other of the platforms' packages.
    let chooser = Folder::of(repo, "pkg-sandbox", &destination.join(NAME))?;
    let mut is_named = false;
    chooser.fill_in(repo, |manifest| {
        let wanted = manifest["optionalDependencies"].as_object_mut();
        for (other, version) in wanted.into_iter().flatten() {
            is_named |= *other == name;
            *version = Value::from(repo.version.as_str());
        }
    })?;
    ensure!(is_named, "pkg-sandbox/package.json names no {name} in its `optionalDependencies`");
    let program = platform.path.join(packed);
    let tarballs = [platform.pack(step, destination)?, chooser.pack(step, destination)?];
    Ok(SandboxPackages { folder: destination.to_owned(), tarballs, program })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_tells_where_it_was_built_is_refused() {
        let root = Path::new("/builds/remitkit");
        assert!(must_not_tell(b"at /remitkit/src/main.rs", root).is_ok());
        assert!(must_not_tell(b"at /builds/remitkit/src/main.rs", root).is_err());
    }
}

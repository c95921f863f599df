//! The example of a front end in Rust: the crate itself in a Leptos page.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::repo::{Repo, WASM_TARGET, fresh_folder};
use crate::steps::Steps;

const MANIFEST: &str = "examples/leptos/Cargo.toml";
const NAME: &str = "remitkit-leptos-example";

/// How many steps `build` takes.
pub(crate) const BUILD_STEPS: usize = 1;

/// Gives the folder of the page's module, `example.js`.
pub(crate) fn build(repo: &Repo, steps: &mut Steps, wasm_bindgen: &Path) -> anyhow::Result<PathBuf> {
    let target = repo.target.join("leptos");
    let page = target.join("page");
    steps.run("front end in Rust", |step| {
        step.run(
            repo.cargo()
                .args(["build", "--locked", "--manifest-path", MANIFEST, "--target", WASM_TARGET])
                .env("CARGO_TARGET_DIR", &target),
        )?;
        fresh_folder(&page)?;
        let module = target.join(WASM_TARGET).join("debug").join(NAME).with_extension("wasm");
        step.run(
            repo.command(wasm_bindgen)
                .args(["--target", "web", "--no-typescript", "--out-name", "example", "--out-dir"])
                .arg(&page)
                .arg(&module),
        )
        .with_context(|| format!("binding {}", module.display()))
    })?;
    Ok(page)
}

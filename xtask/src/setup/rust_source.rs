//! The source of the standard library, from which the package's module has a lean one built.

use std::path::Path;

use anyhow::bail;

use super::{Found, Part, on_path};
use crate::command::output;
use crate::repo::Repo;
use crate::steps::Step;

pub(crate) struct RustSource;

impl Part for RustSource {
    fn title(&self) -> String {
        "Rust's library source".to_owned()
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        let sysroot = output(repo.rustc().args(["--print", "sysroot"]))?;
        let source = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/Cargo.lock");
        Ok(source.is_file().then(Vec::new))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        if on_path("rustup").is_none() {
            bail!(
                "this Rust lacks the source of its library, and there is no rustup to add it: install \
                 rust-src as your Rust was installed, or install Rust through https://rustup.rs"
            );
        }
        step.run(repo.command("rustup").args(["component", "add", "rust-src"]))
    }
}

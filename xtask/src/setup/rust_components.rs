//! rustfmt and clippy, which `check` runs.

use anyhow::bail;

use super::{Found, Part, on_path};
use crate::command::output;
use crate::repo::Repo;
use crate::steps::Step;

pub(crate) struct RustComponents;

impl Part for RustComponents {
    fn title(&self) -> String {
        "rustfmt and clippy".to_owned()
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        let there =
            ["fmt", "clippy"].iter().all(|tool| output(repo.cargo().args([tool, "--version"])).is_ok());
        Ok(there.then(Vec::new))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        if on_path("rustup").is_none() {
            bail!(
                "this Rust lacks rustfmt or clippy, and there is no rustup to add them: install \
                 them as your Rust was installed, or install Rust through https://rustup.rs"
            );
        }
        step.run(repo.command("rustup").args(["component", "add", "rustfmt", "clippy"]))
    }
}

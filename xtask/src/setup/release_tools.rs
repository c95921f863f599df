//! What only a release asks for: cargo-deny and cargo-cyclonedx.

use super::cargo_tool::CargoTool;
use super::{Found, Part};
use crate::repo::Repo;
use crate::steps::Step;

pub(crate) struct ReleaseTool(CargoTool);

impl ReleaseTool {
    /// Licences, bans, sources and advisories of the crates.
    pub(crate) const DENY: ReleaseTool =
        ReleaseTool(CargoTool { name: "cargo-deny", version: "0.20.2", version_args: &["--version"] });
    /// The bill of materials.
    pub(crate) const CYCLONEDX: ReleaseTool = ReleaseTool(CargoTool {
        name: "cargo-cyclonedx",
        version: "0.5.9",
        version_args: &["cyclonedx", "--version"],
    });
}

impl Part for ReleaseTool {
    fn title(&self) -> String {
        format!("{} {}", self.0.name, self.0.version)
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        Ok(self.0.found(repo).map(|program| vec![program]))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        self.0.make(repo, step)
    }
}

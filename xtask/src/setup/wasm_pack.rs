//! wasm-pack, which runs the browser tests.

use super::cargo_tool::CargoTool;
use super::{Found, Part};
use crate::repo::Repo;
use crate::steps::Step;

const TOOL: CargoTool = CargoTool { name: "wasm-pack", version: "0.15.1", version_args: &["--version"] };

pub(crate) struct WasmPack;

impl Part for WasmPack {
    fn title(&self) -> String {
        format!("wasm-pack {}", TOOL.version)
    }

    fn found(&self, repo: &Repo) -> anyhow::Result<Option<Found>> {
        Ok(TOOL.found(repo).map(|program| vec![program]))
    }

    fn make(&self, repo: &Repo, step: &Step) -> anyhow::Result<()> {
        TOOL.make(repo, step)
    }
}

//! What the layers need, and how it is set up.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::LayerName;
use super::counts::Cell;
use crate::bench;
use crate::engines::Engines;
use crate::pack::{self, Core, Package};
use crate::repo::{Repo, files_ending};
use crate::sandbox;
use crate::setup::{
    self, Browser, Found, Node, NodeModules, Part, PythonPackages, Redis, RustSource, RustTarget,
    WasmBindgen, WasmPack,
};

const PACKAGE_MODULES: NodeModules = NodeModules::of("tests/package");
const FRONTEND_MODULES: NodeModules = NodeModules::of("tests/frontends");
const MATRIX_MODULES: NodeModules = NodeModules::of("tests/matrix");
const SHOP_TEST_MODULES: NodeModules = NodeModules::of("tests/e2e");
const CLIENTS: PythonPackages = PythonPackages::of("tests/standard-clients");
pub(super) const TEST_FILE: &str = ".test.mjs";

/// The layers that drive real pages with the package.
const PROOFS: [LayerName; 4] = [LayerName::Bench, LayerName::Chaos, LayerName::Forge, LayerName::Fuzz];

/// What the layers need, found once.
pub(super) struct Context<'a> {
    pub(super) repo: &'a Repo,
    pub(super) wasm_bindgen: PathBuf,
    pub(super) wasm_pack: PathBuf,
    pub(super) chromium: PathBuf,
    pub(super) driver: PathBuf,
    pub(super) python: PathBuf,
    engines: Option<Engines>,
    /// The server, or why there is none.
    pub(super) redis: Result<Found, String>,
    package: Option<Package>,
    pub(super) cells: Vec<Cell>,
}

impl<'a> Context<'a> {
    pub(super) fn set_up(repo: &'a Repo, layers: &[LayerName]) -> anyhow::Result<Context<'a>> {
        let _lock = repo.lock()?;
        let mut context = Context {
            repo,
            wasm_bindgen: PathBuf::new(),
            wasm_pack: PathBuf::new(),
            chromium: PathBuf::new(),
            driver: PathBuf::new(),
            python: PathBuf::new(),
            engines: None,
            redis: Ok(Found::new()),
            package: None,
            cells: Vec::new(),
        };
        let wants = |some: &[LayerName]| some.iter().any(|layer| layers.contains(layer));
        let browser = wants(&[LayerName::Browser]);
        let packing = wants(&[
            LayerName::Package,
            LayerName::Size,
            LayerName::Frontends,
            LayerName::Matrix,
            LayerName::Shop,
        ]) || wants(&PROOFS);
        let shop = wants(&[LayerName::Shop]);
        let pages = shop || wants(&PROOFS);
        let engines = browser || shop || wants(&[LayerName::Forge, LayerName::Package]);

        // First what the person may have to install, then what takes long.
        let mut parts: Vec<(Box<dyn Part>, Vec<&mut PathBuf>)> = Vec::new();
        if packing || wants(&[LayerName::Javascript]) {
            parts.push((Box::new(Node), Vec::new()));
        }
        if browser || pages || wants(&[LayerName::Package, LayerName::Frontends, LayerName::Matrix]) {
            let part = Browser { with_driver: browser };
            let found = vec![&mut context.chromium, &mut context.driver];
            parts.push((Box::new(part), found));
        }
        if browser || packing {
            parts.push((Box::new(RustTarget), Vec::new()));
            let part = WasmBindgen::new(repo)?;
            parts.push((Box::new(part), vec![&mut context.wasm_bindgen]));
        }
        if packing {
            parts.push((Box::new(RustSource), Vec::new()));
        }
        if browser {
            parts.push((Box::new(WasmPack), vec![&mut context.wasm_pack]));
        }
        if wants(&[LayerName::Clients]) {
            parts.push((Box::new(CLIENTS), vec![&mut context.python]));
        }
        let modules = [
            (packing, NodeModules::TOOLS),
            (wants(&[LayerName::Package]), PACKAGE_MODULES),
            (wants(&[LayerName::Frontends]), FRONTEND_MODULES),
            (wants(&[LayerName::Matrix]), MATRIX_MODULES),
            (wants(&[LayerName::Bench]), bench::MODULES),
            (shop, NodeModules::SHOP),
            (pages || wants(&[LayerName::Package]), SHOP_TEST_MODULES),
        ];
        for (wanted, modules) in modules {
            if wanted && modules.is_wanted(repo) {
                parts.push((Box::new(modules), Vec::new()));
            }
        }
        let others = if engines { Engines::OTHERS } else { 0 };
        let with_redis = wants(&[LayerName::Package]);
        let mut steps = repo.steps(parts.len() + usize::from(with_redis) + others);
        for (part, slots) in parts {
            let found = setup::set_up(repo, &mut steps, part.as_ref())?;
            for (slot, program) in slots.into_iter().zip(found) {
                *slot = program;
            }
        }
        if with_redis {
            context.redis = setup::set_up_if_possible(repo, &mut steps, &Redis)?;
        }
        if engines {
            context.engines = Some(Engines::beside(context.chromium.clone(), repo, &mut steps)?);
        }
        Ok(context)
    }

    pub(super) fn packed(&mut self) -> anyhow::Result<&Package> {
        let package = match self.package.take() {
            Some(package) => package,
            None => {
                let _lock = self.repo.lock()?;
                let mut steps = self.repo.steps(pack::BUILD_STEPS);
                pack::build(self.repo, &mut steps, &self.wasm_bindgen, Core::Real)?
            }
        };
        Ok(self.package.insert(package))
    }

    /// The sandbox, and a package that can be told to leave a safeguard out.
    pub(super) fn weakened(&self) -> anyhow::Result<Package> {
        let _lock = self.repo.lock()?;
        let mut steps = self.repo.steps(1 + pack::BUILD_STEPS);
        sandbox::build(self.repo, &mut steps)?;
        pack::build(self.repo, &mut steps, &self.wasm_bindgen, Core::Weakened)
    }

    pub(super) fn engines(&self) -> anyhow::Result<&Engines> {
        self.engines.as_ref().context("the engines were not looked for")
    }

    pub(super) fn test_files(&self, folder: &str) -> anyhow::Result<Vec<PathBuf>> {
        let files = files_ending(&self.repo.path(folder), TEST_FILE)?;
        if files.is_empty() {
            bail!("{folder} has no *{TEST_FILE}");
        }
        Ok(files)
    }

    pub(super) fn into_cells(self) -> Vec<Cell> {
        self.cells
    }
}

//! What each layer runs, and what must be set up before.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};
use serde_json::json;

use super::{LayerName, counts};
use crate::chaos::{self, Chaos, Weakness};
use crate::command::run_shown;
use crate::coverage::Record;
use crate::demo::Demo;
use crate::pack::{self, Core, Package};
use crate::ports;
use crate::repo::{Repo, files_ending, fresh_folder};
use crate::sandbox::{self, Options, Sandbox};
use crate::setup::{
    self, Browser, Node, NodeModules, Part, PythonPackages, RustTarget, WasmBindgen, WasmPack,
};
use crate::shop;
use crate::steps::Steps;

const PACKAGE_MODULES: NodeModules = NodeModules::of("tests/package");
const SHOP_TEST_MODULES: NodeModules = NodeModules::of("tests/e2e");
const CLIENTS: PythonPackages = PythonPackages::of("tests/standard-clients");
const TEST_FILE: &str = ".test.mjs";
/// Seconds that wasm-bindgen's runner gives the tests of one binary.
const BROWSER_TIMEOUT: &str = "180";

/// What the layers need, found once.
pub(super) struct Context<'a> {
    repo: &'a Repo,
    wasm_bindgen: PathBuf,
    wasm_pack: PathBuf,
    chromium: PathBuf,
    driver: PathBuf,
    python: PathBuf,
    package: Option<Package>,
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
            package: None,
        };
        let wants = |some: &[LayerName]| some.iter().any(|layer| layers.contains(layer));
        let browser = wants(&[LayerName::Browser]);
        let packing = wants(&[LayerName::Package, LayerName::Chaos, LayerName::Shop]);
        let shop = wants(&[LayerName::Shop]);
        let pages = shop || wants(&[LayerName::Chaos]);

        // First what the person may have to install, then what takes long.
        let mut parts: Vec<(Box<dyn Part>, Vec<&mut PathBuf>)> = Vec::new();
        if packing || wants(&[LayerName::Javascript]) {
            parts.push((Box::new(Node), Vec::new()));
        }
        if browser || pages {
            let part = Browser { with_driver: browser };
            let found = vec![&mut context.chromium, &mut context.driver];
            parts.push((Box::new(part), found));
        }
        if browser || packing {
            parts.push((Box::new(RustTarget), Vec::new()));
            let part = WasmBindgen::new(repo)?;
            parts.push((Box::new(part), vec![&mut context.wasm_bindgen]));
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
            (shop, NodeModules::SHOP),
            (pages, SHOP_TEST_MODULES),
        ];
        for (wanted, modules) in modules {
            if wanted && modules.is_wanted(repo) {
                parts.push((Box::new(modules), Vec::new()));
            }
        }
        let mut steps = Steps::new(repo.tools().join("logs"), parts.len());
        for (part, slots) in parts {
            let found = setup::set_up(repo, &mut steps, part.as_ref())?;
            for (slot, program) in slots.into_iter().zip(found) {
                *slot = program;
            }
        }
        Ok(context)
    }

    /// Runs one layer; returns how many tests have passed.
    pub(super) fn run(&mut self, layer: LayerName, record: Option<&Record>) -> anyhow::Result<usize> {
        let passed = match layer {
            LayerName::Sdk => self.cargo_test("remitkit", record),
            LayerName::Sandbox => self.cargo_test("remitkit-sandbox", record),
            LayerName::Clients => self.clients(),
            LayerName::Xtask => self.cargo_test("xtask", None),
            LayerName::Javascript => self.javascript(),
            LayerName::Browser => self.browser(),
            LayerName::Package => self.package(),
            LayerName::Chaos => self.chaos(),
            LayerName::Shop => self.shop(record),
        }?;
        if passed == 0 {
            bail!("no test was run");
        }
        Ok(passed)
    }

    fn cargo_test(&self, package: &str, record: Option<&Record>) -> anyhow::Result<usize> {
        let mut cargo = self.repo.cargo();
        if let Some(record) = record {
            cargo.env("REMITKIT_TRAFFIC", &record.folder);
        }
        let (text, outcome) = run_shown(cargo.args(["test", "--package", package]), None)?;
        outcome.map(|()| counts::cargo(&text))
    }

    fn clients(&self) -> anyhow::Result<usize> {
        let mut steps = Steps::new(self.repo.tools().join("logs"), 1);
        steps.run("sandbox", |step| sandbox::build(self.repo, step))?;
        let log = self.repo.target.join("test/clients-sandbox.log");
        let sandbox = Sandbox::start(self.repo, &Options::default(), &log)?;
        let mut python = self.repo.command(&self.python);
        python.arg("tests/standard-clients/run.py").arg(sandbox.announced().to_string());
        let (text, outcome) = run_shown(&mut python, None)?;
        outcome?;
        sandbox.stop()?;
        Ok(counts::tap(&text))
    }

    fn javascript(&self) -> anyhow::Result<usize> {
        let mut files = self.test_files("sandbox/card-form/test")?;
        files.extend(files_ending(&self.repo.path("pkg-template/test"), TEST_FILE)?);
        node_test(&mut self.repo.command("node"), &files)
    }

    fn browser(&self) -> anyhow::Result<usize> {
        let mut steps = Steps::new(self.repo.tools().join("logs"), 1);
        steps.run("sandbox", |step| sandbox::build(self.repo, step))?;
        let sandbox = self.sandbox_at_kept_ports()?;
        let bin = self.wasm_bindgen.parent().context("wasm-bindgen lies in no folder")?;
        // no-install: what is missing must fail here, and not be looked for on the network.
        let (text, outcome) = run_shown(
            self.repo
                .command(&self.wasm_pack)
                .args(["--log-level", "error", "test", "--headless", "--chrome", "--chromedriver"])
                .arg(&self.driver)
                .args([
                    "--mode",
                    "no-install",
                    "--",
                    "--features",
                    "js",
                    "--test",
                    "card_frame",
                    "--test",
                    "fetch",
                ])
                .env("PATH", setup::path_with(bin)?)
                .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", self.capabilities()?)
                .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
                // Else the runner's page demands a policy of every frame that the card form does not have.
                .env("WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION", "1")
                .env("SANDBOX_BASE_URL", sandbox.base_url()?)
                .env("SANDBOX_CARD_URL", sandbox.card_url()?)
                .env("SANDBOX_SENDER_ID", sandbox.sender_id()?)
                .env_remove("CHROMEDRIVER_REMOTE")
                .env_remove("GECKODRIVER_REMOTE")
                .env_remove("GECKODRIVER")
                .env_remove("SAFARIDRIVER_REMOTE")
                .env_remove("SAFARIDRIVER"),
            None,
        )?;
        outcome?;
        sandbox.must_have_kept_its_contract()?;
        sandbox.stop()?;
        Ok(counts::cargo(&text))
    }

    /// At the ports of the last run where they are free: the addresses are compiled into the tests.
    fn sandbox_at_kept_ports(&self) -> anyhow::Result<Sandbox> {
        let [port, card_port] = ports::kept(&self.repo.tools().join("ports"))?;
        let options = Options { port, card_port, contract: true, ..Options::default() };
        Sandbox::start(self.repo, &options, &self.repo.target.join("test/browser-sandbox.log"))
    }

    /// Tells the driver which browser to use.
    fn capabilities(&self) -> anyhow::Result<PathBuf> {
        let file = self.repo.tools().join("webdriver.json");
        let capabilities = json!({
            "goog:chromeOptions": {
                "binary": self.chromium,
                "args": [
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                ],
            },
        });
        fs::write(&file, capabilities.to_string())
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    fn package(&mut self) -> anyhow::Result<usize> {
        let tarball = self.packed()?.tarball.clone();
        let mut files = self.test_files("tests/package/facade")?;
        files.extend(self.test_files("tests/package")?);
        let mut node = self.repo.command("node");
        node_test(node.env("REMITKIT_TARBALL", tarball), &files)
    }

    /// The verdict's own tests, one run that must be clean, and one with each weakness, which must be found.
    fn chaos(&mut self) -> anyhow::Result<usize> {
        let repo = self.repo;
        let chromium = self.chromium.clone();
        let package = self.packed()?.folder.clone();
        let lock = repo.lock()?;
        let mut steps = Steps::new(repo.tools().join("logs"), 1 + pack::BUILD_STEPS);
        steps.run("sandbox", |step| sandbox::build(repo, step))?;
        let weakened = pack::build(repo, &mut steps, &self.wasm_bindgen, Core::Weakened)?;
        drop(lock);

        let tests = node_test(&mut repo.command("node"), &self.test_files("tests/chaos")?)?;
        let pages = Chaos { repo, chromium: &chromium };
        pages.run(&package, &chaos::Options::default())?.must_be_clean()?;
        for weakness in Weakness::ALL {
            let options = chaos::Options { transfers: 80, seed: None, weakness: Some(weakness) };
            pages.run(&weakened.folder, &options)?.must_have_found(weakness)?;
        }
        Ok(tests + 1 + Weakness::ALL.len())
    }

    fn shop(&mut self, record: Option<&Record>) -> anyhow::Result<usize> {
        let repo = self.repo;
        let chromium = self.chromium.clone();
        let package = self.packed()?;
        let lock = repo.lock()?;
        let mut steps = Steps::new(repo.tools().join("logs"), 1 + shop::BUILD_STEPS);
        steps.run("sandbox", |step| sandbox::build(repo, step))?;
        shop::build(repo, &mut steps, package)?;
        drop(lock);

        let folder = repo.target.join("test/e2e");
        fresh_folder(&folder)?;
        let traffic = record.map(|record| record.folder.join("shop.jsonl"));
        let options = Options { contract: true, traffic: traffic.as_deref(), ..Options::default() };
        let demo = Demo::start(repo, &options, &folder)?;
        let files = self.test_files("tests/e2e")?;
        // One file after the other: they share the sandbox, its clock and its faults.
        let passed = node_test(
            repo.command("node")
                .arg("--test-concurrency=1")
                .envs(demo.script_env(chromium, folder.join("output"))?),
            &files,
        )?;
        demo.sandbox.must_have_kept_its_contract()?;
        demo.backend.stop()?;
        demo.sandbox.stop()?;
        Ok(passed)
    }

    fn packed(&mut self) -> anyhow::Result<&Package> {
        let package = match self.package.take() {
            Some(package) => package,
            None => {
                let _lock = self.repo.lock()?;
                let mut steps = Steps::new(self.repo.tools().join("logs"), pack::BUILD_STEPS);
                pack::build(self.repo, &mut steps, &self.wasm_bindgen, Core::Real)?
            }
        };
        Ok(self.package.insert(package))
    }

    fn test_files(&self, folder: &str) -> anyhow::Result<Vec<PathBuf>> {
        let files = files_ending(&self.repo.path(folder), TEST_FILE)?;
        if files.is_empty() {
            bail!("{folder} has no *{TEST_FILE}");
        }
        Ok(files)
    }
}

/// `node` with the test files; what is already set on it goes before them.
fn node_test(node: &mut Command, files: &[impl AsRef<Path>]) -> anyhow::Result<usize> {
    node.args(["--test", "--test-reporter=spec"]).args(files.iter().map(AsRef::as_ref));
    let (text, outcome) = run_shown(node, None)?;
    outcome.map(|()| counts::node(&text))
}

//! The tests that run the wasm in the engines themselves.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::json;

use super::counts;
use crate::command::run_shown;
use crate::engines::{Engine, Engines};
use crate::ports;
use crate::repo::Repo;
use crate::sandbox::{Options, Sandbox};
use crate::say::say;
use crate::setup;

/// Seconds that wasm-bindgen's runner gives the tests of one binary.
const TIMEOUT: &str = "180";
/// Where the runner could otherwise find drivers and settings of its own.
const FOREIGN: [&str; 7] = [
    "CHROMEDRIVER_REMOTE",
    "GECKODRIVER",
    "GECKODRIVER_REMOTE",
    "SAFARIDRIVER",
    "SAFARIDRIVER_REMOTE",
    "CHROMEDRIVER",
    "WASM_BINDGEN_TEST_WEBDRIVER_JSON",
];

/// What they need.
pub(super) struct BrowserTests<'a> {
    pub(super) repo: &'a Repo,
    /// The folder of wasm-bindgen and its runner.
    pub(super) bin: &'a Path,
    pub(super) wasm_pack: &'a Path,
    /// Chromium's.
    pub(super) driver: &'a Path,
    pub(super) engines: &'a Engines,
}

impl BrowserTests<'_> {
    /// Runs them in each engine; returns how many have passed in all of them together.
    pub(super) fn run(&self) -> anyhow::Result<usize> {
        let sandbox = self.sandbox_at_kept_ports()?;
        let mut passed = self.run_in(Engine::Chromium, &sandbox)?;
        for engine in self.engines.others() {
            passed += self.run_in(engine, &sandbox)?;
        }
        sandbox.must_have_kept_its_contract()?;
        sandbox.stop()?;
        Ok(passed)
    }

    fn run_in(&self, engine: Engine, sandbox: &Sandbox) -> anyhow::Result<usize> {
        let (browser, driver_option) = match engine {
            Engine::Chromium => ("--chrome", "--chromedriver"),
            Engine::Firefox => ("--firefox", "--geckodriver"),
            Engine::WebKit => ("--safari", "--safaridriver"),
        };
        let driver = match engine {
            Engine::Chromium => self.driver,
            other => self.engines.program(other).context("an engine without a driver")?,
        };
        say(&format!("\nin {}:", engine.name()));
        let mut wasm_pack = self.engines.command(self.repo, self.wasm_pack);
        for name in FOREIGN {
            wasm_pack.env_remove(name);
        }
        if engine == Engine::Chromium {
            wasm_pack.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", self.capabilities()?);
        }
        // no-install: what is missing must fail here, and not be looked for on the network.
        let (text, outcome) = run_shown(
            wasm_pack
                .args(["--log-level", "error", "test", "--headless", browser, driver_option])
                .arg(driver)
                .args(["--mode", "no-install", "--", "--features", "js"])
                .args(["--test", "card_frame", "--test", "fetch"])
                .env("PATH", setup::path_with(self.bin)?)
                .env("WASM_BINDGEN_TEST_TIMEOUT", TIMEOUT)
                // Else the runner's page demands a policy of every frame that the card form does not have.
                .env("WASM_BINDGEN_TEST_NO_ORIGIN_ISOLATION", "1")
                .env("SANDBOX_BASE_URL", sandbox.base_url()?)
                .env("SANDBOX_CARD_URL", sandbox.card_url()?)
                .env("SANDBOX_SENDER_ID", sandbox.sender_id()?),
            None,
        )?;
        outcome?;
        match counts::cargo(&text) {
            0 => bail!("no test was run in {}", engine.name()),
            passed => Ok(passed),
        }
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
                "binary": self.engines.program(Engine::Chromium),
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
}
